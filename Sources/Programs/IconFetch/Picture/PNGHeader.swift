/// The header of a PNG, read before anything is decoded.
///
/// Signature and `IHDR` chunk as in PNG (Third Edition) sections 5.2 and 11.2.1. Nothing that a
/// decoder would take for a picture larger than the limits passes.
package struct PNGHeader: Hashable, Sendable {
  /// The longest side, in pixels; so there are at most 4 Mi pixels.
  package static let sideLimit = 2048
  /// The longest file, in bytes.
  package static let byteLimit = 2 << 20

  /// In pixels, 1 to ``sideLimit``.
  package let width: Int
  /// In pixels, 1 to ``sideLimit``.
  package let height: Int
  /// Bits a sample, or a palette index: 1, 2, 4, 8 or 16.
  package let bitDepth: UInt8
  /// 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha.
  package let colourType: UInt8
  /// Whether the rows come in Adam7's seven passes.
  package let isInterlaced: Bool

  /// Reads the header of a whole file and ignores the rest.
  package init(_ png: [UInt8]) throws(PictureFailure) {
    guard png.count <= Self.byteLimit else { throw PictureFailure(.tooLarge, at: Self.byteLimit) }
    try self.init(prefixOf: png)
  }

  /// Reads the header from a file's first bytes, however long the file is.
  init(prefixOf png: [UInt8]) throws(PictureFailure) {
    for (offset, byte) in Self.signature.enumerated() where offset < png.count {
      guard png[offset] == byte else { throw PictureFailure(.notPNG, at: offset) }
    }
    guard png.count >= Self.length else { throw PictureFailure(.headerTruncated, at: png.count) }
    guard Self.word(png, 8) == 13 else { throw PictureFailure(.headerMissing, at: 8) }
    guard png[12..<16].elementsEqual("IHDR".utf8) else {
      throw PictureFailure(.headerMissing, at: 12)
    }
    guard Self.checksum(png[12..<29]) == Self.word(png, 29) else {
      throw PictureFailure(.headerChecksum, at: 29)
    }
    width = try Self.side(png, 16)
    height = try Self.side(png, 20)
    bitDepth = png[24]
    colourType = png[25]
    guard Self.depths[colourType]?.contains(bitDepth) == true else {
      throw PictureFailure(.colour(type: colourType, depth: bitDepth), at: 24)
    }
    guard png[26] == 0 else { throw PictureFailure(.compression, at: 26) }
    guard png[27] == 0 else { throw PictureFailure(.filter, at: 27) }
    guard png[28] <= 1 else { throw PictureFailure(.interlace, at: 28) }
    isInterlaced = png[28] == 1
  }

  /// Whether bytes begin with PNG's signature.
  static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: signature) }

  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  /// Signature, length, type, 13 bytes, checksum.
  private static let length = 8 + 4 + 4 + 13 + 4
  private static let depths: [UInt8: [UInt8]] = [
    0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
  ]

  private static func word(_ png: [UInt8], _ offset: Int) -> UInt32 {
    png[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func side(_ png: [UInt8], _ offset: Int) throws(PictureFailure) -> Int {
    let pixels = word(png, offset)
    guard pixels > 0 else { throw PictureFailure(.empty, at: offset) }
    guard pixels <= sideLimit else { throw PictureFailure(.side(pixels), at: offset) }
    return Int(pixels)
  }

  /// CRC-32 as in PNG annex D, bit by bit: it is done for 17 bytes.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in
        crc >> 1 ^ (crc & 1 == 0 ? 0 : 0xedb8_8320)
      }
    }
  }
}

/// Why bytes are not a PNG that can be shown, and where.
package struct PictureFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with the bytes.
  package struct Reason: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    private init(_ words: String) { description = words }

    package static let tooLarge = Self(
      "the picture is larger than \(PNGHeader.byteLimit >> 20) MiB")
    package static let notPNG = Self("not a PNG picture")
    /// The bytes end within signature and header.
    package static let headerTruncated = Self("the header is cut off")
    /// The first chunk is not a header of 13 bytes.
    package static let headerMissing = Self("the first chunk is not a header")
    package static let headerChecksum = Self("the header is damaged")
    package static let empty = Self("the picture has no pixels")
    /// The compression method is not 0.
    package static let compression = Self("the compression method is unknown")
    /// The filter method is not 0.
    package static let filter = Self("the filter method is unknown")
    /// The interlace method is neither 0 nor 1.
    package static let interlace = Self("the interlace method is unknown")

    package static func side(_ pixels: UInt32) -> Self {
      Self("a side of \(pixels) pixels is longer than the \(PNGHeader.sideLimit) allowed")
    }

    package static func colour(type: UInt8, depth: UInt8) -> Self {
      Self("colour type \(type) does not exist with \(depth) bits")
    }

    /// The header is sound but the data are not, in libpng's words.
    package static func damaged(_ words: String) -> Self {
      Self("the picture is damaged: \(words)")
    }
  }

  package let reason: Reason
  /// The offset of the byte that is wrong; for damage that libpng finds, how far it had read.
  package let offset: Int

  init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  package var description: String { "\(reason) (at byte \(offset))" }
}

/// The form of the PNGs that `Picture.png()` writes, by which they are known again.
enum RenderedPNG {
  private static let signatureLength = 8
  /// A chunk's length, type and checksum.
  private static let chunkOverhead = 12

  /// Whether bytes are an RGBA picture of 8 bits and so many pixels a side, in the chunks `IHDR`,
  /// `sRGB`, `IDAT` once or more and `IEND`, with nothing between or after. What is deflated is not
  /// looked at.
  static func isOne(_ png: [UInt8], side: Int) -> Bool {
    guard let header = try? PNGHeader(prefixOf: png), (header.width, header.height) == (side, side),
      header.bitDepth == 8, header.colourType == 6, !header.isInterlaced,
      let types = chunkTypes(png)
    else { return false }
    let rows = types.dropFirst(2).dropLast()
    return types.prefix(2) == ["IHDR", "sRGB"] && types.last == "IEND" && !rows.isEmpty
      && rows.allSatisfy { $0 == "IDAT" }
  }

  /// `nil` if the last chunk does not end with the bytes.
  private static func chunkTypes(_ png: [UInt8]) -> [String]? {
    var types: [String] = []
    var rest = png.dropFirst(signatureLength)
    while !rest.isEmpty {
      guard rest.count >= chunkOverhead else { return nil }
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard length <= rest.count - chunkOverhead else { return nil }
      types.append(String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self))
      rest = rest.dropFirst(chunkOverhead + length)
    }
    return types
  }
}
