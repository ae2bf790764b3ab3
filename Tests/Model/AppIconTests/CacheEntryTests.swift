import Testing

@testable import AppIcon

@Suite struct CacheEntryTests {
  private func whole() throws -> CacheEntry {
    var entry = try Cached.entry(
      "https://a.example/i.png", Array("picture\n\n".utf8) + [0, 0xff],
      fields: "ETag: \"5f3\"\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\n",
      final: "https://b.example/i.png", pixels: 58)
    entry.head.failure = RememberedFailure(.unreachable, now: Cached.now)
    return entry
  }

  @Test func entryIsWrittenAsDocumented() throws {
    let entry = try whole()
    let text = String(decoding: entry.bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(
      text.prefix(9) == [
        "docsource-http 1", "url https://a.example/i.png", "final-url https://b.example/i.png",
        "status 200", "times 1700000000 1700000600 1700004200", "etag \"5f3\"",
        "last-modified Sun, 06 Nov 1994 08:49:37 GMT", "pixels 58 58",
        "failure unreachable 1 1700003600",
      ])
    #expect(text[9] == "body 11 \(SHA256Digest(of: entry.body).hexadecimal)")
    #expect(text[10].hasPrefix("head "))
    #expect(text[11] == "")
    #expect(text[12] == "picture")
  }

  @Test func entryIsReadAsItWasWritten() throws {
    let entry = try whole()
    #expect(try CacheEntry(parsing: entry.bytes) == entry)
    let bare = try Cached.entry("https://a.example/", [])
    #expect(try CacheEntry(parsing: bare.bytes) == bare)
  }

  @Test func entryCutAnywhereIsDamaged() throws {
    let bytes = try whole().bytes
    for length in bytes.indices {
      try #require(throws: CacheEntry.Damage.self, "\(length) of \(bytes.count)") {
        try CacheEntry(parsing: Array(bytes.prefix(length)))
      }
    }
    #expect(throws: CacheEntry.Damage(reason: "12 bytes of content instead of 11")) {
      try CacheEntry(parsing: bytes + [0])
    }
  }

  @Test func entryWithAnyBitChangedIsDamaged() throws {
    let bytes = try whole().bytes
    for position in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[position] ^= 1 << bit
        try #require(throws: CacheEntry.Damage.self, "bit \(bit) of byte \(position)") {
          try CacheEntry(parsing: changed)
        }
      }
    }
  }

  /// A head that is wrong in one line, with the digest that fits.
  private func damage(_ line: String, becomes other: String) throws -> String? {
    let text = String(decoding: try whole().bytes, as: UTF8.self)
    let start = try #require(text.firstRange(of: "head "))
    let head = String(text[..<start.lowerBound])
    try #require(head.contains(line + "\n"))
    let changed = head.replacing(line + "\n", with: other.isEmpty ? "" : other + "\n")
    let digest = SHA256Digest(of: Array(changed.utf8)).hexadecimal
    do throws(CacheEntry.Damage) {
      _ = try CacheEntry(
        parsing: Array("\(changed)head \(digest)\n\npicture\n\n".utf8) + [0, 0xff])
      return nil
    } catch {
      return error.reason
    }
  }

  @Test(arguments: [
    ("docsource-http 1", "docsource-http 2", "the entry has a different format version"),
    ("url https://a.example/i.png", "", "the head has no 'url' where it should"),
    (
      "url https://a.example/i.png", "url a",
      "it is not an absolute URL like https://example.com/appInfo.json"
    ),
    ("final-url https://b.example/i.png", "final-url https://b.example/#", "a URL has a fragment"),
    (
      "url https://a.example/i.png", "url \u{301}https://a.example/i.png",
      "the URL contains a space, control or non-ASCII character at byte 0; percent-encode it"
    ),
    ("pixels 58 58", "pixels 58  58", "the head has no number where it should"),
    ("status 200", "status 1000", "invalid status"),
    ("status 200", "status +20", "the head has no number where it should"),
    ("status 200", "status 200 1", "the head has no number where it should"),
    ("status 200", "status  ", "the head has no number where it should"),
    (
      "times 1700000000 1700000600 1700004200", "times 1700000000 1700000600 9223372036854775807",
      "the head has no number where it should"
    ),
    (
      "times 1700000000 1700000600 1700004200", "times -9223372036854775808 1700000600 1700004200",
      "the head has no number where it should"
    ),
    ("etag \"5f3\"", "etag \u{1}", "invalid validator"),
    ("etag \"5f3\"", "etag ", "invalid validator"),
    ("etag \"5f3\"", "etag ä", "invalid validator"),
    ("pixels 58 58", "pixels 0 58", "invalid pixel size"),
    ("pixels 58 58", "pixels 58", "the head has no number where it should"),
    (
      "failure unreachable 1 1700003600", "failure x 1 1", "unknown kind of failure"
    ),
    ("failure unreachable 1 1700003600", "failure gone 0 1", "invalid number of attempts"),
    ("failure unreachable 1 1700003600", "surplus x", "the head has no 'body' where it should"),
  ])
  func wrongLineIsDamage(_ line: String, _ other: String, _ reason: String) throws {
    #expect(try damage(line, becomes: other) == reason)
  }

  @Test func linesThatNeedNotBeThereMayBeMissing() throws {
    #expect(try damage("pixels 58 58", becomes: "") == nil)
  }

  @Test func validatorThatCannotBeSentBackIsNotKept() throws {
    let long = String(repeating: "x", count: 1025)
    for value in ["\u{e4}", long, "", "a\tb"] {
      let entry = try Cached.entry("https://a.example/", fields: "ETag: \(value)\n")
      #expect(entry.head.entityTag == nil)
    }
    let entry = try Cached.entry("https://a.example/", fields: "ETag: W/\"x y\"\n")
    #expect(entry.head.entityTag == "W/\"x y\"")
  }

  @Test func stateFollowsTheClock() throws {
    let head = try Cached.entry("https://a.example/", lifetime: 600, stale: 3600).head
    let now = Cached.now
    #expect(head.state(at: now) == .fresh)
    #expect(head.state(at: now + 599) == .fresh)
    #expect(head.state(at: now + 600) == .stale)
    #expect(head.state(at: now + 4199) == .stale)
    #expect(head.state(at: now + 4200) == .expired)
    #expect(head.state(at: now - 60) == .fresh)
    #expect(head.state(at: now - 61) == .stale)
  }
}

