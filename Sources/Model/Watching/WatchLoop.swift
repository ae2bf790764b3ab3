internal import CLinux
internal import CompanionProtocol
internal import Glibc
package import LinuxSystem

/// The watch itself: reads the events of all users, and hands each user's files to a worker of that
/// user.
///
/// It does nothing that may block or that a user can make long: it opens no path, asks no server, and
/// waits for no worker. What a user has it do takes the same time for each file, and the files that
/// wait are limited by user. See `WatchWorker` for the rest.
package final class WatchLoop {
  package enum Mode {
    case tag
    /// Nothing is written.
    case dryRun
  }

  /// How often the list of users and the status are looked after, in milliseconds, as the other
  /// intervals.
  private static let accountInterval = 5000
  private static let statusInterval = 10_000
  private static let overflowInterval = 1000
  private static let complaintInterval = 60_000
  private static let mountInterval = 250
  private static let reapInterval = 1000
  private static let reloadPatience = 10_000
  /// How long nothing is written by a user before the user's worker ends.
  private static let idleTime = 600_000
  /// While more than `manyEvents` come in a second, only events are waited for, but not longer: to look
  /// at all else after each would cost more than the work.
  private static let manyEvents = 100
  private static let roundTime = 50
  /// While more than these come in a second, they are left to gather for so long. All users' events
  /// wait then, and a writer may end before it is asked, so that it must be short.
  private static let flood = 2000
  private static let gathering = 1
  /// The longest turn of reading events, in milliseconds; signals are heeded between two turns.
  private static let turn = 100
  private static let catchUpLimit = 300
  private static let piece = 10
  /// As many descriptors come with one reading of events at most.
  private static let eventsOfTurn = 1024
  /// As many messages of one worker are handled before those of the next.
  private static let messageTurn = 256
  /// How long workers may handle held files at the end, in milliseconds, and how long they are waited
  /// for.
  private static let lastPiece = 400
  private static let lastPatience = 800
  private static let lastInterval = 50
  private static let flawLimit = 1000
  /// The descriptors that are no waiting files': channels and marks.
  private static let otherFiles = 1024

  private let choice: WatchRoster.Choice
  private let extent: FileEvents.Extent
  private let mode: Mode
  private let events: FileEvents
  private let signals: ServiceSignals
  private let report: WatchReport
  private let status: WatchStatusFile?
  private let mounts: CInt
  private let buffer = PacketBuffer()
  /// How many files may wait for the workers of all users.
  private let room: Int
  private var users: [UInt32: UserWatch] = [:] { didSet { lastUser = nil } }
  /// The one of these whose file was written last: most files that come together are one user's.
  private var lastUser: UserWatch?
  private var marks: WatchMarks
  /// `nil` until a user wants it.
  private var witness: WitnessProcess?
  private var scout: SettingsScout?
  private var scoutIsReloading = false
  /// Users with home directories that did not answer, and until when they are left out.
  private var suspended: [UInt32: Int] = [:]
  private var accounts: [UserAccount] = []
  private var accountList: FileFingerprint?
  /// What was counted here, and by workers that have ended.
  private var counted = WatchTally()
  private var waiting = 0
  private var rate = EventRate()
  /// When events were read last, in milliseconds.
  private var readTime = 0
  /// Whether the events just read have a writer who has not written lately, and may end soon.
  private var hasNewWriter = false
  /// How long the workers may be waited for, and since when that has not grown, in milliseconds.
  private var patience = (rest: WatchLoop.catchUpLimit, time: Clock.milliseconds)
  private var saidOverflow = (count: 0, time: 0)
  private var loss = EventLoss()
  private var mountTime: Int?
  /// Until when a reload is waited for; `nil` if none is under way.
  private var reloadEnd: Int?
  /// The same for the start.
  private var startEnd: Int?
  /// Whether the first preparations are done.
  private var hasBegun = false
  private var startFlaws: [WatchRoster.Flaw] = []
  private var saidFlaws: Set<WatchRoster.Flaw> = []
  private var saidFailures: Set<String> = []
  /// When each user's losses were reported last, and how many.
  private var complaints: [UInt32: (time: Int, dropped: Int, lost: Int)] = [:]
  private var hasFailed = false

  /// Asks the kernel for events, and finds out whose directories are to be watched.
  ///
  /// - Parameters:
  ///   - extent: what is marked for each directory.
  ///   - isService: whether to keep the service's status file.
  /// - Throws: `Errno` as `FileEvents` does, which needs CAP_SYS_ADMIN.
  package init(
    _ choice: WatchRoster.Choice, _ extent: FileEvents.Extent, _ mode: Mode, isService: Bool,
    _ report: WatchReport
  ) throws(Errno) {
    events = try FileEvents()
    signals = try ServiceSignals()
    room = max(64, FileEvents.raiseFileLimit() - Self.otherFiles)
    self.choice = choice
    self.extent = extent
    self.mode = mode
    self.report = report
    marks = WatchMarks(extent)
    status = isService ? WatchStatusFile() : nil
    mounts = unsafe Mount.list.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC) }
    marks.update(Mount.all())
    findOwners()
  }

  deinit { if mounts >= 0 { close(mounts) } }

  package var flaws: [WatchRoster.Flaw] { startFlaws }

  package var hasUsers: Bool { !users.isEmpty }

  // MARK: Users

  private func findOwners() {
    switch choice {
    case .users:
      accounts = UserAccount.all()
      accountList = FileFingerprint(UserAccount.list)
    case .directories(let paths, let settings):
      let found = WatchRoster.owners(of: paths)
      startFlaws = found.flaws
      for (account, directories) in found.owners {
        let setup =
          directories.map { WorkerRequest.directory($0) } + settings.include.map { .include($0) }
          + settings.exclude.map { .exclude($0) }
          + settings.applications.only.map { .onlyApplication($0) }
          + settings.applications.excluded.map { .excludeApplication($0) }
          + (settings.recordsDownloads ? [.recordDownloads] : [])
          + (settings.hasWitness ? [.witness] : [])
        users[account.user] = UserWatch(account, setup, settings.policy)
      }
    }
  }

  private func begin() {
    for flaw in startFlaws { say(flaw) }
    if case .users = choice {
      startScout(isReload: true)
    } else {
      for user in users.values { user.needsNext = true }
    }
    writeStatus()
  }

  private func reload() {
    saidFlaws = []
    saidFailures = []
    suspended = [:]
    reloadEnd = Clock.milliseconds + Self.reloadPatience
    for user in users.values {
      user.described = nil
      user.forgetPauses()
    }
    switch choice {
    case .users: findOwners()
    case .directories:
      let former = users
      users = [:]
      findOwners()
      for (number, user) in users {
        guard let same = former[number], same.setup == user.setup else { continue }
        users[number] = same
      }
      for (number, user) in former where users[number] !== user { forget(user) }
    }
    begin()
  }

  /// Looks for settings of all users anew.
  private func startScout(isReload: Bool) {
    scout = nil
    scoutIsReloading = isReload
    let now = Clock.milliseconds
    suspended = suspended.filter { $0.value > now }
    let subjects = accounts.filter { suspended[$0.user] == nil }.compactMap { account in
      (try? WatchSettings.file(account.places).path).map { settings in
        SettingsScout.Subject(account: account, settings: settings)
      }
    }
    do throws(Errno) {
      scout = try SettingsScout(subjects, buffer)
    } catch {
      say(
        WatchRoster.Flaw(
          path: UserAccount.list, reason: "cannot look for settings: \(error)"))
    }
  }

  private func take(_ finding: SettingsScout.Finding) {
    switch finding {
    case .round: scoutIsReloading = false
    case .user(let number, let hasSettings):
      guard let account = accounts.first(where: { $0.user == number }) else { return }
      guard hasSettings else {
        if let user = users.removeValue(forKey: number) { forget(user) }
        return
      }
      let known = users[number]
      // Settings that were looked at before and have not changed need no new worker.
      if let known, known.account == account, !scoutIsReloading, scout?.isFirstRound == true {
        return
      }
      if let known, known.account != account {
        users[number] = nil
        forget(known)
      }
      let user = users[number] ?? UserWatch(account, [], nil)
      users[number] = user
      user.needsNext = true
    }
  }

  /// A user's files are no longer to be tagged.
  private func forget(_ user: UserWatch) {
    user.isEnabled = false
    user.needsNext = false
    discard(user)
    let asked = user.first
    for (key, path) in user.places where marks.release(key, by: user.account.user) {
      asked?.ask(.open(path))
    }
    for worker in [user.first, user.next].compactMap(\.self) + user.others.values {
      retire(worker, of: user)
    }
    leaving += user.leaving
    user.leaving = []
    (user.first, user.next) = (nil, nil)
    user.others = [:]
  }

  /// Workers of users that are no longer watched.
  private var leaving: [WorkerProcess] = []

  private func retire(_ worker: WorkerProcess, of user: UserWatch) {
    worker.retire()
    user.leaving.append(worker)
  }

  /// Nobody wants what waits.
  private func discard(_ user: UserWatch) {
    waiting -= user.queue.count
    user.queue.removeFirst(user.queue.count)
  }

  private func drop(_ count: Int, of user: UserWatch) {
    user.queue.removeFirst(count)
    user.dropped += count
    counted.dropped += count
    waiting -= count
  }

  // MARK: Workers

  private func start(_ user: UserWatch, _ mount: FilePath?) {
    let task = WorkerTask(
      account: user.account, mode: mode, extent: extent, policy: user.policy,
      reportsFiles: report.wantsFiles, mount: mount)
    let setup = user.setup + (user.described.map { [.described($0)] } ?? [])
    user.hasStarted(mount)
    do throws(Errno) {
      let worker = try WorkerProcess(task, setup, Mount.all(), buffer)
      if let mount {
        user.others[mount] = worker
      } else {
        if let former = user.next { retire(former, of: user) }
        user.next = worker
        user.needsNext = false
        user.mentionAll(to: worker)
      }
    } catch {
      user.hasLost(mount)
      say(
        WatchRoster.Flaw(path: user.account.home, reason: "cannot start a worker: \(error)"))
    }
  }

  /// Starts the workers that are missing.
  private func startWorkers() {
    let now = Clock.milliseconds
    for user in users.values where user.mayStart {
      if user.needsFirst, user.startTime() <= now { start(user, nil) }
      for mount in user.remotes where user.others[mount] == nil && user.mayStart {
        if user.startTime(mount) <= now { start(user, mount) }
      }
    }
  }

  /// When a worker that is missing may be started, in milliseconds.
  private func nextStart() -> Int? {
    var next: Int?
    for user in users.values where user.mayStart {
      if user.needsFirst { next = min(next ?? .max, user.startTime()) }
      for mount in user.remotes where user.others[mount] == nil {
        next = min(next ?? .max, user.startTime(mount))
      }
    }
    return next
  }

  /// Handles what a worker says.
  ///
  /// - Returns: whether it goes on.
  private func listen(to worker: WorkerProcess, of user: UserWatch?) -> Bool {
    for _ in 0..<Self.messageTurn {
      switch worker.channel.receive() {
      case .none: return true
      case .ended: return false
      case .packet(let packet):
        defer { Descriptor.close(packet.files) }
        guard let answer = CompanionMessage(packet).flatMap({ WorkerAnswer($0) }) else {
          return false
        }
        take(answer, packet.files, worker, user)
      }
    }
    return true
  }

  private func take(
    _ answer: WorkerAnswer, _ files: [CInt], _ worker: WorkerProcess, _ user: UserWatch?
  ) {
    switch answer {
    case .watched(let path):
      if worker.directories.count < UserWatch.directoryLimit { worker.directories.append(path) }
    case .remote(let path):
      guard worker.remotes.count < UserWatch.remoteLimit else {
        return say(WatchRoster.Flaw(path: path, reason: "not watched: too many mounts of one user"))
      }
      worker.remotes.append(path)
    case .portal(let path): worker.portal = path
    case .wantsWitness: worker.wantsWitness = true
    case .seal(let kinds):
      if worker.wantsWitness, kinds.count == files.count { hand(files, to: .seal(kinds)) }
    case .place(let path):
      if let file = files.first, let user {
        mark(path, file, worker, user)
        if worker.wantsWitness { hand([file], to: .place) }
      }
    case .opened: if let file = files.first { marks.remove(file, events) }
    case .flaw(let path, let reason): say(WatchRoster.Flaw(path: path, reason: reason))
    case .metainfoFailure(let reason):
      if saidFailures.count < Self.flawLimit, saidFailures.insert(reason).inserted {
        report.tell(.metainfoFailure(reason))
      }
    case .described(let bytes): user?.described = bytes
    case .paused(let end): worker.pauseEnd = end
    case .ready(let isEnabled): if let user { becomeReady(worker, of: user, isEnabled) }
    case .handled(let count, let held, let tally): worker.hasHandled(count, held: held, tally)
    case .knows(let writers): if let user, user.first === worker { user.noteKnown(writers) }
    case .busy: worker.isWorking()
    case .file(let path, let writer, let outcome):
      report.tell(.file(path: path, writer: writer, outcome))
    // Its files wait for whoever is or becomes the first.
    case .portalWrite(let write):
      if worker.mount != nil { user?.mention(write) }
    case .missed(let count):
      if worker.isCounting { loss.hasCounted(count) }
      worker.isCounting = false
    case .stale: if let user, user.first === worker { user.needsNext = true }
    case .finished(let tally): worker.hasFinished(tally)
    }
  }

  /// Has the witness take files. It is started with the first place, and ends with this process.
  private func hand(_ files: [CInt], to request: WitnessRequest) {
    if witness == nil, request == .place {
      do throws(Errno) {
        witness = try WitnessProcess(buffer)
      } catch {
        say(
          WatchRoster.Flaw(path: FilePath("/"), reason: "cannot start the witness: \(error)"))
      }
    }
    guard let witness, !witness.send(request, files) else { return }
    self.witness = nil
    say(
      WatchRoster.Flaw(
        path: FilePath("/"), reason: "the witness has ended; until a reload nothing is recorded"))
  }

  private func mark(_ path: FilePath, _ file: CInt, _ worker: WorkerProcess, _ user: UserWatch) {
    do throws(WatchMarks.Refusal) {
      if let key = try marks.add(file, for: user.account.user, events) { worker.places[key] = path }
    } catch {
      let reason =
        switch error {
        case .place: "the mount cannot be watched"
        case .errno(let errno): errno.description.lowercased()
        }
      say(WatchRoster.Flaw(path: path, reason: "cannot watch: \(reason)"))
    }
  }

  private func becomeReady(_ worker: WorkerProcess, of user: UserWatch, _ isEnabled: Bool) {
    worker.becomeReady()
    guard worker === user.next else { return }
    user.next = nil
    if let former = user.first { retire(former, of: user) }
    user.first = worker
    user.isEnabled = isEnabled
    user.pauseEnd = worker.pauseEnd
    user.directories = worker.directories
    user.remotes = isEnabled ? worker.remotes + [worker.portal].compactMap(\.self) : []
    user.mountState = user.mountState(Mount.all())
    // What was mounted while it made its preparations.
    if isEnabled, user.mountState != user.mountState(worker.mounts) { user.needsNext = true }
    // Another mount may be at the same place.
    for (mount, other) in user.others
    where !user.remotes.contains(mount) || !other.hasMount(of: worker.mounts) {
      retire(other, of: user)
      user.others[mount] = nil
    }
    let former = user.places
    user.places = isEnabled ? worker.places : [:]
    for (key, path) in former.merging(worker.places, uniquingKeysWith: { $1 })
    where user.places[key] == nil && marks.release(key, by: user.account.user) {
      worker.ask(.open(path))
    }
    if !isEnabled {
      discard(user)
      retire(worker, of: user)
      user.first = nil
    }
    writeStatus()
  }

  /// A worker is gone, or is ended because it is late.
  private func lose(_ worker: WorkerProcess, of user: UserWatch?, isLate: Bool) {
    if !isLate { worker.isDeaf = true }
    let isExpected = worker.isRetiring && !isLate
    counted += worker.tally
    let lost = worker.filesAtStake
    if worker.isCounting { loss.hasCounted(0) }
    worker.isCounting = false
    counted.dropped += lost
    worker.hasFinished(WatchTally())
    guard let user else { return }
    user.dropped += lost
    user.leaving.removeAll { $0 === worker }
    if user.first === worker { user.first = nil }
    if user.next === worker {
      user.next = nil
      // The settings are still to be read.
      if user.first == nil || !worker.isReady { user.needsNext = true }
    }
    if let mount = worker.mount, user.others[mount] === worker { user.others[mount] = nil }
    if isLate { worker.kill() }
    if !isExpected { user.hasLost(worker.mount) }
    // It is waited for, and heard until its channel ends.
    if isLate || worker.program.endingSoFar() == nil { user.leaving.append(worker) }
  }

  /// Ends the workers that are late, and waits for those that have ended.
  private func lookAfterWorkers(_ now: Int) {
    for user in users.values {
      for worker in user.workers where (worker.deadline ?? .max) <= now {
        lose(worker, of: user, isLate: true)
      }
      if !user.leaving.isEmpty {
        user.leaving.removeAll { worker in
          worker.isDeaf && worker.program.endingSoFar() != nil
        }
      }
      if let first = user.first, first.isReady, first.held == 0, user.queue.count == 0,
        user.next == nil, now - first.lastUse > Self.idleTime, !loss.isBeingCounted
      {
        retire(first, of: user)
        user.first = nil
      }
      complain(of: user, now)
    }
    for worker in leaving where (worker.deadline ?? .max) <= now {
      worker.kill()
      worker.hasFinished(worker.tally)
    }
    leaving.removeAll { worker in worker.isDeaf && worker.program.endingSoFar() != nil }
  }

  /// Reports what a user has lost, once a minute at most.
  private func complain(of user: UserWatch, _ now: Int) {
    let number = user.account.user
    let last = complaints[number] ?? (time: 0, dropped: 0, lost: 0)
    guard user.dropped > last.dropped || user.lostCount > last.lost,
      complaints[number] == nil || now - last.time >= Self.complaintInterval
    else { return }
    report.tell(
      .lost(
        user: user.account.name, workers: user.lostCount - last.lost,
        files: user.dropped - last.dropped))
    complaints[number] = (now, user.dropped, user.lostCount)
  }

  // MARK: The loop

  /// Watches until a signal ends it.
  ///
  /// - Parameter duration: when to stop without one, in milliseconds.
  /// - Returns: whether everything could be watched, tagged and reported.
  package func run(for duration: Int?) -> Bool {
    let end = duration.map { Clock.milliseconds + $0 }
    startEnd = Clock.milliseconds + Self.reloadPatience
    begin()
    var accountTime = Clock.milliseconds + Self.accountInterval
    var statusTime = Clock.milliseconds + Self.statusInterval
    var isReported = true
    loop: while isReported {
      startWorkers()
      let now = Clock.milliseconds
      if let end, now >= end { break }
      var next = min(accountTime, end ?? .max, status == nil ? .max : statusTime)
      next = min(next, nextDeadline(now), nextStart() ?? .max, nextDispatch(now) ?? .max)
      next = min(next, mountTime ?? .max, scout?.deadline ?? .max, reloadEnd ?? startEnd ?? .max)
      let start = MissedFiles.now
      let ready = wait(max(0, next - now), forAll: true)
      // The last turn may have read the last event without finding the queue empty.
      if !ready.events { loss.drained(start) }
      switch ready.signal {
      case .stop: break loop
      case .reload: reload()
      case nil: break
      }
      if ready.mounts { mountTime = mountTime ?? Clock.milliseconds + Self.mountInterval }
      if ready.events { readInRounds() }
      let after = Clock.milliseconds
      dispatch(after)
      sayOverflow()
      countMissed()
      lookAfterScout(after)
      if let time = mountTime, time <= after {
        mountTime = nil
        lookAtMounts()
      }
      lookAfterWorkers(after)
      lookAfterReload(after)
      if after >= accountTime {
        accountTime = after + Self.accountInterval
        if case .users = choice, FileFingerprint(UserAccount.list) != accountList { reload() }
        for user in users.values where user.pauseEnd.map({ $0 <= time(nil) }) ?? false {
          user.pauseEnd = nil
          user.needsNext = true
        }
      }
      if after >= statusTime {
        statusTime = after + Self.statusInterval
        writeStatus()
      }
      isReported = report.flush()
    }
    return finish(isReported)
  }

  private func nextDeadline(_ now: Int) -> Int {
    var next = Int.max
    func take(_ workers: [WorkerProcess]) {
      for worker in workers {
        // Those that were killed are waited for now and then.
        let isWorking = worker.isReady && !worker.isRetiring
        next = min(next, worker.deadline ?? (isWorking ? .max : now + Self.reapInterval))
      }
    }
    for user in users.values { take(user.workers) }
    take(leaving)
    return next
  }

  /// Reads events until there are few, but not for long, since all else waits.
  ///
  /// Each is read at once, since who writes one file and ends can only be asked before that.
  private func readInRounds() {
    defer { hasNewWriter = false }
    let end = Clock.milliseconds + Self.roundTime
    while true {
      let (count, isDrained) = readEvents()
      let now = readTime
      rate.hasRead(count, now)
      guard isDrained, rate.perSecond > Self.manyEvents, !hasNewWriter, now < end else { break }
      if rate.perSecond > Self.flood {
        usleep(UInt32(Self.gathering) * 1000)
      } else {
        var wanted = pollfd(fd: events.descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wanted, 1, CInt(end - now)) > 0 else { break }
      }
    }
  }

  /// Waits, and handles what workers say.
  ///
  /// - Parameter forAll: whether for events, signals and mounts, too.
  private func wait(
    _ milliseconds: Int, forAll: Bool
  ) -> (events: Bool, mounts: Bool, signal: ServiceSignals.Request?) {
    var wanted = [
      pollfd(fd: forAll ? events.descriptor : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: forAll ? signals.descriptor : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: forAll ? mounts : -1, events: Int16(POLLPRI), revents: 0),
      pollfd(fd: scout?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let fixed = wanted.count
    var heard: [(worker: WorkerProcess, user: UserWatch?)] = []
    for user in users.values { for worker in user.workers { heard.append((worker, user)) } }
    for worker in leaving { heard.append((worker, nil)) }
    heard.removeAll { $0.worker.isDeaf }
    for (worker, _) in heard {
      wanted.append(pollfd(fd: worker.channel.descriptor, events: Int16(POLLIN), revents: 0))
    }
    let count = unsafe poll(&wanted, nfds_t(wanted.count), CInt(clamping: milliseconds))
    guard count > 0 else { return (false, false, nil) }
    if wanted[3].revents != 0 { listenToScout() }
    for (index, (worker, user)) in heard.enumerated() where wanted[fixed + index].revents != 0 {
      if !listen(to: worker, of: user) { lose(worker, of: user, isLate: false) }
    }
    return (
      wanted[0].revents != 0, wanted[2].revents != 0,
      wanted[1].revents != 0 ? signals.next() : nil
    )
  }

  private func listenToScout() {
    var isGone = false
    while let finding = scout?.next(isGone: &isGone) { take(finding) }
    if isGone { scout = nil }
  }

  private func lookAfterScout(_ now: Int) {
    guard case .users = choice else { return }
    let isOver = scout.map { $0.deadline <= now } ?? true
    if isOver, let user = scout?.end() {
      suspended[user] = now + SettingsScout.pause
      if let account = accounts.first(where: { $0.user == user }) {
        let reason = "settings cannot be read: the directory does not answer"
        say(WatchRoster.Flaw(path: account.home, reason: reason))
      }
    }
    if isOver || suspended.contains(where: { $0.value <= now }) {
      startScout(isReload: scoutIsReloading)
    }
  }

  private func lookAfterReload(_ now: Int) {
    guard let end = reloadEnd ?? startEnd else { return }
    let isScouting = if case .users = choice { scoutIsReloading } else { false }
    let isStarting = users.values.contains { $0.needsNext || $0.next != nil }
    guard now >= end || !isScouting && !isStarting else { return }
    if reloadEnd != nil { report.tell(.reloaded) }
    (reloadEnd, startEnd) = (nil, nil)
    guard !hasBegun else { return }
    hasBegun = true
    writeStatus()
  }

  private func lookAtMounts() {
    let all = Mount.all()
    marks.update(all)
    let missing = marks.users(thatMiss: events.marked)
    for user in users.values where user.isEnabled {
      let state = user.mountState(all)
      if state != user.mountState || missing.contains(user.account.user) {
        user.mountState = state
        user.needsNext = true
      }
    }
  }

  /// Reports a flaw once.
  private func say(_ flaw: WatchRoster.Flaw) {
    hasFailed = true
    // Bounded, since users make up names of mounts and texts of settings.
    if saidFlaws.count >= Self.flawLimit { saidFlaws.removeAll() }
    if saidFlaws.insert(flaw).inserted { report.tell(.flaw(flaw)) }
  }

  /// - Returns: the number of events, and whether the queue is empty now.
  private func readEvents() -> (count: Int, isDrained: Bool) {
    var count = 0
    let start = MissedFiles.now
    readTime = Clock.milliseconds
    let end = readTime + Self.turn
    repeat {
      do throws(Errno) {
        let mayHaveMore = try events.read { event in
          count += 1
          switch event {
          case .written(let file, let writer): return take(file, writer)
          case .unreadable: counted.failed += 1
          case .overflow:
            counted.overflows += 1
            loss.begin()
            report.tell(.overflow)
          }
          return .close
        }
        dispatch(readTime)
        if isNearlyCrowded { catchUp() }
        if !mayHaveMore {
          loss.drained(start)
          return (count, true)
        }
      } catch {
        counted.failed += 1
        let reason = "cannot read an event: \(error.description.lowercased())"
        report.tell(.file(path: [], writer: 0, .failed(reason)))
      }
      readTime = Clock.milliseconds
    } while readTime < end
    return (count, false)
  }

  /// Lets a written file wait for its owner's worker.
  private func take(_ file: CInt, _ writer: Writer) -> FileEvents.Disposal {
    var status = clinux_status()
    guard unsafe clinux_file_glance(file, &status) == 0, WrittenFiles.isRegular(status),
      let user = user(status.owner), user.isWanted
    else { return .close }
    if isCrowded { dropFromLongest() }
    let isNew = user.isNew(writer.identifier, readTime)
    if isNew { hasNewWriter = true }
    let event = QueuedEvent(
      file: file, status: status, writer: writer.identifier, process: writer.process, isNew: isNew)
    let dropped = user.append(event, limit: UserWatch.queueLimit)
    counted.dropped += dropped
    waiting += 1 - dropped
    return .keepBoth
  }

  private func user(_ number: UInt32) -> UserWatch? {
    if let lastUser, lastUser.account.user == number { return lastUser }
    let user = users[number]
    lastUser = user
    return user
  }

  /// Whether the descriptors are used up that waiting files may have.
  private var isCrowded: Bool {
    // Two each.
    waiting * 2 > room / 4 * 3
  }

  /// Lets workers catch up before files are dropped, but not for long, since others wait meanwhile:
  /// for so many milliseconds at once, and for a twentieth of the time.
  private func catchUp() {
    let start = Clock.milliseconds
    patience.rest = min(
      Self.catchUpLimit, patience.rest + (start - patience.time) / 20)
    patience.time = start
    let end = start + patience.rest
    var now = start
    while isNearlyCrowded, now < end {
      dispatch(now, isLast: true)
      _ = wait(min(end - now, Self.piece), forAll: false)
      now = Clock.milliseconds
    }
    patience.rest -= now - start
  }

  /// Whether the next turn might use the descriptors up.
  private var isNearlyCrowded: Bool { waiting * 2 + Self.eventsOfTurn > room / 4 * 3 }

  private func dropFromLongest() {
    guard let user = users.values.max(by: { $0.queue.count < $1.queue.count }) else { return }
    drop(max(1, user.queue.count / 8), of: user)
  }

  /// When waiting files may be handed to a worker, in milliseconds.
  private func nextDispatch(_ now: Int) -> Int? {
    guard waiting > 0 else { return nil }
    return users.values.lazy.filter { user in
      user.queue.count > 0 && user.first?.canTakeMore == true
    }
    .map { $0.dispatchTime(now) }.min()
  }

  /// Hands waiting files to the workers.
  ///
  /// - Parameter isLast: whether all of them, also those that might gather.
  private func dispatch(_ now: Int, isLast: Bool = false) {
    guard waiting > 0 else { return }
    for user in users.values where user.queue.count > 0 {
      guard let worker = user.first, isLast || user.dispatchTime(now) <= now else { continue }
      let before = user.queue.count
      let isThere = worker.send(&user.queue)
      waiting -= before - user.queue.count
      if user.queue.count < before { user.hasDispatched(now) }
      if !isThere { lose(worker, of: user, isLate: false) }
    }
  }

  /// Has the files counted that changed while events were lost, and reports their number.
  private func countMissed() {
    if let count = loss.count { report.tell(.missed(count)) }
    guard mode == .tag, loss.endTime != nil, waiting == 0 else { return }
    let enabled = users.values.filter(\.isEnabled)
    // Who has no worker has written nothing for long, but perhaps now.
    let workers = enabled.compactMap(\.first).filter { $0.isReady && !$0.isRetiring }
    guard let times = loss.beginCount(by: workers.count) else { return }
    for worker in workers {
      worker.isCounting = true
      worker.ask(.count(times))
    }
  }

  /// Reports lost events once a second at most, since there is least time for it then.
  private func sayOverflow() {
    let count = counted.overflows
    let now = Clock.milliseconds
    guard count > saidOverflow.count, now - saidOverflow.time >= Self.overflowInterval else {
      return
    }
    saidOverflow = (count, now)
    report.tell(.overflows(count))
  }

  // MARK: The end

  /// Has the workers handle what they hold, and ends; whoever is late then is not waited for.
  private func finish(_ isReported: Bool) -> Bool {
    scout = nil
    // Events from before the end are still handled.
    let turnEnd = Clock.milliseconds + Self.turn
    while isReported, readEvents().count > 0, Clock.milliseconds < turnEnd {}
    dispatch(Clock.milliseconds, isLast: true)
    sayOverflow()
    let end = Clock.milliseconds + Self.lastPatience
    var asked: Set<ObjectIdentifier> = []
    while true {
      let workers = users.values.flatMap(\.workers) + leaving
      for worker in workers where !asked.contains(ObjectIdentifier(worker)) {
        // What waits goes before.
        if let user = users[worker.user], user.first === worker, user.queue.count > 0,
          Clock.milliseconds < end - Self.lastPiece
        {
          continue
        }
        worker.finish(within: Self.lastPiece)
        asked.insert(ObjectIdentifier(worker))
      }
      let now = Clock.milliseconds
      guard now < end, workers.contains(where: { !$0.isDeaf }) else { break }
      _ = wait(min(end - now, Self.lastInterval), forAll: false)
      dispatch(Clock.milliseconds, isLast: true)
    }
    for user in users.values {
      counted.missed += user.queue.count
      user.queue.removeFirst(user.queue.count)
      for worker in user.workers { counted += worker.tally }
      complain(of: user, end + Self.complaintInterval)
    }
    for worker in leaving { counted += worker.tally }
    for worker in users.values.flatMap(\.workers) + leaving { worker.kill() }
    if loss.isOpen { report.tell(.missedUncounted) }
    status?.remove()
    report.tell(.ended(counted, mode))
    return report.flush() && !hasFailed && counted.failed == 0
  }

  /// Nothing is written before all workers of the start are ready: the file says that files are tagged.
  private func writeStatus() {
    guard let status, hasBegun else { return }
    var all = counted
    for worker in users.values.flatMap(\.workers) + leaving { all += worker.tally }
    status.write(
      all, users: users.values.count(where: \.isEnabled),
      workers: users.values.sorted { $0.account.user < $1.account.user }.flatMap(\.states))
  }
}

/// How many events come in a second, over the last hundredth at least.
private struct EventRate {
  private static let period = 10
  private(set) var perSecond = 0
  private var count = 0
  private var start = 0

  /// - Parameter now: in milliseconds.
  mutating func hasRead(_ count: Int, _ now: Int) {
    self.count += count
    guard now - start >= Self.period else { return }
    perSecond = self.count * 1000 / (now - start)
    (self.count, start) = (0, now)
  }
}
