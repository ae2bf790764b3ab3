/// A text with places for what declarations give, written `@NAME@`.
struct TextTemplate {
  /// The text with its places filled.
  let text: String
  /// Names of places for which there is no value, and values for which there is no place.
  let mismatches: Set<String>

  init(_ template: String, _ values: [String: String]) {
    let parts = template.split(separator: "@", omittingEmptySubsequences: false)
    var text = String(parts[0])
    var unused = Set(values.keys)
    var unknown: Set<String> = []
    var position = 1
    while position < parts.count {
      let name = String(parts[position])
      guard position + 1 < parts.count, Self.isName(name) else {
        text += "@" + name
        position += 1
        continue
      }
      if let value = values[name] { text += value } else { unknown.insert(name) }
      unused.remove(name)
      text += parts[position + 1]
      position += 2
    }
    self.text = text
    mismatches = unknown.union(unused)
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { $0 == "-" || ("a"..."z").contains($0) }
  }
}
