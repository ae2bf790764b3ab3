/// What a rule says about content, and which of its parts decide.
public struct RuleExplanation: Hashable, Sendable {
  /// What was looked at, in words: a part of the predicate, an attachment, a limit.
  public let text: String
  /// Whether it holds.
  public let isTrue: Bool
  /// Where the part stands in the predicate.
  public let place: TextPlace?
  /// The parts that decide.
  public internal(set) var reasons: [RuleExplanation]

  init(_ text: String, _ isTrue: Bool, at place: TextPlace? = nil, _ reasons: [Self] = []) {
    self.text = text
    self.isTrue = isTrue
    self.place = place
    self.reasons = reasons
  }

  /// The most parts of an explanation, and the most of one part: what follows is left out.
  static let limit = 1000
  static let partLimit = 50
}

extension PreparedRule {
  /// Says why the rule accepts content or does not.
  public func explain(_ content: PreparedContent) -> RuleExplanation {
    switch self {
    case .dictionary(let rule): return rule.explain(content)
    case .predicate(let predicate):
      let verdict: Bool
      do throws(EvaluationError) {
        verdict = try predicate.matches(content)
      } catch {
        return RuleExplanation("cannot be evaluated: \(error.reason)", false, at: error.place)
      }
      var explainer = PredicateExplainer(predicate, content)
      do throws(EvaluationError) {
        return try explainer.explain(predicate.predicate.root)
      } catch {
        // Parts are evaluated again for each part that they belong to.
        return RuleExplanation("too long to explain: \(error.reason)", verdict, at: error.place)
      }
    }
  }
}

/// Goes through a predicate once more, along the parts that decide.
private struct PredicateExplainer {
  private let predicate: RulePredicate
  private let content: PreparedContent
  private var evaluation: PredicateEvaluation
  private let names: ContentNames
  private var count = 0

  init(_ prepared: PreparedPredicate, _ content: PreparedContent) {
    predicate = prepared.predicate
    self.content = content
    evaluation = PredicateEvaluation(of: prepared, on: content)
    names = ContentNames(content)
  }

