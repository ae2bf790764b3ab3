/// Makes a picture smaller: each new pixel is the mean of the area it takes the place of.
///
/// Rows of the large picture are taken as they are decoded and added up, weighted with how much of
/// them is covered. Sums are integers, colours weighted with their alpha, and divided once, so the
/// result is exact to the half of a sample. Samples are averaged as they are stored, not as light:
/// so do cairo, Core Graphics and browsers, and icons are drawn to look right that way.
struct AreaReduction {
  private let width: Int
  private let height: Int
  private let targetWidth: Int
  private let targetHeight: Int
  /// Of the target row under way, by column and sample: weight * sample * alpha, 255 for alpha's
  /// sample. At most 2048 * 255².
  private var sums: WeightedSums
  /// Rows taken.
  private var row = 0
  private var pixels: [UInt8] = []

  /// - Precondition: `targetWidth` and `targetHeight` are at least 1 and no more than the sides.
  init(width: Int, height: Int, targetWidth: Int, targetHeight: Int) {
    precondition(1...width ~= targetWidth && 1...height ~= targetHeight)
    self.width = width
    self.height = height
    self.targetWidth = targetWidth
    self.targetHeight = targetHeight
    sums = WeightedSums(count: 4 * width)
    pixels.reserveCapacity(4 * targetWidth * targetHeight)
  }

  /// Takes the next row.
  mutating func add(_ samples: RowBuffer) {
    // In units of 1 / (height * targetHeight), a row is `targetHeight` long, a target row `height`.
    let start = row * targetHeight
    let border = (start / height + 1) * height
    let inside = min(targetHeight, border - start)
    sums.add(samples, weight: UInt32(inside))
    row += 1
    guard start + targetHeight >= border else { return }
    finishTargetRow()
    if inside < targetHeight { sums.add(samples, weight: UInt32(targetHeight - inside)) }
  }

  /// The picture, when all rows were taken.
  func result() -> Picture {
    Picture(width: targetWidth, height: targetHeight, pixels: pixels)
  }

  private mutating func finishTargetRow() {
    var column = 0
    var left = targetWidth  // of the column's width, in units of 1 / (width * targetWidth)
    for _ in 0..<targetWidth {
      var pixel = SIMD4<UInt64>.zero
      var open = width
      while open > 0 {
        let part = min(open, left)
        pixel &+= SIMD4(truncatingIfNeeded: sums[column]) &* UInt64(part)
        open -= part
        left -= part
        if left == 0 {
          left = targetWidth
          column += 1
        }
      }
      append(pixel)
    }
    sums.clear()
  }

  private mutating func append(_ sum: SIMD4<UInt64>) {
    let alpha = sum.w
    let area = 255 * UInt64(width * height)
    let rounded = (alpha + area / 2) / area
    guard rounded > 0 else {
      pixels.append(contentsOf: [0, 0, 0, 0])
      return
    }
    for sample in 0..<3 {
      pixels.append(UInt8((sum[sample] * 255 + alpha / 2) / alpha))
    }
    pixels.append(UInt8(rounded))
  }
}
