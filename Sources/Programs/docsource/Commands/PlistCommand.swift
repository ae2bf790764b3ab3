import CommandLineInterface

/// `docsource plist`: binary property lists in any file.
enum PlistCommand: Command {
  static let verb = "plist"
  static var members: [any Command.Type] {
    [PlistShowCommand.self, PlistEncodeCommand.self, PlistCheckCommand.self]
  }

  static let declaration = CommandDeclaration(
    name: verb, summary: "show, encode and check binary property lists", operands: "[FILE...]",
    details: [], options: [], members: members.map { $0.declaration },
    examples: [
      "docsource plist show Info.plist", "docsource plist encode --canonical -o a.plist a.json",
    ],
    manual: manual)

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    throw UsageError("no verb given")
  }
}

extension PlistCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        A binary property list is the format of Apple's that begins with bplist00. The value of \
        the attribute user.x-document-source is one, but any other will do.
        """
      ],
      exitStatus: [.noSource: ""], seeAlso: ["plistutil(1)"])
  }
}
