internal import CLinux
internal import DocumentSource
internal import FileTree
internal import ForeignFormats
internal import Glibc
internal import LinuxSystem
internal import Xattr

/// Tags written files one after the other, by their descriptors alone.
///
/// To be used on one thread.
final class WrittenFiles {
  /// How long a file is held, in milliseconds, and how often: programs rename a file at once, but
  /// browsers may check first what they have received.
  private static let delay = 500
  private static let turns = 6
  /// Held files are handled so much before their time, in milliseconds, if this process has not to
  /// sleep for that: to wake up costs more than to handle a file.
  private static let slack = 20
  /// The files of one turn beyond this number are only held: their writers are looked up, which
  /// cannot wait, and the rest is done when there is time, by the names that the files have then.
  private static let manyFiles = 5
  /// Beyond this number of held files the first is handled before its time.
  private static let heldLimit = 1 << 17
  /// The same for the bytes that they take.
  private static let byteLimit = 32 << 20
  /// The descriptors for the events just read and for known processes.
  private static let otherFiles = 2048
  /// Suffixes of the names under which browsers write a file until it is complete.
  private static let unfinished = [
    ".part", ".crdownload", ".download", ".opdownload", ".partial", ".tmp",
  ].map { Array($0.utf8) }

  private static func bit(of letter: UInt8) -> UInt64 { 1 << UInt64(letter & 63) }

  let mode: WatchLoop.Mode
  private let report: WatchReport
  private let processes = KnownProcesses()
  private let paths: OpenFilePaths
  private let rights: WorkerRights
  private let room: Int
  private var held = HeldFiles()
  private var formers = FormerSources()
  private let directories: FollowedDirectories?
  private var unfinished = UnfinishedFiles()
  /// How many of the held files were not handled yet.
  private var newCount = 0
  private var turnCount = 0
  // Copies, since each use of a static property checks whether it is initialised.
  private let probe = SourceProbe()
  private let noPath = FilePath("")
  /// The last letters of `unfinished`, as bits.
  private let unfinishedEnds = unfinished.compactMap(\.last).reduce(0) { $0 | bit(of: $1) }
  /// When what is handled now was read, in milliseconds. Files that came together are due together.
  private var now = Clock.milliseconds
  var tally = WatchTally()
  /// Whether it is of interest which files are tagged, and which keep their source.
  var reportsTags = true
  /// Called with a file that was written and has a source, and again when that has got another path.
  var afterWriting: ((CInt, SealedFile) -> Void)?

  /// - Parameters:
  ///   - fileLimit: the number of files that this process may have open.
  ///   - followsDirectories: whether sources are read of files that nobody writes, so that a file that
  ///     replaces one of these gets its source.
  init(
    _ mode: WatchLoop.Mode, _ report: WatchReport, fileLimit: Int,
    rights: WorkerRights = .unchanged, paths: OpenFilePaths = OpenFilePaths(),
    followsDirectories: Bool = true
  ) {
    self.mode = mode
    self.report = report
    self.rights = rights
    self.paths = paths
    directories = followsDirectories ? FollowedDirectories(barrier: paths.isBarred) : nil
    room = min(Self.heldLimit, max(fileLimit - Self.otherFiles, fileLimit / 2))
  }

  deinit {
    while let one = held.popFirst() { close(one.file) }
  }

  /// Begins a turn of work on the files that were written since the last one. Before these,
  /// ``takeChanges()`` is to be called.
  func beginTurn() {
    processes.beginTurn()
    turnCount = 0
    directories?.beginTurn()
    now = Clock.milliseconds
  }

  /// Whether it is known who a writer is, which need not be asked for before the writer ends.
  func isKnown(_ writer: Writer) -> Bool { processes.isKnown(writer) }

  /// The same for one that is an application's, and need not be asked for after its end either.
  func isKnownForGood(_ writer: Writer) -> Bool { processes.isKnownForGood(writer) }

  /// Whether all files that were written before a time, in milliseconds, have been handled.
  func haveBeenLookedAt(until time: Int) -> Bool {
    newCount == 0 || (nextTurn ?? .max) > time + Self.delay
  }

  // MARK: Directories

