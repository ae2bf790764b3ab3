/// A tag of macOS's Finder.
public struct UserTag: Hashable, Sendable {
  public let name: String
  /// From 0, none, to 7; `nil` where none is given.
  public let color: Int?

  public init(name: String, color: Int?) {
    self.name = name
    self.color = color
  }

  /// Reads `Red` and a line with the color's number.
  init(_ text: String) {
    if let end = text.lastIndex(of: "\n"), let color = Int(text[text.index(after: end)...]),
      (0...7).contains(color)
    {
      name = String(text[..<end])
      self.color = color
    } else {
      name = text
      color = nil
    }
  }
}
