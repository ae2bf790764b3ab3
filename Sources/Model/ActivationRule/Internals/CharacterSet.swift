/// A set of characters between brackets of a pattern, or one with a name such as `\d`.
struct CharacterSet: Sendable {
  /// Characters that have something in common.
  enum Named: Sendable {
    case digit, word, space, horizontalSpace, verticalSpace
    case alphabetic, uppercase, lowercase, hexDigit
    case categories(Set<Unicode.GeneralCategory>)
  }

  enum Operation: Sendable {
    case intersection, difference
  }

  private var ranges: [ClosedRange<UInt32>] = []
  private var named: [(one: Named, isNegated: Bool)] = []
  private var nested: [CharacterSet] = []
  private var operations: [(operation: Operation, set: CharacterSet)] = []
  var isNegated = false
  private let ignoresCase: Bool

  init(ignoresCase: Bool) { self.ignoresCase = ignoresCase }

  init(_ one: Named, isNegated: Bool) {
    ignoresCase = false
    named = [(one, isNegated)]
  }

  mutating func insert(_ range: ClosedRange<UInt32>) { ranges.append(range) }

  mutating func insert(_ set: CharacterSet) {
    if !set.isNegated, !set.ignoresCase, set.operations.isEmpty {
      ranges += set.ranges
      named += set.named
      nested += set.nested
    } else {
      nested.append(set)
    }
  }

  mutating func apply(_ operation: Operation, _ set: CharacterSet) {
    operations.append((operation, set))
  }

  /// Whether the set or one within it ignores case.
  private var folds = false
  /// How many steps it takes to ask for a character.
  private(set) var cost = 1

  /// Puts the ranges into the order in which they are looked up.
  mutating func finish() {
    var merged: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    ranges = merged
    let sets = nested + operations.map(\.set)
    folds = ignoresCase || sets.contains { $0.folds }
    cost = sets.reduce((ignoresCase ? 16 : 1) + named.count) { $0 + $1.cost }
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    members(of: folds ? scalar.caseVariants : [scalar]) & 1 != 0
  }

  /// Which of the characters are in the set, as bits. They are all that differ only in case, so that
  /// each set within the set is asked once.
  private func members(of scalars: [Unicode.Scalar]) -> UInt32 {
    let all: UInt32 = 1 << UInt32(scalars.count) - 1
    var bits: UInt32 = 0
    for (number, scalar) in scalars.enumerated() {
      let isIn =
        rangesContain(scalar.value) || named.contains { $0.one.contains(scalar) != $0.isNegated }
      if isIn { bits |= 1 << UInt32(number) }
    }
    for set in nested { bits |= set.members(of: scalars) }
    for (operation, set) in operations {
      let others = set.members(of: scalars)
      switch operation {
      case .intersection: bits &= others
      case .difference: bits &= ~others
      }
    }
    // All that differ in case belong to the set as soon as one does, after all operations.
    if ignoresCase, bits != 0 { bits = all }
    return isNegated ? all & ~bits : bits
  }

  private func rangesContain(_ value: UInt32) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound <= value
  }
}

extension CharacterSet.Named {
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .digit: scalar.properties.generalCategory == .decimalNumber
    case .word: scalar.isOfWord
    case .space: scalar.properties.isWhitespace
    case .horizontalSpace:
      scalar == "\t" || scalar.properties.generalCategory == .spaceSeparator
    case .verticalSpace: scalar.isLineEnd
    case .alphabetic: scalar.properties.isAlphabetic
    case .uppercase: scalar.properties.isUppercase
    case .lowercase: scalar.properties.isLowercase
    case .hexDigit: scalar.properties.isHexDigit
    case .categories(let categories): categories.contains(scalar.properties.generalCategory)
    }
  }

  /// The set that `\p{NAME}` or `[:NAME:]` stands for; `nil` for one that is not known here.
  init?(property: String) {
    let name = String(
      property.lowercased().unicodeScalars.filter { !["_", "-", " "].contains($0) }
        .map(Character.init))
    switch name {
    case "alphabetic", "alpha": self = .alphabetic
    case "uppercase", "upper": self = .uppercase
    case "lowercase", "lower": self = .lowercase
    case "whitespace", "space": self = .space
    case "digit": self = .digit
    case "xdigit", "hexdigit": self = .hexDigit
    case "blank": self = .horizontalSpace
    case "word": self = .word
    case "punct": self = .categories(Self.categories("p"))
    case "cntrl": self = .categories(Self.categories("cc"))
    default:
      let categories = Self.categories(name)
      guard !categories.isEmpty else { return nil }
      self = .categories(categories)
    }
  }

  /// The categories with a name of one or two letters.
  private static func categories(_ name: String) -> Set<Unicode.GeneralCategory> {
    guard 1...2 ~= name.utf8.count else { return [] }
    return Set(
      Self.named.filter { name.utf8.count == 2 ? $0.0 == name : $0.0.hasPrefix(name) }.map(\.1))
  }

  private static let named: [(String, Unicode.GeneralCategory)] = [
    ("lu", .uppercaseLetter), ("ll", .lowercaseLetter), ("lt", .titlecaseLetter),
    ("lm", .modifierLetter), ("lo", .otherLetter), ("mn", .nonspacingMark), ("mc", .spacingMark),
    ("me", .enclosingMark), ("nd", .decimalNumber), ("nl", .letterNumber), ("no", .otherNumber),
    ("pc", .connectorPunctuation), ("pd", .dashPunctuation), ("ps", .openPunctuation),
    ("pe", .closePunctuation), ("pi", .initialPunctuation), ("pf", .finalPunctuation),
    ("po", .otherPunctuation), ("sm", .mathSymbol), ("sc", .currencySymbol),
    ("sk", .modifierSymbol), ("so", .otherSymbol), ("zs", .spaceSeparator),
    ("zl", .lineSeparator), ("zp", .paragraphSeparator), ("cc", .control), ("cf", .format),
    ("co", .privateUse), ("cs", .surrogate), ("cn", .unassigned),
  ]
}
