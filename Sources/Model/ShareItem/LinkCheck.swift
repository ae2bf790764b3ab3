internal import TextFormats

/// Something that is wrong with an attributed link, or doubtful, and where.
public struct LinkFinding: Hashable, Sendable, CustomStringConvertible {
  public enum Severity: String, Sendable {
    /// The link is not to be used.
    case error
    case warning
  }

  public enum Code: String, CaseIterable, Sendable {
    case badScheme = "bad-scheme"
    case reservedScheme = "reserved-scheme"
    case notReverseDNS = "not-reverse-dns"
    case notHierarchical = "not-hierarchical"
    case wrongHost = "wrong-host"
    case hostCase = "host-case"
    case userinfoOrPort = "authority-has-userinfo-or-port"
    case unexpectedPath = "unexpected-path"
    case nonemptyPath = "nonempty-path"
    case fragmentPresent = "fragment-present"
    case illegalCharacter = "illegal-character"
    case badPercentEscape = "bad-percent-escape"
    case badUTF8 = "bad-utf8"
    case nul = "nul"
    case duplicateKey = "duplicate-key"
    case missingValue = "missing-value"
    case emptyKey = "empty-key"
    case unescapedReserved = "unescaped-reserved"
    case missingURL = "missing-url"
    case invalidURL = "invalid-url"
    case appNameInQuery = "app-name-in-query"
    case badTweetIdentifier = "bad-tweet-id"
    case tooLarge = "too-large"

    public var severity: Severity {
      switch self {
      case .notReverseDNS, .hostCase, .nonemptyPath, .emptyKey, .unescapedReserved,
        .badTweetIdentifier:
        .warning
      default: .error
      }
    }

    /// What is found, in words.
    public var meaning: String {
      switch self {
      case .badScheme:
        "the scheme must be a letter, then letters, digits, '+', '-' and '.'"
      case .reservedScheme: "the scheme belongs to the web or the system, not to an app"
      case .notReverseDNS: "the scheme is not an identifier like com.example.app"
      case .notHierarchical: "'://' must follow the scheme"
      case .wrongHost: "the host is not 'extensionsave'"
      case .hostCase: "the host is not in lower case"
      case .userinfoOrPort: "a user name or a port stands beside the host"
      case .unexpectedPath: "a path follows the host"
      case .nonemptyPath: "a slash follows the host"
      case .fragmentPresent: "a fragment begins with '#'"
      case .illegalCharacter: "a URL cannot have this character; percent-encode it"
      case .badPercentEscape: "'%' must be followed by two hexadecimal digits"
      case .badUTF8: "the decoded bytes are not UTF-8"
      case .nul: "a NUL is encoded"
      case .duplicateKey: "the parameter is given twice"
      case .missingValue: "the parameter has no value"
      case .emptyKey: "the parameter has no name"
      case .unescapedReserved:
        "the value has characters of a URL that are not escaped; it may have been cut at '&'"
      case .missingURL: "there is no parameter 'url'"
      case .invalidURL: "the value of 'url' is not an absolute http or https URL"
      case .appNameInQuery: "'app_name' is given, which the scheme already says"
      case .badTweetIdentifier: "the value of 'tweet_id' is not a number of 1 to 20 digits"
      case .tooLarge:
        "a link has at most \(LinkCheck.lengthLimit) bytes and \(LinkCheck.pairLimit) parameters"
      }
    }
  }

  public let code: Code
  /// In bytes from the start of the link.
  public let offset: Int

  public var severity: Severity { code.severity }

  public var description: String {
    "\(severity.rawValue) \(code.rawValue) at byte \(offset): \(code.meaning)"
  }
}

/// The outcome of a strict look at a link: all that is wrong with it, and the link where nothing is.
public struct LinkCheck: Hashable, Sendable {
  /// Which values the parameter `url` may have.
  public enum URLRule: Sendable {
    /// Absolute ones, of http and https.
    case web
    /// Absolute ones.
    case anyScheme
    /// All, none at all included.
    case anyText
  }

  public static let lengthLimit = 8192
  public static let pairLimit = 64

  /// In the order of their offsets.
  public let findings: [LinkFinding]
  /// `nil` if there is an error.
  public let link: AttributedLink?