  /// A descriptor that can be read when something has happened in directories, and from when on that
  /// is worth waiting for, in milliseconds.
  var changes: (descriptor: CInt, time: Int)? {
    directories.map { ($0.descriptor, $0.nextTime) }
  }

  /// Takes what has happened in directories, which is to be done before files are handled.
  func takeChanges() { directories?.takeChanges(&formers) }

  /// Whether directories wait for ``lookAround(_:until:)``.
  var hasDirectories: Bool { directories?.hasQueue == true }

  /// Has the sources read that there are in a user's directories.
  func queueDirectories(of user: WatchedUser) {
    if user.policy == .keep { directories?.queue(user.places.directories.map(\.path)) }
  }

  /// Reads such sources, until a point in time.
  func lookAround(_ user: WatchedUser, until end: Int) {
    directories?.takeQueue(&formers, until: end) { user.mayHoldDocuments($0) }
  }

  /// Begins to follow the directory of a written file.
  private func meet(_ path: HashedPath, _ user: WatchedUser) {
    if user.policy == .keep { directories?.meet(path, &formers) }
  }

  // MARK: Files

  /// How many files are held.
  var heldCount: Int { held.count }

  /// When the next held file is due, in milliseconds; `nil` if none is held.
  var nextTurn: Int? { held.due }

  /// Handles a written file: tags the file, or holds it to be tagged or renamed later.
  func take(
    _ file: CInt, _ writer: Writer, _ users: [UInt32: WatchedUser]
  ) -> FileEvents.Disposal {
    var status = clinux_status()
    guard unsafe clinux_file_stat(file, &status) == 0 else { return .close }
    return take(file, status, writer, users)
  }

  /// The same for a file that the kernel has reported already.
  func take(
    _ file: CInt, _ status: clinux_status, _ writer: Writer, _ users: [UInt32: WatchedUser]
  ) -> FileEvents.Disposal {
    guard Self.isRegular(status), let user = users[status.owner] else { return .close }
    // Most files are written more than once, and to ask for the native attribute alone costs a
    // third.
    if user.policy == .keep, rights.whileRaised({ hasSource(file) }) {
      return takeKept(file, status, writer, users, user)
    }
    guard status.links > 0 else { return .close }
    let identity = FileIdentity(status)
    turnCount += 1
    func heldFile(_ application: ApplicationDescription?) -> HeldFile {
      HeldFile(
        file: file, identity: identity, user: user.account.user, application: application,
        writer: writer.identifier)
    }
    // Once one is held, the following are too: if a file is written twice, the first writer counts.
    let isHeld = newCount > 0 || turnCount > Self.manyFiles
    if isHeld, let known = processes.knownAttribution(of: writer, context: user.context),
      case .application(let application) = known
    {
      hold(heldFile(application), users)
      return .keep
    }
    guard let path = path(of: file, status) else { return .close }
    let place = user.place(of: path)
    if case .elsewhere = place { return .close }
    meet(path, user)
    if case .watched = place, inherits(file, identity, path, user) {
      tellKept(path.bytes, writer.identifier)
      return .close
    }
    var attribution = processes.attribution(
      of: writer, among: user.applications, context: user.context)
    let isOfPortal = attribution == .none(.plain(.portal))
    if isOfPortal, case .watched = place {
      attribution = self.attribution(ofPortalAt: path.bytes, user)
    }
    guard case .application(let application) = attribution else {
      if isOfPortal {
        // It may get the name of a document, or the portal is still noting who may write that.
        var one = heldFile(nil)
        one.isOfPortal = true
        one.turns = Self.turns
        hold(one, users)
        return .keep
      }
      // A file with a hidden name is not reported: it may be renamed later.
      if case .watched = place {
        if case .none(let reason) = attribution {
          tally.plain += 1
          report.tell(.file(path: path.bytes, writer: writer.identifier, .none(reason)))
        } else {
          tally.unknown += 1
          report.tell(.file(path: path.bytes, writer: writer.identifier, .unknown))
        }
      }
      guard user.policy == .keep, attribution.mayReplace, formers.areBeside(path) else {
        return .close
      }
      // It may get the name of a file with a source, as what sed -i writes.
      var one = heldFile(nil)
      one.path = path.bytes
      hold(one, users)
      return .keep
    }
    var one = heldFile(application)
    one.isOfPortal = isOfPortal
    if !isHeld {
      one.path = path.bytes
      if case .watched(let documentPath) = place {
        guard tag(&one, path, documentPath, user) else { return .close }
      }
      if one.documentPath == nil || isUnfinished(path.bytes) { one.turns = Self.turns }
    }
    hold(one, users)
    return .keep
  }

