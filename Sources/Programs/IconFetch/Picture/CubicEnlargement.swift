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
