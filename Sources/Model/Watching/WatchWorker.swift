internal import Applications
internal import CLinux
internal import CompanionProtocol
internal import DocumentSource
package import ForeignFormats
internal import Glibc
package import LinuxSystem

/// The process that tags the files of one user, or those of one FUSE or network mount of that user.
///
/// It has that user's ids, and everything that the user can make long or that may never answer happens
/// in it. The reader of events ends it if it does not answer in time.
package final class WatchWorker {
  /// Reads what AppStream's metainfo says of applications, in the order of the files.
  ///
  /// The files may be a user's own, so no parser of XML may read them with rights of this process.
  ///
  /// - Returns: `nil` if `interruption`, a descriptor, became readable first.
  package typealias MetainfoReader =
    (MetainfoFiles, _ interruption: CInt) throws -> [ApplicationDescription]?

  /// Starts the program that reads browsers' databases, with a question of `RecordsProtocol` and the
  /// home directory of the user.
  package typealias DownloadReader =
    (_ question: [UInt8], _ home: FilePath) throws -> DownloadAnswer
  /// What that program has written when it has ended; `nil` until then. If it is late, it is ended.
  package typealias DownloadAnswer = (_ isLate: Bool) throws -> [UInt8]?

  /// The argument by which this program starts itself as a worker. No verb begins with a parenthesis.
  package static let argument = "(watch-worker)"

  /// The longest turn of handling messages, in milliseconds, as the other times.
  private static let turn = 100
  /// How long held files are handled before messages are read again.
  private static let piece = 10
  /// How often is looked whether what was read at the start has changed.
  private static let settingsInterval = 5000
  private static let countInterval = 100
  /// How long held files are handled if the reader of events has ended.
  private static let lastPiece = 400
  /// Reading metainfo that takes longer is not repeated.
  private static let metainfoPatience = 2000
  /// The most bytes of data that it may have.
  private static let memory: UInt64 = 256 << 20
  private static let reasonLimit = 100
  /// As many files are handed to the witness at a time.
  private static let sealLimit = 32

  private let channel: FileChannel
  private let metainfo: MetainfoReader
  private let downloadReader: DownloadReader
  private let task: WorkerTask
  private let explicit: (directories: [FilePath], settings: WatchSettings)
  private var settings = WatchSettings()
  private let described: [UInt8]?
  private let rights: WorkerRights
  private let paths = LocalPaths(Mount.all())
  private var events: FileEvents?
  private var files: WrittenFiles?
  /// `nil` unless it looks at the mount of a document portal.
  private var portal: PortalWrites?
  /// What it has marked; `nil` unless it looks at a mount.
  private var marked: FileDevice?
  /// `nil` if the user wants none, or has no place for it.
  private var log: WatchLog?
  /// `nil` unless the user wants addresses recorded.
  private var downloads: DownloadRecorder?
  /// The list of mounts, which has something urgent when that has changed; negative without a mount.
  private var mountList: CInt = -1
  private var users: [UInt32: WatchedUser] = [:]
  private var fingerprint: [FileFingerprint?] = []
  private var saidReasons: Set<String> = []
  private var count: MissedFiles?
  /// The times between which missed files are to be counted, and when that was asked for.
  private var wanted: (times: ClosedRange<Int>, since: Int)?
  private var isStale = false
  /// Files with a source that the witness is to have.
  private var sealed: [(file: CInt, kind: SealedFile)] = []

  /// Works for the reader of events, to which standard input leads, until that ends it.
  ///
  /// - Returns: whether this process was started as a worker, and could become one.
  package static func run(
    metainfo: @escaping MetainfoReader, downloads: @escaping DownloadReader
  ) -> Bool {
    let channel = FileChannel(STDIN_FILENO, PacketBuffer())
    var directories: [FilePath] = []
    var settings = WatchSettings()
    var described: [UInt8]?
    while case .packet(let packet) = channel.receive(waits: true) {
      Descriptor.close(packet.files)
      guard let request = CompanionMessage(packet).flatMap({ WorkerRequest($0) }) else { break }
      switch request {
      case .directory(let path): directories.append(path)
      case .include(let pattern): settings.include.append(pattern)
      case .exclude(let pattern): settings.exclude.append(pattern)
      case .onlyApplication(let name): settings.applications.only.append(name)
      case .excludeApplication(let name): settings.applications.excluded.append(name)
      case .recordDownloads: settings.recordsDownloads = true
      case .witness: settings.hasWitness = true
      case .described(let bytes): described = bytes
      case .start(let task):
        if let policy = task.policy { settings.policy = policy }
        guard
          let worker = try? WatchWorker(
            channel, task, (directories, settings), described, metainfo, downloads)
        else { return false }
        worker.work()
        return true
      case .open, .count, .portalWrite, .retire, .finish: return true
      }
    }
    return false
  }

  private init(
    _ channel: FileChannel, _ task: WorkerTask,
    _ explicit: (directories: [FilePath], settings: WatchSettings), _ described: [UInt8]?,
    _ metainfo: @escaping MetainfoReader, _ downloads: @escaping DownloadReader
  ) throws(Errno) {
    self.channel = channel
    self.task = task
    self.explicit = explicit
    self.described = described
    self.metainfo = metainfo
    downloadReader = downloads
    rights = try WorkerRights.become(task.account, marks: task.mount != nil)
    _ = clinux_rights_limit_data(Self.memory)
  }

  // MARK: Preparations

  private func work() {
    let fileLimit = FileEvents.raiseFileLimit()
    let paths = paths
    let own = task.mount.map { LocalPaths.withoutSlash($0) }
    let openPaths = OpenFilePaths { path in
      guard let mount = paths.remote(above: path) else { return false }
      return mount != own
    }
    let files = WrittenFiles(
      task.mode, WatchReport(tell: tell, flush: { true }), fileLimit: fileLimit, rights: rights,
      paths: openPaths, followsDirectories: task.mount == nil)
    self.files = files
    do {
      guard let settings = try wantedSettings(), let globs = try? settings.globs else {
        return workForNobody()
      }
      self.settings = settings
      // Its files may be on another machine, where the witness sees nothing.
      if settings.hasWitness, task.mode == .tag, task.mount == nil {
        send(.wantsWitness)
        files.afterWriting = { [weak self] file, kind in self?.seal(file, kind) }
      }
      let directories = directories()
      if let mount = task.mount, try !mark(mount, openPaths) { return workForNobody() }
      try rights.settle(writes: portal == nil)
      let user = WatchedUser(
        task.account, directories, globs, settings.policy, settings.applications, generation: 1)
      if !user.applications.isComplete {
        send(.flaw(task.account.home, Self.incomplete))
      }
      // Which systemd makes for each user who logs in.
      let runtime = FilePath("/run/user/\(task.account.user)")
      log = settings.isLogged ? WatchLog(in: runtime) : nil
      if settings.recordsDownloads, task.mode == .tag {
        downloads = DownloadRecorder(of: task.account, downloadReader)
      }
      files.reportsTags = wantsFiles
      fingerprint = currentFingerprint()
      guard describe(user) else { return loop() }
      users = [task.account.user: user]
      files.queueDirectories(of: user)
      send(.ready(isEnabled: true))
    } catch let failure as UserFile.Failure {
      send(.flaw(failure.path ?? task.account.home, failure.reason))
      return workForNobody()
    } catch {
      let reason = "\(error)".lowercased()
      send(.flaw(task.mount ?? task.account.home, "cannot watch: \(reason)"))
      return workForNobody()
    }
    loop()
  }

  private static let incomplete =
    "some applications are not known, because reading the desktop files took too long"

  /// Answers the last requests of a reader for whom there is nothing to do.
  private func workForNobody() {
    try? rights.settle()
    fingerprint = currentFingerprint()
    send(.ready(isEnabled: false))
    loop()
  }

  /// What the user wants to have tagged; `nil` if that is nothing, or nothing now.
  private func wantedSettings() throws(UserFile.Failure) -> WatchSettings? {
    if task.policy != nil { return explicit.settings }
    let places = task.account.places
    let settings = try WatchSettings.read(places)
    guard settings.isEnabled else { return nil }
    let file = try WatchSettings.file(places)
    guard FileFingerprint(file.path)?.owner == task.account.user else {
      throw UserFile.Failure(path: file.path, reason: Self.foreign)
    }
    if let end = settings.pauseEnd, settings.isPaused(at: time(nil)) {
      send(.paused(until: end))
      return nil
    }
    return settings
  }

  private static let foreign =
    "ignored, because the file belongs to another user, who cannot enable watching for you"

  /// The watched directories that exist, without those on mounts that others look at. They are
  /// reported, and what is to be marked for them.
  private func directories() -> [WatchedDirectory] {
    let account = task.account
    let home: [UInt8]? =
      switch paths.place(of: account.home) {
      case .local(let path): path
      case .remote, .missing: task.mount.flatMap { _ in WatchedDirectory.realPath(account.home) }
      }
    let listed: [(name: FilePath?, path: FilePath)] =
      task.policy != nil
      ? explicit.directories.map { (nil, $0) }
      : account.directories(settings)
    var seen: Set<[UInt8]> = []
    var remotes: Set<[UInt8]> = []
    var all: [WatchedDirectory] = []
    for (name, path) in listed {
      let real: [UInt8]
      switch paths.place(of: path) {
      case .local(let local): real = local
      case .missing: continue
      case .remote(let mount):
        remotes.insert(mount)
        guard let own = task.mount, mount == LocalPaths.withoutSlash(own),
          let found = WatchedDirectory.realPath(path)
        else { continue }
        real = found
      }
      guard seen.insert(real).inserted else { continue }
      let directory = WatchedDirectory(realPath: real, home: home, name: name)
      guard let file = Self.open(directory.filePath) else { continue }
      defer { close(file) }
      guard task.policy != nil || isOfUser(file, real, home) else {
        if task.mount == nil { send(.flaw(path, Self.notOfUser)) }
        continue
      }
      all.append(directory)
      guard task.mount == nil else { continue }
      send(.watched(directory.filePath))
      send(.place(directory.filePath), [file])
      for mount in paths.mounts {
        let point = LocalPaths.withoutSlash(mount.point)
        guard directory.rest(of: point) != nil else { continue }
        switch mount.keeper {
        case .another: remotes.insert(point)
        case .kernelWithoutDocuments: continue
        case .kernel:
          guard paths.remote(above: point) == nil, let file = Self.open(mount.point) else {
            continue
          }
          send(.place(mount.point), [file])
          close(file)
        }
      }
    }
    if task.mount == nil {
      if let portal = paths.mounts.last(where: { $0.isDocumentPortal(of: account.user) }) {
        send(.portal(portal.point))
        remotes.remove(LocalPaths.withoutSlash(portal.point))
      }
      for remote in remotes.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        send(.remote(WatchedDirectory.filePath(remote)))
      }
    }
    // What is below another one, as all is below the home directory, would be counted twice.
    return all.filter { one in !all.contains { $0.mayHoldDocuments(in: one) } }
  }

  private static let notOfUser =
    "not watched, because the directory is neither below your home directory nor yours"

  /// Whether a directory is the user's to have watched: below the home directory, or the user's own.
  private func isOfUser(_ file: CInt, _ path: [UInt8], _ home: [UInt8]?) -> Bool {
    if let home, WatchedDirectory.isPath(path, below: home) { return true }
    var status = clinux_status()
    return unsafe clinux_file_stat(file, &status) == 0 && status.owner == task.account.user
  }

  /// - Returns: a directory as O_PATH; `nil` if there is none.
  private static func open(_ path: FilePath) -> CInt? {
    let file = unsafe path.withCString { unsafe clinux_directory_reach($0) }
    return file >= 0 ? file : nil
  }

  /// Whether the mount that it looks at is that of the user's document portal.
  private var isOfPortal: Bool {
    task.mount.map { mount in
      paths.mounts.last { $0.point == mount }?.isDocumentPortal(of: task.account.user) == true
    } ?? false
  }

  /// Marks the mount that it looks at.
  ///
  /// - Returns: `false` if nothing is to be had of the portal's mount, and it matters little: the
  ///   database says the most.
  private func mark(_ mount: FilePath, _ openPaths: OpenFilePaths) throws(Errno) -> Bool {
    let isOfPortal = isOfPortal
    do throws(Errno) {
      marked = try mark(mount, isOfPortal: isOfPortal)
    } catch {
      guard isOfPortal else { throw error }
      return false
    }
    mountList = unsafe Mount.list.withCString { unsafe Glibc.open($0, O_RDONLY | O_CLOEXEC) }
    if isOfPortal { portal = marked.map { PortalWrites(openPaths, on: $0) } }
    return true
  }

  /// The user may have put something else there meanwhile, and this process may mark all.
  private func mark(_ mount: FilePath, isOfPortal: Bool) throws(Errno) -> FileDevice {
    guard let file = Self.open(mount) else { throw .noSuchFile }
    defer { close(file) }
    var status = clinux_status()
    guard unsafe clinux_file_glance(file, &status) == 0,
      let here = Mount.all().last(where: { $0.number == status.mount }), here.point == mount,
      here.device == FileDevice(status).text, case .another = here.keeper,
      !isOfPortal || here.isDocumentPortal(of: task.account.user)
    else { throw .noSuchFile }
    let events = try FileEvents()
    // Each sandbox has a mount of its own.
    try events.add(open: file, isOfPortal ? .fileSystem : task.extent)
    self.events = events
    return FileDevice(status)
  }

  /// Whether what was marked is still what is mounted there: the portal may have started anew, and
  /// numbers of mounts and devices are given again.
  private var isMarkUseful: Bool {
    guard let mount = task.mount, let marked, let events else { return true }
    guard let here = Mount.all().last(where: { $0.point == mount }) else { return true }
    return here.device == marked.text && !events.marked.isEmpty
  }

  /// Gives a user the descriptions of the applications that have no desktop entry.
  ///
  /// - Returns: whether there is still somebody to work for.
  private func describe(_ user: WatchedUser) -> Bool {
    let files = user.takeMetainfo()
    guard !files.contents.isEmpty else { return true }
    if let known = described.flatMap({ try? ApplicationDescription.list(binary: $0) }) {
      user.describe(known.compactMap(\.self))
      send(.described(described ?? []))
      return true
    }
    let start = Clock.milliseconds
    var descriptions: [ApplicationDescription] = []
    do {
      guard let read = try metainfo(files, channel.descriptor) else { return false }
      descriptions = read
    } catch {
      send(.metainfoFailure("\(error)"))
    }
    if Clock.milliseconds - start > Self.metainfoPatience,
      let bytes = try? ApplicationDescription.binary(descriptions.map(\.self))
    {
      send(.described(bytes))
    }
    user.describe(descriptions)
    return true
  }

  /// The state of all that is read for the user but the settings, which are looked at elsewhere.
  private func currentFingerprint() -> [FileFingerprint?] {
    let places = task.account.places
    let files = ["docsource/apps.json", UserDirectories.file]
    let settings = files.compactMap { places.configHome?.appending(FilePath($0)) }
    let applications = places.dataDirectories.map { $0.appending(FilePath("applications")) }
    let own = task.account.directories(self.settings).map(\.path).filter { path in
      if case .remote = paths.place(of: path) { false } else { true }
    }
    return (settings + applications).map(FileFingerprint.init)
      // The times of these directories change with every file.
      + own.map { FileFingerprint($0)?.withoutTimes }
  }

  // MARK: Work

  private func loop() {
    guard let files else { return }
    defer { log?.flush() }
    var isRetiring = false
    var settingsTime = Clock.milliseconds + Self.settingsInterval
    while true {
      sendSeals()
      let now = Clock.milliseconds
      if isRetiring, files.nextTurn == nil, portal?.nextTurn == nil, count == nil {
        return send(.finished(files.tally))
      }
      var next = min(settingsTime, files.nextTurn ?? .max, portal?.nextTurn ?? .max)
      next = min(next, downloads?.nextTurn ?? .max, files.hasDirectories ? now : .max)
      if count != nil || wanted != nil { next = min(next, now + Self.countInterval) }
      if let changes = files.changes, changes.time > now { next = min(next, changes.time) }
      let ready = wait(max(0, next - now), files)
      files.beginTurn()
      portal?.beginTurn()
      if ready.channel {
        // There is room for more.
        var hasNotes = false
        defer { if hasNotes { send(.handled(0, held: files.heldCount, files.tally)) } }
        let end = Clock.milliseconds + Self.turn
        messages: while Clock.milliseconds < end {
          switch channel.receive() {
          case .none: break messages
          case .ended: return files.lookAtLast(users, until: Clock.milliseconds + Self.lastPiece)
          case .packet(let packet):
            if let batch = EventBatch(packet) {
              take(batch, files)
              continue
            }
            Descriptor.close(packet.files)
            switch CompanionMessage(packet).flatMap({ WorkerRequest($0) }) {
            case .open(let path):
              if let file = Self.open(path) {
                send(.opened(path), [file])
                close(file)
              }
            case .count(let times): wanted = (times, Clock.milliseconds)
            case .portalWrite(let write):
              users[task.account.user]?.note(write)
              hasNotes = true
            case .retire: isRetiring = true
            case .finish(let time):
              files.lookAtLast(users, until: Clock.milliseconds + time)
              sendSeals()
              return send(.finished(files.tally))
            case .directory, .include, .exclude, .onlyApplication, .excludeApplication,
              .recordDownloads, .witness, .described, .start, nil:
              return
            }
          }
        }
      }
      if ready.mounts, !isMarkUseful { return send(.finished(files.tally)) }
      if ready.events { readEvents(files) }
      if ready.changes { files.takeChanges() }
      if files.hasDirectories, let user = users[task.account.user] {
        let isBusy = ready.channel || ready.events
        files.lookAround(user, until: Clock.milliseconds + (isBusy ? 1 : Self.piece))
      }
      files.lookAgain(users, until: Clock.milliseconds + Self.piece)
      if let portal, let user = users[task.account.user] {
        portal.lookAgain(user, until: Clock.milliseconds + Self.piece) { send(.portalWrite($0)) }
      }
      let isBrowser = { (identifier: String) in
        self.users[self.task.account.user]?.applications.isBrowser(identifier) == true
      }
      downloads?.lookAgain(isBrowser: isBrowser) { path, writer, url in
        send(.file(path: Array(path.bytes), writer: writer, .recorded(url: url)))
      }
      log?.flush()
      countMissed(files)
      if Clock.milliseconds >= settingsTime {
        settingsTime = Clock.milliseconds + Self.settingsInterval
        if !isStale, !isRetiring, currentFingerprint() != fingerprint {
          isStale = true
          send(.stale)
        }
      }
    }
  }

  private func wait(
    _ milliseconds: Int, _ files: WrittenFiles
  ) -> (channel: Bool, events: Bool, changes: Bool, mounts: Bool) {
    let changes = files.changes.flatMap { $0.time <= Clock.milliseconds ? $0.descriptor : nil }
    var wanted = [
      pollfd(fd: channel.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: events?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: changes ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: mountList, events: Int16(POLLPRI), revents: 0),
    ]
    let count = unsafe poll(&wanted, nfds_t(wanted.count), CInt(clamping: milliseconds))
    guard count > 0 else { return (false, false, false, false) }
    return (
      wanted[0].revents != 0, wanted[1].revents != 0, wanted[2].revents != 0,
      wanted[3].revents != 0
    )
  }

  private func take(_ batch: EventBatch, _ files: WrittenFiles) {
    // Before anything else, since even to ask for a path takes longer than some writers are there.
    let writers = batch.writers(ProcessReader(), isKnown: files.isKnown)
    files.takeChanges()
    for index in batch.order {
      let file = batch.files[index]
      let disposal = files.take(file, batch.records[index].status, writers[index], users)
      if disposal == .close { close(file) }
    }
    let known = zip(batch.records, writers).filter { $0.isNew && files.isKnownForGood($1) }
    if !known.isEmpty { send(.knows(known.map(\.1.identifier))) }
    Descriptor.close(batch.processes)
    send(.handled(1, held: files.heldCount, files.tally))
  }

  /// Reads the events of the mount that this worker looks at. Reading opens the files, for which a
  /// FUSE mount or a server must answer.
  private func readEvents(_ files: WrittenFiles) {
    guard let events else { return }
    send(.busy)
    let end = Clock.milliseconds + Self.turn
    while Clock.milliseconds < end {
      do throws(Errno) {
        let mayHaveMore = try events.read { event in
          switch event {
          case .written(let file, let writer):
            guard let portal else { return files.take(file, writer, users) }
            return users[task.account.user].map { user in
              portal.take(file, writer, user) { send(.portalWrite($0)) }
            } ?? .close
          // Of the portal's mount many are gone at once.
          case .unreadable: if portal == nil { files.tally.failed += 1 }
          case .overflow: if portal == nil { files.tally.overflows += 1 }
          }
          return .close
        }
        if !mayHaveMore { break }
      } catch {
        if portal == nil { files.tally.failed += 1 }
      }
      send(.busy)
    }
    send(.handled(0, held: files.heldCount, files.tally))
  }

  /// Counts missed files once all held files were handled, since these may still get a source. In a
  /// dry run no file does, so that none is counted.
  private func countMissed(_ files: WrittenFiles) {
    if let number = count?.count {
      count = nil
      files.tally.missed += number
      send(.missed(number))
    }
    guard count == nil, let (times, since) = wanted, files.haveBeenLookedAt(until: since) else {
      return
    }
    wanted = nil
    guard task.mode == .tag, let user = users[task.account.user] else { return send(.missed(0)) }
    let owner = MissedFiles.Owner(account: user.account, places: user.places)
    let count = MissedFiles(of: [owner], from: times.lowerBound, to: times.upperBound)
    count.start()
    self.count = count
  }

  /// Lets a file with a source wait to be handed to the witness, with others.
  private func seal(_ file: CInt, _ kind: SealedFile) {
    let copy = fcntl(file, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return }
    sealed.append((copy, kind))
    if sealed.count >= Self.sealLimit { sendSeals() }
  }

  private func sendSeals() {
    guard !sealed.isEmpty else { return }
    let files = sealed.map(\.file)
    send(.seal(sealed.map(\.kind)), files)
    Descriptor.close(files)
    sealed.removeAll(keepingCapacity: true)
  }

  // MARK: Reports

  /// Whether each file is of interest, or only what fails.
  private var wantsFiles: Bool { task.reportsFiles || log != nil || downloads != nil }

  private func tell(_ item: WatchReport.Item) {
    guard wantsFiles || item.isFailure,
      case .file(let path, let writer, let outcome) = item
    else { return }
    if case .tagged(let source) = outcome { log?.append(source) }
    noteDownload(path, writer, outcome)
    if !task.reportsFiles {
      guard case .failed(let reason, _) = outcome, saidReasons.count < Self.reasonLimit,
        saidReasons.insert(reason).inserted
      else { return }
    }
    send(.file(path: path, writer: writer, outcome))
  }

  /// Notes a file that a browser may have written, or that has got its last name.
  private func noteDownload(_ path: [UInt8], _ writer: Int32, _ outcome: WatchOutcome) {
    guard let downloads else { return }
    switch outcome {
    case .tagged, .renamed: downloads.note(path, writer)
    default: break
    }
  }

  /// Says something to the reader of events, which always listens. This process ends if that is gone.
  private func send(_ answer: WorkerAnswer, _ files: [CInt] = []) {
    do throws(Errno) {
      try channel.send(answer.message.packet, files, waits: true)
    } catch {
      // A report with more text than a message has room for is left out.
      if error.rawValue != EMSGSIZE { exit(EXIT_FAILURE) }
    }
  }
}
