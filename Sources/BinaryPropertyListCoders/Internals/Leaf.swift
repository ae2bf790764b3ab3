/// A scalar, string or data that was encoded, and lies among the leaves' bytes as an object.
struct Leaf {
  let offset: Int
  let length: Int
  /// The first eight bytes, or all and zeros, to tell it quickly from others.
  let mark: UInt64
  /// The number among the objects plus one; 0 while it has none.
  var number: UInt32 = 0
}
