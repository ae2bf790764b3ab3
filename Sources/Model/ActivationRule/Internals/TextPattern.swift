/// A regular expression in the syntax of ICU, as MATCHES takes it.
///
/// The expression is a machine of states that are all followed at once, so that time is linear in the
/// length of a text: nothing is ever tried again. What needs more than such a machine, such as
/// backreferences, is refused as `unsupported`.
struct TextPattern: Sendable {
  /// Why a text is no pattern.
  enum Failure: Error, Hashable {
    /// Valid in ICU, but not known to this machine; what it is, in words.
    case unsupported(String)
    /// No regular expression; why, in words.
    case malformed(String)
  }

  /// The most bytes of a pattern, groups in each other and instructions.
  static let textLimit = 64 << 10
  static let depthLimit = 64
  static let instructionLimit = 10_000

  enum Instruction {
    case scalar(Unicode.Scalar)
    /// Without regard to case; in the form that ``Unicode/Scalar/caseFolded`` gives.
    case folded(Unicode.Scalar)
    /// A carriage return and its line feed are one, in ICU too; the line feed is the next instruction.
    case any
    case anyButLineEnd
    /// One of a set, by its number.
    case set(Int32)
    case assertion(Assertion)
    case jump(Int32)
    case split(Int32, Int32)
    case match
  }

  /// What holds between two characters.
  enum Assertion {
    case start, end, endBeforeLineEnd, lineStart, lineEnd, wordBoundary, noWordBoundary
  }

  private let program: [Instruction]
  /// Whether some character is compared without regard to case.
  private let folds: Bool
  private let sets: [CharacterSet]

  var instructionCount: Int { program.count }

  /// Reads a pattern.
  ///
  /// - Parameter limit: the most instructions.
  init(
    _ text: String, ignoresCase: Bool, limit: Int = instructionLimit
  ) throws(Failure) {
    guard text.utf8.count <= Self.textLimit else {
      throw .unsupported("a pattern of more than \(Self.textLimit >> 10) KiB")
    }
    var parser = PatternParser(text, ignoresCase: ignoresCase)
    let tree = try parser.parse()
    var compiler = Compiler(limit: min(limit, Self.instructionLimit))
    try compiler.write(tree)
    try compiler.add(.match)
    program = compiler.program
    folds = program.contains { if case .folded = $0 { true } else { false } }
    sets = parser.sets
  }
}

extension TextPattern {
  /// Reads the pattern of a comparison.
  init(
    _ text: String, _ comparison: RulePredicate.Comparison, limit: Int = instructionLimit
  ) throws(Failure) {
    // Signs with a meaning in patterns have no diacritics.
    let text =
      comparison.ignoresDiacritics ? TextFolding.folded(text, false, true) : text
    try self.init(text, ignoresCase: comparison.ignoresCase, limit: limit)
  }
}

extension TextPattern.Failure {
  /// In words, for a predicate.
  var reason: String {
    switch self {
    case .unsupported(let what): "MATCHES with \(what) is valid, but not evaluated here"
    case .malformed(let reason): "the pattern of MATCHES is not a regular expression: \(reason)"
    }
  }
}

// Compiling.
extension TextPattern {
  private struct Compiler {
    let limit: Int
    var program: [Instruction] = []

    init(limit: Int) { self.limit = limit }

    private var next: Int32 { Int32(program.count) }

    mutating func add(_ instruction: Instruction) throws(Failure) {
      guard program.count < limit else {
        throw .unsupported("patterns of more than \(TextPattern.instructionLimit) steps")
      }
      program.append(instruction)
    }

    mutating func write(_ node: PatternNode) throws(Failure) {
      switch node {
      case .empty: break
      case .scalar(let scalar, let ignoresCase):
        try add(ignoresCase ? .folded(scalar.caseFolded) : .scalar(scalar))
      case .any(includesLineEnds: false): try add(.anyButLineEnd)
      case .any(includesLineEnds: true):
        try add(.any)
        try add(.scalar("\n"))
      case .set(let number): try add(.set(number))
      case .assertion(let assertion): try add(.assertion(assertion))
      case .sequence(let nodes): for node in nodes { try write(node) }
      case .choice(let nodes): try writeChoice(nodes)
      case .repeated(let node, let least, let most): try writeRepeated(node, least, most)
      }
    }

    private mutating func writeChoice(_ nodes: [PatternNode]) throws(Failure) {
      var ends: [Int] = []
      for (number, node) in nodes.enumerated() {
        guard number < nodes.count - 1 else {
          try write(node)
          continue
        }
        let split = program.count
        try add(.split(next + 1, 0))
        try write(node)
        ends.append(program.count)
        try add(.jump(0))
        program[split] = .split(Int32(split) + 1, next)
      }
      for end in ends { program[end] = .jump(next) }
    }

