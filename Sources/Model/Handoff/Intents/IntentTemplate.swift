internal import TextFormats

/// A template of a URL, or of an argument, with places for values: `{{key}}` for one that is
/// percent-encoded, `{{@key}}` for one of which `@` stays, as RFC 6068 has mail addresses,
/// `{{{key}}}` for one that stands as it is. The second is not IntentKit's.
///
/// Values are put in from left to right in one pass and never looked at again. IntentKit itself goes
/// through the text once for each key, so that a value with braces could become a place.
package struct IntentTemplate: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case text(String)
    case encoded(String)
    case address(String)
    case raw(String)
  }

  let parts: [Part]
  package let text: String

  package init(_ text: String) {
    self.text = text
    var parts: [Part] = []
    var plain: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.first {
      if byte == UInt8(ascii: "{"), let (part, end) = Self.place(in: rest) {
        if !plain.isEmpty { parts.append(.text(String(decoding: plain, as: UTF8.self))) }
        plain = []
        parts.append(part)
        rest = rest[end...]
      } else {
        plain.append(byte)
        rest.removeFirst()
      }
    }
    if !plain.isEmpty { parts.append(.text(String(decoding: plain, as: UTF8.self))) }
    self.parts = parts
  }

  /// The place that begins a text, and where it ends; `nil` if there is none.
  private static func place(in bytes: ArraySlice<UInt8>) -> (Part, Int)? {
    for braces in [3, 2] {
      let isAddress = braces == 2 && bytes.dropFirst(braces).first == UInt8(ascii: "@")
      let name = bytes.dropFirst(braces + (isAddress ? 1 : 0)).prefix(while: isNameByte)
      let end = name.endIndex + braces
      guard !name.isEmpty, bytes.prefix(braces).allSatisfy({ $0 == UInt8(ascii: "{") }),
        end <= bytes.endIndex,
        bytes[name.endIndex..<end].allSatisfy({ $0 == UInt8(ascii: "}") })
      else { continue }
      let key = String(decoding: name, as: UTF8.self)
      return (braces == 3 ? .raw(key) : isAddress ? .address(key) : .encoded(key), end)
    }
    return nil
  }

  static func isNameByte(_ byte: UInt8) -> Bool {
    (0x61...0x7a).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
  }

  /// The keys of the places, in their order.
  package var keys: [String] {
    parts.compactMap { part in
      switch part {
      case .text: nil
      case .encoded(let key), .address(let key), .raw(let key): key
      }
    }
  }

  /// The keys of the places for values as they are.
  var rawKeys: [String] {
    parts.compactMap { if case .raw(let key) = $0 { key } else { nil } }
  }

  /// Puts the values in, without asking what comes of it.
  ///
  /// - Throws: `IntentFailure` where one is missing.
  func filled(_ values: [String: String]) throws(IntentFailure) -> String {
    var filled = ""
    for part in parts {
      switch part {
      case .text(let text): filled += text
      case .encoded(let key): filled += Self.encoded(try Self.value(key, values))
      case .address(let key): filled += Self.encoded(try Self.value(key, values), keeping: "@")
      case .raw(let key): filled += try Self.value(key, values)
      }
    }
    return filled
  }

  private static func value(
    _ key: String, _ values: [String: String]
  ) throws(IntentFailure) -> String {
    guard let value = values[key] else { throw .missingArgument(key) }
    return value
  }

  /// A value as IntentKit's CFURLCreateStringByAddingPercentEscapes leaves it: letters, digits and
  /// `-_.~,` stand as they are.
  static func encoded(_ value: String, keeping others: String = "") -> String {
    String(decoding: PercentEncoding.encoded(value.utf8, keeping: "," + others), as: UTF8.self)
  }

  /// The scheme of the URL with what follows it, as IntentKit asks whether it can be opened:
  /// `mailto:` or `googlemail://`; `nil` if the template does not begin with one.
  package var probe: String? {
    scheme.map { scheme in
      let rest = text.utf8.dropFirst(scheme.utf8.count + 1)
      return scheme + (rest.starts(with: "//".utf8) ? "://" : ":")
    }
  }

  /// The most letters of a scheme: to the desktop it is a media type, `x-scheme-handler/SCHEME`, of
  /// which the second part has no more (RFC 6838, section 4.2).
  package static let schemeLimit = 127

  /// The scheme of the URL, as it is written; `nil` for one that is too long, too.
  package var scheme: String? {
    writtenScheme.flatMap { $0.utf8.count <= Self.schemeLimit ? $0 : nil }
  }

  /// Whether the template begins with a scheme that is too long.
  var hasLongScheme: Bool { scheme == nil && writtenScheme != nil }

  private var writtenScheme: String? {
    guard case .text(let lead)? = parts.first,
      let colon = lead.utf8.firstIndex(of: UInt8(ascii: ":")),
      AbsoluteURL.isScheme(lead.utf8[..<colon])
    else { return nil }
    return String(lead[..<colon])
  }

  /// The URL with the values in it.
  ///
  /// - Throws: `IntentFailure` where a value is missing, or one that stands as it is makes it
  ///   something else than a URL of that scheme.
  func url(_ values: [String: String]) throws(IntentFailure) -> String {
    guard let scheme else { throw hasLongScheme ? .longScheme : .noScheme }
    guard !Self.refusedSchemes.contains(scheme.lowercased()) else { throw .refusedScheme(scheme) }
    let url = try filled(values)
    if !rawKeys.isEmpty { try check(url) }
    return url
  }

  /// Schemes whose URLs are programs, or files of this computer.
  static let refusedSchemes: Set<String> = [
    "about", "blob", "data", "file", "javascript", "vbscript", "view-source",
  ]

  /// Checks what values that stand as they are have made of the URL.
  func check(_ url: String) throws(IntentFailure) {
    if probe?.hasSuffix("//") == true {
      do throws(AbsoluteURL.Flaw) {
        _ = try AbsoluteURL(url)
      } catch {
        throw .noURL(error.reason)
      }
      return
    }
    for byte in url.utf8 where byte <= 0x20 || byte >= 0x7f || "\"<>\\^`{|}".utf8.contains(byte) {
      throw .noURL("the URL contains a character that has to be percent-encoded")
    }
  }
}

/// Why an intent cannot be performed.
package enum IntentFailure: Error, Hashable, Sendable, CustomStringConvertible {
  case missingArgument(String)
  case unknownArgument(String)
  case badArgument(String, String)
  case noScheme
  case longScheme
  case refusedScheme(String)
  case noURL(String)
  case option(String)

  package var description: String {
    switch self {
    case .missingArgument(let key): "the argument '\(key)' is missing"
    case .unknownArgument(let key): "the command has no argument '\(key)'"
    case .badArgument(let key, let reason): "\(key): \(reason)"
    case .noScheme: "the template does not begin with a scheme"
    case .longScheme:
      "the scheme of the template has more than \(IntentTemplate.schemeLimit) letters"
    case .refusedScheme(let scheme): "\(scheme): URLs are never opened"
    case .noURL(let reason): reason
    case .option(let word): "the value '\(word)' would be taken for an option"
    }
  }
}

extension IntentTemplate {
  /// The URL of a page of the web.
  ///
  /// - Throws: `IntentFailure` for any other URL, too.
  package func filledForWeb(_ values: [String: String]) throws(IntentFailure) -> String {
    try checkWeb()
    return try url(values)
  }

  func checkWeb() throws(IntentFailure) {
    guard let scheme = scheme?.lowercased(), ["http", "https"].contains(scheme) else {
      throw .noURL("it is not a web page")
    }
  }
}