@Suite struct SHA256DigestTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func vectorsOfFIPS180HaveTheirDigests(_ text: String, _ digest: String) {
    #expect(SHA256Digest(of: Array(text.utf8)).hexadecimal == digest)
    #expect(SHA256Digest(of: text.utf8.reversed().reversed()).hexadecimal == digest)
  }

  @Test func contentWithoutContiguousStorageHasTheSameDigest() {
    let pieces = [Array("ab".utf8), Array("c".utf8)].joined()
    #expect(SHA256Digest(of: Array(pieces)) == SHA256Digest(of: Array("abc".utf8)))
    #expect(SHA256Digest(of: Array("cba".utf8).reversed()) == SHA256Digest(of: Array("abc".utf8)))
  }

  @Test func hexadecimalTextIsReadBack() {
    let digest = SHA256Digest(of: Array("abc".utf8))
    #expect(SHA256Digest(hexadecimal: digest.hexadecimal) == digest)
    #expect(SHA256Digest(hexadecimal: digest.hexadecimal.dropLast()) == nil)
    #expect(SHA256Digest(hexadecimal: digest.hexadecimal.dropLast(2)) == nil)
    #expect(SHA256Digest(hexadecimal: digest.hexadecimal.uppercased()) == nil)
    #expect(SHA256Digest(hexadecimal: digest.hexadecimal + "00") == nil)
  }
}