  /// Whether there is no error.
  public var isValid: Bool { link != nil }

  public init(_ text: String, urls rule: URLRule = .web) { self.init(Array(text.utf8), urls: rule) }

  /// - Parameter bytes: the link as it was received: parsers of URLs mend errors silently.
  public init(_ bytes: [UInt8], urls rule: URLRule = .web) {
    var reader = LinkReader(bytes: bytes, rule: rule)
    reader.run()
    findings = reader.findings.sorted {
      ($0.offset, $0.code.rawValue) < ($1.offset, $1.code.rawValue)
    }
    let isSound = findings.allSatisfy { $0.severity == .warning }
    link = isSound ? AttributedLink(checked: reader.app, reader.parameters) : nil
  }
}

private struct LinkReader {
  private static let reserved: Set<String> = [
    "http", "https", "file", "ftp", "mailto", "tel", "sms", "geo", "data", "javascript", "about",
    "blob", "ws", "wss", "urn",
  ]

  let bytes: [UInt8]
  let rule: LinkCheck.URLRule
  private(set) var findings: [LinkFinding] = []
  private(set) var app = ""
  private(set) var parameters: [AttributedLink.Parameter] = []

  init(bytes: [UInt8], rule: LinkCheck.URLRule) {
    self.bytes = bytes
    self.rule = rule
  }

  private mutating func find(_ code: LinkFinding.Code, at offset: Int) {
    findings.append(LinkFinding(code: code, offset: offset))
  }

