import CommandLineInterface
import DocumentSource
import FileTree
import LinuxSystem
import TextFormats

/// `docsource remove`: removes the attribute.
enum RemoveCommand: Command {
  private static let dryRun = OptionDeclaration(
    "dry-run", short: "n", help: "say what would be done and remove nothing")

  static let verb = "remove"
  static let declaration = CommandDeclaration(
    name: verb, summary: "remove the mark of the application a file came from",
    operands: "FILE...",
    details: """
      The attribute goes in every form the file carries, damaged or not; nothing else of the file
      changes. With --recursive, files without it are passed over in silence, and the order is any.
      """,
    options: [
      Operands.recursive, Operands.noDereference, dryRun, BulkChange.quiet,
      FileList.option,
      WalkSelection.threads,
    ],
    filters: BulkChange.filters(.plain),
    examples: ["docsource remove notes.txt", "docsource remove -r --dry-run ~/Downloads"],
    manual: manual)

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let work = try BulkChange(
      arguments, .plain, reach: .everything, kinds: [.files, .directories])
    let isDry = arguments.has(dryRun)
    let done = isDry ? "would be removed" : "removed"
    return work.run(
      "removing from", done: done, console,
      concerns: { (try? DocumentSourceAttribute(of: $0).carriers())?.isEmpty == false }
    ) { operand, console in
      let path = operand.path
      let attribute = DocumentSourceAttribute(of: operand.file)
      do throws(DocumentSourceError) {
        let removed = isDry ? try attribute.rehearseRemoval() : try attribute.remove()
        guard removed.isEmpty else {
          let verb = isDry ? "would remove" : "removed"
          if !work.isQuiet { console.output.writeLine("\(EscapedText(path.bytes)): \(verb)") }
          return .changed
        }
        if operand.mayLackSource { return .unchanged }
        if !work.isQuiet { console.report(path.bytes, Absence.noAttribute.description) }
        return .withoutSource
      } catch {
        console.report(error)
        return .failed
      }
    }
  }

  private static let manual = ManualText(
    """
    Both forms go, the attribute user.x-document-source and the stream that Samba keeps. A file that
    is named and carries neither is told and counts in the status; on a walk such files are the rule
    and counted as unchanged. With --recursive the directories are worked on as well as the files,
    unless --type=f is given. No symbolic link is followed below a directory. Hidden files and the
    directories of version control are not left out, unless --no-hidden is given; but for Git's
    objects and index, which docsource(1) describes, and with them --exclude.

    A filter leaves files as they are that do not meet it, named ones as well. A file must meet all
    that are given, and of one that is given several times, one; --damaged excludes --identifier,
    --name and --path. The GLOB is that of docsource-find(1).

    \(BulkChange.manual)
    """,
    exitStatus: [
      .noSource: "Some file that was named has no attribute to remove.",
      .failed: BulkChange.failures,
    ],
    seeAlso: ["docsource-find(1)", "setfattr(1)"])
}
