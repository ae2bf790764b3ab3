import BinaryPropertyList
import Foundation
import TestSupport
import Testing

@testable import ActivationRule

/// The rules of our own in Fixtures/Sharing, which cover the whole grammar.
@Suite struct VerdictTests {
  private struct Table: Decodable {
    struct Row: Decodable {
      let predicate: String?
      let rule: JSONList?
      let matches: [String]
      let not: [String]
    }
    let contents: [String: JSONList]
    let rows: [Row]
  }

  private func check(_ name: String, count: Int) throws {
    let table = try JSONDecoder().decode(
      Table.self, from: Data(Fixture.bytes("Sharing/\(name)")))
    #expect(table.rows.count == count)
    let contents = try table.contents.mapValues { try PreparedContent(SharedContent($0.list)) }
    for row in table.rows {
      let value = try row.predicate.map { .string($0) } ?? #require(row.rule).list
      let rule = PreparedRule(try ActivationRule(value))
      for (names, verdict) in [(row.matches, true), (row.not, false)] {
        for name in names {
          let content = try #require(contents[name], "\(name)")
          let matches = (try? rule.matches(content)) ?? false
          #expect(matches == verdict, "\(value) on \(name)")
          #expect(rule.explain(content).isTrue == verdict, "\(value) on \(name), explained")
        }
      }
      guard case .predicate(let predicate) = try ActivationRule(value) else { continue }
      for text in [predicate.description, predicate.formatted(width: 20)] {
        #expect(try RulePredicate(text) == predicate, "\(text)")
      }
    }
  }

  @Test func predicatesOfTheWholeGrammarHaveTheirVerdicts() throws {
    try check("predicates.json", count: 54)
  }

  @Test func dictionariesOfAllKeysHaveTheirVerdicts() throws {
    try check("dictionaries.json", count: 16)
  }

  @Test(arguments: [
    ("TRUEPREDICATE", false), ("NOT FALSEPREDICATE", false),
    ("extensionItems.@count == 2", false), ("extensionItems[SIZE] < 3", false),
    ("SUBQUERY(extensionItems, $i, $i.attachments.@count > 1).@count == 1", false),
    ("ANY extensionItems.attributedTitle == \"a\"", false),
    ("ANY extensionItems.attachments.registeredTypeIdentifiers == 1", true),
    ("ANY extensionItems.attachments.registeredtypeidentifiers == 1", false),
    ("extensionItems == extensionItems", true),
    ("lowercase:(\"A\") == \"a\"", true),
    ("extensionItems.@count > 1 OR extensionItems[0].attachments.@count == 1", true),
  ])
  func rulesDependOnTypesWhereTheyMayLookAtThem(_ text: String, _ depends: Bool) throws {
    #expect(try ActivationRule(.string(text)).dependsOnTypes == depends)
  }

  @Test func dictionariesDependOnTypesUnlessNothingIsAccepted() throws {
    let none = try PropertyList.Dictionary([(DictionaryRule.AttachmentClass.image.key, .integer(0))]
    )
    let refusing = try ActivationRule(.dictionary(none))
    #expect(!refusing.dependsOnTypes)
    let some = try PropertyList.Dictionary([(DictionaryRule.AttachmentClass.file.key, .integer(1))])
    let accepting = try ActivationRule(.dictionary(some))
    #expect(accepting.dependsOnTypes)
  }

  /// Over all fixtures, with the types of each attachment replaced by others, in the same number.
  @Test func rulesThatDoNotDependOnTypesHaveOneVerdict() throws {
    var count = 0
    for name in ["predicates.json", "dictionaries.json"] {
      let table = try JSONDecoder().decode(
        Table.self, from: Data(Fixture.bytes("Sharing/\(name)")))
      for row in table.rows {
        let value = try row.predicate.map { .string($0) } ?? #require(row.rule).list
        let read = try ActivationRule(value)
        if read.dependsOnTypes { continue }
        count += 1
        let rule = PreparedRule(read)
        for list in table.contents.values {
          let content = try SharedContent(list.list)
          var other = content
          for item in other.items.indices {
            for attachment in other.items[item].attachments.indices {
              other.items[item].attachments[attachment] = SharedContent.Attachment(["public.data"])
            }
          }
          let verdict = try? rule.matches(PreparedContent(content))
          let otherVerdict = try? rule.matches(PreparedContent(other))
          #expect(verdict == otherVerdict, "\(value)")
        }
      }
    }
    #expect(count >= 3)
  }

