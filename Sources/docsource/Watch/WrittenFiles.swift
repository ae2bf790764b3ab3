import Attribution
import DocumentSource
import Glibc
import Xattr

/// Tags files that were written, one after the other, by their descriptors alone.
final class WrittenFiles {
  enum Mode {
    case tag, dryRun
  }

  /// Programs rename a file at once; browsers may first look at what they have received.
  private static let delay = 500
  private static let turns = 6
  /// More are looked at before their time.
  private static let heldLimit = 4096
  /// Names under which browsers write a file until it is whole.
  private static let unfinished = [
    ".part", ".crdownload", ".download", ".opdownload", ".partial", ".tmp",
  ].map { Array($0.utf8) }

  private let mode: Mode
  private let report: WatchReport
  private let processes = KnownProcesses()
  /// The directory of this process's open files: to begin there is faster.
  private let files: CInt
  private var held: [HeldFile] = []
  /// How many of those at the front are done with.
  private var heldStart = 0
  private(set) var tally = WatchTally()

  init(_ mode: Mode, _ report: WatchReport) {
    self.mode = mode
    self.report = report
    files = unsafe open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  }

  deinit {
    for one in held[heldStart...] { close(one.file) }
    if files >= 0 { close(files) }
  }

  /// Begins to look at the files that were written since the last time.
  func beginTurn() { processes.beginTurn() }

  func countOverflow() { tally.overflows += 1 }

  func countFailure() { tally.failed += 1 }

  /// When a file is to be looked at again, in milliseconds; `nil` where none is.
  var nextTurn: Int? { heldStart < held.count ? held[heldStart].due : nil }

  /// Looks at a file that was written, and tags it.
  func take(
    _ file: CInt, _ writer: Writer, _ users: [UInt32: WatchedUser]
  ) -> FileEvents.Disposal {
    guard let (user, path) = look(at: file, users) else { return .close }
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
    var one = HeldFile(
      file: file, user: user.account.user, application: application,
      writer: writer.identifier, path: path, documentPath: nil, due: 0, turns: 1)
    if case .watched(let documentPath) = place {
      guard tag(&one, documentPath, user) else { return .close }
    }
    if one.documentPath == nil || Self.isUnfinished(path) { one.turns = Self.turns }
    hold(one, users)
    return .keep
  }

  /// Who has a file, and its path; `nil` where nobody wants to know. The corresponding C functions
  /// are fstat(2) and readlink(2).
  private func look(
    at file: CInt, _ users: [UInt32: WatchedUser]
  ) -> (user: WatchedUser, path: [UInt8])? {
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      // Without a name it is none's document.
      status.st_nlink > 0, let user = users[status.st_uid]
    else { return nil }
    let path = unsafe withPath(of: file) { unsafe Array($0) }
    return path.first == UInt8(ascii: "/") ? (user, path) : nil
  }

  /// Calls `body` with the path that the kernel has for a file.
  private func withPath<Result>(
    of file: CInt, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      guard let start = buffer.baseAddress else {
        return unsafe body(UnsafeRawBufferPointer(start: nil, count: 0))
      }
      let count = unsafe readlinkat(files, "\(file)", start, buffer.count)
      return unsafe body(UnsafeRawBufferPointer(start: start, count: max(0, count)))
    }
  }

  private static func isUnfinished(_ path: [UInt8]) -> Bool {
    unfinished.contains { path.suffix($0.count).elementsEqual($0) }
  }

  /// - Returns: whether the file has our source now, or would have.
  private func tag(_ one: inout HeldFile, _ documentPath: [UInt8], _ user: WatchedUser) -> Bool {
    let attribute = DocumentSourceAttribute(of: one.reference)
    do throws(DocumentSourceError) {
      let change = try Self.change(one, documentPath, user)
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
      if mode == .tag { try attribute.write(plan) }
      tally.tagged += 1
      one.documentPath = plan.source.path ?? ""
      let outcome: WatchOutcome = mode == .tag ? .tagged(plan.source) : .wouldTag(plan.source)
      report.file(one.path, one.writer, outcome)
      return true
    } catch {
      tally.failed += 1
      report.file(one.path, one.writer, .failed(error.message))
      return false
    }
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

  /// Without a path where that is not UTF-8, which the attribute needs.
  private static func change(
    _ one: HeldFile, _ documentPath: [UInt8], _ user: WatchedUser
  ) throws(DocumentSourceError) -> PreparedChange {
    do throws(RefusedValue) {
      let change = try user.change(for: one.application)
      guard let text = String(validating: documentPath, as: UTF8.self) else { return change }
      return try change.setting(path: text)
    } catch {
      throw DocumentSourceError(
        writing: one.filePath, "\(error.field.key): \(error.reason)")
    }
  }

  private func hold(_ one: HeldFile, _ users: [UInt32: WatchedUser]) {
    if held.count - heldStart >= Self.heldLimit { takeNext(users, isLast: true) }
    var one = one
    one.due = Clock.milliseconds + Self.delay
    held.append(one)
  }

  /// Looks again at the files whose time has come.
  func lookAgain(_ users: [UInt32: WatchedUser]) {
    let now = Clock.milliseconds
    // Those that are put back have their time later.
    while heldStart < held.count, held[heldStart].due <= now { takeNext(users) }
  }

  /// Looks once more at all that are held, but for no longer than to a point in time.
  func lookAgain(_ users: [UInt32: WatchedUser], until end: Int) {
    for _ in heldStart..<held.count where Clock.milliseconds < end { takeNext(users, isLast: true) }
  }

  /// - Parameter isLast: whether there is no room for another turn.
  private func takeNext(_ users: [UInt32: WatchedUser], isLast: Bool = false) {
    var one = held[heldStart]
    heldStart += 1
    if heldStart >= 1024 {
      held.removeFirst(heldStart)
      heldStart = 0
    }
    one.turns -= 1
    if isWorthAnotherTurn(&one, users), !isLast {
      one.due = Clock.milliseconds + Self.delay
      held.append(one)
    } else {
      close(one.file)
    }
  }

  /// Writes what a file is called now.
  private func isWorthAnotherTurn(
    _ one: inout HeldFile, _ users: [UInt32: WatchedUser]
  ) -> Bool {
    if unsafe withPath(of: one.file, { unsafe one.path.elementsEqual($0) }) {
      return one.turns > 0
    }
    guard let (user, path) = look(at: one.file, users), user.account.user == one.user else {
      return false
    }
    one.path = path
    guard case .watched(let documentPath) = user.place(of: path) else { return one.turns > 0 }
    if one.documentPath == nil {
      _ = tag(&one, documentPath, user)
    } else {
      rename(&one, documentPath, user)
    }
    return false
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
        report.file(one.path, one.writer, .failed(error.message))
        return
      }
    }
    one.documentPath = text
    report.file(one.path, one.writer, .renamed(path: text))
  }
}
