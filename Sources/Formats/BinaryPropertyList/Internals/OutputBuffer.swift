/// The bytes written so far, with room for more; each store is checked against the room.
@safe struct OutputBuffer: ~Copyable {
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  /// How many bytes are written; the memory after them is undefined.
  private(set) var count = 0

  /// The room that is always left after the written bytes, so that whole words can be stored and
  /// loaded where fewer bytes count.
  static let slack = 16
  /// Whether the memory is the buffer's own, to grow and to release.
  private let isOwner: Bool
  /// The key of the hashes that are made while appending; a copy, since the original takes a call.
  let hashKey: HashKey

  init(capacity: Int) {
    self.capacity = capacity + Self.slack
    unsafe base = Self.allocate(self.capacity)
    isOwner = true
    hashKey = .ofProcess
  }

  /// Makes a buffer of memory that outlives it and has room for everything that will be written.
  @unsafe
  init(filling memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress else {
      preconditionFailure("a buffer without memory")
    }
    unsafe base = start
    capacity = memory.count
    isOwner = false
    hashKey = .none
  }

  deinit {
    if isOwner { unsafe base.deallocate() }
  }

  /// Makes room for `length` bytes more.
  @inline(__always)
  mutating func reserve(_ length: Int) {
    if length > capacity - count - Self.slack { grow(length) }
  }

