import TestSupport
import Testing

@testable import IconFetch

@Suite struct RenderedPNGTests {
  private let png: [UInt8]

  init() throws { png = try IconPlace.picture(58) }

  private func chunk(_ type: String, _ content: [UInt8] = []) -> [UInt8] {
    [0, 0, 0, UInt8(content.count)] + type.utf8 + content + [0, 0, 0, 0]
  }

  @Test(arguments: [1.0, 58, 1024]) func whatIsRenderedIsOne(side: Double) throws {
    #expect(try RenderedPNG.isOne(IconPlace.picture(side), side: Int(side)))
  }

  @Test func cutOffAnywhereItIsNone() {
    for length in png.indices {
      #expect(!RenderedPNG.isOne(Array(png.prefix(length)), side: 58), "\(length)")
    }
  }

  @Test func otherSizesAreNone() {
    #expect(!RenderedPNG.isOne(png, side: 57))
    #expect(!RenderedPNG.isOne(png, side: 59))
  }

  @Test func whatIsBehindItsEndMakesItNone() {
    #expect(!RenderedPNG.isOne(png + [0], side: 58))
    #expect(!RenderedPNG.isOne(png + chunk("IEND"), side: 58))
  }

  @Test(arguments: ["iCCP", "tEXt", "eXIf", "acTL", "PLTE", "IHDR", "IEND"])
  func anotherChunkAnywhereMakesItNone(type: String) {
    // Behind the signature, IHDR, sRGB, and before IEND.
    for place in [8, 33, 46, png.count - 12] {
      let changed = png[..<place] + chunk(type, [1, 2, 3]) + png[place...]
      #expect(!RenderedPNG.isOne(Array(changed), side: 58), "at \(place)")
    }
  }

  @Test(arguments: ["kinds/grey-8", "kinds/palette-8", "kinds/rgb-8", "kinds/rgba-16"])
  func otherKindsOfPicturesAreNone(name: String) throws {
    let picture = try Fixture.bytes("Pictures/\(name).png")
    let header = try PNGHeader(picture)
    #expect(!RenderedPNG.isOne(picture, side: header.width))
  }

  @Test func lengthBeyondTheBytesMakesItNone() {
    for length: [UInt8] in [[0xff, 0xff, 0xff, 0xff], [0x7f, 0xff, 0xff, 0xff]] {
      #expect(!RenderedPNG.isOne(png[..<33] + length + png[37...], side: 58))
    }
  }
}
