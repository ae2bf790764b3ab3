/// The widths in which CoreFoundation writes numbers.
enum IntegerWidth {
  /// The smallest of 1, 2, 4 and 8 bytes that hold a number.
  @inline(__always)
  static func bytes(for value: UInt64) -> Int {
    switch value {
    case ...0xff: 1
    case ...0xffff: 2
    case ...0xffff_ffff: 4
    default: 8
    }
  }

  /// The marker of an integer object that is not negative, and its width.
  @inline(__always)
  static func markerAndWidth(of value: UInt64) -> (marker: UInt8, width: Int) {
    switch value {
    case ...0xff: (0x10, 1)
    case ...0xffff: (0x11, 2)
    case ...0xffff_ffff: (0x12, 4)
    default: (0x13, 8)
    }
  }
}
