internal import LinuxSystem

/// Takes lines from blocks of bytes, in memory that a long line does not fill.
struct LineReader {
  private let limit: Int
  private let block: () throws(Errno) -> [UInt8]
  private var bytes: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  /// How many lines were read.
  private(set) var number = 0

  /// - Parameter block: gives the next bytes, none at the end.
  init(limit: Int, block: @escaping () throws(Errno) -> [UInt8]) {
    self.limit = limit
    self.block = block
  }

  /// Returns the next line without its end, `nil` behind the last. Line feeds end lines; carriage
  /// returns before them are no part of it.
  ///
  /// - Throws: `unreadable`, or `lineTooLong`, after which the next line can be read.
  mutating func next() throws(ManifestFailure.Reason) -> ArraySlice<UInt8>? {
    var searched = position
    var isTooLong = false
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        return try line(upTo: end, next: end + 1, isTooLong)
      }
      if bytes.count - position > limit {
        isTooLong = true
        position = bytes.count
      }
      guard !isAtEnd else {
        guard position < bytes.count || isTooLong else { return nil }
        return try line(upTo: bytes.count, next: bytes.count, isTooLong)
      }
      bytes.removeSubrange(..<position)
      position = 0
      searched = bytes.count
      try read()
    }
  }

  private mutating func line(
    upTo end: Int, next: Int, _ isTooLong: Bool
  ) throws(ManifestFailure.Reason) -> ArraySlice<UInt8> {
    let start = position
    position = next
    number += 1
    guard !isTooLong, end - start <= limit else { throw .lineTooLong }
    var line = bytes[start..<end]
    while line.last == UInt8(ascii: "\r") { line.removeLast() }
    return line
  }

  private mutating func read() throws(ManifestFailure.Reason) {
    do throws(Errno) {
      let more = try block()
      isAtEnd = more.isEmpty
      bytes += more
    } catch {
      number += 1
      throw .unreadable(error)
    }
  }
}
