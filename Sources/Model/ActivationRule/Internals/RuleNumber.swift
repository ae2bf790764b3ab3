internal import Glibc

/// A number of a predicate or of content. Integers are divided as integers, as NSExpression does.
enum RuleNumber {
  case integer(Int64)
  case real(Double)

  var double: Double {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    }
  }

  /// The number as an integer that can index a collection.
  var index: Int? {
    if case .integer(let value) = self { Int(value) } else { nil }
  }

  var negated: RuleNumber {
    switch self {
    case .integer(let value) where value == .min: .real(-Double(value))
    case .integer(let value): .integer(-value)
    case .real(let value): .real(-value)
    }
  }

  var isNegative: Bool {
    switch self {
    case .integer(let value): value < 0
    case .real(let value): value.sign == .minus
    }
  }

  /// Whether two numbers are written alike.
  func isIdentical(to other: RuleNumber) -> Bool {
    switch (self, other) {
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one.bitPattern == other.bitPattern
    case (.integer, .real), (.real, .integer): false
    }
  }

  /// Negative, zero or positive; zero as well where one of both is no number.
  func order(to other: RuleNumber) -> Int {
    switch (self, other) {
    case (.integer(let one), .integer(let other)): return one < other ? -1 : one > other ? 1 : 0
    case (.integer(let one), .real(let other)): return Self.order(one, other)
    case (.real(let one), .integer(let other)): return -Self.order(other, one)
    case (.real(let one), .real(let other)): return one < other ? -1 : one > other ? 1 : 0
    }
  }

  /// Exactly: as a real number, an integer beyond 2^53 would lose its last digits.
  private static func order(_ one: Int64, _ other: Double) -> Int {
    guard other < 0x1p63 else { return -1 }
    guard other >= -0x1p63 else { return 1 }
    let whole = Int64(other.rounded(.towardZero))
    guard one == whole else { return one < whole ? -1 : 1 }
    let rest = other - Double(whole)
    return rest > 0 ? -1 : rest < 0 ? 1 : 0
  }

  func isEqual(to other: RuleNumber) -> Bool {
    order(to: other) == 0
  }

  /// As it is printed: a real number always with a point or an exponent.
  var text: String {
    switch self {
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    }
  }

  /// For people: a whole number without a point.
  var words: String {
    let value = double
    return value.rounded() == value && abs(value) < 1e15 ? "\(Int64(value))" : text
  }
}

// Calculation.
extension RuleNumber {
  /// Why a calculation has no result.
  enum Failure: Error {
    case zeroDivision
    /// Beyond the integers of 64 bits, or no finite number.
    case range
  }

  private static func real(checking value: Double) throws(Failure) -> RuleNumber {
    guard value.isFinite else { throw .range }
    return .real(value)
  }

  /// The result of integers, or of real numbers if one of both is.
  private static func combine(
    _ one: RuleNumber, _ other: RuleNumber,
    _ integers: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
    _ reals: (Double, Double) -> Double
  ) throws(Failure) -> RuleNumber {
    guard case .integer(let a) = one, case .integer(let b) = other else {
      return try real(checking: reals(one.double, other.double))
    }
    let (result, hasOverflown) = integers(a, b)
    guard !hasOverflown else { throw .range }
    return .integer(result)
  }

  static func sum(_ one: RuleNumber, _ other: RuleNumber) throws(Failure) -> RuleNumber {
    try combine(one, other, { $0.addingReportingOverflow($1) }, +)
  }

  static func difference(_ one: RuleNumber, _ other: RuleNumber) throws(Failure) -> RuleNumber {
    try combine(one, other, { $0.subtractingReportingOverflow($1) }, -)
  }

  static func product(_ one: RuleNumber, _ other: RuleNumber) throws(Failure) -> RuleNumber {
    try combine(one, other, { $0.multipliedReportingOverflow(by: $1) }, *)
  }

  static func quotient(_ one: RuleNumber, _ other: RuleNumber) throws(Failure) -> RuleNumber {
    guard other.double != 0 else { throw .zeroDivision }
    return try combine(one, other, { $0.dividedReportingOverflow(by: $1) }, /)
  }

  /// With the sign of the dividend.
  static func remainder(_ one: RuleNumber, _ other: RuleNumber) throws(Failure) -> RuleNumber {
    guard other.double != 0 else { throw .zeroDivision }
    // Swift reports an overflow for the smallest integer, whose quotient by -1 is none of 64 bits.
    if case .integer = one, case .integer(-1) = other { return .integer(0) }
    return try combine(one, other, { $0.remainderReportingOverflow(dividingBy: $1) }, fmod)
  }

  static func power(_ base: RuleNumber, _ exponent: RuleNumber) throws(Failure) -> RuleNumber {
    guard case .integer(var factor) = base, case .integer(var rest) = exponent, rest >= 0 else {
      if base.double == 0, exponent.double < 0 { throw .zeroDivision }
      return try real(checking: pow(base.double, exponent.double))
    }
    var result: Int64 = 1
    while rest > 0 {
      if rest & 1 == 1 {
        let (product, hasOverflown) = result.multipliedReportingOverflow(by: factor)
        guard !hasOverflown else { throw .range }
        result = product
      }
      rest >>= 1
      guard rest > 0 else { break }
      let (square, hasOverflown) = factor.multipliedReportingOverflow(by: factor)
      guard !hasOverflown else { throw .range }
      factor = square
    }
    return .integer(result)
  }

  /// A whole number as an integer where it is one of 64 bits.
  func rounded(_ rule: FloatingPointRoundingRule) -> RuleNumber {
    guard case .real(let value) = self else { return self }
    let whole = value.rounded(rule)
    return Int64(exactly: whole).map { .integer($0) } ?? .real(whole)
  }

  var magnitude: RuleNumber { isNegative ? negated : self }

  func result(of function: (Double) -> Double) throws(Failure) -> RuleNumber {
    try Self.real(checking: function(double))
  }
}
