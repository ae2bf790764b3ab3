import CommandLineInterface
import FileTree
import LinuxSystem
import Provenance
import TextFormats
import Xattr

/// `docsource strip`: removes marks of origin before a file is given away.
enum StripCommand: Command {
  private static let keep = OptionDeclaration(
    "keep", value: "KIND", choices: MarkGroup.allCases.map(\.rawValue), repeats: true,
    help: "keep marks of KIND")
  private static let dryRun = OptionDeclaration(
    "dry-run", short: "n", help: "show what would be removed without removing anything")

  static let answerOfFailure = ChangeObject.ofFailure

  static let verb = "strip"
  static let declaration = CommandDeclaration(
    name: verb, summary: "remove marks of origin before sharing files",
    operands: "FILE...",
    details: """
      Removes all marks that 'docsource trace' shows: attributes, streams, and marks in files beside
      FILE; other content of AppleDouble files is kept. The desktop's list of recently used files is
      not changed, since it is not shared.
      """,
    options: [
      keep, Operands.recursive, Operands.noDereference, dryRun, BulkChange.quiet,
      BulkChange.json, FileList.option,
      WalkSelection.threads,
    ],
    filters: BulkChange.filters(.plain),
    examples: ["docsource strip report.pdf", "docsource strip -rn --keep source outgoing"],
    manual: manual)

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let isDry = arguments.has(dryRun)
    let kept = Set(try arguments.choices(keep).compactMap(MarkGroup.init))
    let remover = MarkRemover(
      keeping: { kept.contains(MarkGroup($0)) }, isDry: isDry, in: MarkCarrier.Scope(arguments))
    let work = try BulkChange(
      arguments, .plain, reach: .everything, kinds: [.files, .directories])
    let carriers = CarrierChoice(work.operands)
    let done = isDry ? "would be stripped" : "stripped"
    let search = MarkRemover(keeping: { kept.contains(MarkGroup($0)) }, isDry: true)
    let strip = {
      @Sendable
      (
        operand: Operands.Operand, console: Console
      ) -> BulkChange.Outcome in
      let path = operand.path
      // Nobody expects a count of those.
      let isCarrier = operand.isFound && MarkCarrier.isCarrier(path)
      let removal: MarkRemoval
      do throws(XattrError) {
        removal = try remover.remove(from: operand.file)
      } catch  where isCarrier && error.errno == .noSuchFile {
        // It went with the carrier that it belongs to.
        return .passedOver
      } catch {
        console.fail(path.bytes, "cannot remove marks of origin: \(error.reason)")
        return .failed
      }
      let isTold = console.writesObjects || !operand.mayLackSource
      if console.writesObjects {
        writeObject(removal, of: path, isTold: isTold, isDry: isDry, isQuiet: work.isQuiet, console)
      } else if !work.isQuiet {
        let verb = isDry ? "would remove" : "removed"
        if !removal.removed.isEmpty {
          let names = removal.removed.map(OriginText.place).joined(separator: ", ")
          console.output.writeLine("\(EscapedText(path.bytes)): \(verb): \(names)")
        } else if removal.failures.isEmpty, isTold {
          console.output.writeLine("\(EscapedText(path.bytes)): unchanged")
        }
      }
      for failure in removal.failures { console.report(path.bytes, words(failure)) }
      guard removal.failures.isEmpty else { return .failed }
      return !removal.removed.isEmpty ? .changed : isCarrier ? .passedOver : .unchanged
    }
    return work.run(
      "stripping", done: done, console, mayVanish: MarkCarrier.isCarrier,
      concerns: { file in
        guard let found = try? search.remove(from: file) else { return nil }
        return !found.removed.isEmpty || !found.failures.isEmpty
      },
      { operand, console in
        if Leftover.isReported(operand, console) { return .failed }
        return carriers.isLeft(operand) ? .passedOver : strip(operand, console)
      })
  }

  private static func words(_ failure: MarkRemoval.Failure) -> String {
    "cannot remove \(OriginText.place(failure.carrier)): \(EscapedText(failure.reason))"
  }

  /// - Parameter isTold: whether a file without marks is told.
  private static func writeObject(
    _ removal: MarkRemoval, of path: FilePath, isTold: Bool, isDry: Bool, isQuiet: Bool,
    _ console: Console
  ) {
    var members = ChangeObject.carriers("removed", removal.removed)
    guard removal.failures.isEmpty else {
      let error = removal.failures.map(words).joined(separator: "; ")
      members += JSONText.member("error", error)
      return ChangeObject(.failed, isDry: isDry, members).write(of: path.bytes, console)
    }
    let isChange = !removal.removed.isEmpty
    guard !isQuiet, isChange || isTold else { return }
    ChangeObject(isChange ? .changed : .unchanged, isDry: isDry, members)
      .write(of: path.bytes, console)
  }

  private static let manual = ManualText(
    """
    Attributes are removed in every form: native, as Samba keeps streams, and as the kernel shows
    those of a Mac file system. Files beside FILE that are called FILE:NAME or belong to Netatalk
    are removed if they hold a mark. Marks are also removed from the AppleDouble file ._FILE and
    from those below __MACOSX; if nothing else is left in an AppleDouble file it is deleted,
    otherwise it is rewritten atomically with its owner, permissions and attributes, as is one that
    has attributes of its own. An AppleDouble file with content outside its entries is left
    unchanged and reported, as are other files that hold one mark and have attributes of their own,
    and files that belong to a user other than the owner of FILE, you or root. Marks of origin that
    such a file has itself are removed as well: user.xdg.origin.url on ._FILE, for example, or the
    file ._FILE:Zone.Identifier. If FILE is such a file, the marks of another file in FILE are
    removed in the same way.

    --keep accepts these kinds:

      source    the document source
      creator   user.creator, kMDItemCreator and com.apple.provenance
      download  the quarantine, kMDItemWhereFroms, kMDItemDownloadedDate,
                user.xdg.origin.url, user.xdg.referrer.url and
                user.x-extension-item
      zone      Zone.Identifier of Windows
      notes     tags, kMDItemFinderComment, kMDItemOrigin* and
                com_apple_mail_messageID of macOS, user.dublincore.*,
                the other user.xdg.origin.*, and user.xdg.comment,
                .creator, .language, .publisher and .tags
      type      user.mime_type
      use       the date of last use

    With --recursive, files that hold marks of other files are stripped together with those files,
    and by themselves only if the other file is missing, is no file or directory, is not below a
    FILE, or is Git's index or directory of objects.

    With --recursive, hidden files and version control directories are included unless --no-hidden
    is given. Git's objects and index, as described in docsource(1), and whatever --exclude matches
    are left out.

    Streams that Samba keeps below .streams are removed with FILE's other marks. Those of a file that
    was deleted without Samba are not found, because their names hold only the number of its inode.

    Metadata inside the content of a file, such as that of a photo or document, is kept, as are
    attributes that are not marks of origin.

    \(BulkChange.manual)

    \(ChangeObject.manual) The outcome is changed, unchanged or failed, and removed is an array of
    objects with carrier, the location of a mark as in docsource-trace(1).
    """,
    exitStatus: [.noSource: "", .failed: BulkChange.failuresWithDirectories],
    seeAlso: ["docsource-trace(1)", "docsource-remove(1)", "exiftool(1)"])
}

/// Marks of origin by what they are about, as users name them.
private enum MarkGroup: String, CaseIterable {
  case source
  /// The program that made the file.
  case creator
  /// What downloaded it, from where and when.
  case download
  case zone
  /// Tags, titles and comments.
  case notes
  case type
  /// When it was last used.
  case use

  init(_ kind: MarkKind) {
    self =
      switch kind {
      case .documentSource: .source
      case .creator, .metadataCreator, .applicationKey: .creator
      case .quarantine, .whereFroms, .downloadedDate, .originURL, .referrerURL,
        .shareItem:
        .download
      case .zoneIdentifier: .zone
      case .userTags, .finderComment, .originSubject, .note: .notes
      case .mediaType: .type
      case .lastUsedDate, .recentUse: .use
      }
  }
}