    private mutating func writeRepeated(
      _ node: PatternNode, _ least: Int, _ most: Int?
    ) throws(Failure) {
      // Empty nodes were left out, so that each copy adds to what the limit holds.
      for _ in 0..<least { try write(node) }
      guard let most else {
        let loop = program.count
        try add(.split(next + 1, 0))
        try write(node)
        try add(.jump(Int32(loop)))
        program[loop] = .split(Int32(loop) + 1, next)
        return
      }
      var splits: [Int] = []
      for _ in least..<most {
        splits.append(program.count)
        try add(.split(next + 1, 0))
        try write(node)
      }
      for split in splits { program[split] = .split(Int32(split) + 1, next) }
    }
  }
}

// Matching.
extension TextPattern {
  /// States without order, to which each is added once.
  private struct States {
    private(set) var list: [Int32] = []
    private var marks: [Int32]
    private var round: Int32 = 0

    init(count: Int) {
      marks = Array(repeating: 0, count: count)
      list.reserveCapacity(count)
      round = 1
    }

    mutating func clear() {
      list.removeAll(keepingCapacity: true)
      round += 1
    }

    /// - Returns: whether the state is new.
    mutating func insert(_ state: Int32) -> Bool {
      guard marks[Int(state)] != round else { return false }
      marks[Int(state)] = round
      return true
    }

    mutating func append(_ state: Int32) { list.append(state) }
  }

  /// Whether the whole of a text has the form of the pattern.
  ///
  /// - Parameter limit: the most steps.
  /// - Returns: the verdict, `nil` if it would take more steps than the limit, and the steps taken.
  func matches(_ text: String, limit: Int) -> (isMatch: Bool?, steps: Int) {
    var steps = program.count >> 3 + text.utf8.count
    guard steps <= limit else { return (nil, steps) }
    let scalars = Array(text.unicodeScalars)
    var current = States(count: program.count)
    var next = States(count: program.count)
    var place = Place(scalars)
    var stack: [Int32] = []
    follow(0, place, into: &current, &stack, &steps)
    while !place.isAtEnd, !current.list.isEmpty {
      let scalar = scalars[place.position]
      let folded = folds ? scalar.caseFolded : scalar
      place.advance()
      next.clear()
      for state in current.list {
        steps += 1
        let goesOn: Bool
        var following = state + 1
        switch program[Int(state)] {
        case .scalar(let own): goesOn = own == scalar
        case .folded(let own): goesOn = own == folded
        case .any:
          goesOn = true
          if scalar != "\r" || !place.isBefore("\n") { following += 1 }
        case .anyButLineEnd: goesOn = !scalar.isLineEnd
        case .set(let number):
          steps += sets[Int(number)].cost
          goesOn = sets[Int(number)].contains(scalar)
        case .assertion, .jump, .split, .match: goesOn = false
        }
        if goesOn { follow(following, place, into: &next, &stack, &steps) }
      }
      guard steps <= limit else { return (nil, steps) }
      swap(&current, &next)
    }
    let isMatch = place.isAtEnd && current.list.contains(Int32(program.count - 1))
    return (isMatch, steps)
  }

  /// Adds a state and all that it leads to without a character.
  private func follow(
    _ state: Int32, _ place: Place, into states: inout States, _ stack: inout [Int32],
    _ steps: inout Int
  ) {
    stack.append(state)
    while let state = stack.popLast() {
      guard states.insert(state) else { continue }
      steps += 1
      switch program[Int(state)] {
      case .jump(let target): stack.append(target)
      case .split(let one, let other):
        stack.append(other)
        stack.append(one)
      case .assertion(let assertion):
        if place.holds(assertion) { stack.append(state + 1) }
      case .scalar, .folded, .any, .anyButLineEnd, .set, .match: states.append(state)
      }
    }
  }

  /// A place between two characters of a text.
  private struct Place {
    private let scalars: [Unicode.Scalar]
    private(set) var position = 0
    /// Whether the last character that is no mark on another is one of a word.
    private var isAfterWord = false

    init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    var isAtEnd: Bool { position == scalars.count }

    func isBefore(_ scalar: Unicode.Scalar) -> Bool { !isAtEnd && scalars[position] == scalar }

    mutating func advance() {
      let scalar = scalars[position]
      if !scalar.isMarkOnOther { isAfterWord = scalar.isOfWord }
      position += 1
    }

    func holds(_ assertion: Assertion) -> Bool {
      switch assertion {
      case .start: position == 0
      case .end: isAtEnd
      case .endBeforeLineEnd: isAtEnd || isBeforeLastLineEnd
      case .lineStart:
        position == 0 || !isAtEnd && scalars[position - 1].isLineEnd
      case .lineEnd: isAtEnd || scalars[position].isLineEnd && !isInLineEnd
      case .wordBoundary: isAtWordBoundary
      case .noWordBoundary: !isAtWordBoundary
      }
    }

    /// Whether the place is between a carriage return and its line feed.
    private var isInLineEnd: Bool {
      position > 0 && scalars[position] == "\n" && scalars[position - 1] == "\r"
    }

