internal import DocumentSource
public import ForeignFormats

/// What a mark of origin says, wherever it stands.
public enum MarkKind: Hashable, Sendable {
  /// The application and the path in it: `x-document-source`.
  case documentSource
  /// `com.apple.quarantine`.
  case quarantine
  /// `com.apple.metadata:kMDItemWhereFroms`: the URL, then that of the page with the link; for what
  /// came by mail or AirDrop, the sender and the subject.
  case whereFroms
  /// `com.apple.metadata:kMDItemDownloadedDate`.
  case downloadedDate
  /// `com.apple.metadata:_kMDItemUserTags`.
  case userTags
  /// `com.apple.metadata:kMDItemFinderComment`.
  case finderComment
  /// `com.apple.metadata:kMDItemCreator`: the application that made the file.
  case metadataCreator
  /// `com.apple.metadata:kMDItemOriginSubject`: the subject of the mail that the file came with.
  case originSubject
  /// `com.apple.lastuseddate#PS`.
  case lastUsedDate
  /// `com.apple.provenance`: the key of an application in the database of one Mac.
  case applicationKey
  /// Windows' `Zone.Identifier`.
  case zoneIdentifier
  /// `xdg.origin.url`.
  case originURL
  /// `xdg.referrer.url`.
  case referrerURL
  /// `mime_type`.
  case mediaType
  /// `creator`: the application that made the file.
  case creator
  /// Another of freedesktop.org's names, `xdg.publisher` or `dublincore.title`; or one that Apple's
  /// Mail and AirDrop write, `com.apple.metadata:kMDItemOriginMessageID`.
  case note(String)
  /// `x-extension-item`: what the app that handed the content over said of it.
  case shareItem
  /// What a Linux desktop has recorded in recently-used.xbel.
  case recentUse
  /// An application that used the file, by the database of KDE's activities.
  case activity
  /// What an application in a sandbox may do with the file, by the document portal's database.
  case portalGrant
  /// What desktop search has found in the content.
  case searchIndex
  /// What a browser has recorded of the file's download in its own database.
  case downloadRecord
  /// What programs and devices have written of themselves into the content.
  case embeddedOrigin
  /// The package that has installed the file, by the database of a package manager.
  case packageRecord
  /// What the repository of git, in whose work tree the file is, records of it.
  case repositoryRecord
  /// `security.docsource`: which program was seen writing the file.
  case witness

  private static let named: [(name: String, kind: MarkKind)] = [
    ("x-document-source", .documentSource),
    ("com.apple.quarantine", .quarantine),
    ("com.apple.metadata:kMDItemWhereFroms", .whereFroms),
    ("com.apple.metadata:kMDItemDownloadedDate", .downloadedDate),
    ("com.apple.metadata:_kMDItemUserTags", .userTags),
    ("com.apple.metadata:kMDItemFinderComment", .finderComment),
    ("com.apple.metadata:kMDItemCreator", .metadataCreator),
    ("com.apple.metadata:kMDItemOriginSubject", .originSubject),
    ("com.apple.lastuseddate#PS", .lastUsedDate),
    ("com.apple.provenance", .applicationKey),
    ("Zone.Identifier", .zoneIdentifier),
    ("xdg.origin.url", .originURL),
    ("xdg.referrer.url", .referrerURL),
    ("mime_type", .mediaType),
    ("creator", .creator),
    ("x-extension-item", .shareItem),
  ]

  static let notes: Set<String> = [
    "xdg.publisher", "xdg.creator", "xdg.comment", "xdg.tags", "xdg.language",
    "xdg.origin.email.subject", "xdg.origin.email.from", "xdg.origin.email.sender",
    "xdg.origin.email.message-id", "xdg.origin.email.to", "com_apple_mail_messageID",
    "com.apple.metadata:kMDItemOriginSenderHandle",
    "com.apple.metadata:kMDItemOriginSenderDisplayName",
    "com.apple.metadata:kMDItemOriginMessageID",
    "com.apple.metadata:kMDItemOriginApplicationIdentifier",
  ]

  /// What the names of other notes begin with.
  private static let noteFamilies = [
    "dublincore.", "xdg.origin.", "com.apple.metadata:kMDItemOrigin",
  ]

  /// The names that a mark may have in any carrier, but for the notes.
  static let names = named.map(\.name)
  private static let bytesOfNames = names.map { Array($0.utf8) }

