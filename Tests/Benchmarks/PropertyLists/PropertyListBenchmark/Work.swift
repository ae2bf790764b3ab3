/// An operation to be timed.
struct Work {
  /// How often it is done between two looks at the clock.
  let repetitions: Int
  /// In how many of the rounds it takes part.
  let rounds: Int
  /// Does it so many times.
  let loop: (Int) -> Void

  init(_ repetitions: Int, rounds: Int = .max, _ body: @escaping () -> Void) {
    self.init(repetitions, rounds: rounds) { (repetitions: Int) in
      for _ in 0..<repetitions { body() }
    }
  }

  init(_ repetitions: Int, rounds: Int = .max, _ loop: @escaping (Int) -> Void) {
    self.repetitions = repetitions
    self.rounds = rounds
    self.loop = loop
  }
}
