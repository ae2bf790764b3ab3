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
    ("(1 OR 2 == 2)", 3, operators),
    ("a.b.@total == 1", 4, "'@total' is not known: @count, @sum, @min, @max and @avg are"),
    ("a.b.@sum == 1", 9, "expected '.' and a key after @sum"),
    ("a.@sum.@count == 1", 7, "expected a key after '.'"),
    ("a. == 1", 3, "expected a key or @count after '.'"),
    ("SUBQUERY(a, b, 1 == 1).@count == 1", 12, "expected a variable such as $item"),
    ("SUBQUERY(a, $b).@count == 1", 14, "expected ',', not ')'"),
    ("system(1) == 1", 0, "'system' is no function of NSPredicate"),
    ("add:by:(1, 2) == 1", 0, "'add:by:' is no function of NSPredicate"),
    ("chs(1) == 1", 0, "'chs' is no function of NSPredicate"),
    ("sum(1, 2) == 1", 0, "sum takes 1 argument, not 2"),
    ("add:to:(1) == 1", 0, "add:to: takes 2 arguments, not 1"),
    ("CAST() == 1", 0, "CAST takes 2 arguments, not 0"),
    ("TERNARY(1 == 1, 2) == 2", 0, "TERNARY takes 3 arguments, not 2"),
    ("TERNARY(1, 2, 3) == 2", 9, operators + ", not ','"),
    ("add:to: == 1", 8, "expected '('"),
    ("a.add:to: == 1", 2, "expected a key or @count after '.'"),
    ("a[1 == 1", 4, "expected ']'"), ("a[] == 1", 2, "expected a value, not ']'"),
    ("[0] == 1", 0, "expected a value, not '['"), ("a[FIRST, 1] == 1", 7, "expected ']', not ','"),
    ("1 + == 1", 4, "expected a value"), ("* 1 == 1", 0, "expected a value"),
    ("0x == 1", 2, "expected digits of base 16"), ("0b102 == 1", 2, "expected digits of base 2"),
    ("0o8 == 1", 2, "expected digits of base 8"),

    ("\"abc", 0, "the text that begins here has no end"),
    (
      "'a\\x' == 1", 2,
      "expected \\\", \\', \\\\, \\n, \\r, \\t or \\u and four digits"
    ),
    ("'\\ud800' == 1", 1, "half a surrogate pair"),
    ("'\\u12' == 1", 1, "expected four hexadecimal digits after \\u"),
    ("1 & 2", 2, "expected &&"), ("1 | 2", 2, "expected ||"), ("a # 1", 2, "unexpected '#'"),
    ("a \u{1} 1", 2, "unexpected control character"),
    ("a =[x] 1", 3, "expected options of c, d and n"),
    ("a <[c] 1", 3, "< takes no options"), ("1x == 1", 1, "expected the end of the number"),
    ("1e999 == 1", 0, "the number is too large"), ("- == 1", 2, "expected a value"),
    ("1 BETWEEN {1}", 10, "BETWEEN takes two bounds"), ("{1, 2 == 1", 6, "expected '}'"),
    (
      "(1 == 1).@count == 1", 8,
      "expected AND, OR or the end: a condition in parentheses has no value"
    ),
    (
      "(1 == 1) + 1 == 1", 9, "expected AND, OR or the end: a condition in parentheses has no value"
    ),
    ("(1 == 1)[0] == 1", 8, "expected AND, OR or the end: a condition in parentheses has no value"),
    ("a UTI-CONFORMS 1", 2, operators), ("$ == 1", 0, "expected a name after '$'"),
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
    #expect(error?.place == TextPlace(offset: 29, line: 3, column: 5))
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
        == "SELF.a IN {TRUE, FALSE, NULL, 1000.0, \"é\"} OR FALSEPREDICATE")
  }

  @Test(arguments: [
    ("1+2*3==7", "1 + 2 * 3 == 7"), ("(1+2)*3==9", "(1 + 2) * 3 == 9"),
    ("1-(2-3)-4==0", "1 - (2 - 3) - 4 == 0"), ("2**3**2==64", "2 ** 3 ** 2 == 64"),
    ("2**(3**2)==1", "2 ** (3 ** 2) == 1"), ("-2**2==4", "-2 ** 2 == 4"),
    ("-(2**2)==-4", "-(2 ** 2) == -4"), ("- -5==5", "5 == 5"), ("-(-a)==1", "--a == 1"),
    ("-(5)==1", "-5 == 1"), ("(-5).b==1", "(-5).b == 1"), ("-5.b==1", "-5.b == 1"),
    ("(-a).b[0]==1", "(-a).b[0] == 1"), ("(a+b)[0]==1", "(a + b)[0] == 1"),
    ("a [ first ]==1", "a[FIRST] == 1"), ("a[(first)]==1", "a[(first)] == 1"),
    ("a[first.b]==1", "a[first.b] == 1"), ("a[Last][SIZE]==1", "a[LAST][SIZE] == 1"),
    ("0x1F==0b11+0o17", "31 == 3 + 15"), ("1.0/2==.5e0", nil), ("1.0/2==0.5", "1.0 / 2 == 0.5"),
    ("add:to:(1,2)==from:subtract:(a,b)", "1 + 2 == a - b"), ("sum:({1})==1", "sum({1}) == 1"),
    ("multiply:by:(add:to:(1,2),3)==1", "(1 + 2) * 3 == 1"),
    ("modulus:by:(7,3)==1", "modulus:by:(7, 3) == 1"),
    ("ternary(1==2 or 1==3,1,2)==2", "TERNARY(1 == 2 OR 1 == 3, 1, 2) == 2"),
    ("cast(a,'b')==function(a,'b',1)", "CAST(a, \"b\") == FUNCTION(a, \"b\", 1)"),
    ("a.@sum.b.c==1", "a.@sum.b.c == 1"), ("(a.@sum.b).c==1", "(a.@sum.b).c == 1"),
    ("a.b.@max.self==1", "a.b.@max.SELF == 1"), ("$x+1==1", "$x + 1 == 1"),
    ("(a)+1==1", "a + 1 == 1"), ("((a+1))*2==1", "(a + 1) * 2 == 1"),
    ("-0.0==-0", "-0.0 == 0"), ("9223372036854775808==1", "9.223372036854776e+18 == 1"),
  ])
  func calculationIsPrintedAsItIsRead(text: String, printed: String?) throws {
    guard let printed else {
      #expect(throws: RulePredicate.SyntaxError.self) { try RulePredicate(text) }
      return
    }
    let predicate = try RulePredicate(text)
    #expect(predicate.description == printed)
    #expect(try RulePredicate(printed) == predicate)
    #expect(try RulePredicate(predicate.formatted(width: 8)) == predicate)
    #expect(predicate.formatted(width: 200) == printed)
  }

  @Test func partsOfUnlimitedHeightAreRefused() throws {
    // Each parenthesis may have a chain of its own, but not all of them together.
    var text = "a"
    for level in stride(from: 60, through: 20, by: -1) {
      text = "(\(text)\(String(repeating: "+1", count: 63 - level)))"
    }
    let error = #expect(throws: RulePredicate.SyntaxError.self) { try RulePredicate(text + "==1") }
    #expect(error?.reason == "nested deeper than 64 levels")
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
    ("{", "1", "}"), ("", "a", ".b"), ("", "a", "[0]"), ("", "a", " + 1"), ("-", "a", ""),
    ("abs(", "1", ")"), ("TERNARY(1==1,1,", "2", ")"), ("a[", "0", "]"),
  ])
  func moreThan64LevelsAreRefused(open: String, inner: String, close: String) throws {
    func text(_ count: Int) -> String {
      let text =
        String(repeating: open, count: count) + inner + String(repeating: close, count: count)
      return inner.contains("=") ? text : text + " == 1"
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
    #expect(FoundRule(in: .string(text))?.findings().map(\.name) == ["E-never"])
    #expect(predicate.formatted().utf8.count > 90_000)
  }

  @Test(arguments: [3, 16, 17, 18, 40]) func keysAreTheirOwnHoweverManyThereAre(_ count: Int) throws
  {
    let conditions = (0..<2 * count).map { "key\($0 % count) == other\((7 * $0) % count)" }
    let text = conditions.joined(separator: " AND ")
    #expect(try RulePredicate(text).description == text)
  }

  @Test func changedPredicatesNeverTrap() throws {
    let words = [
      "(", ")", "{", "}", ",", ".", "==", "AND", "OR", "NOT", "ANY", "SUBQUERY", "$i", "\"x\"", "'",
      "1", "a", "extensionItems", "attachments", "@count", "UTI-CONFORMS-TO", "IN", "[c]", "NULL",
      "BETWEEN", "\\", "registeredTypeIdentifiers", "LIKE", "SELF", " ", "-", "é", "+", "*", "/",
      "**",
      "[", "]", "[FIRST]", "[0]", "sum(", "TERNARY(", "modulus:by:(", "CAST(", ".@sum.", "0x1",
      "2.0",
      "first", "$unknown", "9223372036854775807",
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

private let items = "SUBQUERY(extensionItems, $i, "

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

  private func places(_ text: String) -> [String] {
    (FoundRule(in: .string(text))?.findings() ?? []).map { finding in
      guard case .text(let place) = finding.place else { return finding.name }
      return "\(place.line):\(place.column) \(finding.name): \(finding.message)"
    }
  }

  @Test(arguments: [
    ("1 == 2", 1), (#""a" == "b""#, 1), ("FALSEPREDICATE AND extensionItems.@count == 1", 1),
    ("extensionItems.@count == 1 AND 1 == 2", 32), ("NOT 1 == 1", 1), ("!(1 == 1)", 1),
    ("NULL == 1 OR ANY {1, 2} > 2", 1), ("2 + 2 == 5 AND extensionItems.@count == 1", 1),
    ("extensionItems.@count == 1 AND (1 == 2 OR 3 < 2)", 32),
    ("NOT (1 == 1 OR extensionItems.@count == 1)", 1),
    ("(1 == 2 AND extensionItems.@count == 1) OR (extensionItems.@count == 2 AND 'a' == 'b')", 1),
    ("SUBQUERY({1, 2}, $x, $x == 3).@count == 1 AND extensionItems.@count == 1", 1),
    (items + "1 == 2).@count == 1", 30),
    (items + "$i.attachments.@count == 1 AND 1 > 2).@count > 0", 61),
    (items + "SUBQUERY($i.attachments, $a, FALSEPREDICATE).@count == 2).@count >= 1", 59),
    (items + "SUBQUERY({1, 2}, $x, $x == 3).@count == 1).@count == 1", 30),
    ("now() == 1 AND 1 == 2", 16), ("'a' MATCHES 'b+' AND SELF != NULL", 1),
  ])
  func conditionThatIsAlwaysFalseIsFoundAtItsPart(text: String, column: Int) {
    let never = places(text).filter { $0.contains("E-never") }
    #expect(
      never == ["1:\(column) E-never: nothing is accepted: the condition is always false"])
  }

  @Test func constantWithoutAnAnswerIsFound() {
    #expect(
      places("extensionItems.@count == 1 AND 1 / 0 == 1") == [
        "1:32 E-never: nothing is accepted: division by zero"
      ])
    #expect(
      places("1 == 2 AND extensionItems.@count == 1") == [
        "1:1 E-never: nothing is accepted: the condition is always false"
      ])
    #expect(places("FALSEPREDICATE") == ["1:1 E-never: nothing is accepted"])
  }

  @Test(arguments: [
    ("1 == 1", 1), ("extensionItems.@count == 7 OR 1 == 1", 31), ("NOT 1 == 2", 1),
    ("NOT (extensionItems.@count == 1 AND 1 == 2)", 1), ("TRUEPREDICATE AND 2 > 1", 1),
    ("NOT \(items)FALSEPREDICATE).@count == 1", 1),
  ])
  func conditionThatIsAlwaysTrueIsFoundAtItsPart(text: String, column: Int) {
    #expect(
      places(text).contains(
        "1:\(column) E-truepredicate: everything is accepted: the condition is always true"))
  }

  @Test(arguments: [
    // What decides are not the constants.
    "extensionItems.@count == 1 OR 1 == 2", "extensionItems.@count == 1 AND 1 == 1",
    "(extensionItems.@count == 1 OR 1 == 2) AND (1 == 1 OR extensionItems.@count == 2)",
    items + "1 == 2).@count == 0", items + "1 == 2).@count != 1", items + "1 == 2).@count < 1",
    items + "1 == 1).@count == 1", items + "$i.attachments.@count == 1).@count == 1",
    "1 == 2 OR NOT (extensionItems.@count == 3 AND 1 / 0 == 1)",
    "TERNARY(1 == 2, 1, extensionItems.@count) == 1",
    "extensionItems.@count == 7 AND 'a' MATCHES lowercase('(?=A)')",
  ])
  func constantsThatDoNotDecideAreNoFlaw(text: String) {
    #expect(
      places(text).filter { $0.contains("E-never") || $0.contains("E-truepredicate") } == [])
  }

  @Test func constantsThatTakeTooLongAreNoFlaw() {
    let list = "{" + Array(repeating: "1", count: 400).joined(separator: ",") + "}"
    // Takes 64 million steps.
    let endless =
      "SUBQUERY(\(list), $a, SUBQUERY(\(list), $b, "
      + "SUBQUERY(\(list), $c, $a == $c).@count == 1).@count == 1).@count == 1"
    #expect(places("extensionItems.@count == 7 AND \(endless)") == [])
    // All constants share the limit, so that many of them take no longer.
    let many = Array(repeating: endless, count: 10).joined(separator: " AND ")
    #expect(places("extensionItems.@count == 7 AND \(many) AND 1 == 2") == [])
  }

  @Test func whatIsNotEvaluatedIsReportedAsValid() {
    #expect(
      names(.string("CAST(extensionItems, 'b') == $x")) == ["W-not-evaluated", "W-not-evaluated"])
    #expect(
      names(.string("extensionItems.@unionOfObjects.attachments == 1")) == ["W-not-evaluated"])
    let findings = FoundRule(in: .string("extensionItems.@count == now()"))?.findings()
    #expect(findings?.map(\.message) == ["now is valid, but not evaluated here"])
    #expect(findings?.map(\.place) == [.text(TextPlace(offset: 25, line: 1, column: 26))])
    #expect(findings?.first?.code.severity == .warning)
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
