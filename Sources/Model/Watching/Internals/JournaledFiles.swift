/// Which programs have made and written files, by a journal.
///
/// What is not known for certain counts as written by somebody else: files that were there before the
/// journal, whose process was gone when its event was read, of which events were lost, or that are too many.
/// Times are in nanoseconds since 1970-01-01T00:00:00Z.
struct JournaledFiles {
  /// A program that a process runs. A process that runs another one is another writer from then on.
  struct Writer: Hashable {
    let process: ProcessKey
    let program: Int
    /// Since when nothing has been lost or forgotten.
    let epoch: Int
  }

  private struct History {
    /// `nil` if several have written, or it is not known who.
    var writer: Writer?
    let isCreated: Bool
    var isModified = false
    var isClosed = false
  }

  private let fileLimit: Int
  private let processLimit: Int
  private var files: [FileKey: History] = [:]
  private var programs: [ProcessKey: Int] = [:]
  private var epoch = 0
  /// Of files that were made before, something may be unknown.
  private var start: Int64

  /// - Parameter start: since when events are reported.
  init(since start: Int64, fileLimit: Int = 1 << 16, processLimit: Int = 1 << 14) {
    self.start = start
    self.fileLimit = fileLimit
    self.processLimit = processLimit
  }

  /// - Parameter now: after the event was read.
  mutating func take(_ event: JournalEvent, at now: Int64) {
    switch event {
    case .overflow: forgetAll(at: now)
    case .ran(let process):
      // Also of a process that has written nothing yet: what it is looked up for later is known by that.
      programs[process, default: 0] += 1
      // Of a process that is forgotten alone nobody would know any more that it has run another program.
      if programs.count > processLimit { forgetAll(at: now) }
    case .wrote(let key, let actions, let process):
      guard !key.bytes.isEmpty else { return }
      let writer = process.map(writer)
      // A file that has had another event before was not made now, but got another name.
      var history =
        files[key] ?? History(writer: writer, isCreated: actions.contains(.created))
      if history.writer != writer { history.writer = nil }
      if actions.contains(.modified) { history.isModified = true }
      if actions.contains(.closed) { history.isClosed = true }
      files[key] = history
      if files.count > fileLimit { forgetAll(at: now) }
    }
  }

  /// The one program that has made a file, written it and closed it, if nobody else has done any of this.
  ///
  /// - Parameter born: when the file was made.
  func soleWriter(of key: FileKey, born: Int64) -> Writer? {
    guard born >= start, let history = files[key], history.isCreated, history.isModified,
      history.isClosed
    else { return nil }
    return history.writer
  }

  /// Who alone has done anything to a file that was made, so far.
  func writer(of key: FileKey) -> Writer? { files[key].flatMap { $0.isCreated ? $0.writer : nil } }

  /// Whether a process still runs the program that it was known by, as far as events tell that have been
  /// taken: what is looked up of the process is known of that program only if this holds afterwards.
  func isRunning(_ writer: Writer) -> Bool { self.writer(writer.process) == writer }

  /// How many files and processes are known.
  var counts: (files: Int, processes: Int) { (files.count, programs.count) }

  private func writer(_ process: ProcessKey) -> Writer {
    Writer(process: process, program: programs[process] ?? 0, epoch: epoch)
  }

  private mutating func forgetAll(at now: Int64) {
    files = [:]
    programs = [:]
    epoch += 1
    start = now
  }
}
