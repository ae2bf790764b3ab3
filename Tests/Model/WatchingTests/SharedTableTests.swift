import Testing

@testable import Watching

@Suite struct SharedTableTests {
  private static let limit = 8

  @Test func whoHasTheMostMakesRoomForOthers() {
    var table = SharedTable<Int, Int>(limit: Self.limit)
    func add(_ key: Int, for user: UInt32) -> Bool { table.add(key, of: key, for: user) }
    for key in 0..<Self.limit { #expect(add(key, for: 1)) }
    #expect(!add(100, for: 1))
    #expect(table[100] == nil)
    #expect(add(200, for: 2))
    #expect(add(201, for: 2))
    #expect(add(300, for: 3))
    #expect(table.keys.count == Self.limit)
    #expect(table.keys.count { $0 < Self.limit } == 5)
    #expect(table[200] == 200 && table[201] == 201 && table[300] == 300)
    // The others have as many as each other in the end, and nobody has more.
    for key in 202..<210 { _ = add(key, for: 2) }
    for key in 301..<310 { _ = add(key, for: 3) }
    #expect(table.keys.count == Self.limit)
    let firstCount = table.keys.count { $0 < Self.limit }
    let secondCount = table.keys.count { (200..<300).contains($0) }
    #expect(table.keys.count { $0 >= 300 } == 3)
    #expect([firstCount, secondCount].sorted() == [2, 3])
  }

  @Test func valuesAreChangedAndRemoved() {
    var table = SharedTable<Int, Int>(limit: 2)
    table[1] = 5
    #expect(table.isEmpty)
    func add(_ key: Int) -> Bool { table.add(key, of: key, for: 1) }
    #expect(add(1) && add(2))
    table[1] = 7
    #expect(table[1] == 7)
    table[1] = nil
    table[1] = nil
    #expect(table.keys == [2])
    // What was removed leaves room.
    #expect(add(3))
    #expect(!add(4))
    table[2] = nil
    table[3] = nil
    #expect(table.isEmpty)
  }
}
