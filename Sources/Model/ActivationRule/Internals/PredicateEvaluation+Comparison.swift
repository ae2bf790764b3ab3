internal import UniformType

// Comparing.
extension PredicateEvaluation {
  mutating func compare(
    _ left: PredicateValue, _ comparison: RulePredicate.Comparison, _ right: PredicateValue,
    at number: Int
  ) throws(EvaluationError) -> Bool {
    switch comparison.op {
    case .equal: return try isEqual(left, right, comparison, at: number)
    case .notEqual: return try !isEqual(left, right, comparison, at: number)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard let order = try order(left, right, at: number) else { return false }
      return switch comparison.op {
      case .less: order < 0
      case .lessOrEqual: order <= 0
      case .greater: order > 0
      default: order >= 0
      }
    case .between:
      let bounds = try elements(of: right, at: number)
      guard bounds.count == 2 else { throw failure("BETWEEN takes two bounds", at: number) }
      guard let low = try order(left, bounds[0], at: number),
        let high = try order(left, bounds[1], at: number)
      else { return false }
      return low >= 0 && high <= 0
    case .isIn: return try holds(right, left, comparison, at: number)
    case .contains: return try holds(left, right, comparison, at: number)
    case .matches:
      guard let (text, pattern) = try texts(left, right, at: number) else { return false }
      return try matchesPattern(text, pattern, comparison, at: number)
    case .beginsWith, .endsWith, .like:
      guard let (text, pattern) = try texts(left, right, at: number) else { return false }
      return try matches(text, pattern, comparison, at: number)
    case .conformsTo, .typeEquals:
      guard let (type, other) = try texts(left, right, at: number) else { return false }
      let (name, otherName) = (string(type).lowercasedASCII, string(other).lowercasedASCII)
      try charge((name.utf8.count + otherName.utf8.count) >> 4, at: number)
      if name == otherName { return true }
      guard comparison.op == .conformsTo, let code = prepared.tree.code(of: otherName) else {
        return false
      }
      if case .content(let text) = type {
        return content.conforms(text, to: code.rawValue, otherName)
      }
      // Both stand in the predicate, or one of them does.
      try charge(TypeTree.ancestorLimit, at: number)
      return prepared.tree.conforms(name, to: otherName)
    }
  }

  /// The texts of both sides; `nil` if one is nothing.
  private func texts(
    _ left: PredicateValue, _ right: PredicateValue, at number: Int
  ) throws(EvaluationError) -> (PredicateText, PredicateText)? {
    switch (left, right) {
    case (.text(let one), .text(let other)): return (one, other)
    case (.null, .text), (.text, .null), (.null, .null): return nil
    default:
      throw failure(
        "cannot compare \(kind(of: left)) with \(kind(of: right)) as texts", at: number)
    }
  }

  private mutating func isEqual(
    _ left: PredicateValue, _ right: PredicateValue, _ comparison: RulePredicate.Comparison,
    at number: Int
  ) throws(EvaluationError) -> Bool {
    try charge(1, at: number)
    switch (left, right) {
    case (.null, .null): return true
    case (.text(let one), .text(let other)):
      let (one, other) = try folded(string(one), string(other), comparison, at: number)
      return one.utf8.elementsEqual(other.utf8)
    case (.node(let one), .node(let other)) where one == other: return true
    case (.node, .node), (.node, .list), (.list, .node), (.list, .list):
      guard isList(left), isList(right) else { return false }
      let (one, other) = (
        try elements(of: left, at: number), try elements(of: right, at: number)
      )
      guard one.count == other.count else { return false }
      for (one, other) in zip(one, other) {
        guard try isEqual(one, other, comparison, at: number) else { return false }
      }
      return true
    default:
      guard let one = Self.number(left), let other = Self.number(right) else { return false }
      return one.isEqual(to: other)
    }
  }

  private func isList(_ value: PredicateValue) -> Bool {
    switch value {
    case .list: true
    case .node(let place): content.nodes[Int(place)].kind == .list
    default: false
    }
  }

  /// A number, or a truth value as one.
  static func number(_ value: PredicateValue) -> RuleNumber? {
    switch value {
    case .number(let number): number
    case .boolean(let value): .integer(value ? 1 : 0)
    default: nil
    }
  }

  /// Negative, zero or positive; `nil` if one side is nothing.
  mutating func order(
    _ left: PredicateValue, _ right: PredicateValue, at number: Int
  ) throws(EvaluationError) -> Int? {
    if let one = Self.number(left), let other = Self.number(right) {
      return one.order(to: other)
    }
    switch (left, right) {
    case (.null, _), (_, .null): return nil
    case (.text(let one), .text(let other)):
      let (one, other) = (string(one), string(other))
      try charge(min(one.utf8.count, other.utf8.count) >> 4, at: number)
      if one.utf8.elementsEqual(other.utf8) { return 0 }
      return one.utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
    default:
      throw failure("cannot order \(kind(of: left)) and \(kind(of: right))", at: number)
    }
  }

