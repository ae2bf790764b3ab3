#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The encoded leaves of a tree: scalars, strings and data, equal ones only once.
struct LeafStore: ~Copyable {
  private(set) var bytes = LeafBytes()
  private var leaves = ElementBuffer<Leaf>(capacity: 24)
  /// The bits of all leaves' marks, while there are few leaves: an object with a bit that is not
  /// among them is new.
  private var bits: UInt64 = 0
  /// An open hash table, made once there are many leaves: the upper half of a slot is the hash, the
  /// lower the leaf plus one; 0 is free.
  private var table: [UInt64] = []

  /// Up to this count comparing with all leaves costs less than hashing.
  private static let searchLimit = 16

  /// Whether the leaves' memory is small enough to be kept.
  var isSmall: Bool { bytes.capacity <= 16_384 && leaves.capacity <= 512 }

  /// How many leaves there are.
  var count: Int { leaves.count }

  /// Forgets all leaves but keeps the memory.
  mutating func removeAll() {
    bytes.removeAll()
    leaves.removeAll()
    bits = 0
    if !table.isEmpty { table = [] }
  }

  subscript(leaf: UInt32) -> Leaf {
    @inline(__always) get { leaves[Int(leaf)] }
  }

  /// Gives a leaf its number among the objects, plus one.
  @inline(__always)
  mutating func setNumber(_ number: UInt32, of leaf: UInt32) {
    leaves[Int(leaf)].number = number
  }

  /// Hands a leaf's object to `body`.
  @inline(__always)
  func reading<Result>(_ leaf: UInt32, _ body: (RawSpan) -> Result) -> Result {
    bytes.reading(leaves[Int(leaf)].offset, length: leaves[Int(leaf)].length, body)
  }

  /// Copies a leaf's object to an offset.
  ///
  /// - Returns: Its length.
  @inline(__always)
  func copy(_ leaf: UInt32, to offset: Int, of target: inout MutableRawSpan) -> Int {
    let leaf = leaves[Int(leaf)]
    bytes.copy(leaf.offset, length: leaf.length, to: offset, of: &target)
    return leaf.length
  }

  /// Writes an object after the leaves, and makes it a leaf unless it equals one.
  ///
  /// - Parameters:
  ///   - bound: At least as many bytes as `body` writes.
  ///   - body: Writes the object, and returns its length.
  @inline(__always)
  mutating func leaf(
    bound: Int, _ body: (inout MutableRawSpan, _ start: Int) -> Int
  ) -> (leaf: UInt32, isNew: Bool) {
    bytes.reserve(bound)
    let length = bytes.write(body)
    return unique(length: length, bytes.mark(length: length))
  }

  /// The leaf of a string: ASCII where possible, else UTF-16.
  @inline(__always)
  mutating func string(_ value: String) -> (leaf: UInt32, isNew: Bool) {
    var mark = LeafMark(length: 0)
    let length = shortText(value, &mark)
    return length > 0 ? unique(length: length, mark) : longString(value)
  }

  @inline(__always)
  private mutating func shortText(_ value: String, _ mark: inout LeafMark) -> Int {
    let length = unsafe value.utf8.withContiguousStorageIfAvailable { text in
      unsafe bytes.write(shortText: RawSpan(_unsafeElements: text), &mark)
    }
    return length ?? 0
  }

  @inline(never)
  private mutating func longString(_ value: String) -> (leaf: UInt32, isNew: Bool) {
    var value = value
    value.makeContiguousUTF8()
    let count = value.utf8.count
    // UTF-16 takes at most twice the bytes of UTF-8.
    let bound = 2 * count + 10
    bytes.reserve(bound)
    // Perhaps only the room was missing; the same text must always get the same mark.
    var mark = LeafMark(length: 0)
    let length = shortText(value, &mark)
    if length > 0 { return unique(length: length, mark) }
    return leaf(bound: bound) { target, start in
      let head = target.store(type: 0x50, count: count, at: start)
      let bits = unsafe target.copy(value.utf8Span.span.bytes, to: start + head)
      guard bits & 0x8080_8080_8080_8080 != 0 else { return head + count }
      return Self.storeUTF16(of: value, into: &target, at: start)
    }
  }

  private static func storeUTF16(
    of value: String, into target: inout MutableRawSpan, at start: Int
  ) -> Int {
    let count = value.utf16.count
    var position = start + target.store(type: 0x60, count: count, at: start)
    for unit in value.utf16 {
      target.store(UInt64(unit), width: 2, at: position)
      position += 2
    }
    return position - start
  }

  /// The leaf of the object just written, an older one where the objects are equal.
  @inline(__always)
  private mutating func unique(length: Int, _ mark: LeafMark) -> (leaf: UInt32, isNew: Bool) {
    if leaves.count < Self.searchLimit {
      if bits & mark.bits == mark.bits, let known = search(length: length, mark.value) {
        return (known, false)
      }
      bits |= mark.bits
    } else if let known = findOrInsert(length: length, mark.value) {
      return (known, false)
    }
    leaves.append(Leaf(offset: bytes.count, length: length, mark: mark.value))
    bytes.keep(length: length)
    return (UInt32(truncatingIfNeeded: leaves.count &- 1), true)
  }