  /// - Returns: `nil` for what cannot be a document: it is no regular file, or has no name.
  private func status(of file: CInt) -> clinux_status? {
    var status = clinux_status()
    let isKnown = unsafe clinux_file_stat(file, &status) == 0
    return isKnown && Self.isRegular(status) && status.links > 0 ? status : nil
  }

  /// Only regular files are held: whoever writes to a FIFO would find a reader.
  static func isRegular(_ status: clinux_status) -> Bool { status.mode & S_IFMT == S_IFREG }

  /// Users may have more rights than is known here, by their groups.
  private func path(of file: CInt, _ status: clinux_status) -> HashedPath? {
    rights.whileRaised { paths.path(of: file, status) }.map(HashedPath.init)
  }

  private func attribution(ofPortalAt path: [UInt8], _ user: WatchedUser) -> Attribution {
    user.attribution(ofPortalAt: path, isBarred: paths.isBarred)
  }

  /// Whether the native attribute of a file holds a source, or a damaged one.
  private func hasSource(_ file: CInt) -> Bool {
    let reference = FileReference.descriptor(file, path: noPath)
    var hasSource: Bool? = false
    _ = try? ExtendedAttributes(of: reference).withValue(of: probe.name) { bytes in
      hasSource = probe.hasSource(bytes)
    }
    if let hasSource { return hasSource }
    let attribute = DocumentSourceAttribute(of: reference)
    do throws(DocumentSourceError) {
      guard case .source = try attribute.content([], in: .native).content else { return false }
      return true
    } catch {
      // A damaged source is left alone: somebody may still make sense of the bytes.
      if case .damaged = error.cause { return true }
      return false
    }
  }

  /// Handles a written file that has a source. Files outside of the watched directories do not count.
  private func takeKept(
    _ file: CInt, _ status: clinux_status, _ writer: Writer, _ users: [UInt32: WatchedUser],
    _ user: WatchedUser
  ) -> FileEvents.Disposal {
    guard let path = status.links > 0 ? path(of: file, status) : nil else {
      noteReplaced(file, status, user)
      return .close
    }
    guard case .watched(let documentPath) = user.place(of: path) else { return .close }
    meet(path, user)
    let identity = FileIdentity(status)
    if var one = unfinished.reopened(file, identity, at: path.bytes) {
      if rename(&one, path, documentPath, user) { return .close }
      tellKept(path.bytes, writer.identifier)
      guard isUnfinished(path.bytes), directories?.follows(path) != true else { return .close }
      // Nobody tells of its last name: it is asked for during a while.
      one.turns = Self.turns
      hold(one, users)
      return .keep
    }
    // What happens to a file is known where its directory is followed.
    let isKnown = formers.has(identity, at: path)
    // A file that was tagged by its first name may have replaced another one since.
    let isInherited =
      !isKnown && formers.isOwn(identity) && inherits(file, identity, path, user)
    if !isInherited, !isKnown { note(file, identity, path) }
    if !isInherited { afterWriting?(file, .own) }
    tellKept(path.bytes, writer.identifier)
    return .close
  }

  private func tellKept(_ path: [UInt8], _ writer: Int32) {
    tally.kept += 1
    if reportsTags { report.tell(.file(path: path, writer: writer, .kept)) }
  }

  /// Remembers the source of a file that has been replaced already: editors do so at once.
  private func noteReplaced(_ file: CInt, _ status: clinux_status, _ user: WatchedUser) {
    guard let path = rights.whileRaised({ paths.lastPath(of: file, status) }).map(HashedPath.init),
      case .watched = user.place(of: path)
    else { return }
    note(file, FileIdentity(status), path, .replaced)
  }

