/// The form of the PNGs that `Picture.png()` writes, by which they are known again.
enum RenderedPNG {
  private static let signatureLength = 8
  /// A chunk's length, type and checksum.
  private static let chunkOverhead = 12

  /// Whether bytes are an RGBA picture of 8 bits and so many pixels a side, in the chunks `IHDR`,
  /// `sRGB`, `IDAT` once or more and `IEND`, with nothing between or behind. What is deflated is not
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

  /// `nil` where the last chunk does not end with the bytes.
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
