/// Windows' mark of where a file came from: the stream `Zone.Identifier`.
///
/// It is an INI file with the section `[ZoneTransfer]`, in UTF-8, or after a byte order mark in
/// UTF-16; old programs write it in the code page of their system. As in Windows, the case of names
/// does not matter, and the first of equal names counts.
public struct ZoneIdentifier: Hashable, Sendable {
  /// How far Windows trusts what comes from there (`URLZONE`).
  public enum Zone: UInt8, CaseIterable, Sendable, CustomStringConvertible {
    case localMachine, intranet, trusted, internet, restricted

    public var description: String {
      switch self {
      case .localMachine: "local machine"
      case .intranet: "local intranet"
      case .trusted: "trusted sites"
      case .internet: "Internet"
      case .restricted: "restricted sites"
      }
    }
  }

  public var zone: Zone?
  /// The page with the link.
  public var referrerURL: String?
  /// Where the file was downloaded from; also `about:internet`, `blob:` or a path.
  public var hostURL: String?
  /// The application from the Store that wrote the file last.
  public var lastWriter: String?
  public var hostAddress: String?
  /// The bytes of the fields in an unknown code page, which have no text.
  public private(set) var undecoded: [Field: [UInt8]] = [:]

  /// A field of text.
  public enum Field: String, CaseIterable, Sendable {
    case referrerURL, hostURL, lastWriter, hostAddress

    fileprivate init?(_ name: String) {
      switch name {
      case "referrerurl": self = .referrerURL
      case "hosturl": self = .hostURL
      case "lastwriterpackagefamilyname": self = .lastWriter
      case "hostipaddress": self = .hostAddress
      default: return nil
      }
    }
  }

  /// Longer than anything that browsers write.
  public static let limit = 65536

  public init(
    zone: Zone? = nil, referrerURL: String? = nil, hostURL: String? = nil,
    lastWriter: String? = nil, hostAddress: String? = nil
  ) {
    self.zone = zone
    self.referrerURL = referrerURL
    self.hostURL = hostURL
    self.lastWriter = lastWriter
    self.hostAddress = hostAddress
  }

  /// Whether a stream is in UTF-16: by its byte order mark, or by its first character, `[`.
  package static func isUTF16(_ value: [UInt8]) -> Bool {
    [[0xff, 0xfe], [0xfe, 0xff], [0x5b, 0], [0, 0x5b]].contains { value.starts(with: $0) }
  }

  /// Reads the stream; one NUL after it is passed over.
  ///
  /// Other sections, unknown names and lines without `=` are passed over. Of a line that is not
  /// UTF-8 the name counts, and the bytes of its value.
  ///
  /// - Throws: `MarkFailure`, with the offset of the byte or line that is wrong.
  public init(_ value: [UInt8]) throws(MarkFailure) {
    guard value.count <= Self.limit else { throw MarkFailure(.tooLong, at: Self.limit) }
    if MarkText.withoutNUL(value).isEmpty { throw MarkFailure(.empty, at: 0) }
    self.init()
    var isInside = false
    var wasThere = false
    var seen: Set<String> = []
    for line in try InitializationLine.all(in: value) {
      switch line.content {
      case .section(let name):
        isInside = name.lowercased() == "zonetransfer"
        if isInside { wasThere = true }
      case .pair(let name, let text) where isInside && seen.insert(name.lowercased()).inserted:
        try take(name.lowercased(), text, line.offset)
      case .bytes(let name, let bytes) where isInside && seen.insert(name.lowercased()).inserted:
        if let field = Field(name.lowercased()) { undecoded[field] = bytes }
      case .pair, .bytes, .other: break
      }
    }
    guard wasThere else { throw MarkFailure(.noSection, at: value.count) }
    guard self != ZoneIdentifier() else { throw MarkFailure(.noField, at: value.count) }
  }

  private mutating func take(
    _ name: String, _ text: String, _ offset: Int
  ) throws(MarkFailure) {
    if name == "zoneid" {
      guard let zone = UInt8(text).flatMap(Zone.init) else { throw MarkFailure(.zone, at: offset) }
      self.zone = zone
    }
    switch Field(name) {
    case .referrerURL: referrerURL = text
    case .hostURL: hostURL = text
    case .lastWriter: lastWriter = text
    case .hostAddress: hostAddress = text
    case nil: break
    }
  }

