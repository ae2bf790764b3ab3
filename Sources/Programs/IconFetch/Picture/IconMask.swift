internal import AppIcon

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
    // Of an icon of a point or less, the hairline is all.
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
