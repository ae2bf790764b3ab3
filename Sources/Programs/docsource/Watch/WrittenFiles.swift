import Attribution
import CLinux
import DocumentSource
import Glibc
import LinuxSystem

/// Tags files that were written, one after the other, by their descriptors alone.
final class WrittenFiles {
  enum Mode {
    case tag, dryRun
  }

  /// Programs rename a file at once; browsers may first look at what they have received.
  private static let delay = 500
  private static let turns = 6
  /// After so many in one turn of work those that follow are only held: their writers are asked
  /// for, which cannot wait, and the rest is done when there is time, by the names they have then.
  private static let manyFiles = 5
  /// More are looked at before their time.
  private static let heldLimit = 1 << 17
  /// Those of the events that were just read, and of the processes that are known.
  private static let otherFiles = 2048
  /// Names under which browsers write a file until it is whole.
  private static let unfinished = [
    ".part", ".crdownload", ".download", ".opdownload", ".partial", ".tmp",
  ].map { Array($0.utf8) }

  private static let noPath = FilePath("")

  let mode: Mode
  private let report: WatchReport
  private let processes = KnownProcesses()
  private let paths = OpenFilePaths()
  private let room: Int
  private var held = HeldFiles()
  /// How many of those were not looked at yet.
  private var newCount = 0
  private var turnCount = 0
  private(set) var tally = WatchTally()

  /// - Parameter fileLimit: how many files this process may have open.
  init(_ mode: Mode, _ report: WatchReport, fileLimit: Int) {
    self.mode = mode
    self.report = report
    room = min(Self.heldLimit, max(fileLimit - Self.otherFiles, fileLimit / 2))
  }

  deinit {
    while let one = held.popFirst() { close(one.file) }
  }

  /// Begins to look at the files that were written since the last time.
  func beginTurn() {
    processes.beginTurn()
    turnCount = 0
  }

  func countOverflow() { tally.overflows += 1 }

  func countFailure() { tally.failed += 1 }

  /// Whether nothing is held any more that was written before a time, in milliseconds.
  func haveBeenLookedAt(until time: Int) -> Bool {
    newCount == 0 || (nextTurn ?? .max) > time + Self.delay
  }

  func countMissed(_ count: Int) { tally.missed += count }

  /// When a file is to be looked at again, in milliseconds; `nil` where none is.
  var nextTurn: Int? { held.first?.due }

  /// Looks at a file that was written, and tags it or holds it until that is done.
  func take(
    _ file: CInt, _ writer: Writer, _ users: [UInt32: WatchedUser]
  ) -> FileEvents.Disposal {
    // Nothing else is held: whoever writes to a FIFO would find a reader.
    guard let status = status(of: file), let user = users[status.owner] else { return .close }
    // Most files are written more than once. To ask for less costs a third.
    if user.policy == .keep, hasSource(file) {
      tally.kept += 1
      tellOfKept(file, status, writer, user)
      return .close
    }
    turnCount += 1
    // Once one is held, those after it are too: of a file that is written twice the first counts.
    let isHeld = newCount > 0 || turnCount > Self.manyFiles
    if isHeld, let known = processes.knownAttribution(of: writer, context: user.context),
      case .application(let application) = known
    {
      hold(HeldFile(file, user, application, writer), users)
      return .keep
    }
    guard let path = paths.path(of: file, status) else { return .close }
    let place = user.place(of: path)
    if case .elsewhere = place { return .close }
    let attribution = processes.attribution(
      of: writer, among: user.applications, context: user.context)
    guard case .application(let application) = attribution else {
      // What is renamed later, if at all, was not worth a word by its hidden name.
      guard case .watched = place else { return .close }
      if case .none(let reason) = attribution {
        tally.plain += 1
        report.file(path, writer.identifier, .none(reason))
      } else {
        tally.unknown += 1
        report.file(path, writer.identifier, .unknown)
      }
      return .close
    }
    var one = HeldFile(file, user, application, writer)
    if !isHeld {
      one.path = path
      if case .watched(let documentPath) = place {
        guard tag(&one, documentPath, user) else { return .close }
      }
      if one.documentPath == nil || Self.isUnfinished(path) { one.turns = Self.turns }
    }
    hold(one, users)
    return .keep
  }

  /// - Returns: `nil` for what is no document: what is no regular file, or has no name.
  private func status(of file: CInt) -> clinux_status? {
    var status = clinux_status()
    guard unsafe clinux_file_stat(file, &status) == 0, status.mode & S_IFMT == S_IFREG,
      status.links > 0
    else { return nil }
    return status
  }

  /// Whether a file has a source in the native attribute, or something there that was one.
  private func hasSource(_ file: CInt) -> Bool {
    let attribute = DocumentSourceAttribute(of: .descriptor(file, path: Self.noPath))
    do throws(DocumentSourceError) {
      guard case .source = try attribute.content([], in: .native).content else { return false }
      return true
    } catch {
      // Somebody may know what it was.
      if case .damaged = error.cause { return true }
      return false
    }
  }

  private func tellOfKept(
    _ file: CInt, _ status: clinux_status, _ writer: Writer, _ user: WatchedUser
  ) {
    guard report.tellsOfKept, let path = paths.path(of: file, status),
      case .watched = user.place(of: path)
    else { return }
    report.file(path, writer.identifier, .kept)
  }

  private static func isUnfinished(_ path: [UInt8]) -> Bool {
    unfinished.contains { path.suffix($0.count).elementsEqual($0) }
  }

