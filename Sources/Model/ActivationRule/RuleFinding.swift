internal import BinaryPropertyList
public import UniformType

/// A flaw of an activation rule, as `lint` tells it.
public struct RuleFinding: Hashable, Sendable {
  /// What kind of flaw, by the name that users see.
  public enum Code: String, CaseIterable, Sendable {
    case parse = "E-parse"
    case truePredicate = "E-truepredicate"
    case unknownPublicType = "E-unknown-public-uti"
    case unknownKey = "E-unknown-key"
    case never = "E-never"
    case pattern = "E-pattern"
    case vacuous = "W-vacuous-empty-item"
    case acceptsUnrelated = "W-accepts-unrelated-type"
    case urlSwallowsFiles = "W-url-swallows-files"
    case mixedAndOr = "W-mixed-and-or"
    case notEvaluated = "W-not-evaluated"
    case hidesOnMixedItems = "W-strict-v1-hides-on-mixed-items"
    case countAsBoolean = "W-count-as-bool"
    case versionOutside = "W-version-outside-dict"
    case redundant = "I-redundant"
    case singleItemOnly = "I-single-item-only"

    /// What the flaw is, in a sentence for any rule.
    public var meaning: String {
      switch self {
      case .parse: "The rule cannot be read, and the extension is never offered."
      case .truePredicate:
        "A condition that always holds offers the extension for everything; Apple rejects"
          + " TRUEPREDICATE on submission."
      case .unknownPublicType:
        "The identifier begins with public., but no type of the system has it."
      case .unknownKey: "The key has no meaning in an activation rule."
      case .never: "The rule accepts nothing, so the extension is never offered."
      case .pattern:
        "MATCHES has an invalid regular expression, so nothing matches."
      case .vacuous: "The rule accepts an item without attachments."
      case .acceptsUnrelated:
        "The rule accepts a type that it does not mention: a count of at most n is met by 0 as well."
      case .urlSwallowsFiles:
        "Every file is a public.url: the rule accepts all files, since it does not leave out"
          + " public.file-url."
      case .mixedAndOr: "AND binds more tightly than OR: parentheses would show what is meant."
      case .notEvaluated:
        "The part is valid in NSPredicate, but not evaluated here: docsource never offers the"
          + " extension, and does not test the rest of the rule."
      case .hidesOnMixedItems:
        "A strict rule accepts a URL or a text alone, but not both together, as many apps share them."
      case .countAsBoolean: "A truth value as a count stands for 1 or 0."
      case .versionOutside: "The key has an effect only inside the rule's dictionary."
      case .redundant: "The type is below another one that is accepted as well."
      case .singleItemOnly: "The rule ends with a count of exactly one item and refuses several."
      }
    }

    public var severity: Severity {
      switch rawValue.utf8.first {
      case UInt8(ascii: "E"): .error
      case UInt8(ascii: "W"): .warning
      default: .note
      }
    }
  }

  public enum Severity: String, Sendable {
    case error, warning, note
  }

  /// Where a flaw is.
  public enum Place: Hashable, Sendable {
    /// In the text of the predicate.
    case text(TextPlace)
    /// At a key of the dictionary, or beside it.
    case key(String)
    /// The rule as a whole.
    case rule
  }

  public let code: Code
  /// The type, types or key that the finding is about.
  public let detail: String?
  /// What is wrong here, in words.
  public let message: String
  public let place: Place

  /// The code and the detail: `E-unknown-key:NSExtensionActivationRule`.
  public var name: String { detail.map { "\(code.rawValue):\($0)" } ?? code.rawValue }
}

extension FoundRule {
  /// All flaws of the rule, those of a predicate in the order of their places.
  public func findings(in tree: TypeTree = .builtIn) -> [RuleFinding] {
    let rule: ActivationRule
    do throws(ActivationRule.Failure) {
      rule = try ActivationRule(value)
    } catch {
      let place: RuleFinding.Place =
        if case .syntax(let error) = error { .text(error.place) } else { .rule }
      let words = if case .syntax(let error) = error { error.reason } else { error.description }
      return [RuleFinding(code: .parse, detail: nil, message: words, place: place)]
    }
    switch rule {
    case .predicate(let predicate):
      var lint = PredicateLint(predicate, tree)
      return lint.findings() + misplaced
    case .dictionary(let dictionary): return dictionary.findings(in: tree) + misplaced
    }
  }

