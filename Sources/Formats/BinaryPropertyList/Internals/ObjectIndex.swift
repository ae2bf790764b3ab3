/// All objects of a property list, checked so that reading any of them cannot fail.
struct ObjectIndex: Sendable {
  let trailer: Trailer
  /// The objects in the order of the offset table.
  let tape: [TapeEntry]
  /// Whether any object is referred to more than once.
  let hasShared: Bool

  /// Checks every object, and every reference between them, in time and memory linear in the bytes.
  init(of bytes: RawSpan, options: DecodingOptions) throws(DecodingFailure) {
    let trailer = try Trailer(of: bytes, options: options)
    var tape = try [TapeEntry](filling: trailer.objectCount) {
      tape throws(DecodingFailure) in
      try Self.read(into: &tape, from: bytes, trailer: trailer, options: options)
    }
    var span = tape.mutableSpan
    hasShared = try Self.walk(&span, trailer: trailer, in: bytes, options: options)
    self.trailer = trailer
    self.tape = tape
  }

  private static func read(
    into tape: inout OutputSpan<TapeEntry>, from bytes: RawSpan, trailer: Trailer,
    options: DecodingOptions
  ) throws(DecodingFailure) {
    let factor = options.toleratesFlaws ? DecodingOptions.overlapLimit : 1
    var left = factor * (trailer.table - Trailer.headerLength)
    for object in 0..<trailer.objectCount {
      let offset = try trailer.offset(of: object, in: bytes)
      var length = 0
      let entry = try TapeEntry(
        at: offset, &length, in: bytes, trailer: trailer, options: options)
      // Many overlapping objects, such as a thousand arrays at one offset, would make the work
      // quadratic. A few, for which gaps between other objects leave the bytes, cannot, nor can as
      // many as the options tolerate.
      left &-= length
      guard left >= 0 else { throw DecodingFailure(.overlap, at: offset) }
      tape.append(entry)
    }
  }

  /// Visits every container once, without recursion, and its references.
  ///
  /// - Returns: Whether any object is referred to more than once.
  private static func walk(
    _ tape: inout MutableSpan<TapeEntry>, trailer: Trailer, in bytes: RawSpan,
    options: DecodingOptions
  ) throws(DecodingFailure) -> Bool {
    var keys = KeyChecker()
    var marks = KeyChecker.marks(objectCount: trailer.objectCount)
    // Not the span of an empty array, which takes two calls.
    var markSpan = MutableSpan<KeyMark>()
    if !marks.isEmpty { markSpan = marks.mutableSpan }
    var frames: [WalkFrame] = []
    var flags: UInt64 = 0
    // The root first, so that the limit applies to depths below it; then the containers that it does
    // not reach, so that every object of the table is sound.
    for start in -1..<trailer.objectCount {
      let isRootDone = start >= 0
      let start = start < 0 ? trailer.root : start
      guard tape[start].isContainer, tape[start].height == 0 else { continue }
      guard options.depthLimit >= 1 else {
        throw DecodingFailure(.tooDeep, at: tape[start].offset)
      }
      var frame = try open(
        start, &tape, &keys, &markSpan, &flags, trailer: trailer, in: bytes, options: options)
      while true {
        while frame.position < frame.end {
          let position = frame.position
          let object = try trailer.reference(at: position, in: bytes)
          frame.position = position &+ trailer.referenceWidth
          let entry = tape[object]
          guard entry.isContainer else {
            tape[object].noteReference(&flags)
            continue
          }
          if entry.isOpen {
            // The walk from the root is over once others are walked.
            guard options.toleratesFlaws, isRootDone else {
              throw DecodingFailure(.cycle, at: position)
            }
            continue
          }
          tape[object].noteReference(&flags)
          let height = entry.height
          guard frames.count + 1 + max(height, 1) <= options.depthLimit else {
            throw DecodingFailure(.tooDeep, at: entry.offset)
          }
          if height > 0 {
            frame.height = max(frame.height, height)
          } else {
            frames.append(frame)
            frame = try open(
              object, &tape, &keys, &markSpan, &flags, trailer: trailer, in: bytes,
              options: options)
          }
        }
        tape[frame.object].height = frame.height + 1
        tape[frame.object].isOpen = false
        guard var parent = frames.popLast() else { break }
        parent.height = max(parent.height, frame.height + 1)
        frame = parent
      }
    }
    return TapeEntry.isAnyShared(flags)
  }

