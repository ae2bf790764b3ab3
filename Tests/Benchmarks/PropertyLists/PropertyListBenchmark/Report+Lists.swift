import BinaryPropertyList
import CPlist
import Foundation

extension Report {
  /// (b) and (c): lists of mixed values.
  mutating func addList(_ letter: String, count: Int, rounds: Int, repetitions: Int) throws {
    let records = Record.list(count: count)
    let tree = PropertyList.array(records.map(\.propertyList))
    let bytes = try tree.binary()
    let data = Data(bytes)
    let objects = try ObjectTable(bytes).count
    let floor = TreeFloor(tree)
    // What takes seconds is done twice, and (c) whole by libplist's and PLS's writers not at all.
    let isLarge = count > 10_000
    let slowly = isLarge ? 2 : rounds

    let decoding = Stopwatch.best(
      rounds: rounds,
      [
        Work(repetitions) { sink(unfailing { () throws in try ObjectTable(bytes) }) },
        Work(repetitions) { sink(unfailing { () throws in try PropertyList(binary: bytes) }) },
        Work(repetitions) { Libplist.decode(bytes) },
        Work(1, rounds: slowly) { sink(Serialization.decode(data)) },
        Work(1, rounds: slowly) { Coders.decode([Record].self, data) },
        Work(repetitions) { floor.makeAndRelease() },
      ])
    let encoding = Stopwatch.best(
      rounds: rounds,
      [
        Work(repetitions) { sink(unfailing { () throws in try tree.binary() }) },
        Work(1, rounds: slowly) { Coders.encode(records) },
      ])
    let python = try Plistlib.times(data, rounds: isLarge ? 1 : 10, repetitions: 1)

    print("(\(letter)) \(13 * count + 1) values, \(objects) objects, \(bytes.count) bytes")
    compare("\(letter) index", decoding[0], with: "libplist", decoding[2], goal: 15)
    compare("\(letter) whole tree, decode", decoding[1], with: "libplist", decoding[2], goal: 2.5)
    compare("\(letter) whole tree, decode", decoding[1], with: "PLS", decoding[3], goal: 10)
    compare("\(letter) whole tree, decode", decoding[1], with: "PLD", decoding[4])
    compare("\(letter) whole tree, decode", decoding[1], with: "allocations", decoding[5])
    compare("\(letter) whole tree, decode", decoding[1], with: "plistlib", python.decode)
    compare(
      "\(letter) encode", encoding[0], with: "PLE", encoding[1], goal: isLarge ? 10 : nil)
    compare("\(letter) encode", encoding[0], with: "plistlib", python.encode)
    try addEncoding(letter, fraction: isLarge ? 20 : 1, of: records, rounds: isLarge ? 1 : rounds)
  }

  /// Writers whose time grows faster than the list.
  private mutating func addEncoding(
    _ letter: String, fraction: Int, of records: [Record], rounds: Int
  ) throws {
    let part = records.prefix(records.count / fraction)
    let tree = PropertyList.array(part.map(\.propertyList))
    let bytes = try tree.binary()
    let theirTree = Libplist.parse(bytes)
    defer { plist_free(theirTree) }
    let anyTree = Serialization.decode(Data(bytes))
    let encoding = Stopwatch.best(
      rounds: max(5, rounds),
      [
        Work(3) { sink(unfailing { () throws in try tree.binary() }) },
        Work(1, rounds: rounds) { Libplist.encode(theirTree) },
        Work(1, rounds: rounds) { Serialization.encode(anyTree) },
      ])
    let name = fraction == 1 ? "\(letter) encode" : "\(letter) encode, 1/\(fraction) of it"
    compare(
      name, encoding[0], with: "libplist", encoding[1], goal: fraction == 1 ? 3 : nil)
    compare(name, encoding[0], with: "PLS", encoding[2])
  }
}