  private var misplaced: [RuleFinding] {
    misplacedKeys.map { key in
      RuleFinding(
        code: .versionOutside, detail: key,
        message: "\(key) stands outside the rule and has no effect", place: .key(key))
    }
  }
}

/// Content that the behaviour of rules is tried on.
private enum Probe {
  static let emptyItem = SharedContent([])
  static let unrelated = SharedContent([["com.example.docsource.unrelated"]])
  static let archive = SharedContent([["public.zip-archive"]])
  static let archiveFile = SharedContent([["public.zip-archive", "public.file-url"]])
  static let text = SharedContent([["public.plain-text"]])
  static let url = SharedContent([["public.url"]])
  static let urlAndText = SharedContent([["public.url"], ["public.plain-text"]])
  static let ordinary = [
    text, url, urlAndText, archiveFile, SharedContent([["public.jpeg"]]),
    SharedContent([["public.mpeg-4"]]), SharedContent([["com.adobe.pdf", "public.file-url"]]),
    SharedContent([["public.url", "com.apple.active-webpage"]]),
  ]
}

extension PreparedRule {
  /// Whether content is accepted; not where there is no answer.
  fileprivate func accepts(_ content: SharedContent, _ tree: TypeTree) -> Bool {
    (try? matches(PreparedContent(content, in: tree))) ?? false
  }
}

extension DictionaryRule {
  fileprivate func findings(in tree: TypeTree) -> [RuleFinding] {
    var findings: [RuleFinding] = []
    func add(_ code: RuleFinding.Code, _ key: String, _ message: String) {
      findings.append(
        RuleFinding(code: code, detail: key, message: message, place: .key(key)))
    }
    for entry in dictionary.entries {
      let key = entry.key
      guard Self.knownKeys.contains(key) else {
        add(.unknownKey, key, "\(key) is no key of an activation rule and has no effect")
        continue
      }
      let isTruth = key == Self.strictKey || key == AttachmentClass.text.key
      if !isTruth, case .boolean(let value) = entry.value {
        add(.countAsBoolean, key, "\(key) is \(value), which counts as \(value ? 1 : 0)")
      }
    }
    let contradicts = maximum ?? 0 > 0 && minimum ?? 0 > maximum ?? 0
    if accepted.isEmpty || contradicts {
      let reason =
        contradicts
        ? "at least \(minimum ?? 0) and at most \(maximum ?? 0) attachments are asked for"
        : "no key accepts anything"
      findings.append(
        RuleFinding(
          code: .never, detail: nil, message: "the extension is never offered: \(reason)",
          place: contradicts ? .key(Self.minimumKey) : .rule))
      return findings
    }
    let rule = PreparedRule.dictionary(self)
    if isStrict, rule.accepts(Probe.text, tree) || rule.accepts(Probe.url, tree),
      !rule.accepts(Probe.urlAndText, tree)
    {
      findings.append(
        RuleFinding(
          code: .hidesOnMixedItems, detail: nil,
          message: "a URL or a text alone is accepted, but not both together; "
            + (version < 2
              ? "\(Self.versionKey) 2 would accept them"
              : "without \(Self.strictKey) they would be"),
          place: .rule))
    }
    return findings
  }
}

/// Looks for flaws of a predicate.
private struct PredicateLint {
  private let predicate: RulePredicate
  private let tree: TypeTree
  private let prepared: PreparedPredicate
  private let rule: PreparedRule
  private var found: [(offset: Int32, code: RuleFinding.Code, detail: String?, message: String)] =
    []

  init(_ predicate: RulePredicate, _ tree: TypeTree) {
    self.predicate = predicate
    self.tree = tree
    prepared = PreparedPredicate(predicate, in: tree)
    rule = .predicate(prepared)
  }

  private mutating func add(
    _ code: RuleFinding.Code, at node: Int, about detail: String? = nil, _ message: String
  ) {
    found.append((predicate.nodes[node].offset, code, detail, message))
  }

