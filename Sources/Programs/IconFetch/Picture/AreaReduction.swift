/// Makes a picture smaller: each new pixel is the mean of the area it takes the place of.
///
/// Rows of the large picture are taken as they are decoded and added up, weighted with how much of
/// them is covered. Sums are integers, colours weighted with their alpha, and divided once, so the
/// result is exact to the half of a sample. Samples are averaged as they are stored, not as light:
/// so do cairo, Core Graphics and browsers, and icons are drawn to look right that way.
struct AreaReduction: RowScaling {
  private let source: (width: Int, height: Int)
  private let target: (width: Int, height: Int)
  /// Of the target row under way, by column and sample: weight * sample * alpha, 255 for alpha's
  /// sample. At most 2048 * 255².
  private var sums: WeightedSums
  /// Rows taken.
  private var row = 0
  private(set) var pixels: [UInt8] = []

  /// - Precondition: the target's sides are at least 1 and no more than the source's.
  init(_ source: (width: Int, height: Int), to target: (width: Int, height: Int)) {
    precondition(1...source.width ~= target.width && 1...source.height ~= target.height)
    (self.source, self.target) = (source, target)
    sums = WeightedSums(count: 4 * source.width)
    pixels.reserveCapacity(4 * target.width * target.height)
  }

  mutating func add(_ samples: RowBuffer) {
    // In units of 1 / (source.height * target.height), a row is `target.height` long, a target row
    // `source.height`.
    let start = row * target.height
    let border = (start / source.height + 1) * source.height
    let inside = min(target.height, border - start)
    sums.add(samples, weight: UInt32(inside))
    row += 1
    guard start + target.height >= border else { return }
    finishTargetRow()
    if inside < target.height { sums.add(samples, weight: UInt32(target.height - inside)) }
  }

  private mutating func finishTargetRow() {
    var column = 0
    // Of the column's width, in units of 1 / (source.width * target.width).
    var left = target.width
    for _ in 0..<target.width {
      var pixel = SIMD4<UInt64>.zero
      var open = source.width
      while open > 0 {
        let part = min(open, left)
        pixel &+= SIMD4(truncatingIfNeeded: sums[column]) &* UInt64(part)
        open -= part
        left -= part
        if left == 0 {
          left = target.width
          column += 1
        }
      }
      append(pixel)
    }
    sums.clear()
  }

  private mutating func append(_ sum: SIMD4<UInt64>) {
    let alpha = sum.w
    let area = 255 * UInt64(source.width * source.height)
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

/// Weighted sums over rows, by column and sample, of samples multiplied with their alpha.
///
/// The place where a picture of a megapixel spends its time beside inflating: done four pixels at a
/// time, the products in 16 bits, which 255 * 255 fits.
struct WeightedSums {
  private let count: Int
  private var sums: [SIMD8<UInt32>]

  /// - Parameter count: the number of samples in a row, four a pixel.
  init(count: Int) {
    self.count = count
    sums = [SIMD8<UInt32>](repeating: .zero, count: (count + 15) / 16 * 2)
  }

  mutating func clear() {
    for index in sums.indices { sums[index] = .zero }
  }

  /// The sums of a column's red, green, blue (each times alpha) and alpha (times 255).
  subscript(column: Int) -> SIMD4<UInt32> {
    let pair = sums[column / 2]
    return column & 1 == 0 ? pair.lowHalf : pair.highHalf
  }

  /// Adds a row of `count` samples.
  ///
  /// - Parameter weight: at most 2048 in all between two times of clearing.
  mutating func add(_ row: RowBuffer, weight: UInt32) {
    precondition(row.count == count)
    unsafe row.withUnsafeBytes { row in
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        let weights = SIMD8<UInt32>(repeating: weight)
        for index in 0..<sums.count / 2 {
          let samples = unsafe row.loadUnaligned(
            fromByteOffset: 16 * index, as: SIMD16<UInt8>.self)
          unsafe sums[2 * index] &+= Self.weighted(samples.lowHalf) &* weights
          unsafe sums[2 * index + 1] &+= Self.weighted(samples.highHalf) &* weights
        }
      }
    }
  }

  /// Two pixels, their colours multiplied with their alpha, alpha with 255.
  @inline(__always)
  private static func weighted(_ samples: SIMD8<UInt8>) -> SIMD8<UInt32> {
    let wide = SIMD8<UInt16>(truncatingIfNeeded: samples)
    let alpha = SIMD8(wide[3], wide[3], wide[3], 255, wide[7], wide[7], wide[7], 255)
    return SIMD8(truncatingIfNeeded: wide &* alpha)
  }
}

/// Makes a picture larger by Catmull-Rom interpolation, of colours multiplied with their alpha.
///
/// Rows of the small picture are stretched as they are decoded; the last four are kept, from which
/// target rows are made as soon as the fourth is there. Beyond the border, the border's pixels go
/// on. Keys, "Cubic Convolution Interpolation for Digital Image Processing" (1981), a = -1/2.
struct CubicEnlargement: RowScaling {
  private let width: Int
  private let columns: [CubicTap]
  private let rows: [CubicTap]
  /// The last four rows, at their number's remainder by four.
  private var stretched: [[SIMD4<Float>]]
  private var row = 0
  private var targetRow = 0
  private(set) var pixels: [UInt8] = []

