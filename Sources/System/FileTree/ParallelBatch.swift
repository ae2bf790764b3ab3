internal import Synchronization

/// Work on many things at once, on the threads of a `WorkerPool`, with results in the things' order.
package enum ParallelBatch {
  /// Calls `body` with ranges that together are those from 0 to `count`.
  ///
  /// - Parameters:
  ///   - piece: the greatest length of a range. Fewer things than two pieces are left to the calling
  ///     thread, since starting another would take longer.
  ///   - workers: the greatest number of threads; the calling thread is the first.
  /// - Returns: the results in the order of the ranges, whichever threads made them.
  package static func map<Result: Sendable>(
    _ count: Int, inPiecesOf piece: Int, workers: Int = TreeWalk.usualWorkers,
    _ body: @escaping @Sendable (Range<Int>) -> Result
  ) -> [Result] {
    precondition(piece > 0 && workers > 0, "somebody must do some work")
    let results = Mutex<[(start: Int, result: Result)]>([])
    @Sendable func work(on range: Range<Int>) {
      let result = body(range)
      results.withLock { $0.append((range.lowerBound, result)) }
    }
    let isWorthThreads = workers > 1 && count >= 2 * piece
    let pool = WorkerPool<Range<Int>>(workers: isWorthThreads ? workers : 1) { pool in
      var isFirst = true
      while var rest = pool.take(isFirst: isFirst) {
        isFirst = false
        while !rest.isEmpty {
          if isWorthThreads, pool.wantsShares, rest.count >= 2 * piece {
            let middle = rest.lowerBound + rest.count / 2
            pool.offer(middle..<rest.upperBound)
            rest = rest.lowerBound..<middle
          }
          let end = min(rest.upperBound, rest.lowerBound + piece)
          work(on: rest.lowerBound..<end)
          rest = end..<rest.upperBound
        }
      }
    }
    pool.run(0..<count)
    return results.withLock { $0 }.sorted { $0.start < $1.start }.map(\.result)
  }
}
