/// A condition on shared content in the language of `NSPredicate`, as far as activation rules use it.
///
/// Two predicates are equal if they mean the same by their form: white space, the spelling of
/// operators and parentheses without effect make no difference.
public struct RulePredicate: Sendable {
  /// What is wrong with a text, and where.
  public struct SyntaxError: Error, Hashable, CustomStringConvertible, Sendable {
    /// What was expected or refused, in words.
    public let reason: String
    public let place: TextPlace

    public var description: String { "\(place): \(reason)" }
  }

  /// A part of a predicate. Parts follow the parts that they are made of.
  struct Node {
    enum Kind: UInt8 {
      // Conditions.
      case always, never, or, and, not, comparison
      // Values. A name is a key of the root, a variable one of a SUBQUERY by its number.
      case text, number, boolean, null, root, name, variable, member, count, list
      /// Of a collection and a condition; the variable is the number of subqueries around it.
      case subquery
      /// Of its arguments; which one is the value.
      case function
      /// Of a collection and an index, and the indexes that are words.
      case index, firstElement, lastElement, elementCount
      /// `@sum` and its like, of the values of a collection; the keys of these are the last members of
      /// the part, and the name is how many.
      case aggregate

      /// - Parameter indexWord: what stands between brackets, in any case.
      init?(indexWord: String) {
        switch indexWord.uppercased() {
        case "FIRST": self = .firstElement
        case "LAST": self = .lastElement
        case "SIZE": self = .elementCount
        default: return nil
        }
      }
    }

    let kind: Kind
    /// Whether it stands in parentheses.
    var isGrouped = false
    /// How many levels of parts are below.
    var height: UInt16 = 0
    /// Where it begins in the text.
    var offset: Int32
    /// Where its parts stand in `parts`, and how many these are.
    var first: Int32 = 0
    var partCount: Int32 = 0
    /// The number of a text, number, key or variable, -1 for a variable without a SUBQUERY; of a
    /// comparison how it compares.
    var value: Int32 = 0
    /// Of a subquery, the name of its variable.
    var name: Int32 = 0
  }

  public enum Operator: UInt8, CaseIterable, Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case beginsWith, endsWith, contains, like, isIn, between, conformsTo, typeEquals, matches

    /// As it is printed.
    public var text: String {
      switch self {
      case .equal: "=="
      case .notEqual: "!="
      case .less: "<"
      case .lessOrEqual: "<="
      case .greater: ">"
      case .greaterOrEqual: ">="
      case .beginsWith: "BEGINSWITH"
      case .endsWith: "ENDSWITH"
      case .contains: "CONTAINS"
      case .like: "LIKE"
      case .isIn: "IN"
      case .between: "BETWEEN"
      case .conformsTo: "UTI-CONFORMS-TO"
      case .typeEquals: "UTI-EQUALS"
      case .matches: "MATCHES"
      }
    }
  }

  enum Modifier: UInt8 {
    case direct, any, all, none

    var text: String {
      switch self {
      case .direct: ""
      case .any: "ANY "
      case .all: "ALL "
      case .none: "NONE "
      }
    }
  }

  /// How two values are compared.
  struct Comparison: Hashable {
    var op: Operator
    var modifier: Modifier = .direct
    var ignoresCase = false
    var ignoresDiacritics = false

    init(_ op: Operator, _ modifier: Modifier) {
      self.op = op
      self.modifier = modifier
    }

    init(packed: Int32) {
      op = Operator(rawValue: UInt8(packed & 0xff)) ?? .equal
      modifier = Modifier(rawValue: UInt8(packed >> 8 & 0xff)) ?? .direct
      ignoresCase = packed & 1 << 16 != 0
      ignoresDiacritics = packed & 1 << 17 != 0
    }

    var packed: Int32 {
      Int32(op.rawValue) | Int32(modifier.rawValue) << 8 | (ignoresCase ? 1 << 16 : 0)
        | (ignoresDiacritics ? 1 << 17 : 0)
    }
  }

  /// The longest text that is read, in bytes.
  public static let textLimit = 64 << 10
  /// The most levels of parentheses, subqueries, negations, lists and keys.
  public static let depthLimit = 64

  /// The text that was read.
  public let text: String
  let nodes: [Node]
  let parts: [Int32]
  let texts: [String]
  let numbers: [RuleNumber]
  /// Keys besides those of the input model.
  let keys: [String]
  /// The parts that NSPredicate has and that are not evaluated here, in their order.
  let unevaluated: [Int32]
  /// The comparisons by MATCHES with a pattern that stands in the predicate, in their order.
  let patterns: [Int32]

  /// Reads a predicate.
  public init(_ text: String) throws(SyntaxError) {
    var parser = try PredicateParser(text)
    try parser.parse()
    self.text = text
    nodes = parser.nodes
    parts = parser.parts
    texts = parser.texts
    numbers = parser.numbers
    keys = parser.keys
    unevaluated = parser.unevaluated
    patterns = parser.patterns
  }

  var root: Int { nodes.count - 1 }

  /// The part of another by its number.
  func part(_ number: Int, of node: Node) -> Int { Int(parts[Int(node.first) + number]) }

  /// The parts of another.
  func parts(of node: Node) -> ArraySlice<Int32> {
    parts[Int(node.first)..<Int(node.first + node.partCount)]
  }

  /// The name of a key by its number.
  func keyName(_ number: Int32) -> String {
    PathKey(rawValue: number)?.name ?? keys[Int(number) - PathKey.count]
  }

  /// The function that a node calls.
  func function(of node: Node) -> RuleFunction? { RuleFunction(rawValue: UInt8(node.value)) }

  func aggregate(of node: Node) -> RuleAggregate? { RuleAggregate(rawValue: UInt8(node.value)) }

  /// Why one of the parts that are not evaluated is none.
  func unevaluatedReason(_ number: Int) -> String {
    let node = nodes[number]
    let what: String =
      switch node.kind {
      case .variable: "the variable $\(keyName(node.name)), which belongs to no SUBQUERY around it,"
      case .aggregate: aggregate(of: node)?.name ?? ""
      default: function(of: node)?.name ?? ""
      }
    return "\(what) is valid, but not evaluated here"
  }

  /// Reads the patterns of the predicate, which have a limit of instructions together.
  ///
  /// - Parameter body: gets the comparison and what its pattern is.
  func readPatterns(
    _ body: (Int, Result<TextPattern, TextPattern.Failure>) -> Void
  ) {
    var rest = 5 * TextPattern.instructionLimit
    for number in patterns {
      let node = nodes[Int(number)]
      let text = texts[Int(nodes[part(1, of: node)].value)]
      let comparison = Comparison(packed: node.value)
      let limit = min(rest, TextPattern.instructionLimit)
      do throws(TextPattern.Failure) {
        let pattern = try TextPattern(text, comparison, limit: limit)
        rest -= pattern.instructionCount
        body(Int(number), .success(pattern))
      } catch {
        // What was too large took the time of all that it was allowed.
        if case .unsupported = error { rest -= limit }
        body(Int(number), .failure(error))
      }
    }
  }

  /// Where a part begins.
  func place(of node: Int) -> TextPlace { TextPlace(offset: Int(nodes[node].offset), in: text) }
}