  mutating func findings() -> [RuleFinding] {
    examineParts()
    examineEnd()
    for part in predicate.unevaluated {
      add(.notEvaluated, at: Int(part), predicate.unevaluatedReason(Int(part)))
    }
    var isEvaluated = predicate.unevaluated.isEmpty
    predicate.readPatterns { number, pattern in
      guard case .failure(let failure) = pattern else { return }
      switch failure {
      case .unsupported:
        isEvaluated = false
        add(.notEvaluated, at: number, failure.reason)
      case .malformed: add(.pattern, at: number, failure.reason)
      }
    }
    let outcome = PredicateConstants.outcome(of: prepared)
    if case .never(let part, let error) = outcome {
      let reason = error.map(\.reason) ?? "the condition is always false"
      let offset = error.map { Int32($0.place.offset) } ?? predicate.nodes[part].offset
      let isWhole = predicate.nodes[predicate.root].kind == .never
      found.append(
        (offset, .never, nil, isWhole ? "nothing is accepted" : "nothing is accepted: \(reason)"))
    } else if isEvaluated {
      examineBehaviour(outcome)
    }
    found.sort { ($0.offset, $0.code.rawValue) < ($1.offset, $1.code.rawValue) }
    // All places in one pass over the text.
    var places = TextPlaces(predicate.text)
    return found.map { one in
      RuleFinding(
        code: one.code, detail: one.detail, message: one.message,
        place: .text(places.next(Int(one.offset))))
    }
  }

  /// The type that a comparison asks for, and the part that names it.
  private func type(in node: RulePredicate.Node, _ operators: [RulePredicate.Operator]) -> Int? {
    guard node.kind == .comparison,
      operators.contains(RulePredicate.Comparison(packed: node.value).op)
    else { return nil }
    let right = predicate.part(1, of: node)
    return predicate.nodes[right].kind == .text ? right : nil
  }

  private func text(_ node: Int) -> String { predicate.texts[Int(predicate.nodes[node].value)] }

  private mutating func examineParts() {
    for (number, node) in predicate.nodes.enumerated() {
      if let type = type(in: node, [.conformsTo, .typeEquals]) {
        let name = text(type)
        if name.lowercasedASCII.utf8.starts(with: "public.".utf8), !tree.contains(name) {
          add(.unknownPublicType, at: type, about: name, "no type is called \(name)")
        }
      }
      guard node.kind == .or else { continue }
      examineAlternatives(node)
      let conjunction = predicate.parts(of: node).first { part in
        predicate.nodes[Int(part)].kind == .and && !predicate.nodes[Int(part)].isGrouped
      }
      if conjunction != nil {
        add(.mixedAndOr, at: number, "AND and OR stand beside each other without parentheses")
      }
    }
  }

  /// Alternatives that ask the same value for a type and for one above it.
  private mutating func examineAlternatives(_ node: RulePredicate.Node) {
    var groups: [String: [(type: Int, code: TypeTree.Code)]] = [:]
    for part in predicate.parts(of: node) {
      let comparison = predicate.nodes[Int(part)]
      guard let type = type(in: comparison, [.conformsTo]), let code = tree.code(of: text(type))
      else { continue }
      let modifier = RulePredicate.Comparison(packed: comparison.value).modifier
      // Neither of ALL and NONE is met by more where the type is above.
      guard modifier == .any || modifier == .direct else { continue }
      let value = predicate.text(of: predicate.part(0, of: comparison))
      groups["\(modifier.text)\(value)", default: []].append((type, code))
    }
    for group in groups.values {
      let names = Dictionary(group.map { ($0.code, $0.type) }) { first, _ in first }
      for (type, code) in group {
        for ancestor in tree.ancestors(of: code) {
          guard let wider = names[ancestor] else { continue }
          add(
            .redundant, at: type, about: "\(text(type))<\(text(wider))",
            "\(text(type)) is a \(text(wider)), which is accepted as well")
        }
      }
    }
  }

  /// Whether the rule ends, outside parentheses, with a count of exactly one item.
  private mutating func examineEnd() {
    var last = predicate.root
    while !predicate.nodes[last].isGrouped,
      [.or, .and].contains(predicate.nodes[last].kind),
      let part = predicate.parts(of: predicate.nodes[last]).last
    {
      last = Int(part)
    }
    let node = predicate.nodes[last]
    guard node.kind == .comparison, !node.isGrouped,
      RulePredicate.Comparison(packed: node.value) == RulePredicate.Comparison(.equal, .direct)
    else { return }
    let (left, right) = (predicate.part(0, of: node), predicate.nodes[predicate.part(1, of: node)])
    guard predicate.nodes[left].kind == .count, right.kind == .number,
      predicate.numbers[Int(right.value)].isEqual(to: .integer(1))
    else { return }
    let subquery = predicate.nodes[predicate.part(0, of: predicate.nodes[left])]
    guard subquery.kind == .subquery else { return }
    let collection = predicate.nodes[predicate.part(0, of: subquery)]
    guard collection.kind == .name, collection.value == PathKey.extensionItems.rawValue else {
      return
    }
    add(.singleItemOnly, at: last, "exactly one item has to match, so that several never do")
  }

