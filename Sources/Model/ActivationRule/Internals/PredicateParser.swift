/// Reads the text of a predicate into its parts, in time linear in the length.
struct PredicateParser {
  /// What stands where both a condition and a value may.
  private enum Operand {
    case condition(Int32)
    case value(Int32)
  }

  private(set) var nodes: [RulePredicate.Node] = []
  private(set) var parts: [Int32] = []
  private(set) var texts: [String] = []
  private(set) var numbers: [RuleNumber] = []
  private(set) var keys: [String] = []
  /// The parts that are not evaluated.
  private(set) var unevaluated: [Int32] = []
  /// The comparisons by MATCHES with a pattern that is known before evaluation.
  private(set) var patterns: [Int32] = []
  private var keyNumbers: [String: Int32] = [:]
  private var scanner: PredicateScanner
  private var token = PredicateToken.end
  /// Where the token begins.
  private var start = 0
  private var depth = 0
  /// The names of the variables that are known here.
  private var variables: [String] = []

  init(_ text: String) throws(RulePredicate.SyntaxError) {
    let bytes = Array(text.utf8)
    scanner = PredicateScanner(bytes)
    guard bytes.count <= RulePredicate.textLimit else {
      throw scanner.failure(
        "longer than \(RulePredicate.textLimit >> 10) KiB", at: RulePredicate.textLimit)
    }
  }

  /// The most levels of parts: parentheses, which are limited, may each have a chain of keys or
  /// operators in them.
  private static let heightLimit = 8 * RulePredicate.depthLimit

  /// Reads the whole text; the last node is the predicate then.
  mutating func parse() throws(RulePredicate.SyntaxError) {
    try advance()
    guard case .condition = try alternatives(isGroup: false) else {
      throw expected("an operator such as == or UTI-CONFORMS-TO")
    }
    guard case .end = token else { throw expected("AND, OR or the end") }
  }

  private mutating func advance() throws(RulePredicate.SyntaxError) {
    scanner.passBlanks()
    start = scanner.position
    token = try scanner.next()
  }

  private func expected(_ what: String) -> RulePredicate.SyntaxError {
    let found =
      switch token {
      case .end: ", not the end"
      case .sign(let sign): ", not '\(Unicode.Scalar(sign))'"
      default: ""
      }
    return scanner.failure("expected \(what)\(found)", at: start)
  }

  private mutating func take(_ sign: Unicode.Scalar) throws(RulePredicate.SyntaxError) {
    guard isAt(sign) else { throw expected("'\(sign)'") }
    try advance()
  }

  private func isAt(_ sign: Unicode.Scalar) -> Bool {
    if case .sign(UInt8(ascii: sign)) = token { true } else { false }
  }

  private var isAtOr: Bool { if case .or = token { true } else { false } }
  private var isAtAnd: Bool { if case .and = token { true } else { false } }

  private mutating func enter() throws(RulePredicate.SyntaxError) {
    depth += 1
    guard depth <= RulePredicate.depthLimit else {
      throw tooDeep
    }
  }

  private var tooDeep: RulePredicate.SyntaxError {
    scanner.failure("nested deeper than \(RulePredicate.depthLimit) levels", at: start)
  }

  private mutating func add(
    _ kind: RulePredicate.Node.Kind, at offset: Int, _ children: [Int32] = [], value: Int32 = 0,
    name: Int32 = 0
  ) -> Int32 {
    let first = Int32(parts.count)
    parts += children
    var height: UInt16 = 0
    for child in children { height = max(height, nodes[Int(child)].height + 1) }
    nodes.append(
      RulePredicate.Node(
        kind: kind, height: height, offset: Int32(offset), first: first,
        partCount: Int32(children.count),
        value: value, name: name))
    return Int32(nodes.count - 1)
  }

  /// Adds a part of those that stand after each other without limit.
  private mutating func addToChain(
    _ kind: RulePredicate.Node.Kind, at offset: Int, _ children: [Int32], value: Int32 = 0,
    name: Int32 = 0
  ) throws(RulePredicate.SyntaxError) -> Int32 {
    let node = add(kind, at: offset, children, value: value, name: name)
    guard nodes[Int(node)].height <= Self.heightLimit else { throw tooDeep }
    return node
  }

  // Conditions.

