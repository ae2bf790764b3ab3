/// Elements in memory that is this buffer's alone.
///
/// An array asks at each change whether something else refers to it, which takes longer than most
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