extension RulePredicate {
  /// Whether the predicate may look at the types of attachments: it has their key, calls a function, or
  /// compares one part of the content with another.
  var dependsOnTypes: Bool {
    nodes.contains { node in
      switch node.kind {
      case .always, .never, .or, .and, .not: false
      case .text, .number, .boolean, .null, .root, .variable, .count, .subquery, .elementCount:
        false
      case .name, .member: node.value == PathKey.registeredTypeIdentifiers.rawValue
      case .comparison: !parts(of: node).contains { Self.isConstant(nodes[Int($0)].kind) }
      case .list, .function, .index, .firstElement, .lastElement, .aggregate: true
      }
    }
  }

  private static func isConstant(_ kind: Node.Kind) -> Bool {
    switch kind {
    case .text, .number, .boolean, .null: true
    default: false
    }
  }
}

extension RulePredicate: Equatable {
  public static func == (one: RulePredicate, other: RulePredicate) -> Bool {
    guard one.parts == other.parts, one.texts == other.texts, one.keys == other.keys,
      one.nodes.count == other.nodes.count, one.numbers.count == other.numbers.count
    else { return false }
    return zip(one.numbers, other.numbers).allSatisfy { $0.isIdentical(to: $1) }
      && zip(one.texts, other.texts).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
      && zip(one.nodes, other.nodes).allSatisfy { a, b in
        a.kind == b.kind && a.first == b.first && a.partCount == b.partCount && a.value == b.value
          && a.name == b.name
      }
  }
}

/// A place in a text.
public struct TextPlace: Hashable, Sendable, CustomStringConvertible {
  /// In bytes from the start.
  public let offset: Int
  /// From 1.
  public let line: Int
  /// From 1, in characters of Unicode.
  public let column: Int

  public init(offset: Int, line: Int, column: Int) {
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// Counts the lines up to an offset. A line ends with a line feed, a carriage return, or both.
  init(offset: Int, in text: String) {
    self.init(offset: offset, in: Array(text.utf8.prefix(offset)))
  }

  package init(offset: Int, in bytes: [UInt8]) {
    var (line, column) = (1, 1)
    var isAfterReturn = false
    for byte in bytes.prefix(offset) {
      switch byte {
      case 0x0a:
        if !isAfterReturn { line += 1 }
        column = 1
      case 0x0d:
        line += 1
        column = 1
      default: if byte & 0xc0 != 0x80 { column += 1 }
      }
      isAfterReturn = byte == 0x0d
    }
    self.offset = offset
    self.line = line
    self.column = column
  }

  public var description: String { "line \(line), column \(column)" }
}
