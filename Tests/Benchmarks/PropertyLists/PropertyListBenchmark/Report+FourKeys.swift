import BinaryPropertyList
import BinaryPropertyListCoders
import CPlist
import DocumentSource
import Foundation

extension Report {
  /// (a): the dictionary of the attribute.
  mutating func addFourKeys() throws {
    let four = FourKeys()
    let entries = four.entries
    let entriesOfStrings = four.entriesOfStrings
    let bytes = try FlatDictionary.bytes(of: entries.span)
    let data = Data(bytes)
    let rounds = 40

    let lookup = Lookup("identifier", "name", "path", "appInfoURL")
    let decoder = BinaryPropertyListDecoder()
    let encoder = BinaryPropertyListEncoder()
    let decoding = Stopwatch.best(
      rounds: rounds,
      [
        Work(20_000) { (repetitions: Int) in
          let bytes = bytes.span.bytes
          for _ in 0..<repetitions {
            sink(unfailing { () throws in try lookup.find(in: bytes) })
          }
        },
        Work(10_000) { sink(unfailing { () throws in try Content(of: bytes) }) },
        Work(10_000) { sink(unfailing { () throws in try PropertyList(binary: bytes) }) },
        Work(2000) { Libplist.decode(bytes) },
        Work(500) { sink(Serialization.decode(data)) },
        Work(500) { Coders.decode(FourKeys.self, data) },
        Work(5000) {
          sink(unfailing { () throws in try decoder.decode(FourKeys.self, from: data) })
        },
      ])
    let tree = try PropertyList(binary: bytes)
    let theirTree = Libplist.parse(bytes)
    defer { plist_free(theirTree) }
    let anyTree = Serialization.decode(data)
    var buffer = [UInt8](repeating: 0, count: 1024)
    let floor = Floor(entries)
    let floorLength = floor.write(into: &buffer)
    precondition(Array(buffer.prefix(floorLength)) == bytes)
    let encoding = Stopwatch.best(
      rounds: rounds,
      [
        Work(20_000) { (repetitions: Int) in
          let entries = entries.span
          for _ in 0..<repetitions {
            sink(unfailing { () throws in try FlatDictionary.bytes(of: entries) })
          }
        },
        Work(2000) { sink(unfailing { () throws in try tree.binary() }) },
        Work(1000) { Libplist.encode(theirTree) },
        Work(50) { Serialization.encode(anyTree) },
        Work(500) { Coders.encode(four) },
        Work(5000) { sink(unfailing { () throws in try encoder.encode(four) }) },
        Work(20_000) { (repetitions: Int) in
          let entries = entriesOfStrings.span
          for _ in 0..<repetitions {
            sink(unfailing { () throws in try FlatDictionary.bytes(of: entries) })
          }
        },
        Work(20_000) { sink(floor.write(into: &buffer)) },
      ])
    let python = try Plistlib.times(data, rounds: rounds, repetitions: 200)

    print("(a) the four-key dictionary, \(bytes.count) bytes")
    compare("a lookup of four keys", decoding[0], with: "libplist", decoding[3], goal: 10)
    compare("a lookup of four keys", decoding[0], with: "PLS", decoding[4], goal: 75)
    compare("a DocumentSource, four Strings", decoding[1], with: "libplist", decoding[3], goal: 3)
    compare("a DocumentSource, four Strings", decoding[1], with: "PLS", decoding[4], goal: 25)
    compare("a whole tree, decode", decoding[2], with: "libplist", decoding[3])
    compare("a whole tree, decode", decoding[2], with: "PLD", decoding[5])
    compare("a whole tree, decode", decoding[2], with: "plistlib", python.decode)
    compare("a encode into an array", encoding[0], with: "libplist", encoding[2], goal: 20)
    compare("a encode into an array", encoding[0], with: "PLS", encoding[3], goal: 300)
    compare("a encode into an array", encoding[0], with: "floor in C", encoding[7])
    compare("a the array, no key made ready", encoding[6], with: "libplist", encoding[2])
    compare("a whole tree, encode", encoding[1], with: "libplist", encoding[2])
    compare("a whole tree, encode", encoding[1], with: "PLE", encoding[4])
    compare("a whole tree, encode", encoding[1], with: "plistlib", python.encode)
    compare("a Codable, four strings, decode", decoding[6], with: "PLD", decoding[5], goal: 8)
    compare("a Codable, four strings, encode", encoding[5], with: "PLE", encoding[4], goal: 8)
  }
}
