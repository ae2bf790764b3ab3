/// A word or sign of a predicate.
enum PredicateToken {
  case end
  /// `(`, `)`, `{`, `}`, `[`, `]`, `,`, `.`.
  case sign(UInt8)
  /// `+`, `-`, `*`, `/`, `**`; a minus may stand before a value as well.
  case operation(RuleFunction)
  case comparison(RulePredicate.Operator)
  case and, or, not
  case modifier(RulePredicate.Modifier)
  case always, never
  case subquery
  case boolean(Bool)
  case null
  case root
  case text(String)
  case number(RuleNumber)
  /// Of a key or a function, the latter maybe with its colons.
  case name(String)
  /// Without its dollar sign.
  case variable(String)
  /// `@count`.
  case count
  case aggregate(RuleAggregate)
}

/// Cuts the text of a predicate into words and signs.
struct PredicateScanner {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func failure(_ reason: String, at offset: Int) -> RulePredicate.SyntaxError {
    RulePredicate.SyntaxError(reason: reason, place: TextPlace(offset: offset, in: bytes))
  }

  private func byte(_ position: Int) -> UInt8 { position < bytes.count ? bytes[position] : 0 }

  /// The letters between brackets; `nil` if no bracket is next, or where the bracket has no end.
  mutating func bracketed() -> [UInt8]? {
    guard byte(position) == UInt8(ascii: "[") else { return nil }
    var end = position + 1
    while Self.isNameStart(byte(end)) { end += 1 }
    guard byte(end) == UInt8(ascii: "]") else { return nil }
    defer { position = end + 1 }
    return Array(bytes[position + 1..<end])
  }

  /// Passes over white space.
  mutating func passBlanks() {
    while position < bytes.count, bytes[position] == 0x20 || 0x09...0x0d ~= bytes[position] {
      position += 1
    }
  }

