import BinaryPropertyList

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension EncodedTree {
  /// Up to this size, a copy costs less than the release of memory that `Data` did not allocate.
  private static let copyLimit = 1024

  /// The property list as data.
  mutating func data(_ layout: Layout, keyOrder: KeyOrder) -> Data {
    let size = layout.size
    guard size > Self.copyLimit else {
      return unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { memory in
        var target = unsafe memory.mutableBytes
        write(layout, keyOrder: keyOrder, into: &target)
        return unsafe memory.baseAddress.map { unsafe Data(bytes: $0, count: size) } ?? Data()
      }
    }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
    // All of the memory is filled, and the data releases it.
    guard let start = memory.baseAddress else { return Data() }
    var target = unsafe memory.mutableBytes
    write(layout, keyOrder: keyOrder, into: &target)
    return unsafe Data(
      bytesNoCopy: start, count: size,
      deallocator: .custom { memory, _ in unsafe memory.deallocate() })
  }

  /// The property list as an array.
  mutating func array(_ layout: Layout, keyOrder: KeyOrder) -> [UInt8] {
    var array = [UInt8](repeating: 0, count: layout.size)
    var elements = array.mutableSpan
    var target = unsafe elements.mutableBytes
    write(layout, keyOrder: keyOrder, into: &target)
    return array
  }

  /// Writes the property list into a span of the layout's size.
  ///
  /// The objects have CoreFoundation's order: a container, all its keys, then each value with
  /// everything in it.
  private mutating func write(
    _ layout: Layout, keyOrder: KeyOrder, into target: inout MutableRawSpan
  ) {
    target.store(0x6270_6c69_7374_3030, width: 8, at: 0)
    var position = WritePosition(layout: layout)
    if self[Self.root].content == .leaf {
      _ = number(of: self[Self.root].first, &position, &target)
    } else {
      writeContainers(&position, keyOrder: keyOrder, into: &target)
    }
    let trailer = layout.size - Layout.trailerLength
    target.store(0, width: 8, at: trailer)
    target.store(UInt64(layout.offsetWidth), width: 1, at: trailer + 6)
    target.store(UInt64(layout.referenceWidth), width: 1, at: trailer + 7)
    target.store(UInt64(layout.objectCount), width: 8, at: trailer + 8)
    target.store(0, width: 8, at: trailer + 16)
    target.store(UInt64(layout.table), width: 8, at: trailer + 24)
  }

  @inline(__always)
  private mutating func writeContainers(
    _ position: inout WritePosition, keyOrder: KeyOrder, into target: inout MutableRawSpan
  ) {
    let width = position.layout.referenceWidth
    // The containers around the one that is being written.
    var frames: [WriteFrame] = []
    _ = position.begin(in: &target)
    var frame = open(Self.root, &position, keyOrder: keyOrder, &target)
    while true {
      while frame.next != 0 {
        let child = self[frame.next]
        let place = frame.next
        frame.next = child.next
        if child.content == .removed { continue }
        let reference = frame.reference
        frame.reference = reference &+ width
        guard child.content != .leaf else {
          let number = number(of: child.first, &position, &target)
          target.store(UInt64(number &- 1), width: width, at: reference)
          continue
        }
        let number = position.begin(in: &target)
        target.store(UInt64(number &- 1), width: width, at: reference)
        frames.append(frame)
        frame = open(place, &position, keyOrder: keyOrder, &target)
      }
      guard let outer = frames.popLast() else { return }
      frame = outer
    }
  }

  /// Writes a container's marker, count and keys, and leaves room for the references to its values.
  @inline(__always)
  private mutating func open(
    _ container: UInt32, _ position: inout WritePosition, keyOrder: KeyOrder,
    _ target: inout MutableRawSpan
  ) -> WriteFrame {
    let width = position.layout.referenceWidth
    let slot = self[container]
    let count = slot.valueCount
    let isArray = slot.content == .array
    position.advance(
      by: target.store(type: isArray ? 0xa0 : 0xd0, count: count, at: position.offset))
    guard !isArray else {
      let references = position.offset
      position.advance(by: count &* width)
      return WriteFrame(next: slot.first, reference: references)
    }
    var reference = position.offset
    position.advance(by: 2 &* count &* width)
    if keyOrder == .sorted { sortKeys(of: container) }
    let first = self[container].first
    var place = first
    while place != 0 {
      let child = self[place]
      place = child.next
      if child.content == .removed { continue }
      let number = number(of: child.key, &position, &target)
      target.store(UInt64(number &- 1), width: width, at: reference)
      reference &+= width
    }
    return WriteFrame(next: first, reference: reference)
  }

  /// The number of a leaf among the objects, plus one; a leaf without a number is written first.
  @inline(__always)
  private mutating func number(
    of leaf: UInt32, _ position: inout WritePosition, _ target: inout MutableRawSpan
  ) -> UInt32 {
    let known = leaves[leaf].number
    if known != 0 { return known }
    let number = position.begin(in: &target)
    leaves.setNumber(number, of: leaf)
    position.advance(by: leaves.copy(leaf, to: position.offset, of: &target))
    return number
  }

  /// Brings a dictionary's places into the order of their keys' UTF-8.
  @inline(never)
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
}

/// The offset of the next object, and the number of objects before it.
private struct WritePosition {
  let layout: Layout
  private(set) var objectCount = 0
  private(set) var offset = Layout.headerLength

  init(layout: Layout) {
    self.layout = layout
  }

  /// Begins an object: enters its offset in the offset table.
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

/// A container with values that are not written yet.
private struct WriteFrame {
  /// The place of the next value; 0 for none.
  var next: UInt32
  /// The offset of the reference to the next value.
  var reference: Int
}
