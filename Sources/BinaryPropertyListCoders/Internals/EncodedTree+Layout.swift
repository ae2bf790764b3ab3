import BinaryPropertyList

extension EncodedTree {
  /// Why the tree is not to be written, if so.
  var topLevelFault: TopLevelFault {
    switch self[Self.root].content {
    case .empty, .removed: return .empty
    case .array, .dictionary: return .none
    case .leaf:
      switch leaves.bytes[leaves[self[Self.root].first].offset] >> 4 {
      case 0x0: return .fragment("boolean")
      case 0x1, 0x2: return .fragment("number")
      case 0x3: return .fragment("date")
      // Foundation writes data as it is.
      case 0x4: return .none
      default: return .fragment("string")
      }
    }
  }

  /// Numbers all objects in CoreFoundation's order: a container, all its keys, then each value with
  /// all that is in it.
  ///
  /// - Returns: `nil` when there are more than references can name.
  mutating func layout(keyOrder: KeyOrder) -> Layout? {
    order.removeAll(keepingCapacity: true)
    var size = Layout.headerLength
    var referenceCount = 0
    /// Places behind containers that are being numbered.
    var pending: [UInt32] = []
    var next = Self.root
    var isRoot = true
    while true {
      while next != 0 || isRoot {
        isRoot = false
        let slot = self[next]
        switch slot.content {
        case .leaf: number(slot.first, &size)
        case .removed: break
        case .empty, .array, .dictionary:
          let count = count(of: next)
          let isDictionary = slot.content != .array
          self[next].number = UInt32(truncatingIfNeeded: order.count)
          order.append(Int(next))
          size &+= Layout.headLength(count: count)
          referenceCount &+= isDictionary ? 2 &* count : count
          if isDictionary {
            if keyOrder == .sorted { sortKeys(of: next) }
            numberKeys(of: next, &size)
          }
          if slot.next != 0 { pending.append(slot.next) }
          next = self[next].first
          continue
        }
        next = slot.next
      }
      guard let place = pending.popLast() else { break }
      next = place
    }
    guard !isFull, order.count <= UInt32.max else { return nil }
    let referenceWidth = Layout.width(of: order.count)
    let table = size + referenceCount * referenceWidth
    return Layout(
      objectCount: order.count, referenceWidth: referenceWidth,
      offsetWidth: Layout.width(of: table),
      table: table)
  }

  @inline(__always)
  private mutating func number(_ leaf: UInt32, _ size: inout Int) {
    let known = leaves[leaf]
    guard known.number == 0 else { return }
    order.append(~Int(leaf))
    leaves.setNumber(UInt32(truncatingIfNeeded: order.count), of: leaf)
    size &+= known.length
  }

  @inline(__always)
  private mutating func numberKeys(
    of dictionary: UInt32, _ size: inout Int
  ) {
    var place = self[dictionary].first
    while place != 0 {
      if self[place].content != .removed { number(self[place].key, &size) }
      place = self[place].next
    }
  }

  /// Brings a dictionary's places into the order of their keys' UTF-8.
  private mutating func sortKeys(of dictionary: UInt32) {
    var places: [(key: String, place: UInt32)] = []
    var place = self[dictionary].first
    while place != 0 {
      places.append((leaves.text(of: self[place].key), place))
      place = self[place].next
    }
    places.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    self[dictionary].first = 0
    for (_, place) in places.reversed() {
      self[place].next = self[dictionary].first
      self[dictionary].first = place
    }
  }

  /// Writes the property list into a span of the layout's size.
  func write(_ layout: Layout, into target: inout MutableRawSpan) {
    target.store(0x6270_6c69_7374_3030, width: 8, at: 0)
    let objects = unsafe leaves.bytes.span.bytes
    var position = Layout.headerLength
    for (number, object) in order.enumerated() {
      target.store(
        UInt64(position), width: layout.offsetWidth,
        at: layout.table &+ number &* layout.offsetWidth)
      if object < 0 {
        let leaf = leaves[UInt32(~object)]
        target.copy(
          objects.extracting(leaf.offset..<leaf.offset &+ leaf.length), to: position)
        position &+= leaf.length
      } else {
        position = write(
          UInt32(object), width: layout.referenceWidth, into: &target, at: position)
      }
    }
    let trailer = layout.size - Layout.trailerLength
    target.store(0, width: 8, at: trailer)
    target.store(UInt64(layout.offsetWidth), width: 1, at: trailer + 6)
    target.store(UInt64(layout.referenceWidth), width: 1, at: trailer + 7)
    target.store(UInt64(layout.objectCount), width: 8, at: trailer + 8)
    target.store(0, width: 8, at: trailer + 16)
    target.store(UInt64(layout.table), width: 8, at: trailer + 24)
  }

  /// Writes a container.
  ///
  /// - Returns: Where it ends.
  @inline(__always)
  private func write(
    _ container: UInt32, width: Int, into target: inout MutableRawSpan, at start: Int
  ) -> Int {
    let slot = self[container]
    let count = count(of: container)
    let isArray = slot.content == .array
    var position = start &+ target.store(type: isArray ? 0xa0 : 0xd0, count: count, at: start)
    let keyLength = isArray ? 0 : count &* width
    var place = slot.first
    while place != 0 {
      let child = self[place]
      place = child.next
      guard child.content != .removed else { continue }
      if !isArray {
        target.store(UInt64(leaves[child.key].number &- 1), width: width, at: position)
      }
      let number = child.content == .leaf ? leaves[child.first].number &- 1 : child.number
      target.store(UInt64(number), width: width, at: position &+ keyLength)
      position &+= width
    }
    return position &+ keyLength
  }
}
