/// The bytes of leaves, one object after the other, with room for one more.
///
/// Each function checks once whether there is room for everything that it stores or loads.
@safe struct LeafBytes: ~Copyable {
  private var base: UnsafeMutableRawPointer
  private(set) var capacity = 512
  /// How many bytes belong to leaves; an object written after them is no leaf until it is kept.
  private(set) var count = 0

  /// The room that is always left after an object, so that whole words can be stored and loaded.
  private static let slack = 16

  /// Texts from this length on are written another way.
  private static let shortLimit = 0x100

  init() {
    unsafe base = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    unsafe base.deallocate()
  }

  /// Forgets all leaves but keeps the memory.
  mutating func removeAll() {
    count = 0
  }

  /// Makes room for an object of `length` bytes.
  @inline(__always)
  mutating func reserve(_ length: Int) {
    if length > capacity &- count &- Self.slack { grow(length) }
  }

  @inline(never)
  private mutating func grow(_ length: Int) {
    capacity = max(2 * capacity, count + length + Self.slack)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    unsafe larger.copyMemory(from: base, byteCount: count)
    unsafe base.deallocate()
    unsafe base = larger
  }

  /// Writes an object after the leaves by a function that gets the whole memory.
  @inline(__always)
  mutating func write(_ body: (inout MutableRawSpan, _ start: Int) -> Int) -> Int {
    var target = unsafe UnsafeMutableRawBufferPointer(start: base, count: capacity).mutableBytes
    return body(&target, count)
  }

  /// Writes a text as an object after the leaves, if it is short and ASCII and there is room.
  ///
  /// - Returns: The object's length, or 0.
  @inline(__always)
  mutating func write(shortText text: RawSpan, _ mark: inout LeafMark) -> Int {
    let length = text.byteCount
    guard length < Self.shortLimit, length &+ 3 <= capacity &- count &- Self.slack else { return 0 }
    var target = count
    if length < 15 {
      unsafe base.storeBytes(
        of: 0x50 | UInt8(truncatingIfNeeded: length), toByteOffset: target, as: UInt8.self)
      target &+= 1
    } else {
      let word = 0x105f | UInt32(truncatingIfNeeded: length) &<< 16
      unsafe base.storeBytes(of: word.littleEndian, toByteOffset: target, as: UInt32.self)
      target &+= 3
    }
    mark = LeafMark(length: length)
    var bits: UInt64 = 0
    if length >= 16 {
      // The last word repeats some bytes of the word before.
      var position = 0
      while position < length &- 8 {
        bits |= store(text.uncheckedWord(at: position), at: target &+ position, &mark)
        position &+= 8
      }
      position = length &- 8
      bits |= store(text.uncheckedWord(at: position), at: target &+ position, &mark)
    } else if length >= 8 {
      // Short strings lie on the stack, where two words were just stored: a load across both would
      // wait for the stores.
      bits |= store(text.uncheckedWord(at: 0), at: target, &mark)
      bits |= store(text.shortWord(at: 8), at: target &+ 8, &mark)
    } else {
      bits |= store(text.shortWord(at: 0), at: target, &mark)
    }
    return bits & 0x8080_8080_8080_8080 == 0 ? target &- count &+ length : 0
  }

  @inline(__always)
  private func store(_ word: UInt64, at offset: Int, _ mark: inout LeafMark) -> UInt64 {
    unsafe base.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
    mark.combine(word)
    return word
  }

  /// The mark of the object just written.
  func mark(length: Int) -> LeafMark {
    var mark = LeafMark(length: length)
    mark.combine(word(at: count) & Self.lowBytes(length))
    if length > 8 { mark.combine(word(at: count &+ length &- 8)) }
    return mark
  }

  /// Whether the object just written equals that of a leaf.
  @inline(__always)
  func repeats(_ leaf: Leaf, length: Int) -> Bool {
    guard leaf.length == length else { return false }
    var offset = 0
    while offset < length {
      let difference = word(at: leaf.offset &+ offset) ^ word(at: count &+ offset)
      guard difference & Self.lowBytes(length &- offset) == 0 else { return false }
      offset &+= 8
    }
    return true
  }

  /// Makes the object just written that of a leaf.
  @inline(__always)
  mutating func keep(length: Int) {
    precondition(length >= 0 && length <= capacity &- count &- Self.slack)
    count &+= length
  }

  /// The eight bytes at an offset, undefined after the last object.
  @inline(__always)
  private func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset <= capacity &- 8)
    return unsafe UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// A mask of a word's lowest bytes, of all bytes for a count of 8 or more.
  @inline(__always)
  private static func lowBytes(_ count: Int) -> UInt64 {
    count >= 8 ? .max : ~(UInt64.max << UInt64(truncatingIfNeeded: 8 &* count))
  }

  /// Copies some bytes to an offset of a span.
  @inline(__always)
  func copy(_ start: Int, length: Int, to offset: Int, of target: inout MutableRawSpan) {
    precondition(start >= 0 && length >= 0 && length <= capacity &- start)
    precondition(offset >= 0 && length <= target.byteCount &- offset)
    unsafe target.withUnsafeMutableBytes { target in
      // Both ranges were just checked.
      unsafe target.baseAddress?.advanced(by: offset)
        .copyMemory(from: base + start, byteCount: length)
    }
  }

  /// Passes bytes from an offset on to `body`; they may be those of the object just written.
  @inline(__always)
  func reading<Result>(_ offset: Int, length: Int, _ body: (RawSpan) -> Result) -> Result {
    precondition(offset >= 0 && length >= 0 && length <= capacity &- offset)
    return unsafe body(UnsafeRawBufferPointer(start: base + offset, count: length).bytes)
  }
}

/// A sum of a leaf's bytes, which tells the leaf quickly from most others.
struct LeafMark {
  private var sum: UInt64

  init(length: Int) {
    sum = UInt64(truncatingIfNeeded: length)
  }

  @inline(__always)
  mutating func combine(_ word: UInt64) {
    sum = sum &+ word
  }

  /// Bits that depend on all bits of the sum.
  @inline(__always)
  var value: UInt32 { UInt32(truncatingIfNeeded: product &>> 32) }

  /// Two bits set of 64.
  @inline(__always)
  var bits: UInt64 { 1 &<< (product &>> 58) | 1 &<< (product &>> 52 & 63) }

  @inline(__always)
  private var product: UInt64 { sum &* 0x9e37_79b9_7f4a_7c15 }
}

/// Elements in memory that only this buffer refers to.
///
/// An array checks at each change whether something else refers to it, which takes longer than most
/// of the changes here.
@safe struct ElementBuffer<Element: BitwiseCopyable>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>
  private(set) var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(1, capacity)
    unsafe base = .allocate(capacity: self.capacity)
  }

  deinit {
    unsafe base.deallocate()
  }

  subscript(index: Int) -> Element {
    @inline(__always) _read {
      precondition(index >= 0 && index < count)
      yield unsafe base[index]
    }
    @inline(__always) _modify {
      precondition(index >= 0 && index < count)
      yield unsafe &base[index]
    }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    unsafe base.advanced(by: count).initialize(to: element)
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: 2 * capacity)
    unsafe larger.initialize(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = larger
    capacity *= 2
  }

  /// Forgets the elements but keeps the memory.
  mutating func removeAll() {
    count = 0
  }
}
