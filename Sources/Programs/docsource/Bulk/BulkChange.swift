import CommandLineInterface
import DocumentSource
import FileTree
import LinuxSystem
import Synchronization
import TextFormats

/// What `tag` and `remove` do to the files that operands name and, with `--recursive`, to those
/// below them: chosen by filters, counted, and ended by a signal between two files.
struct BulkChange: Sendable {
  /// What became of a file.
  enum Outcome {
    case changed, unchanged
    /// Unchanged since it has no source, which is worth a status.
    case withoutSource
    /// Neither changed nor worth counting.
    case passedOver
    case failed
  }

  /// The words for it.
  struct Words {
    /// In the line of progress, before the number of files.
    let beginning: String
    /// Behind the number of files that were changed.
    let done: String
  }

  /// Work on what is met on a walk; `nil` where it does not do.
  typealias EntryWork = @Sendable (borrowing TreeEntry, Console) -> Outcome?

  static let quiet = OptionDeclaration(
    "quiet", short: "q", help: "say nothing of files that are done")

  /// The options that choose files.
  static func filters(_ filter: SourceFilterOptions) -> [OptionDeclaration] {
    filter.fields.map(\.option) + [
      SourceFilterOptions.damaged, SourceFilterOptions.file, SourceFilterOptions.ignoresCase,
      WalkSelection.type, WalkSelection.maximumDepth, WalkSelection.oneFileSystem,
      WalkSelection.noHidden,
    ]
  }

  let isQuiet: Bool
  private let operands: Operands
  private let selection: WalkSelection
  private let filter: SourceFilter
  private let hasType: Bool

  /// - Parameters:
  ///   - options: those of the filter that the verb has.
  ///   - kinds: what is changed on a walk unless `--type` says otherwise.
  init(
    _ arguments: ParsedArguments, _ options: SourceFilterOptions, kinds: WalkOptions.Kinds
  ) throws(UsageError) {
    operands = try Operands(arguments)
    selection = try WalkSelection(
      arguments, WalkSelection.Defaults(hidden: .visited, kinds: kinds))
    filter = try SourceFilter(arguments, options)
    hasType = arguments.has(WalkSelection.type)
    isQuiet = arguments.has(Self.quiet)
  }

  /// Calls `body` with each file that is to be changed; with `--recursive` on several threads.
  ///
  /// Recursive work shows its progress, and says at its end how many files it changed.
  ///
  /// - Parameters:
  ///   - mayVanish: as in `BulkWalk`.
  ///   - entry: what is done first with what is met on a walk, so that making an operand of each
  ///     file is not seen in the time; `nil` where `body` is to do it.
  /// - Returns: the gravest status.
  func run(
    _ words: Words, _ console: Console,
    mayVanish: @escaping @Sendable (FilePath) -> Bool = { _ in false },
    entry: @escaping EntryWork = { _, _ in nil },
    _ body: @escaping @Sendable (Operands.Operand, Console) -> Outcome
  ) -> ExitStatus {
    guard operands.isRecursive else { return runOnNamed(console, body) }
    var selection = selection
    selection.options.cancellation = Interruption.heed()
    let progress = console.progress(words.beginning)
    // On the terminal that shows each file's line, that is progress enough.
    let isShown = progress.isOnTerminal && (isQuiet || !console.output.isTerminal)
    let count = Counter()
    let (files, tally) = BulkWalk(selection: selection, mayVanish: mayVanish).forEach(
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
        let operand = Operands.Operand(
          file: found.file, kind: found.kind, named: named, isFound: true)
        return change(operand, &block.tally, block.console, body)
      })
    progress.hide()
    let summary =
      "\(CountText.of(tally.changed)) \(words.done), \(CountText.of(tally.unchanged)) unchanged,"
      + " \(CountText.of(tally.failed)) failed"
    if Interruption.hasCome {
      console.say(
        "interrupted: \(CountText.of(tally.all, "file")) done (\(summary)),"
          + " the rest is as it was")
    } else if !isQuiet {
      console.say(summary)
    }
    return files
  }

  private func runOnNamed(
    _ console: Console, _ body: (Operands.Operand, Console) -> Outcome
  ) -> ExitStatus {
    var tally = ChangeTally()
    return operands.run { operand in
      if hasType, let kind = TreeEntry.Kind(of: operand.path, links: operands.links),
        !selection.takes(kind)
      {
        return .done
      }
      return change(operand, &tally, console, body)
    }
  }

  private func change(
    _ operand: Operands.Operand, _ tally: inout ChangeTally, _ console: Console,
    _ body: (Operands.Operand, Console) -> Outcome
  ) -> ExitStatus {
    switch filter.verdict(on: operand.file) {
    case .accepted: return status(body(operand, console), &tally)
    case .rejected: return .done
    case .failed(let error):
      console.report(error.path.bytes, EscapedText(error.message).description)
      return status(.failed, &tally)
    }
  }

  /// Counts a file.
  private func status(_ outcome: Outcome, _ tally: inout ChangeTally) -> ExitStatus {
    switch outcome {
    case .changed:
      tally.changed += 1
      return .done
    case .unchanged:
      tally.unchanged += 1
      return .done
    case .withoutSource:
      tally.unchanged += 1
      return .noSource
    case .passedOver: return .done
    case .failed:
      tally.failed += 1
      return .failed
    }
  }

  /// Counts for several threads.
  private final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
  }
}

extension BulkChange {
  /// What the pages of verbs say that change files by it.
  static let manual = [
    """
    With --recursive several threads work, in any order; with --threads=1 the order is that of the \
    directories. At the end a line on standard error counts the files that were changed, unchanged \
    and failed; --quiet leaves it out. On a terminal that does not show a line for each file, how \
    far the work has come is shown after a second.
    """,
    """
    SIGHUP, SIGINT and SIGTERM end recursive work between two files: what has begun is finished, a \
    line says how many files are done, and the process ends by the signal. A second signal ends it \
    at once; even then no file is left half written. Doing the same again does the rest.
    """,
  ]

  static let failures = """
    Some file or directory cannot be read or written; standard error says which. The rest is done.
    """
}
