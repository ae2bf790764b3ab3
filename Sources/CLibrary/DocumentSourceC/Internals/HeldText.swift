/// A text for C that several may hold.
final class HeldText {
  let text: CText

  init(_ text: String) { self.text = CText(text) }
}