  /// - Parameter isGroup: whether a parenthesis stands before, so that a value may be all there is.
  private mutating func alternatives(isGroup: Bool) throws(RulePredicate.SyntaxError) -> Operand {
    let offset = start
    let first = try conjunction(isGroup: isGroup)
    guard isAtOr, case .condition(let one) = first else { return first }
    var conditions = [one]
    while isAtOr {
      try advance()
      conditions.append(
        try condition { (parser) throws(RulePredicate.SyntaxError) in
          try parser.conjunction(isGroup: false)
        })
    }
    return .condition(add(.or, at: offset, conditions))
  }

  private mutating func conjunction(isGroup: Bool) throws(RulePredicate.SyntaxError) -> Operand {
    let offset = start
    let first = try negation(isGroup: isGroup)
    guard isAtAnd, case .condition(let one) = first else { return first }
    var conditions = [one]
    while isAtAnd {
      try advance()
      conditions.append(
        try condition { (parser) throws(RulePredicate.SyntaxError) in
          try parser.negation(isGroup: false)
        })
    }
    return .condition(add(.and, at: offset, conditions))
  }

  private mutating func condition(
    _ read: (inout PredicateParser) throws(RulePredicate.SyntaxError) -> Operand
  ) throws(RulePredicate.SyntaxError) -> Int32 {
    guard case .condition(let node) = try read(&self) else {
      throw expected("an operator such as == or UTI-CONFORMS-TO")
    }
    return node
  }

  private mutating func negation(isGroup: Bool) throws(RulePredicate.SyntaxError) -> Operand {
    guard case .not = token else { return try primary(isGroup: isGroup) }
    let offset = start
    try enter()
    try advance()
    let negated = try condition { (parser) throws(RulePredicate.SyntaxError) in
      try parser.negation(isGroup: false)
    }
    depth -= 1
    return .condition(add(.not, at: offset, [negated]))
  }

  private mutating func primary(isGroup: Bool) throws(RulePredicate.SyntaxError) -> Operand {
    let offset = start
    switch token {
    case .always:
      try advance()
      return .condition(add(.always, at: offset))
    case .never:
      try advance()
      return .condition(add(.never, at: offset))
    case .modifier(let modifier):
      try advance()
      return .condition(try comparison(of: try value(), modifier, at: offset))
    case .sign(UInt8(ascii: "(")):
      try enter()
      try advance()
      let inner = try alternatives(isGroup: true)
      try take(")")
      depth -= 1
      switch inner {
      case .condition(let node):
        nodes[Int(node)].isGrouped = true
        nodes[Int(node)].offset = Int32(offset)
        switch token {
        case .comparison, .operation, .sign(UInt8(ascii: ".")), .sign(UInt8(ascii: "[")):
          throw scanner.failure(
            "expected AND, OR or the end: a condition in parentheses has no value", at: start)
        default: return inner
        }
      case .value(let node):
        let whole = try operations(on: try members(of: node, at: offset), at: offset)
        return try comparisonOrValue(whole, at: offset, isGroup)
      }
    default: return try comparisonOrValue(try value(), at: offset, isGroup)
    }
  }

  /// - Parameter isGroup: whether the value may stand alone, in parentheses.
  private mutating func comparisonOrValue(
    _ value: Int32, at offset: Int, _ isGroup: Bool
  ) throws(RulePredicate.SyntaxError) -> Operand {
    if isGroup, isAt(")") { return .value(value) }
    return .condition(try comparison(of: value, .direct, at: offset))
  }

  private mutating func comparison(
    of left: Int32, _ modifier: RulePredicate.Modifier, at offset: Int
  ) throws(RulePredicate.SyntaxError) -> Int32 {
    guard case .comparison(let op) = token else {
      throw expected("an operator such as == or UTI-CONFORMS-TO")
    }
    var comparison = RulePredicate.Comparison(op, modifier)
    // The options follow the operator and have no blanks in them.
    scanner.passBlanks()
    let optionStart = scanner.position
    for letter in try scanner.options() {
      switch letter {
      case UInt8(ascii: "c"): comparison.ignoresCase = true
      case UInt8(ascii: "d"): comparison.ignoresDiacritics = true
      // The texts are in a normal form already.
      case UInt8(ascii: "n"): break
      default: throw scanner.failure("expected options of c, d and n", at: optionStart)
      }
    }
    let takesOptions: Bool =
      switch op {
      case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .conformsTo, .typeEquals:
        false
      default: true
      }
    guard takesOptions || scanner.position == optionStart else {
      throw scanner.failure("\(op.text) takes no options", at: optionStart)
    }
    try advance()
    let right = try value()
    if op == .between, nodes[Int(right)].kind == .list, nodes[Int(right)].partCount != 2 {
      throw scanner.failure("BETWEEN takes two bounds", at: Int(nodes[Int(right)].offset))
    }
    let node = add(.comparison, at: offset, [left, right], value: comparison.packed)
    if op == .matches, nodes[Int(right)].kind == .text { patterns.append(node) }
    return node
  }

