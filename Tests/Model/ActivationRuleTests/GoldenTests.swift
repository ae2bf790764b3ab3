import BinaryPropertyList
import Foundation
import TestSupport
import Testing

@testable import ActivationRule

/// A JSON value as a property list.
struct JSONList: Decodable {
  let list: PropertyList

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Bool.self) {
      list = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      list = .integer(value)
    } else if let value = try? container.decode(String.self) {
      list = .string(value)
    } else if let values = try? container.decode([JSONList].self) {
      list = .array(values.map(\.list))
    } else {
      let values = try container.decode([String: JSONList].self)
      list = .dictionary(
        try PropertyList.Dictionary(
          values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.list) })
      )
    }
  }
}

/// The rules of real apps against contexts, with the verdicts of an independent evaluator.
enum Golden {
  struct Rules: Decodable {
    struct Rule: Decodable {
      let id: String
      let rule: JSONList
    }
    let rules: [Rule]
  }

  struct Verdicts: Decodable {
    struct Context: Decodable {
      let id: String
      let context: JSONList
    }
    let contexts: [Context]
    let expected: [String: [String: Bool]]
  }

  struct Lint: Decodable {
    let findings: [String: [String]]
  }

  private static let names = ["rules", "golden", "lint"].map {
    "sharing/data/activation_\($0).json"
  }
  static let exists = names.allSatisfy(SharedReference.exists)

  private static func read<Value: Decodable>(_ number: Int) throws -> Value {
    try JSONDecoder().decode(Value.self, from: SharedReference.data(names[number]))
  }

  static func rules() throws -> [Rules.Rule] { try (read(0) as Rules).rules }
  static func verdicts() throws -> Verdicts { try read(1) }
  static func lint() throws -> Lint { try read(2) }
}

@Suite(.enabled(if: Golden.exists)) struct GoldenTests {
  @Test func everyRuleHasItsVerdictOnEveryContext() throws {
    let verdicts = try Golden.verdicts()
    let contexts = try verdicts.contexts.map { context in
      (context.id, try PreparedContent(SharedContent(context.context.list)))
    }
    var cells = 0
    for rule in try Golden.rules() {
      let prepared = PreparedRule(try ActivationRule(rule.rule.list))
      for (id, content) in contexts {
        #expect(
          try prepared.matches(content) == verdicts.expected[rule.id]?[id], "\(rule.id) \(id)")
        cells += 1
      }
    }
    #expect(cells == 1690)
  }

  @Test func everyPredicateIsTheSameWhenPrintedAndReadAgain() throws {
    var count = 0
    for rule in try Golden.rules() {
      guard case .predicate(let predicate) = try ActivationRule(rule.rule.list) else { continue }
      count += 1
      for text in [
        predicate.description, predicate.formatted(), predicate.formatted(width: 40),
      ] {
        #expect(try RulePredicate(text) == predicate, "\(rule.id)")
      }
      #expect(try RulePredicate(predicate.formatted()).formatted() == predicate.formatted())
    }
    #expect(count == 31)
  }

  @Test func everyRuleHasTheFindingsOfTheReference() throws {
    let expected = try Golden.lint().findings
    #expect(expected.count == 65)
    for rule in try Golden.rules() {
      let found = try #require(
        FoundRule(
          in: .dictionary([
            "NSExtension": .dictionary([
              "NSExtensionAttributes": .dictionary(["NSExtensionActivationRule": rule.rule.list])
            ])
          ])))
      #expect(Set(found.findings().map(\.name)) == Set(expected[rule.id] ?? []), "\(rule.id)")
    }
  }

  @Test func alternativeOfTwoPredicatesMatchesWhereOneDoes() throws {
    let contexts = try Golden.verdicts().contexts.map {
      try PreparedContent(SharedContent($0.context.list))
    }
    let predicates = try Golden.rules().compactMap { rule -> RulePredicate? in
      if case .predicate(let predicate) = try ActivationRule(rule.rule.list) {
        predicate
      } else {
        nil
      }
    }
    for (one, other) in zip(predicates, predicates.dropFirst()) {
      let both = PreparedPredicate(try RulePredicate("(\(one)) OR (\(other))"))
      let (one, other) = (PreparedPredicate(one), PreparedPredicate(other))
      for context in contexts {
        let either = try one.matches(context) || other.matches(context)
        #expect(try both.matches(context) == either)
      }
    }
  }

  @Test func removingAnAttachmentKeepsTheMatchOfAStrictRuleUnlessNoneIsLeft() throws {
    for rule in try Golden.rules() {
      guard case .dictionary(let dictionary) = try ActivationRule(rule.rule.list),
        dictionary.isStrict, dictionary.minimum == nil
      else { continue }
      let prepared = PreparedRule.dictionary(dictionary)
      for context in try Golden.verdicts().contexts {
        let content = try SharedContent(context.context.list)
        guard try prepared.matches(PreparedContent(content)) else { continue }
        for (number, item) in content.items.enumerated() {
          for place in item.attachments.indices {
            var smaller = content
            smaller.items[number].attachments.remove(at: place)
            guard smaller.items.contains(where: { !$0.attachments.isEmpty }) else { continue }
            #expect(try prepared.matches(PreparedContent(smaller)), "\(rule.id) \(context.id)")
          }
        }
      }
    }
  }
}
