// Times activation rules: those of real apps beside the checkout, or where these are missing our own.
//
// Usage: RuleBenchmark DIRECTORY..., of which the first with the rules counts
import ActivationRule
import BinaryPropertyList
import CPinning
import Foundation
import UniformType

/// A JSON value as a property list.
struct JSONList: Decodable {
  let list: PropertyList

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      list = .null
    } else if let value = try? container.decode(Bool.self) {
      list = .boolean(value)
    } else if let value = try? container.decode(Double.self) {
      list = value.rounded() == value ? .integer(Int64(value)) : .real(value)
    } else if let value = try? container.decode(String.self) {
      list = .string(value)
    } else if let values = try? container.decode([JSONList].self) {
      list = .array(values.map(\.list))
    } else {
      let values = try container.decode([String: JSONList].self)
      list = .dictionary(
        try PropertyList.Dictionary(values.map { ($0.key, $0.value.list) }))
    }
  }
}

struct Rules: Decodable {
  struct Rule: Decodable {
    let rule: JSONList
  }
  let rules: [Rule]
}

struct Contexts: Decodable {
  struct Context: Decodable {
    let context: JSONList
  }
  let contexts: [Context]
}

struct OwnRules: Decodable {
  struct Row: Decodable {
    let predicate: String
  }
  let contents: [String: JSONList]
  let rows: [Row]
}

func read<Value: Decodable>(_ path: String, as type: Value.Type) throws -> Value? {
  guard let data = FileManager.default.contents(atPath: path) else { return nil }
  return try JSONDecoder().decode(type, from: data)
}

func row(_ work: String, _ nanoseconds: Double, goal: Double? = nil, unit: String) {
  let (figure, name) = unit == "ms" ? (nanoseconds / 1e6, "ms") : (nanoseconds / 1e3, "µs")
  var line = work.padding(toLength: 52, withPad: " ", startingAt: 0)
  line += String(format: "%9.3f %@", figure, name)
  if let goal {
    line += String(format: "   goal %.0f %@   ", goal, name)
    line += figure <= goal ? "reached" : "NOT reached"
  }
  print(line)
}

if cpinning_stay() != 0 {
  print("the process could not be kept on one processor; figures scatter more")
}
var values: [PropertyList] = []
var contents: [SharedContent] = []
for directory in CommandLine.arguments.dropFirst() where values.isEmpty {
  if let rules = try read("\(directory)/activation_rules.json", as: Rules.self),
    let golden = try read("\(directory)/activation_golden.json", as: Contexts.self)
  {
    values = rules.rules.map(\.rule.list)
    contents = try golden.contexts.map { try SharedContent($0.context.list) }
  } else if let own = try read("\(directory)/predicates.json", as: OwnRules.self) {
    values = own.rows.map { .string($0.predicate) }
    contents = try own.contents.values.map { try SharedContent($0.list) }
  }
}
guard !values.isEmpty else { fatalError("no directory with rules") }
let rules = try values.map { PreparedRule(try ActivationRule($0)) }
let prepared = try contents.map { try PreparedContent($0) }
let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
let cells = rules.count * prepared.count

let long = "1=2" + String(repeating: "||1=2", count: 9999)
let deep = String(repeating: "(", count: 65536)
let many = try PreparedContent(
  SharedContent(Array(repeating: ["public.png", "public.file-url"], count: 10_000)))
// The work that the limit of steps ends.
var nested = "1 == 1"
for level in 0..<60 { nested = "SUBQUERY(extensionItems, $v\(level), \(nested)).@count > 0" }
let endless = PreparedPredicate(try RulePredicate(nested))
let folding = PreparedPredicate(
  try RulePredicate(
    "SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a, "
      + (0..<20).map { "ANY $a.registeredTypeIdentifiers CONTAINS[cd] '\($0)é'" }
      .joined(separator: " OR ") + ").@count > 0).@count > 0"))
let items = try PreparedContent(
  SharedContent(items: Array(repeating: SharedContent.Item(attachments: []), count: 50)))
let best = Stopwatch.best(
  rounds: 30,
  [
    Work(3) {
      for rule in rules { for content in prepared { sink(try? rule.matches(content)) } }
    },
    Work(3) { for text in texts { sink(try? RulePredicate(text)) } },
    Work(3) { for content in contents { sink(try? PreparedContent(content)) } },
    Work(1) { sink(try? RulePredicate(long)) },
    Work(1) { sink(try? RulePredicate(deep)) },
    Work(1) { for rule in rules { sink(try? rule.matches(many)) } },
    Work(1, rounds: 3) { sink(try? endless.matches(items)) },
    Work(1, rounds: 3) { sink(try? folding.matches(many)) },
  ])
row("rule on content, \(cells) cells, one", best[0] / Double(cells), goal: 2, unit: "µs")
row("predicate read, one of \(texts.count)", best[1] / Double(texts.count), unit: "µs")
row("content prepared, one of \(contents.count)", best[2] / Double(contents.count), unit: "µs")
row("predicate of 10,000 terms read", best[3], goal: 50, unit: "ms")
row("64 KiB of parentheses refused", best[4], goal: 50, unit: "ms")
row("rule on 10,000 attachments, one", best[5] / Double(rules.count), unit: "ms")
row("subqueries 60 deep, ended by the limit", best[6], goal: 1000, unit: "ms")
row("texts folded on 10,000 attachments", best[7], goal: 1000, unit: "ms")
