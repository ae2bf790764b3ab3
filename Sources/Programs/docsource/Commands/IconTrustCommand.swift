import CommandLineInterface

/// `docsource icon trust`: the hosts from which icons may be fetched unasked.
enum IconTrustCommand: Command {
  static let verb = "trust"
  static var members: [any Command.Type] {
    [IconTrustAddCommand.self, IconTrustListCommand.self, IconTrustRemoveCommand.self]
  }

  static let declaration = CommandDeclaration(
    name: "icon trust", summary: "keep the list of trusted hosts", operands: "[HOST...]",
    details: [
      """
      With 'docsource icon --trusted', as file managers run it, icons are fetched only where the \
      hosts of the appInfo.json and of the icon are both on the list. A host is trusted by its \
      own name; those below it are others.
      """
    ],
    options: [], members: members.map { $0.declaration },
    examples: ["docsource icon trust add example.com", "docsource icon trust list"],
    manual: manual)

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    throw UsageError("no verb given")
  }
}

extension IconTrustCommand {
  static var manual: ManualText {
    ManualText(
      environment: [
        ManualText.Entry("XDG_CONFIG_HOME", "Where the list is; ~/.config if not set.")
      ],
      files: [
        ManualText.Entry(
          "$XDG_CONFIG_HOME/docsource/trusted-hosts", "The list, a host a line.")
      ])
  }
}