  private func text(of node: Int) -> String {
    let text = predicate.text(of: node)
    guard text.unicodeScalars.count > 120 else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(117))) + "..."
  }

  mutating func explain(_ number: Int) throws(EvaluationError) -> RuleExplanation {
    count += 1
    let node = predicate.nodes[number]
    let place = predicate.place(of: number)
    switch node.kind {
    case .or, .and: return try explainChoice(number, isOr: node.kind == .or, at: place)
    case .not:
      let inner = try explain(predicate.part(0, of: node))
      return RuleExplanation("NOT", !inner.isTrue, at: place, [inner])
    case .comparison: return try explainComparison(number, at: place)
    default: return RuleExplanation(text(of: number), try evaluation.truth(of: number), at: place)
    }
  }

  private mutating func explainChoice(
    _ number: Int, isOr: Bool, at place: TextPlace
  ) throws(EvaluationError) -> RuleExplanation {
    let parts = predicate.parts(of: predicate.nodes[number]).map { Int($0) }
    // Of those that decide the first, otherwise all.
    for part in parts where try evaluation.truth(of: part) == isOr {
      let words = isOr ? "one of \(parts.count) alternatives" : "one of \(parts.count) conditions"
      return RuleExplanation(
        isOr ? "\(words) holds" : "\(words) does not hold", isOr, at: place, [try explain(part)])
    }
    var reasons: [RuleExplanation] = []
    for part in parts.prefix(RuleExplanation.partLimit) where count < RuleExplanation.limit {
      reasons.append(try explain(part))
    }
    add(parts.count - reasons.count, to: &reasons, isTrue: !isOr)
    let words =
      isOr
      ? "none of \(parts.count) alternatives holds" : "all \(parts.count) conditions hold"
    return RuleExplanation(words, !isOr, at: place, reasons)
  }

  private func add(_ rest: Int, to reasons: inout [RuleExplanation], isTrue: Bool) {
    if rest > 0 { reasons.append(RuleExplanation("and \(rest) more", isTrue)) }
  }

  private mutating func explainComparison(
    _ number: Int, at place: TextPlace
  ) throws(EvaluationError) -> RuleExplanation {
    let node = predicate.nodes[number]
    let isTrue = try evaluation.truth(of: number)
    var words = text(of: number)
    var reasons: [RuleExplanation] = []
    for side in [predicate.part(0, of: node), predicate.part(1, of: node)] {
      switch predicate.nodes[side].kind {
      case .text, .number, .boolean, .null: continue
      default: break
      }
      if let found = try described(side) { words += "; \(name(of: side)) is \(found)" }
      if let subquery = subquery(in: side) { reasons += try explainElements(of: subquery) }
    }
    return RuleExplanation(words, isTrue, at: place, reasons)
  }

  /// The text of a value where that is short: the comparison with all of it stands before.
  private func name(of side: Int) -> String {
    let text = text(of: side)
    guard text.unicodeScalars.count > 60 else { return text }
    return predicate.nodes[side].kind == .count ? "the count" : "the value"
  }

  /// The subquery that a value is, or that its count is of.
  private func subquery(in side: Int) -> Int? {
    let node = predicate.nodes[side]
    switch node.kind {
    case .subquery: return side
    case .count:
      let inner = predicate.part(0, of: node)
      return predicate.nodes[inner].kind == .subquery ? inner : nil
    default: return nil
    }
  }

  /// A value in words; `nil` for what is no more than its text says.
  private mutating func described(_ side: Int) throws(EvaluationError) -> String? {
    switch try evaluation.value(of: side) {
    case .null: return "nothing"
    case .boolean(let value): return value ? "TRUE" : "FALSE"
    case .number(let number): return number.words
    case .text(let text): return Self.shortened(evaluation.string(text))
    case .node(let place): return names.elements(of: place)
    case .list(let elements):
      return elements.count == 1 ? "1 element" : "\(elements.count) elements"
    }
  }

  private static func shortened(_ text: String) -> String {
    let start = text.unicodeScalars.prefix(60)
    return "\"" + String(String.UnicodeScalarView(start))
      + (start.count < text.unicodeScalars.count ? "...\"" : "\"")
  }

  private mutating func explainElements(
    of subquery: Int
  ) throws(EvaluationError) -> [RuleExplanation] {
    let node = predicate.nodes[subquery]
    let condition = predicate.part(1, of: node)
    let elements = try evaluation.allElements(of: predicate.part(0, of: node))
    var reasons: [RuleExplanation] = []
    evaluation.variables.append(.null)
    for element in elements.prefix(RuleExplanation.partLimit) where count < RuleExplanation.limit {
      evaluation.variables[evaluation.variables.count - 1] = element
      let reason = try explain(condition)
      count += 1
      var name = "an element"
      switch element {
      case .node(let place): name = names.name(of: place)
      case .text(let text): name = Self.shortened(evaluation.string(text))
      default: break
      }
      reasons.append(RuleExplanation(name, reason.isTrue, [reason]))
    }
    evaluation.variables.removeLast()
    add(elements.count - reasons.count, to: &reasons, isTrue: false)
    return reasons
  }
}

/// What the parts of content are called.
private struct ContentNames {
  private let content: PreparedContent
  private var names: [Int32: String] = [:]

