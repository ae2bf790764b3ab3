import CommandLineInterface

/// `docsource help [VERB]`.
enum HelpCommand: Command {
  private static let man = OptionDeclaration(
    "man", help: "print the manual page as roff, for 'man -l -'")
  private static let list = OptionDeclaration(
    "list", help: "print the names of all verbs, one per line")

  static let verb = "help"
  static let declaration = CommandDeclaration(
    name: verb, summary: "show the help of a verb", operands: "[VERB...]",
    options: [man, list],
    examples: ["docsource help tag", "docsource help --man plist show | man -l -"],
    manual: manual)

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    if arguments.has(list) {
      guard arguments.operands.isEmpty, !arguments.has(man) else {
        throw UsageError("--list cannot be combined with anything else")
      }
      for command in Tool.declaration.allCommands { console.output.writeLine(command.name) }
      return .done
    }
    guard !arguments.operands.isEmpty else {
      let tool = Tool.declaration
      console.output.write(arguments.has(man) ? ManualPage.of(tool) : HelpText.of(tool))
      return .done
    }
    let command = try Tool.command(named: arguments.operands).declaration
    console.output.write(
      arguments.has(man)
        ? ManualPage.of(command, in: Tool.declaration) : HelpText.of(command, in: Tool.declaration))
    return .done
  }

  private static let manual = ManualText(
    """
    Without VERB, the verbs are listed. For a verb within another, such as 'plist show', give both
    words. 'docsource VERB --help' shows the same help.
    """,
    exitStatus: [.noSource: ""], seeAlso: ["man(1)"])
}
