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

  /// From the top; those that the next row does not reach come behind `begun`.
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
    // An edge at the right border changes the two pixels behind it, which nobody sees.
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
