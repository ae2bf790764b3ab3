import Testing

@testable import CommandLineInterface

@Suite struct ArgumentParserTests {
  private static let quiet = OptionDeclaration("quiet", short: "q", help: "")
  private static let recursive = OptionDeclaration("recursive", short: "r", help: "")
  private static let replace = OptionDeclaration("replace", help: "")
  private static let name = OptionDeclaration("name", short: "n", value: "NAME", help: "")
  private static let field = OptionDeclaration(
    "field", value: "FIELD", choices: ["identifier", "name"], help: "")
  private static let set = OptionDeclaration(
    "set", value: "KEY=VALUE", repeats: true, help: "")
  private static let command = CommandDeclaration(
    name: "verb", summary: "", operands: "FILE...",
    options: [quiet, recursive, replace, name, field, set], examples: [])

  private static func parse(_ arguments: String...) throws -> Arguments {
    try ArgumentParser(command).parse(arguments.map { Array($0.utf8) }[...])
  }

  private static func operands(_ parsed: Arguments) -> [String] {
    parsed.operands.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func optionsAndOperandsComeInAnyOrder() throws {
    let parsed = try Self.parse("a", "--quiet", "b", "--name", "x", "c", "-r")
    #expect(Self.operands(parsed) == ["a", "b", "c"])
    #expect(parsed.has(Self.quiet))
    #expect(parsed.has(Self.recursive))
    #expect(!parsed.has(Self.replace))
    #expect(try parsed.text(Self.name) == "x")
  }

  @Test(arguments: [["--name=x"], ["--name", "x"], ["-n", "x"], ["-nx"], ["-qnx"], ["--na=x"]])
  func valueIsTakenHoweverItIsAttached(_ arguments: [String]) throws {
    let parsed = try ArgumentParser(Self.command).parse(arguments.map { Array($0.utf8) }[...])
    #expect(try parsed.text(Self.name) == "x")
    #expect(parsed.operands.isEmpty)
  }

  @Test func valueMayBeEmptyOrLookLikeAnOption() throws {
    #expect(try Self.parse("--name=").text(Self.name) == "")
    #expect(try Self.parse("--name", "--quiet").text(Self.name) == "--quiet")
  }

  @Test func lastOfSeveralValuesCounts() throws {
    #expect(try Self.parse("-n", "x", "--name=y").text(Self.name) == "y")
  }

  @Test func everythingAfterTwoDashesIsAnOperand() throws {
    let parsed = try Self.parse("-q", "--", "--quiet", "--", "-")
    #expect(Self.operands(parsed) == ["--quiet", "--", "-"])
  }

  @Test func oneDashIsAnOperand() throws {
    #expect(Self.operands(try Self.parse("-")) == ["-"])
  }

  @Test func operandsAreBytes() throws {
    let parsed = try ArgumentParser(Self.command).parse([[0x66, 0xff]])
    #expect(parsed.operands == [[0x66, 0xff]])
  }

  @Test(arguments: [
    (["--nome", "x"], "unknown option '--nome'; did you mean '--name'?"),
    (["--recursiv3"], "unknown option '--recursiv3'; did you mean '--recursive'?"),
    (["--zzzzzz"], "unknown option '--zzzzzz'"),
    (["--re"], "option '--re' is ambiguous; it could be --recursive, --replace"),
    (["--=x"], "unknown option '--'"),
    (["-x"], "unknown option '-x'"),
    (["-quiet"], "unknown option '-u'; did you mean '--quiet'?"),
    (["--name"], "option '--name' needs a value: --name NAME"),
    (["-n"], "option '-n' needs a value: -n NAME"),
    (["--quiet=yes"], "option '--quiet' takes no value"),
    (["--\u{1b}[31m"], "unknown option '--\\x1b[31m'"),
  ])
  func mistakeIsNamedAndTheNearestOptionSuggested(_ arguments: [String], _ message: String) throws {
    #expect(throws: UsageError(message)) {
      try ArgumentParser(Self.command).parse(arguments.map { Array($0.utf8) }[...])
    }
  }

