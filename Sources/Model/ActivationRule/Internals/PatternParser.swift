/// A part of a regular expression. What captures a group or how much a repetition takes first makes
/// no difference to whether a whole text matches.
indirect enum PatternNode {
  case empty
  case scalar(Unicode.Scalar, ignoresCase: Bool)
  case any(includesLineEnds: Bool)
  /// By its number.
  case set(Int32)
  case assertion(TextPattern.Assertion)
  case sequence([PatternNode])
  case choice([PatternNode])
  /// At least and at most so many times; `nil` for any number.
  case repeated(PatternNode, Int, Int?)

  /// Whether what it matches has a longest length.
  var isBounded: Bool {
    switch self {
    case .empty, .scalar, .any, .set, .assertion: true
    case .sequence(let nodes), .choice(let nodes): nodes.allSatisfy(\.isBounded)
    case .repeated(let node, _, let most): most != nil && node.isBounded
    }
  }
}

/// Reads the text of a regular expression into its parts. It refuses what ICU refuses; what only this
/// engine lacks is read to the end, so that flaws after it are found as well.
struct PatternParser {
  private struct Flags {
    var ignoresCase: Bool
    /// Whether `.` stands for the ends of lines as well.
    var includesLineEnds = false
    /// Whether `^` and `$` hold at each line.
    var isByLine = false
    /// Whether blanks and comments are left out.
    var isSpaced = false
  }

  /// A part, and whether a repetition may follow.
  private typealias Atom = (node: PatternNode, isRepeatable: Bool)

  private var scanner: PatternScanner
  private var flags: Flags { didSet { scanner.isSpaced = flags.isSpaced } }
  private var depth = 0
  /// The first part that is valid, but that this engine lacks.
  private var lacking: String?
  private var groupCount = 0
  private var groupNames: Set<String> = []
  /// The largest number of a group that is referred to.
  private var reference = 0
  private(set) var sets: [CharacterSet] = []
  /// The last single character of a set, with which a range begins in ICU even if a set or `&` came
  /// between: `[a&-z]` has the range `a-z`.
  private var lastLiteral: Unicode.Scalar?

  init(_ text: String, ignoresCase: Bool) {
    scanner = PatternScanner(text)
    flags = Flags(ignoresCase: ignoresCase)
  }

  mutating func parse() throws(TextPattern.Failure) -> PatternNode {
    try scanner.advance()
    let tree = try choice()
    guard scanner.next == nil else { throw malformed("unexpected ')'") }
    guard reference <= groupCount else { throw malformed("the pattern has no group \(reference)") }
    if scanner.hasSurrogate { lack("half of a surrogate pair") }
    if let lacking { throw .unsupported(lacking) }
    return tree
  }

  private func malformed(_ reason: String) -> TextPattern.Failure { scanner.malformed(reason) }

  private mutating func lack(_ what: String) {
    if lacking == nil { lacking = what }
  }

  private mutating func choice() throws(TextPattern.Failure) -> PatternNode {
    var alternatives = [try sequence()]
    while try scanner.take("|") { alternatives.append(try sequence()) }
    return alternatives.count == 1 ? alternatives[0] : .choice(alternatives)
  }

  private mutating func sequence() throws(TextPattern.Failure) -> PatternNode {
    var nodes: [PatternNode] = []
    while scanner.next != nil, !scanner.isAt("|"), !scanner.isAt(")") {
      let (atom, isRepeatable) = try atom()
      let node = isRepeatable ? try repetition(of: atom) : atom
      if case .empty = node { continue }
      nodes.append(node)
    }
    return nodes.isEmpty ? .empty : nodes.count == 1 ? nodes[0] : .sequence(nodes)
  }

