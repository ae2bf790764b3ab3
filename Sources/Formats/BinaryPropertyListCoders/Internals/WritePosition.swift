/// Where the next object is written, and how many there are before it.
struct WritePosition {
  let layout: Layout
  private(set) var objectCount = 0
  private(set) var offset = Layout.headerLength

  init(layout: Layout) {
    self.layout = layout
  }

  /// Begins an object: notes in the offset table where it is.
  ///
  /// - Returns: The object's number, plus one.
  @inline(__always)
  mutating func begin(in target: inout MutableRawSpan) -> UInt32 {
    target.store(
      UInt64(truncatingIfNeeded: offset), width: layout.offsetWidth,
      at: layout.table &+ objectCount &* layout.offsetWidth)
    objectCount &+= 1
    return UInt32(truncatingIfNeeded: objectCount)
  }

  /// Passes over bytes that were written.
  @inline(__always)
  mutating func advance(by length: Int) {
    offset &+= length
  }
}
