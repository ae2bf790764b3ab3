/// A verb of the tool: its name, options and help, declared once.
public struct CommandDeclaration: Sendable {
  /// The verb.
  public let name: String
  /// What it does, in one phrase without a capital or full stop.
  public let summary: String
  /// The operands for the usage line: `FILE...`.
  public let operands: String
  /// What needs saying beyond the options, in sentences; one element a paragraph.
  public let details: [String]
  /// The options, in the order of the help.
  public let options: [OptionDeclaration]
  /// Command lines that show its use.
  public let examples: [String]

  public init(
    name: String, summary: String, operands: String, details: [String],
    options: [OptionDeclaration], examples: [String]
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.details = details
    self.options = options + [.help]
    self.examples = examples
  }
}

extension OptionDeclaration {
  /// Every verb has it.
  public static let help = OptionDeclaration("help", help: "show this help")
}