  private mutating func atom() throws(TextPattern.Failure) -> Atom {
    guard let next = scanner.next else { return (.empty, false) }
    let literal = PatternNode.scalar(next.scalar, ignoresCase: flags.ignoresCase)
    if next.isQuoted {
      try scanner.advance()
      return (literal, true)
    }
    switch next.scalar {
    case "*", "+", "?": throw malformed("nothing to repeat")
    case "{", "}": throw malformed("unexpected '\(next.scalar)'")
    default: try scanner.advance()
    }
    switch next.scalar {
    case "(": return try group()
    case "[": return (add(try set()), true)
    case ".": return (.any(includesLineEnds: flags.includesLineEnds), true)
    case "^": return (.assertion(flags.isByLine ? .lineStart : .start), true)
    case "$": return (.assertion(flags.isByLine ? .lineEnd : .endBeforeLineEnd), true)
    case "\\": return try escape()
    default: return (literal, true)
    }
  }

  private mutating func add(_ set: CharacterSet) -> PatternNode {
    sets.append(set)
    return .set(Int32(sets.count - 1))
  }

  // Repetitions.

  private mutating func repetition(of node: PatternNode) throws(TextPattern.Failure) -> PatternNode
  {
    while try takeComment() {}
    var (least, most): (Int, Int?)
    if scanner.isAt("*") {
      (least, most) = (0, nil)
    } else if scanner.isAt("+") {
      (least, most) = (1, nil)
    } else if scanner.isAt("?") {
      (least, most) = (0, 1)
    } else if try scanner.take("{") {
      (least, most) = try bounds()
    } else {
      return node
    }
    // The last character of the repetition.
    try scanner.advance()
    if try scanner.take("+") {
      lack("a possessive repetition")
    } else {
      _ = try scanner.take("?")
    }
    // One without end counts as such for a lookbehind, whatever it repeats.
    if case .empty = node, most != nil { return .empty }
    return most == 0 ? .empty : .repeated(node, least, most)
  }

  /// Passes over a comment such as `(?#...)`, if one is next.
  private mutating func takeComment() throws(TextPattern.Failure) -> Bool {
    guard scanner.isAt("(") else { return false }
    var ahead = scanner
    try ahead.advance()
    guard try ahead.takeGroupMark(), try ahead.take("#") else { return false }
    scanner = ahead
    try passComment()
    return true
  }

  private mutating func passComment() throws(TextPattern.Failure) {
    while scanner.next != nil, !scanner.isAt(")") { try scanner.advance() }
    guard try scanner.take(")") else { throw malformed("expected ')'") }
  }

  /// The numbers between braces, up to the closing one.
  private mutating func bounds() throws(TextPattern.Failure) -> (Int, Int?) {
    let least = try number()
    var most: Int? = least
    if try scanner.take(",") { most = scanner.isAt("}") ? nil : try number() }
    guard scanner.isAt("}") else { throw malformed("expected '}'") }
    if let most, most < least { throw malformed("the bounds are in the wrong order") }
    return (least, most)
  }

  /// The next digit, if one is next.
  private var digit: Int? {
    guard let next = scanner.next, !next.isQuoted, 0x30...0x39 ~= next.scalar.value else {
      return nil
    }
    return Int(next.scalar.value - 0x30)
  }

  private mutating func number() throws(TextPattern.Failure) -> Int {
    guard var value = digit else { throw malformed("expected a number") }
    try scanner.advance()
    while let digit {
      value = value * 10 + digit
      // ICU keeps it in 24 bits.
      guard value < 1 << 24 else { throw malformed("the number is too large") }
      try scanner.advance()
    }
    return value
  }

  // Groups.