  /// Whether this kind is a mark of Apple's systems, which Mac servers and zips carry.
  var isApple: Bool { self == .documentSource || name.hasPrefix("com.apple.") }

  /// How names are compared.
  enum LetterCase {
    case kept
    /// As SMB and NTFS compare them.
    case ignored
  }

  /// The kind of a mark by its name without namespace or prefix; `nil` for a name that no mark has.
  init?(name: some Collection<UInt8>, letterCase: LetterCase = .kept) {
    for (position, known) in Self.bytesOfNames.enumerated() where known.count == name.count {
      guard
        letterCase == .kept
          ? name.elementsEqual(known)
          : MarkText.matches(Array(name)[...], Self.names[position])
      else { continue }
      self = Self.named[position].kind
      return
    }
    let text = String(decoding: name, as: UTF8.self)
    if text == "zone.identifier" {
      // As some programs that unpack archives spell it.
      self = .zoneIdentifier
      return
    }
    guard Self.notes.contains(text) || Self.noteFamilies.contains(where: text.hasPrefix) else {
      return nil
    }
    self = .note(text)
  }

  /// The kind of a mark by an attribute's name on its own system; `nil` for a name that no mark has.
  public init?(attributeName: [UInt8]) { self.init(name: attributeName) }

  /// The name without namespace or prefix, as its own system has it.
  public var name: String {
    switch self {
    case .note(let name): name
    case .recentUse: "recently-used"
    case .activity: "activity"
    case .portalGrant: "portal-grant"
    case .searchIndex: "search-index"
    case .downloadRecord: "download-record"
    case .embeddedOrigin: "embedded-origin"
    case .packageRecord: "package"
    case .repositoryRecord: "repository"
    case .witness: "witness"
    default: Self.named.first { $0.kind == self }?.name ?? ""
    }
  }
}

/// A mark of origin: what it says, where it stands, and how far to trust it.
public struct Mark: Hashable, Sendable {
  public var kind: MarkKind { stored.kind }
  public var carrier: MarkCarrier { stored.carrier }
  public var trust: Trust { stored.trust }
  /// The bytes as they stand in the carrier, a trailing NUL included.
  public var bytes: [UInt8] { stored.bytes }
  public var content: MarkContent { stored.content }

  /// An object, since marks are put in order and passed on much more often than made.
  private let stored: Stored

  private final class Stored: Sendable {
    let kind: MarkKind
    let carrier: MarkCarrier
    let trust: Trust
    let bytes: [UInt8]
    let content: MarkContent

    init(
      _ kind: MarkKind, _ carrier: MarkCarrier, _ trust: Trust, _ bytes: [UInt8],
      _ content: MarkContent
    ) {
      self.kind = kind
      self.carrier = carrier
      self.trust = trust
      self.bytes = bytes
      self.content = content
    }
  }

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
    stored = Stored(kind, carrier, trust, bytes, content)
  }

  public static func == (one: Mark, other: Mark) -> Bool {
    one.stored === other.stored
      || one.kind == other.kind && one.carrier == other.carrier && one.trust == other.trust
        && one.bytes == other.bytes && one.content == other.content
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(carrier)
    hasher.combine(trust)
    hasher.combine(bytes)
    hasher.combine(content)
  }

  /// The value; `nil` if the mark is empty, damaged or unreadable.
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

/// How far a mark can be trusted. No mark but a witnessed one proves anything.
public enum Trust: String, Hashable, Sendable, CustomStringConvertible {
  /// Seen on this computer by a process of root while the file was written, and recorded where only root
  /// can write.
  case witnessed
  /// Recorded on this computer by a program of this user, or by one that installs packages. Records are
  /// kept by path, so this one may describe an earlier file at the path.
  case record
  /// On the file itself: anyone who could write the file, or who sent it, may have set the mark.
  case claim
  /// In another file, which may be left over from an earlier file of the same name.
  case beside
  /// In a file that belongs to another user: neither this one, the file's owner nor root.
  case foreign
  /// In the content: a program or a device names itself, or whoever wrote the file has named another.
  case embedded

  /// In words for people.
  public var description: String {
    switch self {
    case .witnessed: "seen while the file was written; only root can write this mark"
    case .record: "recorded by path; may describe an earlier file at this path"
    case .claim: "on the file itself; anyone who wrote or sent the file may have set this mark"
    case .beside: "in another file; may belong to an earlier file of this name"
    case .foreign: "in a file owned by another user; not trusted"
    case .embedded: "in the content; anyone who wrote the file may have named another program"
    }
  }
}
