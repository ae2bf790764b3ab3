import Applications
import BinaryPropertyList
import CommandLineInterface
import FileTree
import ForeignFormats
import LinuxSystem
import Provenance
import TextFormats
import Xattr

/// `docsource trace`: every mark that says where a file came from.
enum TraceCommand: Command {
  private static let json = ShowCommand.json
  private static let raw = OptionDeclaration(
    "raw", value: "CARRIER", help: "the bytes of one mark as they are, by where it stands")
  private static let noRecent = OptionDeclaration(
    "no-recent", help: "leave out the desktop's list of recently used files")

  static let verb = "trace"
  static let declaration = CommandDeclaration(
    name: verb, summary: "tell by every mark where a file came from", operands: "FILE...",
    details: """
      Reads the document source in every form, AppleDouble files, streams, and the marks of macOS,
      Windows, browsers and the desktop: a short answer first, then each mark with what it says,
      where it stands, and how far to trust it. What contradicts itself is told. With --recursive, a
      line for each file that has marks, and how many came from which application and host.
      """,
    options: [
      json, raw, noRecent, Operands.recursive, Operands.noDereference, WalkSelection.threads,
    ],
    examples: [
      "docsource trace report.pdf",
      "docsource trace --raw user.com.apple.quarantine report.pdf",
    ],
    manual: manual)

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let operands = try Operands(arguments)
    if arguments.has(raw) {
      guard !arguments.has(json) else { throw UsageError("--json and --raw exclude each other") }
      guard !operands.areSeveral else { throw UsageError("--raw takes one file") }
    }
    let selection = try WalkSelection(arguments, hidden: .visited, kinds: [.files, .directories])
    var status = ExitStatus.done
    var recent: RecentFiles?
    if !arguments.has(noRecent) {
      switch RecentList.read(console) {
      case .read(let files): recent = files
      case .missing: break
      case .failed: status = .failed
      }
    }
    let reader = ProvenanceReader(recent: recent)
    let traced =
      if let carrier = arguments.bytes(raw) {
        operands.run { write(carrier, of: $0, reader, console) }
      } else if operands.isRecursive {
        traceBelow(operands, selection, arguments, reader, console)
      } else {
        operands.run { operand in
          trace(operand, arguments.has(json) ? .json : .block, reader, console).status
        }
      }
    return status.combined(with: traced)
  }

  /// Traces what operands name and what is below, on several threads.
  private static func traceBelow(
    _ operands: Operands, _ selection: WalkSelection, _ arguments: Arguments,
    _ reader: ProvenanceReader, _ console: Console
  ) -> ExitStatus {
    let format: TraceFormat = arguments.has(json) ? .json : .line
    let (status, summary) = BulkWalk(selection: selection).forEach(
      operands.paths, links: operands.links, console, tally: OriginSummary.self
    ) { summary, operand, console in
      if Leftover.isReported(operand, console) { return .failed }
      let isCarrier = operand.isFound && MarkCarrier.isCarrier(operand.path)
      let (status, report) = trace(operand, format, reader, console)
      if let report, !isCarrier || !report.marks.isEmpty { summary.count(report) }
      return status
    }
    if format == .json { summary.writeJSON(console) } else { summary.write(console) }
    return status == .done && summary.marked == 0 ? .noSource : status
  }

  /// - Returns: no report where nothing of the file can be read.
  private static func trace(
    _ operand: Operands.Operand, _ format: TraceFormat, _ reader: ProvenanceReader,
    _ console: Console
  ) -> (status: ExitStatus, report: ProvenanceReport?) {
    guard let report = report(on: operand, reader, console) else { return (.failed, nil) }
    var status = report.isIncomplete ? ExitStatus.failed : .done
    if report.marks.isEmpty, !operand.mayLackSource { status = status.combined(with: .noSource) }
    if !report.marks.isEmpty || !report.flaws.isEmpty {
      format.write(report, console)
    } else if !operand.mayLackSource {
      if format == .json { format.write(report, console) }
      console.report(report.file.bytes, "no mark of origin")
    }
    return (status, report)
  }

  private static func report(
    on operand: Operands.Operand, _ reader: ProvenanceReader, _ console: Console
  ) -> ProvenanceReport? {
    do throws(XattrError) {
      return try reader.report(on: operand.file)
    } catch {
      console.report(operand.path.bytes, "cannot read marks of origin: \(error.reason)")
      return nil
    }
  }

  private static func write(
    _ carrier: [UInt8], of operand: Operands.Operand, _ reader: ProvenanceReader,
    _ console: Console
  ) -> ExitStatus {
    guard let report = report(on: operand, reader, console) else { return .failed }
    // Names with invisible characters are typed as they are shown.
    let mark =
      report.marks.first { $0.carrier.name == carrier }
      ?? report.marks.first {
        EscapedText($0.carrier.name).description.utf8.elementsEqual(carrier)
      }
    guard let mark else {
      let names = report.marks.map(\.carrier.description)
      let near = Spelling.nearest(to: String(decoding: carrier, as: UTF8.self), among: names)
      let hint = near.map { "did you mean '\(EscapedText($0))'?" } ?? "'docsource trace' lists them"
      console.report(
        operand.path.bytes, "no mark stands in '\(EscapedText(carrier))'; \(hint)")
      return .noSource
    }
    if case .unreadable(let reason) = mark.content {
      console.report(operand.path.bytes, "cannot read \(EscapedText(carrier)): \(reason)")
      return .failed
    }
    console.output.write(mark.bytes)
    return .done
  }

  private static let manual = ManualText(
    """
    What a mark says stands in double quotes, so that no value is taken for words of this program; a
    double quote or backslash in it has a backslash before it. Characters that are invisible, blank
    or of private use are shown as \\u{00a0}, here and in all text for people; --json and --raw
    are exact.

    Where a mark stands is told as --raw takes it: the name of an attribute, or the path of another
    file from the directory of FILE, and where that holds several marks, a colon and the mark's
    name. Looked for are attributes under their own names, as Samba keeps streams
    (user.DosStream.NAME:$DATA) and as the kernel shows those of a Mac's file system (osx.NAME); the
    AppleDouble file ._FILE, also below __MACOSX beside FILE or above; what Netatalk keeps below
    .AppleDouble; streams as ntfs-3g shows them (FILE:NAME); and files called FILE:Zone.Identifier.

    The marks are x-document-source; com.apple.quarantine, kMDItemWhereFroms, kMDItemDownloadedDate,
    tags, the date of last use and com.apple.provenance of macOS; Windows' Zone.Identifier;
    user.xdg.origin.url and its like, as curl, wget and browsers write them; user.dublincore.*,
    user.mime_type and user.creator; and which application used the file last by recently-used.xbel.

    None of them proves anything. What stands on the file itself, whoever wrote or sent the file can
    have set. What stands in another file may be of a former file of that name; what the desktop has
    recorded goes by the path. Where such a file belongs to another user than the file, you or root,
    it is shown but does not count for the short answer.

    With --json each file is an object on a line of its own with these members: file, and fileBase64
    where the name is not UTF-8; origin, an object of what the short answer goes by, or null; marks,
    an array of objects with mark, carrier, form (attribute, sambaStream, hfsplus, appleDouble,
    macArchive, netatalk, stream, sibling or desktop), trust (claim, beside, foreign or record),
    value, or null with reason and offset or error, and bytes in Base64; contradictions, with
    subject and claims; and flaws, what could not be read. With --recursive objects follow with
    summary (application, otherApplications, host, otherHosts, marked or unmarked) and count.

    With --recursive hidden files are traced as well, files that hold marks of others where they have
    marks themselves, and no symbolic link is followed. Several files are worked on at a time, in no
    order; with --threads 1 it is that of the directories.
    """,
    exitStatus: [
      .noSource: """
      Some file has no mark of origin, or with --raw not this one. With --recursive: no file has \
      one.
      """
    ],
    files: [
      ManualText.Entry(
        "$XDG_DATA_HOME/recently-used.xbel", "What the desktop has recorded of files in use.")
    ],
    seeAlso: ["docsource-show(1)", "getfattr(1)"])
}

