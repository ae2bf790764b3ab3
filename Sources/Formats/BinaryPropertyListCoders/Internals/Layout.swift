/// All widths and sizes of a property list.
struct Layout {
  let objectCount: Int
  let referenceWidth: Int
  let offsetWidth: Int
  /// Where the offset table begins.
  let table: Int

  init(_ content: LayoutContent) {
    objectCount = content.objectCount
    referenceWidth = Self.width(of: objectCount)
    table = Self.headerLength + content.length + content.referenceCount * referenceWidth
    offsetWidth = Self.width(of: table)
  }

  /// How many bytes there are in all.
  var size: Int { table + objectCount * offsetWidth + Self.trailerLength }

  static let headerLength = 8
  static let trailerLength = 32

  /// The smallest of 1, 2, 4 and 8 bytes that hold a number.
  @inline(__always)
  static func width(of value: Int) -> Int {
    switch value {
    case ...0xff: 1
    case ...0xffff: 2
    case ...0xffff_ffff: 4
    default: 8
    }
  }

  /// The length of a container's marker and count.
  @inline(__always)
  static func headLength(count: Int) -> Int {
    count < 15 ? 1 : 2 + width(of: count)
  }
}
