/// Claims about the same thing that cannot all be true.
public struct Contradiction: Hashable, Sendable {
  public let subject: Claim.Subject
  /// One claim for each thing that is said, in the order of the marks.
  public let claims: [Claim]
}
