import Glibc
import LinuxSystem
import Synchronization
import TestSupport
import Testing
import Xattr

@testable import AppIcon

/// The cache under several processes and threads at once.
@Suite struct CacheConcurrencyTests {
  private func visitor(_ arguments: String...) throws -> RunningProcess {
    try RunningProcess(([Docsource.built("CacheVisitor")] + arguments).map { Array($0.utf8) })
  }

  @Test func sixtyFourRequestsOfSixteenProcessesMakeOneFetch() throws {
    let directory = try TemporaryDirectory()
    let log = try directory.file("log", "")
    let processes = try (0..<16).map { _ in try visitor("fetch", directory.root, log) }
    #expect(processes.map { $0.wait() } == Array(repeating: 0, count: 16))
    #expect(try directory.text("log") == "x")
  }

  @Test func killedWritersLeaveNoDamagedEntry() throws {
    var random = SplitMix(state: UInt64(getpid()))
    let seed = random.state
    let directory = try TemporaryDirectory()
    let cache = try Cached.open(directory.root)
    for round in 0..<20 {
      let processes = try (0..<4).map { _ in try visitor("churn", directory.root) }
      if round == 0 { try Patience.wait { try cache.statistics().responses > 0 } }
      usleep(20_000 + UInt32.random(in: 0..<30_000, using: &random))
      for process in processes { process.kill(SIGKILL) }
      try #require(processes.map { $0.wait() } == [137, 137, 137, 137], "seed \(seed)")
    }
    let before = try cache.statistics()
    #expect(before.responses > 0)
    for number in 0..<40 {
      let body = try cache.lookup(ResolvedURL("https://a.example/\(number)"))?.body
      #expect(body == nil || body?.count == number * 999, "seed \(seed)")
    }
    // A damaged entry would have been removed by looking it up.
    #expect(try cache.statistics().responses == before.responses, "seed \(seed)")
    let later = Int64(time(nil)) + IconCache.temporaryLifetime + 1
    #expect(try cache.prune(now: later).temporaryFiles == before.temporaryFiles)
    #expect(try cache.statistics().temporaryFiles == 0)
  }

  /// How many are at work at once.
  private final class Occupancy: Sendable {
    let inside = Atomic(0)
    let most = Atomic(0)
  }

  @Test func threadsExcludeEachOther() async throws {
    let cached = try Cached()
    let cache = cached.cache
    let url = try ResolvedURL("https://a.example/")
    let occupancy = Occupancy()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<5 {
            guard let lock = try? cache.lock(url) else { continue }
            let count = occupancy.inside.wrappingAdd(1, ordering: .relaxed).newValue
            occupancy.most.max(count, ordering: .relaxed)
            usleep(1000)
            occupancy.inside.wrappingSubtract(1, ordering: .relaxed)
            lock.release()
          }
        }
      }
    }
    #expect(occupancy.most.load(ordering: .relaxed) == 1)
  }
}
