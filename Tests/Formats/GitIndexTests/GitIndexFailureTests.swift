import GitIndex
import Testing

/// Indexes that git would not write.
@Suite struct GitIndexFailureTests {
  private struct Entry {
    var name = Array("a".utf8)
    var flags: UInt16?
    var more: UInt16?
    /// Of version 4: how many bytes of the name before are left out, as they are written.
    var surplus: [UInt8] = [0]
  }

  private static func index(
    version: UInt8 = 2, _ entries: [Entry], _ rest: [UInt8] = [], count: UInt8? = nil
  ) -> [UInt8] {
    func bytes(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }
    let count = count ?? UInt8(entries.count)
    var index = Array("DIRC".utf8) + [0, 0, 0, version, 0, 0, 0, count]
    for entry in entries {
      let start = index.count
      index += Array(repeating: 7, count: 60)
      index += bytes(entry.flags ?? UInt16(min(entry.name.count, 0xfff)))
      if let more = entry.more { index += bytes(more) }
      if version == 4 {
        index += entry.surplus + entry.name + [0]
      } else {
        index += entry.name
        index += Array(repeating: 0, count: 8 - (index.count - start) % 8)
      }
    }
    return index + rest + [UInt8](repeating: 9, count: 20)
  }

  private static func named(_ name: String, stage: UInt16 = 0) -> Entry {
    Entry(name: Array(name.utf8), flags: UInt16(name.utf8.count) | stage << 12)
  }

  private func expect(
    _ reason: GitIndexFailure.Reason, at offset: Int, _ index: [UInt8],
    location: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: GitIndexFailure(reason, offset: offset), sourceLocation: location) {
      try GitIndex.find([[0x61]], in: index)
    }
  }

  @Test func whatIsRefusedHasTheReasonAndThePlace() throws {
    let (a, b) = (Self.named("a"), Self.named("b"))
    #expect(try GitIndex.find([[0x61]], in: Self.index([a, b])).map(\.entries.count) == [1])
    expect(.noIndex, at: 0, [])
    expect(.noIndex, at: 0, Array("DIRT".utf8) + Array(repeating: 0, count: 40))
    expect(.wrongLength, at: 0, Array(Self.index([]).dropLast()))
    expect(.unknownVersion(1), at: 4, Self.index(version: 1, []))
    expect(.unknownVersion(5), at: 4, Self.index(version: 5, []))
    expect(.wrongLength, at: 140, Self.index([a, b], count: 3))
    expect(.wrongLength, at: 76, Self.index([a], Array(repeating: 1, count: 80), count: 2))
    // With five bytes of 0 after the name instead of eight.
    let cut = Self.index([Self.named("ab")])
    expect(.wrongLength, at: 12, Array(cut.dropLast(23)) + cut.suffix(20))
    expect(.wrongLength, at: 76, Self.index([a], [0x54, 0x52]))
    expect(.wrongLength, at: 76, Self.index([a], Array("TREE".utf8) + [0, 0, 0, 1]))
    expect(.wrongLength, at: 76, Self.index([a], Array("TREE".utf8) + [255, 255, 255, 255]))
    expect(
      .unknownExtension(Array("link".utf8)), at: 76,
      Self.index([a], Array("link".utf8) + [0, 0, 0, 0]))
    expect(
      .unknownExtension([0x5b, 0x41, 0x41, 0x41]), at: 84,
      Self.index([a], Array("TREE".utf8) + [0, 0, 0, 0, 0x5b, 0x41, 0x41, 0x41, 0, 0, 0, 0]))
    expect(.brokenName, at: 12, Self.index([Entry(name: [])]))
    expect(.brokenName, at: 12, Self.index([Entry(flags: 2)]))
    expect(.brokenName, at: 12, Self.index([Entry(name: Array("a\0b".utf8), flags: 3)]))
    expect(.brokenName, at: 12, Self.index([Entry(flags: 0xfff)]))
    expect(.wrongOrder, at: 76, Self.index([b, a]))
    expect(.wrongOrder, at: 76, Self.index([a, a]))
    expect(.wrongOrder, at: 76, Self.index([a, Self.named("a", stage: 1)]))
    expect(.wrongOrder, at: 76, Self.index([Self.named("a", stage: 2), Self.named("a", stage: 1)]))
    expect(.wrongOrder, at: 84, Self.index([Self.named("ab"), a]))
    expect(.unknownFlags, at: 12, Self.index([Entry(flags: 0x4001, more: 0x2000)]))
    for more: UInt16 in [0x8000, 0x1000, 1] {
      expect(.unknownFlags, at: 12, Self.index(version: 3, [Entry(flags: 0x4001, more: more)]))
    }
    #expect(
      try GitIndex.find(
        [[0x61]], in: Self.index(version: 3, [Entry(flags: 0x4001, more: 0x2000)])
      ).map { $0.entries.map(\.isIntended) } == [[true]])
  }

  @Test func namesThatLeaveOutOthersAreRefusedWithTheReason() throws {
    let (a, b) = (Self.named("a"), Self.named("b"))
    func index(_ entries: Entry..., count: UInt8? = nil) -> [UInt8] {
      Self.index(version: 4, entries, count: count)
    }
    var other = b
    other.surplus = [1]
    #expect(try GitIndex.find([[0x62]], in: index(a, other)).map(\.entries.count) == [1])
    var ab = Self.named("ab")
    ab.name = [0x62]
    #expect(
      try GitIndex.find([Array("ab".utf8)], in: index(a, ab)).map(\.entries.count) == [1])
    // More than the name before has, in one byte, in 40 and in two.
    other.surplus = [2]
    expect(.brokenName, at: 77, index(a, other))
    other.surplus = Array(repeating: 0xff, count: 40) + [0]
    expect(.brokenName, at: 77, index(a, other))
    other.surplus = [0x80]
    other.name = [0x62]
    expect(.brokenName, at: 77, index(a, other))
    var same = a
    same.surplus = [1]
    expect(.wrongOrder, at: 77, index(a, same))
    same.flags = 0x2001
    var first = a
    first.flags = 0x1001
    #expect(try GitIndex.find([[0x61]], in: index(first, same)).map(\.entries.count) == [2])
    first.surplus = [1]
    expect(.wrongOrder, at: 77, index(same, first).replacing(at: 74, [0]))
    var none = a
    none.name = []
    expect(.wrongOrder, at: 12, index(none))
    var short = a
    short.flags = 2
    expect(.brokenName, at: 12, index(short))
    expect(.wrongLength, at: 77, index(a, count: 2))
    // A name of 70,000 bytes by 20 of 3500 each.
    let entries = (0..<20).map { number in
      Entry(name: Array(repeating: 0x61, count: 3500), flags: number == 0 ? 3500 : 0xfff)
    }
    expect(.longName, at: 12 + 18 * 3564, Self.index(version: 4, entries))
  }
}

extension [UInt8] {
  fileprivate func replacing(at place: Int, _ bytes: [UInt8]) -> [UInt8] {
    Array(self[..<place]) + bytes + self[(place + bytes.count)...]
  }
}
