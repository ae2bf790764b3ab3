import Testing

@testable import TextFormats

@Suite struct ExecLineTests {
  @Test(arguments: [
    ("editor %U", ["editor"]), ("editor --new=%% \"a b\" %f", ["editor", "--new=%", "a b"]),
    ("\"/opt/a b/c\" \"q\\\"\\$\\`\\\\\" \"\"", ["/opt/a b/c", "q\"$`\\", ""]),
    ("  a\tb  ", ["a", "b"]), ("\"open", ["open"]), ("a\\ b", ["a\\", "b"]), ("", []), ("%", []),
    ("a --x=%c%i", ["a", "--x="]),
  ])
  func linesAreTakenApart(_ line: String, _ expected: [String]) {
    #expect(ExecLine(line).words == expected)
  }

  @Test func lineThatIsTooLongIsNone() {
    func words(_ size: Int) -> [String] {
      let start = "editor "
      return ExecLine(start + String(repeating: "a", count: size - start.utf8.count)).words
    }
    #expect(words(4096).count == 2)
    #expect(words(4097) == [])
  }
}
