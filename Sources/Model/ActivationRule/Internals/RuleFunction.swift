/// A function of NSExpression. The list is closed: no name of a predicate calls anything else.
enum RuleFunction: UInt8, CaseIterable {
  // Written between their arguments.
  case add, subtract, multiply, divide, power
  /// A minus before its argument.
  case negate
  /// Of a condition and two values.
  case ternary
  case modulus, count, sum, minimum, maximum, average, first, last
  case lowercase, uppercase, length
  case absolute, floor, ceiling, truncate, squareRoot, exponential, naturalLogarithm, logarithm
  // Those of NSExpression that are not evaluated here.
  case function, cast, fetch
  case median, mode, deviation, random, randomUpTo, now
  case bitwiseAnd, bitwiseOr, bitwiseExclusiveOr, leftShift, rightShift, complement
  case castObject, element, noIndex, canonical, distance

  /// As it is printed, and read with or without its only colon.
  var name: String {
    switch self {
    case .add: "add:to:"
    case .subtract: "from:subtract:"
    case .multiply: "multiply:by:"
    case .divide: "divide:by:"
    case .power: "raise:toPower:"
    case .negate: "chs"
    case .ternary: "TERNARY"
    case .modulus: "modulus:by:"
    case .count: "count"
    case .sum: "sum"
    case .minimum: "min"
    case .maximum: "max"
    case .average: "average"
    case .first: "first"
    case .last: "last"
    case .lowercase: "lowercase"
    case .uppercase: "uppercase"
    case .length: "length"
    case .absolute: "abs"
    case .floor: "floor"
    case .ceiling: "ceiling"
    case .truncate: "trunc"
    case .squareRoot: "sqrt"
    case .exponential: "exp"
    case .naturalLogarithm: "ln"
    case .logarithm: "log"
    case .function: "FUNCTION"
    case .cast: "CAST"
    case .fetch: "FETCH"
    case .median: "median"
    case .mode: "mode"
    case .deviation: "stddev"
    case .random: "random"
    case .randomUpTo: "randomn"
    case .now: "now"
    case .bitwiseAnd: "bitwiseAnd:with:"
    case .bitwiseOr: "bitwiseOr:with:"
    case .bitwiseExclusiveOr: "bitwiseXor:with:"
    case .leftShift: "leftshift:by:"
    case .rightShift: "rightshift:by:"
    case .complement: "onesComplement"
    case .castObject: "castObject:toType:"
    case .element: "objectFrom:withIndex:"
    case .noIndex: "noindex"
    case .canonical: "canonical"
    case .distance: "distanceToLocation:fromLocation:"
    }
  }

  /// Whether docsource evaluates the function.
  var isEvaluated: Bool { rawValue < Self.function.rawValue }

  /// The sign between or before the arguments, and how tightly it binds.
  var sign: (text: String, level: Int)? {
    switch self {
    case .add: ("+", 1)
    case .subtract: ("-", 1)
    case .multiply: ("*", 2)
    case .divide: ("/", 2)
    case .power: ("**", 3)
    case .negate: ("-", 4)
    case .ternary, .modulus, .count, .sum, .minimum, .maximum, .average, .first, .last, .lowercase,
      .uppercase, .length, .absolute, .floor, .ceiling, .truncate, .squareRoot, .exponential,
      .naturalLogarithm, .logarithm, .function, .cast, .fetch, .median, .mode, .deviation, .random,
      .randomUpTo, .now, .bitwiseAnd, .bitwiseOr, .bitwiseExclusiveOr, .leftShift, .rightShift,
      .complement, .castObject, .element, .noIndex, .canonical, .distance:
      nil
    }
  }

  /// How many arguments the function takes.
  var arity: ClosedRange<Int> {
    switch self {
    case .random, .now: 0...0
    case .function: 2...Int.max
    case .fetch: 2...3
    case .ternary: 3...3
    case .add, .subtract, .multiply, .divide, .power, .modulus, .cast, .bitwiseAnd, .bitwiseOr,
      .bitwiseExclusiveOr, .leftShift, .rightShift, .castObject, .element, .distance:
      2...2
    case .negate, .count, .sum, .minimum, .maximum, .average, .first, .last, .lowercase, .uppercase,
      .length, .absolute, .floor, .ceiling, .truncate, .squareRoot, .exponential, .naturalLogarithm,
      .logarithm, .median, .mode, .deviation, .randomUpTo, .complement, .noIndex, .canonical:
      1...1
    }
  }

  private static let named: [String: RuleFunction] = Dictionary(
    uniqueKeysWithValues: allCases.filter { $0 != .negate }.map { ($0.name, $0) })

  /// - Parameter name: as written, such as `sum`, `sum:` or `add:to:`.
  init?(name: String) {
    var name = name
    if name.utf8.last == UInt8(ascii: ":"),
      name.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1
    {
      name.removeLast()
    }
    if let function = Self.named[name] {
      self = function
    } else if let function = Self.named[name.uppercased()], function.name == name.uppercased() {
      // The keywords in any case.
      self = function
    } else {
      return nil
    }
  }
}

/// What is made of all values of a collection: `@sum` and its like.
enum RuleAggregate: UInt8, CaseIterable {
  case sum, minimum, maximum, average
  // Those that are not evaluated here.
  case union, distinctUnion, unionOfArrays, distinctUnionOfArrays, unionOfSets, distinctUnionOfSets

  var name: String {
    switch self {
    case .sum: "@sum"
    case .minimum: "@min"
    case .maximum: "@max"
    case .average: "@avg"
    case .union: "@unionOfObjects"
    case .distinctUnion: "@distinctUnionOfObjects"
    case .unionOfArrays: "@unionOfArrays"
    case .distinctUnionOfArrays: "@distinctUnionOfArrays"
    case .unionOfSets: "@unionOfSets"
    case .distinctUnionOfSets: "@distinctUnionOfSets"
    }
  }

  var isEvaluated: Bool { rawValue < Self.union.rawValue }

  init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name.dropFirst() == name }) else {
      return nil
    }
    self = found
  }
}
