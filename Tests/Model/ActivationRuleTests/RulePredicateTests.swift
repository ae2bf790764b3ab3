import BinaryPropertyList
import TestSupport
import Testing

@testable import ActivationRule

@Suite struct RulePredicateTests {
  private static let operators = "expected an operator such as == or UTI-CONFORMS-TO"

  @Test(arguments: [
    ("", 0, "expected a value, not the end"), ("1", 1, operators + ", not the end"),
    ("(1)", 3, operators + ", not the end"), ("1 = 1)", 5, "expected AND, OR or the end, not ')'"),
    ("(1 = 1", 6, "expected ')', not the end"), ("1 == 1 OR", 9, "expected a value, not the end"),
    ("1 == 1 AND 2", 12, operators + ", not the end"), ("NOT 1", 5, operators + ", not the end"),
    ("(1 OR 2 == 2)", 3, operators), ("a.b.@sum == 1", 4, "'@sum' is not known: only @count is"),
    ("a. == 1", 3, "expected a key or @count behind '.'"),
    (
      "$a == 1", 0,
      "the variable $a belongs to no SUBQUERY around it"
    ),
    ("SUBQUERY(a, b, 1 == 1).@count == 1", 12, "expected a variable such as $item"),
    ("SUBQUERY(a, $b).@count == 1", 14, "expected ',', not ')'"),
    ("FUNCTION(a, 'b') == 1", 0, "'FUNCTION(' is refused: functions are not evaluated"),
    ("CAST(a, 'b') == 1", 0, "'CAST(' is refused: functions are not evaluated"),
    ("a MATCHES 'b'", 2, "MATCHES is refused: it takes a regular expression, which no limit holds"),
    ("\"abc", 0, "the text that begins here has no end"),
    (
      "'a\\x' == 1", 2,
      "expected \\\", \\', \\\\, \\n, \\r, \\t or \\u and four digits"
    ),
    ("'\\ud800' == 1", 1, "half a surrogate pair"),
    ("'\\u12' == 1", 1, "expected four hexadecimal digits behind \\u"),
    ("1 & 2", 2, "expected &&"), ("1 | 2", 2, "expected ||"), ("a # 1", 2, "unexpected '#'"),
    ("a \u{1} 1", 2, "unexpected control character"),
    ("a =[x] 1", 3, "expected options of c, d and n"),
    ("a <[c] 1", 3, "< takes no options"), ("1x == 1", 1, "expected the end of the number"),
    ("1e999 == 1", 0, "the number is too large"), ("- == 1", 0, "expected a number behind '-'"),
    ("1 BETWEEN {1}", 10, "BETWEEN takes two bounds"), ("{1, 2 == 1", 6, "expected '}'"),
    (
      "(1 == 1).@count == 1", 8,
      "expected AND, OR or the end: a condition in parentheses has no value"
    ),
    ("a UTI-CONFORMS 1", 2, operators), ("$ == 1", 0, "expected a name behind '$'"),
    ("1 == 1 2", 7, "expected AND, OR or the end"),
  ])
  func malformedTextIsRefusedAtItsPlace(text: String, offset: Int, reason: String) {
    let error = #expect(throws: RulePredicate.SyntaxError.self) { try RulePredicate(text) }
    #expect(error?.reason == reason)
    #expect(error?.place.offset == offset)
  }

