import BinaryPropertyList

extension EncodedTree {
  /// Why the tree is not to be written, if so.
  var topLevelFault: TopLevelFault {
    switch self[Self.root].content {
    case .empty, .removed: return .empty
    case .array, .dictionary: return .none
    case .leaf:
      switch leaves.reading(self[Self.root].first, { object in object.byte(at: 0) }) >> 4 {
      case 0x0: return .fragment("boolean")
      case 0x1, 0x2: return .fragment("number")
      case 0x3: return .fragment("date")
      // Foundation writes data as it is.
      case 0x4: return .none
      default: return .fragment("string")
      }
    }
  }

  /// The widths and sizes of the property list.
  ///
  /// - Returns: `nil` when there are more objects than references can name.
  func layout() -> Layout? {
    var content = LayoutContent()
    if isWhole {
      for slot in 0..<slotCount { content.add(self[UInt32(truncatingIfNeeded: slot)]) }
      content.addLeaves(count: leaves.count, length: leaves.bytes.count)
    } else {
      addReachable(to: &content)
    }
    guard !isFull, content.objectCount <= UInt32.max else { return nil }
    return Layout(content)
  }

  /// Counts what is left where values gave way to others.
  private func addReachable(to content: inout LayoutContent) {
    var isCounted = [Bool](repeating: false, count: leaves.count)
    func add(leaf: UInt32) {
      guard !isCounted[Int(leaf)] else { return }
      isCounted[Int(leaf)] = true
      content.addLeaves(count: 1, length: leaves[leaf].length)
    }
    var pending = [Self.root]
    while let place = pending.popLast() {
      content.add(self[place])
      guard self[place].content != .leaf else {
        add(leaf: self[place].first)
        continue
      }
      var child = self[place].first
      while child != 0 {
        if self[child].content != .removed {
          if self[place].content == .dictionary { add(leaf: self[child].key) }
          pending.append(child)
        }
        child = self[child].next
      }
    }
  }
}