  /// Remembers the source of a file, for one that may replace it.
  private func note(
    _ file: CInt, _ identity: FileIdentity, _ path: HashedPath,
    _ term: FormerSources.Term? = nil
  ) {
    let attributes = ExtendedAttributes(of: .descriptor(file, path: noPath))
    let value = rights.whileRaised { try? attributes.value(of: SourceAttribute.nativeName) }
    if let value = value ?? nil {
      formers.note(value, of: identity, at: path, term ?? self.term(path))
    }
  }

  /// How long the source of a file at a path may be remembered.
  private func term(_ path: HashedPath) -> FormerSources.Term {
    directories?.follows(path) == true ? .followed : .unfollowed
  }

  /// Gives a file the source of the one that it has replaced at its path, if sources are kept.
  ///
  /// - Returns: whether it has that source now, or would have.
  private func inherits(
    _ file: CInt, _ identity: FileIdentity, _ path: HashedPath, _ user: WatchedUser
  ) -> Bool {
    guard user.policy == .keep, let former = formers.former(of: identity, at: path) else {
      return false
    }
    let attributes = ExtendedAttributes(of: .descriptor(file, path: noPath))
    let hasSource = rights.whileRaised {
      !isElsewhere(former, besides: path.bytes)
        && (mode == .dryRun || attributes.set(SourceAttribute.nativeName, to: former.value))
    }
    if hasSource {
      formers.note(former.value, of: identity, at: path, term(path))
      if mode == .tag { afterWriting?(file, .inherited) }
    }
    return hasSource
  }

  /// Whether a file that was at a path has been renamed, and not to keep a backup.
  private func isElsewhere(_ former: FormerSources.Former, besides path: [UInt8]) -> Bool {
    guard let file = former.file else { return false }
    return paths.isElsewhere(file.inode, besides: path) { other in
      let there = ExtendedAttributes(of: .path(other, links: .noFollow))
      return (try? there.value(of: SourceAttribute.nativeName)) == former.value
    }
  }

  private func isUnfinished(_ path: [UInt8]) -> Bool {
    // Most names have another last letter than all of these.
    guard let last = path.last, unfinishedEnds & Self.bit(of: last) != 0 else { return false }
    return Self.unfinished.contains { path.suffix($0.count).elementsEqual($0) }
  }

  /// - Returns: whether the file has our source now, or would have; also if only a later name will
  ///   tell what the file is, and its path in the attribute is still `nil`.
  private func tag(
    _ one: inout HeldFile, _ path: HashedPath, _ documentPath: [UInt8], _ user: WatchedUser
  ) -> Bool {
    if inherits(one.file, one.identity, path, user) { return keep(one) }
    guard let application = one.application else { return false }
    switch user.product(of: application, at: one.path) {
    case .application(let application): one.application = application
    case .undecided: return true
    case .copy:
      tally.plain += 1
      report.tell(.file(path: one.path, writer: one.writer, .none(.plain(.copier))))
      return false
    }
    guard user.filter.accepts((one.application ?? application).identifier) else {
      tally.filtered += 1
      report.tell(.file(path: one.path, writer: one.writer, .none(.filtered)))
      return false
    }
    // Read before, with the user's rights.
    let change = Result { () throws(RefusedValue) in
      try user.change(for: one.application ?? application)
    }
    var value: [UInt8]?
    guard rights.whileRaised({ tag(&one, documentPath, user.policy, change, &value) }) else {
      return false
    }
    if let value {
      let term = term(path)
      formers.note(value, of: one.identity, at: path, term)
      if term == .followed { directories?.expectChange(at: one.path) }
    } else if mode == .tag {
      note(one.file, one.identity, path)
    }
    return true
  }

