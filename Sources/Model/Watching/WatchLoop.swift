internal import Glibc
package import LinuxSystem

/// The watch itself: waits for written files, mounts, changed settings and signals, and tags.
package final class WatchLoop {
  package enum Mode {
    case tag
    /// Nothing is written.
    case dryRun
  }

  /// How often changed settings are looked for, in milliseconds, as the other intervals.
  private static let settingsInterval = 5000
  private static let statusInterval = 10_000
  private static let overflowInterval = 1000
  private static let searchInterval = 100
  /// Where more than `manyEvents` files are written in the time of a pause, the watch pauses that
  /// long and handles them together: to wake up for each would cost more than the work.
  private static let manyEvents = 5
  private static let pause = 50
  /// The longest turn of reading events, in milliseconds; signals are heeded between two turns.
  private static let turn = 100
  /// How long held files are handled before the queue is read again, in milliseconds.
  private static let piece = 10
  /// How long held files may delay the end, in milliseconds.
  private static let lastPiece = 400
  private static let flawLimit = 1000

  private let events: FileEvents
  private let signals: ServiceSignals
  private let roster: WatchRoster
  private var marks: WatchMarks
  private let files: WrittenFiles
  private let report: WatchReport
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
      // Signals end a pause; files that become due in it wait for its end.
      let isPaused = pauseEnd > now
      let due = files.nextTurn.map { $0 > now && isPaused ? pauseEnd : $0 }
      let next =
        [
          settingsTime, end, due, isPaused ? pauseEnd : nil, status == nil ? nil : statusTime,
          loss.isBeingCounted ? now + Self.searchInterval : nil,
        ].compactMap(\.self).min() ?? settingsTime
      let start = MissedFiles.now
      let ready = wait(max(0, next - now), events: !isPaused)
      // The last turn may have read the last event without finding the queue empty.
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
    // Events from before the end are still handled.
    if isTold { _ = readEvents() }
    files.lookAtLast(roster.users, until: Clock.milliseconds + Self.lastPiece)
    sayOverflow()
    if loss.isOpen { report.tell(.missedUncounted) }
    status?.remove()
    report.tell(.ended(files.tally, files.mode))
    return report.flush() && !hasFailed && files.tally.failed == 0
  }

  /// - Parameter events: whether to wait for written files too.
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
    for flaw in marks.update(roster.directories, events) { say(flaw) }
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
    files.beginTurn()
    let end = Clock.milliseconds + Self.turn
    while Clock.milliseconds < end {
      do throws(Errno) {
        let hadAny = try events.read { event in
          count += 1
          switch event {
          case .written(let file, let writer): return files.take(file, writer, roster.users)
          case .unreadable: files.tally.failed += 1
          case .overflow:
            files.tally.overflows += 1
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
        files.tally.failed += 1
        let reason = "cannot read an event: \(error.description.lowercased())"
        report.tell(.file(path: [], writer: 0, .failed(reason)))
      }
    }
    return (count, false)
  }

  /// Has the files counted that changed while events were lost, and reports their number.
  private func countMissed() {
    if let count = loss.count {
      files.tally.missed += count
      report.tell(.missed(count))
    }
    // Held files may still get a source. In a dry run no file does, so that none is counted.
    guard files.mode == .tag, let time = loss.endTime, files.haveBeenLookedAt(until: time) else {
      return
    }
    loss.search(
      roster.users.values.map { MissedFiles.Owner(account: $0.account, places: $0.places) })
  }

  /// Reports lost events once a second at most, since there is least time for it then.
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
