/// A shell pattern that must match a whole text: `*` stands for any characters, `?` for one, `[abc]`
/// and `[a-z]` for one of a set, `[!x]` and `[^x]` for one outside a set, `\x` for `x` itself.
///
/// Text and pattern are bytes. Where they are UTF-8 a character is a scalar; every other byte is a
/// character of its own. As in find's `-path`, `/` and a leading period are ordinary characters.
///
/// Matching takes time linear in pattern and text, and mostly allocates nothing: only where the text
/// is tried again and again after a star, all ways to match are followed at once, 64 elements of
/// the pattern in a step. The corresponding C function is fnmatch(3) without flags.
package struct Glob: Sendable, Hashable {
  package enum LetterCase: Sendable {
    case kept
    /// Letters that differ only in case match, by those mappings of Unicode that turn one scalar
    /// into one scalar.
    case ignored
  }

  private enum Element: Hashable {
    case anything
    case one
    case character(GlobCharacter)
    /// A character inside, or outside, of some of `ranges`.
    case set(Range<Int>, isNegated: Bool)
  }

  private let letterCase: LetterCase
  private var elements: [Element] = []
  private var ranges: [ClosedRange<GlobCharacter>] = []

  package init(_ pattern: [UInt8], letterCase: LetterCase = .kept) throws(GlobFlaw) {
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

  /// Parses a set after its `[` by POSIX.1-2024, section 2.14.1.
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
      // A range such as `z-a` is empty.
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

  /// Whether the whole text matches.
  package func matches(_ text: ArraySlice<UInt8>) -> Bool {
    var rest = text
    var position = 0
    // The element after the last star, and the text which that star has not taken yet. Earlier stars
    // need not take more: the last one can take whatever they could.
    var retry: (position: Int, rest: ArraySlice<UInt8>)?
    var steps = Self.stepsPerByte * (text.count + elements.count)
    while true {
      steps -= 1
      if steps < 0 { return matchesByStates(text) }
      if position < elements.count, elements[position] == .anything {
        position += 1
        if position == elements.count { return true }
        retry = (position, rest)
        continue
      }
      guard !rest.isEmpty else {
        // The text is used up, so it would not help if a star took more.
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

  package func matches(_ text: String) -> Bool { matches(Array(text.utf8)[...]) }

  /// Texts and patterns as people write them take fewer steps than this many for each byte of both.
  private static let stepsPerByte = 4

  /// Follows all ways to match at once: in a set of bits, bit `i` says that the first `i` elements
  /// that are no stars match the text so far.
  func matchesByStates(_ text: ArraySlice<UInt8>) -> Bool {
    let steps = elements.filter { $0 != .anything }
    var stays = BitSet(steps.count + 1)
    var count = 0
    for element in elements {
      if element == .anything { stays.insert(count) } else { count += 1 }
    }
    var states = BitSet(steps.count + 1)
    states.insert(0)
    var accepting: [GlobCharacter: BitSet] = [:]
    var rest = text
    while !rest.isEmpty {
      let character = GlobCharacter(takenFrom: &rest)
      let accepted: BitSet
      if let known = accepting[character] {
        accepted = known
      } else {
        var set = BitSet(steps.count + 1)
        for (index, element) in steps.enumerated() where accepts(element, character) {
          set.insert(index)
        }
        accepting[character] = set
        accepted = set
      }
      guard states.advance(where: accepted, staying: stays) else { return false }
    }
    return states.contains(steps.count)
  }

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

/// A set of small numbers.
private struct BitSet {
  private var words: [UInt64]

  init(_ count: Int) { words = [UInt64](repeating: 0, count: count / 64 + 1) }

  func contains(_ number: Int) -> Bool { words[number / 64] >> (number % 64) & 1 == 1 }

  mutating func insert(_ number: Int) { words[number / 64] |= 1 << (number % 64) }

  /// Replaces each member that is in `accepted` by its successor, and keeps those in `stays` too.
  ///
  /// - Returns: whether a member is left.
  mutating func advance(where accepted: BitSet, staying stays: BitSet) -> Bool {
    var carry: UInt64 = 0
    var all: UInt64 = 0
    for index in words.indices {
      let moved = words[index] & accepted.words[index]
      words[index] = moved << 1 | carry | words[index] & stays.words[index]
      carry = moved >> 63
      all |= words[index]
    }
    return all != 0
  }
}

/// A syntax error in a pattern.
package struct GlobFlaw: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Sendable {
    /// A `[` without its `]`.
    case unclosedBracket
    /// A backslash at the end.
    case nothingEscaped
    /// `[:alpha:]`, `[.x.]` or `[=x=]`, which depend on a locale.
    case namedClass
    /// A class that Git does not know either.
    case unknownClass
  }

  package let reason: Reason
  /// The byte of the pattern at which the error begins.
  package let position: Int

  init(_ reason: Reason, at position: Int) {
    self.reason = reason
    self.position = position
  }

  /// Words that follow the pattern.
  package var description: String {
    switch reason {
    case .unclosedBracket: "unclosed '[' at byte \(position); write '\\[' for the character"
    case .nothingEscaped: "trailing '\\' at byte \(position); write '\\\\'"
    case .namedClass:
      "unsupported named class at byte \(position); write [a-z] or [0-9]"
    case .unknownClass:
      "unknown class at byte \(position); known classes include [:alpha:] and [:digit:]"
    }
  }
}

/// A character of patterns and texts: a scalar, or a byte that belongs to no scalar.
private struct GlobCharacter: Hashable, Comparable, ExpressibleByUnicodeScalarLiteral {
  /// The value of a scalar; values of bytes follow those of all scalars.
  private let value: UInt32

  private static let firstByte: UInt32 = 0x110000

  private init(value: UInt32) { self.value = value }

  init(unicodeScalarLiteral scalar: Unicode.Scalar) { value = scalar.value }

  /// Takes the first character of bytes that are not empty.
  @inline(__always)
  init(takenFrom bytes: inout ArraySlice<UInt8>) {
    let first = bytes.removeFirst()
    self = first < 0x80 ? GlobCharacter(value: UInt32(first)) : Self.wide(first, &bytes)
  }

  /// Decodes by table 3-7 of the Unicode standard: only the shortest form, and no surrogates.
  @inline(never)
  private static func wide(_ first: UInt8, _ rest: inout ArraySlice<UInt8>) -> GlobCharacter {
    let invalid = GlobCharacter(value: firstByte + UInt32(first))
    let (count, second): (Int, ClosedRange<UInt8>)
    switch first {
    case 0xc2...0xdf: (count, second) = (1, 0x80...0xbf)
    case 0xe0: (count, second) = (2, 0xa0...0xbf)
    case 0xed: (count, second) = (2, 0x80...0x9f)
    case 0xe1...0xef: (count, second) = (2, 0x80...0xbf)
    case 0xf0: (count, second) = (3, 0x90...0xbf)
    case 0xf1...0xf3: (count, second) = (3, 0x80...0xbf)
    case 0xf4: (count, second) = (3, 0x80...0x8f)
    default: return invalid
    }
    let tail = rest.prefix(count)
    guard tail.count == count, let next = tail.first, second.contains(next),
      tail.allSatisfy({ $0 & 0xc0 == 0x80 })
    else { return invalid }
    rest.removeFirst(count)
    let lead = UInt32(first) & (0x3f >> UInt32(count))
    return GlobCharacter(value: tail.reduce(lead) { $0 << 6 | UInt32($1 & 0x3f) })
  }

  static func < (left: GlobCharacter, right: GlobCharacter) -> Bool { left.value < right.value }

  /// Equal for all characters that differ only in case, final sigma and Kelvin sign included.
  var folded: GlobCharacter { uppercased.lowercased }

  var lowercased: GlobCharacter {
    if value < 0x80 { return 0x41...0x5a ~= value ? GlobCharacter(value: value | 0x20) : self }
    return mapped(\.lowercaseMapping)
  }

  var uppercased: GlobCharacter {
    if value < 0x80 { return 0x61...0x7a ~= value ? GlobCharacter(value: value & ~0x20) : self }
    return mapped(\.uppercaseMapping)
  }

  /// Returns the character itself where the mapping yields several scalars.
  private func mapped(_ mapping: (Unicode.Scalar.Properties) -> String) -> GlobCharacter {
    guard let scalar = Unicode.Scalar(value) else { return self }
    let scalars = mapping(scalar.properties).unicodeScalars
    guard let first = scalars.first, scalars.count == 1 else { return self }
    return GlobCharacter(value: first.value)
  }
}
