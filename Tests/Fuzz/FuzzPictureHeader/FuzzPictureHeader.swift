import FuzzInput
import IconFetch

/// Reads an input as a PNG's header: what passes is within the limits, what fails says where.
@c(LLVMFuzzerTestOneInput)
public func fuzzPictureHeader(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  do throws(PictureFailure) {
    let header = try PNGHeader(input)
    claim(1...PNGHeader.sideLimit ~= header.width, "the width is \(header.width)")
    claim(1...PNGHeader.sideLimit ~= header.height, "the height is \(header.height)")
  } catch {
    claim(0...count ~= error.offset, "\(error) is outside of \(count) bytes")
  }
  return 0
}