  /// What follows an opening parenthesis, up to and with the closing one.
  private mutating func group() throws(TextPattern.Failure) -> Atom {
    depth += 1
    guard depth <= TextPattern.depthLimit else {
      throw .unsupported("more than \(TextPattern.depthLimit) groups in each other")
    }
    defer { depth -= 1 }
    let outer = flags
    guard try scanner.takeGroupMark() else {
      groupCount += 1
      return (try rest(outer), true)
    }
    if try scanner.take(":") { return (try rest(outer), true) }
    if try scanner.take(">") {
      lack("an atomic group")
      return (try rest(outer), true)
    }
    if scanner.isAt("=") || scanner.isAt("!") {
      try scanner.advance()
      lack("a lookahead")
      _ = try rest(outer)
      return (.empty, false)
    }
    if try scanner.take("#") {
      try passComment()
      return (.empty, false)
    }
    guard try scanner.take("<") else { return try flagGroup(outer) }
    guard scanner.isAt("=") || scanner.isAt("!") else {
      let name = try name()
      guard groupNames.insert(name).inserted else {
        throw malformed("the pattern has two groups <\(name)>")
      }
      groupCount += 1
      return (try rest(outer), true)
    }
    try scanner.advance()
    lack("a lookbehind")
    guard try rest(outer).isBounded else {
      throw malformed("a lookbehind without a longest length")
    }
    return (.empty, false)
  }

  private mutating func rest(_ outer: Flags) throws(TextPattern.Failure) -> PatternNode {
    let inner = try choice()
    guard scanner.isAt(")") else { throw malformed("expected ')'") }
    flags = outer
    try scanner.advance()
    return inner
  }

  /// The name of a group and the closing bracket.
  private mutating func name() throws(TextPattern.Failure) -> String {
    var name = ""
    while let next = scanner.next, !next.isQuoted, next.scalar.isASCII,
      next.scalar.properties.isAlphabetic || !name.isEmpty && digit != nil
    {
      name.unicodeScalars.append(next.scalar)
      try scanner.advance()
    }
    guard !name.isEmpty, try scanner.take(">") else { throw malformed("expected a name and '>'") }
    return name
  }

  private mutating func flagGroup(_ outer: Flags) throws(TextPattern.Failure) -> Atom {
    var changed = flags
    var isOn = true
    var isFirst = true
    while let next = scanner.next, !next.isQuoted {
      switch next.scalar {
      case "i": changed.ignoresCase = isOn
      case "s": changed.includesLineEnds = isOn
      case "m": changed.isByLine = isOn
      case "x": changed.isSpaced = isOn
      case "w", "d": lack("the flag \(next.scalar)")
      // Without effect in ICU.
      case "u": break
      case "-": isOn = false
      case ":" where !isFirst:
        flags = changed
        try scanner.advance()
        return (try rest(outer), true)
      case ")" where !isFirst:
        flags = changed
        try scanner.advance()
        return (.empty, false)
      default: throw malformed("expected a flag")
      }
      isFirst = false
      try scanner.advance()
    }
    throw malformed("expected ')'")
  }

  // Escapes.

  /// What follows a backslash, if it is not one character with another name.
  private mutating func escape() throws(TextPattern.Failure) -> Atom {
    guard let letter = scanner.next?.scalar else {
      throw malformed("expected a character after '\\'")
    }
    if let set = try namedSet() { return (add(set), true) }
    if 0x31...0x39 ~= letter.value { return try backreference() }
    try scanner.advance()
    switch letter {
    case "A": return (.assertion(.start), false)
    case "z": return (.assertion(.end), false)
    case "Z": return (.assertion(.endBeforeLineEnd), false)
    case "b": return (.assertion(.wordBoundary), false)
    case "B": return (.assertion(.noWordBoundary), false)
    case "G":
      lack("\\G")
      return (.empty, false)
    case "R":
      lack("\\R")
      return (.any(includesLineEnds: true), true)
    case "X":
      lack("\\X")
      return (.repeated(.any(includesLineEnds: true), 1, nil), true)
    case "N":
      try passName()
      return (.any(includesLineEnds: true), true)
    case "k":
      guard try scanner.take("<") else { throw malformed("expected '<'") }
      let name = try name()
      guard groupNames.contains(name) else { throw malformed("no group <\(name)>") }
      lack("a backreference")
      return (.repeated(.any(includesLineEnds: true), 0, nil), true)
    // As in ICU, a letter without a meaning of its own stands for itself.
    default: return (.scalar(letter, ignoresCase: flags.ignoresCase), true)
    }
  }

