import CommandLineInterface

/// `docsource help [VERB]`.
enum HelpCommand: Command {
  static let verb = "help"
  static let declaration = CommandDeclaration(
    name: verb, summary: "show how a verb is used", operands: "[VERB]", details: [],
    options: [], examples: ["docsource help tag", "docsource tag --help"])

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    guard !arguments.operands.isEmpty else {
      console.output.write(HelpText.of(Tool.declaration))
      return .done
    }
    let command = try Tool.command(named: arguments.operands)
    console.output.write(HelpText.of(command.declaration, in: Tool.declaration))
    return .done
  }
}
