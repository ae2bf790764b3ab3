internal import LinuxSystem
internal import Witness

/// Which programs have made and written files, by a journal.
///
/// What is not known for certain counts as written by somebody else: files that were there before the
/// journal, whose process was gone when its event was read, of which events were lost, or that are too many.
/// Nor is a process known that was not observed before: a program whose process is about to run another one
/// can still write. Times are in nanoseconds since 1970-01-01T00:00:00Z.
struct JournaledFiles {
  /// A program that a process runs. A process that runs another one is another writer from then on.
  struct Writer: Hashable {
    let process: ProcessKey
    fileprivate let number: Int
  }

  /// Whose a file's content is.
  enum Content: Hashable {
    /// One program has made the file, written it and closed it, and nobody else has done any of this.
    case created(by: Writer)
    /// One program has written it since a record was made.
    case changed(by: Writer, after: [WitnessRecord.Event])
    /// What a record says.
    case recorded([WitnessRecord.Event])
  }

  private enum Hand: Hashable {
    case nobody
    case one(Writer)
    /// Or it is not known who.
    case several
  }

  private struct History {
    /// Who has done anything to it, since the record if there is one.
    var hand = Hand.nobody
    var isCreated = false
    var isModified = false
    var isClosed = false
    /// When the event of its making was read: a later file can have the key.
    var created: Int64 = 0
    /// What its record says; empty if it has none.
    var record: [WitnessRecord.Event] = []
    /// The file of the record.
    var recorded: ContentVersion?
    /// The turn in which its end was reported.
    var deletion: Int?
  }

  private struct Process {
    /// No other program of any process has the number.
    let number: Int
    /// The files that it has begun to run last: a program, and what loads that or reads the script.
    var opened: [FileKey] = []
    var isObserved = false
  }

  private var files: RecentTable<FileKey, History>
  private var processes: RecentTable<ProcessKey, Process>
  private var lastNumber = 0
  private var turn = 0
  /// Of files that were made before, something may be unknown.
  private var start: Int64
  /// When files were forgotten last: those that will be next were made before.
  private var nextStart: Int64

  /// - Parameter start: since when events are reported.
  init(since start: Int64, fileLimit: Int = 1 << 16, processLimit: Int = 1 << 14) {
    self.start = start
    nextStart = start
    files = RecentTable(limit: fileLimit)
    processes = RecentTable(limit: processLimit)
  }

  /// Says that all events which came until now have been taken.
  mutating func endTurn() { turn += 1 }

  /// - Parameter now: after the event was read.
  mutating func take(_ event: JournalEvent, at now: Int64) {
    switch event {
    case .overflow: forgetAll(at: now)
    case .ran(let file, let process):
      let before = processes.value(of: process)?.opened.last
      lastNumber += 1
      _ = processes.set(
        Process(number: lastNumber, opened: [before, file].compactMap(\.self)), of: process)
    case .wrote(let key, let actions, let process):
      guard !key.isEmpty else { return }
      let writer = process.map { known($0) }
      let hand = writer.flatMap { $0.isObserved ? .one($0.writer) : nil } ?? Hand.several
      var history = history(of: key, actions, by: hand, at: now)
      history.hand = history.hand == .nobody || history.hand == hand ? hand : .several
      if actions.contains(.modified) { history.isModified = true }
      if actions.contains(.closed) { history.isClosed = true }
      if actions.contains(.deleted) { history.deletion = turn }
      set(history, of: key, at: now)
    }
  }

  /// The history to which an event belongs.
  ///
  /// What a process does to a file is one event with what it did before, if that was not read yet. An owner of
  /// files on ext4 without checksums can let what he does to a later file with the same key seem done to the
  /// deleted one.
  private func history(
    of key: FileKey, _ actions: JournalEvent.Actions, by hand: Hand, at now: Int64
  ) -> History {
    let former = files.value(of: key)
    // A file that has had another event before was not made now, but got another name.
    if let former, former.deletion == nil { return former }
    let isKnown = former.map { $0.deletion != turn || $0.hand == hand } ?? true
    return History(
      hand: isKnown ? .nobody : .several, isCreated: isKnown && actions.contains(.created),
      created: now)
  }

  /// Whose the content of a file is; `nil` if that is not known.
  func content(of key: FileKey, _ version: ContentVersion) -> Content? {
    guard let history = files.value(of: key), history.deletion == nil, let born = version.born
    else {
      return nil
    }
    let isComplete = history.isModified && history.isClosed
    if let recorded = history.recorded {
      guard born == recorded.born else { return nil }
      switch history.hand {
      case .nobody:
        let isSame = version.size == recorded.size && version.modified == recorded.modified
        return isSame ? .recorded(history.record) : nil
      case .one(let writer): return isComplete ? .changed(by: writer, after: history.record) : nil
      case .several: return nil
      }
    }
    guard case .one(let writer) = history.hand, history.isCreated, isComplete,
      start <= born, born <= history.created
    else { return nil }
    return .created(by: writer)
  }

  /// Says that a file has got a record of its content.
  mutating func hasRecord(
    _ record: [WitnessRecord.Event], _ key: FileKey, _ version: ContentVersion, at now: Int64
  ) {
    set(History(record: record, recorded: version), of: key, at: now)
  }

  /// The program that a process runs, by all events that have been taken; `nil` if it is observed already.
  mutating func unobserved(_ process: ProcessKey) -> Writer? {
    let (writer, isObserved) = known(process)
    return isObserved ? nil : writer
  }

  /// The files that the process has begun to run last: which of them it runs is known only when it does.
  /// Empty if it has run none since the journal began.
  func opened(by process: ProcessKey) -> [FileKey] { processes.value(of: process)?.opened ?? [] }

  /// Says that a process was seen running the program, before the events that come from now on.
  ///
  /// - Returns: whether it still runs that, by all events that have been taken.
  mutating func observe(_ writer: Writer) -> Bool {
    guard var process = processes.value(of: writer.process), process.number == writer.number else {
      return false
    }
    process.isObserved = true
    _ = processes.set(process, of: writer.process)
    return true
  }

  /// Says that a process is to be seen anew: it is another writer then.
  mutating func forget(_ writer: Writer) {
    guard processes.value(of: writer.process)?.number == writer.number else { return }
    lastNumber += 1
    _ = processes.set(Process(number: lastNumber), of: writer.process)
  }

  /// How many files and processes are known.
  var counts: (files: Int, processes: Int) { (files.count, processes.count) }

  private mutating func set(_ history: History, of key: FileKey, at now: Int64) {
    // Those that are forgotten now have had no event since the last time.
    if files.set(history, of: key) { (start, nextStart) = (nextStart, now) }
  }

  private mutating func known(_ key: ProcessKey) -> (writer: Writer, isObserved: Bool) {
    if let process = processes.use(key) {
      return (Writer(process: key, number: process.number), process.isObserved)
    }
    lastNumber += 1
    _ = processes.set(Process(number: lastNumber), of: key)
    return (Writer(process: key, number: lastNumber), false)
  }

  private mutating func forgetAll(at now: Int64) {
    files.removeAll()
    processes.removeAll()
    (start, nextStart) = (now, now)
  }
}
