/// Values that wait for their container to be finished, so that it is allocated once, in its size.
@safe struct ValueStack: ~Copyable {
  private var base: UnsafeMutablePointer<PropertyList>
  private var capacity = 256
  /// All elements below this one are initialised, none from it on.
  private var count = 0

  init() {
    unsafe base = .allocate(capacity: capacity)
  }

  deinit {
    unsafe base.deinitialize(count: count)
    unsafe base.deallocate()
  }

  @inline(__always)
  mutating func push(_ value: consuming PropertyList) {
    if count == capacity { grow() }
    unsafe (base + count).initialize(to: value)
    count &+= 1
  }

  /// Moves the topmost values into an array.
  mutating func popArray(_ length: Int) -> [PropertyList] {
    precondition(length <= count, "more values taken than were pushed")
    count -= length
    // The topmost values, just counted as gone, are moved from, and nothing reads them again.
    return [PropertyList](filling: length) { target in
      for position in 0..<length {
        target.append(unsafe take(position))
      }
    }
  }

  /// Gives up the topmost values, each of which must then be taken once by ``take(_:)``.
  mutating func release(_ length: Int) {
    precondition(length <= count, "more values taken than were pushed")
    count -= length
  }

  /// Moves a value out that was released, counted from the lowest, before another is pushed.
  @unsafe @inline(__always)
  func take(_ position: Int) -> PropertyList {
    unsafe (base + count + position).move()
  }

  /// Makes room for half as many again; what the values take stays linear in the bytes read.
  private mutating func grow() {
    let larger = capacity + capacity / 2
    let target = UnsafeMutablePointer<PropertyList>.allocate(capacity: larger)
    unsafe target.moveInitialize(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = target
    capacity = larger
  }
}
