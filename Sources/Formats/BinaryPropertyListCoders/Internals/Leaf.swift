/// A scalar, string or data that was encoded, and lies among the leaves' bytes as an object.
struct Leaf {
  let offset: Int
  let length: Int
  /// What tells it quickly from others.
  let mark: UInt32
  /// The number among the objects plus one; 0 while it has none.
  var number: UInt32 = 0
}
