public import UniformType

/// Why a predicate has no answer for some content. It does not match then.
public struct EvaluationError: Error, Hashable, CustomStringConvertible, Sendable {
  public let reason: String
  /// Where the part of the predicate begins that cannot be evaluated.
  public let place: TextPlace

  public var description: String { "\(place): \(reason)" }
}

/// A predicate whose types were looked up in a tree, once for all content that it is held against.
public struct PreparedPredicate: Sendable {
  /// All of it, so that an evaluation copies one reference: counting those of every array took half
  /// of its time.
  private final class Storage: Sendable {
    let predicate: RulePredicate
    let tree: TypeTree
    let codes: [Int32]
    let lowercased: [String]
    let unevaluated: EvaluationError?
    let patterns: [Int: Result<TextPattern, TextPattern.Failure>]

    init(
      _ predicate: RulePredicate, _ tree: TypeTree, _ unevaluated: EvaluationError?,
      _ patterns: [Int: Result<TextPattern, TextPattern.Failure>]
    ) {
      self.predicate = predicate
      self.tree = tree
      codes = predicate.texts.map { tree.code(of: $0)?.rawValue ?? PreparedContent.unknown }
      lowercased = predicate.texts.map(\.lowercasedASCII)
      self.unevaluated = unevaluated
      self.patterns = patterns
    }
  }

  private let storage: Storage

  public var predicate: RulePredicate { storage.predicate }
  var tree: TypeTree { storage.tree }
  /// The codes of the predicate's texts; `unknown` for one that the tree does not know.
  var codes: [Int32] { storage.codes }
  /// The texts in small letters.
  var lowercased: [String] { storage.lowercased }
  /// Patterns of comparisons by MATCHES, by the number of the comparison.
  var patterns: [Int: Result<TextPattern, TextPattern.Failure>] { storage.patterns }

  /// The most steps of an evaluation, which take half a second: with subqueries in each other, the
  /// work could grow with the power of their number.
  public static let stepLimit = 10_000_000

  public init(_ predicate: RulePredicate, in tree: TypeTree = .builtIn) {
    var patterns: [Int: Result<TextPattern, TextPattern.Failure>] = [:]
    var unevaluated = predicate.unevaluated.first.map { part in
      EvaluationError(
        reason: predicate.unevaluatedReason(Int(part)), place: predicate.place(of: Int(part)))
    }
    predicate.readPatterns { number, pattern in
      patterns[number] = pattern
      if case .failure(.unsupported) = pattern, case .failure(let failure) = pattern,
        unevaluated == nil
      {
        unevaluated = EvaluationError(
          reason: failure.reason, place: predicate.place(of: number))
      }
    }
    storage = Storage(predicate, tree, unevaluated, patterns)
  }

  /// Whether content meets the predicate.
  ///
  /// - Parameter content: prepared with the same tree.
  /// - Throws: `EvaluationError` where the predicate compares what cannot be compared, asks for what
  ///   is not there, takes more than ``stepLimit`` steps, or has a part that is not evaluated here.
  public func matches(_ content: PreparedContent) throws(EvaluationError) -> Bool {
    if let unevaluated = storage.unevaluated { throw unevaluated }
    var evaluation = PredicateEvaluation(of: self, on: content)
    return try evaluation.truth(of: predicate.root)
  }
}