  /// - Precondition: the source's sides are at least 1 and no more than the target's.
  init(_ source: (width: Int, height: Int), to target: (width: Int, height: Int)) {
    precondition(1...target.width ~= source.width && 1...target.height ~= source.height)
    width = source.width
    columns = (0..<target.width).map { CubicTap(of: $0, in: target.width, from: source.width) }
    rows = (0..<target.height).map { CubicTap(of: $0, in: target.height, from: source.height) }
    stretched = Array(repeating: [], count: 4)
    pixels.reserveCapacity(4 * target.width * target.height)
  }

  mutating func add(_ samples: RowBuffer) {
    let source = (0..<width).map { column in
      let alpha = Float(samples[4 * column + 3])
      return SIMD4(
        Float(samples[4 * column]) * alpha, Float(samples[4 * column + 1]) * alpha,
        Float(samples[4 * column + 2]) * alpha, 255 * alpha)
    }
    stretched[row % 4] = columns.map { tap in tap.sum { source[$0] } }
    row += 1
    while targetRow < rows.count, rows[targetRow].last < row {
      let tap = rows[targetRow]
      for column in columns.indices {
        append(tap.sum { stretched[$0 % 4][column] })
      }
      targetRow += 1
    }
  }

  /// The curve overshoots at edges: alpha is kept within 0 and 255, a colour within 0 and alpha.
  private mutating func append(_ sum: SIMD4<Float>) {
    let alpha = min(255 * 255, max(0, sum.w))
    let rounded = UInt8((alpha / 255).rounded())
    guard rounded > 0 else {
      pixels.append(contentsOf: [0, 0, 0, 0])
      return
    }
    for sample in 0..<3 {
      pixels.append(UInt8((min(alpha, max(0, sum[sample])) * 255 / alpha).rounded()))
    }
    pixels.append(rounded)
  }
}

/// The four neighbours that a target position is interpolated from, and their weights.
struct CubicTap {
  private let positions: SIMD4<Int>
  private let weights: SIMD4<Float>

  /// The last neighbour.
  var last: Int { positions.w }

  /// - Parameters:
  ///   - position: among `targetCount`.
  ///   - count: of the positions to interpolate from; neighbours beyond are the first or last.
  init(of position: Int, in targetCount: Int, from count: Int) {
    let centre = (Double(position) + 0.5) * Double(count) / Double(targetCount) - 0.5
    let base = centre.rounded(.down)
    let t = Float(centre - base)
    positions = (SIMD4(-1, 0, 1, 2) &+ Int(base)).clamped(
      lowerBound: .zero, upperBound: SIMD4(repeating: count - 1))
    let before = -t * (1 - t) * (1 - t)
    let here = 2 + t * t * (3 * t - 5)
    let next = t * (1 + t * (4 - 3 * t))
    let after = -t * t * (1 - t)
    weights = SIMD4(before, here, next, after) / 2
  }

  func sum(_ neighbour: (Int) -> SIMD4<Float>) -> SIMD4<Float> {
    let first = neighbour(positions.x) * weights.x + neighbour(positions.y) * weights.y
    return first + neighbour(positions.z) * weights.z + neighbour(positions.w) * weights.w
  }
}