  /// Begins a container: checks a dictionary's keys, and leaves its values to the walk.
  @inline(__always)
  private static func open(
    _ object: Int, _ tape: inout MutableSpan<TapeEntry>, _ keys: inout KeyChecker,
    _ marks: inout MutableSpan<KeyMark>, _ flags: inout UInt64, trailer: Trailer, in bytes: RawSpan,
    options: DecodingOptions
  ) throws(DecodingFailure) -> WalkFrame {
    let entry = tape[object]
    tape[object].isOpen = true
    var start = entry.contentOffset
    let length = entry.count * trailer.referenceWidth
    if entry.isDictionary {
      var hasIntegers = false
      let duplicate = try keys.check(
        entry, &tape, &marks, &flags, &hasIntegers, trailer: trailer, in: bytes)
      if let duplicate {
        guard options.keepsFirstOfDuplicateKeys else {
          throw DecodingFailure(.duplicateKey, at: duplicate)
        }
        tape[object].isFlawed = true
      }
      if hasIntegers { tape[object].isFlawed = true }
      start += length
    }
    return WalkFrame(object: object, position: start, end: start + length, height: 0)
  }
}

/// A container that the walk over all references is inside of.
private struct WalkFrame {
  let object: Int
  /// The offset of the next reference.
  var position: Int
  /// The offset after the last reference.
  let end: Int
  /// The height of the highest container found inside.
  var height: Int
}

/// Finds keys that a dictionary has twice; all dictionaries together take time linear in the
/// property list.
///
/// Every key object is hashed once and given the first object of the same text as its identity; a
/// dictionary then has a key twice when it stamps an identity twice.
private struct KeyChecker {
  /// An open hash table; the upper half of a slot is the hash, the lower an identity plus one.
  private var slots: [UInt64] = []
  private var used = 0
  private var stamp: UInt32 = 0
  /// The dictionary that was checked last, unless it has a key twice: in lists of records the next
  /// one has the same references to the same keys.
  private var checked: TapeEntry = .none
  /// Whether a second dictionary had the same references, so that each was already noted twice.
  private var isRepeated = false

  /// Up to so many objects comparing all pairs of keys costs less than hashing the keys.
  private static let pairLimit = 48

  /// A mark for each object, or an empty array where there are few objects.
  static func marks(objectCount: Int) -> [KeyMark] {
    // Zeros: a page of them is touched only when one of its objects is a key.
    objectCount > pairLimit ? [KeyMark](repeating: KeyMark(), count: objectCount) : []
  }

