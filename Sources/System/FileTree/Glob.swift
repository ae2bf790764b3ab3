/// A pattern that text matches whole, as a shell's: `*` is any characters, `?` one, `[abc]` and
/// `[a-z]` one of some, `[!x]` and `[^x]` one of all others, `\x` the character itself.
///
/// Text and pattern are bytes. A character is a scalar where they are UTF-8; every byte that is not
/// is a character of its own. Nothing is special about `/` and a leading period, as in find's
/// `-path`.
///
/// A match takes no memory, and at most as many steps as pattern and text have characters,
/// multiplied. The corresponding C function is fnmatch(3) without flags.
public struct Glob: Sendable, Hashable {
  /// What becomes of a letter's case.
  public enum LetterCase: Sendable {
    case kept
    /// Letters that differ in case only match, by the mappings of Unicode that make one scalar of
    /// one scalar.
    case ignored
  }

  private enum Element: Hashable {
    case anything
    case one
    case character(GlobCharacter)
    /// One of, or none of, some of `ranges`.
    case set(Range<Int>, isNegated: Bool)
  }

  private let letterCase: LetterCase
  private var elements: [Element] = []
  private var ranges: [ClosedRange<GlobCharacter>] = []

  public init(_ pattern: [UInt8], letterCase: LetterCase = .kept) throws(GlobFlaw) {
    self.letterCase = letterCase
    var rest = pattern[...]
    while !rest.isEmpty {
      let start = rest.startIndex
      let character = GlobCharacter(takenFrom: &rest)
      switch character {
      case "*": if elements.last != .anything { elements.append(.anything) }
      case "?": elements.append(.one)
      case "[": try addSet(&rest, at: start)
      case "\\":
        guard !rest.isEmpty else { throw GlobFlaw(.nothingEscaped, at: start) }
        add(GlobCharacter(takenFrom: &rest))
      default: add(character)
      }
    }
  }

  private mutating func add(_ character: GlobCharacter) {
    elements.append(.character(letterCase == .ignored ? character.folded : character))
  }

  /// What stands behind `[`, as POSIX.1-2024, section 2.14.1, has it.
  private mutating func addSet(_ rest: inout ArraySlice<UInt8>, at start: Int) throws(GlobFlaw) {
    let isNegated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
    if isNegated { rest.removeFirst() }
    let first = ranges.count
    var isFirst = true
    while isFirst || rest.first != UInt8(ascii: "]") {
      isFirst = false
      let lower = try member(&rest, at: start)
      var upper = lower
      if rest.first == UInt8(ascii: "-"), rest.count > 1,
        rest[rest.startIndex + 1] != UInt8(ascii: "]")
      {
        rest.removeFirst()
        upper = try member(&rest, at: start)
      }
      // Nothing is between `z` and `a`.
      if lower <= upper { ranges.append(lower...upper) }
    }
    rest.removeFirst()
    elements.append(.set(first..<ranges.count, isNegated: isNegated))
  }

  private func member(
    _ rest: inout ArraySlice<UInt8>, at start: Int
  ) throws(GlobFlaw) -> GlobCharacter {
    guard !rest.isEmpty else { throw GlobFlaw(.unclosedBracket, at: start) }
    let position = rest.startIndex
    let character = GlobCharacter(takenFrom: &rest)
    if character == "[", let kind = rest.first, ":.=".utf8.contains(kind),
      Self.isClosed(rest.dropFirst(), by: kind)
    {
      throw GlobFlaw(.namedClass, at: position)
    }
    guard character == "\\" else { return character }
    guard !rest.isEmpty else { throw GlobFlaw(.unclosedBracket, at: start) }
    return GlobCharacter(takenFrom: &rest)
  }

  private static func isClosed(_ rest: ArraySlice<UInt8>, by kind: UInt8) -> Bool {
    zip(rest, rest.dropFirst()).contains { $0 == kind && $1 == UInt8(ascii: "]") }
  }
}

extension Glob {
  /// Whether all of a text is as the pattern says.
  public func matches(_ text: ArraySlice<UInt8>) -> Bool {
    var rest = text
    var position = 0
    // Behind the last star, and what of the text that star has not taken yet: an earlier star need
    // not take more, since whatever it could leave the last one can take.
    var retry: (position: Int, rest: ArraySlice<UInt8>)?
    while true {
      if position < elements.count, elements[position] == .anything {
        position += 1
        if position == elements.count { return true }
        retry = (position, rest)
        continue
      }
      guard !rest.isEmpty else {
        // More text is not to be had, so no star's taking more would help.
        return position == elements.count
      }
      let character = GlobCharacter(takenFrom: &rest)
      if position < elements.count, accepts(elements[position], character) {
        position += 1
        continue
      }
      guard var again = retry else { return false }
      _ = GlobCharacter(takenFrom: &again.rest)
      retry = again
      (position, rest) = again
    }
  }

  /// Whether all of a text is as the pattern says.
  public func matches(_ text: String) -> Bool { matches(Array(text.utf8)[...]) }

  private func accepts(_ element: Element, _ character: GlobCharacter) -> Bool {
    switch element {
    case .anything, .one: true
    case .character(let wanted):
      character == wanted || (letterCase == .ignored && character.folded == wanted)
    case .set(let members, let isNegated):
      contains(members, character) != isNegated
    }
  }

  private func contains(_ members: Range<Int>, _ character: GlobCharacter) -> Bool {
    if ranges[members].contains(where: { $0.contains(character) }) { return true }
    guard letterCase == .ignored else { return false }
    return [character.lowercased, character.uppercased].contains { form in
      ranges[members].contains { $0.contains(form) }
    }
  }
}
