/// A verb of the tool: its name, options and help, declared once.
public struct CommandDeclaration: Sendable {
  /// The verb; a member's with the verb that gathers it: `plist show`.
  public let name: String
  /// What it does, in one phrase without a capital or full stop.
  public let summary: String
  /// The operands for the usage line: `FILE...`.
  public let operands: String
  /// What needs saying beyond the options, in sentences; one element a paragraph.
  public let details: [String]
  /// The options, in the order of the help.
  public let options: [OptionDeclaration]
  /// The verbs it gathers; such a verb has no options but `--help`.
  public let members: [CommandDeclaration]
  /// Command lines that show its use.
  public let examples: [String]

  public init(
    name: String, summary: String, operands: String, details: [String],
    options: [OptionDeclaration], members: [CommandDeclaration] = [], examples: [String]
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.details = details
    self.options = options + [.help]
    self.members = members
    self.examples = examples
  }
}

extension OptionDeclaration {
  /// Every verb has it.
  public static let help = OptionDeclaration("help", help: "show this help")
}
