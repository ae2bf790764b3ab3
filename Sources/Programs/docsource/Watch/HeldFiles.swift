/// Files that are held open until they are looked at, in the order in which they came.
struct HeldFiles {
  /// So many that taking them out of the front is done for all of them together.
  private static let block = 1024

  private var files: [HeldFile] = []
  /// How many of those at the front are done with.
  private var start = 0

  var count: Int { files.count - start }
  var first: HeldFile? { count > 0 ? files[start] : nil }

  mutating func append(_ file: HeldFile) { files.append(file) }

  mutating func popFirst() -> HeldFile? {
    guard let file = first else { return nil }
    start += 1
    if start == files.count {
      // What a flood has taken is given back.
      files.removeAll(keepingCapacity: files.capacity <= 8 * Self.block)
      start = 0
    } else if start >= Self.block, start >= files.count / 2 {
      files.removeFirst(start)
      start = 0
    }
    return file
  }
}
