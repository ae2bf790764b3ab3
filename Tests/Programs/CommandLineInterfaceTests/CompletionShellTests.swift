import TestSupport
import Testing

@testable import CommandLineInterface

/// What the tool itself has no example of: options that add up and options that run a command.
@Suite struct CompletionShellTests {
  private static let command = CommandDeclaration(
    name: "weigh", summary: "weigh files: all of them", operands: "[DIR...]",
    options: [
      OptionDeclaration("unit", short: "u", value: "UNIT", repeats: true, help: "a [unit]"),
      OptionDeclaration("scale", value: "SCALE", choices: ["a", "b"], repeats: true, help: "it's"),
      OptionDeclaration("exec", short: "x", value: "CMD...", help: "run CMD"),
      OptionDeclaration("round", short: "r", help: "round"),
    ], examples: [])
  private static let tool = ToolDeclaration(
    name: "scale", summary: "what files weigh", version: "1", date: "2026-01-02",
    commands: [command], examples: [])

  private static func script(_ name: String) -> String {
    Fixture.root.path + "/Tests/Scripts/" + name
  }

  private static func place(_ shell: CompletionShell, _ file: String) throws -> TemporaryDirectory {
    let place = try TemporaryDirectory()
    try place.file(file, shell.script(for: tool))
    try place.file("one-file")
    return place
  }

  @Test(arguments: [
    (["-u", "g", "--scale", "=", "a", "-r", "--"], ["--exec=", "--help", "--scale=", "--unit="]),
    (["--exec", "scale-no-such"], []),
    (["-x", "ls", ""], ["compopt -o default"]),
    (["-xls", ""], ["compopt -o default"]),
    (["-rx", "ls", "--"], ["compopt -o default"]),
    (["-x", "ls", #"\;"#, "--r"], ["--round"]),
    (["--scale", ""], ["a", "b"]), ([""], ["compopt -o dirnames"]),
  ])
  func bash(_ words: [String], _ candidates: [String]) throws {
    let place = try Self.place(.bash, "scale.bash")
    let offered = try Execution.run(
      [Self.script("complete-in-bash"), place.path("scale.bash"), "scale", "weigh"] + words,
      in: place.root)
    #expect(offered.errors == "")
    #expect(offered.text.split(separator: "\n").map(String.init).sorted() == candidates)
  }

  @Test func zsh() throws {
    let place = try Self.place(.zsh, "_scale")
    let lines = [
      "scale weigh -u g --scale=a -r --", "scale weigh -x ls one", "scale weigh --scale ",
      #"scale weigh -x ls \; --r"#, "scale weigh --exec zpt",
    ]
    let offered = try Execution.run(
      [Self.script("complete-in-zsh"), place.root] + lines, in: place.root)
    #expect(
      offered.text.split(separator: "\n").map(String.init) == [
        "# " + lines[0], "--exec", "--help", "--scale", "--unit", "# " + lines[1], "one-file",
        "# " + lines[2], "a", "b", "# " + lines[3], "--round", "# " + lines[4],
      ])
  }

  @Test func fish() throws {
    let place = try Self.place(.fish, "scale.fish")
    let script = """
      source scale.fish
      for line in $argv
        complete -C $line | string replace -r '\\t' '='
        echo
      end
      """
    let offered = try Execution.run(
      [
        "fish", "--no-config", "-c", script, "scale weigh -u g --scale a -r --",
        "scale weigh -x ls one", "scale weigh --scale ", "scale weigh -x scale-no-such", "scale w",
      ], in: place.root)
    #expect(offered.errors == "")
    #expect(
      offered.text == """
        --exec=run CMD
        --help=show this help
        --scale=it's
        --unit=a [unit]

        one-file

        a=it's
        b=it's


        weigh=weigh files: all of them


        """)
  }
}

@Suite struct ValueKindTests {
  @Test(
    arguments: [
      ("", []), ("FILE...", [.file]), ("[FILE...]", [.file]), ("FROM TO...", [.file]),
      ("FILE|ID|URL...", [.file, .identifier]), ("[DIR...]", [.directory]), ("HOST...", [.host]),
      ("bash|zsh|fish", [.choice(["bash", "zsh", "fish"])]), ("[VERB...]", [.verb]),
      ("[GLOB...]", []),
    ] as [(String, [ValueKind])])
  func operandsAreWhatTheirPlaceholdersSay(_ operands: String, _ kinds: [ValueKind]) {
    #expect(ValueKind.kinds(in: operands) == kinds)
  }

  @Test func valueIsWhatItsPlaceholderSaysUnlessDeclaredOtherwise() {
    #expect(OptionDeclaration("root", value: "DIR", help: "").kind == .directory)
    #expect(OptionDeclaration("path", value: "PATH", help: "").kind == .file)
    #expect(OptionDeclaration("path", value: "PATH", kind: .text, help: "").kind == .text)
    #expect(OptionDeclaration("name", value: "NAME", help: "").kind == .text)
    #expect(
      OptionDeclaration("unit", value: "DIR", choices: ["a", "b"], help: "").kind
        == .choice(["a", "b"]))
  }

  @Test func verbThatOnlyGathersOthersTakesNoOperandsItself() {
    let member = CommandDeclaration(
      name: "a b", summary: "", operands: "FILE", examples: [])
    let gathering = CommandDeclaration(
      name: "a", summary: "", operands: "[FILE...]", members: [member],
      examples: [])
    #expect(gathering.kinds == [])
    #expect(member.kinds == [.file])
  }
}
