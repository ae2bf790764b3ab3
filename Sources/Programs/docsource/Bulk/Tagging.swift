import CommandLineInterface
import DocumentSource
import FileTree
import LinuxSystem
import TextFormats

/// What `tag` does with each file.
struct Tagging: Sendable {
  private let change: PreparedChange
  private let root: RootDirectory?
  private let isDry: Bool
  private let isQuiet: Bool
  /// `nil` where each file is to be tagged with something else, or none is to be tagged.
  private let stamp: SourceStamp?

  /// - Parameter root: below which the path of each file is its field `path`.
  init(_ change: PreparedChange, below root: RootDirectory?, isDry: Bool, isQuiet: Bool) {
    self.change = change
    self.root = root
    self.isDry = isDry
    self.isQuiet = isQuiet
    stamp = root == nil && !isDry ? SourceStamp(change) : nil
  }

  func tag(_ operand: Operands.Operand, _ console: Console) -> BulkChange.Outcome {
    attempt(console) { () throws(DocumentSourceError) in
      var change = change
      if let root { change = try change.setting(pathBelow: root, of: operand) }
      let attribute = DocumentSourceAttribute(of: operand.file)
      return try carryOut(attribute.plan(change), on: attribute, operand.path, console)
    }
  }

  /// - Returns: `nil` where nothing was done.
  func tag(_ entry: borrowing TreeEntry, _ console: Console) -> BulkChange.Outcome? {
    guard let stamp else { return nil }
    let outcome: BulkChange.Outcome
    switch stamp.apply(to: entry.place) {
    case .changed: outcome = .changed
    case .unchanged: outcome = .unchanged
    case .other: return nil
    case .holds(let former):
      let (file, path) = (entry.file, entry.path)
      return attempt(console) { () throws(DocumentSourceError) in
        let attribute = DocumentSourceAttribute(of: file)
        return try carryOut(attribute.plan(change, over: former), on: attribute, path, console)
      }
    }
    if !isQuiet { tell(entry.path, outcome, stamp.source, console) }
    return outcome
  }

  private func attempt(
    _ console: Console, _ body: () throws(DocumentSourceError) -> BulkChange.Outcome
  ) -> BulkChange.Outcome {
    do throws(DocumentSourceError) {
      return try body()
    } catch {
      console.report(error.path.bytes, EscapedText(error.message).description)
      return .failed
    }
  }

  private func carryOut(
    _ plan: PlannedWrite, on attribute: DocumentSourceAttribute, _ path: FilePath,
    _ console: Console
  ) throws(DocumentSourceError) -> BulkChange.Outcome {
    if !isDry { try attribute.write(plan) }
    let outcome = plan.isUnchanged ? BulkChange.Outcome.unchanged : .changed
    if !isQuiet { tell(path, outcome, plan.source, console) }
    return outcome
  }

  private func tell(
    _ path: FilePath, _ outcome: BulkChange.Outcome, _ source: DocumentSource, _ console: Console
  ) {
    let verb = outcome == .unchanged ? "unchanged" : isDry ? "would tag" : "tagged"
    let summary = EscapedText(SourceText.summary(source))
    console.output.writeLine("\(EscapedText(path.bytes)): \(verb): \(summary)")
  }
}

extension PreparedChange {
  fileprivate func setting(
    pathBelow root: RootDirectory, of operand: Operands.Operand
  ) throws(DocumentSourceError) -> PreparedChange {
    let path = try root.pathBelow(of: operand)
    do throws(RefusedValue) {
      return try setting(path: path)
    } catch {
      throw DocumentSourceError(writing: operand.path, "path: \(error.reason)")
    }
  }
}