  /// Reads the token that begins here; the position is then after it.
  mutating func next() throws(RulePredicate.SyntaxError) -> PredicateToken {
    guard position < bytes.count else { return .end }
    let start = position
    let first = bytes[position]
    switch first {
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "{"), UInt8(ascii: "}"),
      UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]"):
      position += 1
      return .sign(first)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .text(try text(closedBy: first))
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "/"):
      return operation()
    case UInt8(ascii: "$"):
      position += 1
      let name = name()
      if name.isEmpty { throw failure("expected a name after '$'", at: start) }
      return .variable(name)
    case UInt8(ascii: "@"):
      position += 1
      let name = name()
      if name == "count" { return .count }
      guard let aggregate = RuleAggregate(name: name) else {
        throw failure(
          "'@\(name)' is not known: @count, @sum, @min, @max and @avg are", at: start)
      }
      return .aggregate(aggregate)
    case UInt8(ascii: "&"), UInt8(ascii: "|"):
      guard byte(position + 1) == first else {
        throw failure(first == UInt8(ascii: "&") ? "expected &&" : "expected ||", at: start)
      }
      position += 2
      return first == UInt8(ascii: "&") ? .and : .or
    case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"):
      return comparison()
    case _ where Self.isNameStart(first): return word()
    default: throw failure("unexpected \(character(at: start))", at: start)
    }
  }

  /// A character for a message.
  private func character(at position: Int) -> String {
    let scalar = String(decoding: bytes[position...].prefix(4), as: UTF8.self).unicodeScalars.first
    guard let scalar, scalar.value >= 0x20 else { return "control character" }
    return "'\(scalar)'"
  }

  private mutating func operation() -> PredicateToken {
    let sign = bytes[position]
    position += 1
    switch sign {
    case UInt8(ascii: "+"): return .operation(.add)
    case UInt8(ascii: "-"): return .operation(.subtract)
    case UInt8(ascii: "/"): return .operation(.divide)
    default:
      guard byte(position) == sign else { return .operation(.multiply) }
      position += 1
      return .operation(.power)
    }
  }

  private mutating func comparison() -> PredicateToken {
    let table: [(String, PredicateToken)] = [
      ("==", .comparison(.equal)), ("=<", .comparison(.lessOrEqual)),
      ("=>", .comparison(.greaterOrEqual)), ("=", .comparison(.equal)),
      ("!=", .comparison(.notEqual)), ("!", .not), ("<=", .comparison(.lessOrEqual)),
      ("<>", .comparison(.notEqual)), ("<", .comparison(.less)),
      (">=", .comparison(.greaterOrEqual)), (">", .comparison(.greater)),
    ]
    for (sign, token) in table where bytes[position...].starts(with: sign.utf8) {
      position += sign.utf8.count
      return token
    }
    return .end
  }

  private static func isNameStart(_ byte: UInt8) -> Bool {
    0x61...0x7a ~= byte | 0x20 || byte == UInt8(ascii: "_")
  }

  private mutating func name() -> String {
    let start = position
    while position < bytes.count,
      Self.isNameStart(bytes[position]) || position > start && 0x30...0x39 ~= bytes[position]
    {
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// The rest of a function's name after its first word: `:by:` of `modulus:by:`.
  private mutating func selector(from start: Int) -> PredicateToken {
    while byte(position) == UInt8(ascii: ":"), byte(position + 1) != UInt8(ascii: "=") {
      position += 1
      _ = name()
    }
    return .name(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func word() -> PredicateToken {
    let start = position
    let name = name()
    if byte(position) == UInt8(ascii: ":") { return selector(from: start) }
    guard name.utf8.count <= 14 else { return .name(name) }
    switch String(decoding: name.utf8.map { 0x61...0x7a ~= $0 ? $0 & 0xdf : $0 }, as: UTF8.self) {
    case "AND": return .and
    case "OR": return .or
    case "NOT": return .not
    case "ANY", "SOME": return .modifier(.any)
    case "ALL": return .modifier(.all)
    case "NONE": return .modifier(.none)
    case "TRUEPREDICATE": return .always
    case "FALSEPREDICATE": return .never
    case "SUBQUERY": return .subquery
    case "TRUE", "YES": return .boolean(true)
    case "FALSE", "NO": return .boolean(false)
    case "NULL", "NIL": return .null
    case "SELF": return .root
    case "BEGINSWITH": return .comparison(.beginsWith)
    case "ENDSWITH": return .comparison(.endsWith)
    case "CONTAINS": return .comparison(.contains)
    case "LIKE": return .comparison(.like)
    case "MATCHES": return .comparison(.matches)
    case "IN": return .comparison(.isIn)
    case "BETWEEN": return .comparison(.between)
    case "UTI":
      for op in [RulePredicate.Operator.conformsTo, .typeEquals] {
        let rest = op.text.utf8.dropFirst(3)
        let end = position + rest.count
        guard end <= bytes.count,
          zip(bytes[position..<end], rest).allSatisfy({ $0 == $1 || $0 & 0xdf == $1 }),
          !Self.isNameStart(byte(end))
        else { continue }
        position = end
        return .comparison(op)
      }
      return .name(name)
    default: return .name(name)
    }
  }

  private mutating func number() throws(RulePredicate.SyntaxError) -> RuleNumber {
    let start = position
    if bytes[position] == UInt8(ascii: "0"), let radix = Self.radix(byte(position + 1)) {
      return try integer(radix, from: start)
    }
    func isDigit(_ position: Int) -> Bool { 0x30...0x39 ~= byte(position) }
    var isInteger = true
    while isDigit(position) { position += 1 }
    if byte(position) == UInt8(ascii: "."), isDigit(position + 1) {
      isInteger = false
      position += 1
      while isDigit(position) { position += 1 }
    }
    if byte(position) | 0x20 == UInt8(ascii: "e") {
      let hasSign = [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(byte(position + 1))
      if isDigit(position + (hasSign ? 2 : 1)) {
        isInteger = false
        position += hasSign ? 2 : 1
        while isDigit(position) { position += 1 }
      }
    }
    try expectEndOfNumber()
    let digits = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let value = Int64(digits) { return .integer(value) }
    guard let value = Double(digits), value.isFinite else {
      throw failure("the number is too large", at: start)
    }
    return .real(value)
  }

  private func expectEndOfNumber() throws(RulePredicate.SyntaxError) {
    if Self.isNameStart(byte(position)) {
      throw failure("expected the end of the number", at: position)
    }
  }

  /// The base of the digits after a zero and a letter.
  private static func radix(_ letter: UInt8) -> Int? {
    switch letter | 0x20 {
    case UInt8(ascii: "x"): 16
    case UInt8(ascii: "o"): 8
    case UInt8(ascii: "b"): 2
    default: nil
    }
  }

  private mutating func integer(
    _ radix: Int, from start: Int
  ) throws(RulePredicate.SyntaxError) -> RuleNumber {
    position += 2
    let first = position
    while Self.isNameStart(byte(position)) || 0x30...0x39 ~= byte(position) { position += 1 }
    let digits = String(decoding: bytes[first..<position], as: UTF8.self)
    let isNumber = !digits.isEmpty && digits.allSatisfy { $0.hexDigitValue ?? radix < radix }
    guard isNumber else {
      throw failure("expected digits of base \(radix)", at: first)
    }
    if let value = Int64(digits, radix: radix) { return .integer(value) }
    // A real number, as in decimals: its first bits, of which the last stands for all after them, so
    // that it is rounded once.
    var (first64, exponent) = (UInt64(0), 0)
    let width = radix.trailingZeroBitCount
    for digit in digits {
      let digit = UInt64(digit.hexDigitValue ?? 0)
      if first64 >> 58 == 0 {
        first64 = first64 << width | digit
      } else {
        first64 |= digit == 0 ? 0 : 1
        exponent += width
      }
    }
    let value = Double(sign: .plus, exponent: exponent, significand: Double(first64))
    guard value.isFinite else { throw failure("the number is too large", at: start) }
    return .real(value)
  }

  private mutating func text(closedBy mark: UInt8) throws(RulePredicate.SyntaxError) -> String {
    let start = position
    var content: [UInt8] = []
    position += 1
    while true {
      guard position < bytes.count else {
        throw failure("the text that begins here has no end", at: start)
      }
      let byte = bytes[position]
      position += 1
      switch byte {
      case mark: return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"): content += try escaped(from: position - 1)
      default: content.append(byte)
      }
    }
  }

  /// What follows a backslash.
  private mutating func escaped(from start: Int) throws(RulePredicate.SyntaxError) -> [UInt8] {
    let letter = byte(position)
    position += 1
    switch letter {
    case UInt8(ascii: "n"): return [0x0a]
    case UInt8(ascii: "r"): return [0x0d]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"): return [letter]
    case UInt8(ascii: "u"):
      let unit = try hexadecimal(from: start)
      guard 0xd800..<0xdc00 ~= unit else {
        guard let scalar = Unicode.Scalar(unit) else {
          throw failure("half a surrogate pair", at: start)
        }
        return Array(String(scalar).utf8)
      }
      guard byte(position) == UInt8(ascii: "\\"), byte(position + 1) == UInt8(ascii: "u") else {
        throw failure("half a surrogate pair", at: start)
      }
      position += 2
      let low = try hexadecimal(from: start)
      guard 0xdc00..<0xe000 ~= low,
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00))
      else { throw failure("half a surrogate pair", at: start) }
      return Array(String(scalar).utf8)
    default:
      throw failure(
        "expected \\\", \\', \\\\, \\n, \\r, \\t or \\u and four digits", at: start)
    }
  }

  private mutating func hexadecimal(from start: Int) throws(RulePredicate.SyntaxError) -> UInt32 {
    let digits = bytes[min(position, bytes.count)...].prefix(4)
    let isValid = digits.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 | 0x20 }
    guard digits.count == 4, isValid,
      let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw failure("expected four hexadecimal digits after \\u", at: start) }
    position += 4
    return unit
  }
}
