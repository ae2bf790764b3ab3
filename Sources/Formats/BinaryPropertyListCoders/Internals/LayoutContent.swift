/// The objects of a property list that is to be laid out, counted.
struct LayoutContent {
  private(set) var objectCount = 0
  private(set) var referenceCount = 0
  /// The objects' bytes but for those of references.
  private(set) var length = 0

  /// Adds the container in a place; a leaf may be in several places, and is not counted here.
  @inline(__always)
  mutating func add(_ slot: Slot) {
    guard slot.content != .leaf else { return }
    let count = slot.valueCount
    objectCount &+= 1
    length &+= Layout.headLength(count: count)
    referenceCount &+= slot.content == .array ? count : 2 &* count
  }

  mutating func addLeaves(count: Int, length: Int) {
    objectCount &+= count
    self.length &+= length
  }
}
