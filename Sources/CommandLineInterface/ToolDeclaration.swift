/// The tool: its name, version and verbs.
public struct ToolDeclaration: Sendable {
  public let name: String
  public let summary: String
  public let version: String
  public let commands: [CommandDeclaration]
  /// Command lines that show its use.
  public let examples: [String]

  public init(
    name: String, summary: String, version: String, commands: [CommandDeclaration],
    examples: [String]
  ) {
    self.name = name
    self.summary = summary
    self.version = version
    self.commands = commands
    self.examples = examples
  }
}
