internal import DatabaseSnapshot
internal import LinuxSystem

/// A change of a database of LevelDB.
struct LevelDBChange {
  let key: ArraySlice<UInt8>
  /// Of several changes of a key, the one with the highest number counts.
  let sequence: UInt64
  /// `nil` if the key is removed.
  let value: ArraySlice<UInt8>?
}

/// Reads a table of LevelDB, in which it keeps changes in the order of their keys.
///
/// The form is that of doc/table_format.md and db/dbformat.h of LevelDB: blocks with a checksum each,
/// which Snappy may have compressed, the index of them in the last one, and where that is at the end.
enum LevelDBTable {
  private static let footer = 48
  private static let magic: [UInt8] = [0x57, 0xFB, 0x80, 0x8B, 0x24, 0x75, 0x47, 0xDB]
  /// How a block is compressed, and its checksum.
  private static let trailer = 5
  /// After a key: the kind of change in a byte, the sequence number in seven.
  private static let keyTrailer = 8
  /// More than any key has whose change is handed over.
  private static let keyLimit = 1 << 10

  /// Hands over the changes of keys with a prefix, without those in blocks that are damaged.
  ///
  /// - Parameter deadline: when reading is given up, in milliseconds of `Clock`.
  static func read(
    _ table: [UInt8], prefix: [UInt8], deadline: Int, _ take: (LevelDBChange) -> Void
  ) throws(DatabaseFailure) {
    guard table.count >= footer, table.suffix(magic.count).elementsEqual(magic) else { return }
    var handles = VarintReader(table.suffix(footer))
    guard handles.number() != nil, handles.number() != nil,
      let index = block(&handles, of: table)
    else { return }
    var blocks = BlockReader(index[...])
    while blocks.next() {
      if Clock.milliseconds >= deadline { throw .late }
      // The key in the index is no less than those in the block, and less than those in the next one.
      if blocks.key.lexicographicallyPrecedes(prefix) { continue }
      let isLast = !blocks.key.starts(with: prefix)
      var handle = VarintReader(blocks.value)
      if let block = block(&handle, of: table) { readBlock(block, prefix, take) }
      if isLast { return }
    }
  }

  private static func readBlock(
    _ block: [UInt8], _ prefix: [UInt8], _ take: (LevelDBChange) -> Void
  ) {
    var entries = BlockReader(block[...])
    while entries.next() {
      let count = entries.key.count - keyTrailer
      guard prefix.count...keyLimit ~= count, entries.key.starts(with: prefix) else { continue }
      let number = entries.key[count...].reversed().reduce(0) { $0 << 8 | UInt64($1) }
      guard number & 0xFF <= 1 else { continue }
      take(
        LevelDBChange(
          key: entries.key[..<count], sequence: number >> 8,
          value: number & 0xFF == 1 ? entries.value : nil))
    }
  }

  /// The content of a block whose place and size are read; `nil` if it is damaged.
  private static func block(_ handle: inout VarintReader, of table: [UInt8]) -> [UInt8]? {
    guard let start = handle.number().flatMap({ Int(exactly: $0) }),
      let count = handle.number().flatMap({ Int(exactly: $0) }), start <= table.count,
      count <= table.count - start - trailer
    else { return nil }
    let end = start + count
    let checksum = table[end + 1..<end + trailer].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    guard CRC32C.masked(of: table[start...end]) == checksum else { return nil }
    switch table[end] {
    case 0: return Array(table[start..<end])
    case 1: return Snappy.decompress(table[start..<end])
    default: return nil
    }
  }
}

/// The entries of a block of a table: each key says how much of it the key before has, too.
private struct BlockReader {
  private var reader: VarintReader
  private(set) var key: [UInt8] = []
  private(set) var value: ArraySlice<UInt8> = []

  init(_ block: ArraySlice<UInt8>) {
    // At the end stands how many places of keys that are whole stand before that.
    let places = block.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    reader = VarintReader(block.dropLast(4 + 4 * places))
  }

  /// - Returns: whether there is another entry.
  mutating func next() -> Bool {
    guard let shared = reader.number(), let more = reader.number(), let count = reader.number(),
      shared <= key.count, let rest = Int(exactly: more).flatMap({ reader.bytes($0) }),
      let value = Int(exactly: count).flatMap({ reader.bytes($0) })
    else { return false }
    key.removeLast(key.count - Int(shared))
    key.append(contentsOf: rest)
    self.value = value
    return true
  }
}

/// Decompresses what Snappy has compressed, by its format_description.txt.
enum Snappy {
  /// More than a block of LevelDB has, whose blocks end after 4 KiB.
  static let limit = 4 << 20

  /// - Returns: `nil` if the bytes are damaged, or more than `limit` come of them.
  static func decompress(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var reader = VarintReader(bytes)
    guard let size = reader.number(), size <= limit else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(Int(size))
    while let tag = reader.byte() {
      let high = Int(tag >> 2)
      let (count, width) =
        switch tag & 3 {
        case 0: (high < 60 ? high + 1 : 0, high < 60 ? 0 : high - 59)
        case 1: (high & 7 + 4, 1)
        case 2: (high + 1, 2)
        default: (high + 1, 4)
        }
      guard let number = reader.bytes(width) else { return nil }
      var value = number.reversed().reduce(0) { $0 << 8 | Int($1) }
      if tag & 3 == 0 {
        let length = width == 0 ? count : value + 1
        guard length <= Int(size) - result.count, let text = reader.bytes(length) else {
          return nil
        }
        result += text
      } else {
        if tag & 3 == 1 { value |= (high >> 3) << 8 }
        guard value >= 1, value <= result.count, count <= Int(size) - result.count
        else { return nil }
        for _ in 0..<count { result.append(result[result.count - value]) }
      }
    }
    return result.count == Int(size) ? result : nil
  }
}
