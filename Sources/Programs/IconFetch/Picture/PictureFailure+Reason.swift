extension PictureFailure {
  /// What is wrong with the bytes.
  public struct Reason: Hashable, Sendable {
    private enum Kind: Hashable {
      case fixed(String)
      case side(UInt32)
      case colour(type: UInt8, depth: UInt8)
      case damaged(String)
    }

    private let kind: Kind

    private init(_ text: String) { kind = .fixed(text) }

    private init(_ kind: Kind) { self.kind = kind }
  }
}

extension PictureFailure.Reason {
  /// There are more bytes than ``PNGHeader/byteLimit``.
  public static let tooLarge = Self("the picture is larger than \(PNGHeader.byteLimit >> 20) MiB")
  /// The bytes do not begin with PNG's signature.
  public static let notPNG = Self("not a PNG picture")
  /// The bytes end within signature and header.
  public static let headerTruncated = Self("the header is cut off")
  /// The first chunk is not a header of 13 bytes.
  public static let headerMissing = Self("the first chunk is no header")
  /// The header's checksum does not fit its bytes.
  public static let headerChecksum = Self("the header is damaged")
  /// The width or the height is 0.
  public static let empty = Self("the picture has no pixels")
  /// The compression method is not 0.
  public static let compression = Self("the compression method is unknown")
  /// The filter method is not 0.
  public static let filter = Self("the filter method is unknown")
  /// The interlace method is neither 0 nor 1.
  public static let interlace = Self("the interlace method is unknown")

  /// The width or the height is more than ``PNGHeader/sideLimit``.
  public static func side(_ pixels: UInt32) -> Self { Self(.side(pixels)) }

  /// The colour type is unknown or does not go with the bit depth.
  public static func colour(type: UInt8, depth: UInt8) -> Self {
    Self(.colour(type: type, depth: depth))
  }

  /// The header is sound but the data are not, in libpng's words.
  public static func damaged(_ words: String) -> Self { Self(.damaged(words)) }
}

extension PictureFailure.Reason: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch kind {
    case .fixed(let text): text
    case .side(let pixels):
      "a side of \(pixels) pixels is longer than the \(PNGHeader.sideLimit) allowed"
    case .colour(let type, let depth): "there is no colour type \(type) with \(depth) bits"
    case .damaged(let words): "the picture is damaged: \(words)"
    }
  }
}