  /// - Parameter value: receives the attribute's value if that is known without reading it.
  private func tag(
    _ one: inout HeldFile, _ documentPath: [UInt8], _ policy: WatchPolicy,
    _ change: Result<PreparedChange, RefusedValue>, _ value: inout [UInt8]?
  ) -> Bool {
    // The attribute's path is UTF-8; a path that is not is left out. So is one that a sandbox hides,
    // since the application in it can read the attribute.
    let path = one.isOfPortal ? nil : Self.text(documentPath)
    do throws(DocumentSourceError) {
      let base = try Self.refusing(one) { () throws(RefusedValue) in
        try change.get()
      }
      let unnamed = DocumentSourceAttribute(of: .descriptor(one.file, path: noPath))
      if mode == .tag, let written = unnamed.write(base, path: path) {
        value = written
        return hasTagged(&one, path, base.source(at: path))
      }
      let attribute = DocumentSourceAttribute(of: one.reference)
      let change = try Self.refusing(one) { () throws(RefusedValue) in
        try path.map { path throws(RefusedValue) in try base.setting(path: path) } ?? base
      }
      let plan: PlannedWrite
      do throws(DocumentSourceError) {
        plan = try attribute.plan(change)
      } catch {
        guard case .damaged = error.cause else { throw error }
        // As in `hasSource`, a damaged source is left alone.
        return keep(one)
      }
      if policy == .keep, let there = plan.replaced, Self.isSource(there.bytes) {
        return keep(one)
      }
      guard mode == .tag else { return hasTagged(&one, plan.source.path, plan.source) }
      do throws(DocumentSourceError) {
        try attribute.write(plan)
        return hasTagged(&one, plan.source.path, plan.source)
      } catch {
        // The path may be too long for the file system; the source without it is worth having.
        guard path != nil, let written = attribute.write(base) else { throw error }
        value = written
        return hasTagged(&one, nil, base.source(at: nil))
      }
    } catch {
      tally.failed += 1
      report.tell(.file(path: one.path, writer: one.writer, .failed(error.message, error.remedy)))
      return false
    }
  }

  /// A path as text; `nil` if it is no UTF-8.
  private static func text(_ path: [UInt8]) -> String? {
    // Of ASCII, which most are, this is the faster way.
    path.allSatisfy { $0 < 0x80 }
      ? String(decoding: path, as: UTF8.self) : String(validating: path, as: UTF8.self)
  }

  private func hasTagged(
    _ one: inout HeldFile, _ path: String?, _ source: @autoclosure () -> DocumentSource?
  ) -> Bool {
    tally.tagged += 1
    one.documentPath = path ?? ""
    formers.noteOwn(one.identity)
    noteUnfinished(one)
    if mode == .tag { afterWriting?(one.file, .own) }
    if reportsTags, let source = source() {
      report.tell(
        .file(
          path: one.path, writer: one.writer, mode == .tag ? .tagged(source) : .wouldTag(source)))
    }
    return true
  }

  /// Remembers a file that will get another name when it is complete.
  private func noteUnfinished(_ one: HeldFile) {
    guard mode == .tag, !one.isOfPortal else { return }
    if isUnfinished(one.path) { unfinished.note(one) } else { unfinished.remove(one.identity) }
  }

