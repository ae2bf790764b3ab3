/// A text that was written, and some of its bytes to tell it quickly from others.
struct FlatText {
  let offset: Int
  let mark: UInt64
}
