/// Files that wait, in the order in which they came. Taking the first one off takes constant time on
/// average.
struct FileQueue<Element> {
  /// As many elements that are done with are taken off the front of the array together.
  private static var block: Int { 1024 }

  private var elements: [Element] = []
  /// How many elements at the front of the array are done with.
  private var start = 0

  var count: Int { elements.count - start }
  var waiting: ArraySlice<Element> { elements[start...] }

  /// Calls `body` with the first one that waits, which is not copied; `nil` if there is none.
  func withFirst<Result>(_ body: (borrowing Element) -> Result) -> Result? {
    start < elements.count ? body(elements[start]) : nil
  }

  /// Takes the first one off.
  ///
  /// - Parameter element: has its place until that is given back.
  mutating func takeFirst(leaving element: consuming Element) -> Element {
    swap(&elements[start], &element)
    removeFirst(1)
    return element
  }

  mutating func append(_ element: consuming Element) { elements.append(element) }

  mutating func removeFirst(_ number: Int) {
    start += number
    if start == elements.count {
      // The memory that a flood of files has taken is given back.
      elements.removeAll(keepingCapacity: elements.capacity <= 8 * Self.block)
      start = 0
    } else if start >= Self.block, start >= elements.count / 2 {
      elements.removeFirst(start)
      start = 0
    }
  }
}
