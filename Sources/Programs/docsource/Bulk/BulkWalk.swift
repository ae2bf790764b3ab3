import CommandLineInterface
import FileTree
import Glibc
import LinuxSystem
import TextFormats

/// Work on each file that operands name, and on the files below, on several threads.
///
/// Each thread has a console and a tally of its own. The output for one file stays together; with
/// one thread it is in the order of the walk, with more in any order.
struct BulkWalk: Sendable {
  var selection: WalkSelection
  /// Whether a directory may be gone by the time it is read, since the work removes directories.
  var mayVanish: @Sendable (FilePath) -> Bool = { _ in false }

  /// Works on one file.
  typealias Work<Tally> = @Sendable (inout Tally, Operands.Operand, Console) -> ExitStatus

  /// Works on one entry of a walk; `nil` if the entry has no status.
  typealias EntryWork<Tally: BulkTally> =
    @Sendable (inout BulkBlock<Tally>, borrowing TreeEntry, NamedPath) -> ExitStatus?

  /// Calls `body` with each operand and with each entry below those that are directories.
  ///
  /// `selection` chooses among the entries below an operand. An operand itself is left out only if
  /// it is a file or a directory and the selection asks for the other kind. A directory that cannot
  /// be read is reported. The work ends before the next file when standard output cannot be written
  /// to, or when the selection is cancelled.
  ///
  /// - Returns: the gravest status, and the tallies of all threads together.
  func forEach<Tally: BulkTally>(
    _ paths: [FilePath], links: Links, _ console: Console, tally: Tally.Type,
    _ body: @escaping Work<Tally>
  ) -> (status: ExitStatus, tally: Tally) {
    forEach(paths, links: links, console, operand: body) { block, entry, named in
      let operand = Operands.Operand(entry, named)
      return body(&block.tally, operand, block.console)
    }
  }

  /// The same without making an `Operand` for each entry, which takes measurable time.
  func forEach<Tally: BulkTally>(
    _ paths: [FilePath], links: Links, _ console: Console, operand: Work<Tally>,
    entry: @escaping EntryWork<Tally>
  ) -> (status: ExitStatus, tally: Tally) {
    var whole = BulkBlock<Tally>(console: console)
    for path in paths where !isCancelled {
      let kind = TreeEntry.Kind(of: path, links: links)
      if kind == .directory, Self.isClosed(path) {
        report(TreeFailure(path: path, errno: .permissionDenied), &whole)
        continue
      }
      let named = NamedPath(path, links: links)
      if kind == nil || kind == .other || kind.map(selection.takes) == true {
        let file = FileReference.path(path, links: links)
        let found = Operands.Operand(file: file, kind: kind, named: named, isFound: false)
        end(operand(&whole.tally, found, console), &whole)
      }
      guard kind == .directory else { continue }
      walk(named, &whole, entry)
    }
    return (whole.status, whole.tally)
  }

  /// Whether directories can be closed to this process: root reads all.
  private static let mayBeRefused = geteuid() != 0

  /// Whether a directory may not be read, and so neither its attributes: that is one failure.
  private static func isClosed(_ path: FilePath) -> Bool {
    guard mayBeRefused else { return false }
    return unsafe path.withCString { unsafe faccessat(AT_FDCWD, $0, R_OK, AT_EACCESS) } != 0
      && errno == EACCES
  }

  /// Ends the work before the next file.
  func cancel() { selection.options.cancellation?.cancel() }

  private var isCancelled: Bool { selection.options.cancellation?.isCancelled ?? false }

  private func walk<Tally: BulkTally>(
    _ named: NamedPath, _ whole: inout BulkBlock<Tally>, _ body: @escaping EntryWork<Tally>
  ) {
    let shared = SharedConsole(whole.console)
    do throws(TreeFailure) {
      let blocks = try TreeWalk.walk(
        below: named.path, links: named.links, options: selection.options,
        workers: selection.workers
      ) {
        BulkBlock<Tally>(console: shared.forThisThread())
      } visit: { block, entry in
        if entry.kind == .directory, Self.mayBeRefused, Self.isClosed(entry.path) {
          return report(TreeFailure(path: entry.path, errno: .permissionDenied), &block)
        }
        if let status = body(&block, entry, named) { end(status, &block) }
      } failed: { block, failure in
        report(failure, &block)
      }
      for block in blocks {
        block.console.output.flush()
        whole.status = whole.status.combined(with: block.status)
        whole.tally.add(block.tally)
      }
    } catch {
      report(error, &whole)
    }
  }

  private func end<Tally: BulkTally>(_ status: ExitStatus, _ block: inout BulkBlock<Tally>) {
    if status != .done { block.status = block.status.combined(with: status) }
    if !block.console.output.endRecord() { cancel() }
  }

