import BinaryPropertyList

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension EncodedTree {
  /// Up to here copying takes less time than data takes to release memory that is not its own.
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
    // The memory is filled whole, and is the data's to release from here on.
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
}
