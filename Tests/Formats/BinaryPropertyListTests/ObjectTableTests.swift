import BinaryPropertyList
import TestSupport
import Testing

struct ObjectTableTests {
  @Test func objectsAreReadWithoutATree() throws {
    let table = try ObjectTable(Fixture.bytes("PropertyLists/four-keys.bplist"))
    #expect(table.root == 0)
    #expect(table.count == 9)
    let root = table.contents(of: 0)
    #expect(root.count == 4)
    let keys = (0..<root.count).map { table.string(table.key($0, of: root)) }
    #expect(keys == FlatDictionaryTests.fourKeys.map(\.key))
    let values = (0..<root.count).map { table.string(table.value($0, of: root)) }
    #expect(values == FlatDictionaryTests.fourKeys.map(\.value))
    let name = table.value(1, of: root, ifKeyIs: "name")
    #expect(name.flatMap { table.string($0) } == "Working Copy")
    #expect(table.value(1, of: root, ifKeyIs: "nam") == nil)
    #expect(table.offset(of: 1) == 17)
    #expect(table.kind(of: 1) == .string)
    #expect(table.contents(of: 1).count == 0)
  }

  @Test(arguments: [1, 2, 3, 4]) func keysOfSeveralRecordsAreShared(records: Int) throws {
    // A record's references to its keys are looked at no more when the one before has the same.
    let record: PropertyList = .dictionary(["one": .integer(1), "two": .integer(2)])
    let other: PropertyList = .dictionary(["one": .integer(3), "three": .integer(4)])
    let list = Array(repeating: record, count: records).enumerated().map { number, record in
      PropertyList.array([record, .integer(Int64(100 + number))])
    }
    let table = try ObjectTable(PropertyList.array(list + [other]).binary())
    let texts = (0..<table.count).filter { table.string($0) != nil }
    #expect(texts.map { table.string($0) } == ["one", "two", "three"])
    #expect(texts.map { table.isShared($0) } == [true, records > 1, false])
  }

  @Test func keyTwiceAfterEqualRecordsIsRefused() throws {
    // Three dictionaries of the keys 4 and 5, and the third is given the key 4 twice.
    var bytes: [UInt8] = Array("bplist00".utf8)
    bytes += [0xa3, 1, 2, 3, 0xd2, 4, 5, 6, 6, 0xd2, 4, 5, 6, 6, 0xd2, 4, 4, 6, 6]
    bytes += [0x51, 0x61, 0x51, 0x62, 0x09]
    bytes += [8, 12, 17, 22, 27, 29, 31]
    bytes += [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0]
    bytes += [0, 0, 0, 0, 0, 0, 0, 32]
    let failure = #expect(throws: DecodingFailure.self) { try ObjectTable(bytes) }
    #expect(failure?.reason == .duplicateKey)
    #expect(failure?.offset == 24)
  }

  @Test func scalarsAreReadByTheirKind() throws {
    let values: [PropertyList] = [
      .integer(-7), .wideInteger(1 << 90), .float(1.5), .real(2.5),
      .date(secondsSinceReferenceDate: 3.5), .uid(9), .data([1, 2]), .boolean(true), .null,
    ]
    let table = try ObjectTable(PropertyList.array(values).binary())
    #expect(table.integer(1) == -7)
    #expect(table.wideInteger(1) == -7)
    #expect(table.wideInteger(2) == 1 << 90)
    #expect(table.integer(2) == nil)
    #expect(table.float(3) == 1.5)
    #expect(table.real(4) == 2.5)
    #expect(table.date(5) == 3.5)
    #expect(table.uid(6) == 9)
    #expect(table.data(7) == [1, 2])
    #expect(table.boolean(8) == true)
    #expect(table.boolean(9) == nil)
    #expect(table.kind(of: 9) == .null)
    let root = table.contents(of: 0)
    #expect(try values.indices.map { try table.propertyList(table.value($0, of: root)) } == values)
    #expect(try table.propertyList(0) == .array(values))
  }
}
