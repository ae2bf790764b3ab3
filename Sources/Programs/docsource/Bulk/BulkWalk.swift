import CommandLineInterface
import FileTree
import LinuxSystem

/// Work on each file that operands name, and on what is below them, on several threads.
///
/// Each thread has a console and a tally of its own. What is written for one file stays together;
/// with one thread the order is the walk's, with more there is none.
struct BulkWalk: Sendable {
  var selection: WalkSelection
  /// Whether a directory may be gone by the time it is read, since the work removes such.
  var mayVanish: @Sendable (FilePath) -> Bool = { _ in false }

  /// Works on one file.
  typealias Work<Tally> = @Sendable (inout Tally, Operands.Operand, Console) -> ExitStatus

  /// Works on one file that a walk has met; `nil` where there is nothing to say of it.
  typealias EntryWork<Tally: BulkTally> =
    @Sendable (inout BulkBlock<Tally>, borrowing TreeEntry, NamedPath) -> ExitStatus?

  /// Calls `body` with each operand and with each entry below those that are directories.
  ///
  /// What is below an operand is left out by `selection`; an operand itself only where it is a file
  /// or a directory and not what is asked for. A directory that cannot be read is reported.
  /// Standard output that cannot be written to ends the work, and so does the cancellation of the
  /// selection, before the next file.
  ///
  /// - Returns: the gravest status, and the tallies of all threads together.
  func forEach<Tally: BulkTally>(
    _ paths: [FilePath], links: Links, _ console: Console, tally: Tally.Type,
    _ body: @escaping Work<Tally>
  ) -> (status: ExitStatus, tally: Tally) {
    forEach(paths, links: links, console, operand: body) { block, entry, named in
      let operand = Operands.Operand(
        file: entry.file, kind: entry.kind, named: named, isFound: true)
      return body(&block.tally, operand, block.console)
    }
  }

  /// The same without making an `Operand` for each entry, which would be seen in the time.
  func forEach<Tally: BulkTally>(
    _ paths: [FilePath], links: Links, _ console: Console, operand: Work<Tally>,
    entry: @escaping EntryWork<Tally>
  ) -> (status: ExitStatus, tally: Tally) {
    var whole = BulkBlock<Tally>(console: console)
    for path in paths where !isCancelled {
      let kind = TreeEntry.Kind(of: path, links: links)
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

  /// Ends the work on one file.
  private func end<Tally: BulkTally>(_ status: ExitStatus, _ block: inout BulkBlock<Tally>) {
    if status != .done { block.status = block.status.combined(with: status) }
    if !block.console.output.endRecord() { cancel() }
  }

  private func report<Tally: BulkTally>(_ failure: TreeFailure, _ block: inout BulkBlock<Tally>) {
    let isGone = failure.errno == .noSuchFile || failure.cause == .moved
    if isGone, mayVanish(failure.path) { return }
    block.console.report(
      failure.path.bytes, "cannot read the directory: \(failure.reason)")
    block.status = block.status.combined(with: .failed)
    block.tally.addUnreadableDirectory()
  }
}

/// What a thread of a bulk walk has of its own.
///
/// `@unchecked`: a block is made for one thread, and nobody else has it before that thread has
/// ended.
struct BulkBlock<Tally: BulkTally>: @unchecked Sendable {
  let console: Console
  var tally = Tally()
  var status = ExitStatus.done
}

/// What a bulk walk counts or collects: each thread one of its own, put together at the end.
protocol BulkTally: Sendable {
  init()
  mutating func add(_ other: Self)
  mutating func addUnreadableDirectory()
}

extension BulkTally {
  mutating func addUnreadableDirectory() {}
}
