import Testing

@testable import CommandLineInterface

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
      name: "a b", summary: "", operands: "FILE", details: [], options: [], examples: [])
    let gathering = CommandDeclaration(
      name: "a", summary: "", operands: "[FILE...]", details: [], options: [], members: [member],
      examples: [])
    #expect(gathering.kinds == [] && member.kinds == [.file])
  }
}
