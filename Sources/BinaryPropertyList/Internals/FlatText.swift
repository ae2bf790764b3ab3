/// A text that was written, and what tells it quickly from others.
struct FlatText {
  let offset: UInt32
  let mark: UInt32
}
