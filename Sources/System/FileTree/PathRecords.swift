internal import Glibc

/// Records of many files by their paths, kept in little memory until they are read in the order of the
/// paths' bytes.
///
/// A record takes the bytes in which it differs from the record before, or from its path, and a path its
/// bytes; together with some 25 bytes of each file. Records of more than a few KiB are kept as they are.
package struct PathRecords: Sendable {
  /// What a record is like, so that only differences are kept.
  package enum Model: Sendable {
    case path
    /// An earlier record.
    case record
  }

  private var blocks: [Block] = []
  /// For each record the number of its block, and where it begins there.
  private var places: [UInt64] = []
  /// The last record in `blocks` that is kept as it is.
  private var model: Range<Int>?

  package init() {}

  package var count: Int { places.count }

  package mutating func append(path: ArraySlice<UInt8>, record: [UInt8], like kind: Model) {
    let block = block(for: path.count + record.count)
    places.append(UInt64(blocks.count - 1) << 32 | UInt64(block.count))
    block.append(number: path.count)
    let pathStart = block.count
    block.append(path[...])
    let known =
      switch kind {
      case .path: pathStart..<block.count
      case .record: model ?? 0..<0
      }
    let (prefix, suffix) = block.common(known, record)
    // A record that is like nothing is the model of those that follow.
    let isAlike = 2 * (prefix + suffix) >= record.count
    let part = isAlike ? record[prefix..<record.count - suffix] : record[...]
    for number in isAlike ? [known.lowerBound, known.count, prefix, suffix] : [0, 0, 0, 0] {
      block.append(number: number)
    }
    block.append(number: part.count)
    let start = block.count
    block.append(part)
    if !isAlike { model = start..<block.count }
  }

  /// A block with room for a path and a record.
  private mutating func block(for count: Int) -> Block {
    // Six numbers of at most ten bytes.
    let room = count + 60
    // A copy of these records may have the block, too.
    if let last = blocks.indices.last, isKnownUniquelyReferenced(&blocks[last]),
      blocks[last].count + room <= blocks[last].capacity
    {
      return blocks[last]
    }
    let block = Block(capacity: max(room, Block.usualCapacity))
    blocks.append(block)
    model = nil
    return block
  }

  /// Adds the records of others, after these.
  package mutating func add(_ other: PathRecords) {
    let base = UInt64(blocks.count) << 32
    places.reserveCapacity(places.count + other.places.count)
    for place in other.places { places.append(place + base) }
    blocks += other.blocks
    model = nil
  }

  /// Puts the records in the order of their paths' bytes; those of one path keep their order.
  ///
  /// The corresponding C function is memcmp(3).
  package mutating func sort() {
    places.sort { [blocks] one, other in
      let order = Self.order(one, other, in: blocks)
      return order == 0 ? one < other : order < 0
    }
  }

  /// Negative where the path of a record is before that of another, 0 where both are the same.
  private static func order(_ one: UInt64, _ other: UInt64, in blocks: [Block]) -> Int {
    var (reader, otherReader) = (Reader(blocks, one), Reader(blocks, other))
    let (path, otherPath) = (reader.bytes(), otherReader.bytes())
    return reader.block.compare(path, otherReader.block, otherPath)
  }

  /// Whether the records at two positions are of one path.
  package func haveSamePath(_ one: Int, _ other: Int) -> Bool {
    Self.order(places[one], places[other], in: blocks) == 0
  }

  /// The path and the record at a position.
  package subscript(position: Int) -> (path: [UInt8], record: [UInt8]) {
    var reader = Reader(blocks, places[position])
    let path = reader.bytes()
    let (start, count) = (reader.number(), reader.number())
    let (prefix, suffix) = (reader.number(), reader.number())
    let part = reader.bytes()
    var record: [UInt8] = []
    record.reserveCapacity(prefix + part.count + suffix)
    reader.block.copy(start..<start + prefix, to: &record)
    reader.block.copy(part, to: &record)
    reader.block.copy(start + count - suffix..<start + count, to: &record)
    var bytes: [UInt8] = []
    reader.block.copy(path, to: &bytes)
    return (bytes, record)
  }

  private struct Reader {
    let block: Block
    private var position: Int

    init(_ blocks: [Block], _ place: UInt64) {
      block = blocks[Int(place >> 32)]
      position = Int(place & 0xffff_ffff)
    }

    mutating func number() -> Int {
      var (number, shift) = (0, 0)
      while true {
        let byte = block[position]
        position += 1
        number |= Int(byte & 0x7f) << shift
        if byte < 0x80 { return number }
        shift += 7
      }
    }

    /// The place of bytes with their count before them.
    mutating func bytes() -> Range<Int> {
      let count = number()
      defer { position += count }
      return position..<position + count
    }
  }
}

/// Memory that is filled once.
///
/// `@unchecked`: bytes are appended only while nothing else refers to the block, and stay as they are.
@safe
private final class Block: @unchecked Sendable {
  static let usualCapacity = 64 << 10

  private let memory: UnsafeMutableRawBufferPointer
  let capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = capacity
    unsafe memory = .allocate(byteCount: capacity, alignment: 1)
  }

  deinit { unsafe memory.deallocate() }

  subscript(position: Int) -> UInt8 { unsafe memory[position] }

  private func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    precondition(range.upperBound <= count, "beyond what was written")
    return unsafe UnsafeRawBufferPointer(rebasing: memory[range])
  }

  func copy(_ range: Range<Int>, to target: inout [UInt8]) {
    unsafe target.append(contentsOf: bytes(range))
  }

  /// Negative where the bytes of a part are before those of another, 0 where both are the same.
  func compare(_ range: Range<Int>, _ other: Block, _ otherRange: Range<Int>) -> Int {
    let shorter = min(range.count, otherRange.count)
    if shorter > 0, let one = unsafe bytes(range).baseAddress,
      let two = unsafe other.bytes(otherRange).baseAddress
    {
      let order = unsafe memcmp(one, two, shorter)
      if order != 0 { return Int(order) }
    }
    return range.count - otherRange.count
  }

  func append(_ bytes: ArraySlice<UInt8>) {
    precondition(count + bytes.count <= capacity, "the block is full")
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
    }
    count += bytes.count
  }

  /// Seven bits a byte, the lowest first, as in LEB128.
  func append(number: Int) {
    var rest = number
    repeat {
      let isLast = rest < 0x80
      unsafe memory[count] = UInt8(rest & 0x7f) | (isLast ? 0 : 0x80)
      count += 1
      rest >>= 7
    } while rest > 0
  }

  /// How many bytes at the beginning and at the end of a record are those of a part of the block.
  func common(_ range: Range<Int>, _ record: [UInt8]) -> (prefix: Int, suffix: Int) {
    precondition(range.upperBound <= count, "beyond what was written")
    let limit = min(range.count, record.count)
    var prefix = 0
    while prefix < limit, self[range.lowerBound + prefix] == record[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < limit - prefix,
      self[range.upperBound - 1 - suffix] == record[record.count - 1 - suffix]
    {
      suffix += 1
    }
    return (prefix, suffix)
  }
}
