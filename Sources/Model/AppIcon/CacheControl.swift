/// What a response's `Cache-Control` asks of a private cache, by RFC 9111, section 5.2.2.
///
/// `s-maxage`, `public` and `private` are for others. Where directives repeat or contradict each
/// other, the stricter counts.
public struct CacheControl: Hashable, Sendable {
  /// In seconds, 2³¹ at the most; 0 where the number cannot be read.
  public private(set) var maximumAge: Int64?
  public private(set) var forbidsStoring = false
  /// `no-cache`, with or without field names.
  public private(set) var requiresValidation = false
  /// `must-revalidate`: a stale response does not do, even where there is no other.
  public private(set) var forbidsStale = false

  private static let largestAge: Int64 = 1 << 31

  public init(_ fields: HTTPHeaderFields) {
    for value in fields.values("cache-control") { read(Array(value.utf8)[...]) }
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      let name = rest.prefix { HTTPHeaderFields.isToken($0) }
      rest = rest[name.endIndex...]
      var argument: ArraySlice<UInt8>?
      if rest.first == UInt8(ascii: "=") {
        rest.removeFirst()
        argument = Self.argument(&rest)
      }
      apply(String(decoding: name, as: UTF8.self).lowercased(), argument)
      // What stands between here and the comma belongs to no directive that can be understood.
      rest = rest.drop { $0 != UInt8(ascii: ",") }.dropFirst()
      rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
  }

  /// A token or a quoted string, by RFC 9110, section 5.6.4.
  private static func argument(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard rest.first == UInt8(ascii: "\"") else {
      let token = rest.prefix { HTTPHeaderFields.isToken($0) }
      rest = rest[token.endIndex...]
      return token
    }
    rest.removeFirst()
    var text: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
        text.append(escaped)
      } else {
        text.append(byte)
      }
    }
    return text[...]
  }

  private mutating func apply(_ directive: String, _ argument: ArraySlice<UInt8>?) {
    switch directive {
    case "max-age":
      let age = argument.flatMap(Self.seconds) ?? 0
      maximumAge = min(maximumAge ?? age, age)
    case "no-store": forbidsStoring = true
    case "no-cache": requiresValidation = true
    case "must-revalidate": forbidsStale = true
    default: break
    }
  }

  /// Delta-seconds, by RFC 9111, section 1.2.2; a number too large is 2³¹.
  static func seconds(_ text: some Collection<UInt8>) -> Int64? {
    guard !text.isEmpty else { return nil }
    var number: Int64 = 0
    for digit in text {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      number = min(largestAge, number * 10 + Int64(digit - UInt8(ascii: "0")))
    }
    return number
  }
}
