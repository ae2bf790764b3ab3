/// Work on many things at once, on several threads, with results in the things' order.
package enum ParallelBatch {
  /// Calls `body` with ranges that together are those from 0 to `count`, on any thread, and `done` with
  /// each result, on the calling thread, in the order of the ranges, as soon as those before are done.
  ///
  /// - Parameters:
  ///   - piece: the greatest length of a range. Fewer things than two pieces are left to the calling
  ///     thread, since starting another would take longer.
  ///   - workers: the greatest number of threads; the calling thread is the first.
  ///   - done: returns whether to go on; ranges that are being worked on then end without it.
  package static func forEach<Result: Sendable>(
    _ count: Int, inPiecesOf piece: Int, workers: Int = TreeWalk.usualWorkers,
    _ body: @escaping @Sendable (Range<Int>) -> Result, done: (Result) -> Bool
  ) {
    precondition(piece > 0 && workers > 0, "somebody must do some work")
    guard workers > 1, count >= 2 * piece else {
      for start in stride(from: 0, to: count, by: piece) {
        guard done(body(start..<min(start + piece, count))) else { return }
      }
      return
    }
    let pieces = OrderedPieces(count, of: piece, body)
    var threads = ThreadGroup()
    while threads.count + 1 < min(workers, pieces.count), threads.start(pieces.work) {}
    pieces.work(done)
    threads.join()
  }
}

/// The pieces of a batch on their way through several threads: taken in their order, finished in any, and
/// passed on in their order by one.
///
/// `@unchecked`: the lock is held wherever one of the variables is read or written.
private final class OrderedPieces<Result: Sendable>: @unchecked Sendable {
  /// How many pieces may be ahead of the first that was not passed on.
  private static var limit: Int { 64 }

  let count: Int
  private let things: Int
  private let size: Int
  private let body: @Sendable (Range<Int>) -> Result

  private let turns = Monitor()
  private var taken = 0
  private var passedOn = 0
  private var hasEnded = false
  /// Each at its piece's number modulo the limit.
  private var results = [Result?](repeating: nil, count: limit)

  init(_ things: Int, of size: Int, _ body: @escaping @Sendable (Range<Int>) -> Result) {
    self.things = things
    self.size = size
    self.body = body
    count = (things + size - 1) / size
  }

  private var isAllTaken: Bool { hasEnded || taken == count }
  private var isFarAhead: Bool { taken - passedOn == Self.limit }

  /// Works on pieces until all are taken.
  @Sendable func work() {
    while let number = next() { work(on: number) }
  }

  private func next() -> Int? {
    turns.withLock {
      turns.wait { isAllTaken || !isFarAhead }
      return isAllTaken ? nil : take()
    }
  }

  private func take() -> Int {
    taken += 1
    return taken - 1
  }

  private func work(on number: Int) {
    let start = number * size
    let result = body(start..<min(start + size, things))
    turns.withLock {
      results[number % Self.limit] = result
      if number == passedOn { turns.broadcast() }
    }
  }

  private enum Step {
    case passOn(Result)
    case work(on: Int)
    case end
  }

  /// Works on pieces, and passes the results of all on, until that is done or `done` ends it.
  func work(_ done: (Result) -> Bool) {
    while true {
      switch step() {
      case .passOn(let result):
        guard done(result) else { return end() }
      case .work(let number): work(on: number)
      case .end: return
      }
    }
  }

  /// Has no more pieces taken, not by those either who wait because they are far ahead.
  private func end() {
    turns.withLock {
      hasEnded = true
      turns.broadcast()
    }
  }

  private func step() -> Step {
    turns.withLock {
      turns.wait {
        passedOn == count || results[passedOn % Self.limit] != nil || !(isAllTaken || isFarAhead)
      }
      if passedOn == count { return .end }
      if let result = results[passedOn % Self.limit].take() {
        if isFarAhead { turns.broadcast() }
        passedOn += 1
        return .passOn(result)
      }
      return .work(on: take())
    }
  }
}
