import ActivationRule
import CommandLineInterface
import LinuxSystem
import TextFormats
import UniformType

/// `docsource rule`: activation rules of app extensions, and uniform types.
enum RuleCommand: Command {
  static let verb = "rule"
  static var members: [any Command.Type] {
    [
      RuleMatchCommand.self, RuleExplainCommand.self, RuleLintCommand.self,
      RuleFormatCommand.self, RuleTypeCommand.self,
    ]
  }

  static let declaration = CommandDeclaration(
    name: verb, summary: "test and check activation rules of app extensions",
    operands: "[RULE] [FILE...]",
    members: members.map { $0.declaration },
    examples: ["docsource rule lint Info.plist", "docsource rule match Info.plist photo.jpg"],
    manual: ManualText(Manual.rule))

  /// The predicate of the command line, in place of a RULE.
  static let expression = OptionDeclaration(
    "expression", short: "e", value: "PREDICATE", help: "use PREDICATE as the rule, not RULE")

  /// A rule that was found, and what was read of it.
  private struct ReadRule {
    let named: NamedRule
    let rule: Result<ActivationRule, ActivationRule.Failure>
  }

  /// The rules that a command line names and the content that they are held against.
  ///
  /// - Parameter showsTypes: whether the types of files are wanted also where no rule depends on them.
  /// - Returns: `nil` after saying what cannot be read.
  private static func rulesAndContent(
    _ arguments: Arguments, showsTypes: Bool, _ console: Console
  ) throws(UsageError) -> (rules: [ReadRule], content: RuleContent)? {
    var operands = arguments.operands[...]
    let predicate = try arguments.text(expression)
    let rule = predicate == nil ? operands.popFirst() : nil
    guard predicate != nil || rule != nil else {
      throw UsageError("no rule given; use RULE or -e PREDICATE")
    }
    guard let content = try RuleContent.given(by: operands, arguments, console),
      let named = RuleSource.rules(rule.map { [$0] } ?? [], predicate: predicate, console)
    else { return nil }
    let rules = named.map { rule in
      ReadRule(
        named: rule,
        rule: Result { () throws(ActivationRule.Failure) in try ActivationRule(rule.found.value) })
    }
    let dependOnTypes = rules.contains { (try? $0.rule.get())?.dependsOnTypes ?? false }
    guard showsTypes || dependOnTypes else { return (rules, content) }
    return content.detectingTypes(console).map { (rules, $0) }
  }

  /// Tells of each rule of the command line whether it is offered for the content.
  ///
  /// - Parameters:
  ///   - showsTypes: whether the types of files are wanted also where no rule depends on them.
  ///   - holds: tells of one rule, and returns whether it matches.
  static func answer(
    _ arguments: Arguments, showsTypes: Bool, _ console: Console,
    _ holds: (NamedRule, PreparedRule, PreparedContent) -> Bool
  ) throws(UsageError) -> ExitStatus {
    guard
      let (rules, content) = try rulesAndContent(
        arguments, showsTypes: showsTypes, console),
      let types = DeclaredTypes(arguments, console)
    else { return .failed }
    var status = ExitStatus.negative
    for rule in rules {
      let named = rule.named
      let tree = types.tree(adding: named.declarations)
      guard let content = content.prepared(in: tree, console) else { return .failed }
      switch rule.rule {
      case .success(let rule):
        if holds(named, PreparedRule(rule, in: tree), content) { status = .done }
      case .failure(let reason):
        console.fail(named.name[...], "cannot read the rule: \(reason)")
        return .failed
      }
    }
    return status
  }

  /// Works on the rules of one operand after the other, so that one that fails does not stop the rest.
  ///
  /// - Parameters:
  ///   - passOver: what is done about an operand without a rule; `nil` if that is a failure.
  ///   - work: on one rule.
  static func forEachRule(
    _ arguments: Arguments, _ console: Console,
    passingOver passOver: ((ArraySlice<UInt8>) -> Void)? = nil,
    _ work: (NamedRule) -> ExitStatus
  ) throws(UsageError) -> ExitStatus {
    let predicate = try arguments.text(expression)
    guard predicate == nil || arguments.operands.isEmpty else {
      throw UsageError("--expression takes the place of RULE")
    }
    let operands = arguments.operands.isEmpty ? [[]] : arguments.operands.map { [$0] }
    return operands.reduce(.done) { status, operand in
      guard
        let rules = RuleSource.rules(
          operand, predicate: predicate, console, passingOver: passOver)
      else { return .failed }
      return rules.reduce(status) { $0.combined(with: work($1)) }
    }
  }
}

