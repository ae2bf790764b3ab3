/// The words of an `Exec` line, by the Desktop Entry Specification, "the Exec key".
package struct ExecLine {
  /// More bytes than any real line has.
  private static let limit = 4096

  /// The words without field codes such as `%U`; none where the line is too long.
  package let words: [String]

  /// - Parameter line: the value of the key, with the escapes of strings undone.
  package init(_ line: String) {
    var words: [String] = []
    // `nil` between words: a pair of quotes is an empty word.
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