  private func keep(_ one: HeldFile) -> Bool {
    tellKept(one.path, one.writer)
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

  private func hold(_ one: consuming HeldFile, _ users: [UInt32: WatchedUser]) {
    if held.count >= room || held.byteCount >= Self.byteLimit { takeNext(users, isLast: true) }
    wait(one)
  }

  private func wait(_ one: consuming HeldFile) {
    one.due = now + Self.delay
    if one.isNew { newCount += 1 }
    held.append(one)
  }

  /// Handles the held files that are due, until a point in time at most.
  func lookAgain(_ users: [UInt32: WatchedUser], until end: Int) {
    followUnfinished(users)
    now = Clock.milliseconds
    let latest = now + Self.slack
    guard let due = nextTurn, due <= latest else { return }
    takeChanges()
    directories?.extendTurn()
    while let due = nextTurn, due <= latest, now < end {
      // Files that are put back are due later. The clock is not read for each file.
      for _ in 0..<Self.manyFiles where (nextTurn ?? .max) <= latest { takeNext(users) }
      now = Clock.milliseconds
    }
  }

  /// Handles all held files, until a point in time at most: files that were never handled by then
  /// count as missed.
  func lookAtLast(_ users: [UInt32: WatchedUser], until end: Int) {
    while held.count > 0, Clock.milliseconds < end { takeNext(users, isLast: true) }
    tally.missed += newCount
  }

  /// - Parameter isLast: whether the file may not be held for another turn.
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

  /// Handles a held file by the name that it has now.
  private func isWorthAnotherTurn(
    _ one: inout HeldFile, _ users: [UInt32: WatchedUser]
  ) -> Bool {
    let isNew = one.isNew
    // Who has written a file of the portal may become known without another name.
    let mayBecomeKnown = one.isOfPortal && one.application == nil
    if !isNew, !mayBecomeKnown, paths.isReported(one.path, of: one.file) {
      return one.turns > 0
    }
    guard let status = status(of: one.file), status.owner == one.user,
      let user = users[status.owner],
      let path = path(of: one.file, status)
    else { return false }
    one.path = path.bytes
    let place = user.place(of: path)
    if case .elsewhere = place {} else { meet(path, user) }
    if one.isOfPortal, one.application == nil, case .watched = place,
      case .application(let application) = attribution(ofPortalAt: path.bytes, user)
    {
      one.application = application
    }
    guard one.application != nil else {
      switch place {
      case .elsewhere: return false
      case .hidden: return one.isOfPortal && one.turns > 0
      case .watched:
        if inherits(one.file, one.identity, path, user) {
          tellKept(path.bytes, one.writer)
        } else if one.isOfPortal {
          if one.turns > 0 { return true }
          tally.plain += 1
          report.tell(.file(path: path.bytes, writer: one.writer, .none(.plain(.portal))))
        }
        return false
      }
    }
    if isNew { one.turns = Self.turns - 1 }
    switch place {
    case .elsewhere: return !isNew && one.turns > 0
    case .hidden: return one.turns > 0
    case .watched(let documentPath):
      guard one.documentPath == nil else {
        rename(&one, path, documentPath, user)
        return isUnfinished(path.bytes) && one.turns > 0
      }
      guard tag(&one, path, documentPath, user) else { return false }
      return one.turns > 0 && (one.documentPath == nil || isUnfinished(path.bytes))
    }
  }

  /// Handles the files that have got another name since they were tagged by one for unfinished files.
  private func followUnfinished(_ users: [UInt32: WatchedUser]) {
    for (identity, renamed) in directories?.takeRenamed() ?? [] {
      guard unfinished.has(identity), let place = FilePath(bytes: renamed),
        let file = try? Descriptor.open(place, followsLink: false)
      else { continue }
      defer { close(file) }
      let path = HashedPath(renamed)
      guard let status = status(of: file), let user = users[status.owner],
        case .watched(let documentPath) = user.place(of: path),
        var one = unfinished.reopened(file, FileIdentity(status), at: renamed),
        one.user == status.owner
      else { continue }
      rename(&one, path, documentPath, user)
    }
  }

  /// Changes the path in a source that nobody has changed since.
  ///
  /// - Returns: whether the file has been reported.
  @discardableResult
  private func rename(
    _ one: inout HeldFile, _ path: HashedPath, _ documentPath: [UInt8], _ user: WatchedUser
  ) -> Bool {
    if inherits(one.file, one.identity, path, user) {
      tellKept(one.path, one.writer)
      return true
    }
    guard !one.isOfPortal, let text = Self.text(documentPath),
      text != one.documentPath,
      var application = one.application
    else { return false }
    // The new name may tell more.
    if case .application(let found) = user.product(of: application, at: one.path),
      user.filter.accepts(found.identifier)
    {
      application = found
    }
    let isSame = application.identifier == one.application?.identifier
    let change = Result { () throws(RefusedValue) in
      if isSame {
        var change = SourceChange(path: .set(text))
        change.watchMark = .keep
        return try PreparedChange(change)
      }
      return try user.change(for: application).setting(path: text)
    }
    if mode == .tag, !rights.whileRaised({ rename(one, change) }) { return false }
    one.application = application
    one.documentPath = text
    if mode == .tag {
      note(one.file, one.identity, path)
      afterWriting?(one.file, .own)
    }
    noteUnfinished(one)
    report.tell(.file(path: one.path, writer: one.writer, .renamed(path: text)))
    return true
  }

  /// - Returns: whether the source has the new path.
  private func rename(_ one: HeldFile, _ change: Result<PreparedChange, RefusedValue>) -> Bool {
    let attribute = DocumentSourceAttribute(of: one.reference)
    do throws(DocumentSourceError) {
      guard case .source(let source, _) = try attribute.read().content,
        source.identifier == one.application?.identifier, source.path ?? "" == one.documentPath
      else { return false }
      let change = try Self.refusing(one) { () throws(RefusedValue) in try change.get() }
      try attribute.write(try attribute.plan(change))
      return true
    } catch {
      tally.failed += 1
      report.tell(.file(path: one.path, writer: one.writer, .failed(error.message, error.remedy)))
      return false
    }
  }
}

extension Attribution {
  /// Whether a person may have changed a document by such a program. What compilers and version
  /// control write they make anew.
  fileprivate var mayReplace: Bool {
    switch self {
    case .none(.plain(.compiler)), .none(.plain(.versionControl)), .none(.service): false
    default: true
    }
  }
}

/// An open file that is handled later: because many files were written at once, or for the second
/// time, since many programs write a file by another name than it gets. Its name at that time goes
/// into the attribute.
struct HeldFile {
  /// Open for reading; whoever takes the file out of `HeldFiles` closes it.
  let file: CInt
  let identity: FileIdentity
  /// The user among whose applications the writer was found.
  let user: UInt32
  /// `nil` if it is held only since it may replace a file with a source, or if only its last name leads
  /// to the application.
  var application: ApplicationDescription?
  /// Whether a document portal has written it for an application in a sandbox.
  var isOfPortal = false
  let writer: Int32
  /// The path when the file was last handled; empty where it was not yet.
  var path: [UInt8] = []
  /// The path in the attribute; `nil` if no attribute was written, since the name was hidden.
  var documentPath: String?
  /// When the file is to be handled, in milliseconds.
  var due = 0
  /// How often it still may be handled.
  var turns = 1

