/// Finds keys that a dictionary has twice, in time linear in the property list for all its
/// dictionaries together.
///
/// Every key object is hashed once and given the first object of the same text as its identity; a
/// dictionary then has a key twice when it stamps an identity twice.
struct KeyChecker {
  /// By object: its identity plus one, and as an identity the last dictionary with the key.
  private var marks: [KeyMark] = []
  /// An open hash table; the upper half of a slot is the hash, the lower an identity plus one.
  private var slots: [UInt64] = []
  private var used = 0
  private var stamp: UInt32 = 0
  private let objectCount: Int

  /// Up to here comparing all pairs costs less than hashing.
  private static let pairLimit = 8

  init(objectCount: Int) {
    self.objectCount = objectCount
  }

  /// Checks that the keys of a dictionary are strings.
  ///
  /// - Returns: Where the reference to the first key lies that repeats another, or `nil`.
  mutating func check(
    _ dictionary: TapeEntry, tape: [TapeEntry], trailer: Trailer, in bytes: RawSpan
  ) throws(DecodingFailure) -> Int? {
    let start = dictionary.contentOffset
    let width = trailer.referenceWidth
    let count = dictionary.count
    let comparesPairs = marks.isEmpty && count <= Self.pairLimit
    if !comparesPairs, marks.isEmpty {
      marks = [KeyMark](repeating: KeyMark(), count: objectCount)
    }
    stamp += 1
    var duplicate: Int?
    for index in 0..<count {
      let position = start &+ index &* width
      let key = try trailer.reference(at: position, in: bytes)
      guard tape[key].isString else { throw DecodingFailure(.keyType, at: position) }
      guard duplicate == nil else { continue }
      if comparesPairs {
        for earlier in 0..<index {
          let other = try trailer.reference(at: start &+ earlier &* width, in: bytes)
          if key == other || tape[key].hasSameText(as: tape[other], in: bytes) {
            duplicate = position
          }
        }
      } else {
        let identity = identity(of: key, tape: tape, in: bytes)
        if marks[identity].stamp == stamp {
          duplicate = position
        }
        marks[identity].stamp = stamp
      }
    }
    return duplicate
  }

  @inline(__always)
  private mutating func identity(of key: Int, tape: [TapeEntry], in bytes: RawSpan) -> Int {
    let known = marks[key].identity
    if known != 0 { return Int(known) - 1 }
    return identify(key, tape: tape, in: bytes)
  }

  private mutating func identify(_ key: Int, tape: [TapeEntry], in bytes: RawSpan) -> Int {
    if used * 2 >= slots.count { grow() }
    let hash = tape[key].textHash(in: bytes)
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
