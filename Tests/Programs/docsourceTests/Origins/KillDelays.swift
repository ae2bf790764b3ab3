import Glibc
import TestSupport

/// When to kill runs of a program so that some are stopped midway, however long they take here.
struct KillDelays {
  private static let usualRounds = 20
  private static let mostRounds = 200
  private static let longestOfAll: UInt64 = 2_000_000

  private var random: SplitMix
  /// In microseconds.
  private var longest: UInt64
  private var last: UInt64 = 0
  private(set) var round = 0
  private(set) var stoppedMidway = 0

  /// - Parameters:
  ///   - longest: how long a run took, in microseconds.
  ///   - name: of the test, with which the seed is printed.
  init(longest: UInt64, _ name: String) {
    let seed = UInt64.random(in: 0 ... .max)
    print("\(name) seed \(seed)")
    random = SplitMix(state: seed)
    self.longest = max(1, longest)
  }

  /// Whether to run it again: until one was stopped midway, within reason.
  var goesOn: Bool {
    round < Self.usualRounds || stoppedMidway == 0 && round < Self.mostRounds
  }

  /// Waits, kills it, and returns its status.
  mutating func kill(_ process: RunningProcess) -> Int32 {
    last = random.next() % longest
    usleep(UInt32(last))
    process.kill(SIGKILL)
    return process.wait()
  }

  /// What became of a run, from which the next one's time is taken.
  mutating func learn(_ status: Int32, isMidway: Bool) {
    round += 1
    if isMidway { stoppedMidway += 1 }
    if status == 0 {
      longest = last + 1
    } else if !isMidway {
      longest = min(longest * 2, Self.longestOfAll)
    }
  }
}