  /// No file.
  static var none: HeldFile {
    HeldFile(
      file: -1, identity: FileIdentity(clinux_status()), user: 0, application: nil, writer: 0)
  }

  var isNew: Bool { path.isEmpty }
  /// What it takes of memory, about.
  var byteCount: Int {
    MemoryLayout<HeldFile>.stride + path.count + (documentPath?.utf8.count ?? 0)
  }
  /// The file with its path for messages.
  var reference: FileReference { .descriptor(file, path: filePath) }
  var filePath: FilePath { FilePath(bytes: path) ?? FilePath("") }
}

/// The files that were tagged by a name for unfinished files, for as long as they have no other: to
/// receive a file may take hours.
struct UnfinishedFiles {
  private struct Known {
    let user: UInt32
    let application: ApplicationDescription?
    let documentPath: String?
    let writer: Int32
    /// The files are numbered as they come.
    let number: Int
  }

  private static let limit = 1024

  private var files: [FileIdentity: Known] = [:]
  private var lastNumber = 0

  /// Remembers a file as it is now. If there are too many, the half is forgotten that came first.
  mutating func note(_ one: HeldFile) {
    if files.count >= Self.limit {
      files = files.filter { $0.value.number > lastNumber - Self.limit / 2 }
    }
    lastNumber += 1
    files[one.identity] = Known(
      user: one.user, application: one.application, documentPath: one.documentPath,
      writer: one.writer, number: lastNumber)
  }

  mutating func remove(_ file: FileIdentity) { if !files.isEmpty { files[file] = nil } }

  func has(_ file: FileIdentity) -> Bool { files[file] != nil }

  /// A file that is remembered, opened anew by a path.
  func reopened(_ file: CInt, _ identity: FileIdentity, at path: [UInt8]) -> HeldFile? {
    guard !files.isEmpty, let known = files[identity] else { return nil }
    var one = HeldFile(
      file: file, identity: identity, user: known.user, application: known.application,
      writer: known.writer)
    one.path = path
    one.documentPath = known.documentPath
    return one
  }
}

/// The files that are held open until they are handled, in the order in which they came.
struct HeldFiles {
  private var files = FileQueue<HeldFile>()
  private(set) var byteCount = 0

  var count: Int { files.count }
  /// When the first one is to be handled; `nil` if there is none.
  var due: Int? { files.withFirst { $0.due } }

  mutating func append(_ file: consuming HeldFile) {
    byteCount += file.byteCount
    files.append(file)
  }

  mutating func popFirst() -> HeldFile? {
    guard count > 0 else { return nil }
    let file = files.takeFirst(leaving: .none)
    byteCount -= file.byteCount
    return file
  }
}