  /// The number of a group: as many digits as there are groups so far.
  private mutating func backreference() throws(TextPattern.Failure) -> Atom {
    var number = digit ?? 0
    try scanner.advance()
    while let digit, number * 10 + digit <= groupCount {
      number = number * 10 + digit
      try scanner.advance()
    }
    reference = max(reference, number)
    lack("a backreference")
    return (.repeated(.any(includesLineEnds: true), 0, nil), true)
  }

  /// Passes over the name of a character, which is not looked up.
  private mutating func passName() throws(TextPattern.Failure) {
    guard !(try braced("a character's name")).isEmpty else {
      throw malformed("expected a character's name in braces")
    }
    lack("\\N")
  }

  private mutating func braced(_ what: String) throws(TextPattern.Failure) -> String {
    guard try scanner.take("{") else { throw malformed("expected \(what) in braces") }
    var name = ""
    while let next = scanner.next, next.scalar != "}" {
      name.unicodeScalars.append(next.scalar)
      try scanner.advance()
    }
    guard scanner.next != nil else { throw malformed("expected \(what) in braces") }
    try scanner.advance()
    return name
  }

  /// A set such as `\d` or `\p{Lu}`, if its letter is next.
  private mutating func namedSet() throws(TextPattern.Failure) -> CharacterSet? {
    guard let letter = scanner.next?.scalar else { return nil }
    let named: CharacterSet.Named
    switch letter {
    case "d", "D": named = .digit
    case "w", "W": named = .word
    case "s", "S": named = .space
    case "h", "H": named = .horizontalSpace
    case "v", "V": named = .verticalSpace
    case "p", "P":
      try scanner.advance()
      let name = try braced("a property")
      return try property(name, isNegated: letter == "P", "the property \\p{\(name.prefix(40))}")
    default: return nil
    }
    try scanner.advance()
    return CharacterSet(named, isNegated: letter.properties.isUppercase)
  }

  /// The characters that have a property; those that differ in case belong to them before the set is
  /// negated.
  private mutating func property(
    _ name: String, isNegated: Bool, _ what: String
  ) throws(TextPattern.Failure) -> CharacterSet {
    var set = CharacterSet(ignoresCase: flags.ignoresCase)
    set.isNegated = isNegated
    if let named = CharacterSet.Named(property: name) {
      set.insert(CharacterSet(named, isNegated: false))
    } else if name.lowercased() == "alnum" {
      set.insert(CharacterSet(.alphabetic, isNegated: false))
      set.insert(CharacterSet(.digit, isNegated: false))
    } else if !name.isEmpty, name.unicodeScalars.allSatisfy(Self.isOfPropertyName) {
      lack(what)
    } else {
      throw malformed("no name of a property")
    }
    set.finish()
    return set
  }

  private static func isOfPropertyName(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && scalar.isOfWord || [" ", "-", "=", ".", "/"].contains(scalar)
  }

  // Sets.

  /// What the last part of a set was: what `-` and `&` mean depends on it.
  private enum Before {
    case start, set, range, operation, literal
  }