  /// Whether a collection has an element, or a text another one.
  private mutating func holds(
    _ whole: PredicateValue, _ element: PredicateValue, _ comparison: RulePredicate.Comparison,
    at number: Int
  ) throws(EvaluationError) -> Bool {
    switch (whole, element) {
    case (.null, _): return false
    case (.text, .null): return false
    case (.text(let text), .text(let part)):
      return try matches(text, part, comparison, at: number)
    default:
      return try firstElement(of: whole, at: number) { evaluation, own throws(EvaluationError) in
        try evaluation.isEqual(own, element, comparison, at: number)
      }
    }
  }

  private mutating func matches(
    _ text: PredicateText, _ pattern: PredicateText, _ comparison: RulePredicate.Comparison,
    at number: Int
  ) throws(EvaluationError) -> Bool {
    let (text, pattern) = try folded(string(text), string(pattern), comparison, at: number)
    let (bytes, part) = (Array(text.utf8), Array(pattern.utf8))
    switch comparison.op {
    case .beginsWith: return bytes.starts(with: part)
    case .endsWith: return bytes.suffix(part.count).elementsEqual(part)
    case .like:
      try charge(bytes.count * max(1, part.count) >> 3, at: number)
      return Self.isLike(bytes, part)
    default:
      try charge(bytes.count * max(1, part.count) >> 3, at: number)
      guard part.count <= bytes.count else { return false }
      return (0...bytes.count - part.count).contains { bytes[$0...].starts(with: part) }
    }
  }

  /// Whether the whole of a text has the form of a regular expression.
  private mutating func matchesPattern(
    _ text: PredicateText, _ pattern: PredicateText, _ comparison: RulePredicate.Comparison,
    at number: Int
  ) throws(EvaluationError) -> Bool {
    let expression: TextPattern
    // A pattern that is not of the predicate is read as often as it is asked for.
    let isKnown = prepared.patterns[number] != nil
    if !isKnown { try charge(string(pattern).utf8.count << 2, at: number) }
    do throws(TextPattern.Failure) {
      if let known = prepared.patterns[number] {
        expression = try known.get()
      } else {
        expression = try TextPattern(string(pattern), comparison)
      }
    } catch {
      throw failure(error.reason, at: number)
    }
    if !isKnown { try charge(expression.instructionCount, at: number) }
    var whole = string(text)
    if comparison.ignoresDiacritics {
      try charge(whole.utf8.count, at: number)
      whole = TextFolding.folded(whole, false, true)
    }
    let answer = expression.matches(whole, limit: PreparedPredicate.stepLimit - steps)
    try charge(answer.steps, at: number)
    return answer.isMatch ?? false
  }

  /// The texts as they are compared.
  private mutating func folded(
    _ one: String, _ other: String, _ comparison: RulePredicate.Comparison, at number: Int
  ) throws(EvaluationError) -> (String, String) {
    let folds = comparison.ignoresCase || comparison.ignoresDiacritics
    try charge((one.utf8.count + other.utf8.count) >> (folds ? 0 : 4), at: number)
    guard folds else { return (one, other) }
    return (
      TextFolding.folded(one, comparison.ignoresCase, comparison.ignoresDiacritics),
      TextFolding.folded(other, comparison.ignoresCase, comparison.ignoresDiacritics)
    )
  }

  /// Whether a text has the form of a pattern: `*` stands for any text, `?` for one character, a
  /// backslash before these and itself for the character.
  private static func isLike(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    var (position, place) = (0, 0)
    // Where to go on when what follows the last `*` does not fit.
    var retry: (position: Int, place: Int)?
    while position < text.count {
      if place < pattern.count {
        switch pattern[place] {
        case UInt8(ascii: "*"):
          place += 1
          retry = (position, place)
          continue
        case UInt8(ascii: "?"):
          position += 1
          while position < text.count, text[position] & 0xc0 == 0x80 { position += 1 }
          place += 1
          continue
        default:
          let isEscape = pattern[place] == UInt8(ascii: "\\") && place + 1 < pattern.count
          if pattern[isEscape ? place + 1 : place] == text[position] {
            position += 1
            place += isEscape ? 2 : 1
            continue
          }
        }
      }
      guard let last = retry else { return false }
      retry = (last.position + 1, last.place)
      (position, place) = (last.position + 1, last.place)
    }
    return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
