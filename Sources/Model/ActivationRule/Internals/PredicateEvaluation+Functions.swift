internal import Glibc

// Indexes, functions and calculation.
extension PredicateEvaluation {
  /// The element of a collection by its number, or the value of a dictionary by its key.
  mutating func element(
    of whole: PredicateValue, at index: PredicateValue, at number: Int
  ) throws(EvaluationError) -> PredicateValue {
    switch (whole, index) {
    case (.null, _): return .null
    case (.node(let place), .text(let key)) where content.nodes[Int(place)].kind == .dictionary:
      let owner = content.nodes[Int(place)]
      let name = string(key)
      try charge(Int(owner.count), at: number)
      for position in owner.first..<owner.first + owner.count {
        let own = Int(content.keys[Int(position)]) - PathKey.count
        if content.texts[own].utf8.elementsEqual(name.utf8) { return value(ofNode: position) }
      }
      return .null
    case (.list, .number(let index)), (.node, .number(let index)):
      guard let count = collectionCount(whole) else {
        throw failure("an index of \(kind(of: whole))", at: number)
      }
      guard let place = index.index else {
        throw failure("\(index.text) is no index: it is no integer", at: number)
      }
      guard 0..<count ~= place else {
        throw failure(
          "the index \(place) is outside the collection, which has "
            + (count == 1 ? "1 element" : "\(count) elements"), at: number)
      }
      return element(of: whole, place)
    case (.list, _), (.node, _):
      throw failure("\(kind(of: index)) is no index of \(kind(of: whole))", at: number)
    case (.boolean, _), (.number, _), (.text, _):
      throw failure("an index of \(kind(of: whole))", at: number)
    }
  }

  /// The first or last element of a collection; nothing for one without elements.
  mutating func end(
    of whole: PredicateValue, isFirst: Bool, _ number: Int
  ) throws(EvaluationError) -> PredicateValue {
    if case .null = whole { return .null }
    guard let count = collectionCount(whole) else {
      throw failure("not a collection, but \(kind(of: whole))", at: number)
    }
    return count == 0 ? .null : element(of: whole, isFirst ? 0 : count - 1)
  }

  /// How many elements a list has; `nil` for what is none.
  private func collectionCount(_ value: PredicateValue) -> Int? {
    switch value {
    case .list(let elements): elements.count
    case .node(let place) where content.nodes[Int(place)].kind == .list:
      Int(content.nodes[Int(place)].count)
    case .node, .null, .boolean, .number, .text: nil
    }
  }

  private func element(of list: PredicateValue, _ number: Int) -> PredicateValue {
    switch list {
    case .list(let elements): elements[number]
    case .node(let place): value(ofNode: content.nodes[Int(place)].first + Int32(number))
    case .null, .boolean, .number, .text: .null
    }
  }

  // Functions.

  /// What a function makes of its arguments; nothing if an argument is nothing.
  mutating func result(
    of node: RulePredicate.Node, at number: Int
  ) throws(EvaluationError) -> PredicateValue {
    guard let function = prepared.predicate.function(of: node), function.isEvaluated else {
      throw failure(prepared.predicate.unevaluatedReason(number), at: number)
    }
    switch function {
    case .ternary:
      return try value(of: part(try truth(of: part(0, of: node)) ? 1 : 2, of: node))
    case .count:
      return try count(of: part(0, of: node)).map { .number(.integer(Int64($0))) } ?? .null
    case .first, .last:
      return try end(of: value(of: part(0, of: node)), isFirst: function == .first, number)
    case .sum, .average, .minimum, .maximum:
      let values = try value(of: part(0, of: node))
      return try combined(values, function, skipsNothing: false, at: number)
    case .lowercase, .uppercase, .length: return try textResult(of: function, node, at: number)
    default: return try numberResult(of: function, node, at: number)
    }
  }

  private mutating func textResult(
    of function: RuleFunction, _ node: RulePredicate.Node, at number: Int
  ) throws(EvaluationError) -> PredicateValue {
    let argument = try value(of: part(0, of: node))
    switch argument {
    case .null: return .null
    case .text(let text):
      let text = string(text)
      try charge(text.utf8.count, at: number)
      switch function {
      case .lowercase: return try make(text.lowercased(), at: number)
      case .uppercase: return try make(text.uppercased(), at: number)
      default: return .number(.integer(Int64(text.utf16.count)))
      }
    case .boolean, .number, .node, .list:
      throw failure("\(function.name) takes a text, not \(kind(of: argument))", at: number)
    }
  }

