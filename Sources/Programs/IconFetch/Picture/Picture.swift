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
    self.width = width
    self.height = height
    pixels = [UInt8](repeating: 0, count: 4 * width * height)
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
    let left = (side - width) / 2
    let top = (side - height) / 2
    for row in 0..<height {
      let start = 4 * ((top + row) * side + left)
      square.pixels.replaceSubrange(
        start..<start + 4 * width, with: pixels[4 * width * row..<4 * width * (row + 1)])
    }
    return square
  }
}
