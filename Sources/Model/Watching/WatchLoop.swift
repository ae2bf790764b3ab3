internal import Glibc
package import LinuxSystem

/// Waits for written files, for mounts, for settings and for signals, until it is told to stop.
package final class WatchLoop {
  package enum Mode {
    case tag
    /// Nothing is written.
    case dryRun
  }

  /// Settings may change without anybody saying so; in milliseconds.
  private static let settingsInterval = 5000
  private static let statusInterval = 10_000
  private static let overflowInterval = 1000
  private static let searchInterval = 100
  /// Where more files are written than five in a pause, they are looked at together after it: being
  /// woken for each of them would cost more than the work. In milliseconds.
  private static let manyEvents = 5
  private static let pause = 50
  /// Signals are heeded between two turns of work; in milliseconds.
  private static let turn = 100
  /// Files that are held are looked at in pieces, between which the queue is emptied.
  private static let piece = 10
  /// How long what is held keeps it from ending.
  private static let lastPiece = 400
  private static let flawLimit = 1000

  private let events: FileEvents
  private let signals: ServiceSignals
  private let roster: WatchRoster
  private var marks: WatchMarks
  private let files: WrittenFiles
  private let report: WatchReport
  /// Where the service tells of itself.
  private let status: WatchStatusFile?
  private let mounts: CInt
  private var saidOverflow = (count: 0, time: 0)
  private var loss = EventLoss()
  private var saidFlaws: Set<WatchRoster.Flaw> = []
  private var saidFailures: Set<String> = []
  private var hasFailed = false

  /// Asks the kernel for events, and reads whose directories are to be watched.
  ///
  /// - Parameters:
  ///   - extent: what is marked for each directory.
  ///   - isService: whether to keep the service's status file.
  /// - Throws: `Errno` as `FileEvents` does, which needs CAP_SYS_ADMIN.
  package init(
    _ choice: WatchRoster.Choice, _ extent: FileEvents.Extent, _ mode: Mode, isService: Bool,
    _ report: WatchReport, metainfo: @escaping WatchRoster.MetainfoReader
  ) throws(Errno) {
    events = try FileEvents()
    signals = try ServiceSignals()
    let fileLimit = FileEvents.raiseFileLimit()
    roster = WatchRoster(choice, interruption: signals.descriptor, metainfo)
    marks = WatchMarks(extent)
    files = WrittenFiles(mode, report, fileLimit: fileLimit)
    self.report = report
    status = isService ? WatchStatusFile() : nil
    mounts = unsafe Mount.list.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC) }
  }

  deinit { if mounts >= 0 { close(mounts) } }

  /// What cannot be watched.
  package var flaws: [WatchRoster.Flaw] { roster.flaws }

  package var hasUsers: Bool { !roster.users.isEmpty }

  /// Watches until a signal ends it.
  ///
  /// - Parameter duration: when to stop without one, in milliseconds.
  /// - Returns: whether everything could be watched, tagged and reported.
  package func run(for duration: Int?) -> Bool {
    let end = duration.map { Clock.milliseconds + $0 }
    begin()
    var settingsTime = Clock.milliseconds + Self.settingsInterval
    var statusTime = Clock.milliseconds + Self.statusInterval
    var isTold = true
    var (lookTime, pauseEnd) = (0, 0)
    loop: while isTold {
      let now = Clock.milliseconds
      if let end, now >= end { break }
      // Signals end the pause; what is due in it waits for its end.
      let isPaused = pauseEnd > now
      let due = files.nextTurn.map { $0 > now && isPaused ? pauseEnd : $0 }
      let next =
        [
          settingsTime, end, due, isPaused ? pauseEnd : nil, status == nil ? nil : statusTime,
          loss.isBeingCounted ? now + Self.searchInterval : nil,
        ].compactMap(\.self).min() ?? settingsTime
      let start = MissedFiles.now
      let ready = wait(max(0, next - now), events: !isPaused)
      // The last turn may have ended with the last event.
      if !isPaused, !ready.events { loss.drained(start) }
      switch ready.signal {
      case .stop: break loop
      case .reload: reload()
      case nil: break
      }
      if ready.mounts { remark() }
      if ready.events || isPaused && Clock.milliseconds >= pauseEnd {
        let start = Clock.milliseconds
        let (count, isDrained) = readEvents()
        let isBusy =
          isDrained && count * Self.pause > Self.manyEvents * max(1, start - lookTime)
        lookTime = start
        pauseEnd = isBusy ? start + Self.pause : 0
      }
      files.lookAgain(roster.users, until: Clock.milliseconds + Self.piece)
      sayOverflow()
      countMissed()
      let after = Clock.milliseconds
      if after >= settingsTime {
        settingsTime = after + Self.settingsInterval
        if roster.reloadIfChanged() { begin() }
      }
      if after >= statusTime {
        statusTime = after + Self.statusInterval
        status?.write(files.tally, users: roster.users.count)
      }
      isTold = report.flush()
    }
    // What was written before the end is not forgotten.
    if isTold { _ = readEvents() }
    files.lookAtLast(roster.users, until: Clock.milliseconds + Self.lastPiece)
    sayOverflow()
    if loss.isOpen { report.tell(.missedUncounted) }
    status?.remove()
    report.tell(.ended(files.tally, files.mode))
    return report.flush() && !hasFailed && files.tally.failed == 0
  }

  /// - Parameter events: whether to wait for files too.
  private func wait(
    _ milliseconds: Int, events wantsEvents: Bool
  ) -> (events: Bool, mounts: Bool, signal: ServiceSignals.Request?) {
    var wanted = [
      pollfd(fd: wantsEvents ? events.descriptor : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: mounts, events: Int16(POLLPRI), revents: 0),
    ]
    let count = unsafe poll(&wanted, nfds_t(wanted.count), CInt(clamping: milliseconds))
    guard count > 0 else { return (false, false, nil) }
    return (
      wanted[0].revents != 0, wanted[2].revents != 0,
      wanted[1].revents != 0 ? signals.next() : nil
    )
  }

  private func reload() {
    roster.reload()
    saidFlaws = []
    saidFailures = []
    begin()
    report.tell(.reloaded)
  }

  private func begin() {
    for flaw in roster.flaws { say(flaw) }
    if let reason = roster.metainfoFailure, saidFailures.insert(reason).inserted {
      report.tell(.metainfoFailure(reason))
    }
    remark()
    status?.write(files.tally, users: roster.users.count)
  }

  private func remark() {
    for (path, errno) in marks.update(roster.directories, events) {
      say(
        WatchRoster.Flaw(path: path, reason: "cannot watch: \(errno.description.lowercased())"))
    }
  }

  /// Each flaw once.
  private func say(_ flaw: WatchRoster.Flaw) {
    hasFailed = true
    // Users name their mounts and write their settings as they like.
    if saidFlaws.count >= Self.flawLimit { saidFlaws.removeAll() }
    if saidFlaws.insert(flaw).inserted {
      report.tell(.flaw(path: flaw.path, reason: flaw.reason))
    }
  }

  /// - Returns: how many there were, and whether there are no more.
  private func readEvents() -> (count: Int, isDrained: Bool) {
    var count = 0
    let start = MissedFiles.now
    files.beginTurn()
    let end = Clock.milliseconds + Self.turn
    while Clock.milliseconds < end {
      do throws(Errno) {
        let hadAny = try events.read { event in
          count += 1
          switch event {
          case .written(let file, let writer): return files.take(file, writer, roster.users)
          case .unreadable: files.countFailure()
          case .overflow:
            files.countOverflow()
            loss.begin()
            report.tell(.overflow)
          }
          return .close
        }
        if !hadAny {
          loss.drained(start)
          return (count, true)
        }
      } catch {
        files.countFailure()
        let reason = "an event cannot be read: \(error.description.lowercased())"
        report.tell(.file(path: [], writer: 0, .failed(reason)))
      }
    }
    return (count, false)
  }

  /// Has the files counted that changed while events were lost, and tells of them.
  private func countMissed() {
    if let count = loss.count {
      files.countMissed(count)
      report.tell(.missed(count))
    }
    // Those that are held may still get a source; in a dry run none gets one.
    guard files.mode == .tag, let time = loss.endTime, files.haveBeenLookedAt(until: time) else {
      return
    }
    loss.search(
      roster.users.values.map { MissedFiles.Owner(account: $0.account, places: $0.places) })
  }

  /// Not more than once a second: it is said when there is least time for it.
  private func sayOverflow() {
    let count = files.tally.overflows
    let now = Clock.milliseconds
    guard count > saidOverflow.count, now - saidOverflow.time >= Self.overflowInterval else {
      return
    }
    saidOverflow = (count, now)
    report.tell(.overflows(count))
  }
}
