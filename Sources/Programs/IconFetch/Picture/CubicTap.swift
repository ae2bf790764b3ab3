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
