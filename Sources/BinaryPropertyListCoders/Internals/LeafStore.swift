/// The encoded leaves of a tree, each once: objects of the same bytes are the same leaf.
struct LeafStore: ~Copyable {
  private(set) var bytes = [UInt8](repeating: 0, count: 512)
  /// How many bytes are those of leaves; behind them is always room for one more word.
  private var count = 0
  private(set) var leaves: [Leaf] = []
  /// An open hash table, made when there are many leaves: the upper half of a slot is the hash,
  /// the lower the leaf plus one; 0 is free.
  private var table: [UInt64] = []

  /// Up to here comparing with all leaves costs less than hashing.
  private static let searchLimit = 16

  init() {
    leaves.reserveCapacity(Self.searchLimit)
  }

  /// Whether the leaves' memory is little enough to be kept.
  var isSmall: Bool { bytes.count <= 16_384 && leaves.count <= 256 }

  /// Forgets all leaves but keeps the memory.
  mutating func removeAll() {
    count = 0
    leaves.removeAll(keepingCapacity: true)
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

  /// Writes an object behind the leaves, which `body` returns the length of, and gives its leaf.
  ///
  /// - Parameter bound: More bytes than `body` writes.
  @inline(__always)
  mutating func leaf(
    bound: Int, _ body: (inout MutableRawSpan, _ start: Int) -> Int
  ) -> (leaf: UInt32, isNew: Bool) {
    let room = bound &+ 16
    if room > bytes.count &- count { grow(room) }
    let start = count
    var elements = bytes.mutableSpan
    var target = unsafe elements.mutableBytes
    let length = body(&target, start)
    return unique(length: length)
  }

  private mutating func grow(_ room: Int) {
    let size = max(2 * bytes.count, count + room)
    bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
  }

  /// The leaf of the bytes just written behind the others, an older one where it has the same.
  @inline(__always)
  private mutating func unique(length: Int) -> (leaf: UInt32, isNew: Bool) {
    let start = count
    let mark = bytes.word(at: start) & [UInt8].lowBytes(length)
    if leaves.count <= Self.searchLimit {
      for known in leaves.indices
      where leaves[known].mark == mark && leaves[known].length == length
        && isSame(leaves[known].offset, start, length)
      {
        return (UInt32(truncatingIfNeeded: known), false)
      }
    } else if let known = findOrInsert(start: start, length: length, mark: mark) {
      return (known, false)
    }
    count &+= length
    leaves.append(Leaf(offset: start, length: length, mark: mark))
    return (UInt32(truncatingIfNeeded: leaves.count &- 1), true)
  }

  @inline(__always)
  private func isSame(_ one: Int, _ two: Int, _ length: Int) -> Bool {
    var offset = 8
    while offset < length {
      let difference = bytes.word(at: one &+ offset) ^ bytes.word(at: two &+ offset)
      guard difference & [UInt8].lowBytes(length &- offset) == 0 else { return false }
      offset &+= 8
    }
    return true
  }

  @inline(never)
  private mutating func findOrInsert(start: Int, length: Int, mark: UInt64) -> UInt32? {
    if 2 * leaves.count >= table.count { growTable() }
    let hash = hash(start, length)
    var slot = Int(truncatingIfNeeded: hash >> 32) & (table.count - 1)
    while table[slot] != 0 {
      if (table[slot] ^ hash) >> 32 == 0 {
        let known = UInt32(truncatingIfNeeded: table[slot]) - 1
        let leaf = self[known]
        if leaf.mark == mark, leaf.length == length, isSame(leaf.offset, start, length) {
          return known
        }
      }
      slot = (slot + 1) & (table.count - 1)
    }
    table[slot] = hash & ~0xffff_ffff | UInt64(leaves.count + 1)
    return nil
  }

  private mutating func growTable() {
    table = [UInt64](repeating: 0, count: max(256, 4 * table.count))
    for (number, leaf) in leaves.enumerated() {
      let hash = hash(leaf.offset, leaf.length)
      var slot = Int(truncatingIfNeeded: hash >> 32) & (table.count - 1)
      while table[slot] != 0 { slot = (slot + 1) & (table.count - 1) }
      table[slot] = hash & ~0xffff_ffff | UInt64(number + 1)
    }
  }

  /// A hash that is seeded by the process: who chooses the values cannot aim at collisions.
  private func hash(_ start: Int, _ length: Int) -> UInt64 {
    var hasher = Hasher()
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]))
    }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
