/// What the check for equal keys notes of an object.
struct KeyMark {
  /// The first object of the same text, plus one; zero while it is not known.
  var identity: UInt32 = 0
  /// The number of the last dictionary that has the object as an identity among its keys.
  var stamp: UInt32 = 0
}