  private mutating func examineBehaviour(_ outcome: PredicateConstants.Outcome?) {
    let root = predicate.root
    if let error = evaluationError {
      found.append(
        (Int32(error.place.offset), .never, nil, "nothing is accepted: \(error.reason)"))
      return
    }
    if predicate.nodes[root].kind == .always {
      add(.truePredicate, at: root, "everything is accepted; Apple rejects this on submission")
    } else if case .holds(let part) = outcome, rule.accepts(Probe.unrelated, tree) {
      add(.truePredicate, at: part, "everything is accepted: the condition is always true")
    } else {
      if rule.accepts(Probe.unrelated, tree) {
        add(
          .acceptsUnrelated, at: firstUpperBound ?? root,
          "a type that the rule does not mention is accepted"
            + (firstUpperBound == nil ? "" : ": a count of 0 is within the limit as well"))
      }
      examineURLs()
    }
    if rule.accepts(Probe.emptyItem, tree) {
      add(
        .vacuous, at: firstAttachmentCount ?? root, "an item without attachments is accepted")
    }
  }

  /// Why no usual content can be evaluated; `nil` if some can.
  private var evaluationError: EvaluationError? {
    var first: EvaluationError?
    for probe in Probe.ordinary {
      guard let content = try? PreparedContent(probe, in: tree) else { return nil }
      do throws(EvaluationError) {
        _ = try rule.matches(content)
        return nil
      } catch {
        if first == nil { first = error }
      }
    }
    return first
  }

  /// The first count that has an upper bound only.
  private var firstUpperBound: Int? {
    predicate.nodes.indices.first { number in
      let node = predicate.nodes[number]
      guard node.kind == .comparison else { return false }
      let op = RulePredicate.Comparison(packed: node.value).op
      return (op == .lessOrEqual || op == .less)
        && predicate.nodes[predicate.part(0, of: node)].kind == .count
    }
  }

  /// The first comparison of a count with the number of attachments.
  private var firstAttachmentCount: Int? {
    predicate.nodes.indices.first { number in
      let node = predicate.nodes[number]
      guard node.kind == .comparison else { return false }
      let right = predicate.nodes[predicate.part(1, of: node)]
      guard right.kind == .count else { return false }
      let counted = predicate.nodes[predicate.part(0, of: right)]
      return counted.kind == .member && counted.value == PathKey.attachments.rawValue
    }
  }

  private mutating func examineURLs() {
    var url: Int?
    for node in predicate.nodes {
      guard let type = type(in: node, [.conformsTo, .typeEquals]) else { continue }
      let name = text(type).lowercasedASCII
      // Who names files decides about them. What password managers hand to each other is no document.
      if name == "public.file-url" || name.utf8.starts(with: "org.appextension.".utf8) { return }
      if name == "public.url", url == nil,
        RulePredicate.Comparison(packed: node.value).op == .conformsTo
      {
        url = type
      }
    }
    guard let url, rule.accepts(Probe.archiveFile, tree), !rule.accepts(Probe.archive, tree) else {
      return
    }
    add(.urlSwallowsFiles, at: url, "every file is a public.url, and so all files are accepted")
  }
}

/// Finds the lines and columns of places that are asked for in their order.
private struct TextPlaces {
  private let bytes: [UInt8]
  private var last = TextPlace(offset: 0, line: 1, column: 1)

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func next(_ offset: Int) -> TextPlace {
    let between = TextPlace(offset: offset - last.offset, in: Array(bytes[last.offset..<offset]))
    // A line end of two bytes that a place stands in the middle of does not occur: no part begins there.
    last = TextPlace(
      offset: offset, line: last.line + between.line - 1,
      column: between.line == 1 ? last.column + between.column - 1 : between.column)
    return last
  }
}
