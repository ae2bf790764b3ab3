/// A text that was just written.
struct FlatText {
  /// Where it ends.
  let end: Int
  /// Tells it quickly from most others.
  let sum: TextSum
}
