/// Finds out whether a predicate comes to the same for any content, since the parts that decide are
/// made of constants.
struct PredicateConstants {
  enum Outcome {
    /// Never false, though what comes before it may fail; the part that decides.
    case holds(Int)
    /// Never true; the part that decides, and why it has no answer if it has none.
    case never(Int, EvaluationError?)
  }

  private let predicate: RulePredicate
  /// Whether each part depends on nothing but constants and the variables in `freeVariables`.
  private var isConstant: [Bool] = []
  /// The variables of subqueries around each part that it uses, as bits.
  private var freeVariables: [UInt64] = []
  private var evaluation: PredicateEvaluation
  /// How many subqueries are around the part that is looked at.
  private var level = 0

  /// What a predicate comes to; `nil` if that depends on the content.
  static func outcome(of prepared: PreparedPredicate) -> Outcome? {
    // Constants have the same value on any content.
    guard let content = try? PreparedContent(SharedContent([]), in: prepared.tree) else {
      return nil
    }
    var constants = Self(prepared, content)
    return constants.outcome(of: prepared.predicate.root)
  }

  private init(_ prepared: PreparedPredicate, _ content: PreparedContent) {
    predicate = prepared.predicate
    evaluation = PredicateEvaluation(of: prepared, on: content)
    for number in predicate.nodes.indices { examine(number) }
  }

  /// Parts follow those that they are made of.
  private mutating func examine(_ number: Int) {
    let node = predicate.nodes[number]
    let parts = predicate.parts(of: node)
    var isConstant = parts.allSatisfy { self.isConstant[Int($0)] }
    var variables = parts.reduce(into: UInt64(0)) { $0 |= freeVariables[Int($1)] }
    switch node.kind {
    case .root, .name: isConstant = false
    case .variable:
      isConstant = node.value >= 0
      if isConstant { variables |= 1 << UInt64(node.value) }
    case .subquery: variables &= ~(1 << UInt64(node.value))
    case .function: isConstant = isConstant && predicate.function(of: node)?.isEvaluated ?? false
    case .aggregate: isConstant = isConstant && predicate.aggregate(of: node)?.isEvaluated ?? false
    case .comparison:
      // A pattern may be valid elsewhere.
      if RulePredicate.Comparison(packed: node.value).op == .matches {
        switch evaluation.prepared.patterns[number] {
        case nil, .failure(.unsupported): isConstant = false
        case .success, .failure(.malformed): break
        }
      }
    case .always, .never, .or, .and, .not, .text, .number, .boolean, .null, .member, .count, .list,
      .index, .firstElement, .lastElement, .elementCount:
      break
    }
    self.isConstant.append(isConstant)
    freeVariables.append(variables)
  }

  private mutating func outcome(of number: Int) -> Outcome? {
    if isConstant[number], freeVariables[number] == 0 { return constantOutcome(of: number) }
    let node = predicate.nodes[number]
    switch node.kind {
    case .and: return outcome(ofParts: node, number, isOr: false)
    case .or: return outcome(ofParts: node, number, isOr: true)
    case .not:
      switch outcome(of: predicate.part(0, of: node)) {
      case .holds: return .never(number, nil)
      case .never(_, nil): return .holds(number)
      // It fails, or is false.
      case .never, nil: return nil
      }
    case .comparison: return outcome(ofCount: node)
    case .always, .never, .text, .number, .boolean, .null, .root, .name, .variable, .member, .count,
      .list, .subquery, .function, .index, .firstElement, .lastElement, .elementCount, .aggregate:
      return nil
    }
  }

  private mutating func constantOutcome(of number: Int) -> Outcome? {
    do throws(EvaluationError) {
      return try evaluation.truth(ofConstant: number, below: level)
        ? .holds(number) : .never(number, nil)
    } catch {
      // All constants share the steps of one evaluation.
      return evaluation.isExhausted ? nil : .never(number, error)
    }
  }

  private mutating func outcome(
    ofParts node: RulePredicate.Node, _ number: Int, isOr: Bool
  ) -> Outcome? {
    var others: [Outcome] = []
    for part in predicate.parts(of: node) {
      guard let outcome = outcome(of: Int(part)) else { continue }
      switch outcome {
      case .holds where isOr: return outcome
      case .never where !isOr: return outcome
      case .holds, .never: others.append(outcome)
      }
    }
    guard others.count == Int(node.partCount) else { return nil }
    guard isOr else { return .holds(number) }
    for case .never(let part, let error?) in others { return .never(part, error) }
    return .never(number, nil)
  }

  /// Of a comparison of a number with the count of a subquery whose condition is never met: this
  /// count is 0, or nothing if there is no collection.
  private mutating func outcome(ofCount node: RulePredicate.Node) -> Outcome? {
    let comparison = RulePredicate.Comparison(packed: node.value)
    let (count, other) = (
      predicate.nodes[predicate.part(0, of: node)], predicate.nodes[predicate.part(1, of: node)]
    )
    guard comparison.modifier == .direct, count.kind == .count, other.kind == .number else {
      return nil
    }
    let subquery = predicate.nodes[predicate.part(0, of: count)]
    guard subquery.kind == .subquery else { return nil }
    let order = RuleNumber.integer(0).order(to: predicate.numbers[Int(other.value)])
    let isMet: Bool
    switch comparison.op {
    case .equal: isMet = order == 0
    case .less: isMet = order < 0
    case .lessOrEqual: isMet = order <= 0
    case .greater: isMet = order > 0
    case .greaterOrEqual: isMet = order >= 0
    // Nothing is not equal to a number.
    case .notEqual, .beginsWith, .endsWith, .contains, .like, .isIn, .between, .conformsTo,
      .typeEquals, .matches:
      return nil
    }
    guard !isMet else { return nil }
    level += 1
    defer { level -= 1 }
    guard case .never(let part, let error) = outcome(of: predicate.part(1, of: subquery)) else {
      return nil
    }
    return .never(part, error)
  }
}
