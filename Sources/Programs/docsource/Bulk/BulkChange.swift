import CommandLineInterface
import DocumentSource
import FileTree
import Glibc
import LinuxSystem
import Provenance
import Synchronization
import TextFormats

/// The work of `tag` and `remove` on the files that operands name and, with `--recursive`, on those
/// below them. Filters choose the files, a tally counts them, and a signal ends the work between
/// two files.
struct BulkChange: Sendable {
  /// What became of a file.
  enum Outcome: Equatable {
    case changed, unchanged
    /// Unchanged, since what was found contradicts the file; the exit status says so.
    case contradicted
    /// Changed, but for what contradicts the file; the exit status says so.
    case changedInPart
    /// Neither changed nor worth counting.
    case passedOver
    case failed
    /// Known only when the disk has what was written to the file.
    case pending(PendingChange)
  }

  /// The end of the work on a file, which waits until the disk has what was written to the file: that is
  /// waited for once for many files.
  ///
  /// `@unchecked`: the thread that has begun the work completes it, or another one after that has ended.
  final class PendingChange: Equatable, @unchecked Sendable {
    fileprivate let file: HeldFile
    fileprivate let complete: (Errno?, Console) -> Outcome

    /// - Parameter complete: is given why it is not known that the disk has what was written, if so.
    init(_ file: HeldFile, complete: @escaping (Errno?, Console) -> Outcome) {
      self.file = file
      self.complete = complete
    }

    static func == (one: PendingChange, other: PendingChange) -> Bool { one === other }
  }

  /// How many files each of the threads holds open at most, with their directories, until the disk has what
  /// was written to them: an eighth of the files that may be open, by all threads.
  private static func pendingLimit(_ operands: Operands, workers: Int) -> Int {
    // What is said of named files has their order.
    guard operands.isRecursive else { return 1 }
    var limit = rlimit()
    let isKnown = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    let files = isKnown ? Int(min(limit.rlim_cur, 1 << 20)) / 8 : 128
    return max(1, min(128, files / max(1, workers)))
  }

  /// Work on an entry of a walk; `nil` if `body` has to do it.
  typealias EntryWork = @Sendable (borrowing TreeEntry, Console) -> Outcome?

  static let quiet = OptionDeclaration(
    "quiet", short: "q", help: "report only failures")
  static let verbose = OptionDeclaration(
    "verbose", short: "v", help: "also list files that stay unchanged")
  static let dryRun = OptionDeclaration(
    "dry-run", short: "n", help: "show what would be done without writing anything")
  static let json = ShowCommand.json

  /// The options that choose files.
  static func filters(_ filter: SourceFilterOptions) -> [OptionDeclaration] {
    filter.ofSource + filter.watch + [
      SourceFilterOptions.damaged, SourceFilterOptions.fileName, SourceFilterOptions.ignoresCase,
      WalkSelection.type, WalkSelection.maximumDepth, WalkSelection.oneFileSystem,
    ] + WalkSelection.choosing
  }

  let isQuiet: Bool
  /// Whether files that stay unchanged are listed.
  let listsUnchanged: Bool
  let operands: Operands
  private let selection: WalkSelection
  private let filter: SourceFilter
  private let hasType: Bool
  private let pendingLimit: Int
  private let turn = Turn()

  /// - Parameters:
  ///   - options: those of the filter that the verb has.
  ///   - reach: where the walk goes unless options say otherwise.
  ///   - kinds: what is changed on a walk unless `--type` says otherwise.
  /// - Returns: `nil` after saying that the user's list of applications cannot be read.
  init?(
    _ arguments: Arguments, _ options: SourceFilterOptions, reach: WalkSelection.Reach,
    kinds: WalkOptions.Kinds, _ console: Console
  ) throws(UsageError) {
    operands = try Operands(arguments)
    selection = try WalkSelection(arguments, reach: reach, kinds: kinds)
    guard let filter = try SourceFilter(arguments, options, console) else { return nil }
    self.filter = filter
    hasType = arguments.has(WalkSelection.type)
    pendingLimit = Self.pendingLimit(operands, workers: selection.workers)
    let reporting = try Self.reporting(arguments, isLong: operands.isRecursive)
    isQuiet = reporting.isQuiet
    listsUnchanged = reporting.listsUnchanged
  }