  /// The set from after its opening bracket up to and with the closing one.
  private mutating func set() throws(TextPattern.Failure) -> CharacterSet {
    depth += 1
    guard depth <= TextPattern.depthLimit else {
      throw .unsupported("more than \(TextPattern.depthLimit) sets in each other")
    }
    defer { depth -= 1 }
    if let set = try posixSet() { return set }
    var whole = CharacterSet(ignoresCase: flags.ignoresCase)
    whole.isNegated = try scanner.take("^")
    var part = CharacterSet(ignoresCase: false)
    var operation: CharacterSet.Operation?
    func close() {
      part.finish()
      if let operation { whole.apply(operation, part) } else { whole.insert(part) }
      part = CharacterSet(ignoresCase: false)
    }
    var before = Before.start
    if scanner.isAt("]") { before = try literal("]", into: &part) }
    while true {
      guard let next = scanner.next else { throw malformed("expected ']'") }
      if next.isQuoted {
        before = try literal(next.scalar, into: &part)
        continue
      }
      switch next.scalar {
      case "]":
        if case .operation = before { throw malformed("expected a set after the operator") }
        close()
        whole.finish()
        try scanner.advance()
        return whole
      case "[":
        try scanner.advance()
        part.insert(try set())
        before = .set
      case "-", "&":
        if case .operation = before {
          before = try literal(next.scalar, into: &part)
          continue
        }
        try scanner.advance()
        guard try scanner.take(next.scalar) else {
          before = try sign(next.scalar, after: before, into: &part)
          continue
        }
        if case .start = before { throw malformed("expected a set before the operator") }
        close()
        operation = next.scalar == "&" ? .intersection : .difference
        before = .operation
      case "\\":
        try scanner.advance()
        before = try setEscape(into: &part)
      default: before = try literal(next.scalar, into: &part)
      }
    }
  }

  private mutating func literal(
    _ scalar: Unicode.Scalar, into set: inout CharacterSet
  ) throws(TextPattern.Failure) -> Before {
    set.insert(scalar.value...scalar.value)
    lastLiteral = scalar
    try scanner.advance()
    return .literal
  }

  private mutating func setEscape(
    into part: inout CharacterSet
  ) throws(TextPattern.Failure) -> Before {
    guard let letter = scanner.next?.scalar else {
      throw malformed("expected a character after '\\'")
    }
    if letter == "N" {
      try scanner.advance()
      try passName()
      lastLiteral = "\u{0}"
      return .literal
    }
    if let set = try namedSet() {
      part.insert(set)
      return .set
    }
    return try literal(letter, into: &part)
  }

  /// What follows a single `-` or `&`: the end of a range, a set that is taken away, or nothing of
  /// the kind.
  private mutating func sign(
    _ sign: Unicode.Scalar, after before: Before, into part: inout CharacterSet
  ) throws(TextPattern.Failure) -> Before {
    if case .set = before, scanner.isAt("[") {
      lack("\(sign) between sets")
      try scanner.advance()
      _ = try set()
      return .set
    }
    guard sign == "-", case .literal = before, scanner.next != nil, !scanner.isAt("]"),
      !scanner.isAt("[")
    else {
      part.insert(sign.value...sign.value)
      return .literal
    }
    if try scanner.take("\\"), let letter = scanner.next?.scalar {
      if ["s", "S", "w", "W", "d", "D"].contains(letter) { throw malformed("a set ends no range") }
      if letter == "N" {
        try scanner.advance()
        try passName()
        return .range
      }
    }
    guard let last = scanner.next?.scalar else { throw malformed("expected ']'") }
    guard let first = lastLiteral, first.value <= last.value else {
      throw malformed("the range is in the wrong order")
    }
    part.insert(first.value...last.value)
    try scanner.advance()
    return .range
  }

  /// A set such as `[:alpha:]`, if one is next.
  private mutating func posixSet() throws(TextPattern.Failure) -> CharacterSet? {
    var ahead = scanner
    guard try ahead.take(":") else { return nil }
    let isNegated = try ahead.take("^")
    var name = ""
    repeat {
      guard let next = ahead.next, !next.isQuoted else { return nil }
      name.unicodeScalars.append(next.scalar)
      try ahead.advance()
    } while !ahead.isAt(":")
    try ahead.advance()
    guard try ahead.take("]") else { return nil }
    scanner = ahead
    return try property(name, isNegated: isNegated, "the set [:\(name.prefix(40)):]")
  }
}
