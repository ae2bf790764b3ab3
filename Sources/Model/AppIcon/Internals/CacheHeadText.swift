/// A cache head as lines of text; see `CacheEntry`.
enum CacheHeadText {
  typealias Damage = CacheEntry.Damage

  private static let firstLine = "docsource-http 1"

  static func text(of head: CacheHead) -> [UInt8] {
    var lines = [
      firstLine, "url \(head.url.text)", "final-url \(head.finalURL.text)",
      "status \(head.status)", "times \(head.stored) \(head.freshUntil) \(head.usableUntil)",
    ]
    if let tag = head.entityTag { lines.append("etag \(tag)") }
    if let date = head.lastModified { lines.append("last-modified \(date)") }
    if let pixels = head.pixels { lines.append("pixels \(pixels.width) \(pixels.height)") }
    if let failure = head.failure {
      lines.append("failure \(failure.kind.rawValue) \(failure.attempts) \(failure.retryAt)")
    }
    lines.append("body \(head.bodyLength) \(head.bodyDigest.hexadecimal)")
    let covered = Array((lines.joined(separator: "\n") + "\n").utf8)
    let digest = SHA256Digest(of: covered).hexadecimal
    return covered + Array("head \(digest)\n\n".utf8)
  }

  /// Reads the head that `bytes` begin with, and how many bytes it takes.
  static func read(_ bytes: [UInt8]) throws(Damage) -> (CacheHead, length: Int) {
    var lines = Lines(rest: bytes.prefix(CacheEntry.headLimit))
    guard try lines.next() == firstLine else {
      throw Damage(reason: "the entry has a different format version")
    }
    let url = try url(lines.value("url"))
    let finalURL = try self.url(lines.value("final-url"))
    let status = Int(try numbers(words(lines.value("status")), 1)[0])
    guard 0...999 ~= status else { throw Damage(reason: "invalid status") }
    let times = try numbers(words(lines.value("times")), 3)
    let tag = try lines.valueIfPresent("etag").map(validator)
    let date = try lines.valueIfPresent("last-modified").map(validator)
    let pixels = try lines.valueIfPresent("pixels").map(pixels)
    let failure = try lines.valueIfPresent("failure").map(failure)
    let (length, digest) = try body(lines.value("body"))
    let covered = SHA256Digest(of: bytes[..<lines.rest.startIndex])
    guard try lines.value("head") == covered.hexadecimal, try lines.next().isEmpty else {
      throw Damage(reason: "the head is not what was stored")
    }
    let head = CacheHead(
      url: url, finalURL: finalURL, status: status, stored: times[0], freshUntil: times[1],
      usableUntil: times[2], entityTag: tag, lastModified: date, pixels: pixels, failure: failure,
      bodyLength: length, bodyDigest: digest)
    return (head, lines.rest.startIndex)
  }

  private struct Lines {
    var rest: ArraySlice<UInt8>

    mutating func next() throws(Damage) -> String {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")),
        let line = String(validating: rest[..<end], as: UTF8.self)
      else { throw Damage(reason: "the head is truncated") }
      rest = rest[(end + 1)...]
      return line
    }

    mutating func value(_ key: String) throws(Damage) -> String {
      guard let value = try valueIfPresent(key) else {
        throw Damage(reason: "the head has no '\(key)' where it should")
      }
      return value
    }

    mutating func valueIfPresent(_ key: String) throws(Damage) -> String? {
      guard rest.starts(with: (key + " ").utf8) else { return nil }
      // By bytes: a space and a combining mark after it are one character.
      return String(decoding: try next().utf8.dropFirst(key.utf8.count + 1), as: UTF8.self)
    }
  }

  private static func words(_ text: String) -> [Substring] {
    text.split(separator: " ", omittingEmptySubsequences: false)
  }

  /// Numbers in the one form that `text(of:)` writes, small enough that sums cannot overflow.
  private static func numbers(_ words: [Substring], _ count: Int) throws(Damage) -> [Int64] {
    let numbers = words.compactMap { word -> Int64? in
      guard let number = Int64(word), String(number) == word, number.magnitude < 1 << 48 else {
        return nil
      }
      return number
    }
    guard words.count == count, numbers.count == count else {
      throw Damage(reason: "the head has no number where it should")
    }
    return numbers
  }

  private static func url(_ text: String) throws(Damage) -> ResolvedURL {
    let url = try Result { () throws(ResolvedURL.Refusal) in try ResolvedURL(text) }
      .mapError { Damage(reason: $0.reason) }.get()
    guard url.text == text else { throw Damage(reason: "a URL has a fragment") }
    return url
  }

  private static func validator(_ text: String) throws(Damage) -> String {
    guard CacheHead.isValidator(text) else { throw Damage(reason: "invalid validator") }
    return text
  }

  private static func pixels(_ text: String) throws(Damage) -> PixelSize {
    let sides = try numbers(words(text), 2)
    guard let size = PixelSize(width: Int(sides[0]), height: Int(sides[1])) else {
      throw Damage(reason: "invalid pixel size")
    }
    return size
  }

  private static func failure(_ text: String) throws(Damage) -> RememberedFailure {
    let words = words(text)
    guard let kind = words.first.flatMap({ RememberedFailure.Kind(rawValue: String($0)) }) else {
      throw Damage(reason: "unknown kind of failure")
    }
    let numbers = try numbers(Array(words.dropFirst()), 2)
    guard 1...1000 ~= numbers[0] else { throw Damage(reason: "invalid number of attempts") }
    return RememberedFailure(kind: kind, attempts: Int(numbers[0]), retryAt: numbers[1])
  }

  private static func body(_ text: String) throws(Damage) -> (Int, SHA256Digest) {
    let words = words(text)
    guard words.count == 2, let digest = SHA256Digest(hexadecimal: words[1]) else {
      throw Damage(reason: "invalid content digest")
    }
    let length = try numbers([words[0]], 1)[0]
    guard 0...Int64(CacheEntry.bodyLimit) ~= length else {
      throw Damage(reason: "the content is too long")
    }
    return (Int(length), digest)
  }
}