  // Values.

  private mutating func value() throws(RulePredicate.SyntaxError) -> Int32 {
    let offset = start
    return try operations(on: try factor(), at: offset)
  }

  /// What is calculated with a value, from the left.
  ///
  /// - Parameter level: only operators that bind more tightly are read.
  private mutating func operations(
    on first: Int32, at offset: Int, above level: Int = 0
  ) throws(RulePredicate.SyntaxError) -> Int32 {
    guard case .operation = token else { return first }
    var left = first
    let depth = depth
    while case .operation(let function) = token, let sign = function.sign, sign.level > level {
      try enter()
      try advance()
      let place = start
      let right = try operations(on: try factor(), at: place, above: sign.level)
      left = try addToChain(
        .function, at: offset, [left, right], value: Int32(function.rawValue))
    }
    self.depth = depth
    return left
  }

  /// A value with its keys and indexes, and maybe a minus before it.
  private mutating func factor() throws(RulePredicate.SyntaxError) -> Int32 {
    let offset = start
    guard case .operation(.subtract) = token else {
      return try members(of: try atom(), at: offset)
    }
    try enter()
    try advance()
    let value = try factor()
    depth -= 1
    guard nodes[Int(value)].kind == .number else {
      return add(.function, at: offset, [value], value: Int32(RuleFunction.negate.rawValue))
    }
    let number = Int(nodes[Int(value)].value)
    numbers[number] = numbers[number].negated
    nodes[Int(value)].offset = Int32(offset)
    return value
  }

  /// The keys and indexes after a value.
  private mutating func members(
    of value: Int32, at offset: Int
  ) throws(RulePredicate.SyntaxError) -> Int32 {
    var value = value
    let depth = depth
    while case .sign(let sign) = token {
      switch sign {
      case UInt8(ascii: "."):
        try enter()
        try advance()
        switch token {
        case .name(let name) where name.utf8.last != UInt8(ascii: ":"):
          value = try addToChain(.member, at: offset, [value], value: number(ofKey: name))
        case .count: value = try addToChain(.count, at: offset, [value])
        case .aggregate(let aggregate):
          value = try self.aggregate(aggregate, of: value, at: offset)
          continue
        default: throw expected("a key or @count after '.'")
        }
        try advance()
      case UInt8(ascii: "["):
        try enter()
        try advance()
        value = try index(of: value, at: offset)
      default:
        self.depth = depth
        return value
      }
    }
    self.depth = depth
    return value
  }

  /// What stands between brackets after a value.
  private mutating func index(
    of value: Int32, at offset: Int
  ) throws(RulePredicate.SyntaxError) -> Int32 {
    if case .name(let name) = token, let kind = RulePredicate.Node.Kind(indexWord: name) {
      // A key of that name may begin a longer value.
      var rest = scanner
      rest.passBlanks()
      if case .sign(UInt8(ascii: "]")) = try rest.next() {
        try advance()
        try take("]")
        return try addToChain(kind, at: offset, [value])
      }
    }
    let index = try self.value()
    try take("]")
    return try addToChain(.index, at: offset, [value, index])
  }

  /// The keys after `@sum` and its like.
  private mutating func aggregate(
    _ aggregate: RuleAggregate, of value: Int32, at offset: Int
  ) throws(RulePredicate.SyntaxError) -> Int32 {
    var value = value
    var count: Int32 = 0
    try advance()
    guard isAt(".") else { throw expected("'.' and a key after \(aggregate.name)") }
    while isAt(".") {
      try enter()
      try advance()
      if case .root = token, count == 0 {
        try advance()
        break
      }
      guard case .name(let name) = token, name.utf8.last != UInt8(ascii: ":") else {
        throw expected("a key after '.'")
      }
      value = try addToChain(.member, at: offset, [value], value: number(ofKey: name))
      count += 1
      try advance()
    }
    let node = try addToChain(
      .aggregate, at: offset, [value], value: Int32(aggregate.rawValue), name: count)
    if !aggregate.isEvaluated { unevaluated.append(node) }
    return node
  }