  private static let document = OptionDeclaration(
    "document", formerly: "path", value: "TEXT", help: "the path")
  private static let fileName = OptionDeclaration(
    "file-name", formerly: "file", value: "GLOB", help: "the name")
  private static let files = OptionDeclaration("files0-from", value: "LIST", help: "a list")
  private static let renaming = CommandDeclaration(
    name: "verb", summary: "", operands: "FILE...", options: [document, fileName, files],
    examples: [])

  @Test(arguments: [
    (["--path=x", "--path", "x", "--pa=x"], ["document"]),
    (["--file", "a", "--path=x"], ["file-name", "document"]),
    (["--document=x", "--file-name=a", "--file-=a"], []),
    // A former name that is cut short means nothing where a present one fits.
    (["--files=a"], []),
  ])
  func formerNameStillWorksAndIsNoted(_ arguments: [String], _ renamed: [String]) throws {
    let parsed = try ArgumentParser(Self.renaming).parse(arguments.map { Array($0.utf8) }[...])
    #expect(parsed.renamed.map(\.long) == renamed)
    #expect(parsed.operands.isEmpty)
    #expect(try parsed.text(Self.document) ?? "x" == "x")
    #expect(try parsed.text(Self.fileName) ?? "a" == "a")
  }

  @Test func formerNameIsNeitherShownNorSuggested() {
    let tool = ToolDeclaration(
      name: "tool", summary: "a tool", version: "1", date: "2026-11-22",
      commands: [Self.renaming], examples: [])
    #expect(!HelpText.of(Self.renaming, in: tool).contains("--path"))
    #expect(!ManualPage.of(Self.renaming, in: tool).contains("path="))
    for shell in CompletionShell.allCases {
      #expect(!shell.script(for: tool).contains("--path"))
      #expect(!shell.script(for: tool).contains("-l path"))
    }
    #expect(throws: UsageError("unknown option '--paht'")) {
      try ArgumentParser(Self.renaming).parse([Array("--paht".utf8)])
    }
  }

  @Test func valueThatIsNotUTF8IsRefusedAsText() throws {
    let parsed = try ArgumentParser(Self.command).parse([Array("--name=".utf8) + [0xff]])
    #expect(parsed.bytes(Self.name) == [0xff])
    #expect(throws: UsageError("--name: '\\xff' is not UTF-8")) { try parsed.text(Self.name) }
  }

  @Test func pairsAreTakenApartAtTheFirstEqualsSign() throws {
    let pairs = try Self.parse("--set=a=b=c", "--set", "d=").pairs(Self.set)
    #expect(pairs.map(\.key) == ["a", "d"])
    #expect(pairs.map(\.value) == [Array("b=c".utf8), []])
    for value in ["a", "=b", ""] {
      #expect(throws: UsageError("--set: '\(value)' is invalid; expected KEY=VALUE")) {
        try Self.parse("--set", value).pairs(Self.set)
      }
    }
  }

  @Test func choiceIsCheckedAndTheNearestSuggested() throws {
    #expect(try Self.parse("--field=name").choice(Self.field) == "name")
    #expect(throws: UsageError("--field: invalid value 'nane'; did you mean 'name'?")) {
      try Self.parse("--field=nane").choice(Self.field)
    }
    #expect(throws: UsageError("--field: invalid value 'zzz'; expected one of identifier, name")) {
      try Self.parse("--field=zzz").choice(Self.field)
    }
  }
}

@Suite struct SpellingTests {
  private static let words = [
    "tag", "show", "remove", "help", "identifier", "name", "app-info-url",
  ]

  @Test(arguments: [
    ("shwo", "show"), ("sow", "show"), ("taag", "tag"), ("rm", nil), ("rem", "remove"),
    ("idnetifier", "identifier"), ("identifer", "identifier"), ("NAME", "name"),
    ("url", "app-info-url"), ("xyzzy", nil),
    ("", nil), (String(repeating: "a", count: 100_000), nil),
  ])
  func nearestWordIsFoundIfItIsNear(_ typed: String, _ meant: String?) {
    #expect(Spelling.nearest(to: typed, among: Self.words) == meant)
  }
}
