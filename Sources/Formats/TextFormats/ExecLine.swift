/// The words of an `Exec` line, by the Desktop Entry Specification, "the Exec key".
package struct ExecLine {
  /// More bytes than any real line has.
  private static let limit = 4096

  /// The words; none where the line is too long.
  package let words: [String]

  /// - Parameters:
  ///   - line: the value of the key, with the escapes of strings undone.
  ///   - values: what stands for a field code: as many words where the code is one, else part of one.
  package init(_ line: String, _ values: (Character) -> [String] = { _ in [] }) {
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
        guard let code = rest.popFirst() else { break }
        let filled = code == "%" ? ["%"] : values(code)
        let isWhole = word == nil && (rest.first?.isWhitespace ?? true)
        if filled.count == 1 || !isWhole, let first = filled.first {
          word = (word ?? "") + first
        } else {
          words += filled
        }
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    self.words = words
  }
}
