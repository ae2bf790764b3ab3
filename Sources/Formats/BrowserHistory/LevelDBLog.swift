internal import DatabaseSnapshot
internal import LinuxSystem

/// Reads a log of LevelDB, to which a database appends each batch of changes before it makes them.
///
/// The form is that of doc/log_format.md and db/write_batch.cc of LevelDB: blocks of 32 KiB with
/// records, of which one or several have a batch.
enum LevelDBLog {
  static let block = 32_768
  /// A checksum of four bytes, the length of the content in two, and the kind.
  private static let header = 7
  /// The number of the first change in eight bytes, and how many there are in four.
  private static let batchHeader = 12

  /// What a record has of a batch.
  private enum Kind: UInt8 {
    case all = 1
    case first
    case middle
    case last
  }

  /// Hands over the changes in their order.
  ///
  /// As LevelDB does, it passes over what is damaged, and what is not yet whole at the end: the rest
  /// of the block and the batch that it is part of.
  ///
  /// - Parameters:
  ///   - log: from the beginning of a block.
  ///   - deadline: when reading is given up, in milliseconds of `Clock`.
  static func read(
    _ log: [UInt8], deadline: Int, _ take: (LevelDBChange) -> Void
  ) throws(DatabaseFailure) {
    /// What was read of a batch in several records.
    var batch: [UInt8]?
    for start in stride(from: 0, to: log.count, by: block) {
      if Clock.milliseconds >= deadline { throw .late }
      var rest = log[start..<min(start + block, log.count)]
      while rest.count >= header {
        guard let (kind, content) = record(at: &rest) else {
          batch = nil
          break
        }
        switch kind {
        case .all:
          batch = nil
          readBatch(content, take)
        case .first: batch = Array(content)
        case .middle: batch?.append(contentsOf: content)
        case .last:
          batch?.append(contentsOf: content)
          if let whole = batch { readBatch(whole[...], take) }
          batch = nil
        }
      }
    }
  }

  /// Takes a record from the beginning of the rest of a block; `nil` if it is damaged or not whole.
  private static func record(
    at rest: inout ArraySlice<UInt8>
  ) -> (kind: Kind, content: ArraySlice<UInt8>)? {
    let start = rest.startIndex
    let length = Int(rest[start + 4]) | Int(rest[start + 5]) << 8
    guard rest.count - header >= length, let kind = Kind(rawValue: rest[start + 6]) else {
      return nil
    }
    let end = start + header + length
    let checksum = rest[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    // Of the kind, too.
    guard CRC32C.masked(of: rest[start + 6..<end]) == checksum else { return nil }
    let content = rest[start + header..<end]
    rest = rest[end...]
    return (kind, content)
  }

  private static func readBatch(_ batch: ArraySlice<UInt8>, _ take: (LevelDBChange) -> Void) {
    var sequence = batch.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    var reader = VarintReader(batch.dropFirst(batchHeader))
    while let kind = reader.byte(), let key = reader.bytes() {
      var value: ArraySlice<UInt8>?
      if kind == 1 {
        guard let bytes = reader.bytes() else { return }
        value = bytes
      } else if kind != 0 {
        return
      }
      take(LevelDBChange(key: key, sequence: sequence, value: value))
      sequence &+= 1
    }
  }
}

/// The checksum of LevelDB's records: CRC-32C, of Castagnoli's polynomial.
package enum CRC32C {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in
      rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0x82F6_3B78
    }
  }

  static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    let table = table
    return ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }

  /// The same as LevelDB stores it, so that a checksum of what has checksums is no special one.
  package static func masked(of bytes: ArraySlice<UInt8>) -> UInt32 {
    let checksum = of(bytes)
    return (checksum >> 15 | checksum << 17) &+ 0xA282_EAD8
  }
}
