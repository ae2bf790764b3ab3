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
    try check("predicates.json", count: 53)
  }

  @Test func dictionariesOfAllKeysHaveTheirVerdicts() throws {
    try check("dictionaries.json", count: 16)
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
  ])
  func whatCannotBeEvaluatedIsToldWithItsPlace(text: String, message: String) throws {
    let prepared = PreparedPredicate(try RulePredicate(text))
    let content = try PreparedContent(SharedContent([["public.text"]]))
    let error = #expect(throws: EvaluationError.self) { try prepared.matches(content) }
    #expect(error?.description == message)
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
