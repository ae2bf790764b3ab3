internal import CLinux
internal import CompanionProtocol
internal import Glibc
internal import LinuxSystem

/// A worker as the reader of events has it.
final class WorkerProcess {
  /// How long a worker may take for a message, in milliseconds, as the next.
  static let patience = 2000
  /// How long one may take for its preparations, reading settings, desktop files and metainfo, or for
  /// what it holds when it is to end.
  static let startPatience = 10_000
  /// As many messages are under way to a worker.
  private static let window = 16
  /// As many requests wait that may as well be left out.
  private static let requestLimit = 256

  let user: UInt32
  /// The mount that it looks at alone; `nil` if it is the user's first.
  let mount: FilePath?
  let channel: FileChannel
  let program: RunningProgram
  private(set) var isReady = false
  /// How many files it holds, and what it has counted, by its last word.
  private(set) var held = 0
  private(set) var tally = WatchTally()
  /// What it has said of itself before it was ready.
  var directories: [FilePath] = []
  var remotes: [FilePath] = []
  /// The mount of the document portal.
  var portal: FilePath?
  var places: [WatchMarks.Key: FilePath] = [:]
  /// Until when its user wants nothing to be tagged, in seconds since 1970.
  var pauseEnd: Int?
  /// The mounts when it was started.
  let mounts: [Mount]
  /// Whether its user wants the witness to record who writes.
  var wantsWitness = false
  /// Whether it counts missed files.
  var isCounting = false
  /// Whether its channel has ended.
  var isDeaf = false
  /// Whether it is to end by itself.
  private(set) var isRetiring = false
  /// When it was last sent a file, in milliseconds.
  private(set) var lastUse = Clock.milliseconds
  /// How many files each message under way has.
  private var underWay: [Int] = []
  private var requests: [WorkerRequest] = []
  private var waitingSince: Int? = Clock.milliseconds

  /// Starts a worker, which gets its messages before it does anything.
  ///
  /// - Throws: `Errno` if the program cannot be started.
  init(
    _ task: WorkerTask, _ setup: [WorkerRequest], _ mounts: [Mount], _ buffer: PacketBuffer
  ) throws(Errno) {
    user = task.account.user
    mount = task.mount
    self.mounts = mounts
    let (ours, theirs) = try FileChannel.pair(buffer)
    defer { close(theirs) }
    channel = ours
    let isOwn = task.account.user == geteuid()
    let words = ["docsource", WatchWorker.argument, task.account.name]
    program = try Program(
      FilePath("/proc/self/exe"), words.map { Array($0.utf8) }, .sandboxed,
      variables: isOwn ? nil : []
    ).start(input: .descriptor(theirs), output: .null, errors: .null)
    for request in setup + [.start(task)] { try channel.send(request.message.packet, waits: false) }
  }

  /// Whether the mount that it looks at is the one that is there by a later list. Numbers are given
  /// again; what it has marked is looked at by itself.
  func hasMount(of later: [Mount]) -> Bool {
    let (first, last) = (mounts.last { $0.point == mount }, later.last { $0.point == mount })
    return first?.number == last?.number && first?.device == last?.device
  }

  /// When it is late, in milliseconds; `nil` while nothing is expected of it.
  var deadline: Int? {
    waitingSince.map { $0 + (isReady && !isRetiring ? Self.patience : Self.startPatience) }
  }

  /// How many files would be lost with it.
  var filesAtStake: Int { underWay.reduce(held, +) }

  var canTakeMore: Bool { isReady && !isRetiring && underWay.count < Self.window }

  func becomeReady() {
    isReady = true
    waitingSince = nil
  }

  /// Sends as many of a user's files as there is room for.
  ///
  /// - Returns: whether the worker is still there.
  func send(_ queue: inout EventQueue) -> Bool {
    while canTakeMore, let batch = queue.batch() {
      do throws(Errno) {
        try channel.send(batch.bytes, batch.files + batch.processes, waits: false)
      } catch {
        return error.rawValue == EAGAIN
      }
      queue.removeFirst(batch.records.count)
      underWay.append(batch.records.count)
      lastUse = Clock.milliseconds
      waitingSince = waitingSince ?? lastUse
    }
    return true
  }

  /// Takes what it says of its work.
  func hasHandled(_ count: Int, held: Int, _ tally: WatchTally) {
    underWay.removeFirst(min(count, underWay.count))
    self.held = held
    self.tally = tally
    sendRequests()
    if isReady, !isRetiring { waitingSince = underWay.isEmpty ? nil : Clock.milliseconds }
  }

  func isWorking() { waitingSince = Clock.milliseconds }

  /// Asks for something, once there is room.
  func ask(_ request: WorkerRequest) {
    requests.append(request)
    sendRequests()
  }

  /// Reports something, in place of what was to be reported first if much waits already.
  func mention(_ write: PortalWrite) {
    if requests.count >= Self.requestLimit {
      sendRequests()
      let first = requests.firstIndex { if case .portalWrite = $0 { true } else { false } }
      if requests.count >= Self.requestLimit, let first { requests.remove(at: first) }
    }
    ask(.portalWrite(write))
  }

  /// Sends what there was no room for.
  func sendRequests() {
    while let request = requests.first {
      do throws(Errno) {
        try channel.send(request.message.packet, waits: false)
      } catch {
        // One that is gone is noticed by its channel.
        return
      }
      requests.removeFirst()
    }
  }

  /// Lets it handle what it holds, and end.
  func retire() {
    isRetiring = true
    waitingSince = Clock.milliseconds
    ask(.retire)
  }

  func finish(within time: Int) {
    isRetiring = true
    ask(.finish(time))
  }

  func hasFinished(_ tally: WatchTally) {
    isRetiring = true
    self.tally = tally
    held = 0
    underWay = []
    waitingSince = nil
  }

  /// Ends it at once. One that waits for a FUSE mount whose program has taken the question may not end
  /// before that program does.
  func kill() { program.kill(of: user) }
}

/// A written file that waits for a worker. Both descriptors belong to the queue that it is in.
struct QueuedEvent {
  let file: CInt
  let status: clinux_status
  let writer: Int32
  /// A pidfd; negative if the writer is gone.
  let process: CInt
  /// Whether the writer may end soon.
  var isNew = false
}

/// The files of a user that wait for a worker, the oldest first.
struct EventQueue {
  private var events = FileQueue<QueuedEvent>()

  var count: Int { events.count }

  mutating func append(_ event: QueuedEvent) { events.append(event) }

  /// The first events, as many as a message has room for; `nil` if there is none.
  func batch() -> EventBatch? {
    guard count > 0 else { return nil }
    var batch = EventBatch()
    for event in events.waiting {
      guard batch.hasRoom else { break }
      batch.append(event)
    }
    return batch
  }

  /// Closes the first events.
  mutating func removeFirst(_ number: Int) {
    // The kernel gives the two of an event, and those of successive events, successive numbers.
    var files: [CInt] = []
    files.reserveCapacity(2 * number)
    for event in events.waiting.prefix(number) {
      files.append(min(event.file, event.process))
      files.append(max(event.file, event.process))
    }
    Descriptor.close(files)
    events.removeFirst(number)
  }
}
