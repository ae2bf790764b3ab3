import BinaryPropertyList
import BinaryPropertyListCoders
import Foundation
import TestSupport
import Testing

/// Files that aim at decoders of recursive types.
struct HostileBytesTests {
  typealias Nest = Samples.Nest

  /// A property list of objects in the order given; the first is the root.
  private static func list(_ objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      for shift in [24, 16, 8, 0] { offsets.append(UInt8(bytes.count >> shift & 0xff)) }
      bytes += object
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 4, 2]
    for number in [objects.count, 0, table] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(number >> shift & 0xff))
      }
    }
    return bytes
  }

  private static func references(_ type: UInt8, _ numbers: [Int]) -> [UInt8] {
    [type | 0xf, 0x12]
      + [24, 16, 8, 0].map { UInt8(numbers.count >> (type == 0xd0 ? $0 + 1 : $0) & 0xff) }
      + numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
  }

  private static func failure<Value: Decodable>(
    _ type: Value.Type, _ bytes: [UInt8], options: DecodingOptions = DecodingOptions()
  ) -> DecodingFailure? {
    do {
      _ = try BinaryPropertyListDecoder(options: options).decode(type, from: bytes)
      return nil
    } catch DecodingError.dataCorrupted(let context) {
      return context.underlyingError as? DecodingFailure
    } catch {
      return nil
    }
  }

  @Test func cycleIsRefused() {
    let bytes = Self.list([[0xa1, 0, 1], [0xa1, 0, 0]])
    let failure = Self.failure(Nest.self, bytes)
    #expect(failure?.reason == .cycle)
    #expect(failure?.offset == 12)
  }

  @Test func doublingArraysAreRefused() {
    // Sixty arrays, each twice in the one before: 2^60 values.
    let arrays = (1...60).map { [0xa2, 0, UInt8($0), 0, UInt8($0)] as [UInt8] }
    let failure = Self.failure(Nest.self, Self.list(arrays + [[0xa0]]))
    #expect(failure?.reason == .expansion)
  }

  @Test func doublingDictionariesAreRefused() {
    struct Tree: Decodable {
      var a: Nestling?
      var b: Nestling?
      final class Nestling: Decodable {
        var tree: Tree
        init(from decoder: any Decoder) throws { tree = try Tree(from: decoder) }
      }
    }
    let pairs = (1...60).map { [0xd2, 0, 61, 0, 62, 0, UInt8($0), 0, UInt8($0)] as [UInt8] }
    let failure = Self.failure(
      Tree.self, Self.list(pairs + [[0xd0], [0x51, 0x61], [0x51, 0x62]]))
    #expect(failure?.reason == .expansion)
  }

  @Test func expansionLimitIsExact() throws {
    // A hundred places of an array of a hundred elements.
    let bytes = Self.list([
      Self.references(0xa0, [Int](repeating: 1, count: 100)),
      Self.references(0xa0, [Int](repeating: 2, count: 100)), [0x10, 1],
    ])
    var options = DecodingOptions()
    options.expansionLimit = 100 * (16 + 100) - bytes.count
    #expect(
      try BinaryPropertyListDecoder(options: options).decode([[Int]].self, from: bytes).count
        == 100)
    options.expansionLimit -= 1
    let failure = Self.failure([[Int]].self, bytes, options: options)
    #expect(failure?.reason == .expansion)
    #expect(failure?.offset == 8 + 6 + 200)
  }

  @Test func unsharedContainersMayBeOpenedOften() throws {
    struct Often: Decodable {
      init(from decoder: any Decoder) throws {
        for _ in 0..<1000 {
          try #require(try decoder.container(keyedBy: Samples.Step.self).contains(.x))
        }
      }
    }
    var options = DecodingOptions()
    options.expansionLimit = 0
    let bytes = try PropertyList.dictionary(["x": .integer(1)]).binary()
    _ = try BinaryPropertyListDecoder(options: options).decode(Often.self, from: bytes)
  }

  @Test func nestingBeyondTheLimitIsRefused() {
    let count = DecodingOptions.maximumDepth + 1
    let arrays = (1..<count).map { [0xa1, UInt8($0 >> 8), UInt8($0 & 0xff)] as [UInt8] }
    #expect(Self.failure(Nest.self, Self.list(arrays + [[0xa0]]))?.reason == .tooDeep)
  }

  @Test func typesThatOnlyDecodeThemselvesAreRefused() {
    #expect(Self.failure(Samples.Endless.self, Self.list([[0xa0]]))?.reason == .tooDeep)
  }

  @Test func longSharedTextIsMadeOnce() throws {
    // 30,000 references to a text of 500,000 bytes: 15 GB, were each a copy.
    let text = [0x5f, 0x12, 0, 7, 0xa1, 0x20] + [UInt8](repeating: 0x78, count: 500_000)
    let bytes = Self.list([
      Self.references(0xa0, [Int](repeating: 1, count: 30_000)), text,
    ])
    let values = try BinaryPropertyListDecoder().decode([String].self, from: bytes)
    #expect(values.count == 30_000)
    #expect(values[29_999].utf8.count == 500_000)
    let data = Self.list([
      Self.references(0xa0, [Int](repeating: 1, count: 30_000)), [0x4f] + text.dropFirst(),
    ])
    let blocks = try BinaryPropertyListDecoder().decode([Data].self, from: data)
    #expect(blocks.count == 30_000)
    #expect(blocks[29_999].count == 500_000)
  }

  @Test func longSharedKeyIsNotHashedWithoutEnd() {
    // 10,000 dictionaries of one key of 500,000 bytes: 5 GB to hash.
    let key = [0x5f, 0x12, 0, 7, 0xa1, 0x20] + [UInt8](repeating: 0x78, count: 500_000)
    let dictionary: [UInt8] = [0xd1, 0, 1, 0, 2]
    let bytes = Self.list(
      [Self.references(0xa0, Array(3..<10_003)), key, [0x10, 1]]
        + [[UInt8]](repeating: dictionary, count: 10_000))
    #expect(Self.failure([[String: Int]].self, bytes)?.reason == .expansion)
  }

  @Test func everyFixtureIsDecodedOrRefusedForTheTablesReason() throws {
    let folder = Fixture.root.appending(path: "Fixtures/PropertyLists")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".bplist") }
    #expect(files.count > 40)
    for file in files {
      let bytes = try Fixture.bytes("PropertyLists/\(file)")
      let table = Result { () throws(DecodingFailure) in try ObjectTable(bytes) }
      switch table {
      case .failure(let failure):
        #expect(Self.failure(Anything.self, bytes) == failure, "\(file)")
      case .success:
        // What is sound is read, but for too much sharing and UIDs, which no type asks for.
        var options = DecodingOptions()
        options.expansionLimit = 10_000
        let failure = Self.failure(Anything.self, bytes, options: options)
        #expect(failure == nil || failure?.reason == .expansion, "\(file)")
      }
    }
  }
}
