import Testing

@testable import CommandLineInterface

@Suite struct HelpTextTests {
  private static let command = CommandDeclaration(
    name: "weigh", summary: "weigh files", operands: "FILE...",
    details: ["Files are weighed " + String(repeating: "again and ", count: 12) + "again."],
    options: [
      OptionDeclaration("unit", short: "u", value: "UNIT", choices: ["g", "oz"], help: "the unit"),
      OptionDeclaration("round", help: "round " + String(repeating: "up and down ", count: 8)),
    ],
    examples: ["scale weigh a", "scale weigh -u oz b"])
  private static let tool = ToolDeclaration(
    name: "scale", summary: "what files weigh", version: "1", date: "2026-01-02",
    commands: [command],
    examples: ["scale weigh a"])

  @Test func verbHelpIsWrappedAndEndsWithExamples() {
    #expect(
      HelpText.of(Self.command, in: Self.tool) == """
        scale weigh: weigh files

        Usage: scale weigh [OPTIONS] FILE...

        Files are weighed again and again and again and again and again and again and
        again and again and again and again and again and again and again.

        Options:
          -u, --unit=UNIT  the unit: g, oz
              --round      round up and down up and down up and down up and down up and
                           down up and down up and down up and down
          -h, --help       show this help

        Examples:
          scale weigh a
          scale weigh -u oz b

        """)
  }

  @Test func toolHelpListsItsVerbs() {
    #expect(HelpText.of(Self.tool).contains("Verbs:\n  weigh  weigh files\n"))
  }
}