  @Test func placeCountsLinesAndCharacters() {
    let error = #expect(throws: RulePredicate.SyntaxError.self) {
      try RulePredicate("1 == 1\r\nAND 'é' == 'ü'\nAND ?")
    }
    #expect(error?.place == TextPlace(offset: 30, line: 3, column: 5))
    #expect(error?.description == "line 3, column 5: unexpected '?'")
  }

  @Test func precedenceIsNotBeforeAndBeforeOr() throws {
    #expect(
      try RulePredicate("NOT 1==1 AND 1==2 OR 1==3 AND 1==4")
        == RulePredicate("((NOT (1==1)) AND (1==2)) OR ((1==3) AND (1==4))"))
    #expect(
      try RulePredicate("not 1=1&&1=2||1=3").description
        == "(NOT 1 == 1 AND 1 == 2) OR 1 == 3")
    #expect(try RulePredicate("(1==1 OR 1==2) OR 1==3") != RulePredicate("1==1 OR 1==2 OR 1==3"))
  }

  @Test func printedFormHasOneSpelling() throws {
    #expect(
      try RulePredicate("subquery (  a , $b,some $b . c  =[dc] 'x\"\\u0007' ) . @count<>-0.50")
        .description
        == #"SUBQUERY(a, $b, ANY $b.c ==[cd] "x\"\u0007").@count != -0.5"#)
    #expect(
      try RulePredicate("SELF.a IN {YES,no,Null,1e3,'é'} || falsepredicate").description
        == "SELF.a IN {TRUE, FALSE, NULL, 1000, \"é\"} OR FALSEPREDICATE")
  }

  @Test func longPredicateIsBrokenIntoLines() throws {
    let predicate = try RulePredicate(
      "SUBQUERY(extensionItems, $i, ANY $i.a == 1 OR (ANY $i.b == 2 AND ANY $i.c == 3)).@count == 1"
    )
    #expect(
      predicate.formatted(width: 40) == """
        SUBQUERY(
          extensionItems, $i,
          ANY $i.a == 1
          OR (ANY $i.b == 2 AND ANY $i.c == 3)
        ).@count == 1
        """)
    #expect(predicate.formatted(width: 200) == predicate.description)
  }

  @Test func textOfMoreThan64KiBIsRefused() throws {
    let blanks = String(repeating: " ", count: RulePredicate.textLimit - 6)
    _ = try RulePredicate(blanks + "1 == 1")
    let error = #expect(throws: RulePredicate.SyntaxError.self) {
      try RulePredicate(blanks + "1 == 11")
    }
    #expect(error?.reason == "longer than 64 KiB")
  }

  @Test(arguments: [
    ("(", "1==1", ")"), ("!", "1==1", ""), ("SUBQUERY(a,$b,", "1==1", ").@count==1"),
    ("{", "1", "}"), ("", "a", ".b"),
  ])
  func moreThan64LevelsAreRefused(open: String, inner: String, close: String) throws {
    func text(_ count: Int) -> String {
      let text =
        String(repeating: open, count: count) + inner + String(repeating: close, count: count)
      return open == "{" || open.isEmpty ? text + " == 1" : text
    }
    _ = try RulePredicate(text(64))
    let error = #expect(throws: RulePredicate.SyntaxError.self) { try RulePredicate(text(65)) }
    #expect(error?.reason == "nested deeper than 64 levels")
  }

  @Test func sixtyFourKiBOfParenthesesAreRefusedAtTheirSixtyFifth() {
    let error = #expect(throws: RulePredicate.SyntaxError.self) {
      try RulePredicate(String(repeating: "(", count: 65536))
    }
    #expect(error?.place.offset == 64)
  }

  @Test func tenThousandTermsAreReadPrintedAndChecked() throws {
    let text = "1=2" + String(repeating: "||1=2", count: 9999)
    let predicate = try RulePredicate(text)
    #expect(predicate.parts(of: predicate.nodes[predicate.root]).count == 10_000)
    let content = try PreparedContent(SharedContent([["public.png"]]))
    #expect(try !PreparedPredicate(predicate).matches(content))
    #expect(FoundRule(in: .string(text))?.findings() == [])
    #expect(predicate.formatted().utf8.count > 100_000)
  }

  @Test func changedPredicatesNeverTrap() throws {
    let words = [
      "(", ")", "{", "}", ",", ".", "==", "AND", "OR", "NOT", "ANY", "SUBQUERY", "$i", "\"x\"", "'",
      "1", "a", "extensionItems", "attachments", "@count", "UTI-CONFORMS-TO", "IN", "[c]", "NULL",
      "BETWEEN", "\\", "registeredTypeIdentifiers", "LIKE", "SELF", " ", "-", "é",
    ]
    var random = SplitMix(state: UInt64.random(in: 0...(.max)))
    let seed = random.state
    let content = try PreparedContent(SharedContent([["public.png", "public.file-url"]]))
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...12, using: &random)
      let text = (0..<count).map { _ in words.randomElement(using: &random) ?? "" }
        .joined(separator: " ")
      guard let predicate = try? RulePredicate(text) else { continue }
      #expect(try RulePredicate(predicate.description) == predicate, "\(seed)")
      _ = try? PreparedPredicate(predicate).matches(content)
    }
  }
}

