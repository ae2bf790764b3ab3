/// Paths that are looked for, by their components.
struct PathTree {
  struct Node {
    fileprivate(set) var children: [[UInt8]: Int] = [:]
    /// The number of the path that ends here; -1 if none does.
    fileprivate(set) var path = -1
    /// How many of the paths that end here or below have not been answered.
    fileprivate(set) var open = 0
    fileprivate let parent: Int
  }

  private(set) var nodes = [Node(parent: -1)]
  private var ends: [Int] = []

  /// - Parameter paths: no two are the same.
  init(_ paths: [[UInt8]]) {
    for (number, path) in paths.enumerated() {
      var node = 0
      for name in path.split(separator: 0x2f) {
        let name = Array(name)
        if let child = nodes[node].children[name] {
          node = child
        } else {
          nodes[node].children[name] = nodes.count
          nodes.append(Node(parent: node))
          node = nodes.count - 1
        }
      }
      nodes[node].path = number
      ends.append(node)
      add(1, from: node)
    }
  }

  private mutating func add(_ count: Int, from end: Int) {
    var node = end
    while node >= 0 {
      nodes[node].open += count
      node = nodes[node].parent
    }
  }

  /// Notes that a path, by its number, is looked for no more.
  mutating func close(_ path: Int) { add(-1, from: ends[path]) }
}
