import ActivationRule
import CommandLineInterface
import LinuxSystem
import TextFormats
import UniformType

/// `docsource rule lint`: finds flaws of activation rules.
enum RuleLintCommand: Command {
  private static let json = ShowCommand.json
  private static let sarif = OptionDeclaration(
    "sarif", help: "print a report in SARIF 2.1.0, the format of code hosts")

  static let answerOfFailure: JSONFields? = ["code": .null]
  static let readsStandardInput = true

  static let verb = "lint"
  static let declaration = CommandDeclaration(
    name: "rule lint", summary: "find mistakes in activation rules", operands: "[RULE...]",
    details: """
      Prints a line for each finding: file, line, column, code, and what is wrong. Without RULE, or if
      RULE is -, standard input is read.
      """,
    options: [RuleCommand.expression, DeclaredTypes.option, json, sarif],
    examples: [
      "docsource rule lint ShareExtension/Info.plist",
      "docsource rule lint --sarif */Info.plist > rules.sarif",
    ],
    manual: ManualText(
      Manual.ruleLint,
      [
        "codes": RuleFinding.Code.allCases.map { "\($0.rawValue): \($0.meaning)" }.joined(
          separator: "\n\n")
      ]))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    if arguments.has(json), arguments.has(sarif) {
      throw UsageError("--json and --sarif cannot be combined")
    }
    guard let types = DeclaredTypes(arguments, console) else { return .failed }
    var all: [PlacedFinding] = []
    var hasRule = false
    func passOver(_ name: ArraySlice<UInt8>) {
      let reason = "no activation rule; skipped"
      if arguments.has(json) {
        console.write(["file": .path(name), "code": .null, "reason": .text(reason)])
      }
      console.report(name, reason)
    }
    var status = try RuleCommand.forEachRule(arguments, console, passingOver: passOver) { rule in
      hasRule = true
      let findings = findings(of: rule, in: types.tree(adding: rule.declarations))
      if arguments.has(sarif) {
        all += findings
      } else if arguments.has(json) {
        for one in findings { console.write(one.fields) }
      } else {
        for one in findings { console.output.writeLine(one.line) }
      }
      return findings.contains { $0.finding.code.severity != .note } ? .negative : .done
    }
    if !hasRule { status = status.combined(with: .negative) }
    if arguments.has(sarif) { console.output.writeLine(SARIFReport.text(of: all)) }
    return status
  }

  private static func findings(of rule: NamedRule, in tree: TypeTree) -> [PlacedFinding] {
    let findings = rule.found.findings(in: tree)
    let places =
      findings.isEmpty ? nil : rule.source.map { RulePlaces($0, of: rule.found) }
    return findings.map { finding in
      PlacedFinding(
        rule: rule, finding: finding, position: places?.position(of: finding.place))
    }
  }
}
