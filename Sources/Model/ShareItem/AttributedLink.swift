internal import TextFormats

/// A link that says which app shared it: `com.example.reader://extensionsave?tweet_id=1&url=…`.
///
/// This is the URL that Pocket's helper for host apps made, and nothing receives it as Pocket any
/// more: it is a format. The scheme is the identifier of the app, so that the link can come back to it.
public struct AttributedLink: Hashable, Sendable {
  /// A name with its value; two are the same when their UTF-8 is.
  public struct Parameter: Hashable, Sendable {
    public let name: String
    public let value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }

    public static func == (one: Self, other: Self) -> Bool {
      one.name.utf8.elementsEqual(other.name.utf8) && one.value.utf8.elementsEqual(other.value.utf8)
    }

    public func hash(into hasher: inout Hasher) {
      for text in [name, value] { hasher.combine(Array(text.utf8)) }
    }
  }

  /// The names of parameters that have a meaning.
  public enum Name {
    public static let url = "url"
    /// The number of the post that the link was found in.
    public static let tweetIdentifier = "tweet_id"
    /// What the app wants to be known of where it found the link.
    public static let attribution = "attribution_detail"
    /// Where parsed parameters have the app; never in a link.
    public static let app = "app_name"
  }

  /// The activity that understands such links.
  public static let activityType = "com.ideashower.ReadItLaterPro.AddToPocketExtension"
  /// The app that the activity belongs to.
  public static let receiver = "com.ideashower.ReadItLaterPro"
  static let host = "extensionsave"

  /// Why an identifier cannot be the scheme of a link, in words that follow it; `nil` if it can.
  public static func schemeFlaw(_ app: String) -> String? {
    guard let first = app.utf8.first else { return "it is empty" }
    if AbsoluteURL.isScheme(app.utf8) { return nil }
    guard AbsoluteURL.isScheme(CollectionOfOne(first)) else {
      return "a scheme begins with a letter from A to Z"
    }
    let flaw = app.unicodeScalars.first { scalar in
      !scalar.isASCII || !AbsoluteURL.isScheme("a\(scalar)".utf8)
    }
    let shown = flaw.map { "\(EscapedText(quoting: String($0)))" } ?? ""
    return
      "it contains \(shown), and a scheme has only letters from A to Z, digits, '+', '-' and '.'"
  }

  /// Whether an activity understands such links; the identifiers must be the same, letter for letter.
  public static func canUse(_ activity: String) -> Bool { activity == activityType }

  /// The identifier of the app that shared the link, as it is written.
  public let app: String
  /// In the order of the names' bytes; each name once.
  public let parameters: [Parameter]

  /// Why there is no such link.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    static let scheme = Failure(
      description: "the identifier of the app must be letters, digits, '.', '-' and '+', and begin"
        + " with a letter, since it becomes the scheme of a URL")
    static let noApp = Failure(
      description: "no mark names the app by an identifier that can be the scheme of a URL")
    static let noURL = Failure(description: "the link has no URL")
    static let nul = Failure(description: "a value contains a NUL character")
    static let appName = Failure(
      description: "'\(Name.app)' cannot be a parameter: the scheme of the link says it")
  }

  /// Makes a link.
  ///
  /// - Parameters:
  ///   - url: what is shared; it overrides a parameter `url`.
  ///   - parameters: of the same names the last one counts.
  /// - Throws: `Failure`: no URL at all, an app that cannot be a scheme, a NUL, or a parameter that
  ///   would say another app.
  public init(
    app: String, url: String? = nil, parameters: [Parameter] = []
  ) throws(Failure) {
    guard AbsoluteURL.isScheme(app.utf8) else { throw .scheme }
    let all = parameters + (url.map { [Parameter(name: Name.url, value: $0)] } ?? [])
    for parameter in all {
      guard !parameter.name.utf8.contains(0), !parameter.value.utf8.contains(0) else { throw .nul }
      guard parameter.name != Name.app else { throw .appName }
    }
    guard all.contains(where: { $0.name == Name.url }) else { throw .noURL }
    self.init(checked: app, all)
  }

  /// - Parameter parameters: of the same names the last one counts.
  init(checked app: String, _ parameters: [Parameter]) {
    self.app = app
    var known = Set<[UInt8]>()
    self.parameters = parameters.reversed()
      .filter { known.insert(Array($0.name.utf8)).inserted }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The value of a parameter.
  public subscript(name: String) -> String? {
    parameters.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// What is shared.
  public var url: String? { self[Name.url] }

  /// The address of the post that the link was found in, where its number is one.
  public var tweetURL: String? {
    guard let number = self[Name.tweetIdentifier], LinkForm.isTweetIdentifier(number) else {
      return nil
    }
    return "https://twitter.com/i/web/status/" + number
  }

  /// The parameters with the app, as the original reads them.
  public var parametersWithApp: [Parameter] {
    (parameters.filter { $0.name != Name.app } + [Parameter(name: Name.app, value: app)])
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The link in its canonical form: names in the order of their bytes, and no more escaping than is
  /// needed, in upper case.
  public var text: String {
    let form = parameters.filter { $0.name != Name.app }
      .map { LinkForm.encoded($0.name) + "=" + LinkForm.encoded($0.value) }
    return "\(app)://\(Self.host)?" + form.joined(separator: "&")
  }

  /// Reads a link as the original does: whatever has `url=` in it and no scheme of the web or of
  /// files. A pair that cannot be decoded is dropped, and of several with one name the last counts.
  ///
  /// - Returns: `nil` for what is not recognised.
  public init?(lenient text: String) {
    let bytes = Array(text.utf8)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      AbsoluteURL.isScheme(bytes[..<colon])
    else { return nil }
    let scheme = String(decoding: bytes[..<colon], as: UTF8.self)
    guard !["http", "https", "file", "ftp"].contains(scheme), LinkForm.mentionsURL(bytes) else {
      return nil
    }
    let whole = bytes.prefix { $0 != UInt8(ascii: "#") }
    let query = whole.firstIndex(of: UInt8(ascii: "?")).map { whole[($0 + 1)...] } ?? []
    var parameters: [Parameter] = []
    for pair in query.split(separator: UInt8(ascii: "&")) {
      let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      guard let name = LinkForm.decoded(pair[..<equals]),
        let value = LinkForm.decoded(pair[equals...].dropFirst())
      else { continue }
      parameters.append(Parameter(name: name, value: value))
    }
    self.init(checked: scheme, parameters.filter { $0.name != Name.app })
  }
}

/// The escaping of names and values.
public enum LinkForm {
  /// A text as it stands in a link: what RFC 3986 leaves free stays, a space becomes `+`, each other
  /// byte of the UTF-8 `%XX`.
  public static func encoded(_ text: String) -> String {
    let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    let encoded = words.map { PercentEncoding.encoded($0) }.joined(separator: "+".utf8)
    return String(decoding: Array(encoded), as: UTF8.self)
  }

  /// The text that stands in a link; `nil` if an escape is malformed or the bytes are no UTF-8.
  public static func decoded(_ text: String) -> String? { decoded(Array(text.utf8)[...]) }

  static func decoded(_ raw: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(raw.count)
    var position = raw.startIndex
    while position < raw.endIndex {
      switch raw[position] {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let byte = escape(at: position, in: raw) else { return nil }
        bytes.append(byte)
        position += 2
      case let byte: bytes.append(byte)
      }
      position += 1
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The byte that an escape stands for, which begins with a percent sign.
  static func escape(at position: Int, in raw: ArraySlice<UInt8>) -> UInt8? {
    guard position + 2 < raw.endIndex, let high = digit(raw[position + 1]),
      let low = digit(raw[position + 2])
    else { return nil }
    return high << 4 | low
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  static func isTweetIdentifier(_ text: String) -> Bool {
    (1...20).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Whether `url=` stands anywhere.
  static func mentionsURL(_ bytes: [UInt8]) -> Bool {
    let word = Array("url=".utf8)
    return bytes.indices.contains { start in
      bytes[start] == word[0] && bytes[start...].starts(with: word)
    }
  }
}
