package import AppIcon
internal import CPicture
internal import Glibc

/// Pixels in memory: rows from the top of straight RGBA, 8 bits a sample.
///
/// A pixel whose alpha is 0 has colour 0, so that equal pictures have equal bytes.
struct Picture: Hashable {
  let width: Int
  let height: Int
  /// 4 * width * height bytes.
  var pixels: [UInt8]

  /// A transparent picture.
  init(width: Int, height: Int) {
    let pixels = [UInt8](repeating: 0, count: 4 * width * height)
    self.init(width: width, height: height, pixels: pixels)
  }

  init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(pixels.count == 4 * width * height)
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// The picture in the middle of a transparent square that holds it; an odd pixel of ground goes
  /// to the right and the bottom.
  func centred(inSquareOf side: Int) -> Picture {
    guard width != side || height != side else { return self }
    var square = Picture(width: side, height: side)
    let (left, top) = ((side - width) / 2, (side - height) / 2)
    for row in 0..<height {
      let start = 4 * ((top + row) * side + left)
      square.pixels.replaceSubrange(
        start..<start + 4 * width, with: pixels[4 * width * row..<4 * width * (row + 1)])
    }
    return square
  }

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

/// The rows of a PNG, decoded one by one by libpng.
///
/// Every bit depth and colour type becomes straight RGBA of 8 bits. An animation's default picture
/// is read; `gAMA` and profiles are ignored: samples are taken for sRGB.
@safe final class PNGReader {
  private let reader: OpaquePointer
  /// The bytes given to `cpicture_open` must not move, so libpng reads a copy of its own.
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
    guard unsafe cpicture_finish(reader, &failure) == 0 else { throw PictureFailure(failure) }
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

/// A row of straight RGBA samples that libpng writes and the scalers read.
///
/// There is room after the row up to a multiple of 16 bytes, so that vectors may run over its end.
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

  /// Calls `body` with the memory of the row and the room after it.
  func withUnsafeBytes<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
    unsafe body(bytes)
  }
}

/// Turns an untrusted PNG into an icon: decoded, scaled to size, cut out by a shape.
///
/// The bytes go through libpng, so this belongs into a process in a ``DecodingSandbox``; see
/// ``RenderingProcess``. Memory is bounded by the limits of ``PNGHeader``: rows are scaled as they
/// are decoded, and only an interlaced picture is held whole (at most 16 MiB).
extension IconRendering {
  /// Returns the icon as a PNG of RGBA: the same bytes for the same input.
  ///
  /// An oblong picture is fitted into the square and centred on transparent ground. Samples are
  /// averaged as stored (see ``AreaReduction``) and taken for sRGB whatever `gAMA` or a profile
  /// say. Of an animation the default picture is taken.
  ///
  /// - Throws: ``PictureFailure`` for bytes that are no PNG, are beyond the limits of
  ///   ``PNGHeader``, or are damaged or cut off anywhere up to the end of the picture.
  package func render(png: [UInt8]) throws(PictureFailure) -> [UInt8] {
    var icon = try scaled(PNGReader(png)).centred(inSquareOf: size.pixels)
    IconMask(size, shape: shape, stroke: hasStroke).apply(to: &icon)
    return try icon.png()
  }

  /// Decodes a picture and fits it into the square.
  func scaled(_ reader: PNGReader) throws(PictureFailure) -> Picture {
    let (width, height) = (reader.header.width, reader.header.height)
    let longest = max(width, height)
    let side = size.pixels
    let target = (
      width: max(1, (2 * width * side + longest) / (2 * longest)),
      height: max(1, (2 * height * side + longest) / (2 * longest))
    )
    var scaling: any RowScaling =
      side <= longest
      ? AreaReduction((width, height), to: target) : CubicEnlargement((width, height), to: target)
    let row = RowBuffer(width: width)
    for _ in 0..<height {
      try reader.read(into: row)
      scaling.add(row)
    }
    try reader.finish()
    return Picture(width: target.width, height: target.height, pixels: scaling.pixels)
  }
}

/// Makes a picture of another size from rows taken as they are decoded.
protocol RowScaling {
  /// Those of the new picture, complete when all rows were taken.
  var pixels: [UInt8] { get }

  /// Takes the next row.
  mutating func add(_ samples: RowBuffer)
}
