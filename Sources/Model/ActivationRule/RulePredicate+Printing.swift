extension RulePredicate: CustomStringConvertible {
  /// The predicate in one line. Read again, it is an equal one.
  public var description: String {
    var printer = PredicatePrinter(self, width: .max)
    printer.write(root, level: 0)
    return printer.output
  }

  /// The predicate on as many lines as it needs to fit into a width, each level two spaces further in.
  /// Read again, it is an equal one.
  public func formatted(width: Int = 100) -> String {
    var printer = PredicatePrinter(self, width: width)
    printer.write(root, level: 0)
    return printer.output
  }

  /// A part in one line.
  func text(of node: Int) -> String {
    var printer = PredicatePrinter(self, width: .max)
    printer.write(node, level: 0)
    return printer.output
  }
}

/// Writes a predicate as text.
private struct PredicatePrinter {
  private let predicate: RulePredicate
  private let width: Int
  /// How many characters each part takes in one line.
  private var lengths: [Int] = []
  /// How many characters stand in the current line.
  private var column = 0
  private(set) var output = ""

  init(_ predicate: RulePredicate, width: Int) {
    self.predicate = predicate
    self.width = width
    guard width < .max else { return }
    // Parts stand behind those that they are made of.
    for node in predicate.nodes.indices { lengths.append(length(of: node)) }
  }

  private mutating func put(_ text: String) {
    output += text
    column += text.utf8.count
  }

  private mutating func breakLine(_ level: Int) {
    output += "\n" + String(repeating: "  ", count: level)
    column = 2 * level
  }

  /// Whether a part is written in parentheses within another, which keeps its form and shows which
  /// of AND and OR comes first.
  private func needsParentheses(_ part: Int, in node: RulePredicate.Node) -> Bool {
    switch (predicate.nodes[part].kind, node.kind) {
    case (.or, .or), (.or, .and), (.or, .not), (.and, .or), (.and, .and), (.and, .not): true
    default: false
    }
  }

  private func length(of number: Int) -> Int {
    let node = predicate.nodes[number]
    let parts = predicate.parts(of: node).map { part in
      lengths[Int(part)] + (needsParentheses(Int(part), in: node) ? 2 : 0)
    }
    let sum = parts.reduce(0, +)
    return switch node.kind {
    case .or: sum + 4 * (parts.count - 1)
    case .and: sum + 5 * (parts.count - 1)
    case .not: sum + 4
    case .comparison: sum + operatorText(node).utf8.count
    case .member, .count, .subquery, .list:
      sum + words(of: node).reduce(0) { $0 + $1.utf8.count } + 2 * max(0, parts.count - 1)
    default: words(of: node).reduce(0) { $0 + $1.utf8.count }
    }
  }

  /// What is written of a part besides the parts that it is made of.
  private func words(of node: RulePredicate.Node) -> [String] {
    switch node.kind {
    case .always: ["TRUEPREDICATE"]
    case .never: ["FALSEPREDICATE"]
    case .text: [Self.quoted(predicate.texts[Int(node.value)])]
    case .number: [Self.text(of: predicate.numbers[Int(node.value)])]
    case .boolean: [node.value != 0 ? "TRUE" : "FALSE"]
    case .null: ["NULL"]
    case .root: ["SELF"]
    case .name: [predicate.keyName(node.value)]
    case .variable: ["$" + predicate.keyName(node.name)]
    case .member: ["." + predicate.keyName(node.value)]
    case .count: [".@count"]
    case .list: ["{", "}"]
    case .subquery: ["SUBQUERY(", "$" + predicate.keyName(node.name) + ", ", ")"]
    case .or, .and, .not, .comparison: []
    }
  }

  /// The modifier, the operator with its options, and the blanks around.
  private func operatorText(_ node: RulePredicate.Node) -> String {
    let comparison = RulePredicate.Comparison(packed: node.value)
    let options =
      (comparison.ignoresCase ? "c" : "") + (comparison.ignoresDiacritics ? "d" : "")
    return comparison.modifier.text + " " + comparison.op.text
      + (options.isEmpty ? "" : "[\(options)]") + " "
  }

  mutating func write(_ number: Int, level: Int) {
    let node = predicate.nodes[number]
    let fits = width == .max || column + lengths[number] <= width
    switch node.kind {
    case .or, .and:
      for (position, part) in predicate.parts(of: node).enumerated() {
        if position > 0 {
          if fits { put(" ") } else { breakLine(level) }
          put(node.kind == .or ? "OR " : "AND ")
        }
        write(Int(part), in: node, level: level)
      }
    case .not:
      put("NOT ")
      write(predicate.part(0, of: node), in: node, level: level)
    case .comparison:
      let text = operatorText(node)
      let modifier = RulePredicate.Comparison(packed: node.value).modifier.text
      put(modifier)
      write(predicate.part(0, of: node), level: level)
      put(String(text.dropFirst(modifier.count)))
      write(predicate.part(1, of: node), level: level)
    case .member, .count:
      write(predicate.part(0, of: node), level: level)
      put(words(of: node)[0])
    case .subquery:
      let words = words(of: node)
      put(words[0])
      if !fits { breakLine(level + 1) }
      write(predicate.part(0, of: node), level: level + 1)
      put(", ")
      if fits {
        put(words[1])
      } else {
        put(String(words[1].dropLast()))
        breakLine(level + 1)
      }
      write(predicate.part(1, of: node), level: level + 1)
      if !fits { breakLine(level) }
      put(words[2])
    case .list:
      put("{")
      for (position, part) in predicate.parts(of: node).enumerated() {
        if position > 0 { put(fits ? ", " : ",") }
        if !fits { breakLine(level + 1) }
        write(Int(part), level: level + 1)
      }
      if !fits { breakLine(level) }
      put("}")
    default: put(words(of: node)[0])
    }
  }

  private mutating func write(_ part: Int, in node: RulePredicate.Node, level: Int) {
    guard needsParentheses(part, in: node) else { return write(part, level: level) }
    put("(")
    let fits = width == .max || column + lengths[part] < width
    if !fits { breakLine(level + 1) }
    write(part, level: fits ? level : level + 1)
    if !fits { breakLine(level) }
    put(")")
  }

  private static func text(of number: Double) -> String {
    let limit = 9_007_199_254_740_992.0
    guard number.rounded() == number, abs(number) < limit, number != 0 || number.sign == .plus
    else { return "\(number)" }
    return "\(Int64(number))"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
