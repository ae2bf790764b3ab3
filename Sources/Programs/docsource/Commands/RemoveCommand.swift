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
    name: verb, summary: "remove the record of which application a file came from",
    operands: "FILE...",
    details: """
      Removes the attribute and the stream that Samba keeps, damaged or not; nothing else in the
      file changes. With --recursive, files without the attribute are skipped silently, and the order of
      files is undefined.
      """,
    options: [
      Operands.recursive, Operands.noDereference, dryRun, BulkChange.quiet,
      BulkChange.json, FileList.option,
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
      concerns: { (try? DocumentSourceAttribute(of: $0).forms()).map { !$0.isEmpty } },
      { operand, console in
        let path = operand.path
        let attribute = DocumentSourceAttribute(of: operand.file)
        do throws(DocumentSourceError) {
          let removed = isDry ? try attribute.rehearseRemoval() : try attribute.remove()
          guard removed.isEmpty else {
            if !work.isQuiet { tell(removed, of: path, isDry: isDry, console) }
            return .changed
          }
        } catch  where !error.isOfUnsupportedPlace {
          console.fail(error)
          return .failed
        } catch {}
        let reason = Absence.noAttribute.description
        if console.writesObjects, !work.isQuiet {
          ChangeObject(.unchanged, isDry: isDry, JSONText.member("reason", reason))
            .write(of: path.bytes, console)
        }
        if operand.mayLackSource { return .unchanged }
        if !work.isQuiet { console.report(path.bytes, reason) }
        return .withoutSource
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
    ChangeObject(.changed, isDry: isDry, ChangeObject.carriers("removed", names))
      .write(of: path.bytes, console)
  }

  private static let manual = ManualText(
    """
    The attribute user.x-document-source is removed, as are the stream that Samba keeps, by any name
    that Samba gives it, user.user.x-document-source, which ntfs-3g makes of the name, and
    osx.x-document-source, which the kernel shows of a Mac file system. A file named on the command
    line that has none of these is reported and affects the exit status; files found below a
    directory that have none count as unchanged. With --recursive, directories are
    processed as well as files, unless --type=f is given. Symbolic links below a directory are not
    followed. Hidden files and version control directories are included unless --no-hidden is given.
    Git's objects and index, as described in docsource(1), and whatever --exclude matches are left
    out.

    Filters leave files that do not match unchanged, including files named on the command line. A
    file must match every filter that is given, and for a filter given several times at least one of
    its values. --damaged cannot be combined with --identifier, --app-name and --document. GLOB is
    described in docsource-find(1).

    \(BulkChange.manual)

    \(ChangeObject.manual) The outcome is changed, unchanged or failed; removed is an array of
    objects with carrier, the name of an attribute; and reason says why a file is unchanged.
    """,
    exitStatus: [
      .noSource: "Some file named on the command line has no attribute to remove.",
      .failed: BulkChange.failuresWithDirectories,
    ],
    seeAlso: ["docsource-find(1)", "setfattr(1)"])
}