  /// Checks that the keys of a dictionary are strings, and notes the references to them.
  ///
  /// - Parameter hasIntegers: set where a key is an integer, which only
  ///   ``DecodingOptions/toleratesFlaws`` lets pass.
  /// - Returns: The offset of the reference to the first key that repeats another, or `nil`.
  @inline(__always)
  mutating func check(
    _ dictionary: TapeEntry, _ tape: inout MutableSpan<TapeEntry>,
    _ marks: inout MutableSpan<KeyMark>, _ flags: inout UInt64, _ hasIntegers: inout Bool,
    trailer: Trailer, in bytes: RawSpan
  ) throws(DecodingFailure) -> Int? {
    let start = dictionary.contentOffset
    let width = trailer.referenceWidth
    let isRepetition =
      dictionary.value == checked.value
      && bytes.repeats(checked.contentOffset, at: start, count: dictionary.count &* width)
    if isRepetition, isRepeated { return nil }
    var duplicate: Int?
    var filter = KeyFilter()
    stamp &+= 1
    for index in 0..<dictionary.count {
      let position = start &+ index &* width
      let key = try trailer.reference(at: position, in: bytes)
      let entry = tape[key]
      tape[key].noteReference(&flags)
      guard entry.isString else {
        guard trailer.toleratesFlaws, entry.kind == .integer else {
          throw DecodingFailure(.keyType, at: position)
        }
        // The tree compares its digits with the other keys.
        hasIntegers = true
        continue
      }
      guard duplicate == nil else { continue }
      if marks.isEmpty {
        guard filter.mayHold(entry, in: bytes) else { continue }
        for earlier in 0..<index {
          let other = trailer.checkedReference(at: start &+ earlier &* width, in: bytes)
          // A number as count would lead outside the bytes.
          guard tape[other].isString else { continue }
          if key == other || entry.hasSameText(as: tape[other], in: bytes) {
            duplicate = position
          }
        }
      } else {
        let known = marks[key].identity
        let identity =
          known != 0 ? Int(known) &- 1 : identify(key, &marks, tape: tape.span, in: bytes)
        if marks[identity].stamp == stamp {
          duplicate = position
        }
        marks[identity].stamp = stamp
      }
    }
    checked = duplicate == nil && !hasIntegers ? dictionary : .none
    isRepeated = isRepetition
    return duplicate
  }

  @inline(never)
  private mutating func identify(
    _ key: Int, _ marks: inout MutableSpan<KeyMark>, tape: Span<TapeEntry>, in bytes: RawSpan
  ) -> Int {
    if used * 2 >= slots.count { grow() }
    let hash = tape[key].textHash(in: bytes, key: .ofProcess)
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash >> 32) & mask
    while slots[slot] != 0 {
      let identity = Int(truncatingIfNeeded: slots[slot] & 0xffff_ffff) - 1
      if slots[slot] >> 32 == hash >> 32, tape[identity].hasSameText(as: tape[key], in: bytes) {
        marks[key].identity = UInt32(identity + 1)
        return identity
      }
      slot = (slot + 1) & mask
    }
    slots[slot] = hash & ~0xffff_ffff | UInt64(key + 1)
    used += 1
    marks[key].identity = UInt32(key + 1)
    return key
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: max(64, 2 * old.count))
    let mask = slots.count - 1
    for entry in old where entry != 0 {
      var slot = Int(truncatingIfNeeded: entry >> 32) & mask
      while slots[slot] != 0 {
        slot = (slot + 1) & mask
      }
      slots[slot] = entry
    }
  }
}

/// Recognises most keys that differ from all keys before them, without comparing.
private struct KeyFilter {
  /// One bit for each key so far, chosen by its length and its first eight bytes.
  private var bits: UInt64 = 0

  /// Whether a key may equal one of the keys so far; adds it to them.
  @inline(__always)
  mutating func mayHold(_ key: TapeEntry, in bytes: RawSpan) -> Bool {
    // In other encodings than ASCII, the same text has other bytes.
    if key.kind != .ascii { bits = .max }
    let start = bytes.littleEndianWord(at: key.contentOffset) & RawSpan.lowBytes(min(key.count, 8))
    let sum = start &+ UInt64(truncatingIfNeeded: key.count)
    let bit: UInt64 = 1 &<< ((sum &* 0x9e37_79b9_7f4a_7c15) &>> 58)
    defer { bits |= bit }
    return bits & bit != 0
  }
}

/// The notes of the check for equal keys on an object.
private struct KeyMark {
  /// The number of the first object with the same text, plus one; zero while unknown.
  var identity: UInt32 = 0
  /// The stamp of the last dictionary that has a key of this identity.
  var stamp: UInt32 = 0
}
