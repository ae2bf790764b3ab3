internal import LinuxSystem

/// The value of `security.docsource` for all files with one history, where only the numbers of the file and the
/// time of the last event differ: these are written over those of a value that was encoded once.
package struct RecordTemplate {
  /// What stands where the numbers do. Each takes eight bytes.
  private static let marks = (0..<7).map { Int64(0x7a5c_d00d_0000_0000) + $0 }

  private let bytes: [UInt8]
  /// Where the eight bytes of each number begin.
  private let places: [Int]

  /// - Parameters:
  ///   - boot: not empty.
  ///   - history: as that of a record; not empty.
  ///   - subvolume: as that of a record.
  /// - Returns: `nil` if a text has the bytes of a number in it.
  package init?(boot: String, _ history: [WitnessRecord.Event], subvolume: Int64? = nil) {
    let marks = Self.marks
    guard let last = history.last else { return nil }
    let version = ContentVersion(
      inode: UInt64(marks[0]), born: marks[1], size: UInt64(marks[2]), modified: marks[3],
      changed: marks[4])
    let record = WitnessRecord(
      boot: boot, file: version, changeEnd: marks[5],
      history: history.dropLast() + [last.at(marks[6])],
      subvolume: subvolume)
    guard let bytes = record?.bytes else { return nil }
    var places: [Int] = []
    for mark in marks {
      let number = Self.bigEndian(mark)
      let found = (0...bytes.count - number.count).filter { start in
        bytes[start..<start + number.count].elementsEqual(number)
      }
      guard found.count == 1 else { return nil }
      places += found
    }
    self.bytes = bytes
    self.places = places
  }

  /// The value for a file.
  ///
  /// - Parameters:
  ///   - version: the file; `changed` is when the writing of the record begins.
  ///   - changeEnd: when it is over.
  ///   - time: that of the last event.
  /// - Returns: `nil` for a file without a time when it was made.
  func value(_ version: ContentVersion, changeEnd: Int64, time: Int64) -> [UInt8]? {
    guard let born = version.born, let inode = Int64(exactly: version.inode),
      let size = Int64(exactly: version.size)
    else { return nil }
    var value = bytes
    var span = value.mutableSpan
    var target = unsafe span.mutableBytes
    let numbers = [inode, born, size, version.modified, version.changed, changeEnd, time]
    for (number, place) in zip(numbers, places) {
      target.storeBytes(of: number.bigEndian, toByteOffset: place, as: Int64.self)
    }
    return value
  }

  private static func bigEndian(_ number: Int64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }
}
