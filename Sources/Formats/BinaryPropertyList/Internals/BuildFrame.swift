/// A container whose values are being made.
struct BuildFrame {
  let object: Int
  /// Where the next reference to a value lies.
  var position: Int
  /// Where the references end.
  let end: Int
  /// How many values the tree had when the container was begun.
  let expansion: Int
}
