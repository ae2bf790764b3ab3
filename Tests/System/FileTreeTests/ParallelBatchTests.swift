import FileTree
import Foundation
import Glibc
import Synchronization
import Testing

/// Work that several threads share out, in the order in which one would have done it.
@Suite struct ParallelBatchTests {
  @Test(arguments: [0, 1, 7, 8, 1000, 100_003], [1, 2, 5])
  func resultsAreInTheOrderOfTheThings(_ count: Int, _ workers: Int) {
    var things: [Int] = []
    ParallelBatch.forEach(count, inPiecesOf: 4, workers: workers) { range in
      #expect(range.count <= 4)
      return Array(range)
    } done: { piece in
      things += piece
      return true
    }
    #expect(things == Array(0..<count))
  }

  /// A slow piece holds back those after it, and no more than 64 pieces wait for it.
  @Test(arguments: [2, 5])
  func noThreadIsFarAheadOfTheSlowest(_ workers: Int) {
    let started = Mutex(0)
    var greatestLead = 0
    var passedOn = 0
    ParallelBatch.forEach(4000, inPiecesOf: 4, workers: workers) { range in
      if range.lowerBound % 400 == 0 { usleep(3000) }
      started.withLock { $0 = max($0, range.lowerBound / 4 + 1) }
      return range.lowerBound
    } done: { start in
      #expect(start == passedOn * 4)
      greatestLead = max(greatestLead, started.withLock { $0 } - passedOn)
      passedOn += 1
      return true
    }
    #expect(passedOn == 1000)
    // One more may be taken between passing on and looking.
    #expect((1...66).contains(greatestLead))
  }

  @Test(arguments: [1, 2, 5]) func refusalEndsTheWork(_ workers: Int) {
    let worked = Mutex(0)
    var passedOn: [Int] = []
    ParallelBatch.forEach(100_000, inPiecesOf: 4, workers: workers) { range in
      worked.withLock { $0 += 1 }
      return range.lowerBound
    } done: { start in
      passedOn.append(start)
      return start < 40
    }
    #expect(passedOn == Array(stride(from: 0, through: 40, by: 4)))
    #expect((11...(11 + 64 + workers)).contains(worked.withLock { $0 }))
  }

  /// Threads that wait, since they are far ahead, end as well.
  @Test(.timeLimit(.minutes(1)), arguments: [2, 5]) func refusalWakesThoseAhead(_ workers: Int) {
    let worked = Mutex(0)
    var passedOn = 0
    ParallelBatch.forEach(100_000, inPiecesOf: 4, workers: workers) { range in
      worked.withLock { $0 += 1 }
    } done: { _ in
      passedOn += 1
      usleep(20_000)
      return passedOn < 3
    }
    #expect(passedOn == 3)
    #expect((60...(3 + 64 + workers)).contains(worked.withLock { $0 }))
  }

  /// They begin on another processor than their maker's if there is one, and may run on all afterwards.
  @Test func threadsMayRunWhereTheirMakerMay() throws {
    let all = try Self.processors
    let seen = Mutex((threads: Set<pthread_t>(), processors: Set<String>()))
    ParallelBatch.forEach(400, inPiecesOf: 4, workers: 5) { _ in
      usleep(1000)
      let own = (try? Self.processors) ?? "unknown"
      seen.withLock {
        $0.threads.insert(pthread_self())
        $0.processors.insert(own)
      }
    } done: {
      true
    }
    #expect(seen.withLock { $0.threads.count } > 1)
    #expect(seen.withLock { $0.processors } == [all])
  }

  /// Those that the calling thread may run on.
  private static var processors: String {
    get throws {
      let status = try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
      return String(try #require(line))
    }
  }
}
