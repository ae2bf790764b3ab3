import IconFetch
import TestSupport
import Testing

@testable import IconFetch

struct PNGHeaderTests {
  private static func plain() throws -> [UInt8] { try Fixture.bytes("Pictures/odd/plain.png") }

  /// The plain picture with other bytes in its header, and the checksum that goes with them.
  private static func plain(with bytes: [UInt8], at offset: Int) throws -> [UInt8] {
    var png = try plain()
    png.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    var crc: UInt32 = ~0
    for byte in png[12..<29] {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }
    for place in 0..<4 { png[29 + place] = UInt8(truncatingIfNeeded: ~crc >> (24 - 8 * place)) }
    return png
  }

  private func expect(_ png: [UInt8], _ reason: PictureFailure.Reason, at offset: Int) throws {
    let failure = try #require(throws: PictureFailure.self) { try PNGHeader(png) }
    try #require(failure.reason == reason)
    try #require(failure.offset == offset)
  }

  @Test func soundHeaderIsRead() throws {
    let header = try PNGHeader(Self.plain())
    #expect(header.width == 5)
    #expect(header.height == 4)
    #expect(header.bitDepth == 8)
    #expect(header.colourType == 6)
    #expect(!header.isInterlaced)
    #expect(try PNGHeader(Fixture.bytes("Pictures/kinds/grey-1-interlaced.png")).isInterlaced)
  }

  @Test func nothingAndTextAreNoPicture() throws {
    try expect([], .headerTruncated, at: 0)
    try expect(Array("<svg xmlns".utf8), .notPNG, at: 0)
    try expect([0x89, 0x50, 0x4e, 0x47, 0x0a], .notPNG, at: 4)
  }

  @Test func headerCutOffAnywhereIsReported() throws {
    let png = try Self.plain()
    for count in 0..<33 { try expect(Array(png[..<count]), .headerTruncated, at: count) }
  }

  @Test func firstChunkMustBeTheHeader() throws {
    try expect(Self.plain(with: [0, 0, 0, 14], at: 8), .headerMissing, at: 8)
    try expect(Self.plain(with: Array("IDAT".utf8), at: 12), .headerMissing, at: 12)
  }

  @Test func everyFlippedBitOfTheHeaderIsNoticed() throws {
    let png = try Self.plain()
    for bit in 16 * 8..<33 * 8 {
      var damaged = png
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      try expect(damaged, .headerChecksum, at: 29)
    }
  }

  @Test func pictureWithoutPixelsIsRefused() throws {
    try expect(Self.plain(with: [0, 0, 0, 0], at: 16), .empty, at: 16)
    try expect(Self.plain(with: [0, 0, 0, 0], at: 20), .empty, at: 20)
  }

  @Test func sideIsLimited() throws {
    #expect(try PNGHeader(Self.plain(with: [0, 0, 8, 0, 0, 0, 8, 0], at: 16)).width == 2048)
    try expect(Self.plain(with: [0, 0, 8, 1], at: 16), .side(2049), at: 16)
    try expect(Self.plain(with: [0, 0, 8, 1], at: 20), .side(2049), at: 20)
    try expect(Self.plain(with: [255, 255, 255, 255], at: 20), .side(.max), at: 20)
    try expect(Fixture.bytes("Pictures/damaged/huge.png"), .side(30000), at: 16)
  }

  @Test func onlyTheFormatsColourTypesAndDepthsPass() throws {
    let legal: [UInt8: Set<UInt8>] = [
      0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]
    for type in UInt8(0)...8 {
      for depth in UInt8(0)...33 {
        let png = try Self.plain(with: [depth, type], at: 24)
        if legal[type]?.contains(depth) == true {
          try #require(try PNGHeader(png).bitDepth == depth)
        } else {
          try expect(png, .colour(type: type, depth: depth), at: 24)
        }
      }
    }
  }

  @Test func methodsOtherThanTheFormatsAreRefused() throws {
    try expect(Self.plain(with: [1], at: 26), .compression, at: 26)
    try expect(Self.plain(with: [64], at: 27), .filter, at: 27)
    try expect(Self.plain(with: [2], at: 28), .interlace, at: 28)
  }

  @Test func fileIsLimitedToTwoMebibytes() throws {
    let png = try Self.plain()
    let padding = [UInt8](repeating: 0, count: 2 << 20)
    #expect(try PNGHeader(png + padding.dropLast(png.count)).width == 5)
    try expect(png + padding.dropLast(png.count - 1), .tooLarge, at: 2 << 20)
  }

  @Test func failureSaysWhatIsWrongAndWhere() throws {
    let failure = #expect(throws: PictureFailure.self) { try PNGHeader(Array("GIF89a".utf8)) }
    #expect(failure?.description == "not a PNG picture (at byte 0)")
  }
}

@Suite struct RenderedPNGTests {
  private let png: [UInt8]

  init() throws { png = try IconPlace.picture(58) }

  private func chunk(_ type: String, _ content: [UInt8] = []) -> [UInt8] {
    [0, 0, 0, UInt8(content.count)] + type.utf8 + content + [0, 0, 0, 0]
  }

  @Test(arguments: [1.0, 58, 1024]) func whatIsRenderedIsOne(side: Double) throws {
    #expect(try RenderedPNG.isOne(IconPlace.picture(side), side: Int(side)))
  }

  @Test func cutOffAnywhereItIsNone() throws {
    for length in png.indices {
      try #require(!RenderedPNG.isOne(Array(png.prefix(length)), side: 58), "\(length)")
    }
  }

  @Test func otherSizesAreNone() {
    #expect(!RenderedPNG.isOne(png, side: 57))
    #expect(!RenderedPNG.isOne(png, side: 59))
  }

  @Test func whatFollowsItsEndMakesItNone() {
    #expect(!RenderedPNG.isOne(png + [0], side: 58))
    #expect(!RenderedPNG.isOne(png + chunk("IEND"), side: 58))
  }

  @Test(arguments: ["iCCP", "tEXt", "eXIf", "acTL", "PLTE", "IHDR", "IEND"])
  func anotherChunkAnywhereMakesItNone(type: String) {
    // After the signature, IHDR, sRGB, and before IEND.
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
