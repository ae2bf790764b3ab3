import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Watching

/// When the files are counted whose events were lost, and which.
@Suite struct EventLossTests {
  private static let hour = 3600 * 1_000_000_000

  private let directory: TemporaryDirectory
  private let owner: MissedFiles.Owner

  init() throws {
    directory = try TemporaryDirectory()
    let root = FilePath(directory.root)
    let account = UserAccount(name: "own", user: geteuid(), group: getegid(), home: root)
    let watched = try #require(WatchedDirectory(root, home: nil))
    let globs = try WatchGlobs(include: [], exclude: [])
    owner = MissedFiles.Owner(
      account: account, places: WatchedPlaces(directories: [watched], globs: globs))
  }

  /// Writes a file, and waits for longer than a tick of the clock that stamps files.
  private func write() throws {
    try directory.file("letter")
    usleep(20_000)
  }

  /// Has the files counted, as a worker does, and waits for their number.
  private func count(_ loss: inout EventLoss) throws -> Int {
    let begun = loss.beginCount(by: 1)
    let times = try #require(begun)
    #expect(loss.isBeingCounted)
    let files = MissedFiles(of: [owner], from: times.lowerBound, to: times.upperBound)
    files.start()
    try Patience.wait { files.count != nil }
    loss.hasCounted(try #require(files.count))
    let count = loss.count
    return try #require(count)
  }

  @Test func countBeginsWhenTheQueueIsEmpty() {
    var loss = EventLoss()
    #expect(loss.endTime == nil)
    #expect(!loss.isOpen)
    loss.begin()
    #expect(loss.endTime == nil)
    #expect(loss.isOpen)
    loss.drained(MissedFiles.now)
    #expect(loss.endTime != nil)
    #expect(loss.isOpen)
  }

  @Test func secondLossPutsTheCountOff() {
    var loss = EventLoss()
    loss.begin()
    loss.drained(MissedFiles.now)
    loss.begin()
    #expect(loss.endTime == nil)
    loss.drained(MissedFiles.now)
    #expect(loss.endTime != nil)
  }

  @Test func filesOfBothLossesAreCountedTogether() throws {
    var loss = EventLoss()
    loss.begin()
    try write()
    // As though the queue had been read an hour later.
    loss.drained(MissedFiles.now + Self.hour)
    loss.begin()
    loss.drained(MissedFiles.now + 2 * Self.hour)
    #expect(try count(&loss) == 1)
    #expect(!loss.isOpen)
  }

  @Test func filesFromBeforeTheLossAreNotCounted() throws {
    try write()
    var loss = EventLoss()
    loss.drained(MissedFiles.now + Self.hour)
    loss.begin()
    loss.drained(MissedFiles.now + 2 * Self.hour)
    #expect(try count(&loss) == 0)
  }

  @Test func lossDuringACountIsCountedAfterIt() throws {
    var loss = EventLoss()
    loss.begin()
    loss.drained(MissedFiles.now)
    _ = loss.beginCount(by: 2)
    #expect(loss.isBeingCounted)
    loss.begin()
    try write()
    loss.drained(MissedFiles.now)
    #expect(loss.endTime == nil)
    let second = loss.beginCount(by: 1)
    #expect(second == nil)
    loss.hasCounted(3)
    let early = loss.count
    #expect(early == nil)
    loss.hasCounted(4)
    let first = loss.count
    #expect(first == 7)
    #expect(!loss.isBeingCounted)
    #expect(loss.endTime != nil)
    #expect(try count(&loss) == 1)
  }
}
