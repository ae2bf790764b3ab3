import CommandLineInterface
import FileTree
import Xattr

/// Work on each file that operands name, and on what is below them, on several threads.
///
/// Each thread has a console and a tally of its own. What is written for one file stays together;
/// with one thread the order is the walk's, with more there is none.
struct BulkWalk: Sendable {
  let selection: WalkSelection

  /// Works on one file.
  typealias Work<Tally> =
    @Sendable (inout Tally, Operands.Operand, Console) -> ExitStatus

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
    var whole = BulkBlock<Tally>(console: console)
    for path in paths where !isCancelled {
      let kind = TreeEntry.Kind(of: path, links: links)
      let named = NamedPath(path, links: links)
      if kind == nil || kind == .other || kind.map(selection.kinds.contains) == true {
        let operand = Operands.Operand(
          file: .path(path, links: links), kind: kind, named: named, isFound: false)
        work(on: operand, &whole, body)
      }
      guard kind == .directory else { continue }
      walk(named, &whole, body)
    }
    return (whole.status, whole.tally)
  }

  private func walk<Tally: BulkTally>(
    _ named: NamedPath, _ whole: inout BulkBlock<Tally>, _ body: @escaping Work<Tally>
  ) {
    let shared = SharedConsole(whole.console)
    do throws(TreeFailure) {
      let blocks = try TreeWalk.walk(
        below: named.path, links: named.links, options: selection.options,
        workers: selection.workers
      ) {
        BulkBlock<Tally>(console: shared.forThisThread())
      } visit: { block, entry in
        guard selection.kinds.contains(entry.kind) else { return }
        let operand = Operands.Operand(
          file: entry.file, kind: entry.kind, named: named, isFound: true)
        work(on: operand, &block, body)
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

  private var isCancelled: Bool { selection.options.cancellation?.isCancelled ?? false }

  private func work<Tally: BulkTally>(
    on operand: Operands.Operand, _ block: inout BulkBlock<Tally>, _ body: Work<Tally>
  ) {
    let status = body(&block.tally, operand, block.console)
    block.status = block.status.combined(with: status)
    block.console.output.endRecord()
    if block.console.output.failure != nil { selection.options.cancellation?.cancel() }
  }

  private func report<Tally: BulkTally>(_ failure: TreeFailure, _ block: inout BulkBlock<Tally>) {
    block.console.report(
      failure.path.bytes, "cannot read the directory: \(failure.reason)")
    block.status = block.status.combined(with: .failed)
    block.tally.addUnreadableDirectory()
  }
}
