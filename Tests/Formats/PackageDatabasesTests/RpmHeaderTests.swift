import DatabaseSnapshot
import ForeignFormats
import Testing

@testable import PackageDatabases

@Suite struct RpmHeaderTests {
  private static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// A header of entries with a tag, a type, a count and bytes.
  private static func header(_ entries: [(Int, Int, Int, [UInt8])]) -> [UInt8] {
    var (index, store): ([UInt8], [UInt8]) = ([], [])
    for (tag, form, count, bytes) in entries {
      index += number(tag) + number(form) + number(store.count) + number(count)
      store += bytes
    }
    return number(entries.count) + number(store.count) + index + store
  }

  private static func strings(_ texts: String...) -> [UInt8] {
    texts.flatMap { Array($0.utf8) + [0] }
  }

  private static let digest = String(repeating: "ab", count: 32)
  private static let entries: [(Int, Int, Int, [UInt8])] = [
    (1000, 6, 1, strings("tiny")), (1001, 6, 1, strings("1.0")), (1002, 6, 1, strings("2")),
    (1003, 4, 1, number(3)), (1008, 4, 1, number(1_790_000_000)), (1022, 6, 1, strings("noarch")),
    (1117, 8, 3, strings("tiny", "data", "lost")), (1118, 8, 2, strings("/usr/bin/", "/etc/")),
    (1116, 4, 3, number(0) + number(1) + number(7)), (1035, 8, 3, strings(digest, "", "")),
    (5011, 4, 1, number(8)),
  ]

  private func records(_ blob: [UInt8]) throws(DatabaseFailure) -> [PackageRecord] {
    try RpmDatabase.records(
      PackageQuestion(.trees([[0x2f]]), wantsChecksums: true), PathAliases(), header: blob,
      database: [])
  }

  @Test func headerHasNameVersionAndFiles() throws {
    let found = try records(Self.header(Self.entries))
    #expect(
      found.map { String(decoding: $0.path, as: UTF8.self) } == ["/usr/bin/tiny", "/etc/data"])
    #expect(found.allSatisfy { $0.title == "tiny 3:1.0-2" && $0.architecture == "noarch" })
    #expect(found.allSatisfy { $0.installed == 1_790_000_000 })
    #expect(
      found.map(\.checksum)
        == [PackageRecord.Checksum(.sha256, [UInt8](repeating: 0xab, count: 32)), nil])
    let header = try RpmHeader(Self.header(Self.entries))
    #expect(header.directory(ofFile: 1)?.elementsEqual("/etc/".utf8) == true)
    for number in [-1, 2, 3] { #expect(header.directory(ofFile: number) == nil) }
  }

  @Test func headerThatIsCutIsRefusedOrHasLess() throws {
    let blob = Self.header(Self.entries)
    for count in 0..<blob.count {
      #expect(throws: DatabaseFailure("a header is incomplete")) {
        try records(Array(blob.prefix(count)))
      }
    }
    #expect(throws: DatabaseFailure("a header is incomplete")) {
      try records([UInt8](repeating: 0xff, count: 64))
    }
  }

  @Test func entriesThatLeadOutOfTheStoreAreNone() throws {
    for place in Self.entries.indices {
      for change in [4, 8, 12] {
        var blob = Self.header(Self.entries)
        let start = 8 + place * 16 + change
        blob.replaceSubrange(start..<start + 4, with: [0x7f, 0xff, 0xff, 0xff])
        _ = try records(blob)
      }
    }
    var entries = Self.entries
    entries[0].3.removeLast()
    entries[entries.count - 1] = (1000, 6, 1, Array("open".utf8))
    #expect(try records(Self.header(entries)) == [])
    #expect(try records(Self.header([])) == [])
  }
}