  private func report<Tally: BulkTally>(_ failure: TreeFailure, _ block: inout BulkBlock<Tally>) {
    let isGone = failure.errno == .noSuchFile || failure.cause == .moved
    if isGone && mayVanish(failure.path) { return }
    // It has been found closed before the walk came to open it.
    if block.closedDirectory == failure.path { return }
    if failure.errno == .permissionDenied { block.closedDirectory = failure.path }
    block.console.fail(failure.path.bytes, "cannot read directory: \(failure.reason)")
    block.status = block.status.combined(with: .failed)
    block.tally.addUnreadableDirectory()
  }
}

/// The state of one thread of a bulk walk.
///
/// `@unchecked`: a block is made for one thread, and nobody else has it before that thread has
/// ended.
struct BulkBlock<Tally: BulkTally>: @unchecked Sendable {
  let console: Console
  var tally = Tally()
  var status = ExitStatus.done
  /// The directory that was the last to be reported as closed.
  fileprivate(set) var closedDirectory: FilePath?
}

/// What a bulk walk counts or collects: each thread has one, and they are added up at the end.
protocol BulkTally: Sendable {
  init()
  mutating func add(_ other: Self)
  mutating func addUnreadableDirectory()
}

extension BulkTally {
  mutating func addUnreadableDirectory() {}
}

/// Which entries of a tree a verb visits: how deep it goes, and what it leaves out.
struct WalkSelection: Sendable {
  static let maximumDepth = OptionDeclaration(
    "max-depth", short: "d", value: "N", help: "descend at most N levels; 0 is none")
  static let oneFileSystem = OptionDeclaration(
    "one-file-system", help: "stay on one file system")
  static let type = OptionDeclaration(
    "type", short: "t", value: "TYPE", choices: ["f", "d"],
    help: "select only files or only directories")
  static let hidden = OptionDeclaration(
    "hidden", short: "H", help: "include version control directories such as .git")
  static let noHidden = OptionDeclaration(
    "no-hidden", help: "leave out hidden files and directories")
  static let exclude = OptionDeclaration(
    "exclude", short: "E", value: "GLOB", repeats: true,
    help: "leave out files and directories that match GLOB")
  static let gitignore = OptionDeclaration("gitignore", help: "leave out what Git ignores")
  static let threads = OptionDeclaration(
    "threads", short: "j", value: "N", help: "process N files at a time")

  /// The most threads that may be asked for.
  private static let mostThreads = 256

  /// The options of every verb that goes into directories.
  static let choosing = [hidden, noHidden, exclude]

  /// Where a verb goes unless `--hidden` or `--no-hidden` says otherwise.
  enum Reach: Sendable {
    /// To all files but those of version control.
    case documents
    /// Everywhere, since what it leaves would be given away.
    case everything
  }

  var options: WalkOptions
  var workers: Int

  /// - Parameters:
  ///   - kinds: unless `--type` says otherwise; files and directories, never other kinds.
  /// - Throws: `UsageError` for a value that makes no sense.
  init(
    _ arguments: Arguments, reach: Reach, kinds: WalkOptions.Kinds
  ) throws(UsageError) {
    // No empty list, which generic code would make at each start, as in `WalkOptions.Kinds`.
    var types = WalkOptions.Kinds(rawValue: 0)
    for value in arguments.values(Self.type) {
      switch value {
      case Array("f".utf8): types.insert(.files)
      case Array("d".utf8): types.insert(.directories)
      default:
        throw UsageError("--type: invalid value '\(EscapedText(value))'; expected one of f, d")
      }
    }
    let (showsAll, hides) = (arguments.has(Self.hidden), arguments.has(Self.noHidden))
    guard !showsAll || !hides else {
      throw UsageError("--hidden and --no-hidden cannot be combined")
    }
    let goesEverywhere = showsAll || (reach == .everything && !hides)
    options = WalkOptions(
      maximumDepth: try arguments.number(Self.maximumDepth, in: 0...(.max)),
      hidden: hides ? .leftOut : .visited,
      versionControl: goesEverywhere ? .walkedWithoutObjects : .leftOut,
      excluded: try arguments.values(Self.exclude).map { (glob) throws(UsageError) in
        try IgnorePattern(typed: glob)
      },
      ignoreFiles: arguments.has(Self.gitignore) ? .heeded : .passedOver,
      mounts: arguments.has(Self.oneFileSystem) ? .leftOut : .walked,
      cancellation: WalkCancellation(), kinds: types.rawValue == 0 ? kinds : types)
    workers =
      try arguments.number(Self.threads, in: 1...Self.mostThreads) ?? TreeWalk.usualWorkers
  }

  /// Whether entries of a kind are visited.
  func takes(_ kind: TreeEntry.Kind) -> Bool { options.kinds.contains(kind) }
}

extension IgnorePattern {
  fileprivate init(typed pattern: [UInt8]) throws(UsageError) {
    guard pattern.contains(where: { $0 != UInt8(ascii: "/") }) else {
      throw UsageError("--exclude: '\(EscapedText(pattern))' matches nothing")
    }
    do throws(GlobFlaw) {
      self = try IgnorePattern(pattern)
    } catch {
      throw UsageError("--exclude: '\(EscapedText(pattern))': \(error)")
    }
  }
}
