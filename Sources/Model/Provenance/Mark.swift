internal import DocumentSource
public import ForeignFormats

/// A mark of origin: what it says, where it stands, and how far to trust it.
public struct Mark: Hashable, Sendable {
  public let kind: MarkKind
  public let carrier: MarkCarrier
  public let trust: Trust
  /// The bytes as they stand in the carrier, a trailing NUL included.
  public let bytes: [UInt8]
  public let content: MarkContent

  /// Reads the bytes.
  public init(_ kind: MarkKind, in carrier: MarkCarrier, trust: Trust, bytes: [UInt8]) {
    let content: MarkContent
    do throws(MarkFailure) {
      content =
        StoredValue.isEmpty(bytes) ? .empty : .value(try MarkValue(bytes, of: kind))
    } catch {
      content = .damaged(error)
    }
    self.init(kind, in: carrier, trust: trust, bytes: bytes, content: content)
  }

  init(
    _ kind: MarkKind, in carrier: MarkCarrier, trust: Trust, bytes: [UInt8] = [],
    content: MarkContent
  ) {
    self.kind = kind
    self.carrier = carrier
    self.trust = trust
    self.bytes = bytes
    self.content = content
  }

  /// The value; `nil` where the mark is empty, damaged or unreadable.
  public var value: MarkValue? {
    if case .value(let value) = content { value } else { nil }
  }
}

/// The result of reading a mark.
public enum MarkContent: Hashable, Sendable {
  case value(MarkValue)
  /// No byte, or the one NUL that Samba leaves when a write did not fit.
  case empty
  case damaged(MarkFailure)
  /// The system refused, in words.
  case unreadable(String)
}

/// How far a mark can be trusted. No mark proves anything.
public enum Trust: String, Hashable, Sendable, CustomStringConvertible {
  /// A program of this user has recorded it here. The record is kept by path, so it may be about a
  /// former file there.
  case record
  /// It stands on the file itself: whoever could write the file, or has sent it, may have set it.
  case claim
  /// It stands in another file, which may have been left by a former file of that name.
  case beside
  /// It stands in a file that belongs to a third user.
  case foreign

  /// In words for people.
  public var description: String {
    switch self {
    case .record: "recorded here, by path"
    case .claim: "on the file itself; whoever wrote or sent it can have set it"
    case .beside: "in another file, perhaps a former one's"
    case .foreign: "in a file of another user; not to be trusted"
    }
  }
}
