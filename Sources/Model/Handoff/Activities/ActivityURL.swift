internal import TextFormats

/// The URLs by which messages, telephone calls, maps and services on the web are reached. Nothing
/// that a value holds gets out of its place in the URL.
package enum ActivityURL {
  /// Why no URL can be made.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
  }

  /// A text with the bytes percent-encoded that are not allowed; of line ends, whatever they are,
  /// CR LF.
  static func encoded(_ text: String, allowing others: String = "") -> String {
    var bytes: [UInt8] = []
    var wasReturn = false
    for byte in text.utf8 {
      if byte == 0x0d || byte == 0x0a {
        if byte == 0x0d || !wasReturn { bytes += [0x0d, 0x0a] }
      } else {
        bytes.append(byte)
      }
      wasReturn = byte == 0x0d
    }
    return String(decoding: PercentEncoding.encoded(bytes, keeping: others), as: UTF8.self)
  }

  // MARK: Mail

  /// Of what RFC 6068 allows in values besides the unreserved characters. Not `+`, which some programs
  /// take for a space, and not what means something to a shell: xdg-email is a script.
  /// Nor `,`, at which Thunderbird splits what xdg-email hands to it.
  private static let mailCharacters = ":@"

  /// A mail that is to be written.
  package struct Mail: Hashable, Sendable {
    package var to: [String] = []
    package var cc: [String] = []
    package var bcc: [String] = []
    /// In one line.
    package var subject: String? { didSet { subject = subject.map(MailAddress.oneLine) } }
    package var body: String?

    package init() {}

    /// - Throws: `Failure` for what is no address.
    package func check() throws(Failure) {
      for address in to + cc + bcc { try ActivityURL.checkAddress(address) }
    }

    /// The mail as RFC 6068 has it, `mailto:`.
    package func url() throws(Failure) -> String {
      try check()
      func list(_ addresses: [String]) -> String {
        addresses.map { encoded($0, allowing: "@") }.joined(separator: ",")
      }
      let fields: [(String, String?)] = [
        ("cc", cc.isEmpty ? nil : list(cc)), ("bcc", bcc.isEmpty ? nil : list(bcc)),
        ("subject", subject.map { encoded($0, allowing: mailCharacters) }),
        ("body", body.map { encoded($0, allowing: mailCharacters) }),
      ]
      let query = fields.compactMap { name, value in value.map { "\(name)=\($0)" } }
      return "mailto:" + list(to) + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }
  }

  /// An address is one argument of a program, and one of several in a list.
  private static func checkAddress(_ address: String) throws(Failure) {
    guard MailAddress.isValid(address) else {
      throw Failure("'\(EscapedText(address))' is not a mail address")
    }
  }

  // MARK: Telephone

  /// The digits of a telephone number without what only separates them (RFC 3966).
  private static func number(_ text: String) throws(Failure) -> String {
    if let digits = TelephoneNumber.digits(of: text) { return digits }
    if let plain = PercentEncoding.decoded(Array(text.utf8)[...]), plain.contains(where: isCode) {
      throw code(text)
    }
    // Messages of the original took these, too.
    let hint = text.utf8.contains(UInt8(ascii: "@")) ? "; for a mail address, choose mail" : ""
    throw Failure("'\(EscapedText(text))' is not a telephone number\(hint)")
  }

  /// A text message as RFC 5724 has it.
  package static func sms(_ numbers: [String], body: String?) throws(Failure) -> String {
    var all: [String] = []
    for text in numbers { all.append(try number(text)) }
    let query = body.map { "?body=" + encoded($0) } ?? ""
    return "sms:" + all.joined(separator: ",") + query
  }

  /// What codes that change settings of a telephone, or show its data, have and numbers have not.
  private static func isCode(_ character: Character) -> Bool { "*#".contains(character) }

  private static func code(_ text: String) -> Failure {
    Failure("'\(EscapedText(text))' is a code for the telephone, which is never dialled")
  }

  /// What a URL that is built anew is for.
  enum Purpose {
    case mail, message, call, place
    /// A place or a way, as Apple's maps take it.
    case map

    /// - Returns: `nil` for a URL of another scheme.
    init?(scheme: String) {
      switch scheme {
      case "mailto": self = .mail
      case "sms", "smsto": self = .message
      // The last three also call addresses.
      case "tel", "callto", "facetime", "facetime-audio": self = .call
      case "geo": self = .place
      case "maps": self = .map
      default: return nil
      }
    }
  }

  /// What stands before the colon, in small letters; by bytes, since a colon and a mark after it are
  /// one character, which is no colon.
  static func scheme(of url: String) -> String {
    let lead = url.utf8.prefix(32).prefix { $0 != UInt8(ascii: ":") }
    return String(decoding: lead, as: UTF8.self).lowercased()
  }

  /// Whom a URL sends a message to and whom it calls, in words for people; nobody for a URL of
  /// another kind, or of which none can be made.
  package static func reached(by url: String) -> (messages: [String], calls: [String]) {
    let scheme = scheme(of: url)
    switch Purpose(scheme: scheme) {
    case .message: return ((try? message(in: url))?.numbers ?? [], [])
    case .call:
      guard let rebuilt = try? rebuilt(url).url else { return ([], []) }
      return ([], [String(rebuilt.dropFirst(scheme.utf8.count + 1))])
    case .mail, .place, .map, nil: return ([], [])
    }
  }

  /// The recipients and the text of an `sms:` URL.
  package static func message(
    in url: String
  ) throws(Failure) -> (numbers: [String], body: String?) {
    let (numbers, body, _) = try messageParts(of: url)
    return (numbers, body)
  }

  /// Numbers stand after each other with `,`, as RFC 5724 has it, or `;`, as Android has it, or for
  /// Apple's Messages in `addresses` of `sms:/open`.
  private static func messageParts(
    of url: String
  ) throws(Failure) -> (numbers: [String], body: String?, leftOut: [String]) {
    var (path, query) = try parts(of: url, scheme(of: url), splitting: ",;")
    if path == ["open"], let place = query.firstIndex(where: { $0.name == "addresses" }) {
      path = query.remove(at: place).value.split(separator: ",").map(String.init)
    }
    var numbers: [String] = []
    var leftOut: [String] = []
    for text in path {
      if !text.contains("=") {
        numbers.append(try number(text))
      } else if text.contains(where: isCode) {
        throw code(url)
      } else {
        leftOut.append(text)
      }
    }
    let body = query.firstIndex { $0.name == "body" }.map { query.remove(at: $0).value }
    return (numbers, body, leftOut + query.map(word))
  }

  /// A call as RFC 3966 has it, of a number or a `tel:` URL, with pauses and digits after them.
  package static func tel(_ text: String) throws(Failure) -> String {
    if let dialled = TelephoneNumber.dialled(in: text) { return "tel:" + dialled }
    return "tel:" + (try number(text))
  }

  // MARK: Maps

  /// A place as RFC 5870 has it, of two or three numbers, a `geo:` or `maps:` URL, or words to search
  /// for, as Android has it.
  package static func geo(_ text: String) throws(Failure) -> String {
    let scheme = scheme(of: text)
    if scheme == "geo", text.utf8.contains(UInt8(ascii: ":")) { return try ownGeo(text) }
    if scheme == "maps", text.utf8.contains(UInt8(ascii: ":")) { return try geo(ofMaps: text) }
    if let place = try coordinates(text) { return "geo:" + place }
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !words.isEmpty else { throw Failure("the place is empty") }
    return "geo:0,0?q=" + encoded(words)
  }

  /// Two or three numbers with commas between them; `nil` for words.
  private static func coordinates(_ text: String) throws(Failure) -> String? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.filter { $0 != " " } }
    guard 2...3 ~= numbers.count, numbers.allSatisfy(isNumber) else { return nil }
    let values = numbers.compactMap { Double($0) }
    guard values.count == numbers.count, abs(values[0]) <= 90, abs(values[1]) <= 180 else {
      throw Failure("'\(EscapedText(text))' is not a place on earth")
    }
    return numbers.joined(separator: ",")
  }

  private static func isNumber(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    return 1...2 ~= parts.count
      && parts.allSatisfy { 1...20 ~= $0.utf8.count && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
  }

  private static func ownGeo(_ url: String) throws(Failure) -> String {
    let (words, query) = try parts(of: url, "geo", splitting: ";")
    guard let first = words.first, let place = try coordinates(first) else {
      throw Failure("'\(EscapedText(url))' is not a place")
    }
    var result = "geo:" + place
    for word in words.dropFirst() {
      // Names and values are the same in any case.
      let parameter = word.lowercased()
      let isKnown =
        parameter == "crs=wgs84"
        || parameter.hasPrefix("u=") && isNumber(String(parameter.dropFirst(2)))
          && !parameter.hasPrefix("u=-")
      guard isKnown else {
        throw Failure("'\(EscapedText(word))' is not a parameter of geo: URLs")
      }
      result += ";" + parameter
    }
    return try result + search(query)
  }

  private static func search(
    _ query: [(name: String, value: String)]
  ) throws(Failure) -> String {
    let known = query.filter { ["q", "z"].contains($0.name) }
      .map { "\($0.name)=" + encoded($0.value) }
    return known.isEmpty ? "" : "?" + known.joined(separator: "&")
  }

  /// Apple's `maps:` has what is searched for in `q`, a place in `ll`, and the zoom in `z`.
  private static func geo(ofMaps url: String) throws(Failure) -> String {
    let query = try parts(of: url, "maps", splitting: ",").query
    let place = try query.first { $0.name == "ll" }.flatMap { (field) throws(Failure) in
      try coordinates(field.value)
    }
    let words = query.filter { ["q", "address"].contains($0.name) }.map { ("q", $0.value) }
    guard place != nil || !words.isEmpty else {
      throw Failure("'\(EscapedText(url))' has neither q nor ll")
    }
    let zoom = query.first { $0.name == "z" && isNumber($0.value) }
    return try "geo:" + (place ?? "0,0")
      + search(words.prefix(1) + (zoom.map { [($0.name, $0.value)] } ?? []))
  }

  /// What a `maps:` or `geo:` URL asks for and `geo(_:)` has no place for, as `NAME=VALUE`, in the
  /// order of the URL.
  package static func leftOut(ofPlace text: String) -> [String] {
    let scheme = scheme(of: text)
    guard ["geo", "maps"].contains(scheme),
      let query = try? parts(of: text, scheme, splitting: ";").query
    else {
      return []
    }
    var known = ["q", "z"]
    if scheme == "maps" {
      known.append("ll")
      // The words are the first of both.
      if let first = query.first(where: { ["q", "address"].contains($0.name) }) {
        known = known.filter { $0 != "q" } + [first.name]
      }
    }
    return query.compactMap { field in
      if known.contains(field.name) {
        // Of several with one name, a maps: URL's first counts.
        if scheme == "maps" { known.removeAll { $0 == field.name } }
        return nil
      }
      return "\(field.name)=\(field.value)"
    }
  }

  // MARK: Parts

  /// A URL of mail, messages, calls or places, built anew of what it says: programs take more fields
  /// than whoever wrote the URL ought to set, such as files to attach and hidden copies. Others stay as
  /// they are.
  ///
  /// These URLs have no host: slashes after the scheme, which some apps of iOS write, go.
  ///
  /// - Returns: the URL, and the fields that were left out, as `NAME=VALUE` or the name alone.
  /// - Throws: `Failure` for a mail address, number or place that is none, and for codes of telephones.
  /// - Complexity: linear in the length.
  package static func rebuilt(_ url: String) throws(Failure) -> (url: String, leftOut: [String]) {
    let scheme = scheme(of: url)
    guard url.utf8.contains(UInt8(ascii: ":")) else { return (url, []) }
    switch Purpose(scheme: scheme) {
    case .mail: return try rebuiltMail(url)
    case .call: return try rebuiltCall(url, scheme)
    case .message: return try rebuiltMessage(url, scheme)
    case .place: return (try ownGeo(url), leftOut(ofPlace: url))
    case .map: return try rebuiltMap(url)
    case nil: return (url, [])
    }
  }

  /// A URL for the program that opens it, built anew as `rebuilt` has it.
  ///
  /// - Throws: `Failure` as `rebuilt`, and for one with blanks, control characters, or a user or host
  ///   that begins with a hyphen.
  package static func opened(_ url: String) throws(Failure) -> (url: String, leftOut: [String]) {
    let rebuilt = try rebuilt(url)
    if let flaw = AbsoluteURL.openingFlaw(rebuilt.url) { throw Failure(flaw.reason) }
    return rebuilt
  }

  private static func rebuiltMail(_ url: String) throws(Failure) -> (String, [String]) {
    let (path, query) = try parts(of: url, "mailto", splitting: ",")
    var mail = Mail()
    var leftOut: [String] = []
    // Mail programs have names of their own for addresses, and a URL's may be anything.
    func addresses(_ list: [(address: String, name: String?)]) -> [String] {
      leftOut += list.compactMap(\.name)
      return list.map(\.address)
    }
    mail.to = addresses(path.map { MailAddress.named($0) })
    for field in query {
      switch field.name {
      case "to": mail.to += addresses(MailAddress.list(field.value))
      case "cc": mail.cc += addresses(MailAddress.list(field.value))
      case "subject" where mail.subject == nil: mail.subject = field.value
      case "body" where mail.body == nil: mail.body = field.value
      default: leftOut.append(word(field))
      }
    }
    return (try mail.url(), leftOut)
  }

  private static func word(_ field: (name: String, value: String)) -> String {
    field.value.isEmpty ? field.name : "\(field.name)=\(field.value)"
  }

  /// Of the parameters, only an extension has a meaning of its own (RFC 3966).
  private static func rebuiltCall(
    _ url: String, _ scheme: String
  ) throws(Failure) -> (String, [String]) {
    let (words, query) = try parts(of: url, scheme, splitting: ";")
    let callee = words.first ?? url
    var rebuilt = scheme + ":"
    if scheme != "tel", MailAddress.isValid(callee), !callee.contains(where: isCode) {
      rebuilt += encoded(callee, allowing: "@")
    } else {
      rebuilt += try tel(callee).dropFirst("tel:".count)
    }
    var leftOut: [String] = []
    for parameter in words.dropFirst() {
      let digits = parameter.lowercased().hasPrefix("ext=") ? parameter.dropFirst(4) : ""
      if 1...24 ~= digits.utf8.count, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
        !rebuilt.utf8.contains(UInt8(ascii: ";"))
      {
        rebuilt += ";ext=\(digits)"
      } else if parameter.contains(where: isCode) {
        throw code(url)
      } else {
        leftOut.append(parameter)
      }
    }
    return (rebuilt, leftOut + query.map(word))
  }

  private static func rebuiltMessage(
    _ url: String, _ scheme: String
  ) throws(Failure) -> (String, [String]) {
    let (numbers, body, leftOut) = try messageParts(of: url)
    return (scheme + (try sms(numbers, body: body)).dropFirst("sms".count), leftOut)
  }

  /// What Apple's Map Links have.
  private static let mapFields: Set<String> = [
    "q", "ll", "z", "t", "address", "near", "sll", "spn", "sspn", "saddr", "daddr", "dirflg",
  ]

  private static func rebuiltMap(_ url: String) throws(Failure) -> (String, [String]) {
    let (path, query) = try parts(of: url, "maps", splitting: ",")
    let known = query.filter { mapFields.contains($0.name) }
    // The host of a page of the web, which the application knows.
    let others = path.filter { $0 != "maps.apple.com/" && $0 != "maps.apple.com" }
    return (
      "maps:" + (known.isEmpty ? "" : "?")
        + known.map { "\($0.name)=" + encoded($0.value, allowing: ",") }.joined(separator: "&"),
      others + query.filter { !mapFields.contains($0.name) }.map(word)
    )
  }

  /// The words of the path and the query of a URL of a scheme, percent-encoding undone in each. In
  /// `sms:`, apps of iOS also begin the query with `&`. In the values of places `+` is a space, as
  /// Android's geo: and Apple's Map Links have it; in the others it is a plus (RFC 6068).
  private static func parts(
    of url: String, _ scheme: String, splitting separators: String
  ) throws(Failure) -> (path: [String], query: [(name: String, value: String)]) {
    var rest = Array(url.utf8)[...]
    let lead = rest.prefix(scheme.utf8.count + 1)
    guard String(decoding: lead, as: UTF8.self).lowercased() == scheme + ":" else {
      throw Failure("'\(EscapedText(url))' is not a URL of \(scheme):")
    }
    rest = rest.dropFirst(lead.count).drop { $0 == UInt8(ascii: "/") }
    func plain(_ bytes: ArraySlice<UInt8>) throws(Failure) -> String {
      guard let text = PercentEncoding.decoded(bytes) else {
        throw Failure("'\(EscapedText(url))' is not UTF-8")
      }
      return text
    }
    let ends = Purpose(scheme: scheme) == .message ? "?&" : "?"
    let path = rest.prefix { !ends.utf8.contains($0) }
    var query: [(name: String, value: String)] = []
    for field in rest.dropFirst(path.count + 1).split(separator: UInt8(ascii: "&")) {
      let name = field.prefix { $0 != UInt8(ascii: "=") }
      var value = field.dropFirst(name.count + 1)
      if ["geo", "maps"].contains(scheme) {
        value = ArraySlice(value.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
      }
      query.append((try plain(name).lowercased(), try plain(value)))
    }
    var words: [String] = []
    for word in path.split(whereSeparator: separators.utf8.contains) {
      words.append(try plain(word))
    }
    return (words, query)
  }

  // MARK: Services

  /// A service on the web with a page for posts.
  package enum Service { case twitter, facebook, weibo }

  /// The page of a service on which the user posts a text and a URL.
  ///
  /// - Throws: `Failure` if the service takes less.
  package static func post(
    to service: Service, text: String?, url: String?
  ) throws(Failure) -> String {
    let fields: [(String, String?)]
    let page: String
    switch service {
    case .twitter:
      (page, fields) = ("https://x.com/intent/tweet", [("text", text), ("url", url)])
    case .facebook:
      guard url != nil else { throw Failure("Facebook's page takes the URL of a web page") }
      (page, fields) = ("https://www.facebook.com/sharer/sharer.php", [("u", url)])
    case .weibo:
      (page, fields) = (
        "https://service.weibo.com/share/share.php", [("url", url), ("title", text)]
      )
    }
    let query = fields.compactMap { name, value in value.map { "\(name)=" + encoded($0) } }
    guard !query.isEmpty else { throw Failure("there is neither a text nor a URL to post") }
    return page + "?" + query.joined(separator: "&")
  }
}
