import AppIcon
import TestSupport
import Testing

@testable import IconFetch

struct IconMaskTests {
  /// A table of parts, 0 to 1, by rows.
  private func table(_ name: String) throws -> [[Double]] {
    String(decoding: try Fixture.bytes("IconShape/\(name).csv"), as: UTF8.self)
      .split(separator: "\n").map { $0.split(separator: ",").compactMap { Double($0) } }
  }

  private func mask(
    _ points: Double, _ scale: Double, _ shape: IconShape = .continuous, stroke: Bool = true
  ) throws -> IconMask {
    IconMask(try #require(IconSize(points: points, scale: scale)), shape: shape, stroke: stroke)
  }

  private func parts(_ mask: IconMask) -> (inside: [[Double]], stroked: [[Double]]) {
    var parts: (inside: [[Double]], stroked: [[Double]]) = ([], [])
    mask.forEachRow { _, inside, stroked in
      parts.inside.append(inside)
      parts.stroked.append(stroked)
    }
    return parts
  }

  private func difference(_ ours: [[Double]], _ expected: [[Double]]) -> Double {
    guard ours.map(\.count) == expected.map(\.count) else { return .infinity }
    return zip(ours.joined(), expected.joined()).map { abs($0 - $1) }.max() ?? .infinity
  }

  @Test(arguments: [(29, 1.0), (58, 2.0)])
  func continuousCornerAndHairlineAgreeWithTheTables(_ side: Int, _ scale: Double) throws {
    let parts = parts(try mask(29, scale))
    #expect(difference(parts.inside, try table("alpha-up-\(side)")) < 0.0001)
    #expect(difference(parts.stroked, try table("stroke-up-\(side)")) < 0.0001)
  }

  @Test func circleAgreesWithItsTable() throws {
    let parts = parts(try mask(29, 2, .circleCorner))
    #expect(difference(parts.inside, try table("circle-corner-58")) < 0.0001)
  }

  @Test func superellipseAgreesWithItsTable() throws {
    let parts = parts(try mask(29, 1, .superellipse))
    #expect(difference(parts.inside, try table("superellipse-29")) < 0.0001)
  }

  private func white(_ side: Int) -> Picture {
    Picture(width: side, height: side, pixels: [UInt8](repeating: 255, count: 4 * side * side))
  }

  private func alphas(_ picture: Picture) -> [Int] {
    stride(from: 3, to: picture.pixels.count, by: 4).map { Int(picture.pixels[$0]) }
  }

  @Test(
    arguments: [
      (1, [0, 0, 0, 24, 124, 191, 228, 246, 252, 255], 796.958),
      (2, [0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 101, 153, 190, 214, 231, 242, 248, 252, 254], 3187.833),
    ])
  func topRowAndSumAreThoseOfTheReference(_ scale: Int, _ row: [Int], _ sum: Double) throws {
    var picture = white(29 * scale)
    try mask(29, Double(scale)).apply(to: &picture)
    let alphas = alphas(picture)
    #expect(Array(alphas[..<row.count]) == row)
    #expect(abs(Double(alphas.reduce(0, +)) / 255 - sum) < 0.5)
  }

  @Test func hairlineDarkensByATenthOfWhatItCovers() throws {
    var twice = white(58)
    try mask(29, 2).apply(to: &twice)
    let middle = 4 * 29
    #expect(Array(twice.pixels[middle..<middle + 4]) == [230, 230, 230, 255])
    let below = middle + 4 * 58
    #expect(Array(twice.pixels[below..<below + 4]) == [255, 255, 255, 255])
    var once = white(29)
    try mask(29, 1).apply(to: &once)
    #expect(Array(once.pixels[4 * 14..<4 * 15]) == [242, 242, 242, 255])
    var plain = white(29)
    try mask(29, 1, stroke: false).apply(to: &plain)
    #expect(Array(plain.pixels[4 * 14..<4 * 15]) == [255, 255, 255, 255])
  }

  @Test func hairlineIsThreeHalvesOfAPixelWideAtThreeTimes() throws {
    let parts = parts(try mask(29, 3))
    let expected = [1, 0.5, 0]
    #expect(zip(parts.stroked.map { $0[43] }, expected).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test(arguments: IconShape.allCases)
  func transparentPixelsHaveNoColour(_ shape: IconShape) throws {
    var picture = white(87)
    try mask(29, 3, shape).apply(to: &picture)
    for (pixel, alpha) in alphas(picture).enumerated() where alpha == 0 {
      let isBlack = picture.pixels[4 * pixel..<4 * pixel + 3].allSatisfy { $0 == 0 }
      try #require(isBlack)
    }
    #expect((shape == .none) == (picture == white(87)))
  }

  @Test func transparentPictureStaysSo() throws {
    var picture = Picture(width: 58, height: 58)
    try mask(29, 2).apply(to: &picture)
    #expect(picture == Picture(width: 58, height: 58))
  }

  @Test func radiusIsAWholeNumberOfPoints() throws {
    // 29 points at 2 have a radius of 14 pixels, 58 points at 1 of 13.
    let twice = try #require(parts(mask(29, 2)).inside[0].firstIndex { $0 > 0.001 })
    let once = try #require(parts(mask(58, 1)).inside[0].firstIndex { $0 > 0.001 })
    #expect(twice == 9)
    #expect(once == 8)
  }

  @Test(arguments: IconShape.allCases)
  func radiusThatDoesNotFitIsTheLargestThatDoes(_ shape: IconShape) throws {
    // Three points: a radius of 1 is more than 3 / 2 / 1.52866483 = 0.98.
    for points in 1...9 {
      for scale in [1, 3, 20.0] {
        let inside = parts(try mask(Double(points), scale, shape)).inside
        #expect(inside.allSatisfy { $0.allSatisfy { 0...1 ~= $0 } })
        let share = inside.joined().reduce(0, +) / Double(inside.count * inside.count)
        #expect(0.86...1.0001 ~= share, "\(points) at \(scale)")
      }
    }
  }

  @Test(arguments: IconShape.allCases) func maskIsSymmetric(_ shape: IconShape) throws {
    let parts = parts(try mask(29, 3, shape))
    for rows in [parts.inside, parts.stroked] {
      #expect(difference(rows, rows.reversed()) < 1e-9)
      #expect(difference(rows, rows.map { $0.reversed() }) < 1e-9)
      #expect(difference(rows, rows.indices.map { column in rows.map { $0[column] } }) < 1e-9)
    }
  }
}
