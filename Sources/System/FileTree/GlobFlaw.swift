/// What is wrong with a pattern, and where.
public struct GlobFlaw: Error, Hashable, Sendable {
  /// Why a pattern means nothing.
  public enum Reason: Sendable {
    /// A `[` without its `]`.
    case unclosedBracket
    /// A backslash with nothing behind it.
    case nothingEscaped
    /// `[:alpha:]`, `[.x.]` or `[=x=]`, which depend on a locale.
    case namedClass
  }

  public let reason: Reason
  /// The byte of the pattern where it begins.
  public let position: Int

  init(_ reason: Reason, at position: Int) {
    self.reason = reason
    self.position = position
  }
}

extension GlobFlaw: CustomStringConvertible {
  /// In words that follow the pattern.
  public var description: String {
    switch reason {
    case .unclosedBracket: "'[' without ']' at byte \(position); write '\\[' for the character"
    case .nothingEscaped: "nothing behind the '\\' at byte \(position); write '\\\\'"
    case .namedClass:
      "classes with a name are not supported, at byte \(position); write [a-z] or [0-9]"
    }
  }
}