  mutating func run() {
    guard bytes.count <= LinkCheck.lengthLimit else {
      return find(.tooLarge, at: LinkCheck.lengthLimit)
    }
    checkCharacters()
    let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
    if end < bytes.count { find(.fragmentPresent, at: end) }
    let question = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) ?? end
    if let start = scheme(upTo: question) { hierarchy(start, question) }
    readPairs(bytes[min(question + 1, end)..<end])
  }

  /// RFC 3986, section 2: one finding for each run of bytes.
  private mutating func checkCharacters() {
    var isWithinRun = false
    for (offset, byte) in bytes.enumerated() {
      let isIllegal = byte <= 0x20 || byte >= 0x7f || "\"<>\\^`{|}".utf8.contains(byte)
      if isIllegal, !isWithinRun { find(.illegalCharacter, at: offset) }
      isWithinRun = isIllegal
    }
  }

  /// - Returns: where the part after the colon begins; `nil` if there is no scheme.
  private mutating func scheme(upTo end: Int) -> Int? {
    let isColon: (UInt8) -> Bool = { $0 == UInt8(ascii: ":") }
    guard let colon = bytes[..<end].firstIndex(where: isColon),
      !bytes[..<colon].contains(UInt8(ascii: "/"))
    else {
      find(.badScheme, at: 0)
      return nil
    }
    let scheme = bytes[..<colon]
    app = String(decoding: scheme, as: UTF8.self)
    if !AbsoluteURL.isScheme(scheme) {
      let start = scheme.prefix(1)
      let flaw =
        AbsoluteURL.isScheme(start)
        ? scheme.firstIndex { !AbsoluteURL.isScheme(start + [$0]) } : scheme.startIndex
      find(.badScheme, at: flaw ?? 0)
    } else if Self.reserved.contains(app.lowercased()) {
      find(.reservedScheme, at: 0)
    } else if !scheme.contains(UInt8(ascii: ".")) {
      find(.notReverseDNS, at: 0)
    }
    return colon + 1
  }

  /// What stands between the scheme's colon and the query.
  private mutating func hierarchy(_ start: Int, _ end: Int) {
    let part = bytes[start..<end]
    guard part.starts(with: "//".utf8) else { return find(.notHierarchical, at: start) }
    let authority = part.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
    var host = authority
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      find(.userinfoOrPort, at: authority.startIndex)
      host = authority[(at + 1)...]
    }
    if let colon = host.firstIndex(of: UInt8(ascii: ":")) {
      find(.userinfoOrPort, at: colon)
      host = host[..<colon]
    }
    let name = Array(AttributedLink.host.utf8)
    if !host.elementsEqual(name) {
      let isSame = host.lazy.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }.elementsEqual(name)
      find(isSame ? .hostCase : .wrongHost, at: host.startIndex)
    }
    let path = part[authority.endIndex...]
    if !path.isEmpty {
      find(path.count == 1 ? .nonemptyPath : .unexpectedPath, at: path.startIndex)
    }
  }

  private mutating func readPairs(_ query: ArraySlice<UInt8>) {
    var names = Set<[UInt8]>()
    var count = 0
    for pair in query.split(separator: UInt8(ascii: "&")) {
      count += 1
      guard count <= LinkCheck.pairLimit else { return find(.tooLarge, at: pair.startIndex) }
      let equals = pair.firstIndex(of: UInt8(ascii: "="))
      if equals == nil { find(.missingValue, at: pair.startIndex) }
      let rawValue = equals.map { pair[($0 + 1)...] } ?? []
      let name = decoded(pair[..<(equals ?? pair.endIndex)])
      let value = decoded(rawValue)
      guard let name else { continue }
      if name.isEmpty { find(.emptyKey, at: pair.startIndex) }
      if !names.insert(Array(name.utf8)).inserted { find(.duplicateKey, at: pair.startIndex) }
      if name == AttributedLink.Name.app { find(.appNameInQuery, at: pair.startIndex) }
      guard let value, equals != nil else { continue }
      check(value, of: name, rawValue)
      parameters.append(AttributedLink.Parameter(name: name, value: value))
    }
    if rule != .anyText, !names.contains(Array(AttributedLink.Name.url.utf8)) {
      find(.missingURL, at: bytes.count)
    }
  }

  private mutating func check(_ value: String, of name: String, _ raw: ArraySlice<UInt8>) {
    if let reserved = raw.firstIndex(where: { ":/?=".utf8.contains($0) }) {
      find(.unescapedReserved, at: reserved)
    }
    switch name {
    case AttributedLink.Name.url:
      if !isAllowed(value) { find(.invalidURL, at: raw.startIndex) }
    case AttributedLink.Name.tweetIdentifier:
      if !LinkForm.isTweetIdentifier(value) { find(.badTweetIdentifier, at: raw.startIndex) }
    default: break
    }
  }

  /// Only what stands before the path is held against the grammar, since the rest often breaks it.
  private func isAllowed(_ url: String) -> Bool {
    switch rule {
    case .anyText: return true
    case .anyScheme: return AbsoluteURL.hasScheme(url) && url.utf8.last != UInt8(ascii: ":")
    case .web:
      let bytes = Array(url.utf8)
      guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
        bytes[(colon + 1)...].starts(with: "//".utf8)
      else { return false }
      let end = bytes[(colon + 3)...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
      guard let parsed = try? AbsoluteURL(String(decoding: bytes[..<end], as: UTF8.self)) else {
        return false
      }
      return ["http", "https"].contains(parsed.scheme)
    }
  }

  /// Decodes a name or a value; `nil` after finding what keeps it from being decoded.
  private mutating func decoded(_ raw: ArraySlice<UInt8>) -> String? {
    var decoded: [UInt8] = []
    var offsets: [Int] = []
    var isSound = true
    var position = raw.startIndex
    while position < raw.endIndex {
      offsets.append(position)
      switch raw[position] {
      case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        if let byte = LinkForm.escape(at: position, in: raw) {
          if byte == 0 {
            find(.nul, at: position)
            isSound = false
          }
          decoded.append(byte)
          position += 2
        } else {
          find(.badPercentEscape, at: position)
          isSound = false
          decoded.append(UInt8(ascii: "%"))
        }
      case let byte: decoded.append(byte)
      }
      position += 1
    }
    if let flaw = Self.firstFlaw(decoded) {
      find(.badUTF8, at: offsets[flaw])
      isSound = false
    }
    return isSound ? String(decoding: decoded, as: UTF8.self) : nil
  }

  /// The position of the first byte that is not part of a character in UTF-8.
  private static func firstFlaw(_ bytes: [UInt8]) -> Int? {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var position = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded): position += encoded.count
      case .error: return position
      case .emptyInput: return nil
      }
    }
  }
}
