internal import BinaryPropertyList
public import DocumentSource
public import ForeignFormats
public import ShareItem
internal import TextFormats
public import Witness

/// What a mark says. Values of many parts are indirect, so that copying a mark counts few references.
public enum MarkValue: Hashable, Sendable {
  indirect case source(DocumentSource, mistyped: [MistypedField])
  indirect case quarantine(Quarantine)
  /// URLs, but for what came by mail or AirDrop.
  case origins([String])
  /// In seconds since 1970-01-01T00:00:00Z.
  case moment(Double)
  case tags([UserTag])
  case applicationKey(UInt64)
  indirect case zone(ZoneIdentifier)
  case text(String)
  indirect case item(ShareItem)
  indirect case use(RecentUse)
  /// What an application in a sandbox may do with the file.
  indirect case grant(application: String, permissions: [String])
  indirect case download(DownloadRecord, DownloadRecord.Match)
  indirect case embedded(EmbeddedOrigin)
  /// With whether the content is the package's, if that was asked for.
  indirect case package(PackageRecord, PackageRecord.Verification?)
  indirect case repository(RepositoryRecord)
  /// Who was seen writing the file, and why that says nothing of the present content if it does not.
  indirect case witness(WitnessRecord, Witness.Voidness?)

  /// Reads a mark's value; one NUL after it is passed over.
  ///
  /// - Throws: `MarkFailure`, with the offset of the byte, field or object that is wrong.
  public init(_ bytes: [UInt8], of kind: MarkKind) throws(MarkFailure) {
    switch kind {
    case .documentSource: self = try Self.source(bytes)
    case .quarantine: self = .quarantine(try Quarantine(bytes))
    case .whereFroms: self = .origins(try Self.strings(bytes))
    case .userTags: self = .tags(try Self.userTags(bytes))
    case .finderComment, .metadataCreator, .originSubject: self = .text(try Self.string(bytes))
    case .downloadedDate: self = .moment(try Self.date(bytes))
    case .lastUsedDate: self = .moment(try Self.lastUsed(bytes))
    case .applicationKey: self = .applicationKey(try Self.key(bytes))
    case .zoneIdentifier: self = .zone(try ZoneIdentifier(bytes))
    case .note(let name) where name.hasPrefix("com.apple.metadata:"):
      self = .text(try Self.string(bytes))
    case .shareItem: self = .item(try Self.item(bytes))
    case .originURL, .referrerURL, .mediaType, .creator, .note, .recentUse, .activity,
      .portalGrant, .searchIndex, .downloadRecord, .embeddedOrigin, .packageRecord,
      .repositoryRecord, .witness:
      self = .text(try MarkText.utf8(MarkText.withoutNUL(bytes)))
    }
  }

  /// Whether origins are URLs; what came by mail or AirDrop has its sender first. The first is empty
  /// where a browser knows the page only.
  package static func isDownload(_ origins: [String]) -> Bool {
    origins.first.map { $0.isEmpty || LinkText.hasScheme($0) } ?? false
  }

  private static func source(_ bytes: [UInt8]) throws(MarkFailure) -> MarkValue {
    let content: Content
    do throws(DamagedValue) {
      content = try Content(of: bytes)
    } catch {
      throw MarkFailure(.propertyList(error.failure.reason), at: error.failure.offset)
    }
    guard case .source(let source, let mistyped) = content else {
      throw MarkFailure(.noSource, at: 0)
    }
    return .source(source, mistyped: mistyped)
  }

  private static func item(_ bytes: [UInt8]) throws(MarkFailure) -> ShareItem {
    let bytes = AttributeValue.hasTrailingNUL(bytes) ? Array(bytes.dropLast()) : bytes
    do throws(ItemFailure) {
      return try ShareItem(mark: bytes)
    } catch {
      throw MarkFailure(.item(error.reason.words), at: error.offset)
    }
  }

  private static func list(_ bytes: [UInt8]) throws(MarkFailure) -> PropertyList {
    do throws(DecodingFailure) {
      return try PropertyList(binary: bytes, options: AttributeValue.tolerant)
    } catch {
      throw MarkFailure(.propertyList(error.reason), at: error.offset)
    }
  }

  private static func array(_ bytes: [UInt8]) throws(MarkFailure) -> [PropertyList] {
    guard case .array(let elements) = try list(bytes) else { throw MarkFailure(.notArray, at: 0) }
    return elements
  }

  private static func elements(_ bytes: [UInt8]) throws(MarkFailure) -> [PropertyList] {
    let elements = try array(bytes)
    guard !elements.isEmpty else { throw MarkFailure(.noElement, at: 0) }
    return elements
  }

  private static func characters(_ element: PropertyList) throws(MarkFailure) -> String {
    guard case .string(let text) = element else { throw MarkFailure(.element, at: 0) }
    return text
  }

  private static func strings(_ bytes: [UInt8]) throws(MarkFailure) -> [String] {
    try elements(bytes).map(characters)
  }

  /// The Finder leaves an empty array where the last tag was taken away.
  private static func userTags(_ bytes: [UInt8]) throws(MarkFailure) -> [UserTag] {
    try array(bytes).map(characters).map { UserTag($0) }
  }

  private static func string(_ bytes: [UInt8]) throws(MarkFailure) -> String {
    try characters(list(bytes))
  }

  private static func date(_ bytes: [UInt8]) throws(MarkFailure) -> Double {
    guard case .date(let seconds)? = try elements(bytes).first, seconds.isFinite else {
      throw MarkFailure(.element, at: 0)
    }
    return seconds + CalendarDate.referenceDate
  }

  /// Seconds and nanoseconds, each eight bytes, the lowest first.
  private static func lastUsed(_ bytes: [UInt8]) throws(MarkFailure) -> Double {
    // Samba's NUL makes it seventeen.
    guard bytes.count == 16 || bytes.count == 17 && bytes[16] == 0 else {
      throw MarkFailure(.length, at: min(bytes.count, 16))
    }
    let words = [bytes[..<8], bytes[8..<16]].map { word in
      Int64(bitPattern: word.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
    return Double(words[0]) + Double(words[1]) / 1e9
  }

  /// `01 02 00` and eight bytes.
  private static func key(_ bytes: [UInt8]) throws(MarkFailure) -> UInt64 {
    guard bytes.count == 11 || bytes.count == 12 && bytes[11] == 0 else {
      throw MarkFailure(.length, at: min(bytes.count, 11))
    }
    return bytes[3..<11].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
