import AppIcon
import TestSupport
import Testing

@testable import IconFetch

struct IconRenderingTests {
  /// As it is, but fitted into a square.
  private func rendering(_ side: Int) throws -> IconRendering {
    let size = try #require(IconSize(points: Double(side)))
    return IconRendering(size: size, shape: .none, hasStroke: false)
  }

  /// The pixels at the picture's own size.
  private func pixels(_ png: [UInt8]) throws -> [UInt8] {
    let header = try PNGHeader(png)
    return try rendering(max(header.width, header.height)).scaled(PNGReader(png)).pixels
  }

  @Test(arguments: PictureKind.all) func everyKindDecodesToItsPixels(_ kind: String) throws {
    let png = try Fixture.bytes("Pictures/kinds/\(kind).png")
    #expect(try pixels(png) == Fixture.bytes("Pictures/kinds/\(kind).rgba"))
  }

  @Test(
    arguments: [
      "animation", "damaged-text", "gamma", "plain", "profile-bomb", "text-behind", "text-bomb",
      "trailing-data", "unknown-chunk",
    ])
  func whatIsNotThePictureIsPassedOver(_ name: String) throws {
    let png = try Fixture.bytes("Pictures/odd/\(name).png")
    #expect(try pixels(png) == Fixture.bytes("Pictures/odd/plain.rgba"))
  }

  @Test(
    arguments: [
      ("huge", PictureFailure(.side(30000), at: 16)),
      ("checksum", PictureFailure(.damaged("IDAT: CRC error"), at: 86)),
      ("rows-missing", PictureFailure(.damaged("Not enough image data"), at: 89)),
      ("no-data", PictureFailure(.damaged("IEND: out of place"), at: 41)),
      ("no-end", PictureFailure(.damaged("the data ends too soon"), at: 86)),
      ("no-palette", PictureFailure(.damaged("IDAT: Missing PLTE before IDAT"), at: 41)),
      ("filter-5", PictureFailure(.damaged("bad adaptive filter value"), at: 82)),
      ("not-deflated", PictureFailure(.damaged("IDAT: invalid window size (libpng)"), at: 81)),
      ("critical-chunk", PictureFailure(.damaged("QQQQ: unhandled critical chunk"), at: 46)),
    ])
  func damageIsReportedWithItsPlace(_ name: String, _ expected: PictureFailure) throws {
    let png = try Fixture.bytes("Pictures/damaged/\(name).png")
    #expect(throws: expected) { try rendering(29).render(png: png) }
  }

  @Test(
    arguments: [
      "palette-4-transparent-interlaced", "rgba-16", "grey-1", "rgb-8-interlaced",
    ])
  func pictureCutOffAnywhereIsRefused(_ kind: String) throws {
    let png = try Fixture.bytes("Pictures/kinds/\(kind).png")
    for count in png.indices {
      let failure = try #require(throws: PictureFailure.self) {
        try rendering(29).render(png: Array(png[..<count]))
      }
      try #require(failure.offset <= count)
    }
    #expect(try PNGHeader(rendering(29).render(png: png)).width == 29)
  }

  @Test func randomDamageIsAnErrorOrAPicture() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix(state: seed)
    let rendering = try rendering(16)
    for _ in 0..<2000 {
      let kind = try #require(PictureKind.all.randomElement(using: &random))
      var png = try Fixture.bytes("Pictures/kinds/\(kind).png")
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        png[Int.random(in: 33..<png.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      let rendered = Result { () throws(PictureFailure) in
        try PNGHeader(rendering.render(png: png)).width
      }
      switch rendered {
      case .success(let width): try #require(width == 16, "seed \(seed)")
      case .failure(let failure): try #require(0...png.count ~= failure.offset, "seed \(seed)")
      }
    }
  }

  @Test func moreDataThanPixelsDoesNotGrowThePicture() throws {
    // 20 MiB after the last row, of which libpng inflates no more than it must.
    let png = try Fixture.bytes("Pictures/damaged/data-bomb.png")
    #expect(try pixels(png) == Fixture.bytes("Pictures/odd/plain.rgba"))
  }

  @Test(arguments: [97, 58, 29, 10, 1]) func reductionIsTheMeanOfTheArea(_ side: Int) throws {
    #expect(try largestDifference(side) <= 1)
  }

  @Test(arguments: [98, 150]) func enlargementIsCatmullRom(_ side: Int) throws {
    #expect(try largestDifference(side) <= 1)
  }

  private func largestDifference(_ side: Int) throws -> Int {
    let png = try Fixture.bytes("Pictures/scaling.png")
    let ours = try rendering(side).scaled(PNGReader(png)).pixels
    let expected = try Fixture.bytes("Pictures/scaling-\(side).rgba")
    try #require(ours.count == expected.count)
    return zip(ours, expected).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }

  @Test func transparentColoursDoNotBleed() throws {
    // White beside transparent green: the mean is white, half transparent.
    let row: [UInt8] = [255, 255, 255, 255, 0, 255, 0, 0]
    let png = try Picture(width: 2, height: 2, pixels: row + row).png()
    #expect(try rendering(1).scaled(PNGReader(png)).pixels == [255, 255, 255, 128])
  }

  @Test func oblongPictureIsCentredOnTransparentGround() throws {
    let red = Array(repeatElement([255, 0, 0, 255] as [UInt8], count: 8 * 3).joined())
    let png = try Picture(width: 8, height: 3, pixels: red).png()
    let icon = try pixels(rendering(8).render(png: png))
    let clear = [UInt8](repeating: 0, count: 4 * 8)
    #expect(icon == clear + clear + red + clear + clear + clear)
  }

  @Test func smallestAndLongestSidesFit() throws {
    for (width, height) in [(1, 1), (1, 2048), (2048, 1), (2048, 3)] {
      let png = try Picture(width: width, height: height).png()
      for side in [1, 29, 1024] {
        #expect(try PNGHeader(rendering(side).render(png: png)).height == side)
      }
    }
  }

  @Test func sameInputGivesTheSameBytes() throws {
    let png = try Fixture.bytes("Pictures/scaling.png")
    let size = try #require(IconSize(points: 29, scale: 2))
    let first = try IconRendering(size: size).render(png: png)
    #expect(try IconRendering(size: size).render(png: png) == first)
    #expect(try PNGHeader(first).colourType == 6)
  }

  @Test func argumentsReadBackAsTheRendering() throws {
    let size = try #require(IconSize(points: 29.5, scale: 1.25))
    for shape in IconShape.allCases {
      let rendering = IconRendering(size: size, shape: shape, hasStroke: shape == .none)
      #expect(IconRendering(arguments: rendering.arguments) == rendering)
    }
    for wrong in [
      [], ["29", "2", "continuous"], ["0", "2", "none", "stroke"], ["29", "x", "none", "stroke"],
      ["29", "2", "square", "stroke"], ["29", "2", "none", "yes"],
    ] {
      #expect(IconRendering(arguments: wrong) == nil)
    }
  }
}

/// The kinds of PNG there are, by the names of their fixtures.
enum PictureKind {
  static let all: [String] = {
    let opaque = ["grey-alpha-8", "grey-alpha-16", "rgba-8", "rgba-16"]
    let others = [
      "grey-1", "grey-2", "grey-4", "grey-8", "grey-16", "rgb-8", "rgb-16", "palette-1",
      "palette-2", "palette-4", "palette-8",
    ]
    return (opaque + others + others.map { $0 + "-transparent" })
      .flatMap { [$0, $0 + "-interlaced"] }
  }()
}
