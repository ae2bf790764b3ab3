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
    help: "leave marks of a kind")
  private static let dryRun = OptionDeclaration(
    "dry-run", short: "n", help: "say what would be removed and remove nothing")

  static let verb = "strip"
  static let declaration = CommandDeclaration(
    name: verb, summary: "remove marks of origin before files are given away",
    operands: "FILE...",
    details: """
      All that 'docsource trace' shows goes: attributes, streams, and marks in files beside FILE; an
      AppleDouble file that holds other things keeps those. The desktop's list of recently used
      files stays, since it is not given away.
      """,
    options: [
      keep, Operands.recursive, Operands.noDereference, dryRun, BulkChange.quiet,
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
    let work = try BulkChange(arguments, .plain, kinds: [.files, .directories])
    let done = isDry ? "would be stripped" : "stripped"
    let strip = {
      @Sendable
      (
        operand: Operands.Operand, isLater: Bool, console: Console
      ) -> BulkChange.Outcome in
      let path = operand.path
      let removal: MarkRemoval
      do throws(XattrError) {
        removal = try remover.remove(from: operand.file)
      } catch  where isLater && error.errno == .noSuchFile {
        // It went with the carrier that it belongs to.
        return .passedOver
      } catch {
        console.report(path.bytes, "cannot remove marks of origin: \(error.reason)")
        return .failed
      }
      if !work.isQuiet {
        let verb = isDry ? "would remove" : "removed"
        if !removal.removed.isEmpty {
          let names = removal.removed.map(OriginText.place).joined(separator: ", ")
          console.output.writeLine("\(EscapedText(path.bytes)): \(verb): \(names)")
        } else if removal.failures.isEmpty, !operand.mayLackSource, !isLater {
          console.output.writeLine("\(EscapedText(path.bytes)): unchanged")
        }
      }
      for failure in removal.failures {
        let reason = EscapedText(failure.reason)
        console.report(path.bytes, "cannot remove \(OriginText.place(failure.carrier)): \(reason)")
      }
      guard removal.failures.isEmpty else { return .failed }
      return removal.removed.isEmpty ? .unchanged : .changed
    }
    // The marks on a carrier itself go when nobody rewrites it any more.
    return work.run(
      "stripping", done: done, console, mayVanish: MarkCarrier.isCarrier,
      later: { operand, console in
        let outcome = strip(operand, true, console)
        return outcome == .unchanged ? .passedOver : outcome
      },
      { operand, console in
        if Leftover.isReported(operand, console) { return .failed }
        let isCarrier = operand.isFound && MarkCarrier.isCarrier(operand.path)
        return isCarrier ? .later : strip(operand, false, console)
      })
  }

  private static let manual = ManualText(
    """
    Attributes go in every form: native, as Samba keeps streams, and as the kernel shows those of a
    Mac's file system. Of files beside FILE, those called FILE:NAME and those of Netatalk go that
    hold a mark. From the AppleDouble file ._FILE, and those below __MACOSX, the marks are taken; if
    nothing else is in it the file goes, otherwise it is written anew at once, with its owner,
    permissions and attributes, and so is one that has attributes of its own. One with content that
    none of its entries names is left as it is and reported, and so are another file that holds one
    mark and has attributes of its own, and what belongs to another user than FILE, you or root.

    The kinds that --keep takes are source, the document source; creator, user.creator and
    com.apple.provenance; download, the quarantine, kMDItemWhereFroms, kMDItemDownloadedDate,
    user.xdg.origin.url and user.xdg.referrer.url; zone, Windows' Zone.Identifier; notes, tags of
    macOS, the other user.xdg.* and user.dublincore.*; type, user.mime_type; and use, the date of
    last use.

    With --recursive files that hold marks of others are not stripped for themselves, but with
    those; at the end marks that they have themselves go as well, such as user.xdg.origin.url on
    ._FILE or the file ._FILE:Zone.Identifier.

    What the content of a file says, as the metadata of a photo or document, stays; and so do
    attributes that are no marks of origin.

    \(BulkChange.manual)
    """,
    exitStatus: [.failed: BulkChange.failures],
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
      case .creator, .applicationKey: .creator
      case .quarantine, .whereFroms, .downloadedDate, .originURL, .referrerURL: .download
      case .zoneIdentifier: .zone
      case .userTags, .note: .notes
      case .mediaType: .type
      case .lastUsedDate, .recentUse: .use
      }
  }
}
