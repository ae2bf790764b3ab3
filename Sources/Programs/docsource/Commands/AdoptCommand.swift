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
    help: "which value to keep where file and carrier differ")
  private static let archive = OptionDeclaration(
    "archive", value: "FILE", help: "apply attributes in a zip or tar to its extracted DIR")
  private static let limit = WorkLimit.option("with --archive, unpack at most SIZE")
  private static let leave = OptionDeclaration(
    "leave", help: "keep the other forms after converting them")
  private static let infer = OptionDeclaration(
    "infer", help: "infer a missing document source from other marks")
  private static let dryRun = OptionDeclaration(
    "dry-run", short: "n", help: "show what would be done without changing anything")

  static let answerOfFailure = ChangeObject.ofFailure

  static let verb = "adopt"
  static let declaration = CommandDeclaration(
    name: verb, summary: "convert marks of macOS, Windows and Samba to Linux attributes",
    operands: "FILE...",
    details: """
      Converts the attributes of a file that AppleDouble files (._FILE, also below __MACOSX), Samba,
      Netatalk and NTFS hold, and removes the other forms once the file has all attributes. Anything
      that attributes cannot hold, such as a resource fork, or that contradicts the file is kept.
      """,
    options: [
      archive, limit, keep, leave, infer, Operands.recursive, Operands.noDereference, dryRun,
      FileList.option,
      BulkChange.quiet, BulkChange.json, WalkSelection.threads,
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
    if arguments.has(limit) { throw UsageError("--limit requires --archive") }
    let work = try BulkChange(
      arguments, .plain, reach: .documents, kinds: [.files, .directories])
    let done = isDry ? "would be changed" : "changed"
    let search = Adopter(keepsCarriers: arguments.has(leave), isDry: true)
    return work.run(
      "adopting", done: done, console, mayVanish: MarkCarrier.isCarrier,
      concerns: { file in
        guard let report = try? search.adopt(file), !report.hasFailed else { return nil }
        if !report.steps.isEmpty || !infers { return !report.steps.isEmpty }
        return (try? ProvenanceReader().report(on: file)).map { $0.inferredSource != nil }
      },
      { operand, console in
        if operand.isFound, MarkCarrier.belongsToAnother(operand.file) { return .passedOver }
        // What is inferred is written to the same file.
        let file: FileReference
        let report: AdoptionReport
        do throws(XattrError) {
          file = .held(try operand.file.held())
          report = try adopter.adopt(file)
        } catch {
          console.fail(operand.path.bytes, "cannot adopt attributes: \(error.reason)")
          return .failed
        }
        let format = AdoptionFormat(isDry: isDry, isQuiet: work.isQuiet, console: console)
        format.write(report, of: operand.path)
        var inference = AdoptionFormat.Inference.nothing
        if infers, !report.hasSource { inference = format.infer(file, after: report) }
        let isTold = !operand.mayLackSource
        if console.writesObjects { format.writeObject(report, inference, of: operand.path) }
        if inference.error != nil || report.hasFailed { return .failed }
        let isChange = report.isChange || inference.source != nil
        if report.isContradicted { return isChange ? .changedInPart : .withoutSource }
        if !isChange, isTold, report.steps.isEmpty, !work.isQuiet, !console.writesObjects {
          console.output.writeLine("\(EscapedText(operand.path.bytes)): unchanged")
        }
        return isChange ? .changed : .unchanged
      })
  }

  private static func adopt(
    _ archive: FilePath, _ arguments: Arguments, _ adopter: Adopter, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let others =
      [leave, infer, Operands.recursive, Operands.noDereference, WalkSelection.threads]
      + BulkChange.filters(.plain)
    if let other = others.first(where: arguments.has) {
      throw UsageError("--archive and --\(other.long) cannot be combined")
    }
    guard arguments.operands.count == 1, let root = FilePath(bytes: arguments.operands[0]) else {
      throw UsageError("--archive takes one directory, into which FILE was extracted")
    }
    let format = AdoptionFormat(
      isDry: arguments.has(dryRun), isQuiet: arguments.has(BulkChange.quiet), console: console)
    let limit = try WorkLimit.given(by: limit, in: arguments)
    return ArchiveAdoption(adopter: adopter, format: format, limit: limit)
      .adopt(archive, below: root)
  }

  private static let manual = ManualText(
    """
    These are converted, in this order: streams that Samba keeps as attributes
    (user.DosStream.NAME:$DATA) where NAME is a mark of origin or begins with com.apple., without
    the NUL that Samba appends to each; attributes that the kernel shows of a Mac file system
    (osx.NAME), which are kept; files called FILE:NAME, as copying from NTFS leaves them; attributes
    that Netatalk keeps below .AppleDouble; and all attributes of the AppleDouble file ._FILE, or of
    the one below the nearest folder __MACOSX in the directory of FILE or above. They become
    user.NAME, and Finder information becomes user.com.apple.FinderInfo. A NUL after the property
    list in a native attribute is removed as well.

    A carrier, which is any of these streams and files, is removed only after all of its content has
    been written to attributes of the file, read back, and stored on disk; a folder __MACOSX is
    removed once it is empty. If the work is interrupted, no attribute is lost, and repeating the
    command completes it. A carrier is kept if it holds more than attributes can (a resource fork, a
    value over 65536 bytes, attribute names that control file systems) or more than docsource
    understands (an AppleDouble file with content outside its entries), if it has attributes of its
    own other than marks, if it cannot be read, if it belongs to a user other than the owner of
    FILE, you or root, or if it contradicts FILE. Marks of a carrier itself, such as
    user.xdg.origin.url on ._FILE, are removed with the carrier.

    If FILE has an attribute with a different value, --keep says which value counts, as in dot_clean
    of macOS: native, the value of FILE; dotbar, the value of the carrier; mostrecent, the value of
    the carrier if it was written after FILE, otherwise the value of FILE. Without --keep, both are
    kept, as they are with mostrecent if it is unknown when the carrier was written, for example
    with Samba's streams and archives. Carriers that contradict each other are kept with dotbar and
    mostrecent, since neither says which of the carriers counts; with native and without --keep, a
    FILE without a value gets the value of the first carrier.

    Samba and Netatalk no longer find attributes that were adopted. Use --leave for files that they
    still serve.

    With --infer, a file without a document source gets one from user.creator, or from the program
    that the macOS quarantine names, as the identifier if it has the form of one, otherwise as the
    name.

    With --archive, DIR is a directory into which that zip or tar was extracted by a program that
    dropped attributes. Attributes in the archive, in AppleDouble files or in pax headers
    (SCHILY.xattr., LIBARCHIVE.xattr.), are written to the files below DIR by their paths in the
    archive; of the attributes of Linux only user.NAME. No symbolic link is followed, no path leads
    out of DIR, and nothing is extracted. docsource-archive reads the archive with libarchive, in a
    sandboxed process, and accepts at most 64 MiB of attributes. A file that is missing below DIR is
    reported.

    A compressed tar of a few KiB can hold gigabytes, all of which must be unpacked to find what
    follows them. For this reason at most 256 MiB are unpacked, in at most 10 seconds of processor
    time; attributes found until then are written to the files. Data that is skipped without being
    unpacked, in a zip or in an uncompressed tar, does not count; data that was compressed twice
    counts twice. \(WorkLimit.manual)

    With --recursive, files and directories below a directory are processed, except those that
    docsource(1) says are left out; carriers themselves are not processed, and symbolic links are
    not followed. A carrier whose file is missing, or is a
    symbolic link, FIFO, socket or device, is kept and reported. Filters apply to the
    document source that a file has before the conversion.

    \(BulkChange.manual)

    \(ChangeObject.manual) The outcome is changed, unchanged or failed. source is the value that
    --infer has found, as in docsource-show(1). steps is an array with an object for each carrier:
    carrier and form, as in docsource-trace(1); isRemoved, true if the carrier is removed; written,
    contradicted, disputed and discarded, the attributes that were written, that have a different
    value in the file or in another carrier, and whose value in the carrier was given up, each with
    carrier; remainder, what else the carrier holds; isForeign, if it belongs to another user;
    isOrphaned, if its file is missing or special; and errors. flaws are carriers that could not be read.
    """,
    exitStatus: [
      .noSource: """
      Some carrier contradicts its file and was kept, or the archive holds no attributes.
      """,
      .failed: BulkChange.failuresWithDirectories,
    ],
    seeAlso: ["docsource-trace(1)", "docsource-strip(1)"])
}

extension AdoptionFormat {
  /// Gives a file without a document source the one that its other marks tell.
  ///
  /// What cannot be written is said.
  fileprivate func infer(_ file: FileReference, after adoption: AdoptionReport) -> Inference {
    do {
      let present = try ProvenanceReader().report(on: file)
      let report = isDry ? present.following(adoption) : present
      guard let source = report.inferredSource else { return .nothing }
      let attribute = DocumentSourceAttribute(of: file)
      let plan = try attribute.plan(SourceChange(to: source))
      if isDry { try attribute.rehearse(plan) } else { try attribute.write(plan) }
      if !isQuiet, !console.writesObjects {
        let summary = EscapedText(SourceText.summary(source))
        say(file.path, "\(isDry ? "would infer" : "inferred"): \(summary)")
      }
      return .written(source)
    } catch let error as DocumentSourceError {
      return failed(file, error.message + error.remedy.words)
    } catch let error as XattrError {
      return failed(file, "cannot read marks of origin: \(error.reason)")
    } catch {
      return failed(file, "\(error)")
    }
  }

  private func failed(_ file: FileReference, _ message: String) -> Inference {
    console.report(file.path.bytes, EscapedText(message).description)
    return .failed(message)
  }
}
