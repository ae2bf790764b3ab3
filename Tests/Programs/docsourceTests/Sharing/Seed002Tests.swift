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
        docsource: predicate: cannot be evaluated: line 1, column 1: MATCHES with a lookahead is \
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

  /// A rule of two keys, and what the manual says of it.
  @Test func seed002_7_minimumAloneAcceptsNothing() throws {
    _ = try directory.file(
      "min.json",
      #"{"NSExtensionActivationRule":{"NSExtensionActivationSupportsAttachmentsWithMinCount":1}}"#)
    for kind in ["text", "url", "image"] {
      #expect(try run("rule", "match", "-q", "min.json", "--as=\(kind)").status == 1, "\(kind)")
    }
    #expect(
      try ManualWords.of("rule").contains(
        "A dictionary with AttachmentsWithMinCount alone accepts nothing"))
  }

  @Test func seed002_23_moreThanSixtyFourParenthesesAreRefused() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "(", count: count) + "1 == 1" + String(repeating: ")", count: count)
    }
    #expect(try status(of: nested(63)) == 0)
    let refused = try run("rule", "match", "-e", nested(65), "--as=text")
    #expect(refused.errors.contains("nested deeper than 64 levels"))
    #expect(refused.status == 2)
    #expect(
      try ManualWords.of("rule").contains(
        "A predicate can be at most 64 KiB long and 64 levels deep"))
  }

  @Test func seed002_24_ruleIsHeldAgainstAShareItem() throws {
    let types = "ANY extensionItems[0].attachments[0].registeredTypeIdentifiers"
    _ = try directory.file("pic.png", "x")
    let made = try run(
      "item", "make", "--url", "https://example.com/a", "--attach", "pic.png", "--title", "Apples",
      "--content", "Red", "-o", "flow.xei")
    #expect(made.errors == "" && made.status == 0)
    let rule =
      "extensionItems.@count == 1 AND extensionItems[0].attachments.@count == 2"
      + " AND extensionItems[0].attributedTitle == 'Apples'"
      + " AND extensionItems[0].attributedContentText == 'Red'"
      + " AND extensionItems[0].attachments[0].registeredTypeIdentifiers[0] == 'public.url'"
    let match = try run("rule", "match", "-e", rule, "flow.xei")
    #expect(match.text == "predicate: matches\n" && match.errors == "" && match.status == 0)
    #expect(try run("rule", "explain", "-e", rule, "flow.xei").status == 0)
    // Of two items and a file there are three.
    let mixed = try run(
      "rule", "match", "-e",
      "extensionItems.@count == 3 AND extensionItems[1].attachments.@count == 2", "flow.xei",
      "pic.png", "flow.xei", "pic.png")
    #expect(mixed.text == "predicate: matches\n" && mixed.errors == "", "\(mixed.errors)")
    // A dictionary, as an extension has it.
    _ = try directory.file(
      "Info.json",
      #"{"NSExtensionActivationRule":{"NSExtensionActivationSupportsWebURLWithMaxCount":1}}"#)
    #expect(try run("rule", "match", "Info.json", "flow.xei").text == "Info.json: does not match\n")
    // What the marks of a file say.
    #expect(try run("item", "apply", "-q", "flow.xei", "pic.png").status == 0)
    let own =
      "extensionItems[0].attributedTitle == 'Apples' AND \(types) UTI-CONFORMS-TO 'public.image'"
    #expect(try run("rule", "match", "--item", "-e", own, "pic.png").status == 0)
    #expect(try run("rule", "match", "-e", own, "pic.png").status == 1)
    let context = try run("rule", "match", "-e", own, "--context", "flow.xei")
    #expect(
      context.errors
        == "docsource: flow.xei: cannot read content: it is a share item; give it as FILE, called"
        + " NAME.xei\n")
    #expect(context.status == 2)
    #expect(
      try run("rule", "match", "-e", own, "--item", "--as=text", "pic.png").errors
        == "docsource: rule match: --as and --item exclude each other; see 'docsource help rule"
        + " match'\n")
    _ = try directory.file("bad.xei", "hello")
    let bad = try run("rule", "match", "-e", own, "bad.xei")
    #expect(bad.errors.hasPrefix("docsource: bad.xei: "), "\(bad.errors)")
    #expect(bad.status == 2)
  }

  @Test func seed002_26_listsWithoutARuleArePassedOver() throws {
    _ = try directory.file("none/Info.plist", #"{"CFBundleName":"App"}"#)
    _ = try directory.file(
      "rule/Info.plist",
      #"{"NSExtensionActivationRule":{"NSExtensionActivationDictionaryVersion":2,"#
        + #""NSExtensionActivationSupportsText":true}}"#)
    let both = try run("rule", "lint", "none/Info.plist", "rule/Info.plist")
    #expect(both.text == "")
    #expect(both.errors == "docsource: none/Info.plist: no activation rule; skipped\n")
    #expect(both.status == 0)
    let json = try run("rule", "lint", "--json", "none/Info.plist")
    #expect(
      json.text
        == #"{"file":"none/Info.plist","code":null,"reason":"no activation rule; skipped"}"#
        + "\n")
    #expect(json.status == 1)
    // What cannot be read is still a failure.
    #expect(try run("rule", "lint", "none/Info.plist", "missing", "rule/Info.plist").status == 2)
    #expect(
      try run("rule", "lint", "--sarif", "none/Info.plist").text.contains(#""results":[]"#))
  }

  private func absent(_ name: String) throws {
    #expect(try ManualWords.of("sharing").contains(name))
  }

  @Test func seed002_28_previewsAreAbsent() throws { try absent("loadPreviewView") }
  @Test func seed002_32_reloadingIsAbsent() throws { try absent("reloadConfigurationItems") }
  @Test func seed002_33_animationsAreAbsent() throws {
    try absent("presentationAnimationDidFinish")
  }

  @Test func seed002_39_permissionsStandForEntitlements() throws {
    #expect(
      try ManualWords.of("rule").contains(
        "On iOS, entitlements isolate an extension from other programs."))
    let made = try run("item", "container", "--set", "a=1", "group.org.example")
    #expect(made.status == 0, "\(made.errors)")
    let status = try FileManager.default.attributesOfItem(
      atPath: directory.path("data/app-groups/group.org.example"))
    #expect(status[.posixPermissions] as? Int == 0o700)
  }

  @Test func seed004_42_typeOfAnEmptyFileIsGivenByItsSize() throws {
    _ = try directory.file("z.mov", "")
    _ = try directory.file("z.txt", "")
    let movie = try run("rule", "type", "z.mov")
    #expect(movie.text.contains("  mime type    text/plain, by the size, which is 0\n"))
    #expect(try run("rule", "type", "z.txt").text.contains("text/plain, by the name\n"))
    #expect(try run("rule", "type", "--json", "z.mov").text.contains(#""mimeTypeBy":"size""#))
  }

  @Test func integersBeyondRealOnesAreComparedExactly() throws {
    for (predicate, expected) in [
      ("9007199254740993 == 9007199254740992.0", 1), ("9007199254740993 > 9007199254740992.0", 0),
      ("9223372036854775807 == 9223372036854775808.0", 1), ("3 == 3.0", 0), ("3 < 3.5", 0),
      ("-3 > -3.5", 0), ("9223372036854775807 < 1e300", 0), ("0 - 5 > -1e300", 0),
    ] as [(String, Int32)] {
      #expect(try status(of: predicate) == expected, "\(predicate)")
    }
  }

  @Test func unknownTypeIsANegativeAnswer() throws {
    let unknown = try run("rule", "type", "--type", "public.nonsense")
    #expect(unknown.text == "public.nonsense\n")
    #expect(unknown.errors == "docsource: public.nonsense: unknown type\n")
    #expect(unknown.status == 1)
    #expect(try run("rule", "type", "--type", "public.png").status == 0)
    #expect(
      try run("rule", "match", "-e", "1 == 1", "--as=text", "--type", "public.png").status == 64)
  }
}
