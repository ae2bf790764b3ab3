import CommandLineInterface
import DocumentSource
import Xattr

/// `docsource remove`: removes the attribute.
enum RemoveCommand: Command {
  private static let dryRun = OptionDeclaration(
    "dry-run", short: "n", help: "say what would be done and remove nothing")
  private static let quiet = OptionDeclaration(
    "quiet", short: "q", help: "say nothing of files that are done")

  static let verb = "remove"
  static let declaration = CommandDeclaration(
    name: verb, summary: "remove the mark of the application a file came from",
    operands: "FILE...",
    details: [
      """
      The attribute goes in every form the file carries, damaged or not; nothing else of the file \
      changes. With --recursive, files without it are passed over in silence.
      """
    ],
    options: [Operands.recursive, Operands.noDereference, dryRun, quiet],
    examples: ["docsource remove notes.txt", "docsource remove -r --dry-run ~/Downloads"],
    manual: manual)

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let operands = try Operands(arguments)
    let isDry = arguments.has(dryRun)
    let isQuiet = arguments.has(quiet)
    return operands.forEach(console) { operand in
      let path = operand.path
      let attribute = DocumentSourceAttribute(of: operand.file)
      do throws(DocumentSourceError) {
        let removed = isDry ? try attribute.carriers() : try attribute.remove()
        guard removed.isEmpty else {
          let verb = isDry ? "would remove" : "removed"
          if !isQuiet { console.output.writeLine("\(EscapedText(path.bytes)): \(verb)") }
          return .done
        }
        if operand.mayLackSource { return .done }
        if !isQuiet { console.report(path.bytes, Absence.noAttribute.description) }
        return .noSource
      } catch {
        console.report(error.path.bytes, EscapedText(error.message).description)
        return .failed
      }
    }
  }
}
