/// A container that the walk over all references is inside.
struct WalkFrame {
  let object: Int
  /// Where the next reference lies.
  var position: Int
  /// Where the references end.
  let end: Int
  /// The height of the highest container found in it.
  var height: Int
}
