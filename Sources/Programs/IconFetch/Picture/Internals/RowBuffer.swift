/// A row of straight RGBA samples that libpng writes and the scalers read.
///
/// There is room behind the row up to a multiple of 16 bytes, so that vectors may run over its end.
@safe final class RowBuffer {
  /// Four a pixel.
  let count: Int
  private let bytes: UnsafeMutableRawBufferPointer

  init(width: Int) {
    count = 4 * width
    unsafe bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: (4 * width + 15) & ~15, alignment: 16)
    unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { unsafe bytes.deallocate() }

  subscript(sample: Int) -> UInt8 {
    precondition(0..<count ~= sample)
    return unsafe bytes[sample]
  }

  /// Calls `body` with the memory of the row and the room behind it.
  func withUnsafeBytes<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
    unsafe body(bytes)
  }
}
