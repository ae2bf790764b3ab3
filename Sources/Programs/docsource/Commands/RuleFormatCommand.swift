import ActivationRule
import CommandLineInterface
import LinuxSystem
import TextFormats

/// `docsource rule format`: prints predicates in one form.
enum RuleFormatCommand: Command {
  private static let json = ShowCommand.json
  private static let oneLine = OptionDeclaration(
    "one-line", help: "print each predicate on one line")
  private static let check = OptionDeclaration(
    "check", help: "print nothing; set the status by whether the predicate has this form")

  static let answerOfFailure: JSONFields? = ["predicate": .null]
  static let readsStandardInput = true

  static let verb = "format"
  static let declaration = CommandDeclaration(
    name: "rule format", summary: "print the predicate of a rule in a standard form",
    operands: "[RULE...]",
    details: """
      Without RULE, or if RULE is -, standard input is read. The printed predicate is equivalent:
      when it is read again, it has the same parts. Lines are kept within 80 columns if possible.
      """,
    options: [RuleCommand.expression, oneLine, check, json],
    examples: [
      "docsource rule format Info.plist",
      "docsource rule format --one-line -e 'extensionItems . @count=1'",
    ],
    manual: ManualText(Manual.ruleFormat))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    try RuleCommand.forEachRule(arguments, console) { rule in
      let read: ActivationRule
      do throws(ActivationRule.Failure) {
        read = try ActivationRule(rule.found.value)
      } catch {
        console.fail(rule.name[...], "cannot read the rule: \(error)")
        return .failed
      }
      guard case .predicate(let predicate) = read else {
        console.report(rule.name[...], "the rule is a dictionary, not a predicate")
        return .negative
      }
      return format(predicate, of: rule, arguments, console)
    }
  }

  private static func format(
    _ predicate: RulePredicate, of rule: NamedRule, _ arguments: Arguments, _ console: Console
  ) -> ExitStatus {
    let text = arguments.has(oneLine) ? predicate.description : predicate.formatted(width: 80)
    if arguments.has(check) {
      guard text != predicate.text else { return .done }
      console.report(rule.name[...], "the predicate has another form")
      return .negative
    }
    if arguments.has(json) {
      console.write(rule.fields + ["predicate": .text(text)])
    } else {
      if arguments.operands.count > 1 || rule.entry != nil {
        console.output.writeLine("\(EscapedText(rule.name)):")
      }
      console.output.writeLine(shown(text, console))
    }
    return .done
  }

  /// Contents of texts are untrusted; the lines are ours.
  private static func shown(_ text: String, _ console: Console) -> String {
    guard console.output.isTerminal else { return text }
    return text.split(separator: "\n").map { "\(EscapedText(String($0)))" }.joined(separator: "\n")
  }
}
