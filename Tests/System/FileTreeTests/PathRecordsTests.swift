import Testing

@testable import FileTree

/// Records of files in the order of their paths.
@Suite struct PathRecordsTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func all(_ records: PathRecords) -> [String] {
    (0..<records.count).map { position in
      let (path, record) = records[position]
      return "\(String(decoding: path, as: UTF8.self))=\(String(decoding: record, as: UTF8.self))"
    }
  }

  @Test func recordsAreInTheOrderOfBytes() {
    var records = PathRecords()
    for path in ["b", "a/x", "a-b", "a", "\u{e4}", "", "a/x/y", "a.b"] {
      records.append(path: bytes(path)[...], record: bytes("of \(path)"), like: .record)
    }
    records.sort()
    #expect(
      all(records) == [
        "=of ", "a=of a", "a-b=of a-b", "a.b=of a.b", "a/x=of a/x", "a/x/y=of a/x/y", "b=of b",
        "\u{e4}=of \u{e4}",
      ])
  }

  @Test func recordsOfOnePathKeepTheirOrder() {
    var records = PathRecords()
    for number in 0..<50 {
      records.append(path: bytes("a")[...], record: [UInt8(number)], like: .path)
    }
    records.sort()
    #expect((0..<50).map { records[$0].record } == (0..<50).map { [UInt8($0)] })
  }

  @Test func copiesAreIndependent() {
    var one = PathRecords()
    one.append(path: bytes("a")[...], record: bytes("first"), like: .record)
    var other = one
    one.append(path: bytes("b")[...], record: bytes("firsts"), like: .record)
    other.append(path: bytes("c")[...], record: bytes("other"), like: .path)
    #expect(all(one) == ["a=first", "b=firsts"])
    #expect(all(other) == ["a=first", "c=other"])
  }

  /// Of a few records each, which stand in one block then.
  @Test func manyPartsArePutTogether() {
    var records = PathRecords()
    for number in 0..<50 {
      var parts = [PathRecords(), PathRecords()]
      for part in 0..<4 {
        parts[part % 2].append(
          path: bytes("tree/\(number)/document-\(part)")[...],
          record: bytes("the value of \(number), \(part)"), like: .record)
      }
      for part in parts { records.add(part) }
    }
    records.sort()
    let expected = (0..<50).flatMap { number in
      (0..<4).map { "tree/\(number)/document-\($0)=the value of \(number), \($0)" }
    }
    #expect(all(records) == expected.sorted())
    #expect(records.haveSamePath(0, 0))
    #expect(!records.haveSamePath(0, 1))
  }

  /// Records that share much, little and nothing with the one before or with their path, and some beyond
  /// the usual size of a block, in two parts that are put together.
  @Test func recordsComeBackAsTheyWere() {
    var expected: [(path: [UInt8], record: [UInt8])] = []
    var state: UInt64 = 7
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var parts = [PathRecords(), PathRecords()]
    let base = (0..<300).map { _ in UInt8(next(256)) }
    for number in 0..<6000 {
      let path = bytes("tree/\(next(40))/document-\(number)")
      var record: [UInt8] =
        switch next(6) {
        case 0: []
        case 1: path + [10]
        case 2: [UInt8](repeating: UInt8(next(256)), count: next(400))
        default: base
        }
      if !record.isEmpty, next(2) == 0 { record[next(record.count)] = UInt8(next(256)) }
      if next(1000) == 0 { record = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * number) } }
      parts[number / 3000].append(
        path: path[...], record: record, like: next(3) == 0 ? .path : .record)
      expected.append((path, record))
    }
    var records = PathRecords()
    for part in parts { records.add(part) }
    #expect(records.count == expected.count)
    #expect(
      expected.indices.allSatisfy {
        records[$0].path == expected[$0].path && records[$0].record == expected[$0].record
      })
    // After others, records have other models.
    records.append(path: bytes("last")[...], record: base, like: .record)
    expected.append((bytes("last"), base))
    records.sort()
    expected.sort { $0.path.lexicographicallyPrecedes($1.path) }
    #expect(
      expected.indices.allSatisfy {
        records[$0].path == expected[$0].path && records[$0].record == expected[$0].record
      })
  }
}