  @Test(arguments: [
    ("ANY 1 == 1", "line 1, column 5: not a collection, but a number"),
    ("1 < \"a\"", "line 1, column 1: cannot order a number and a text"),
    ("extensionItem.@count == 1", "line 1, column 1: the content has no key 'extensionItem'"),
    (
      "SUBQUERY(extensionItems, $i,\n $i.attachment == 1).@count == 0",
      "line 2, column 2: an item has no key 'attachment'"
    ),
    (
      "SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a, $a.types == 1).@count == 0).@count"
        + " == 0", "line 1, column 59: an attachment has no key 'types'"
    ),
    (
      "extensionItems CONTAINS 1 OR \"a\" LIKE 1",
      "line 1, column 30: cannot compare a text with a"
        + " number as texts"
    ),
    ("\"a\".@count == 1", "line 1, column 1: @count of a text"),
    ("1 BETWEEN 2", "line 1, column 1: not a collection, but a number"),
    ("1 / 0 == 1", "line 1, column 1: division by zero"),
    ("1.5 / 0.0 == 1", "line 1, column 1: division by zero"),
    ("0 ** -1 == 1", "line 1, column 1: division by zero"),
    ("modulus:by:(1, 0) == 1", "line 1, column 1: division by zero"),
    (
      "9223372036854775807 + 1 == 0",
      "line 1, column 1: the result of + is not a finite number of 64 bits"
    ),
    (
      "(-9223372036854775807 - 1) / -1 == 0",
      "line 1, column 1: the result of / is not a finite number of 64 bits"
    ),
    ("10 ** 19 == 0", "line 1, column 1: the result of ** is not a finite number of 64 bits"),
    ("1e308 * 10 == 0", "line 1, column 1: the result of * is not a finite number of 64 bits"),
    ("sqrt(-1) == 0", "line 1, column 1: the result of sqrt is not a finite number of 64 bits"),
    ("1 + 'a' == 1", "line 1, column 1: + takes numbers, not a text"),
    ("-extensionItems == 1", "line 1, column 1: - takes numbers, not a collection"),
    ("lowercase(1) == 'a'", "line 1, column 1: lowercase takes a text, not a number"),
    ("sum({1, 'a'}) == 1", "line 1, column 1: sum takes numbers, not a text"),
    ("sum(1) == 1", "line 1, column 1: not a collection, but a number"),
    ("max({1, 'a'}) == 1", "line 1, column 1: cannot order a text and a number"),
    (
      "{1}[1] == 1",
      "line 1, column 1: the index 1 is outside the collection, which has 1 element"
    ),
    (
      "{1, 2}[-1] == 1",
      "line 1, column 1: the index -1 is outside the collection, which has 2 elements"
    ),
    ("{1}[0.0] == 1", "line 1, column 1: 0.0 is no index: it is no integer"),
    ("{1}['a'] == 1", "line 1, column 1: a text is no index of a collection"),
    ("'a'[0] == 1", "line 1, column 1: an index of a text"),
    ("1[FIRST] == 1", "line 1, column 1: not a collection, but a number"),
    ("1 == 2 OR CAST(1, 'a') == 1", "line 1, column 11: CAST is valid, but not evaluated here"),
    (
      "1 == 1 OR $x == 1",
      "line 1, column 11: the variable $x, which belongs to no SUBQUERY around it, is valid, but"
        + " not evaluated here"
    ),
  ])
  func whatCannotBeEvaluatedIsReportedWithItsPlace(text: String, message: String) throws {
    let prepared = PreparedPredicate(try RulePredicate(text))
    let content = try PreparedContent(SharedContent([["public.text"]]))
    let error = #expect(throws: EvaluationError.self) { try prepared.matches(content) }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    "1 + 2 * 3 == 7 AND (1 + 2) * 3 == 9", "7 / 2 == 3 AND -7 / 2 == -3 AND 7 / 2.0 == 3.5",
    "2 ** 3 ** 2 == 64 AND 2 ** (3 ** 2) == 512 AND -2 ** 2 == 4 AND -(2 ** 2) == -4",
    "2 ** -1 == 0.5 AND 2 ** 62 == 4611686018427387904 AND 2.0 ** 0.5 > 1.4142",
    "0x1f == 31 AND 0X1F == 31 AND 0b101 == 5 AND 0o17 == 15",
    "9007199254740993 != 9007199254740992 AND 9007199254740993 > 9007199254740992",
    "1 - 2 - 3 == -4 AND 1 -2 == -1 AND 8 / 4 / 2 == 1 AND TRUE + 1 == 2",
    "add:to:(1, 2) == 3 AND from:subtract:(5, 3) == 2 AND multiply:by:(2, 3) == 6",
    "modulus:by:(-9223372036854775807 - 1, -1) == 0",
    "0x8000000000000000 == 9223372036854775808 AND 0b11 == 3",
    "divide:by:(7, 2) == 3 AND raise:toPower:(2, 3) == 8 AND modulus:by:(-7, 3) == -1",
    "modulus:by:(7.5, 2) == 1.5 AND abs(-5) == 5 AND abs:(2.5) == 2.5 AND sqrt(9) == 3",
    "floor(-1.5) == -2 AND ceiling(1.2) == 2 AND trunc(-1.5) == -1 AND floor(3) == 3",
    "exp(0) == 1 AND ln(1) == 0 AND log(100) == 2", "{1, 2, 3}[1] == 2 AND {1, 2}[2 - 1] == 2",
    "{1, 2}[FIRST] == 1 AND {1, 2}[last] == 2 AND {1, 2}[SIZE] == 2 AND {}[SIZE] == 0",
    "{}[FIRST] == NULL AND NULL[0] == NULL AND NULL[LAST] == NULL AND first({}) == NULL",
    "first({1, 2}) == 1 AND last:({1, 2}) == 2 AND count({}) == 0 AND count:({1}) == 1",
    "sum({1, 2.5}) == 3.5 AND sum({}) == 0 AND average({1, 2}) == 1.5 AND average({}) == 0",
    "min({3, 1}) == 1 AND max({'a', 'b'}) == 'b' AND min({}) == NULL",
    "lowercase('AbÇ') == 'abç' AND uppercase:('aß') == 'ASS' AND length('a😀') == 3",
    "lowercase(uppercase('a')) == 'a' AND length(NULL) == NULL AND lowercase(NULL) == NULL",
    "NULL + 1 == NULL AND -NULL == NULL AND abs(NULL) == NULL AND NOT NULL + 1 < 2",
    "TERNARY(1 == 2, 1 / 0, 'a') == 'a' AND TERNARY(1 == 1 AND 2 == 2, 1, 1 / 0) == 1",
    "{1, NULL, 2}.@sum.SELF == 3 AND {1, NULL, 2}.@max.SELF == 2 AND {}.@avg.SELF == 0",
    "{'a', 'bc'}.@sum.length == 3 AND {'a', 'bc'}.@min.length == 1",
    "extensionItems[0].attachments[FIRST].registeredTypeIdentifiers[SIZE] == 1",
    "ANY extensionItems[0].attachments[LAST].registeredTypeIdentifiers UTI-CONFORMS-TO 'public.text'",
    "SUBQUERY(extensionItems, $i, $i.attachments.@count + 1 == 2 * 1).@count == 1",
    "extensionItems[FIRST].userInfo['a'] + 1 == 8 AND extensionItems[0].userInfo['b'] == NULL",
    "lowercase('PUBLIC.PNG') UTI-CONFORMS-TO 'public.image' AND lowercase('A') LIKE 'a*'",
    "extensionItems[0].userInfo.a - extensionItems[0].userInfo[lowercase('A')] == 0",
  ])
  func calculationHasItsResult(text: String) throws {
    let predicate = try RulePredicate(text)
    var item = SharedContent.Item(attachments: [SharedContent.Attachment(["public.text"])])
    item.userInfo = ["a": .integer(7)]
    let content = try PreparedContent(SharedContent(items: [item]))
    #expect(try PreparedPredicate(predicate).matches(content))
    #expect(PreparedRule(.predicate(predicate)).explain(content).isTrue)
    #expect(try RulePredicate(predicate.description) == predicate)
    #expect(FoundRule(in: .string(text))?.findings().map(\.code).contains(.parse) == false)
  }

  @Test func textsThatAreMadeCountAsWork() throws {
    let text = "SUBQUERY(extensionItems, $i, lowercase($i.attributedTitle) == 'b').@count == 0"
    let item = SharedContent.Item(
      title: String(repeating: "a", count: 300_000), attachments: [])
    let content = try PreparedContent(SharedContent(items: Array(repeating: item, count: 20)))
    let error = #expect(throws: EvaluationError.self) {
      try PreparedPredicate(RulePredicate(text)).matches(content)
    }
    #expect(error?.reason == "the evaluation takes more than 10000000 steps")
  }

  @Test func explanationNamesTheResult() throws {
    let predicate = try RulePredicate("extensionItems.@count * 2 + 0.5 == 3")
    let explanation = PreparedRule(.predicate(predicate)).explain(
      try PreparedContent(SharedContent([["public.png"]])))
    #expect(
      explanation.text
        == "extensionItems.@count * 2 + 0.5 == 3; extensionItems.@count * 2 + 0.5 is 2.5")
  }

  @Test func workThatGrowsWithThePowerOfSubqueriesEnds() throws {
    var text = "1 == 1"
    for level in 0..<60 { text = "SUBQUERY(extensionItems, $v\(level), \(text)).@count > 0" }
    let items = Array(repeating: SharedContent.Item(attachments: []), count: 50)
    let prepared = PreparedPredicate(try RulePredicate(text))
    let error = #expect(throws: EvaluationError.self) {
      try prepared.matches(PreparedContent(SharedContent(items: items)))
    }
    #expect(error?.reason == "the evaluation takes more than 10000000 steps")
  }

  @Test func contentBeyondTheLimitsIsRefused() throws {
    let many = Array(repeating: ["public.png"], count: 10_001)
    #expect(
      throws: SharedContent.Failure(
        description: "the content has more than 10000 items or attachments")
    ) { try PreparedContent(SharedContent(many)) }
    #expect(
      throws: SharedContent.Failure(description: "the content has more than 100000 types")
    ) { try PreparedContent(SharedContent([Array(repeating: "a", count: 100_001)])) }
    _ = try PreparedContent(SharedContent(Array(many.dropLast())))
  }

  @Test(arguments: [
    ("[]", "the content is not an object"), ("{}", "the content has no extensionItems"),
    ("{\"extensionItems\":{}}", "the content: extensionItems is not an array"),
    ("{\"extensionItems\":[1]}", "item 1 is not an object"),
    (
      "{\"extensionItems\":[{\"attachment\":[]}]}",
      "item 1 has the unknown key \"attachment\"; known are attributedTitle, attributedContentText,"
        + " userInfo, attachments"
    ),
    (
      "{\"extensionItems\":[{},{\"attachments\":[{},{\"registeredTypeIdentifiers\":[1]}]}]}",
      "item 2, attachment 2: registeredTypeIdentifiers has an element that is not a string"
    ),
    (
      "{\"extensionItems\":[{\"attributedTitle\":1}]}", "item 1: attributedTitle is not a string"
    ),
    ("{\"extensionItems\":[{\"userInfo\":[]}]}", "item 1: userInfo is not an object"),
  ])
  func malformedContentIsRefusedWithItsPlace(json: String, reason: String) throws {
    let list = try JSONDecoder().decode(JSONList.self, from: Data(json.utf8)).list
    #expect(throws: SharedContent.Failure(description: reason)) { try SharedContent(list) }
  }

  @Test func explanationNamesThePartAndTheAttachmentThatDecide() throws {
    let predicate = try RulePredicate(
      """
      SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a,
        ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.image").@count == 2).@count == 1
      """)
    let content = try PreparedContent(SharedContent([["public.png"], ["public.url"]]))
    let explanation = PreparedRule(.predicate(predicate)).explain(content)
    #expect(!explanation.isTrue)
    #expect(explanation.place == TextPlace(offset: 0, line: 1, column: 1))
    let item = try #require(explanation.reasons.first)
    #expect(item.text == "item 1")
    let attachments = try #require(item.reasons.first).reasons
    #expect(
      attachments.map(\.text) == ["attachment 1 (public.png)", "attachment 2 (public.url)"])
    #expect(attachments.map(\.isTrue) == [true, false])
    let rule = DictionaryRule(["NSExtensionActivationSupportsImageWithMaxCount": .integer(2)])
    let other = PreparedRule.dictionary(rule).explain(content)
    #expect(
      other.text == "attachment 2 is not accepted, and the rule is strict: its version is 1")
    #expect(other.reasons.map(\.isTrue) == [true, false])
  }

  @Test func explanationOfManyAttachmentsIsCut() throws {
    let content = try PreparedContent(
      SharedContent(Array(repeating: ["public.png"], count: 10_000)))
    let rule = PreparedRule(
      .predicate(
        try RulePredicate(
          "SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a, 1 == 2).@count > 0).@count > 0"
        )))
    let attachments = rule.explain(content).reasons[0].reasons[0].reasons
    #expect(attachments.count == 51)
    #expect(attachments.last?.text == "and 9950 more")
  }
}
