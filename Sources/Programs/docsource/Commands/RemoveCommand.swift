import CommandLineInterface
import DocumentSource
import FileTree
import LinuxSystem
import TextFormats
import Xattr

/// `docsource remove`: removes the attribute.
enum RemoveCommand: Command {
  private static let dryRun = OptionDeclaration(
    "dry-run", short: "n", help: "show what would be done without removing anything")

  static let answerOfFailure = ChangeObject.ofFailure

  static let verb = "remove"
  static let declaration = CommandDeclaration(
    name: verb, summary: "remove the document source that tag or watch recorded",
    operands: "FILE...",
    details: """
      Removes the attribute and the stream that Samba keeps, damaged or not; nothing else in the
      file changes. 'docsource strip' also removes what other systems have written about the file. With
      --recursive, files and directories without the attribute are only counted, as unchanged, and the
      order of files is undefined.
      """,
    options: [
      Operands.recursive, Operands.noDereference, dryRun, BulkChange.quiet,
      BulkChange.json, FileList.option,
      WalkSelection.threads,
    ],
    filters: BulkChange.filters(.plain),
    examples: ["docsource remove notes.txt", "docsource remove -r --dry-run ~/Downloads"],
    manual: ManualText(Manual.remove))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard
      let work = try BulkChange(
        arguments, .plain, reach: .everything, kinds: .filesAndDirectories, console)
    else { return .failed }
    let isDry = arguments.has(dryRun)
    let done = isDry ? "would be removed" : "removed"
    return work.run(
      "removing from", done: done, console,
      concerns: { (try? DocumentSourceAttribute(of: $0).forms()).map { !$0.isEmpty } },
      mayLeave: true,
      { operand, console in
        let path = operand.path
        let attribute = DocumentSourceAttribute(of: operand.file)
        do throws(DocumentSourceError) {
          let removed = isDry ? try attribute.preflightRemoval() : try attribute.remove()
          guard removed.isEmpty else {
            if !work.isQuiet { tell(removed, of: path, isDry: isDry, console) }
            return .changed
          }
        } catch  where !error.isOfUnsupportedPlace {
          console.fail(error)
          return .failed
        } catch {}
        guard !work.isQuiet else { return .unchanged }
        if console.writesObjects {
          let reason = Absence.noAttribute.description
          ChangeObject(.unchanged, isDry: isDry, ["reason": .text(reason)])
            .write(of: path.bytes, console)
        } else if !operand.mayLackSource {
          console.output.writeLine("\(EscapedText(path.bytes)): unchanged")
        }
        return .unchanged
      })
  }

  private static func tell(
    _ removed: [AttributeName], of path: FilePath, isDry: Bool, _ console: Console
  ) {
    guard console.writesObjects else {
      let verb = isDry ? "would remove" : "removed"
      return console.output.writeLine("\(EscapedText(path.bytes)): \(verb)")
    }
    let names = removed.map { Array($0.bytes) }
    ChangeObject(.changed, isDry: isDry, ["removed": ChangeObject.carriers(names)])
      .write(of: path.bytes, console)
  }
}
