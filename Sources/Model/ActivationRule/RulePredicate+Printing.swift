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
    // Parts follow those that they are made of.
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
  private func needsParentheses(
    _ part: Int, in node: RulePredicate.Node, isFirst: Bool = true
  ) -> Bool {
    let other = predicate.nodes[part]
    switch node.kind {
    case .or, .and, .not: return other.kind == .or || other.kind == .and
    case .member, .count, .aggregate, .firstElement, .lastElement, .elementCount:
      return isOpen(other)
    case .index where isFirst: return isOpen(other)
    case .index:
      return other.kind == .name
        && RulePredicate.Node.Kind(indexWord: predicate.keyName(other.value)) != nil
    case .function:
      guard let level = level(of: node), let own = self.level(of: other) else { return false }
      return isFirst ? own < level : own <= level
    default: return false
    }
  }

  /// How tightly the sign of a calculation binds; `nil` for all else.
  private func level(of node: RulePredicate.Node) -> Int? {
    node.kind == .function ? predicate.function(of: node)?.sign?.level : nil
  }

  /// Whether keys and indexes after a value would belong to the last part of it.
  private func isOpen(_ node: RulePredicate.Node) -> Bool {
    switch node.kind {
    case .number: predicate.numbers[Int(node.value)].isNegative
    case .function: level(of: node) != nil
    case .aggregate: true
    default: false
    }
  }

  /// The collection of a part with `@sum` and its like, before the keys of its elements.
  private func collection(of node: RulePredicate.Node) -> Int {
    var part = predicate.part(0, of: node)
    for _ in 0..<node.name { part = predicate.part(0, of: predicate.nodes[part]) }
    return part
  }

  /// `.@sum.KEY`.
  private func aggregateText(_ node: RulePredicate.Node) -> String {
    var keys: [String] = []
    var part = predicate.nodes[predicate.part(0, of: node)]
    for _ in 0..<node.name {
      keys.append(predicate.keyName(part.value))
      part = predicate.nodes[predicate.part(0, of: part)]
    }
    return ".\(predicate.aggregate(of: node)?.name ?? "")."
      + (keys.isEmpty ? "SELF" : keys.reversed().joined(separator: "."))
  }

  private func length(of number: Int) -> Int {
    let node = predicate.nodes[number]
    let parts = predicate.parts(of: node).enumerated().map { position, part in
      lengths[Int(part)]
        + (needsParentheses(Int(part), in: node, isFirst: position == 0) ? 2 : 0)
    }
    let sum = parts.reduce(0, +)
    return switch node.kind {
    case .or: sum + 4 * (parts.count - 1)
    case .and: sum + 5 * (parts.count - 1)
    case .not: sum + 4
    case .comparison: sum + operatorText(node).utf8.count
    case .aggregate:
      lengths[collection(of: node)] + aggregateText(node).utf8.count
        + (needsParentheses(collection(of: node), in: node) ? 2 : 0)
    case .function where level(of: node) != nil:
      sum + (predicate.function(of: node)?.sign?.text.utf8.count ?? 0)
        + (parts.count > 1 ? 2 : 0)
    case .member, .count, .subquery, .list, .function, .index, .firstElement, .lastElement,
      .elementCount:
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
    case .number: [predicate.numbers[Int(node.value)].text]
    case .boolean: [node.value != 0 ? "TRUE" : "FALSE"]
    case .null: ["NULL"]
    case .root: ["SELF"]
    case .name: [predicate.keyName(node.value)]
    case .variable: ["$" + predicate.keyName(node.name)]
    case .member: ["." + predicate.keyName(node.value)]
    case .count: [".@count"]
    case .list: ["{", "}"]
    case .function: ["\(predicate.function(of: node)?.name ?? "")(", ")"]
    case .index: ["[", "]"]
    case .firstElement: ["[FIRST]"]
    case .lastElement: ["[LAST]"]
    case .elementCount: ["[SIZE]"]
    case .aggregate: [aggregateText(node)]
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
    case .member, .count, .firstElement, .lastElement, .elementCount:
      write(predicate.part(0, of: node), in: node, level: level)
      put(words(of: node)[0])
    case .aggregate:
      write(collection(of: node), in: node, level: level)
      put(aggregateText(node))
    case .index:
      write(predicate.part(0, of: node), in: node, level: level)
      put("[")
      write(predicate.part(1, of: node), in: node, isFirst: false, level: level)
      put("]")
    case .function where self.level(of: node) != nil: writeCalculation(node, level: level)
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
    case .list, .function:
      let words = words(of: node)
      put(words[0])
      for (position, part) in predicate.parts(of: node).enumerated() {
        if position > 0 { put(fits ? ", " : ",") }
        if !fits { breakLine(level + 1) }
        write(Int(part), level: level + 1)
      }
      if !fits { breakLine(level) }
      put(words[1])
    default: put(words(of: node)[0])
    }
  }

  private mutating func writeCalculation(_ node: RulePredicate.Node, level: Int) {
    let sign = predicate.function(of: node)?.sign?.text ?? ""
    if node.partCount == 1 {
      put(sign)
      write(predicate.part(0, of: node), in: node, level: level)
    } else {
      write(predicate.part(0, of: node), in: node, level: level)
      put(" \(sign) ")
      write(predicate.part(1, of: node), in: node, isFirst: false, level: level)
    }
  }

  private mutating func write(
    _ part: Int, in node: RulePredicate.Node, isFirst: Bool = true, level: Int
  ) {
    guard needsParentheses(part, in: node, isFirst: isFirst) else {
      return write(part, level: level)
    }
    put("(")
    let fits = width == .max || column + lengths[part] < width
    if !fits { breakLine(level + 1) }
    write(part, level: fits ? level : level + 1)
    if !fits { breakLine(level) }
    put(")")
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