  private mutating func atom() throws(RulePredicate.SyntaxError) -> Int32 {
    let offset = start
    switch token {
    case .text(let text):
      texts.append(text)
      try advance()
      return add(.text, at: offset, value: Int32(texts.count - 1))
    case .number(let number):
      numbers.append(number)
      try advance()
      return add(.number, at: offset, value: Int32(numbers.count - 1))
    case .boolean(let value):
      try advance()
      return add(.boolean, at: offset, value: value ? 1 : 0)
    case .null:
      try advance()
      return add(.null, at: offset)
    case .root:
      try advance()
      return add(.root, at: offset)
    case .name(let name):
      try advance()
      if isAt("(") { return try function(name, at: offset) }
      if name.utf8.last == UInt8(ascii: ":") { throw expected("'('") }
      return add(.name, at: offset, value: number(ofKey: name))
    case .variable(let name):
      try advance()
      let level = variables.lastIndex(of: name)
      let node = add(
        .variable, at: offset, value: Int32(level ?? -1), name: number(ofKey: name))
      if level == nil { unevaluated.append(node) }
      return node
    case .subquery: return try subquery()
    case .sign(UInt8(ascii: "{")): return try list()
    case .sign(UInt8(ascii: "(")):
      try enter()
      try advance()
      let inner = try value()
      try take(")")
      depth -= 1
      return inner
    default: throw expected("a value")
    }
  }

  /// The arguments of a function, from the parenthesis on.
  private mutating func function(
    _ name: String, at offset: Int
  ) throws(RulePredicate.SyntaxError) -> Int32 {
    guard let function = RuleFunction(name: name) else {
      throw scanner.failure("'\(name)' is no function of NSPredicate", at: offset)
    }
    try enter()
    try advance()
    var arguments: [Int32] = []
    if function == .ternary {
      arguments.append(
        try condition { (parser) throws(RulePredicate.SyntaxError) in
          try parser.alternatives(isGroup: false)
        })
    } else if !isAt(")") {
      arguments.append(try value())
    }
    while isAt(",") {
      try advance()
      arguments.append(try value())
    }
    guard function.arity.contains(arguments.count) else {
      let least = function.arity.lowerBound
      throw scanner.failure(
        "\(name) takes \(least) argument\(least == 1 ? "" : "s"), not \(arguments.count)",
        at: offset)
    }
    try take(")")
    depth -= 1
    let node = add(.function, at: offset, arguments, value: Int32(function.rawValue))
    if !function.isEvaluated { unevaluated.append(node) }
    return node
  }

  private mutating func list() throws(RulePredicate.SyntaxError) -> Int32 {
    let offset = start
    try enter()
    try advance()
    var elements: [Int32] = []
    if !isAt("}") {
      elements.append(try value())
      while isAt(",") {
        try advance()
        elements.append(try value())
      }
    }
    try take("}")
    depth -= 1
    return add(.list, at: offset, elements)
  }

  private mutating func subquery() throws(RulePredicate.SyntaxError) -> Int32 {
    let offset = start
    try enter()
    try advance()
    try take("(")
    let collection = try value()
    try take(",")
    guard case .variable(let name) = token else { throw expected("a variable such as $item") }
    try advance()
    try take(",")
    variables.append(name)
    let condition = try condition { (parser) throws(RulePredicate.SyntaxError) in
      try parser.alternatives(isGroup: false)
    }
    variables.removeLast()
    try take(")")
    depth -= 1
    return add(
      .subquery, at: offset, [collection, condition], value: Int32(variables.count),
      name: number(ofKey: name))
  }

  private mutating func number(ofKey name: String) -> Int32 {
    if let key = PathKey(name: name) { return key.rawValue }
    if let number = keyNumbers[name] { return number }
    let number = Int32(PathKey.count + keys.count)
    keys.append(name)
    keyNumbers[name] = number
    return number
  }
}

extension PredicateScanner {
  /// The letters between brackets, if a bracket is next; the position is then after the brackets.
  mutating func options() throws(RulePredicate.SyntaxError) -> [UInt8] {
    guard let letters = bracketed() else { return [] }
    guard !letters.isEmpty else {
      throw failure("expected options of c, d and n", at: position - 2)
    }
    return letters
  }
}