  /// The stream as Windows writes it: UTF-8, lines that end with CR and LF.
  ///
  /// A field with a control character is left out, since it could be read as several fields.
  public var encoded: [UInt8] {
    var lines = ["[ZoneTransfer]"]
    func add(_ name: String, _ text: String?) {
      guard let text, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return }
      lines.append("\(name)=\(text)")
    }
    add("ZoneId", zone.map { String($0.rawValue) })
    add("ReferrerUrl", referrerURL)
    add("HostUrl", hostURL)
    add("LastWriterPackageFamilyName", lastWriter)
    add("HostIpAddress", hostAddress)
    return lines.flatMap { Array($0.utf8) + [0x0d, 0x0a] }
  }
}

/// A line of an INI file.
private struct InitializationLine {
  enum Content {
    case section(String)
    case pair(String, String)
    /// A name of ASCII with a value that is not UTF-8.
    case bytes(String, [UInt8])
    /// A comment, or a line without meaning.
    case other
  }

  let content: Content
  /// The start of the line, in bytes of the file.
  let offset: Int

  /// The lines of a file, in UTF-8, or in UTF-16 where a byte order mark or the first character
  /// says so. One NUL character at the end is passed over.
  static func all(in file: [UInt8]) throws(MarkFailure) -> [InitializationLine] {
    if ZoneIdentifier.isUTF16(file) {
      let isMarked = file[0] >= 0xfe
      return try utf16(
        file, start: isMarked ? 2 : 0, isLittle: file[0] == 0xff || file[0] == 0x5b)
    }
    let start = file.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    let lines = MarkText.withoutNUL(file).dropFirst(start).split { $0 == 0x0a || $0 == 0x0d }
    return try lines.map { (line) throws(MarkFailure) -> InitializationLine in
      do throws(MarkFailure) {
        return Self(try MarkText.utf8(line), at: line.startIndex)
      } catch {
        guard error.reason == .notUTF8 else { throw error }
        return Self(codePage: line)
      }
    }
  }

  /// A line in a code page of Windows: in all of them ASCII is ASCII, but for the second bytes of
  /// characters, which are neither `=` nor blank.
  private init(codePage line: ArraySlice<UInt8>) {
    offset = line.startIndex
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    let equals = line.firstIndex(of: UInt8(ascii: "=")) ?? line.endIndex
    let name = Self.trimmed(String(decoding: line[..<equals], as: UTF8.self)[...])
    guard equals < line.endIndex, name.utf8.allSatisfy({ $0 < 0x80 }), name.first != ";" else {
      content = .other
      return
    }
    let start = line[(equals + 1)...].drop(while: isSpace)
    let end = start.lastIndex { !isSpace($0) } ?? start.startIndex
    content = .bytes(String(name), Array(start[...end]))
  }

  private static func utf16(
    _ file: [UInt8], start: Int, isLittle: Bool
  ) throws(MarkFailure) -> [InitializationLine] {
    let end = file.count - (file.count - start) % 2
    var units = stride(from: start, to: end, by: 2).map { position -> UInt16 in
      let (first, second) = (UInt16(file[position]), UInt16(file[position + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    // An odd byte is Samba's NUL, or the half of a character.
    if end < file.count, file[end] != 0 { throw MarkFailure(.notUTF16, at: end) }
    if units.last == 0 { units.removeLast() }
    if let nul = units.firstIndex(of: 0) { throw MarkFailure(.nul, at: start + nul * 2) }
    let lines = units.split { $0 == 0x0a || $0 == 0x0d }
    return try lines.map { (line) throws(MarkFailure) in
      let offset = start + line.startIndex * 2
      guard let text = String(validating: line, as: UTF16.self) else {
        throw MarkFailure(.notUTF16, at: offset)
      }
      return Self(text, at: offset)
    }
  }

  private init(_ line: String, at offset: Int) {
    self.offset = offset
    let text = Self.trimmed(line[...])
    if text.first == "[", let end = text.firstIndex(of: "]") {
      content = .section(String(Self.trimmed(text[text.index(after: text.startIndex)..<end])))
    } else if text.first != ";", let equals = text.firstIndex(of: "=") {
      content = .pair(
        String(Self.trimmed(text[..<equals])),
        String(Self.trimmed(text[text.index(after: equals)...])))
    } else {
      content = .other
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
    let start = text.drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }) else { return start.prefix(0) }
    return start[...last]
  }
}
