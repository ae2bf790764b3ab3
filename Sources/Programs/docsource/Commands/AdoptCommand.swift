import CommandLineInterface
import DocumentSource
import FileTree
import LinuxSystem
import Provenance
import TextFormats
import Xattr

/// `docsource adopt`: makes attributes native that files have in other systems' forms.
enum AdoptCommand: Command {
  private static let keep = OptionDeclaration(
    "keep", value: "WHICH", choices: Adopter.Preference.allCases.map(\.rawValue),
    help: "what counts where both say something")
  private static let archive = OptionDeclaration(
    "archive", value: "FILE", help: "apply what a zip or tar holds to DIR, extracted from it")
  private static let limit = WorkLimit.option("with --archive, unpack at most SIZE")
  private static let leave = OptionDeclaration(
    "leave", help: "leave the other forms where they are")
  private static let infer = OptionDeclaration(
    "infer", help: "where there is no source, take what other marks tell")
  private static let dryRun = OptionDeclaration(
    "dry-run", short: "n", help: "say what would be done and change nothing")

  static let verb = "adopt"
  static let declaration = CommandDeclaration(
    name: verb, summary: "make attributes native that other systems left in their forms",
    operands: "FILE...",
    details: """
      Takes in what AppleDouble files (._FILE, also below __MACOSX), Samba, Netatalk and NTFS hold
      of a file, and removes them once the file has it all. What no attribute can hold, such as a
      resource fork, and what says something else than the file does, is kept.
      """,
    options: [
      archive, limit, keep, leave, infer, Operands.recursive, Operands.noDereference, dryRun,
      BulkChange.quiet, WalkSelection.threads,
    ],
    filters: BulkChange.filters(.plain),
    examples: [
      "docsource adopt -r --dry-run ~/stick",
      "docsource adopt --archive site.zip site",
    ],
    manual: manual)

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let isDry = arguments.has(dryRun)
    let infers = arguments.has(infer)
    let adopter = Adopter(
      preference: try arguments.choice(keep).flatMap(Adopter.Preference.init),
      keepsCarriers: arguments.has(leave), isDry: isDry, in: MarkCarrier.Scope(arguments))
    if let archive = arguments.bytes(archive).flatMap({ FilePath(bytes: $0) }) {
      return try adopt(archive, arguments, adopter, console)
    }
    if arguments.has(limit) { throw UsageError("--limit goes with --archive") }
    let work = try BulkChange(arguments, .plain, kinds: [.files, .directories])
    let done = isDry ? "would be changed" : "changed"
    return work.run("adopting for", done: done, console, mayVanish: MarkCarrier.isCarrier) {
      operand, console in
      if operand.isFound, MarkCarrier.isCarrier(operand.path) { return .passedOver }
      // What is inferred is written to the same file.
      let file: FileReference
      let report: AdoptionReport
      do throws(XattrError) {
        file = .held(try operand.file.held())
        report = try adopter.adopt(file)
      } catch {
        console.report(operand.path.bytes, "cannot adopt attributes: \(error.reason)")
        return .failed
      }
      let format = AdoptionFormat(isDry: isDry, isQuiet: work.isQuiet, console: console)
      format.write(report, of: operand.path)
      var isChange = report.isChange
      if infers, !report.hasSource {
        guard let isFilled = format.infer(file, after: report) else { return .failed }
        isChange = isChange || isFilled
      }
      if report.hasFailed { return .failed }
      if report.isContradicted { return .withoutSource }
      if !isChange, !operand.mayLackSource, report.steps.isEmpty, !work.isQuiet {
        console.output.writeLine("\(EscapedText(operand.path.bytes)): unchanged")
      }
      return isChange ? .changed : .unchanged
    }
  }

  private static func adopt(
    _ archive: FilePath, _ arguments: Arguments, _ adopter: Adopter, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let others =
      [leave, infer, Operands.recursive, Operands.noDereference, WalkSelection.threads]
      + BulkChange.filters(.plain)
    if let other = others.first(where: arguments.has) {
      throw UsageError("--archive and --\(other.long) exclude each other")
    }
    guard arguments.operands.count == 1, let root = FilePath(bytes: arguments.operands[0]) else {
      throw UsageError("--archive takes one directory, which was extracted from it")
    }
    let format = AdoptionFormat(
      isDry: arguments.has(dryRun), isQuiet: arguments.has(BulkChange.quiet), console: console)
    let limit = try WorkLimit.given(by: limit, in: arguments)
    return ArchiveAdoption(adopter: adopter, format: format, limit: limit)
      .adopt(archive, below: root)
  }

  private static let manual = ManualText(
    """
    Taken in are, in this order: streams that Samba keeps as attributes (user.DosStream.NAME:$DATA)
    where NAME is a mark of origin or begins with com.apple., without the NUL that Samba puts behind
    each; attributes that the kernel shows of a Mac's file system (osx.NAME), which stay; files
    called FILE:NAME as copying from NTFS leaves them; attributes that Netatalk keeps below
    .AppleDouble; and all attributes of the AppleDouble file ._FILE or the one below the next
    __MACOSX beside FILE or above. They become user.NAME, and Finder information
    user.com.apple.FinderInfo. A NUL behind the property list in a native attribute goes as well.

    A carrier is removed only after all it holds stands in attributes of the file, these have been
    read back and the disk has them; a folder __MACOSX goes once it is empty. Whatever ends the
    work, no attribute is lost, and doing it again does the rest. Kept are a carrier that holds more
    than attributes can (a resource fork, a value over 65536 bytes, names by which file systems are
    directed) or more than is understood (an AppleDouble file with content that none of its entries
    names), that has attributes of its own besides marks, that cannot be read, that belongs to
    another user than FILE, you or root, or that contradicts FILE. Marks that a carrier itself has,
    such as user.xdg.origin.url on ._FILE, say where the carrier is from and go with it.

    Where FILE has an attribute with another value, --keep says which counts, as in dot_clean of
    macOS: native, that of FILE; dotbar, that of the carrier; mostrecent, that of the carrier if it
    was written after FILE, otherwise that of FILE. Without it both stay, and with mostrecent where
    nobody knows when the carrier was written, as of Samba's streams and archives. Carriers that
    say different things stay with dotbar and mostrecent, since neither says which of them counts;
    with native and without --keep the first one's value becomes that of a FILE that has none.

    Samba and Netatalk no longer find what they kept once it is adopted. For files that they still
    serve give --leave.

    With --infer a file without document source gets one from user.creator, or from the program that
    macOS's quarantine names, as identifier where it is one, otherwise as name.

    With --archive, DIR is a directory into which that zip or tar was extracted by a program that
    dropped attributes. What the archive holds of them, as AppleDouble files or in pax headers
    (SCHILY.xattr., LIBARCHIVE.xattr.), is given to the files below DIR by their paths in the
    archive; of Linux's attributes only user.NAME. No link is followed, no path leads out of DIR,
    and nothing is extracted. docsource-archive reads the archive with libarchive, in a process that
    has given up its rights and takes 64 MiB of attributes at most. A file that is not there is
    reported.

    A compressed tar of some KiB can hold gigabytes, all of which are unpacked to find what stands
    behind them. So at most 256 MiB are unpacked, in at most 10 seconds of processor time; what was
    found until then is given to the files. What is passed over without being unpacked, in a zip or
    in a tar without compression, does not count; what was packed twice counts twice.
    \(WorkLimit.manual)

    With --recursive what is below a directory is worked on, files and directories, hidden ones as
    well; carriers are not worked on themselves, and no symbolic link is followed. The filters
    choose by the source that a file has before.

    \(BulkChange.manual)
    """,
    exitStatus: [
      .noSource: """
      Some carrier contradicts its file and was kept, or the archive holds no attributes.
      """,
      .failed: BulkChange.failures,
    ],
    seeAlso: ["docsource-trace(1)", "docsource-strip(1)"])
}

extension AdoptionFormat {
  /// Gives a file without a document source the one that its other marks tell.
  ///
  /// - Returns: whether there was something to write; `nil` after saying why it cannot be.
  fileprivate func infer(_ file: FileReference, after adoption: AdoptionReport) -> Bool? {
    do {
      let present = try ProvenanceReader().report(on: file)
      let report = isDry ? present.following(adoption) : present
      guard let source = report.inferredSource else { return false }
      let attribute = DocumentSourceAttribute(of: file)
      let plan = try attribute.plan(SourceChange(to: source))
      if !isDry { try attribute.write(plan) }
      if !isQuiet {
        let summary = EscapedText(SourceText.summary(source))
        say(file.path, "\(isDry ? "would infer" : "inferred"): \(summary)")
      }
      return true
    } catch let error as DocumentSourceError {
      return failed(file, error.message + error.remedy.words)
    } catch let error as XattrError {
      return failed(file, "cannot read marks of origin: \(error.reason)")
    } catch {
      return failed(file, "\(error)")
    }
  }

  private func failed(_ file: FileReference, _ message: String) -> Bool? {
    console.report(file.path.bytes, EscapedText(message).description)
    return nil
  }
}
