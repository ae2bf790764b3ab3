internal import Glibc

/// Records of many files by their paths, kept in little memory until they are read in the order of the
/// paths' bytes.
///
/// A path takes the bytes in which it differs from one before, a record those in which it differs from its
/// path or from a record before; together with some 25 bytes of each file. Records of more than a few KiB are
/// kept as they are.
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
  /// The last path and the last record in the last block that are kept as they are.
  private var models = (path: 0..<0, record: 0..<0)

  package init() {}

  package var count: Int { places.count }

  package mutating func append(path: ArraySlice<UInt8>, record: [UInt8], like kind: Model) {
    let block = block(for: path.count + record.count)
    places.append(UInt64(blocks.count - 1) << 32 | UInt64(block.count))
    unsafe path.withUnsafeBytes { path in
      unsafe record.withUnsafeBytes { record in
        // What is like nothing is the model of those that follow.
        if let whole = unsafe block.append(path, like: models.path) { models.path = whole }
        switch kind {
        case .path: unsafe block.append(record, like: path)
        case .record:
          if let whole = unsafe block.append(record, like: models.record) { models.record = whole }
        }
      }
    }
  }

  /// A block with room for a path and a record.
  private mutating func block(for count: Int) -> Block {
    // Ten numbers of at most ten bytes.
    if let block = unsharedBlock(for: count + 100) { return block }
    let block = Block(capacity: max(count + 100, Block.usualCapacity))
    blocks.append(block)
    models = (0..<0, 0..<0)
    return block
  }

  /// The last block if it has room for so many bytes, and no copy of these records has it, too.
  private mutating func unsharedBlock(for count: Int) -> Block? {
    guard let last = blocks.indices.last, isKnownUniquelyReferenced(&blocks[last]),
      blocks[last].count + count <= blocks[last].capacity
    else { return nil }
    return blocks[last]
  }

  /// Adds the records of others, after these.
  package mutating func add(_ other: PathRecords) {
    let bases = other.blocks.map { block in
      // Blocks of a few records each would be empty for the most part.
      if let last = unsharedBlock(for: block.count) {
        last.append(block)
        return UInt64(blocks.count - 1) << 32 | UInt64(last.count - block.count)
      }
      blocks.append(block)
      models = (0..<0, 0..<0)
      return UInt64(blocks.count - 1) << 32
    }
    for place in other.places { places.append(bases[Int(place >> 32)] + (place & 0xffff_ffff)) }
  }

  /// Puts the records in the order of their paths' bytes; those of one path keep their order.
  ///
  /// The corresponding C function is memcmp(3).
  package mutating func sort() {
    let texts = blocks.map(\.texts)
    withExtendedLifetime(blocks) {
      places.sort { one, other in
        let order = Self.order(one, other) { texts[$0] }
        return order == 0 ? one < other : order < 0
      }
    }
  }

  /// Negative if the path of a record is before that of another, 0 if both are the same.
  private static func order(
    _ one: UInt64, _ other: UInt64, in texts: (_ block: Int) -> BlockTexts
  ) -> Int {
    let (texts, otherTexts) = (texts(Int(one >> 32)), texts(Int(other >> 32)))
    let path = texts.text(at: Int(one & 0xffff_ffff))
    return texts.compare(path, otherTexts, otherTexts.text(at: Int(other & 0xffff_ffff)))
  }

  /// Whether the records at two positions are of one path.
  package func haveSamePath(_ one: Int, _ other: Int) -> Bool {
    withExtendedLifetime(blocks) {
      Self.order(places[one], places[other]) { blocks[$0].texts } == 0
    }
  }

  /// The path and the record at a position.
  package subscript(position: Int) -> (path: [UInt8], record: [UInt8]) {
    let place = places[position]
    return withExtendedLifetime(blocks) {
      let texts = blocks[Int(place >> 32)].texts
      let text = texts.text(at: Int(place & 0xffff_ffff))
      let path = texts.bytes(of: text, like: [])
      return (path, texts.bytes(of: texts.text(at: text.part.upperBound), like: path))
    }
  }
}

/// Bytes in a block of which those that differ from others' are kept.
private struct DifferentText {
  /// What it is like; `nil` if that stands elsewhere, or it is like nothing.
  let model: Range<Int>?
  /// How many of its bytes are the model's first, and its last.
  let (prefix, suffix): (Int, Int)
  /// The bytes between them.
  let part: Range<Int>

  var count: Int { prefix + part.count + suffix }

  /// Where in the block the bytes from a position are that stand together.
  func range(from position: Int) -> Range<Int> {
    let rest = position - prefix
    guard rest >= 0 else {
      let start = model?.lowerBound ?? 0
      return start + position..<start + prefix
    }
    if rest < part.count { return part.lowerBound + rest..<part.upperBound }
    let end = model?.upperBound ?? 0
    return end - suffix + rest - part.count..<end
  }
}

