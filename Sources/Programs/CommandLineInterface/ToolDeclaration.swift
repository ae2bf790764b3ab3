/// The tool: its name, version and verbs.
public struct ToolDeclaration: Sendable {
  public let name: String
  public let summary: String
  public let version: String
  /// The day of the version, as `2026-11-21`.
  public let date: String
  public let commands: [CommandDeclaration]
  /// What the manual page says; built only when asked for.
  let manual: @Sendable () -> ManualText
  /// Command lines that show its use.
  public let examples: [String]

  public init(
    name: String, summary: String, version: String, date: String,
    commands: [CommandDeclaration], examples: [String],
    manual: @autoclosure @escaping @Sendable () -> ManualText = ManualText()
  ) {
    self.name = name
    self.summary = summary
    self.version = version
    self.date = date
    self.manual = manual
    self.commands = commands
    self.examples = examples
  }

  /// The options that stand in place of a verb.
  var options: [OptionDeclaration] {
    [
      OptionDeclaration(
        "help", short: "h", help: "show this help; '\(name) help VERB' shows a verb's"),
      OptionDeclaration("version", short: "V", help: "show the version"),
    ]
  }

  /// All verbs, those gathered behind the one that gathers them.
  public var allCommands: [CommandDeclaration] { commands.flatMap(\.withMembers) }
}
