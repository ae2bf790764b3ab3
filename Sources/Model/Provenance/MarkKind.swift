internal import ForeignFormats

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
  /// Another of freedesktop.org's names: `xdg.publisher`, `dublincore.title`.
  case note(String)
  /// What a Linux desktop has recorded in recently-used.xbel.
  case recentUse

  private static let named: [(name: String, kind: MarkKind)] = [
    ("x-document-source", .documentSource),
    ("com.apple.quarantine", .quarantine),
    ("com.apple.metadata:kMDItemWhereFroms", .whereFroms),
    ("com.apple.metadata:kMDItemDownloadedDate", .downloadedDate),
    ("com.apple.metadata:_kMDItemUserTags", .userTags),
    ("com.apple.lastuseddate#PS", .lastUsedDate),
    ("com.apple.provenance", .applicationKey),
    ("Zone.Identifier", .zoneIdentifier),
    ("xdg.origin.url", .originURL),
    ("xdg.referrer.url", .referrerURL),
    ("mime_type", .mediaType),
    ("creator", .creator),
  ]

  private static let notes: Set<String> = [
    "xdg.publisher", "xdg.creator", "xdg.comment", "xdg.tags", "xdg.language",
    "xdg.origin.email.subject", "xdg.origin.email.from", "xdg.origin.email.message-id",
  ]

  /// The names that a mark may have in any carrier, but for the notes.
  static let names = named.map(\.name)

  /// Whether this kind is a mark of Apple's systems, which Mac servers and zips carry.
  var isApple: Bool { self == .documentSource || name.hasPrefix("com.apple.") }

  /// How names are compared.
  enum LetterCase {
    case kept
    /// As SMB and NTFS compare them.
    case ignored
  }

  /// The kind of a mark by its name without namespace or prefix; `nil` where it is no mark's.
  init?(name: some Collection<UInt8>, letterCase: LetterCase = .kept) {
    let found = Self.named.first { known in
      letterCase == .kept
        ? name.elementsEqual(known.name.utf8) : MarkText.matches(name, known.name)
    }
    if let found {
      self = found.kind
      return
    }
    let text = String(decoding: name, as: UTF8.self)
    guard Self.notes.contains(text) || text.hasPrefix("dublincore.") else { return nil }
    self = .note(text)
  }

  /// The kind of a mark by an attribute's name on its own system; `nil` where it is no mark's.
  public init?(attributeName: [UInt8]) { self.init(name: attributeName) }

  /// The name without namespace or prefix, as its own system has it.
  public var name: String {
    switch self {
    case .note(let name): name
    case .recentUse: "recently-used"
    default: Self.named.first { $0.kind == self }?.name ?? ""
    }
  }
}