    private var isBeforeLastLineEnd: Bool {
      switch scalars.count - position {
      case 1: scalars[position].isLineEnd && !isInLineEnd
      case 2: scalars[position] == "\r" && scalars[position + 1] == "\n"
      default: false
      }
    }

    private var isAtWordBoundary: Bool {
      if isAtEnd { return isAfterWord }
      let scalar = scalars[position]
      return !scalar.isMarkOnOther && scalar.isOfWord != isAfterWord
    }
  }
}

extension Unicode.Scalar {
  /// The scalar that stands for all that differ from it only in case.
  var caseFolded: Unicode.Scalar {
    if value < 0x80 { return 0x41...0x5a ~= value ? Unicode.Scalar(UInt8(value | 0x20)) : self }
    // The dotless i is the letter of another alphabet.
    if value == 0x131 || value == 0x130 { return self }
    let upper = Self.single(properties.uppercaseMapping) ?? self
    return Self.single(upper.properties.lowercaseMapping) ?? upper
  }

  /// The scalar, and all that differ from it only in case.
  var caseVariants: [Unicode.Scalar] {
    if value < 0x80, !(0x61...0x7a ~= value | 0x20) { return [self] }
    let folded = caseFolded
    return [self, folded, Self.single(folded.properties.uppercaseMapping) ?? folded]
      + (Self.furtherVariants[folded] ?? [])
  }

  /// Those that are neither the small letter nor its capital.
  private static let furtherVariants: [Unicode.Scalar: [Unicode.Scalar]] = {
    let further =
      "\u{b5}\u{17f}\u{1c5}\u{1c8}\u{1cb}\u{1f2}\u{345}\u{3c2}\u{3d0}\u{3d1}"
      + "\u{3d5}\u{3d6}\u{3f0}\u{3f1}\u{3f4}\u{3f5}\u{1c80}\u{1c81}\u{1c82}\u{1c83}"
      + "\u{1c84}\u{1c85}\u{1c86}\u{1c87}\u{1c88}\u{1e9b}\u{1e9e}\u{1f88}\u{1f89}\u{1f8a}"
      + "\u{1f8b}\u{1f8c}\u{1f8d}\u{1f8e}\u{1f8f}\u{1f98}\u{1f99}\u{1f9a}\u{1f9b}\u{1f9c}"
      + "\u{1f9d}\u{1f9e}\u{1f9f}\u{1fa8}\u{1fa9}\u{1faa}\u{1fab}\u{1fac}\u{1fad}\u{1fae}"
      + "\u{1faf}\u{1fbc}\u{1fbe}\u{1fcc}\u{1ffc}\u{2126}\u{212a}\u{212b}"
    return Dictionary(grouping: further.unicodeScalars) { $0.caseFolded }
  }()

  private static func single(_ text: String) -> Unicode.Scalar? {
    text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
  }

  var isLineEnd: Bool { 0x0a...0x0d ~= value || value == 0x85 || 0x2028...0x2029 ~= value }

  /// Whether `\w` stands for the scalar.
  var isOfWord: Bool {
    if value < 0x80 {
      return 0x30...0x39 ~= value || 0x61...0x7a ~= value | 0x20 || value == 0x5f
    }
    if properties.isAlphabetic || 0x200c...0x200d ~= value { return true }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation:
      return true
    default: return false
    }
  }

  /// Whether the scalar belongs to the one before, so that no word ends between them.
  fileprivate var isMarkOnOther: Bool {
    value >= 0x80 && (properties.isGraphemeExtend || properties.generalCategory == .format)
  }
}

/// Texts as they are compared without regard to case and diacritical marks.
enum TextFolding {
  static func folded(_ text: String, _ ignoresCase: Bool, _ ignoresDiacritics: Bool) -> String {
    let text = ignoresDiacritics ? withoutDiacritics(text) : text
    return ignoresCase ? text.lowercased() : text
  }

  /// The text without marks on its letters. Those of Latin letters are known by the letters' names,
  /// those that stand by themselves by their property; Swift does not tell what other letters are
  /// made of.
  private static func withoutDiacritics(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        result.append(scalar)
      } else if !isMark(scalar) {
        result.append(latinLetter(of: scalar) ?? scalar)
      }
    }
    return String(result)
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.canonicalCombiningClass != .notReordered
  }

  /// The letter without its marks: `e` of "LATIN SMALL LETTER E WITH ACUTE".
  private static func latinLetter(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard scalar.properties.isAlphabetic, let name = scalar.properties.name else { return nil }
    for (lead, offset) in [("LATIN SMALL LETTER ", UInt32(0x20)), ("LATIN CAPITAL LETTER ", 0)]
    where name.utf8.starts(with: lead.utf8) {
      let rest = Array(name.utf8.dropFirst(lead.utf8.count))
      guard rest.dropFirst().starts(with: " WITH ".utf8), let letter = rest.first,
        // A stroke is part of the letter.
        rest.suffix(6) != Array("STROKE".utf8)[...]
      else { return nil }
      return Unicode.Scalar(UInt32(letter) + offset)
    }
    return nil
  }
}