  /// Which files are reported, by `--quiet` and `--verbose`.
  ///
  /// - Parameter isLong: whether unchanged files are only counted, unless asked for, since there may
  ///   be many. A program that gets objects gets one for each file.
  static func reporting(
    _ arguments: Arguments, isLong: Bool
  ) throws(UsageError) -> (isQuiet: Bool, listsUnchanged: Bool) {
    let (isQuiet, isVerbose) = (arguments.has(quiet), arguments.has(verbose))
    guard !isQuiet || !isVerbose else {
      throw UsageError("--quiet and --verbose cannot be combined")
    }
    return (isQuiet, !isQuiet && (isVerbose || !isLong || arguments.has(json)))
  }

  /// Calls `body` with each file that is to be changed; with `--recursive` on several threads.
  ///
  /// Recursive work shows its progress, and says at its end how many files it changed.
  ///
  /// - Parameters:
  ///   - beginning: what the line of progress says before the number of files.
  ///   - done: what the last line says after the number of files that were changed.
  ///   - mayVanish: as in `BulkWalk`.
  ///   - concerns: whether there is something to change at a file; `nil` if that is unknown.
  ///     Without `--recursive` a directory fails where there is something below; what there is at
  ///     the directory itself is changed.
  ///   - mayLeave: whether a directory that is itself changed does not fail then, but is reported.
  ///   - entry: a faster way for entries of a walk, which saves making an operand of each file, a
  ///     measurable time; where it returns `nil`, `body` follows.
  ///   - remover: removes the marks of many files on a walk together, of which nothing is reported; the
  ///     others are left to `body`.
  /// - Returns: the gravest status.
  func run(
    _ beginning: String, done: String, _ console: Console,
    mayVanish: @escaping @Sendable (FilePath) -> Bool = { _ in false },
    concerns: (@Sendable (FileReference) -> Bool?)? = nil, mayLeave: Bool = false,
    entry: @escaping EntryWork = { _, _ in nil }, remover: MarkRemover? = nil,
    _ body: @escaping @Sendable (Operands.Operand, Console) -> Outcome
  ) -> ExitStatus {
    guard operands.isRecursive else {
      return runOnNamed(console, concerns, mayLeave: mayLeave, body)
    }
    var selection = selection
    selection.options.cancellation = Interruption.install()
    let progress = console.progress(beginning)
    // A terminal that shows a line for each file needs no progress besides.
    let isShown = progress.isOnTerminal && (!listsUnchanged || !console.output.isTerminal)
    let count = Counter()
    var (files, tally) = BulkWalk(selection: selection, mayVanish: mayVanish).forEach(
      operands.paths, links: operands.links, console,
      operand: { (tally: inout ChangeTally, operand, console) in
        defer { if isShown { progress.update(count.next(), at: operand.path.bytes) } }
        return change(operand, &tally, console, body)
      },
      entry: { block, found, named in
        defer { if isShown { progress.update(count.next(), at: found.path.bytes) } }
        if filter.acceptsAll, let outcome = entry(found, block.console) {
          return status(outcome, &block.tally)
        }
        if filter.acceptsAll, let remover,
          let status = gather(found, named, remover, &block.tally, block.console, body)
        {
          return status
        }
        let operand = Operands.Operand(found, named)
        return change(operand, &block.tally, block.console, body)
      })
    files = files.combined(with: complete(&tally, console))
      .combined(with: endGathered(&tally, console, body))
    progress.hide()
    let summary =
      "\(CountText.of(tally.changed)) \(done), \(CountText.of(tally.unchanged)) unchanged,"
      + " \(CountText.of(tally.failed)) failed"
    if Interruption.isPending {
      console.say(
        "interrupted: \(CountText.of(tally.all, "file")) done (\(summary)),"
          + " the rest are unchanged")
    } else if !isQuiet {
      console.say(summary)
    }
    return files
  }

