/// Finds keys that a dictionary has twice, in time linear in the property list for all its
/// dictionaries together.
///
/// Every key object is hashed once and given the first object of the same text as its identity; a
/// dictionary then has a key twice when it stamps an identity twice.
struct KeyChecker {
  /// An open hash table; the upper half of a slot is the hash, the lower an identity plus one.
  private var slots: [UInt64] = []
  private var used = 0
  private var stamp: UInt32 = 0
  /// The dictionary that was checked last and has no key twice: in lists of records the next has
  /// the same references to the same keys.
  private var checked: TapeEntry = .none
  /// Whether a second dictionary had the same references, so that all of them are noted twice.
  private var isRepeated = false

  /// Up to so many objects, comparing all pairs of keys costs less than hashing them.
  private static let pairLimit = 48

  /// For each object what the checks note of it, or nothing where there are few.
  static func marks(objectCount: Int) -> [KeyMark] {
    // Zeros, whose pages are not touched before a key is.
    objectCount > pairLimit ? [KeyMark](repeating: KeyMark(), count: objectCount) : []
  }

  /// Checks that the keys of a dictionary are strings, and notes the references to them.
  ///
  /// - Returns: Where the reference to the first key lies that repeats another, or `nil`.
  @inline(__always)
  mutating func check(
    _ dictionary: TapeEntry, _ tape: inout MutableSpan<TapeEntry>,
    _ marks: inout MutableSpan<KeyMark>, _ flags: inout UInt64, trailer: Trailer, in bytes: RawSpan
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
      guard entry.isString else { throw DecodingFailure(.keyType, at: position) }
      tape[key].noteReference(&flags)
      guard duplicate == nil else { continue }
      if marks.isEmpty {
        guard filter.mayHold(entry, in: bytes) else { continue }
        for earlier in 0..<index {
          let other = trailer.checkedReference(at: start &+ earlier &* width, in: bytes)
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
    checked = duplicate == nil ? dictionary : .none
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
