/// An operation to be timed.
struct Work {
  /// How often it is done between two looks at the clock.
  let repetitions: Int
  /// In how many of the rounds it takes part.
  let rounds: Int
  let body: () -> Void

  init(_ repetitions: Int, rounds: Int = .max, _ body: @escaping () -> Void) {
    self.repetitions = repetitions
    self.rounds = rounds
    self.body = body
  }
}
