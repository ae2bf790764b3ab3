import BinaryPropertyList

extension EncodedTree {
  /// Foundation's words for refusing the tree, such as a lone number; `nil` for one to be written.
  var topLevelFault: String? {
    let kind: String
    switch self[Self.root].content {
    case .empty, .removed: return "did not encode any values."
    case .array, .dictionary: return nil
    case .leaf:
      switch leaves.reading(self[Self.root].first, { object in object.byte(at: 0) }) >> 4 {
      case 0x0: kind = "boolean"
      case 0x1, 0x2: kind = "number"
      case 0x3: kind = "date"
      // Foundation, too, writes data alone.
      case 0x4: return nil
      default: kind = "string"
      }
    }
    return "encoded as \(kind) property list fragment."
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

  /// Counts the objects that are left where values were replaced.
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

/// The widths and sizes of a property list.
struct Layout {
  let objectCount: Int
  let referenceWidth: Int
  let offsetWidth: Int
  /// The offset of the offset table.
  let table: Int

  init(_ content: LayoutContent) {
    objectCount = content.objectCount
    referenceWidth = Self.width(of: objectCount)
    table = Self.headerLength + content.length + content.referenceCount * referenceWidth
    offsetWidth = Self.width(of: table)
  }

  /// How many bytes there are in all.
  var size: Int { table + objectCount * offsetWidth + Self.trailerLength }

  static let headerLength = 8
  static let trailerLength = 32

  /// The smallest of 1, 2, 4 and 8 bytes that hold a number.
  @inline(__always)
  static func width(of value: Int) -> Int {
    switch value {
    case ...0xff: 1
    case ...0xffff: 2
    case ...0xffff_ffff: 4
    default: 8
    }
  }

  /// The length of a container's marker and count.
  @inline(__always)
  static func headLength(count: Int) -> Int {
    count < 15 ? 1 : 2 + width(of: count)
  }
}

/// The counts of a property list's objects, from which its layout follows.
struct LayoutContent {
  private(set) var objectCount = 0
  private(set) var referenceCount = 0
  /// The length of all objects, without references.
  private(set) var length = 0

  /// Adds the container in a place. Leaves are added by themselves, as one may be in several places.
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
