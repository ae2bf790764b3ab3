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
    name: verb, summary: "test and check activation rules of app extensions", operands: "RULE",
    members: members.map { $0.declaration },
    examples: ["docsource rule lint Info.plist", "docsource rule match Info.plist photo.jpg"],
    manual: manual)

  /// The predicate of the command line, in place of a RULE.
  static let expression = OptionDeclaration(
    "expression", short: "e", value: "PREDICATE", help: "use PREDICATE as the rule, not RULE")

  /// The rules that a command line names and the content that they are held against.
  ///
  /// - Returns: `nil` after saying what cannot be read.
  private static func rulesAndContent(
    _ arguments: Arguments, _ console: Console
  ) throws(UsageError) -> (rules: [NamedRule], content: RuleContent)? {
    var operands = arguments.operands[...]
    let predicate = try arguments.text(expression)
    let rule = predicate == nil ? operands.popFirst() : nil
    guard predicate != nil || rule != nil else {
      throw UsageError("no rule given; use RULE or -e PREDICATE")
    }
    guard let content = try RuleContent.given(by: operands, arguments, console),
      let rules = RuleSource.rules(rule.map { [$0] } ?? [], predicate: predicate, console)
    else { return nil }
    return (rules, content)
  }

  /// Tells of each rule of the command line whether it is offered for the content.
  ///
  /// - Parameter holds: tells of one rule, and returns whether it matches.
  static func answer(
    _ arguments: Arguments, _ console: Console,
    _ holds: (NamedRule, PreparedRule, PreparedContent) -> Bool
  ) throws(UsageError) -> ExitStatus {
    guard let (rules, content) = try rulesAndContent(arguments, console),
      let types = DeclaredTypes(arguments, console)
    else { return .failed }
    var status = ExitStatus.noSource
    for rule in rules {
      let tree = types.tree(adding: rule.declarations)
      guard let content = content.prepared(in: tree, console) else { return .failed }
      let read: ActivationRule
      do throws(ActivationRule.Failure) {
        read = try ActivationRule(rule.found.value)
      } catch {
        console.fail(rule.name[...], "cannot read the rule: \(error)")
        return .failed
      }
      if holds(rule, PreparedRule(read, in: tree), content) { status = .done }
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

  private static let manual = ManualText(
    """
    Share and action extensions of iOS and macOS say with an activation rule for which content they
    are offered. The rule is in the extension's Info.plist, at NSExtension, NSExtensionAttributes,
    NSExtensionActivationRule: a dictionary of limits, such as NSExtensionActivationSupportsText, or
    a predicate in the language of NSPredicate.

    RULE is an Info.plist or any property list with a rule, in XML, binary, OpenStep's form or JSON; a
    property list that is a rule itself; the bundle of an extension or an app, FILE.appex or FILE.app,
    with all extensions in its PlugIns; an app's archive, FILE.ipa; or - for standard input. -e gives
    a predicate instead. The types that such an Info.plist declares are known to its rule.

    Predicates are evaluated as NSPredicate does, with the built-in tree of types. Apple has not
    published how dictionaries are evaluated; docsource uses a definition of its own. An attachment
    is an image, a movie, or any of web page, web URL, text and file. It is accepted if one of its
    classes has a limit above 0; images, movies and files also if
    NSExtensionActivationSupportsAttachmentsWithMaxCount is above 0. No limit may be exceeded. In
    version 1, and with NSExtensionActivationUsesStrictMatching, every attachment must be accepted;
    otherwise one is enough, if none is refused by an explicit 0. AttachmentsWithMaxCount and
    AttachmentsWithMinCount count images, movies and files, so that a minimum of 1 refuses text. A
    dictionary with AttachmentsWithMinCount alone accepts nothing, since it has no limit above 0.

    On iOS, entitlements keep an extension apart from other programs. Here, a rule decides only what
    is offered: programs are kept apart by the permissions of files, as docsource-item-container(1)
    says.
    """,
    exitStatus: [.noSource: ""], sections: [predicates, context],
    seeAlso: ["docsource-find(1)"])

  private static let predicates = ManualText.Section(
    "PREDICATES",
    """
    Conditions are TRUEPREDICATE, FALSEPREDICATE and comparisons, combined by NOT (!), AND (&&) and
    OR (||), in this order of precedence, and by parentheses. A comparison has two values around
    one of ==, !=, <, <=, >, >=, BEGINSWITH, ENDSWITH, CONTAINS, LIKE, MATCHES, IN, BETWEEN,
    UTI-EQUALS and UTI-CONFORMS-TO; ANY, SOME, ALL or NONE before it compares each element of the first value.
    Operators on text take [c] to ignore case and [d] to ignore diacritics of Latin letters.

    Values are texts in quotes, numbers, also as 0x1F, 0o17 or 0b11, in any of these forms a real number
    if it is beyond the integers of 64 bits, TRUE, FALSE, NULL, lists in
    braces, SELF, a key of the content, a variable, SUBQUERY(COLLECTION, $VARIABLE, CONDITION),
    TERNARY(CONDITION, VALUE, VALUE), and any of these followed by .KEY, .@count, .@sum.KEY, .@min.KEY,
    .@max.KEY or .@avg.KEY, by [INDEX], the first being 0, or by [FIRST], [LAST] or [SIZE].

    Numbers are combined by **, by * and /, and by + and -, in this order of precedence and from the
    left; a minus before a value comes first. Two integers have an integer as their quotient, as in
    NSExpression: 7 / 2 is 3, and 7 / 2.0 is 3.5. Functions are count, sum, min, max, average, first and
    last of a list; lowercase, uppercase and length of a text; abs, floor, ceiling, trunc, sqrt, exp,
    ln and log of a number; and add:to:(A, B), from:subtract:(A, B), multiply:by:(A, B),
    divide:by:(A, B), modulus:by:(A, B) and raise:toPower:(A, B). A division by zero, a result beyond
    64 bits and a value of the wrong kind have no answer, and the rule does not match.

    MATCHES takes a regular expression in the syntax of ICU, which the whole text must match: groups,
    alternatives, repetitions, sets with [:alpha:], && and --, \\d, \\w, \\s, \\h, \\v, \\p{...} with a
    general category, ^, $, \\A, \\z, \\Z, \\b, \\B, \\Q...\\E and the flags i, m, s and x. It is matched in a
    time that is linear in the length of the text, so that backreferences, (?=...), (?!...), (?<=...),
    (?<!...), (?>...), possessive repetitions, \\R, \\X, \\N and other properties are not evaluated. A
    pattern has at most 64 KiB, and 10,000 steps when repetitions such as a{1,9} are written out; the
    patterns of a rule have 50,000 together.

    What else NSPredicate has is read, but not evaluated, so that a rule with it never matches here:
    such patterns, FUNCTION, CAST, FETCH, variables without a SUBQUERY, other functions of NSExpression, and other
    operators on collections, such as @unionOfObjects. docsource-rule-lint(1) reports it as
    W-not-evaluated. No function calls a program.

    A predicate has at most 64 KiB and 64 levels, such as parentheses, keys or operators after each
    other; one with more is refused. Content has at most 10,000 attachments. An evaluation ends after
    10 million steps, which take less than a second; the rule does not match then.
    """)

  private static let context = ManualText.Section(
    "CONTENT",
    """
    A FILE is an attachment that is offered by its uniform type and as public.file-url, as by the app
    Files; several are attachments of one item. With --as=image, the file is offered by its type
    alone, as from a library of pictures; with --as=text, url or web-page, FILE is any word that
    stands for a text, a URL or a web page. --type gives the types of each FILE; it and --as exclude
    each other, and with either FILE can be left out. A FILE called NAME.xei is a share item, with
    its title, text and attachments; see docsource-item(1). With --item, each FILE is an item with
    what its own marks say and the file as its attachment, as 'docsource share' hands it over.
    --context reads any other content, such as two items:

      {"extensionItems":[
        {"attachments":[{"registeredTypeIdentifiers":["public.url"]},
                        {"registeredTypeIdentifiers":["public.plain-text"]}]},
        {"attachments":[{"registeredTypeIdentifiers":["public.png"]}]}]}
    """)
}

/// `docsource rule match`: tells whether content matches a rule.
enum RuleMatchCommand: Command {
  private static let json = ShowCommand.json
  private static let quiet = OptionDeclaration(
    "quiet", short: "q", help: "print nothing; only the exit status tells")

  static let answerOfFailure: [(key: String, value: String)]? = [("matches", "null")]
  static let readsStandardInput = true

  static let verb = "match"
  static let declaration = CommandDeclaration(
    name: "rule match", summary: "tell whether files match an activation rule",
    operands: "RULE [FILE...]",
    details: """
      Tells for each extension of RULE whether it is offered for the files, all of them together.
      With -e, all operands are files.
      """,
    options: [RuleCommand.expression] + RuleContent.options + [json, quiet],
    examples: [
      "docsource rule match Demo.app photo.jpg notes.txt",
      "docsource rule match Info.plist --as=url",
    ],
    manual: manual)

  private static let manual = ManualText(
    """
    A rule that has no answer, because it asks for what is not there or takes too long, does not
    match; standard error says why. With --json, an object for each rule has the members of
    docsource-rule-lint(1) that say where it is, and matches; reason says why there is no answer.
    """,
    exitStatus: [
      .done: "Some rule matches.", .noSource: "No rule matches.",
      .failed: "A rule, file or content could not be read.",
    ],
    environment: [DeclaredTypes.environment], files: [DeclaredTypes.directory],
    seeAlso: ["docsource-rule(1)", "docsource-rule-explain(1)"])

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    try RuleCommand.answer(arguments, console) { named, rule, content in
      var reason: String?
      var matches = false
      do throws(EvaluationError) {
        matches = try rule.matches(content)
      } catch {
        reason = "cannot be evaluated: \(error)"
        console.report(named.name[...], EscapedText("cannot be evaluated: \(error)").description)
      }
      if arguments.has(json) {
        console.write(
          named.members + [("matches", "\(matches)")] + JSONText.member("reason", reason))
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

  static let answerOfFailure: [(key: String, value: String)]? = [("matches", "null")]
  static let readsStandardInput = true

  static let verb = "explain"
  static let declaration = CommandDeclaration(
    name: "rule explain", summary: "tell which part of an activation rule decides",
    operands: "RULE [FILE...]",
    details: """
      Prints for each extension of RULE whether it is offered for the files, and the parts of the
      rule that decide, each with the attachment that it was held against.
      """,
    options: [RuleCommand.expression] + RuleContent.options + [json],
    examples: [
      "docsource rule explain Info.plist photo.jpg",
      "docsource rule explain -e 'extensionItems.@count == 1' photo.jpg",
    ],
    manual: manual)

  private static let manual = ManualText(
    """
    Each line says whether a part holds, then the part. Lines and columns are those of the predicate.
    With --json, an object for each rule has the member explanation: an object with text, holds,
    line, column and reasons, an array of such objects.
    """,
    exitStatus: [
      .done: "Some rule matches.", .noSource: "No rule matches.",
      .failed: "A rule, file or content could not be read.",
    ],
    environment: [DeclaredTypes.environment], files: [DeclaredTypes.directory],
    seeAlso: ["docsource-rule(1)", "docsource-rule-match(1)"])

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    try RuleCommand.answer(arguments, console) { named, rule, content in
      let explanation = rule.explain(content)
      if arguments.has(json) {
        console.write(
          named.members + [
            ("matches", "\(explanation.isTrue)"), ("explanation", object(explanation)),
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

  private static func object(_ explanation: RuleExplanation) -> String {
    var members = JSONText.member("text", explanation.text)
    members.append(("holds", "\(explanation.isTrue)"))
    if let place = explanation.place {
      members += [("line", "\(place.line)"), ("column", "\(place.column)")]
    }
    if !explanation.reasons.isEmpty {
      members.append(("reasons", JSONText.array(explanation.reasons.map(object))))
    }
    return JSONText.object(members)
  }
}

extension NamedRule {
  /// The members of an object that say where a rule is.
  var members: [(key: String, value: String)] {
    (file.map { JSONText.path($0) } ?? [])
      + (entry.map { JSONText.path($0[...], key: "entry") } ?? [])
      + JSONText.member("identifier", found.identifier)
      + JSONText.member("extensionPoint", found.extensionPoint)
  }
}
