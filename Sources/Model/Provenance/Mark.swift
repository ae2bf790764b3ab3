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
    self.kind = kind
    self.carrier = carrier
    self.trust = trust
    self.bytes = bytes
    if bytes.isEmpty || bytes == [0] {
      content = .empty
    } else {
      do throws(MarkFailure) {
        content = .value(try MarkValue(bytes, of: kind))
      } catch {
        content = .damaged(error)
      }
    }
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

  /// What it says, if it can be read.
  public var value: MarkValue? {
    if case .value(let value) = content { value } else { nil }
  }
}