/// The texts of a block, read without counting references to it, which would take half of the time that
/// sorting takes.
@safe
private struct BlockTexts {
  fileprivate let memory: UnsafeRawBufferPointer

  /// The text that was added at a position.
  func text(at position: Int) -> DifferentText {
    var end = position
    func number() -> Int {
      var (number, shift) = (0, 0)
      while true {
        let byte = unsafe memory[end]
        end += 1
        number |= Int(byte & 0x7f) << shift
        if byte < 0x80 { return number }
        shift += 7
      }
    }
    let distance = number()
    let start = position - distance
    let model = distance > 0 ? start..<start + number() : nil
    let (prefix, suffix, count) = (number(), number(), number())
    return DifferentText(model: model, prefix: prefix, suffix: suffix, part: end..<end + count)
  }

  /// The bytes of a text; `other` is what it is like if that stands elsewhere.
  func bytes(of text: DifferentText, like other: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    guard text.model == nil else {
      while result.count < text.count {
        unsafe result.append(contentsOf: bytes(text.range(from: result.count)))
      }
      return result
    }
    result += other.prefix(text.prefix)
    unsafe result.append(contentsOf: bytes(text.part))
    result += other.suffix(text.suffix)
    return result
  }

  /// Negative if a text is before one of another block, 0 if both are the same.
  func compare(_ text: DifferentText, _ other: BlockTexts, _ otherText: DifferentText) -> Int {
    let shorter = min(text.count, otherText.count)
    var position = 0
    if unsafe memory.baseAddress == other.memory.baseAddress, text.model == otherText.model {
      position = min(text.prefix, otherText.prefix)
    }
    while position < shorter {
      let (range, otherRange) = (text.range(from: position), otherText.range(from: position))
      let count = min(range.count, otherRange.count)
      if let one = unsafe bytes(range).baseAddress,
        let two = unsafe other.bytes(otherRange).baseAddress
      {
        let order = unsafe memcmp(one, two, count)
        if order != 0 { return Int(order) }
      }
      position += count
    }
    return text.count - otherText.count
  }

  private func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    precondition(unsafe range.upperBound <= memory.count, "beyond the block")
    return unsafe UnsafeRawBufferPointer(rebasing: memory[range])
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

  /// What is in the block, for as long as the block is referred to.
  var texts: BlockTexts { unsafe BlockTexts(memory: UnsafeRawBufferPointer(memory)) }

  /// Adds all of another block, whose texts name their models by the distance.
  func append(_ other: Block) {
    unsafe append(UnsafeRawBufferPointer(rebasing: other.memory[..<other.count]))
  }

  /// Adds a text by its differences from a model in this block.
  ///
  /// - Returns: where the text is if it is kept as it is, since it is not much like the model.
  func append(_ text: UnsafeRawBufferPointer, like model: Range<Int>) -> Range<Int>? {
    let common = unsafe Self.common(UnsafeRawBufferPointer(rebasing: memory[model]), text)
    let isAlike = !model.isEmpty && 2 * (common.prefix + common.suffix) >= text.count
    append(number: isAlike ? count - model.lowerBound : 0)
    if isAlike { append(number: model.count) }
    unsafe append(text, isAlike ? common : (0, 0))
    return isAlike ? nil : count - text.count..<count
  }

  /// Adds a text by its differences from a model that stands elsewhere.
  func append(_ text: UnsafeRawBufferPointer, like model: UnsafeRawBufferPointer) {
    append(number: 0)
    unsafe append(text, Self.common(model, text))
  }

  private func append(_ text: UnsafeRawBufferPointer, _ common: (prefix: Int, suffix: Int)) {
    let part = unsafe text[common.prefix..<text.count - common.suffix]
    append(number: common.prefix)
    append(number: common.suffix)
    unsafe append(number: part.count)
    unsafe append(UnsafeRawBufferPointer(rebasing: part))
  }

  private func append(_ bytes: UnsafeRawBufferPointer) {
    precondition(count + bytes.count <= capacity, "the block is full")
    unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
    count += bytes.count
  }

  /// Seven bits a byte, the lowest first, as in LEB128.
  private func append(number: Int) {
    var rest = number
    repeat {
      let isLast = rest < 0x80
      unsafe memory[count] = UInt8(rest & 0x7f) | (isLast ? 0 : 0x80)
      count += 1
      rest >>= 7
    } while rest > 0
  }

  /// How many bytes at the beginning and at the end of a text are those of a model.
  private static func common(
    _ model: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer
  ) -> (prefix: Int, suffix: Int) {
    let limit = min(model.count, text.count)
    var prefix = 0
    while prefix < limit, unsafe model[prefix] == text[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < limit - prefix,
      unsafe model[model.count - 1 - suffix] == text[text.count - 1 - suffix]
    {
      suffix += 1
    }
    return (prefix, suffix)
  }
}
