import Glibc
import Testing

@testable import CommandLineInterface

@Suite struct TerminalStyleTests {
  private static let command = CommandDeclaration(
    name: "weigh", summary: "", operands: "FILE...", options: [TerminalStyle.option], examples: [])

  private static func isWanted(
    _ words: [String], _ variables: [String: String], onTerminal: Bool
  ) throws -> Bool {
    var (master, slave): (CInt, CInt) = (-1, -1)
    try #require(openpty(&master, &slave, nil, nil, nil) == 0)
    let null = open("/dev/null", O_WRONLY)
    defer { for descriptor in [master, slave, null] { close(descriptor) } }
    let arguments = try ArgumentParser(command).parse(words.map { Array($0.utf8) }[...])
    let stream = OutputStream(descriptor: onTerminal ? slave : null)
    return try TerminalStyle.isWanted(arguments, on: stream) { variables[$0] }
  }

  @Test(
    arguments: [
      ([], ["TERM": "xterm"], true, true), ([], ["TERM": "xterm"], false, false),
      (["--color=auto"], ["TERM": "xterm", "NO_COLOR": ""], true, true),
      ([], ["TERM": "xterm", "NO_COLOR": "1"], true, false), ([], ["TERM": "dumb"], true, false),
      ([], [:], true, false), (["--color", "always"], ["NO_COLOR": "1"], false, true),
      (["--color=always", "--color=never"], ["TERM": "xterm"], true, false),
    ] as [([String], [String: String], Bool, Bool)])
  func optionComesBeforeTheEnvironment(
    _ words: [String], _ variables: [String: String], _ onTerminal: Bool, _ isWanted: Bool
  ) throws {
    #expect(try Self.isWanted(words, variables, onTerminal: onTerminal) == isWanted)
  }

  @Test func otherValuesAreRefused() throws {
    let message = UsageError("--color: invalid value 'alway'; did you mean 'always'?")
    #expect(throws: message) {
      try Self.isWanted(["--color=alway"], [:], onTerminal: false)
    }
  }

  @Test func threadsHaveTheStyleOfTheirConsole() throws {
    let null = open("/dev/null", O_WRONLY)
    defer { close(null) }
    let console = Console(
      tool: "t", output: OutputStream(descriptor: null), errors: OutputStream(descriptor: null))
    #expect(console.styled("a", .label) == "a")
    #expect(SharedConsole(console).forThisThread().styled("a", .label) == "a")
    console.isStyled = true
    #expect(console.styled("a", .label) == "\u{1b}[2ma\u{1b}[0m")
    #expect(SharedConsole(console).forThisThread().styled("a", .heading) == "\u{1b}[1ma\u{1b}[0m")
  }
}
