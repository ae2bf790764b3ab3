import CLinux
import CompanionProtocol
import DocumentSource
import Glibc
import LinuxSystem
import Testing

@testable import Watching

/// What the reader of events and its workers say to each other.
@Suite struct WorkerMessageTests {
  private static let account = UserAccount(
    name: "anna", user: 2001, group: 2002, home: FilePath("/home/anna"))

  @Test func requestsComeAsTheyWereSent() {
    let tasks = [
      WorkerTask(
        account: Self.account, mode: .tag, extent: .fileSystem, policy: nil, reportsFiles: true,
        mount: nil),
      WorkerTask(
        account: Self.account, mode: .dryRun, extent: .mount, policy: .last, reportsFiles: false,
        mount: FilePath("/home/anna/\u{e4} b")),
    ]
    let requests: [WorkerRequest] =
      tasks.map { .start($0) } + [
        .directory(FilePath("/a")), .include("*.txt"), .exclude(""), .onlyApplication("a.b"),
        .excludeApplication("c"), .recordDownloads, .described([0, 1, 255]),
        .open(FilePath("/a b")), .count(-5...7),
        .portalWrite(
          PortalWrite(
            document: .path([0x2f, 0xff]), application: "org.example.Notes",
            time: Clock.milliseconds)),
        .retire,
        .finish(400),
      ]
    for request in requests { #expect(WorkerRequest(request.message) == request) }
  }

  @Test func answersComeAsTheyWereSent() throws {
    let numbers = Array(1...9)
    let bytes = unsafe numbers.withUnsafeBytes { unsafe Array($0) }
    let tally = try #require(WatchTally(bytes: bytes))
    #expect(tally.tagged == 1)
    #expect(tally.filtered == 9)
    #expect(tally.bytes == bytes)
    let path = Array("/a\u{fffd}".utf8) + [0xff]
    let outcomes: [WatchOutcome] = [
      .tagged(DocumentSource(identifier: "a.b", name: "", path: nil)),
      .wouldTag(DocumentSource(path: "x", appInfoURL: "https://a")), .kept, .renamed(path: "n"),
      .recorded(url: "https://a"),
      .none(.plain(.versionControl)), .none(.plain(.shell)), .none(.terminal), .none(.fileManager),
      .none(.service), .none(.nothingKnown), .unknown, .failed("reason", .removal),
      .failed("reason"),
    ]
    let answers: [WorkerAnswer] =
      outcomes.map { .file(path: path, writer: 7, $0) } + [
        .watched(FilePath("/")), .place(FilePath("/a")), .opened(FilePath("/b")),
        .remote(FilePath("/c")), .flaw(FilePath("/d"), "why"), .metainfoFailure("why"),
        .described([]), .ready(isEnabled: true), .ready(isEnabled: false),
        .handled(3, held: 4, tally), .knows([]), .knows([1, 4_194_304]), .busy,
        .paused(until: 1_800_000_000),
        .portalWrite(
          PortalWrite(
            document: .path(path), application: "org.example.Notes", time: Clock.milliseconds)),
        .portalWrite(
          PortalWrite(
            document: .name([0xff]), application: "org.example.Notes", time: Clock.milliseconds)),
        .missed(5), .stale,
        .finished(tally),
      ]
    for answer in answers { #expect(WorkerAnswer(answer.message) == answer) }
  }

  /// As one that was taken over might say.
  @Test(arguments: [
    ["handled", "1", "0", "0 0 0"], ["ready"], ["file", "/a"],
    ["file", "/a", "x", "kept"],
    ["file", "/a", "1", "none", "plain nothing"], ["file", "/a", "1", "tagged", "a"],
    ["missed", "99999999999999999999"], ["flaw", "/a"], ["portalWrite", "/a"],
    ["portalWrite", "file", "/a", "b", "1"],
    ["idle"], ["", ""], ["knows"], ["knows", "1 x"],
  ])
  func otherWordsAreNoAnswer(_ words: [String]) {
    let message = CompanionMessage(words.map { Array($0.utf8) })
    #expect(WorkerAnswer(message) == nil)
  }

  @Test func numbersAreNotNegative() {
    func answer(_ count: String, _ numbers: [Int]) -> WorkerAnswer? {
      let tally = unsafe numbers.withUnsafeBytes { unsafe Array($0) }
      let words = ["handled", count, "0"].map { Array($0.utf8) }
      return WorkerAnswer(CompanionMessage(words + [tally]))
    }
    let none = Array(repeating: 0, count: 9)
    #expect(answer("1", none) == .handled(1, held: 0, WatchTally()))
    #expect(answer("-1", none) == nil)
    #expect(answer("1", none.dropLast() + [-1]) == nil)
    #expect(answer("1", none.dropLast()) == nil)
    #expect(answer("1", none + [0]) == nil)
  }

  @Test func sumsStayNumbers() {
    var tally = WatchTally()
    tally.tagged = .max - 1
    var more = WatchTally()
    more.tagged = 5
    tally += more
    #expect(tally.tagged == .max)
  }

  /// Events with their descriptors, through a real socket.
  @Test func eventsComeWithTheirFilesAndWriters() throws {
    let buffer = PacketBuffer()
    let (ours, end) = try FileChannel.pair(buffer)
    let theirs = FileChannel(end, buffer)
    var queue = EventQueue()
    for (number, writer) in [(0, 10), (1, 10), (2, 11), (3, 12)] as [(UInt64, Int32)] {
      var status = clinux_status()
      status.inode = 100 + number
      // The third writer is gone.
      let process = writer == 12 ? -1 : clinux_process_open(getpid())
      queue.append(
        QueuedEvent(
          file: open("/dev/null", O_RDONLY | O_CLOEXEC), status: status, writer: writer,
          process: process))
    }
    let batch = try #require(queue.batch())
    #expect(batch.files.count == 4)
    // Of the first writer there is one.
    #expect(batch.processes.count == 2)
    try ours.send(batch.bytes, batch.files + batch.processes, waits: false)
    queue.removeFirst(4)
    #expect(queue.count == 0)
    guard case .packet(let packet) = theirs.receive() else {
      Issue.record("nothing has come")
      return
    }
    defer { for file in packet.files { close(file) } }
    #expect(packet.files.count == 6)
    let came = try #require(EventBatch(packet))
    #expect(came.records.map(\.status.inode) == [100, 101, 102, 103])
    #expect(came.records.map(\.writer) == [10, 10, 11, 12])
    let processes = came.records.map { came.process(of: $0) }
    #expect(processes[0] == processes[1])
    #expect(processes[0] >= 0 && processes[2] >= 0 && processes[0] != processes[2])
    #expect(processes[3] == -1)
    #expect(WorkerAnswer.busy.message.packet.last != batch.bytes.last)
  }

  @Test func lastWordsAreHeardThoughSomethingWasNotRead() throws {
    let buffer = PacketBuffer()
    let (ours, end) = try FileChannel.pair(buffer)
    do {
      let theirs = FileChannel(end, buffer)
      try theirs.send([1, 2], waits: false)
      try ours.send([3], waits: false)
    }
    guard case .packet(let packet) = ours.receive() else {
      Issue.record("nothing has come")
      return
    }
    #expect(packet.bytes == [1, 2])
    guard case .ended = ours.receive() else {
      Issue.record("the end has not come")
      return
    }
  }

  @Test func batchHasNoMoreThanAMessageHolds() {
    var queue = EventQueue()
    for number in 0..<600 {
      queue.append(
        QueuedEvent(file: -1, status: clinux_status(), writer: Int32(number), process: 1_000_000))
    }
    #expect(queue.batch()?.files.count == 126)
    queue.removeFirst(126)
    #expect(queue.count == 474)
  }

  @Test func filesOfWritersThatMayEndSoonComeFirst() throws {
    func order(_ events: [(writer: Int32, inode: UInt64, isNew: Bool)]) throws -> [Int] {
      var queue = EventQueue()
      for event in events {
        var status = clinux_status()
        status.inode = event.inode
        queue.append(
          QueuedEvent(
            file: -1, status: status, writer: event.writer, process: 1_000_000,
            isNew: event.isNew))
      }
      return try #require(queue.batch()).order
    }
    #expect(
      try order([(1, 7, false), (2, 8, true), (1, 9, false), (2, 10, true)]) == [1, 3, 0, 2])
    // Somebody else has written the file before.
    #expect(try order([(1, 7, false), (2, 8, true), (3, 7, true)]) == [1, 0, 2])
    #expect(try order([(2, 7, true), (1, 8, false), (3, 7, true)]) == [0, 2, 1])
    // An editor may close the old file before it saves the new one.
    #expect(try order([(1, 7, false), (2, 8, true), (1, 9, true)]) == [1, 0, 2])
  }

  @Test func glanceIsTakenAtWritersThatMayEndSoon() throws {
    let own = clinux_process_open(getpid())
    defer { close(own) }
    var queue = EventQueue()
    // The last one's pidfd is not open.
    for (writer, process, isNew) in [
      (getpid(), own, false), (getpid(), own, true), (getpid(), own, true), (1, -1, true),
    ] {
      queue.append(
        QueuedEvent(
          file: -1, status: clinux_status(), writer: writer, process: process, isNew: isNew))
    }
    let writers = try #require(queue.batch()).writers(ProcessReader())
    #expect(writers.map(\.identifier) == [getpid(), getpid(), getpid(), 1])
    #expect(writers.map(\.process) == [own, own, own, -1])
    #expect(writers.map { $0.glance?.parent } == [nil, getppid(), getppid(), nil])
  }

  @Test func writerIsNewForHalfASecondAndSomeFiles() {
    let user = UserWatch(Self.account, [], nil)
    #expect(user.isNew(5, 1000))
    #expect(user.isNew(5, 1499))
    #expect(!user.isNew(5, 1500))
    #expect(user.isNew(6, 1500))
    // Another process may have the number after a minute.
    #expect(user.isNew(5, 61_000))
    let count = KnownProcesses.areKnownAfterTheirEnd ? 4 : 32
    #expect((0..<40).map { _ in user.isNew(7, 61_000) }.count { $0 } == count)
    // Who has a number of the same rest takes its place.
    #expect(user.isNew(7 + 1024, 61_000))
    #expect(user.isNew(7, 61_000))
  }

  @Test func writerThatTheWorkerKnowsIsNotNew() {
    let user = UserWatch(Self.account, [], nil)
    user.noteKnown([5])
    #expect(user.isNew(5, 1000))
    user.noteKnown([6, 5, 5 + 1024])
    #expect(!user.isNew(5, 1001))
    #expect(user.isNew(6, 1001))
    // Another worker may not know it.
    user.first = nil
    #expect(user.isNew(5, 1002))
  }

  @Test func fileOfANewWriterIsHandedOverAtOnce() {
    let user = UserWatch(Self.account, [], nil)
    user.hasDispatched(1000)
    func append(isNew: Bool) {
      let event = QueuedEvent(
        file: -1, status: clinux_status(), writer: 5, process: -1, isNew: isNew)
      user.append(event, limit: 128)
    }
    for _ in 0..<10 { append(isNew: false) }
    #expect(user.dispatchTime(1010) == 1050)
    append(isNew: true)
    #expect(user.dispatchTime(1010) == 1010)
    user.hasDispatched(1010)
    #expect(user.dispatchTime(1020) == 1060)
  }

  @Test func tooManyFilesDropTheOldest() {
    let user = UserWatch(Self.account, [], nil)
    for number in 0..<130 {
      let event = QueuedEvent(
        file: -1, status: clinux_status(), writer: Int32(number), process: -1)
      user.append(event, limit: 128)
    }
    #expect(user.queue.count == 128)
    #expect(user.dropped == 2)
    #expect(user.queue.batch()?.records.first?.writer == 2)
  }
}
