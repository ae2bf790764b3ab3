/// The words of an `Exec` line, by the Desktop Entry Specification, "the Exec key".
struct ExecLine {
  /// Longer than any line is, in bytes.
  private static let limit = 4096

  /// Field codes such as `%U` are left out. Of a line that is too long there are none.
  let words: [String]

  /// - Parameter line: with the escapes of the specification's strings undone.
  init(_ line: String) {
    var words: [String] = []
    // Quotes make a word even of nothing.
    var word: String?
    var isQuoted = false
    var rest = line.utf8.count <= Self.limit ? line[...] : ""
    while let character = rest.popFirst() {
      switch character {
      case "\"": (isQuoted, word) = (!isQuoted, word ?? "")
      case "\\" where isQuoted:
        if let escaped = rest.popFirst() { word = (word ?? "") + String(escaped) }
      case _ where !isQuoted && character.isWhitespace:
        if let word { words.append(word) }
        word = nil
      case "%" where !isQuoted:
        if rest.popFirst() == "%" { word = (word ?? "") + "%" }
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    self.words = words
  }
}
