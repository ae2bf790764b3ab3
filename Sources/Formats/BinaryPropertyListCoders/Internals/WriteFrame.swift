/// A container of which some values are not written yet.
struct WriteFrame {
  /// The place of the next value; 0 for none.
  var next: UInt32
  /// Where the reference to it is written.
  var reference: Int
}
