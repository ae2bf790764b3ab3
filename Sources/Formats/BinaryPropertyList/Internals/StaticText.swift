/// A literal text that can be compared, so that a failure needs no allocation.
struct StaticText: Hashable, Sendable, CustomStringConvertible {
  private let text: StaticString

  init(_ text: StaticString) {
    self.text = text
  }

  var description: String { text.description }

  static func == (one: StaticText, other: StaticText) -> Bool {
    one.description == other.description
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(description)
  }
}
