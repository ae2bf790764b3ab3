/// A place in the tree of values being encoded: the root, an element, or the value of a key.
struct Slot {
  /// What stands in the place.
  enum Content: UInt8 {
    /// Nothing yet; at the end, a dictionary without entries.
    case empty
    case leaf, array, dictionary
    /// Nothing, and it is not to be written: encoding the value failed.
    case removed
  }

  var content = Content.empty
  /// The leaf that is the place's key in a dictionary.
  var key: UInt32 = 0
  /// The next place of the same container; 0 for none, since the root has no siblings.
  var next: UInt32 = 0
  /// The leaf, or a container's first place.
  var first: UInt32 = 0
  /// A container's last place.
  var last: UInt32 = 0
  /// How many places a container has, and how many of them are removed.
  var count: UInt32 = 0
  var removedCount: UInt32 = 0
  /// How often a value that stood here gave way; whoever wrote into that value must not go on.
  var generation: UInt32 = 0

  /// How many values a container has.
  @inline(__always)
  var valueCount: Int { Int(count &- removedCount) }
}