  @inline(never)
  private mutating func grow(_ length: Int) {
    precondition(isOwner, "more was written than there was to be room for")
    capacity = max(2 * capacity, count + length + Self.slack)
    let target = unsafe Self.allocate(capacity)
    unsafe target.copyMemory(from: base, byteCount: count)
    unsafe base.deallocate()
    unsafe base = target
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: capacity, alignment: 16)
  }

  /// Whether there is room for `length` bytes more, and for whole words after them.
  @inline(__always)
  func hasRoom(for length: Int) -> Bool {
    length <= capacity &- count &- Self.slack
  }

  /// Forgets the bytes from an offset on.
  @inline(__always)
  mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= self.count)
    self.count = count
  }

  /// Appends a marker and after it a number of `width` bytes, up to 8; room must be reserved.
  @inline(__always)
  mutating func append(marker: UInt8, _ value: UInt64, width: Int) {
    precondition(count <= capacity &- 9)
    unsafe base.storeBytes(of: marker, toByteOffset: count, as: UInt8.self)
    let word = (value &<< UInt64(truncatingIfNeeded: 64 &- 8 &* width)).bigEndian
    unsafe base.storeBytes(of: word, toByteOffset: count &+ 1, as: UInt64.self)
    count &+= 1 &+ width
  }

  /// Appends a number of `width` bytes, 1 to 8; room must be reserved.
  @inline(__always)
  mutating func append(_ value: UInt64, width: Int) {
    precondition(count <= capacity &- 8)
    let word = (value &<< UInt64(truncatingIfNeeded: 64 &- 8 &* width)).bigEndian
    unsafe base.storeBytes(of: word, toByteOffset: count, as: UInt64.self)
    count &+= width
  }

  /// Appends a number of eight bytes; room must be reserved.
  @inline(__always)
  mutating func appendWord(_ value: UInt64) {
    precondition(count <= capacity &- 8)
    unsafe base.storeBytes(of: value.bigEndian, toByteOffset: count, as: UInt64.self)
    count &+= 8
  }

  /// Appends the trailer of a property list whose root is its first object; room must be reserved.
  mutating func appendTrailer(
    offsetWidth: Int, referenceWidth: Int, objectCount: Int, table: Int
  ) {
    precondition(count <= capacity &- Trailer.length)
    let words: [4 of UInt64] = [
      UInt64(truncatingIfNeeded: offsetWidth &<< 8 | referenceWidth), UInt64(objectCount), 0,
      UInt64(table),
    ]
    for index in words.indices {
      unsafe base.storeBytes(
        of: words[index].bigEndian, toByteOffset: count &+ 8 &* index, as: UInt64.self)
    }
    count &+= Trailer.length
  }

  /// Appends a marker and a count, which has an object of its own from 15 up; room must be reserved.
  @inline(__always)
  mutating func append(type: UInt8, count length: Int) {
    if length < 0x100 {
      appendShort(type: type, count: length)
    } else {
      appendLong(type: type, count: length)
    }
  }

  /// Appends a marker and a count below 0x100; room must be reserved.
  @inline(__always)
  private mutating func appendShort(type: UInt8, count length: Int) {
    precondition(count <= capacity &- 4)
    if length < 15 {
      unsafe base.storeBytes(
        of: type | UInt8(truncatingIfNeeded: length), toByteOffset: count, as: UInt8.self)
      count &+= 1
    } else {
      let word = UInt32(type | 0xf) | 0x1000 | UInt32(truncatingIfNeeded: length) &<< 16
      unsafe base.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt32.self)
      count &+= 3
    }
  }

  private mutating func appendLong(type: UInt8, count length: Int) {
    let (marker, width) = IntegerWidth.markerAndWidth(of: UInt64(length))
    append(UInt64(type | 0xf), width: 1)
    append(marker: marker, UInt64(length), width: width)
  }

  /// Appends text; room must be reserved.
  ///
  /// The words are digested as they pass: loading them again from the buffer, where they were just
  /// stored in other pieces, would stall.
  ///
  /// - Returns: Whether all bytes are below 0x80.
  @inline(__always)
  mutating func append(text: RawSpan, digest: inout some TextDigest) -> Bool {
    let length = text.byteCount
    precondition(length <= capacity &- count &- 8)
    var bits: UInt64 = 0
    if length >= 16 {
      // The last word repeats some bytes of the word before.
      var position = 0
      while position < length &- 8 {
        let word = text.littleEndianWord(at: position)
        storeWord(word, after: position)
        digest.combine(word)
        bits |= word
        position &+= 8
      }
      let word = text.littleEndianWord(at: length &- 8)
      storeWord(word, after: length &- 8)
      digest.combine(word)
      bits |= word
    } else if length >= 8 {
      // Short strings lie on the stack, where two words were just stored: a load across both would
      // wait for the stores.
      let word = text.littleEndianWord(at: 0)
      storeWord(word, after: 0)
      digest.combine(word)
      let rest = text.shortWord(at: 8)
      storeWord(rest, after: 8)
      digest.combine(rest)
      bits = word | rest
    } else {
      let word = text.shortWord(at: 0)
      // Bytes after the text are overwritten by what follows it.
      storeWord(word, after: 0)
      digest.combine(word)
      bits = word
    }
    count &+= length
    return bits & 0x8080_8080_8080_8080 == 0
  }

  /// Stores eight bytes; the caller has checked the room for those that count.
  @inline(__always)
  private mutating func storeWord(_ word: UInt64, after position: Int) {
    unsafe base.storeBytes(
      of: word.littleEndian, toByteOffset: count &+ position, as: UInt64.self)
  }

  /// Appends `length` undefined bytes, to be stored later; room must be reserved.
  @inline(__always)
  mutating func skip(_ length: Int) {
    precondition(length >= 0 && length <= capacity - count)
    count &+= length
  }

  /// Appends a big-endian UTF-16 unit; room must be reserved.
  @inline(__always)
  mutating func append(unit: UInt16) {
    precondition(count <= capacity &- 2)
    unsafe base.storeBytes(of: unit.bigEndian, toByteOffset: count, as: UInt16.self)
    count &+= 2
  }

  /// Stores a number of 1, 2 or 4 bytes over bytes that were appended before.
  @inline(__always)
  mutating func store(_ value: UInt32, at offset: Int, width: Int) {
    precondition(offset >= 0 && offset <= count - width)
    switch width {
    case 1:
      unsafe base.storeBytes(
        of: UInt8(truncatingIfNeeded: value), toByteOffset: offset, as: UInt8.self)
    case 2:
      unsafe base.storeBytes(
        of: UInt16(truncatingIfNeeded: value).bigEndian, toByteOffset: offset, as: UInt16.self)
    default:
      unsafe base.storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt32.self)
    }
  }

  /// The eight bytes at an offset, undefined after the written bytes.
  @inline(__always)
  private func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset <= capacity &- 8)
    return unsafe UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Whether the bytes from `start` to the end repeat those at `other`, which lies before them.
  @inline(__always)
  func repeats(_ other: Int, from start: Int) -> Bool {
    var offset = 0
    var left = count &- start
    while left > 8 {
      guard word(at: other &+ offset) == word(at: start &+ offset) else { return false }
      offset &+= 8
      left &-= 8
    }
    let difference = word(at: other &+ offset) ^ word(at: start &+ offset)
    return difference & RawSpan.lowBytes(left) == 0
  }

  /// Copies the bytes into a larger buffer's beginning.
  func copy(into target: UnsafeMutableBufferPointer<UInt8>) {
    unsafe UnsafeMutableRawBufferPointer(target)
      .copyMemory(from: UnsafeRawBufferPointer(start: base, count: count))
  }
}

/// The widths in which CoreFoundation writes numbers.
enum IntegerWidth {
  /// The smallest of 1, 2, 4 and 8 bytes that hold a number.
  @inline(__always)
  static func bytes(for value: UInt64) -> Int {
    switch value {
    case ...0xff: 1
    case ...0xffff: 2
    case ...0xffff_ffff: 4
    default: 8
    }
  }

  /// The marker of an integer object that is not negative, and its width.
  @inline(__always)
  static func markerAndWidth(of value: UInt64) -> (marker: UInt8, width: Int) {
    switch value {
    case ...0xff: (0x10, 1)
    case ...0xffff: (0x11, 2)
    case ...0xffff_ffff: (0x12, 4)
    default: (0x13, 8)
    }
  }
}