  private mutating func numberResult(
    of function: RuleFunction, _ node: RulePredicate.Node, at number: Int
  ) throws(EvaluationError) -> PredicateValue {
    guard let one = try operand(part(0, of: node), of: function, at: number) else { return .null }
    var other = RuleNumber.integer(0)
    if node.partCount > 1 {
      guard let second = try operand(part(1, of: node), of: function, at: number) else {
        return .null
      }
      other = second
    }
    do throws(RuleNumber.Failure) {
      return .number(try function.result(one, other))
    } catch {
      throw failure(words(for: error, of: function), at: number)
    }
  }

  private func words(for error: RuleNumber.Failure, of function: RuleFunction) -> String {
    switch error {
    case .zeroDivision: "division by zero"
    case .range:
      "the result of \(function.sign?.text ?? function.name) is not a finite number of 64 bits"
    }
  }

  /// - Returns: `nil` for nothing.
  private mutating func operand(
    _ place: Int, of function: RuleFunction, at number: Int
  ) throws(EvaluationError) -> RuleNumber? {
    let value = try value(of: place)
    if case .null = value { return nil }
    guard let operand = Self.number(value) else {
      let name = function.sign?.text ?? function.name
      throw failure("\(name) takes numbers, not \(kind(of: value))", at: number)
    }
    return operand
  }

  // Collections.

  mutating func aggregate(
    of node: RulePredicate.Node, at number: Int
  ) throws(EvaluationError) -> PredicateValue {
    let values = try value(of: part(0, of: node))
    let function: RuleFunction? =
      switch prepared.predicate.aggregate(of: node) {
      case .sum: .sum
      case .minimum: .minimum
      case .maximum: .maximum
      case .average: .average
      case nil, .union, .distinctUnion, .unionOfArrays, .distinctUnionOfArrays, .unionOfSets,
        .distinctUnionOfSets:
        nil
      }
    guard let function else {
      throw failure(prepared.predicate.unevaluatedReason(number), at: number)
    }
    return try combined(values, function, skipsNothing: true, at: number)
  }

  /// The sum, average, smallest or largest of a collection.
  ///
  /// - Parameter skipsNothing: whether elements may be nothing, as key-value coding has it.
  private mutating func combined(
    _ values: PredicateValue, _ function: RuleFunction, skipsNothing: Bool, at number: Int
  ) throws(EvaluationError) -> PredicateValue {
    if case .null = values { return .null }
    let elements = try elements(of: values, at: number)
    if function == .minimum || function == .maximum {
      return try extreme(of: elements, isLargest: function == .maximum, skipsNothing, at: number)
    }
    var numbers: [RuleNumber] = []
    for element in elements {
      if case .null = element, skipsNothing { continue }
      guard let value = Self.number(element) else {
        throw failure("\(function.name) takes numbers, not \(kind(of: element))", at: number)
      }
      numbers.append(value)
    }
    do throws(RuleNumber.Failure) {
      var sum = RuleNumber.integer(0)
      for value in numbers { sum = try RuleNumber.sum(sum, value) }
      guard function == .average else { return .number(sum) }
      guard !elements.isEmpty else { return .number(.integer(0)) }
      return .number(try RuleNumber.quotient(.real(sum.double), .real(Double(elements.count))))
    } catch {
      throw failure(words(for: error, of: function), at: number)
    }
  }

  private mutating func extreme(
    of elements: [PredicateValue], isLargest: Bool, _ skipsNothing: Bool, at number: Int
  ) throws(EvaluationError) -> PredicateValue {
    var best: PredicateValue?
    for element in elements {
      if case .null = element {
        guard !skipsNothing else { continue }
        throw failure("\(isLargest ? "max" : "min") of nothing", at: number)
      }
      guard let other = best else {
        best = element
        continue
      }
      // Also refuses what has no order.
      guard let order = try order(element, other, at: number) else { continue }
      if isLargest ? order > 0 : order < 0 { best = element }
    }
    return best ?? .null
  }
}

extension RuleFunction {
  /// The result of a function of numbers; the second is not used by functions of one.
  fileprivate func result(
    _ one: RuleNumber, _ other: RuleNumber
  ) throws(RuleNumber.Failure) -> RuleNumber {
    switch self {
    case .add: try .sum(one, other)
    case .subtract: try .difference(one, other)
    case .multiply: try .product(one, other)
    case .divide: try .quotient(one, other)
    case .modulus: try .remainder(one, other)
    case .power: try .power(one, other)
    case .negate: one.negated
    case .absolute: one.magnitude
    case .floor: one.rounded(.down)
    case .ceiling: one.rounded(.up)
    case .truncate: one.rounded(.towardZero)
    case .squareRoot: try one.result(of: { $0.squareRoot() })
    case .exponential: try one.result(of: exp)
    case .naturalLogarithm: try one.result(of: log)
    case .logarithm: try one.result(of: log10)
    default: throw .range
    }
  }
}
