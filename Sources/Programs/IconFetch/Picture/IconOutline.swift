internal import AppIcon
internal import Glibc

/// An icon's outline as a closed polygon, in pixels from the top left corner.
///
/// Curves are flattened to within 0.00003 pixels, so that areas are exact to a hundredth of an 8-bit
/// step.
struct IconOutline {
  private(set) var points: [SIMD2<Double>]

  /// - Parameters:
  ///   - side: of the icon, in pixels.
  ///   - radius: of the corners, in pixels; a larger one than fits is taken as the largest.
  init(_ shape: IconShape, side: Double, radius: Double) {
    let half = side / 2
    let corner =
      switch shape {
      case .continuous: Self.continuous(radius: min(radius, half / Self.reach))
      case .circleCorner: Self.circle(radius: min(radius, half))
      case .superellipse: Self.superellipse(half: half)
      case .none: [SIMD2<Double>(0, 0)]
      }
    // One corner, along the edge and inward, is that of the top left from the top to the left. A
    // turn of the square by a quarter makes the next: bottom left, bottom right, top right.
    var turned = corner
    points = []
    for _ in 0..<4 {
      // Where two corners meet, rounding leaves edges without a direction.
      for point in turned
      where ![points.last, points.first].contains(where: { Self.isSame($0, point) }) {
        points.append(point)
      }
      turned = turned.map { SIMD2($0.y, side - $0.x) }
    }
  }

  private init(points: [SIMD2<Double>]) { self.points = points }

  /// The outline that has nothing inside.
  static let nowhere = IconOutline(points: [SIMD2(0, 0)])

  /// The outline moved inward everywhere, as the inner edge of a stroke along it is.
  ///
  /// Meant for distances below the least radius of curvature: edges that would vanish turn around.
  func inset(by distance: Double) -> IconOutline {
    IconOutline(
      points: points.indices.map { index in
        let point = points[index]
        let before = Self.inward(points[index == 0 ? points.count - 1 : index - 1], point)
        let after = Self.inward(point, points[index == points.count - 1 ? 0 : index + 1])
        return point + (before + after) * (distance / (1 + (before * after).sum()))
      })
  }

  private static func isSame(_ one: SIMD2<Double>?, _ other: SIMD2<Double>) -> Bool {
    guard let one else { return false }
    let difference = one - other
    return (difference * difference).sum() < 1e-12
  }

  /// The unit normal on the inside; the outline runs counter-clockwise as seen on screen.
  private static func inward(_ from: SIMD2<Double>, _ to: SIMD2<Double>) -> SIMD2<Double> {
    let edge = to - from
    return SIMD2(edge.y, -edge.x) / (edge * edge).sum().squareRoot()
  }

  /// How far along the edge a continuous corner begins, in radii.
  static let reach = 1.528_664_83

  /// The corner's curves, in radii; between them are straight lines.
  private static let curves: [[SIMD2<Double>]] = [
    [
      SIMD2(reach, 0), SIMD2(1.088_492_99, 0), SIMD2(0.868_407_01, 0),
      SIMD2(0.669_933_97, 0.065_496),
    ],
    [
      SIMD2(0.631_493_99, 0.074_911), SIMD2(0.372_824_01, 0.169_060_01),
      SIMD2(0.169_060_01, 0.372_824_01), SIMD2(0.074_911, 0.631_493_99),
    ],
    [
      SIMD2(0.065_496, 0.669_933_97), SIMD2(0, 0.868_407_01), SIMD2(0, 1.088_492_99),
      SIMD2(0, reach),
    ],
  ]

  private static func continuous(radius: Double) -> [SIMD2<Double>] {
    guard radius > 0 else { return [SIMD2(0, 0)] }
    let count = segments(radius)
    return curves.flatMap { curve in
      (0...count).map { step in
        let t = Double(step) / Double(count)
        let u = 1 - t
        let first = curve[0] * (u * u * u) + curve[1] * (3 * u * u * t)
        return (first + curve[2] * (3 * u * t * t) + curve[3] * (t * t * t)) * radius
      }
    }
  }

  private static func circle(radius: Double) -> [SIMD2<Double>] {
    guard radius > 0 else { return [SIMD2(0, 0)] }
    let count = 2 * segments(radius)
    return (0...count).map { step in
      let angle = Double.pi / 2 * Double(step) / Double(count)
      return SIMD2(1 - sin(angle), 1 - cos(angle)) * radius
    }
  }

  private static func superellipse(half: Double) -> [SIMD2<Double>] {
    let count = 4 * segments(half)
    return (0...count).map { step in
      // Exact at both ends, where sine and cosine are not and the power makes much of little.
      let angle = Double.pi / 2 * Double(step) / Double(count)
      let x = step == count ? 1 : pow(sin(angle), 0.4)
      let y = step == 0 ? 1 : step == count ? 0 : pow(cos(angle), 0.4)
      return SIMD2(1 - x, 1 - y) * half
    }
  }

  /// A chord's distance from its curve falls with the square of their number.
  private static func segments(_ radius: Double) -> Int { max(16, Int(64 * radius.squareRoot())) }
}
