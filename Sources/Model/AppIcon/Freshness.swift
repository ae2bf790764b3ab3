internal import TextFormats

/// How long a response may be used, by RFC 9111 for a private cache. Times are in seconds since
/// 1970-01-01T00:00:00Z, of this machine's clock.
package struct Freshness: Hashable, Sendable {
  /// Whether the response may be kept at all.
  package var isStorable: Bool
  /// Until when it is used without asking the server.
  package var freshUntil: Int64
  /// Until when it may serve where the server cannot be asked (RFC 5861, section 4); never before
  /// `freshUntil`.
  package var usableUntil: Int64

  /// Where the server does not say: a tenth of the content's age, but no more than this.
  static let longestHeuristic: Int64 = 7 * 86400
  static let staleIfError: Int64 = 30 * 86400

  /// Works out the freshness of a response.
  ///
  /// - Parameters:
  ///   - requested: when the request was sent.
  ///   - received: when its answer came.
  ///   - unsaid: the lifetime in seconds where the server gives neither one nor `Last-Modified`.
  package init(
    of fields: HTTPHeaderFields, requested: Int64, received: Int64, unsaid: Int64 = 0
  ) {
    let control = CacheControl(fields)
    isStorable = !control.forbidsStoring
    let date = Self.date("date", fields, received)
    let lifetime: Int64
    if control.requiresValidation || fields.values("vary").contains(where: { $0.contains("*") }) {
      lifetime = 0
    } else {
      let date = date ?? received
      lifetime = Self.lifetime(fields, control, date: date, received: received) ?? unsaid
    }
    // RFC 9111, section 4.2.3.
    let apparentAge = max(0, date.map { received - $0 } ?? 0)
    let age = max(apparentAge, Self.age(fields) + max(0, received - requested))
    freshUntil = received + max(0, lifetime - age)
    let mayBeStale = !control.requiresValidation && !control.forbidsStale
    usableUntil = mayBeStale ? freshUntil + Self.staleIfError : freshUntil
  }

  /// Works out the freshness of a redirect, which limits that of the content that it leads to.
  ///
  /// RFC 9110, section 15.4: a permanent redirect (status 301 and 308) may be kept even where the
  /// server does not say so, any other only where it does.
  package init(
    ofRedirect fields: HTTPHeaderFields, status: Int, requested: Int64, received: Int64
  ) {
    let isPermanent = status == 301 || status == 308
    self.init(
      of: fields, requested: requested, received: received,
      unsaid: isPermanent ? Self.longestHeuristic : 0)
  }

  /// The shorter of both, for content that was reached through a redirect.
  package func limited(to other: Freshness) -> Freshness {
    var both = self
    both.isStorable = isStorable && other.isStorable
    both.freshUntil = min(freshUntil, other.freshUntil)
    both.usableUntil = max(both.freshUntil, min(usableUntil, other.usableUntil))
    return both
  }

  /// RFC 9111, sections 4.2.1 and 4.2.2; `nil` if no field gives a lifetime.
  private static func lifetime(
    _ fields: HTTPHeaderFields, _ control: CacheControl, date: Int64, received: Int64
  ) -> Int64? {
    if let age = control.maximumAge { return age }
    let expirations = fields.values("expires")
    if !expirations.isEmpty {
      // Section 5.3: a value that is no date, such as the common "0", means the past.
      let times = expirations.map { HTTPDate.seconds(of: $0, now: received) ?? date }
      return max(0, (times.min() ?? date) - date)
    }
    guard let modified = self.date("last-modified", fields, received) else { return nil }
    return min(longestHeuristic, max(0, date - modified) / 10)
  }

  private static func date(
    _ name: String, _ fields: HTTPHeaderFields, _ now: Int64
  ) -> Int64? {
    fields.single(name).flatMap { HTTPDate.seconds(of: $0, now: now) }
  }

  /// Section 5.1: the first of a list counts; a value that is no number is ignored.
  private static func age(_ fields: HTTPHeaderFields) -> Int64 {
    let first = fields.values("age").first?.utf8.prefix { $0 != UInt8(ascii: ",") }
    return first.flatMap(CacheControl.seconds) ?? 0
  }
}

/// The demands of a response's `Cache-Control` on a private cache, by RFC 9111, section 5.2.2.
///
/// `s-maxage`, `public` and `private` are for others. Where directives repeat or contradict each
/// other, the stricter counts.
package struct CacheControl: Hashable, Sendable {
  /// In seconds, 2³¹ at the most; 0 where the number cannot be read.
  package private(set) var maximumAge: Int64?
  package private(set) var forbidsStoring = false
  /// `no-cache`, with or without field names.
  package private(set) var requiresValidation = false
  /// `must-revalidate`: a stale response must not be used, even where the server cannot be reached.
  package private(set) var forbidsStale = false

  private static let largestAge: Int64 = 1 << 31

  package init(_ fields: HTTPHeaderFields) {
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
      // The rest up to the comma belongs to no directive that can be understood.
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
