import Foundation
import TestSupport
import Testing

/// The rows of the seed on activation rules, each by its number, through the built tool.
@Suite struct Seed002Tests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ arguments: String...) throws -> Execution {
    try Execution.run(
      [Docsource.path] + arguments, in: directory.root,
      environment: ["XDG_DATA_HOME": directory.path("data")])
  }

  /// The exit status of `rule match` with a predicate, for a text that is shared.
  private func status(of predicate: String) throws -> Int32 {
    let found = try run("rule", "match", "-q", "-e", predicate, "--as=text")
    #expect(found.errors == "", "\(predicate)")
    return found.status
  }

  private func codes(of predicate: String) throws -> [String] {
    let found = try run("rule", "lint", "-e", predicate)
    return found.text.split(separator: "\n").map { line in
      line.split(separator: " ", maxSplits: 2).dropFirst().first.map(String.init) ?? ""
    }
  }

  @Test func seed002_17_patternsAreMatchedOrReportedAsValid() throws {
    let type = "ANY extensionItems[0].attachments[0].registeredTypeIdentifiers"
    #expect(try status(of: #"\#(type) MATCHES 'public\\.(plain-)?text'"#) == 0)
    #expect(try status(of: #"\#(type) MATCHES[c] 'PUBLIC\\..*'"#) == 0)
    #expect(try status(of: "\(type) MATCHES 'public'") == 1)
    // What takes others years.
    let text = "'\(String(repeating: "a", count: 4000))'"
    #expect(try status(of: "\(text) MATCHES '(a*)*b' OR \(text) MATCHES '(a|aa)+$'") == 0)
    #expect(try codes(of: "'a' MATCHES '(a)\\\\1'") == ["W-not-evaluated:"])
    #expect(try codes(of: "'a' MATCHES '(a'").contains("E-pattern:"))
    let match = try run("rule", "match", "-e", "'a' MATCHES '(?=a)a'", "--as=text")
    #expect(
      match.errors == """
        docsource: predicate: cannot be evaluated: line 1, column 1: MATCHES with a look ahead is \
        valid, but not evaluated here

        """)
    #expect(match.text == "predicate: does not match\n")
    #expect(match.status == 1)
    #expect(
      try run("rule", "explain", "-e", "'ab' MATCHES 'a.'", "--as=text").text
        == "predicate: matches\n  yes  \"ab\" MATCHES \"a.\" (1:1)\n")
  }

  @Test func seed002_18_arithmeticIsEvaluated() throws {
    #expect(try status(of: "extensionItems.@count + 1 == 2 * 1") == 0)
    #expect(try status(of: "extensionItems.@count - 1 == 2 ** 2") == 1)
    #expect(
      try codes(of: "extensionItems.@count + 1 == 2") == [
        "W-accepts-unrelated-type:", "W-vacuous-empty-item:",
      ])
    let failing = try run("rule", "match", "-e", "extensionItems.@count / 0 == 1", "--as=text")
    #expect(failing.text == "predicate: does not match\n")
    #expect(
      failing.errors
        == "docsource: predicate: cannot be evaluated: line 1, column 1: division by zero\n")
    #expect(failing.status == 1)
    let explained = try run(
      "rule", "explain", "-e", "extensionItems.@count * 2 == 3", "--as=text")
    #expect(
      explained.text == """
        predicate: does not match
          no   extensionItems.@count * 2 == 3; extensionItems.@count * 2 is 2 (1:1)

        """)
    #expect(
      try run("rule", "format", "-e", "(1+2)*-3==1").text == "(1 + 2) * -3 == 1\n")
  }

  @Test func seed002_19_indexesAreEvaluated() throws {
    let type = "extensionItems[0].attachments[FIRST].registeredTypeIdentifiers"
    #expect(try status(of: "ANY \(type) UTI-CONFORMS-TO 'public.text'") == 0)
    #expect(try status(of: "\(type)[LAST] == 'public.plain-text' AND \(type)[SIZE] == 1") == 0)
    #expect(try status(of: "\(type)[extensionItems.@count - 1] == 'public.png'") == 1)
    #expect(try run("rule", "format", "-e", "a [ size ]=1").text == "a[SIZE] == 1\n")
    let failing = try run("rule", "match", "-e", "extensionItems[1] == NULL", "--as=text")
    #expect(
      failing.errors == """
        docsource: predicate: cannot be evaluated: line 1, column 1: the index 1 is outside the \
        collection, which has 1 element

        """)
    #expect(failing.status == 1)
  }

  @Test func seed002_20_functionsAreEvaluatedOrReportedAsValid() throws {
    #expect(try status(of: "count:(extensionItems) == 1 AND sum({1, 2}) == 3") == 0)
    #expect(try status(of: "lowercase('A') == 'a' AND TERNARY(1 == 2, 1, 2) == 2") == 0)
    #expect(try status(of: "modulus:by:(7, 3) == 1 AND max({1, 2}) == 2") == 0)
    #expect(try codes(of: "CAST(1, 'NSString') == '1'") == ["W-not-evaluated:"])
    let found = try run("rule", "lint", "-e", "FUNCTION(1, 'a') == $x")
    #expect(
      found.text == """
        predicate:1:1: W-not-evaluated: FUNCTION is valid, but not evaluated here
        predicate:1:21: W-not-evaluated: the variable $x, which belongs to no SUBQUERY around it, is \
        valid, but not evaluated here

        """)
    #expect(found.status == 1)
    let match = try run("rule", "match", "-e", "1 == 1 OR FUNCTION(1, 'a') == 1", "--as=text")
    #expect(match.text == "predicate: does not match\n")
    #expect(
      match.errors == """
        docsource: predicate: cannot be evaluated: line 1, column 11: FUNCTION is valid, but not \
        evaluated here

        """)
    #expect(match.status == 1)
    // The list of functions is closed.
    #expect(try codes(of: "system('id') == 0") == ["E-parse:"])
  }

  @Test func seed002_21_numbersOfOtherBasesAreRead() throws {
    #expect(try status(of: "0x1 == 1 AND 0xfF == 255 AND 0b11 == 3 AND 0o17 == 15") == 0)
    #expect(try run("rule", "format", "-e", "a==0x10").text == "a == 16\n")
    #expect(
      try run("rule", "lint", "-e", "a == 0xg").text
        == "predicate:1:8: E-parse: expected digits of base 16\n")
  }
}