  private func runOnNamed(
    _ console: Console, _ concerns: (@Sendable (FileReference) -> Bool?)?, mayLeave: Bool,
    _ body: (Operands.Operand, Console) -> Outcome
  ) -> ExitStatus {
    var tally = ChangeTally()
    return operands.run { operand in
      if hasType, let kind = TreeEntry.Kind(of: operand.path, links: operands.links),
        !selection.takes(kind)
      {
        return .done
      }
      guard let concerns,
        TreeEntry.Kind(of: operand.path, links: operands.links) == .directory,
        let hasOwn = concerns(operand.file)
      else { return change(operand, &tally, console, body) }
      var status = ExitStatus.done
      if hasOwn { status = change(operand, &tally, console, body) }
      // The failure has been reported, and a search would meet it again.
      if status == .failed { return status }
      let below = search(below: operand.path, console, concerns)
      status = status.combined(with: below.status)
      let words = "files in this directory have marks; use -r to include them"
      guard below.isConcerned else {
        return hasOwn || status == .failed ? status : change(operand, &tally, console, body)
      }
      guard hasOwn, mayLeave else {
        console.fail(operand.path.bytes, words)
        return .failed
      }
      if !isQuiet { console.report(operand.path.bytes, words) }
      return status
    }
  }

  /// Whether there is something to change below a directory; the first such file ends the search.
  /// The status is that of reading the directories.
  private func search(
    below directory: FilePath, _ console: Console,
    _ concerns: @escaping @Sendable (FileReference) -> Bool?
  ) -> (isConcerned: Bool, status: ExitStatus) {
    let cancellation = WalkCancellation()
    var selection = selection
    selection.options.cancellation = cancellation
    let (status, found) = BulkWalk(selection: selection).forEach(
      [directory], links: operands.links, console, tally: ChangeTally.self
    ) { [filter] tally, operand, _ in
      if operand.isFound, concerns(operand.file) == true,
        case .accepted = filter.verdict(on: operand.file)
      {
        tally.changed += 1
        cancellation.cancel()
      }
      return .done
    }
    return (found.changed > 0, status)
  }

  private func change(
    _ operand: Operands.Operand, _ tally: inout ChangeTally, _ console: Console,
    _ body: (Operands.Operand, Console) -> Outcome
  ) -> ExitStatus {
    // Another thread is about to rename or remove the file.
    if operand.isFound, TemporaryName.isOfThisProcess(operand.path.lastComponent) { return .done }
    switch filter.verdict(on: operand.file) {
    case .accepted: return settle(body(operand, console), &tally, console)
    case .rejected: return .done
    case .failed(let error):
      console.fail(error)
      return status(.failed, &tally)
    }
  }

  /// Counts an outcome, or keeps one that is pending until there are enough, and until no other thread
  /// completes some unless there are too many.
  private func settle(
    _ outcome: Outcome, _ tally: inout ChangeTally, _ console: Console
  ) -> ExitStatus {
    guard case .pending(let change) = outcome else { return status(outcome, &tally) }
    tally.pending.append(change)
    if tally.pending.count >= pendingLimit {
      return turn.mutex.withLock { _ in complete(&tally, console) }
    }
    // Two threads that remove names from one directory would wait for each other: the others begin further
    // files instead.
    guard tally.pending.count * 2 >= pendingLimit else { return .done }
    return turn.mutex.withLockIfAvailable { _ in complete(&tally, console) } ?? .done
  }

  /// Waits for the disk, and ends the work on the files that are pending.
  private func complete(_ tally: inout ChangeTally, _ console: Console) -> ExitStatus {
    let pending = tally.pending
    tally.pending = []
    return zip(pending, HeldFile.synchronize(pending.map(\.file))).reduce(.done) { all, change in
      all.combined(with: status(change.0.complete(change.1, console), &tally))
    }
  }

