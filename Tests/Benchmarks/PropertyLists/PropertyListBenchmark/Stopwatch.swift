import Foundation

/// Times works in turns, so that all of them see the same machine, and keeps each one's best.
enum Stopwatch {
  /// The best time of each work, in nanoseconds a repetition.
  ///
  /// - Parameter works: What to do how often in a row; slower works are done less often.
  static func best(rounds: Int, _ works: [Work]) -> [Double] {
    var best = [Double](repeating: .infinity, count: works.count)
    for round in 0..<rounds {
      for (index, work) in works.enumerated() where round < work.rounds {
        let start = DispatchTime.now().uptimeNanoseconds
        work.loop(work.repetitions)
        let end = DispatchTime.now().uptimeNanoseconds
        best[index] = min(best[index], Double(end - start) / Double(work.repetitions))
      }
    }
    return best
  }
}
