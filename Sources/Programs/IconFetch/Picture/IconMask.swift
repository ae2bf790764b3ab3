internal import AppIcon
internal import Glibc

/// Cuts an icon out by its shape and draws the hairline along the edge.
struct IconMask {
  private static let hairlineBlack = 0.1

  private let side: Int
  private let shape: IconShape
  private let outline: IconOutline
  private let hairline: IconOutline?

  /// - Parameter stroke: whether to draw the hairline: one point of 10 % black centred on the
  ///   outline, of which the outer half is cut away.
  init(_ size: IconSize, shape: IconShape, stroke: Bool) {
    side = size.pixels
    self.shape = shape
    let radius = (0.225 * size.points).rounded() * size.scale
    outline = IconOutline(shape, side: Double(side), radius: radius)
    // An icon of a point or less is all hairline.
    let inset = size.scale / 2
    hairline =
      stroke ? inset < Double(side) / 2 ? outline.inset(by: inset) : IconOutline.nowhere : nil
  }

  /// The part of each pixel that is inside, and the part that is under the hairline, by rows.
  func forEachRow(_ body: (_ row: Int, _ inside: [Double], _ stroked: [Double]) -> Void) {
    var inside = AreaCoverage(outline, width: side)
    var inner = hairline.map { AreaCoverage($0, width: side) }
    let none = [Double](repeating: 0, count: side)
    for row in 0..<side {
      let inside = inside.nextRow()
      let stroked = inner?.nextRow().enumerated().map { max(0, inside[$0.offset] - $0.element) }
      body(row, inside, stroked ?? none)
    }
  }

  /// Masks a picture of the mask's size.
  ///
  /// With a and s the parts inside and under the hairline, alpha becomes alpha * a and a colour
  /// colour * (1 - 0.1 * s / a). The hairline darkens what there is; it draws nothing on
  /// transparent ground.
  func apply(to picture: inout Picture) {
    precondition(picture.width == side && picture.height == side)
    guard shape != .none else { return }
    var pixels = picture.pixels
    forEachRow { row, inside, stroked in
      for column in 0..<side where inside[column] < 1 || stroked[column] > 0 {
        let pixel = 4 * (row * side + column)
        let alpha = (Double(pixels[pixel + 3]) * inside[column]).rounded()
        let light = alpha > 0 ? 1 - Self.hairlineBlack * stroked[column] / inside[column] : 0
        for sample in pixel..<pixel + 3 {
          pixels[sample] = UInt8((Double(pixels[sample]) * light).rounded())
        }
        pixels[pixel + 3] = UInt8(alpha)
      }
    }
    picture.pixels = pixels
  }
}

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
    // The first corner runs from the top edge to the left one. Quarter turns of the square make the
    // others: bottom left, bottom right, top right.
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
      // Exact at both ends, where sine and cosine are not and the power magnifies their error.
      let angle = Double.pi / 2 * Double(step) / Double(count)
      let x = step == count ? 1 : pow(sin(angle), 0.4)
      let y = step == 0 ? 1 : step == count ? 0 : pow(cos(angle), 0.4)
      return SIMD2(1 - x, 1 - y) * half
    }
  }

  /// A chord's distance from its curve falls with the square of their number.
  private static func segments(_ radius: Double) -> Int { max(16, Int(64 * radius.squareRoot())) }
}

/// How much of each pixel a polygon covers, row by row from the top: the area itself, not samples of it.
///
/// An edge adds to the pixels it crosses, in a row, the area between itself and their right sides;
/// the sum from the left is then the area inside. The polygon's edges must lie between x = 0 and
/// `width`.
struct AreaCoverage {
  private struct Edge {
    let upper: SIMD2<Double>
    let lower: SIMD2<Double>
    /// 1 for an edge that goes down on screen, which has the inside at its right, else -1.
    let direction: Double
  }

  /// From the top; those that the next row does not reach come after `begun`.
  private let edges: [Edge]
  private var begun = 0
  /// Those of `edges` that the next row may cross.
  private var active: [Edge] = []
  private let width: Int
  private var row = 0
  private var changes: [Double]

  init(_ outline: IconOutline, width: Int) {
    let points = outline.points
    edges = zip(points, points[1...] + points[..<1]).map { from, to in
      from.y < to.y
        ? Edge(upper: from, lower: to, direction: 1) : Edge(upper: to, lower: from, direction: -1)
    }.sorted { $0.upper.y < $1.upper.y }
    self.width = width
    // An edge at the right border changes the two pixels beyond it, which are never read.
    changes = [Double](repeating: 0, count: width + 2)
  }

  /// The part of each pixel in the next row that is inside, 0 to 1.
  mutating func nextRow() -> [Double] {
    for index in changes.indices { changes[index] = 0 }
    let top = Double(row)
    row += 1
    while begun < edges.count, edges[begun].upper.y < top + 1 {
      active.append(edges[begun])
      begun += 1
    }
    for edge in active where edge.lower.y > top {
      let (upper, lower) = (edge.upper, edge.lower)
      let slope = (lower.x - upper.x) / (lower.y - upper.y)
      let y0 = max(upper.y, top)
      let y1 = min(lower.y, top + 1)
      let x0 = upper.x + (y0 - upper.y) * slope
      let x1 = upper.x + (y1 - upper.y) * slope
      add(x0, x1, edge.direction * (y1 - y0))
    }
    active.removeAll { $0.lower.y <= top + 1 }
    var sum = 0.0
    return (0..<width).map { column in
      sum += changes[column]
      return min(1, max(0, sum))
    }
  }

  /// Adds an edge from `one` to `other` within the row, of so much height.
  private mutating func add(_ one: Double, _ other: Double, _ height: Double) {
    let border = Double(width)
    let left = min(border, max(0, min(one, other)))
    let right = min(border, max(0, max(one, other)))
    let last = Int(right)
    var column = Int(left)
    guard column < last else { return add((left + right) / 2, height) }
    let perPixel = height / (right - left)
    var from = left
    while from < right {
      let to = min(right, Double(column + 1))
      add((from + to) / 2, perPixel * (to - from))
      from = to
      column += 1
    }
  }

  /// Adds an edge within one pixel by the middle of its run.
  private mutating func add(_ middle: Double, _ height: Double) {
    let column = Int(middle)
    let right = middle - Double(column)
    changes[column] += height * (1 - right)
    changes[column + 1] += height * right
  }
}
