internal import CPicture
internal import Glibc

extension Picture {
  /// The picture as a PNG of RGBA marked sRGB: for equal pictures the same bytes.
  func png() throws(PictureFailure) -> [UInt8] {
    var output = unsafe cpicture_output()
    var failure = cpicture_failure()
    let result = unsafe pixels.withUnsafeBufferPointer { pixels in
      guard let start = pixels.baseAddress else { return CInt(-1) }
      return unsafe cpicture_write(start, UInt32(width), UInt32(height), &output, &failure)
    }
    guard result == 0 else { throw PictureFailure(failure) }
    defer { unsafe free(output.bytes) }
    return unsafe Array(UnsafeBufferPointer(start: output.bytes, count: output.count))
  }
}
