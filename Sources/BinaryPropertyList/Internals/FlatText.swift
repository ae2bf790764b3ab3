/// A text that was written, and what tells it quickly from others.
struct FlatText {
  let offset: Int
  let mark: TextMark
}