  init(_ content: PreparedContent) {
    self.content = content
    let items = content.nodes[Int(content.nodes[0].first)]
    let hasOneItem = items.count == 1
    names[content.nodes[0].first] = Self.amount(Int(items.count), "item")
    for number in 0..<items.count {
      let item = content.nodes[Int(items.first + number)]
      names[items.first + number] = "item \(number + 1)"
      let attachments = content.nodes[Int(item.first)]
      for place in 0..<attachments.count {
        let attachment = content.nodes[Int(attachments.first + place)]
        let types = content.nodes[Int(attachment.first)]
        let lead = hasOneItem ? "" : "item \(number + 1), "
        let list = Self.list(types, content)
        names[attachments.first + place] =
          "\(lead)attachment \(place + 1)\(list.isEmpty ? "" : " (\(list))")"
        names[attachment.first] = list.isEmpty ? "empty" : list
      }
    }
  }

  static func amount(_ count: Int, _ word: String) -> String {
    "\(count) \(word)\(count == 1 ? "" : "s")"
  }

  private static func list(_ types: PreparedContent.Node, _ content: PreparedContent) -> String {
    let shown = content.nodes[Int(types.first)..<Int(types.first + types.count)].prefix(10)
    return shown.map { content.texts[Int($0.first)] }.joined(separator: ", ")
      + (types.count > 10 ? ", ..." : "")
  }

  func name(of place: Int32) -> String { names[place] ?? "an element" }

  func elements(of place: Int32) -> String {
    names[place] ?? Self.amount(Int(content.nodes[Int(place)].count), "element")
  }
}

extension DictionaryRule {
  /// Says why the rule accepts content or does not: what decides first, then each attachment.
  fileprivate func explain(_ content: PreparedContent) -> RuleExplanation {
    let step = decide(content.classes)
    let hasOneItem = content.content.items.count == 1
    var reasons: [RuleExplanation] = []
    var attachments: [(name: String, types: [String])] = []
    for (number, item) in content.content.items.enumerated() {
      for (place, attachment) in item.attachments.enumerated() {
        let lead = hasOneItem ? "" : "item \(number + 1), "
        attachments.append(
          ("\(lead)attachment \(place + 1)", attachment.registeredTypeIdentifiers))
      }
    }
    for ((name, types), classes) in zip(attachments, content.classes)
      .prefix(RuleExplanation.partLimit)
    {
      let isAccepted = !classes.isDisjoint(with: accepted)
      let kinds = classes.all.map(\.name)
      let what = kinds.isEmpty ? "of no class" : kinds.joined(separator: ", ")
      let key = classes.all.first { accepted.contains($0) == isAccepted }.map { one in
        switch (isAccepted, limit(of: one)) {
        case (_, let limit?): "; \(one.key) is \(limit)"
        case (true, nil): "; \(Self.maximumKey) accepts files, images and movies"
        case (false, nil): "; \(one.key) is not there"
        }
      }
      reasons.append(
        RuleExplanation(
          "\(name) (\(types.joined(separator: ", "))): \(what)\(key ?? "")", isAccepted))
    }
    let rest = attachments.count - reasons.count
    if rest > 0 { reasons.append(RuleExplanation("and \(rest) more attachments", false)) }
    let names = attachments.map(\.name)
    return RuleExplanation(words(for: step, names), step == .accepted, reasons)
  }

  private func words(for step: Step, _ names: [String]) -> String {
    switch step {
    case .nothingIsAccepted: "no key of the rule accepts anything"
    case .tooMany(let one, let count): "\(count) of \(one.key), which is \(limit(of: one) ?? 0)"
    case .moreThanMaximum(let count):
      "\(count) images, movies and files; \(Self.maximumKey) is \(maximum ?? 0)"
    case .fewerThanMinimum(let count):
      "\(count) images, movies and files; \(Self.minimumKey) is \(minimum ?? 0)"
    case .noneAccepted: "no attachment is accepted"
    case .notAccepted(let number):
      "\(names[number]) is not accepted, and the rule is strict: "
        + (version < 2 ? "its version is 1" : "\(Self.strictKey) is set")
    case .refused(let number): "\(names[number]) is refused by a limit of 0"
    case .accepted:
      isStrict ? "every attachment is accepted" : "some attachment is accepted, and none refused"
    }
  }
}