/// `docsource rule match`: tells whether content matches a rule.
enum RuleMatchCommand: Command {
  private static let json = ShowCommand.json
  private static let quiet = OptionDeclaration(
    "quiet", short: "q", help: "print nothing; only set the exit status")

  static let answerOfFailure: JSONFields? = ["matches": .null]
  static let readsStandardInput = true

  static let verb = "match"
  static let declaration = CommandDeclaration(
    name: "rule match", summary: "check whether files match an activation rule",
    operands: "RULE [FILE...]",
    details: """
      Prints for each extension of RULE whether it is offered for all of the files together. With -e,
      all operands are files.
      """,
    options: [RuleCommand.expression] + RuleContent.options + [json, quiet],
    examples: [
      "docsource rule match Demo.app photo.jpg notes.txt",
      "docsource rule match Info.plist --as=url",
    ],
    manual: ManualText(Manual.ruleMatch))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    try RuleCommand.answer(arguments, showsTypes: false, console) { named, rule, content in
      var reason: String?
      var matches = false
      do throws(EvaluationError) {
        matches = try rule.matches(content)
      } catch {
        reason = "cannot be evaluated: \(error)"
        console.report(named.name[...], EscapedText("cannot be evaluated: \(error)").description)
      }
      if arguments.has(json) {
        console.write(named.fields + ["matches": .flag(matches), "reason": .text(reason)])
      } else if !arguments.has(quiet) {
        console.output.writeLine(
          "\(EscapedText(named.name)): \(matches ? "matches" : "does not match")")
      }
      return matches
    }
  }
}

/// `docsource rule explain`: tells which part of a rule decides.
enum RuleExplainCommand: Command {
  private static let json = ShowCommand.json

  static let answerOfFailure: JSONFields? = ["matches": .null]
  static let readsStandardInput = true

  static let verb = "explain"
  static let declaration = CommandDeclaration(
    name: "rule explain", summary: "show which parts of an activation rule decide",
    operands: "RULE [FILE...]",
    details: """
      Prints for each extension of RULE whether it is offered for the files, and the parts of the
      rule that decide, each with the attachment it was tested against.
      """,
    options: [RuleCommand.expression] + RuleContent.options + [json],
    examples: [
      "docsource rule explain Info.plist photo.jpg",
      "docsource rule explain -e 'extensionItems.@count == 1' photo.jpg",
    ],
    manual: ManualText(Manual.ruleExplain))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    try RuleCommand.answer(arguments, showsTypes: true, console) { named, rule, content in
      let explanation = rule.explain(content)
      if arguments.has(json) {
        console.write(
          named.fields + [
            "matches": .flag(explanation.isTrue), "explanation": .object(object(explanation)),
          ])
      } else {
        console.output.writeLine(
          "\(EscapedText(named.name)): \(explanation.isTrue ? "matches" : "does not match")")
        write(explanation, level: 1, console)
      }
      return explanation.isTrue
    }
  }

  private static func write(_ explanation: RuleExplanation, level: Int, _ console: Console) {
    let indent = String(repeating: "  ", count: level)
    let place = explanation.place.map { " (\($0.line):\($0.column))" } ?? ""
    console.output.writeLine(
      "\(indent)\(explanation.isTrue ? "yes" : "no ")  \(EscapedText(explanation.text))\(place)")
    for reason in explanation.reasons { write(reason, level: level + 1, console) }
  }

  private static func object(_ explanation: RuleExplanation) -> JSONFields {
    let reasons = explanation.reasons.map(object)
    return [
      "text": .text(explanation.text), "holds": .flag(explanation.isTrue),
      "line": .number(explanation.place?.line), "column": .number(explanation.place?.column),
      "reasons": reasons.isEmpty ? nil : .objects(reasons),
    ]
  }
}

extension NamedRule {
  /// The members of an object that say where a rule is.
  var fields: JSONFields {
    [
      "file": .path(file), "entry": .path(entry?[...]), "identifier": .text(found.identifier),
      "extensionPoint": .text(found.extensionPoint),
    ]
  }
}
