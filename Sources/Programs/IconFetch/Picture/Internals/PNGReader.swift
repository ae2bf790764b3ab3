internal import CPicture

/// The rows of a PNG, decoded one by one by libpng.
///
/// Every bit depth and colour type becomes straight RGBA of 8 bits. An animation's default picture
/// is read; `gAMA` and profiles are ignored: samples are taken for sRGB.
@safe final class PNGReader {
  private let reader: OpaquePointer
  /// What `cpicture_open` was given must not move, so libpng reads a copy of its own.
  private let copy: UnsafeMutableBufferPointer<UInt8>

  let header: PNGHeader

  init(_ png: [UInt8]) throws(PictureFailure) {
    header = try PNGHeader(png)
    unsafe copy = .allocate(capacity: png.count)
    _ = unsafe copy.initialize(from: png)
    var failure = cpicture_failure()
    let reader = unsafe copy.baseAddress.flatMap { bytes in
      unsafe cpicture_open(bytes, png.count, UInt32(PNGHeader.sideLimit), &failure)
    }
    guard let reader = unsafe reader else {
      unsafe copy.deallocate()
      throw PictureFailure(failure)
    }
    unsafe self.reader = reader
  }

  deinit {
    unsafe cpicture_close(reader)
    unsafe copy.deallocate()
  }

  /// Decodes the next row.
  func read(into row: RowBuffer) throws(PictureFailure) {
    precondition(row.count == 4 * header.width)
    var failure = cpicture_failure()
    let result = unsafe row.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return CInt(-1) }
      return unsafe cpicture_read_row(
        reader, start.assumingMemoryBound(to: UInt8.self), &failure)
    }
    guard result == 0 else { throw PictureFailure(failure) }
  }

  /// Reads on to the end of the picture, which must be there.
  func finish() throws(PictureFailure) {
    var failure = cpicture_failure()
    guard unsafe cpicture_finish(reader, &failure) == 0 else {
      throw PictureFailure(failure)
    }
  }
}

extension PictureFailure {
  init(_ failure: cpicture_failure) {
    let words = unsafe withUnsafeBytes(of: failure.words) { words in
      unsafe String(decoding: words.prefix { $0 != 0 }, as: UTF8.self)
    }
    self.init(.damaged(words), at: failure.offset)
  }
}
