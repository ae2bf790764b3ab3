/// An open hash table of the objects that were written and may be referred to again.
struct UniqueTable {
  /// The upper half of a slot is the object's hash, the lower its number plus one; 0 is free.
  private var slots: [UInt64]
  private var used = 0

  init(capacity: Int) {
    var size = 64
    while size < 2 * capacity { size *= 2 }
    slots = [UInt64](repeating: 0, count: size)
  }

  /// Finds the object of the hash for which `isSame` holds, or notes `new` as that of the hash.
  @inline(__always)
  mutating func findOrInsert(_ hash: UInt64, new: UInt32, isSame: (UInt32) -> Bool) -> UInt32? {
    let mask = slots.count &- 1
    var slot = Int(truncatingIfNeeded: hash >> 32) & mask
    while true {
      let entry = slots[slot]
      if entry == 0 { break }
      if (entry ^ hash) >> 32 == 0 {
        let known = UInt32(truncatingIfNeeded: entry) &- 1
        if isSame(known) { return known }
      }
      slot = (slot &+ 1) & mask
    }
    slots[slot] = hash & ~0xffff_ffff | UInt64(new &+ 1)
    used &+= 1
    if used &* 2 > slots.count { grow() }
    return nil
  }

  @inline(never)
  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: 4 * old.count)
    let mask = slots.count - 1
    for entry in old where entry != 0 {
      var slot = Int(truncatingIfNeeded: entry >> 32) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = entry
    }
  }
}
