public import AppIcon

/// Turns a stranger's PNG into an icon: decoded, scaled to size, cut out by a shape.
///
/// The bytes go through libpng, so this belongs into a process in a ``DecodingSandbox``; see
/// ``RenderingProcess``. Memory is bounded by the limits of ``PNGHeader``: rows are scaled as they
/// are decoded, and only an interlaced picture is held whole (at most 16 MiB).
extension IconRendering {
  /// Returns the icon as a PNG of RGBA: the same bytes for the same input.
  ///
  /// An oblong picture is fitted into the square and centred on transparent ground. Samples are
  /// averaged as stored (see ``AreaReduction``) and taken for sRGB whatever `gAMA` or a profile
  /// say. Of an animation the default picture is taken.
  ///
  /// - Throws: ``PictureFailure`` for bytes that are no PNG, are beyond the limits of
  ///   ``PNGHeader``, or are damaged or cut off anywhere up to the end of the picture.
  public func render(png: [UInt8]) throws(PictureFailure) -> [UInt8] {
    var icon = try scaled(PNGReader(png)).centred(inSquareOf: size.pixels)
    IconMask(size, shape: shape, stroke: hasStroke).apply(to: &icon)
    return try icon.png()
  }

  /// Decodes a picture and fits it into the square.
  func scaled(_ reader: PNGReader) throws(PictureFailure) -> Picture {
    let (width, height) = (reader.header.width, reader.header.height)
    let longest = max(width, height)
    let side = size.pixels
    let target = (
      width: max(1, (2 * width * side + longest) / (2 * longest)),
      height: max(1, (2 * height * side + longest) / (2 * longest))
    )
    var scaling: any RowScaling =
      side <= longest
      ? AreaReduction((width, height), to: target) : CubicEnlargement((width, height), to: target)
    let row = RowBuffer(width: width)
    for _ in 0..<height {
      try reader.read(into: row)
      scaling.add(row)
    }
    try reader.finish()
    return Picture(width: target.width, height: target.height, pixels: scaling.pixels)
  }
}

/// Makes a picture of another size from rows taken as they are decoded.
protocol RowScaling {
  /// Those of the new picture, complete when all rows were taken.
  var pixels: [UInt8] { get }

  /// Takes the next row.
  mutating func add(_ samples: RowBuffer)
}
