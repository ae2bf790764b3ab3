import BinaryPropertyList
import Foundation
import Testing

/// The worst that a mebibyte can ask for, in time and in memory.
struct BoundsTests {
  static let size = 1 << 20

  /// A property list of objects, each with its offset, and references of one width.
  private static func file(
    _ objects: [UInt8], offsets: [Int], offsetWidth: Int, referenceWidth: Int
  ) -> [UInt8] {
    func bigEndian(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return Array("bplist00".utf8) + objects + offsets.flatMap { bigEndian($0, offsetWidth) }
      + [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
      + bigEndian(offsets.count, 8) + bigEndian(0, 8) + bigEndian(8 + objects.count, 8)
  }

  private static func count(_ type: UInt8, _ count: Int) -> [UInt8] {
    [type | 0xf, 0x12] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
  }

  /// Arrays of four times the next: so many of them would expand to a number with no name.
  private static func ladder(_ rungs: UInt8) -> [UInt8] {
    let arrays = (1...rungs).flatMap { next -> [UInt8] in [0xa4, next, next, next, next] }
    return file(
      arrays + [0xa0], offsets: (0...Int(rungs)).map { 8 + 5 * $0 }, offsetWidth: 2,
      referenceWidth: 1)
  }

  static let shapes: [(name: String, bytes: [UInt8])] = {
    let room = size - 100
    let references = file(
      count(0xa0, room) + [UInt8](repeating: 1, count: room) + [0x00], offsets: [8, 14 + room],
      offsetWidth: 4, referenceWidth: 1)
    let singles = room / 9
    let arraysOfOne = file(
      (0..<singles).flatMap { index -> [UInt8] in
        let next = index + 1 < singles && index % 400 != 399 ? index + 1 : 0
        return next == 0
          ? [0xa0, 0, 0, 0]
          : [0xa1] + [16, 8, 0].map { UInt8(truncatingIfNeeded: next >> $0) }
      }, offsets: (0..<singles).map { 8 + 4 * $0 }, offsetWidth: 3, referenceWidth: 3)
    let keys = room / 16
    let dictionary = file(
      count(0xd0, keys)
        + (0..<2 * keys).flatMap { index -> [UInt8] in
          let key = index % keys + 1
          return [16, 8, 0].map { UInt8(truncatingIfNeeded: key >> $0) }
        }
        + (0..<keys).flatMap { index -> [UInt8] in
          [0x53] + [14, 7, 0].map { UInt8(truncatingIfNeeded: index >> $0) & 0x7f }
        },
      offsets: [8] + (0..<keys).map { 14 + 6 * keys + 4 * $0 }, offsetWidth: 4, referenceWidth: 3)
    let upon = room / 4
    let manyAtOne = file(
      count(0xa0, upon) + [UInt8](repeating: 1, count: upon) + [0],
      offsets: [Int](repeating: 8, count: room / 4), offsetWidth: 3, referenceWidth: 3)
    let sharedLadder = ladder(200)
    let nulls = file(
      [UInt8](repeating: 0, count: room / 4), offsets: (0..<room / 4).map { 8 + $0 },
      offsetWidth: 3, referenceWidth: 3)
    return [
      ("an array of a million references", references),
      ("chains of arrays of one", arraysOfOne),
      ("a dictionary of short keys", dictionary),
      ("many objects at one offset", manyAtOne),
      ("a ladder of shared arrays", sharedLadder),
      ("unused nulls", nulls),
    ]
  }()

  @Test(arguments: shapes.indices)
  func worstShapesTakeLessThanASecond(_ index: Int) throws {
    let (name, bytes) = Self.shapes[index]
    let start = Self.processorTime
    _ = try? PropertyList(binary: bytes)
    let time = Self.processorTime - start
    print("\(name), \(bytes.count) bytes: \(time)")
    #if DEBUG
      #expect(time < .seconds(5), "\(name): \(time) unoptimised")
    #else
      #expect(time < .seconds(1), "\(name): \(time)")
    #endif
  }

  /// What this thread has taken so far, whatever runs beside it.
  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// In a process of its own, so that the peak is that of the reading.
  @Test(arguments: shapes.indices)
  func worstShapesTakeLessThan64BytesAByte(_ index: Int) async {
    await #expect(processExitsWith: .success) { [index] in
      let (name, bytes) = Self.shapes[index]
      // The code's own pages count, too, which the first reading brings in: more than a megabyte of
      // a debug build.
      for rungs in [2, 40] as [UInt8] { _ = try? PropertyList(binary: Self.ladder(rungs)) }
      let before = try Self.memory("VmRSS", resetting: true)
      let result = Result { try PropertyList(binary: bytes) }
      let grown = try Self.memory("VmHWM", resetting: false) - before
      withExtendedLifetime(result) {}
      guard grown < 64 * bytes.count + 1 << 20 else {
        fatalError("\(name): \(grown / bytes.count) bytes a byte")
      }
    }
  }

  /// A figure of `/proc/self/status` in bytes, after the peak is set to what is used now.
  private static func memory(_ name: String, resetting: Bool) throws -> Int {
    if resetting {
      try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    }
    let status = try String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name) })
    return try #require(Int(line.filter(\.isNumber))) * 1024
  }
}