  @inline(never)
  private func search(length: Int, _ mark: UInt32) -> UInt32? {
    for known in 0..<leaves.count
    where leaves[known].mark == mark && bytes.repeats(leaves[known], length: length) {
      return UInt32(truncatingIfNeeded: known)
    }
    return nil
  }

  @inline(never)
  private mutating func findOrInsert(length: Int, _ mark: UInt32) -> UInt32? {
    if 2 * leaves.count >= table.count { growTable() }
    let hash = hash(bytes.count, length)
    var slot = Int(truncatingIfNeeded: hash >> 32) & (table.count - 1)
    while table[slot] != 0 {
      if (table[slot] ^ hash) >> 32 == 0 {
        let known = UInt32(truncatingIfNeeded: table[slot]) - 1
        let leaf = self[known]
        if leaf.mark == mark, bytes.repeats(leaf, length: length) { return known }
      }
      slot = (slot + 1) & (table.count - 1)
    }
    table[slot] = hash & ~0xffff_ffff | UInt64(leaves.count + 1)
    return nil
  }

  private mutating func growTable() {
    table = [UInt64](repeating: 0, count: max(256, 4 * table.count))
    for number in 0..<leaves.count {
      let hash = hash(leaves[number].offset, leaves[number].length)
      var slot = Int(truncatingIfNeeded: hash >> 32) & (table.count - 1)
      while table[slot] != 0 { slot = (slot + 1) & (table.count - 1) }
      table[slot] = hash & ~0xffff_ffff | UInt64(number + 1)
    }
  }

  /// A hash with the process's seed: whoever chooses the values cannot aim at collisions.
  private func hash(_ start: Int, _ length: Int) -> UInt64 {
    bytes.reading(start, length: length) { object in
      var hasher = Hasher()
      unsafe object.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
      return UInt64(bitPattern: Int64(hasher.finalize()))
    }
  }
}

extension LeafStore {
  /// The string that Foundation writes for a missing value.
  mutating func null() -> UInt32 { string("$null").leaf }

  mutating func boolean(_ value: Bool) -> UInt32 {
    leaf(bound: 1) { target, start in
      target.store(value ? 0x09 : 0x08, width: 1, at: start)
      return 1
    }.leaf
  }

  mutating func real(_ value: Double) -> UInt32 {
    scalar(0x23, value.bitPattern, width: 8)
  }

  mutating func real(_ value: Float) -> UInt32 {
    scalar(0x22, UInt64(value.bitPattern), width: 4)
  }

  mutating func date(_ value: Date) -> UInt32 {
    scalar(0x33, value.timeIntervalSinceReferenceDate.bitPattern, width: 8)
  }

  private mutating func scalar(_ marker: UInt64, _ bits: UInt64, width: Int) -> UInt32 {
    leaf(bound: 9) { target, start in
      target.store(marker, width: 1, at: start)
      target.store(bits, width: width, at: start &+ 1)
      return 1 &+ width
    }.leaf
  }

  mutating func integer(_ value: Int64) -> UInt32 {
    leaf(bound: 9) { target, start in
      target.store(integer: UInt64(bitPattern: value), at: start)
    }.leaf
  }

  mutating func integer(_ value: UInt64) -> UInt32 {
    Int64(exactly: value).map { integer($0) } ?? wideInteger(Int128(value))
  }

  /// The leaf of an integer of any size.
  mutating func wideInteger(_ value: Int128) -> UInt32 {
    if let value = Int64(exactly: value) { return integer(value) }
    return leaf(bound: 17) { target, start in
      target.store(0x14, width: 1, at: start)
      target.store(UInt64(truncatingIfNeeded: value >> 64), width: 8, at: start + 1)
      target.store(UInt64(truncatingIfNeeded: value), width: 8, at: start + 9)
      return 17
    }.leaf
  }

  mutating func data(_ value: Data) -> UInt32 {
    leaf(bound: value.count + 10) { target, start in
      let head = target.store(type: 0x40, count: value.count, at: start)
      target.copy(value.bytes, to: start + head)
      return head + value.count
    }.leaf
  }

  /// The text of a leaf that is a string.
  func text(of leaf: UInt32) -> String {
    let object = reading(leaf) { object in unsafe object.withUnsafeBytes { unsafe [UInt8]($0) } }
    guard let marker = object.first else { return "" }
    let isWide = marker >> 4 == 6
    var head = 1
    if marker & 0xf == 0xf { head = 2 + 1 << Int(object[1] & 0xf) }
    let content = object.dropFirst(head)
    guard isWide else { return String(decoding: content, as: UTF8.self) }
    let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map {
      UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }
}

/// A scalar, a string or data that was encoded, as an object among the leaves' bytes.
struct Leaf {
  let offset: Int
  let length: Int
  /// Tells the leaf quickly from others.
  let mark: UInt32
  /// The leaf's number among the objects plus one; 0 until it is written.
  var number: UInt32 = 0
}
