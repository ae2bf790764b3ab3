internal import CGit2
internal import LinuxSystem

/// Finds the commits that have last changed paths, as `git log -1 -- PATH` does for each of them.
///
/// A path is followed from the commit that is checked out to the first parent which has it as the commit
/// has it; the commit that has it otherwise than all its parents is the answer. All paths are followed
/// together, each commit is looked at once for all that have come to it, and of its tree what differs.
struct PathHistory {
  /// Up to this many paths are compared one by one, instead of all that differs of two trees.
  private static let few = 16

  private let repository: OpenRepository
  private let deadline: Int
  private let names: [[[UInt8]]]
  private var tree: PathTree
  private var queue = CommitQueue()
  /// The paths that have come to each commit of the queue.
  private var pending: [ObjectName: Set<Int>] = [:]
  /// The commit of each path, by its number.
  private(set) var commits: [ObjectName?]

  /// - Parameter paths: relative to the work tree, no two the same.
  init(_ paths: [[UInt8]], in repository: OpenRepository, deadline: Int) {
    self.repository = repository
    self.deadline = deadline
    // With a zero after each name, as C wants it.
    names = paths.map { $0.split(separator: 0x2f).map { Array($0) + [0] } }
    tree = PathTree(paths)
    commits = Array(repeating: nil, count: paths.count)
  }

  /// Finds the commits; what has been found until the deadline stays.
  ///
  /// - Throws: `RepositoryFlaw` if an object cannot be read, or after the deadline.
  mutating func run() throws(RepositoryFlaw) {
    guard !names.isEmpty, let head = try repository.head(),
      let node = try repository.node(head)
    else { return }
    queue.add(node)
    pending[head] = Set(names.indices)
    while let node = queue.removeLatest() {
      guard Clock.milliseconds <= deadline else { throw .late }
      if var paths = pending.removeValue(forKey: node.name) { try follow(&paths, from: node) }
    }
  }

  /// - Parameter left: has no other reference, so that it is not copied.
  private mutating func follow(
    _ left: inout Set<Int>, from node: CommitNode
  ) throws(RepositoryFlaw) {
    var isFirst = true
    for name in node.parents {
      guard let parent = try repository.node(name) else { continue }
      isFirst = false
      let different = try different(left, node.tree, parent.tree)
      left.subtract(different)
      add(left, to: parent)
      left = different
      if left.isEmpty { return }
    }
    // The first commit has changed what it has.
    if isFirst { left = try different(left, node.tree, nil) }
    for path in left {
      commits[path] = node.name
      tree.close(path)
    }
  }

  private mutating func add(_ paths: Set<Int>, to node: CommitNode) {
    if paths.isEmpty { return }
    if pending[node.name] == nil {
      pending[node.name] = paths
      queue.add(node)
    } else {
      pending[node.name]?.formUnion(paths)
    }
  }

  /// The paths that are not the same in two trees, of which the second may be none.
  private func different(
    _ paths: Set<Int>, _ one: ObjectName, _ other: ObjectName?
  ) throws(RepositoryFlaw) -> Set<Int> {
    if one == other { return [] }
    let tree = try repository.tree(one)
    let otherTree: Tree? = if let other { try repository.tree(other) } else { nil }
    var found: Set<Int> = []
    if paths.count <= Self.few {
      for path in paths where try isDifferent(names[path][...], tree, otherTree) {
        found.insert(path)
      }
    } else {
      try collect(tree, otherTree, at: 0, paths, &found)
    }
    return found
  }

  private func isDifferent(
    _ names: ArraySlice<[UInt8]>, _ one: Tree?, _ other: Tree?
  ) throws(RepositoryFlaw) -> Bool {
    // The whole work tree.
    guard let name = names.first else { return true }
    let entries = unsafe name.withUnsafeBytes { bytes in
      let text = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      return unsafe [one, other].map { tree in
        unsafe tree.flatMap { unsafe git_tree_entry_byname($0.pointer, text) }
      }
    }
    let (entry, otherEntry) = unsafe (entries[0], entries[1])
    if let entry = unsafe entry, let otherEntry = unsafe otherEntry {
      if unsafe cgit2_is_same(entry, otherEntry) { return false }
    } else if unsafe entry == nil && otherEntry == nil {
      return false
    }
    if names.count == 1 { return true }
    let (tree, otherTree) = (
      try unsafe repository.tree(of: entry), try unsafe repository.tree(of: otherEntry)
    )
    return tree == nil && otherTree == nil
      ? false : try isDifferent(names.dropFirst(), tree, otherTree)
  }

  /// Collects the paths below a node that are not the same in two trees.
  private func collect(
    _ one: Tree?, _ other: Tree?, at position: Int, _ paths: Set<Int>, _ found: inout Set<Int>
  ) throws(RepositoryFlaw) {
    let node = tree.nodes[position]
    if node.open == 0 { return }
    if node.path >= 0, paths.contains(node.path) { found.insert(node.path) }
    guard one != nil || other != nil, !node.children.isEmpty else { return }
    var comparison = unsafe cgit2_comparison(
      one: one?.pointer, other: other?.pointer, position: 0, other_position: 0, entry: nil,
      other_entry: nil)
    while unsafe cgit2_next_difference(&comparison) {
      let (entry, otherEntry) = unsafe (comparison.entry, comparison.other_entry)
      guard let name = unsafe git_tree_entry_name(entry ?? otherEntry),
        let child = node.children[unsafe OpenRepository.bytes(name)]
      else { continue }
      let tree = try unsafe repository.tree(of: entry)
      let otherTree = try unsafe repository.tree(of: otherEntry)
      try collect(tree, otherTree, at: child, paths, &found)
    }
  }
}

/// Commits, of which the latest comes first: mostly, all of its children have come before it.
private struct CommitQueue {
  /// A heap: none is later than that at half its place.
  private var nodes: [CommitNode] = []

  mutating func add(_ node: CommitNode) {
    nodes.append(node)
    var place = nodes.count - 1
    while place > 0, nodes[(place - 1) / 2].seconds < nodes[place].seconds {
      nodes.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func removeLatest() -> CommitNode? {
    guard let latest = nodes.first, let last = nodes.popLast() else { return nil }
    if nodes.isEmpty { return latest }
    nodes[0] = last
    var place = 0
    while true {
      var later = place
      for child in [2 * place + 1, 2 * place + 2] where child < nodes.count {
        if nodes[child].seconds > nodes[later].seconds { later = child }
      }
      if later == place { return latest }
      nodes.swapAt(place, later)
      place = later
    }
  }
}