  /// - Returns: whether the file has our source now, or would have.
  private func tag(_ one: inout HeldFile, _ documentPath: [UInt8], _ user: WatchedUser) -> Bool {
    let attribute = DocumentSourceAttribute(of: one.reference)
    // Without a path where that is not UTF-8, which the attribute needs.
    let path = String(validating: documentPath, as: UTF8.self)
    do throws(DocumentSourceError) {
      let base = try Self.refusing(one) { () throws(RefusedValue) in
        try user.change(for: one.application)
      }
      if mode == .tag, let path, let source = attribute.write(base, path: path) {
        return hasTagged(&one, source)
      }
      let change = try Self.refusing(one) { () throws(RefusedValue) in
        try path.map { path throws(RefusedValue) in try base.setting(path: path) } ?? base
      }
      let plan: PlannedWrite
      do throws(DocumentSourceError) {
        plan = try attribute.plan(change)
      } catch {
        guard case .damaged = error.cause else { throw error }
        // Somebody may know what it was.
        return keep(one)
      }
      if user.policy == .keep, let there = plan.replaced, Self.isSource(there.bytes) {
        return keep(one)
      }
      guard mode == .tag else { return hasTagged(&one, plan.source) }
      do throws(DocumentSourceError) {
        try attribute.write(plan)
        return hasTagged(&one, plan.source)
      } catch {
        // A path may be longer than what the file system takes; the rest is worth having.
        guard path != nil, let source = attribute.write(base) else { throw error }
        return hasTagged(&one, source)
      }
    } catch {
      tally.failed += 1
      report.file(one.path, one.writer, .failed(error.message, error.remedy))
      return false
    }
  }

  private func hasTagged(_ one: inout HeldFile, _ source: DocumentSource) -> Bool {
    tally.tagged += 1
    one.documentPath = source.path ?? ""
    report.file(one.path, one.writer, mode == .tag ? .tagged(source) : .wouldTag(source))
    return true
  }

  private func keep(_ one: HeldFile) -> Bool {
    tally.kept += 1
    report.file(one.path, one.writer, .kept)
    return false
  }

  private static func isSource(_ bytes: [UInt8]) -> Bool {
    guard let content = try? Content(of: bytes), case Content.none = content else { return true }
    return false
  }

  private static func refusing(
    _ one: HeldFile, _ body: () throws(RefusedValue) -> PreparedChange
  ) throws(DocumentSourceError) -> PreparedChange {
    do throws(RefusedValue) {
      return try body()
    } catch {
      throw DocumentSourceError(
        writing: one.filePath, "\(error.field.key): \(error.reason)")
    }
  }

  private func hold(_ one: HeldFile, _ users: [UInt32: WatchedUser]) {
    if held.count >= room { takeNext(users, isLast: true) }
    wait(one)
  }

  private func wait(_ one: HeldFile) {
    var one = one
    one.due = Clock.milliseconds + Self.delay
    if one.isNew { newCount += 1 }
    held.append(one)
  }

  /// Looks at the files whose time has come, but for no longer than to a point in time.
  func lookAgain(_ users: [UInt32: WatchedUser], until end: Int) {
    var now = Clock.milliseconds
    while let due = nextTurn, due <= now, now < end {
      // Those that are put back have their time later. The clock is not asked for each.
      for _ in 0..<Self.manyFiles where (nextTurn ?? .max) <= now { takeNext(users) }
      now = Clock.milliseconds
    }
  }

  /// Looks at all that are held, but for no longer than to a point in time: those that were never
  /// looked at then are missed.
  func lookAtLast(_ users: [UInt32: WatchedUser], until end: Int) {
    while held.first != nil, Clock.milliseconds < end { takeNext(users, isLast: true) }
    tally.missed += newCount
  }

  /// - Parameter isLast: whether there is no room for another turn.
  private func takeNext(_ users: [UInt32: WatchedUser], isLast: Bool = false) {
    guard var one = held.popFirst() else { return }
    if one.isNew { newCount -= 1 }
    one.turns -= 1
    if isWorthAnotherTurn(&one, users), !isLast {
      wait(one)
    } else {
      close(one.file)
    }
  }

  /// Looks at a file by the name that it has now.
  private func isWorthAnotherTurn(
    _ one: inout HeldFile, _ users: [UInt32: WatchedUser]
  ) -> Bool {
    let isNew = one.isNew
    if !isNew, paths.isTold(one.path, of: one.file) {
      return one.turns > 0
    }
    guard let status = status(of: one.file), status.owner == one.user,
      let user = users[status.owner],
      let path = paths.path(of: one.file, status)
    else { return false }
    one.path = path
    let place = user.place(of: path)
    if isNew { one.turns = Self.turns - 1 }
    switch place {
    case .elsewhere: return !isNew && one.turns > 0
    case .hidden: return one.turns > 0
    case .watched(let documentPath):
      guard one.documentPath == nil else {
        rename(&one, documentPath, user)
        return false
      }
      return tag(&one, documentPath, user) && isNew && Self.isUnfinished(path)
    }
  }

  /// Changes the path in a source that is as it was written.
  private func rename(_ one: inout HeldFile, _ documentPath: [UInt8], _ user: WatchedUser) {
    guard let text = String(validating: documentPath, as: UTF8.self), text != one.documentPath
    else { return }
    if mode == .tag {
      let attribute = DocumentSourceAttribute(of: one.reference)
      do throws(DocumentSourceError) {
        guard case .source(let source, _) = try attribute.read().content,
          source.identifier == one.application.identifier, source.path ?? "" == one.documentPath
        else { return }
        try attribute.write(try attribute.plan(SourceChange(path: .set(text))))
      } catch {
        tally.failed += 1
        report.file(one.path, one.writer, .failed(error.message, error.remedy))
        return
      }
    }
    one.documentPath = text
    report.file(one.path, one.writer, .renamed(path: text))
  }
}
