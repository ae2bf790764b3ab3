/// What one origin has to offer.
struct Round {
  let origin: Consideration.Origin
  /// Whether an earlier origin has the icon, so that this one only explains itself.
  let hasWinner: Bool
  private(set) var answer: IconAnswer = .none
  private(set) var considerations: [Consideration] = []
  var wouldFetch: ResolvedURL?
  var stale: [ResolvedURL] = []
  var side: Int?

  init(origin: Consideration.Origin, hasWinner: Bool) {
    self.origin = origin
    self.hasWinner = hasWinner
  }

  mutating func lose(_ subject: String, _ reason: String) {
    considerations.append(
      Consideration(origin: origin, subject: subject, won: false, reason: reason))
  }

  mutating func win(_ answer: IconAnswer, _ subject: String, _ reason: String) {
    guard !hasWinner, self.answer == .none else {
      return lose(subject, "\(reason), but an earlier one is used")
    }
    self.answer = answer
    considerations.append(
      Consideration(origin: origin, subject: subject, won: true, reason: reason))
  }
}
