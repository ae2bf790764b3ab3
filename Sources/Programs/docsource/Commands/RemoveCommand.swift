import CommandLineInterface
import DocumentSource
import FileTree
import LinuxSystem
import Xattr

/// `docsource remove`: removes the attribute.
enum RemoveCommand: Command {
  private static let dryRun = OptionDeclaration(
    "dry-run", short: "n", help: "say what would be done and remove nothing")

  static let verb = "remove"
  static let declaration = CommandDeclaration(
    name: verb, summary: "remove the mark of the application a file came from",
    operands: "FILE...",
    details: [
      """
      The attribute goes in every form the file carries, damaged or not; nothing else of the file \
      changes. With --recursive, files without it are passed over in \
      silence, and the order is any.
      """
    ],
    options: [
      Operands.recursive, Operands.noDereference, dryRun, BulkChange.quiet,
      WalkSelection.threads,
    ],
    filters: BulkChange.filters(.plain),
    examples: ["docsource remove notes.txt", "docsource remove -r --dry-run ~/Downloads"],
    manual: manual)

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let work = try BulkChange(arguments, .plain, kinds: [.files, .directories])
    let isDry = arguments.has(dryRun)
    let words = BulkChange.Words(
      beginning: "removing from", done: isDry ? "would be removed" : "removed")
    return work.run(words, console) { operand, console in
      let path = operand.path
      let attribute = DocumentSourceAttribute(of: operand.file)
      do throws(DocumentSourceError) {
        let removed = isDry ? try attribute.carriers() : try attribute.remove()
        guard removed.isEmpty else {
          let verb = isDry ? "would remove" : "removed"
          if !work.isQuiet { console.output.writeLine("\(EscapedText(path.bytes)): \(verb)") }
          return .changed
        }
        if operand.mayLackSource { return .unchanged }
        if !work.isQuiet { console.report(path.bytes, Absence.noAttribute.description) }
        return .withoutSource
      } catch {
        console.report(error.path.bytes, EscapedText(error.message).description)
        return .failed
      }
    }
  }
}