@Suite struct RuleFindingTests {
  private func names(_ value: PropertyList) -> [String] {
    FoundRule(in: .dictionary(["NSExtensionActivationRule": value]))?.findings().map(\.name) ?? []
  }

  @Test func flawsThatTheReferenceLacksAreFound() {
    #expect(names(.string("1 ==")) == ["E-parse"])
    #expect(names(.integer(1)) == ["E-parse"])
    #expect(names(.string("FALSEPREDICATE")) == ["E-never"])
    #expect(names(.boolean(false)) == ["E-never"])
    #expect(names(.boolean(true)) == ["E-truepredicate", "W-vacuous-empty-item"])
    #expect(names(.string("extensionItem.@count == 1")) == ["E-never"])
    #expect(names(.dictionary([:])) == ["E-never"])
    let text = "NSExtensionActivationSupportsText"
    let image = "NSExtensionActivationSupportsImageWithMaxCount"
    #expect(names(.dictionary([text: .boolean(false)])) == ["E-never"])
    #expect(names(.dictionary([image: .boolean(true)])) == ["W-count-as-bool:\(image)"])
    #expect(
      names(
        .dictionary([
          DictionaryRule.maximumKey: .integer(1), DictionaryRule.minimumKey: .integer(2),
        ])) == ["E-never"])
  }

  @Test func versionBesideTheRuleIsFound() {
    let found = FoundRule(
      in: .dictionary([
        "NSExtension": .dictionary([
          "NSExtensionAttributes": .dictionary([
            DictionaryRule.versionKey: .integer(2),
            "NSExtensionActivationRule": .dictionary([
              "NSExtensionActivationSupportsText": .boolean(true)
            ]),
          ])
        ])
      ]))
    #expect(
      found?.findings().map(\.name) == [
        "W-strict-v1-hides-on-mixed-items", "W-version-outside-dict:\(DictionaryRule.versionKey)",
      ])
  }

  @Test func findingsOfAPredicateStandInTheOrderOfTheirPlaces() {
    let text = """
      SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a,
        ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.url"
        OR ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.imgae"
      ).@count <= 3).@count == 1
      """
    let findings = FoundRule(in: .string(text))?.findings() ?? []
    let places = findings.map { finding -> String in
      guard case .text(let place) = finding.place else { return finding.name }
      return "\(place.line):\(place.column) \(finding.name)"
    }
    #expect(
      places == [
        "1:1 I-single-item-only", "1:1 W-vacuous-empty-item", "1:30 W-accepts-unrelated-type",
        "3:55 E-unknown-public-uti:public.imgae",
      ])
  }

  @Test func rulesAreFoundWhereverTheyStand() {
    let rule: PropertyList = .dictionary(["NSExtensionActivationSupportsText": .boolean(true)])
    #expect(FoundRule(in: rule)?.value == rule)
    #expect(FoundRule(in: rule)?.keyPath == [])
    let inner: PropertyList = .dictionary(["NSExtensionActivationRule": rule])
    #expect(FoundRule(in: inner)?.value == rule)
    #expect(FoundRule(in: .dictionary(["CFBundleIdentifier": .string("a")])) == nil)
    #expect(FoundRule(in: .array([rule])) == nil)
    let nested: PropertyList = .dictionary([
      "NSExtensionActivationRule": .string("TRUEPREDICATE"),
      "NSExtensionActivationSupportsText": .boolean(true),
    ])
    #expect(FoundRule(in: nested)?.keyPath == [])
  }

  @Test(arguments: [
    (PropertyList.boolean(true), 1), (.integer(-3), -3), (.real(2.9), 2), (.real(.nan), 0),
    (.string(" 3x"), 3), (.string("-12"), -12), (.string("x"), 0),
    (.string("99999999999999999999"), Int.max), (.data([1]), 0), (.null, 0),
  ])
  func valuesCountAsTheirInteger(value: PropertyList, integer: Int) {
    #expect(DictionaryRule.integer(value) == integer)
  }
}