  /// Has the marks of an entry removed with those of others.
  ///
  /// - Returns: `nil` if that is to be done by itself.
  private func gather(
    _ entry: borrowing TreeEntry, _ named: NamedPath, _ remover: MarkRemover,
    _ tally: inout ChangeTally, _ console: Console, _ body: (Operands.Operand, Console) -> Outcome
  ) -> ExitStatus? {
    guard entry.mayBeTakenByName,
      let gathering = remover.gather(
        entry, into: tally.gathered.last?.batch, &tally.latest)
    else { return nil }
    switch gathering {
    case .unmarked: return status(.unchanged, &tally)
    case .added: return .done
    case .begun(let batch):
      defer { tally.gathered.append((batch, named)) }
      return endGathered(&tally, console, body)
    }
  }

  private func endGathered(
    _ tally: inout ChangeTally, _ console: Console, _ body: (Operands.Operand, Console) -> Outcome
  ) -> ExitStatus {
    let gathered = tally.gathered
    tally.gathered = []
    var all = ExitStatus.done
    for (batch, named) in gathered {
      let left = batch.remove()
      tally.changed += batch.count - left.count
      for file in left {
        let operand = Operands.Operand(file: file, kind: .file, named: named, isFound: true)
        all = all.combined(with: change(operand, &tally, console, body))
      }
    }
    return all
  }

  private func status(_ outcome: Outcome, _ tally: inout ChangeTally) -> ExitStatus {
    switch outcome {
    case .changed, .changedInPart: tally.changed += 1
    case .unchanged, .contradicted: tally.unchanged += 1
    case .failed: tally.failed += 1
    case .passedOver, .pending: break
    }
    return switch outcome {
    case .failed: .failed
    case .contradicted, .changedInPart: .negative
    case .changed, .unchanged, .passedOver, .pending: .done
    }
  }

  /// Lets one thread at a time complete what is pending.
  private final class Turn: Sendable {
    let mutex = Mutex(())
  }

  /// Counts for several threads.
  private final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
  }
}

/// How many files a change was made to.
private struct ChangeTally: BulkTally {
  var changed = 0
  var unchanged = 0
  /// Directories that cannot be read among them.
  var failed = 0
  /// Files of which the outcome is not known yet.
  var pending: [BulkChange.PendingChange] = []
  /// Files whose marks are not removed yet, and the operands that they were found below.
  var gathered: [(batch: MarkRemover.Batch, named: NamedPath)] = []
  var latest = LatestMarks()

  var all: Int { changed + unchanged + failed }

  mutating func add(_ other: ChangeTally) {
    changed += other.changed
    unchanged += other.unchanged
    failed += other.failed
    pending += other.pending
    gathered += other.gathered
  }

  mutating func addUnreadableDirectory() { failed += 1 }
}

/// The JSON objects of the verbs that change files: the file, what became of it in a word, and what
/// was written or removed.
struct ChangeObject {
  /// What became of a file; in a dry run, what would.
  enum Outcome: String {
    case changed, unchanged, failed
    /// Of `import`: the file had no value.
    case added
    /// Of `import`: the file keeps the value that it has.
    case kept
    /// Of `import`: there is no such file.
    case missing

    /// Those of the entries of a manifest, in the order in which they are counted.
    static let ofEntries: [Outcome] = [.added, .changed, .unchanged, .kept, .missing, .failed]
  }

  /// What an object about a failure has besides the file and the error.
  static let ofFailure: JSONFields? = ["outcome": "failed"]

  let outcome: Outcome
  let isDry: Bool
  /// The members after the outcome.
  let fields: JSONFields

  init(_ outcome: Outcome, isDry: Bool, _ fields: JSONFields = [:]) {
    self.outcome = outcome
    self.isDry = isDry
    self.fields = fields
  }

  func write(of path: ArraySlice<UInt8>, _ console: Console) {
    let start: JSONFields = [
      "file": .path(path), "outcome": .text(outcome.rawValue), "dryRun": isDry ? true : nil,
    ]
    console.write(start + fields)
  }

  /// The carriers of these names, as an array of objects; `nil` if there is none.
  static func carriers(_ names: [[UInt8]]) -> JSONFields.Field? {
    names.isEmpty ? nil : .objects(names.map { ["carrier": .path($0)] })
  }
}