/// The user's recently-used.xbel, read by `docsource-xml`.
private enum RecentList {
  /// No desktop lets it grow so far.
  private static let limit = 64 << 20

  /// What reading it gave.
  enum Outcome {
    case read(RecentFiles)
    case missing
    /// It cannot be read, which has been said.
    case failed
  }

  static func read(_ console: Console) -> Outcome {
    guard let home = BaseDirectories.current().dataHome else { return .missing }
    let file = InstalledFile(path: home.appending(FilePath("recently-used.xbel")))
    guard file.exists else { return .missing }
    guard let bytes = file.content(limit: limit) else {
      return failed(file, "it is larger than \(limit >> 20) MiB, or no longer there", console)
    }
    do {
      let arguments = [Array("recently-used".utf8), Array(file.path.bytes)]
      let ending = try CompanionProgram.xml.start(arguments, input: bytes).wait()
      // Where it failed, the program has told what is wrong.
      console.passOn(ending.errors)
      guard ending.status == .done else { return .failed }
      guard let files = try RecentFiles(binary: ending.output) else {
        return failed(file, "docsource-xml is of another version", console)
      }
      return .read(files)
    } catch {
      return failed(file, "\(error)", console)
    }
  }

  private static func failed(
    _ file: InstalledFile, _ reason: String, _ console: Console
  ) -> Outcome {
    console.report(file.path.bytes, "cannot read: \(EscapedText(reason))")
    return .failed
  }
}
