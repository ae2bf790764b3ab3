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
}

/// Reads the text of a regular expression into its parts.
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

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var flags: Flags
  private var depth = 0
  /// Whether the place is between `\Q` and `\E`.
  private var isQuoting = false
  private(set) var sets: [CharacterSet] = []

  init(_ text: String, ignoresCase: Bool) {
    scalars = Array(text.unicodeScalars)
    flags = Flags(ignoresCase: ignoresCase)
  }

  mutating func parse() throws(TextPattern.Failure) -> PatternNode {
    let tree = try choice()
    guard position == scalars.count else { throw malformed("unexpected ')'") }
    return tree
  }

  private func malformed(_ reason: String) -> TextPattern.Failure {
    .malformed("\(reason) at character \(position + 1)")
  }

  private func scalar(_ ahead: Int = 0) -> Unicode.Scalar? {
    position + ahead < scalars.count ? scalars[position + ahead] : nil
  }

  private func isAt(_ text: String) -> Bool {
    scalars[position...].starts(with: text.unicodeScalars)
  }

  private mutating func take(_ text: String) -> Bool {
    guard isAt(text) else { return false }
    position += text.unicodeScalars.count
    return true
  }

  /// Passes over blanks and comments where these have no meaning.
  private mutating func passBlanks() {
    guard flags.isSpaced, !isQuoting else { return }
    while let scalar = scalar() {
      if scalar.properties.isPatternWhitespace {
        position += 1
      } else if scalar == "#" {
        while let scalar = self.scalar(), !scalar.isLineEnd { position += 1 }
      } else {
        return
      }
    }
  }

  private mutating func choice() throws(TextPattern.Failure) -> PatternNode {
    var alternatives = [try sequence()]
    while scalar() == "|" {
      position += 1
      alternatives.append(try sequence())
    }
    return alternatives.count == 1 ? alternatives[0] : .choice(alternatives)
  }

  private mutating func sequence() throws(TextPattern.Failure) -> PatternNode {
    var nodes: [PatternNode] = []
    while true {
      passBlanks()
      guard let next = scalar() else { break }
      if !isQuoting, next == "|" || next == ")" { break }
      guard let node = try term() else { continue }
      let repeated = try repetition(of: node)
      if case .empty = repeated { continue }
      nodes.append(repeated)
    }
    return nodes.isEmpty ? .empty : nodes.count == 1 ? nodes[0] : .sequence(nodes)
  }

  /// - Returns: `nil` for what only says how others are read.
  private mutating func term() throws(TextPattern.Failure) -> PatternNode? {
    guard let scalar = scalar() else { return nil }
    if isQuoting {
      if take("\\E") {
        isQuoting = false
        return nil
      }
      position += 1
      if take("\\E") { isQuoting = false }
      return .scalar(scalar, ignoresCase: flags.ignoresCase)
    }
    switch scalar {
    case "(": return try group()
    case "[":
      position += 1
      return try add(set())
    case ".":
      position += 1
      return .any(includesLineEnds: flags.includesLineEnds)
    case "^":
      position += 1
      return .assertion(flags.isByLine ? .lineStart : .start)
    case "$":
      position += 1
      return .assertion(flags.isByLine ? .lineEnd : .endBeforeLineEnd)
    case "\\": return try escape()
    case "*", "+", "?": throw malformed("nothing to repeat")
    case "{", "}": throw malformed("unexpected '\(scalar)'")
    default:
      position += 1
      return .scalar(scalar, ignoresCase: flags.ignoresCase)
    }
  }

  private mutating func add(_ set: CharacterSet) -> PatternNode {
    sets.append(set)
    return .set(Int32(sets.count - 1))
  }

  // Repetitions.

  private mutating func repetition(of node: PatternNode) throws(TextPattern.Failure) -> PatternNode
  {
    guard !isQuoting else { return node }
    passBlanks()
    var (least, most): (Int, Int?)
    switch scalar() {
    case "*": (least, most) = (0, nil)
    case "+": (least, most) = (1, nil)
    case "?": (least, most) = (0, 1)
    case "{":
      position += 1
      (least, most) = try bounds()
    default: return node
    }
    // The last character of the repetition.
    position += 1
    if scalar() == "+" { throw .unsupported("a possessive repetition") }
    if scalar() == "?" { position += 1 }
    if case .empty = node { return .empty }
    return most == 0 ? .empty : .repeated(node, least, most)
  }

  /// The numbers between braces, up to the closing one.
  private mutating func bounds() throws(TextPattern.Failure) -> (Int, Int?) {
    let least = try number()
    var most: Int? = least
    if scalar() == "," {
      position += 1
      most = scalar() == "}" ? nil : try number()
    }
    guard scalar() == "}" else { throw malformed("expected '}'") }
    if let most, most < least { throw malformed("the bounds are in the wrong order") }
    return (least, most)
  }

  private mutating func number() throws(TextPattern.Failure) -> Int {
    var value = 0
    let start = position
    while let digit = scalar(), 0x30...0x39 ~= digit.value {
      // More than any limit, whatever follows.
      value = min(value * 10 + Int(digit.value - 0x30), 1 << 24)
      position += 1
    }
    guard position > start else { throw malformed("expected a number") }
    return value
  }

  // Groups.

  private mutating func group() throws(TextPattern.Failure) -> PatternNode? {
    position += 1
    depth += 1
    guard depth <= TextPattern.depthLimit else {
      throw .unsupported("more than \(TextPattern.depthLimit) groups in each other")
    }
    defer { depth -= 1 }
    let outer = flags
    if take("?") {
      guard try openSpecialGroup() else { return nil }
    }
    let inner = try choice()
    guard scalar() == ")" else { throw malformed("expected ')'") }
    position += 1
    flags = outer
    return inner
  }

  /// Reads what follows a parenthesis and a question mark.
  ///
  /// - Returns: whether a group begins; otherwise this was all.
  private mutating func openSpecialGroup() throws(TextPattern.Failure) -> Bool {
    switch scalar() {
    case ":":
      position += 1
      return true
    case ">": throw .unsupported("an atomic group")
    case "=", "!": throw .unsupported("a look ahead")
    case "#":
      while let scalar = scalar(), scalar != ")" { position += 1 }
      guard take(")") else { throw malformed("expected ')'") }
      return false
    case "<":
      if let next = scalar(1), next == "=" || next == "!" { throw .unsupported("a look behind") }
      position += 1
      let start = position
      while let scalar = scalar(), scalar.isASCII, scalar.isOfWord, scalar != "_" { position += 1 }
      guard position > start, take(">") else { throw malformed("expected a name and '>'") }
      return true
    default: return try openFlags()
    }
  }

  private mutating func openFlags() throws(TextPattern.Failure) -> Bool {
    var isOn = true
    while let letter = scalar() {
      switch letter {
      case "i": flags.ignoresCase = isOn
      case "s": flags.includesLineEnds = isOn
      case "m": flags.isByLine = isOn
      case "x": flags.isSpaced = isOn
      case "w", "d": throw .unsupported("the flag \(letter)")
      case "-" where isOn: isOn = false
      case ":":
        position += 1
        return true
      case ")":
        position += 1
        return false
      default: throw malformed("expected a flag")
      }
      position += 1
    }
    throw malformed("expected ')'")
  }

  // Escapes.

  private mutating func escape() throws(TextPattern.Failure) -> PatternNode? {
    guard let letter = scalar(1) else { throw malformed("expected a character after '\\'") }
    func take(_ node: PatternNode) -> PatternNode {
      position += 2
      return node
    }
    switch letter {
    case "Q":
      position += 2
      isQuoting = true
      return nil
    case "E":
      position += 2
      return nil
    case "A": return take(.assertion(.start))
    case "z": return take(.assertion(.end))
    case "Z": return take(.assertion(.endBeforeLineEnd))
    case "b": return take(.assertion(.wordBoundary))
    case "B": return take(.assertion(.noWordBoundary))
    case "1"..."9", "k": throw .unsupported("a backreference")
    case "G", "R", "X", "N": throw .unsupported("\\\(letter)")
    default: break
    }
    if let set = try namedSet() { return add(set) }
    return .scalar(try escapedScalar(), ignoresCase: flags.ignoresCase)
  }

  /// A set such as `\d` or `\p{Lu}`, if one is next.
  private mutating func namedSet() throws(TextPattern.Failure) -> CharacterSet? {
    let named: CharacterSet.Named
    switch scalar(1) {
    case "d", "D": named = .digit
    case "w", "W": named = .word
    case "s", "S": named = .space
    case "h", "H": named = .horizontalSpace
    case "v", "V": named = .verticalSpace
    case "p", "P": return try property()
    default: return nil
    }
    let isNegated = scalars[position + 1].properties.isUppercase
    position += 2
    return finished(CharacterSet(named, isNegated: isNegated))
  }

  private func finished(_ set: CharacterSet) -> CharacterSet {
    var set = set
    set.finish()
    return set
  }

  private mutating func property() throws(TextPattern.Failure) -> CharacterSet {
    let isNegated = scalar(1) == "P"
    position += 2
    guard take("{"), let end = scalars[position...].firstIndex(of: "}") else {
      throw malformed("expected a property in braces")
    }
    let name = String(String.UnicodeScalarView(scalars[position..<end]))
    guard let named = CharacterSet.Named(property: name) else {
      throw .unsupported("the property \\p{\(name.prefix(40))}")
    }
    position = end + 1
    var set = CharacterSet(ignoresCase: flags.ignoresCase)
    set.insert(CharacterSet(named, isNegated: isNegated))
    return finished(set)
  }

  /// The character that a backslash and what follows stand for.
  private mutating func escapedScalar() throws(TextPattern.Failure) -> Unicode.Scalar {
    guard let letter = scalar(1) else { throw malformed("expected a character after '\\'") }
    position += 2
    switch letter {
    case "a": return "\u{7}"
    case "e": return "\u{1b}"
    case "f": return "\u{c}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "0": return try code(base: 8, 1...3)
    case "u": return try code(base: 16, 4...4)
    case "U": return try code(base: 16, 8...8)
    case "x":
      guard take("{") else { return try code(base: 16, 1...2) }
      let scalar = try code(base: 16, 1...8)
      guard take("}") else { throw malformed("expected '}'") }
      return scalar
    case "c":
      guard let control = scalar(), control.isASCII else { throw malformed("expected a letter") }
      position += 1
      return Unicode.Scalar(UInt8(control.value & 0x1f))
    default:
      guard letter.isASCII, letter.properties.isAlphabetic || 0x30...0x39 ~= letter.value else {
        return letter
      }
      position -= 2
      throw malformed("the unknown escape '\\\(letter)'")
    }
  }

  private mutating func code(
    base: UInt32, _ count: ClosedRange<Int>
  ) throws(TextPattern.Failure) -> Unicode.Scalar {
    var value: UInt32 = 0
    var digits = 0
    while digits < count.upperBound, let digit = scalar()?.hexadecimalValue, digit < base {
      // Eight digits of four bits.
      value = value &* base &+ digit
      digits += 1
      position += 1
    }
    guard digits >= count.lowerBound else { throw malformed("expected digits of base \(base)") }
    if base == 16, count.upperBound == 4, 0xd800..<0xdc00 ~= value, take("\\u") {
      return try lowHalf(after: value)
    }
    guard let scalar = Unicode.Scalar(value) else { throw malformed("no character") }
    return scalar
  }

  private mutating func lowHalf(after high: UInt32) throws(TextPattern.Failure) -> Unicode.Scalar {
    var low: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = scalar()?.hexadecimalValue else { throw malformed("no character") }
      low = low << 4 + digit
      position += 1
    }
    guard 0xdc00..<0xe000 ~= low,
      let scalar = Unicode.Scalar(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00))
    else { throw malformed("no character") }
    return scalar
  }

  // Sets.

  /// The set from behind its opening bracket up to and with the closing one.
  private mutating func set() throws(TextPattern.Failure) -> CharacterSet {
    depth += 1
    guard depth <= TextPattern.depthLimit else {
      throw .unsupported("more than \(TextPattern.depthLimit) sets in each other")
    }
    defer { depth -= 1 }
    let isNegated = take("^")
    var whole: CharacterSet?
    var operation = CharacterSet.Operation.intersection
    var union = CharacterSet(ignoresCase: flags.ignoresCase)
    var isFirst = true
    var isBehindSet = false
    func close() -> CharacterSet {
      let part = finished(union)
      guard var all = whole else { return part }
      all.apply(operation, part)
      return all
    }
    while true {
      passBlanks()
      guard let next = scalar() else { throw malformed("expected ']'") }
      if next == "]", !isFirst, !isQuoting {
        position += 1
        var set = close()
        set.isNegated = isNegated
        set.finish()
        return set
      }
      isFirst = false
      if !isQuoting, isAt("&&") || isAt("--") {
        whole = close()
        union = CharacterSet(ignoresCase: flags.ignoresCase)
        operation = next == "&" ? .intersection : .difference
        position += 2
        isBehindSet = false
        continue
      }
      if !isQuoting, isBehindSet, next == "-" || next == "&", scalar(1) == "[" {
        throw .unsupported("\(next) between sets")
      }
      isBehindSet = try insertNext(into: &union)
    }
  }

  /// Reads a character, range or set within brackets.
  ///
  /// - Returns: whether it was a set.
  private mutating func insertNext(
    into union: inout CharacterSet
  ) throws(TextPattern.Failure) -> Bool {
    if !isQuoting {
      if let set = try posixSet() {
        union.insert(set)
        return true
      }
      if scalar() == "[" {
        position += 1
        union.insert(try set())
        return true
      }
      if scalar() == "\\", let set = try namedSet() {
        union.insert(set)
        return true
      }
    }
    guard let first = try setScalar() else { return false }
    passBlanks()
    guard !isQuoting, scalar() == "-", let next = scalar(1), next != "]", next != "-",
      next != "["
    else {
      union.insert(first.value...first.value)
      return false
    }
    position += 1
    passBlanks()
    guard let last = try setScalar() else { throw malformed("expected the end of a range") }
    guard first.value <= last.value else { throw malformed("the range is in the wrong order") }
    union.insert(first.value...last.value)
    return false
  }

  /// One character of a set; `nil` for what begins or ends a quotation.
  private mutating func setScalar() throws(TextPattern.Failure) -> Unicode.Scalar? {
    guard let scalar = scalar() else { throw malformed("expected ']'") }
    if isQuoting {
      if take("\\E") {
        isQuoting = false
        return nil
      }
      position += 1
      return scalar
    }
    guard scalar == "\\" else {
      position += 1
      return scalar
    }
    switch self.scalar(1) {
    case "Q":
      position += 2
      isQuoting = true
      return nil
    case "E":
      position += 2
      return nil
    case "b":
      position += 2
      return "\u{8}"
    case "N", "R", "X", "G": throw .unsupported("\\\(self.scalar(1) ?? "N") in a set")
    default: return try escapedScalar()
    }
  }

  /// A set such as `[:alpha:]`, if one is next.
  private mutating func posixSet() throws(TextPattern.Failure) -> CharacterSet? {
    let start = position
    guard take("[:") else { return nil }
    let isNegated = take("^")
    let nameStart = position
    while let scalar = scalar(), scalar.isOfWord { position += 1 }
    let name = String(String.UnicodeScalarView(scalars[nameStart..<position]))
    guard take(":]") else {
      position = start
      return nil
    }
    if name.lowercased() == "alnum" {
      var set = CharacterSet(.alphabetic, isNegated: false)
      set.insert(CharacterSet(.digit, isNegated: false))
      set.isNegated = isNegated
      return finished(set)
    }
    guard let named = CharacterSet.Named(property: name) else {
      throw .unsupported("the set [:\(name.prefix(40)):]")
    }
    return finished(CharacterSet(named, isNegated: isNegated))
  }
}

extension Unicode.Scalar {
  fileprivate var hexadecimalValue: UInt32? {
    switch value {
    case 0x30...0x39: value - 0x30
    case 0x41...0x46, 0x61...0x66: value | 0x20 - 0x61 + 10
    default: nil
    }
  }
}
