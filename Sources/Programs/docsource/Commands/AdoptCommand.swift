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
    "archive", value: "FILE",
    help: "apply attributes in a zip or tar to DIR, into which you have extracted it")
  private static let limit = WorkLimit.option("unpack at most SIZE")
  private static let leave = OptionDeclaration(
    "leave", help: "keep the other forms after converting them")
  private static let infer = OptionDeclaration(
    "infer",
    help: "infer a missing source and URL from marks and records")
  private static let embedded = OptionDeclaration(
    "embedded", help: "with --recursive, infer from the content, too")
  private static let dryRun = OptionDeclaration(
    "dry-run", short: "n", help: "show what would be done without changing anything")

  static let answerOfFailure = ChangeObject.ofFailure

  static let verb = "adopt"
  static let declaration = CommandDeclaration(
    name: verb, summary: "convert marks of macOS, Windows and Samba to Linux attributes",
    operands: "FILE...",
    details: """
      Converts the attributes of a file that AppleDouble files (._FILE, also below __MACOSX), Samba,
      Netatalk and NTFS hold, then removes these forms. What attributes cannot hold, or what contradicts
      the file, is kept.
      """,
    options: [
      archive, limit, keep, leave, infer, RecordSearch.noRecords, embedded,
      ContentSearch.noEmbedded, Operands.recursive, Operands.noDereference, dryRun, FileList.option,
      BulkChange.quiet, BulkChange.json, WalkSelection.threads,
    ],
    filters: BulkChange.filters(.plain),
    examples: [
      "docsource adopt -r --dry-run ~/stick",
      "docsource adopt --archive site.zip site",
    ],
    manual: ManualText(Manual.adopt))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let isDry = arguments.has(dryRun)
    let infers = arguments.has(infer)
    let files = Operands.count(of: arguments)
    let adopter = Adopter(
      preference: try arguments.choice(keep).flatMap(Adopter.Preference.init),
      keepsCarriers: arguments.has(leave), isDry: isDry, in: MarkCarrier.Scope(arguments),
      files: files)
    if let archive = arguments.bytes(archive).flatMap({ FilePath(bytes: $0) }) {
      return try adopt(archive, arguments, adopter, console)
    }
    if arguments.has(limit) { throw UsageError("--limit requires --archive") }
    let downloads =
      infers && !arguments.has(RecordSearch.noRecords)
      ? RecordSearch(ofOneFile: try !Operands(arguments).areSeveral) : nil
    let content = try contentSearch(arguments)
    let reader = ProvenanceReader(
      download: downloads?.download, content: content?.origin, files: files)
    // What --recursive would find, which does not read content by itself.
    let plain = ProvenanceReader(download: downloads?.download, files: files)
    guard
      let work = try BulkChange(
        arguments, .plain, reach: .documents, kinds: .filesAndDirectories, console)
    else { return .failed }
    let done = isDry ? "would be changed" : "changed"
    let isQuiet = work.isQuiet
    let search = Adopter(
      keepsCarriers: arguments.has(leave), isDry: true, files: files)
    let status = work.run(
      "adopting", done: done, console, mayVanish: MarkCarrier.isCarrier,
      concerns: { file in
        guard let report = try? search.adopt(file), !report.hasFailed else { return nil }
        if !report.steps.isEmpty || !infers { return !report.steps.isEmpty }
        return (try? plain.report(on: file)).map {
          $0.inferredSource != nil || $0.inferredURL != nil
        }
      },
      { operand, console in
        if operand.isFound, adopter.belongsToAnother(operand.file) { return .passedOver }
        // What is inferred is written to the same file.
        let file: FileReference
        let begun: BegunAdoption
        do throws(XattrError) {
          file = .held(try adopter.hold(operand.file))
          // An inference reads what the file has by then.
          begun = try infers ? .done(adopter.adopt(file)) : adopter.begin(file)
        } catch {
          console.fail(operand.path.bytes, "cannot adopt attributes: \(error.reason)")
          return .failed
        }
        func end(_ report: AdoptionReport, _ console: Console) -> BulkChange.Outcome {
          let format = AdoptionFormat(isDry: isDry, isQuiet: isQuiet, console: console)
          format.write(report, of: operand.path)
          let inference =
            infers ? format.infer(file, after: report, reader) : AdoptionFormat.Inference()
          let isReported = !operand.mayLackSource
          if console.writesObjects { format.writeObject(report, inference, of: operand.path) }
          if inference.error != nil || report.hasFailed { return .failed }
          let isChange = report.isChange || inference.isChange
          if report.isContradicted { return isChange ? .changedInPart : .contradicted }
          if !isChange, isReported, report.steps.isEmpty, !isQuiet, !console.writesObjects {
            console.output.writeLine("\(EscapedText(operand.path.bytes)): unchanged")
            if !operand.isWalkedDirectory { hint(operand.path, console) }
          }
          return isChange ? .changed : .unchanged
        }
        return switch begun {
        case .done(let report): end(report, console)
        case .pending(let adoption):
          .pending(
            BulkChange.PendingChange(adoption.file) { failure, console in
              end(adoption.complete(failure), console)
            })
        }
      })
    return status.combined(with: downloads?.finish(console) ?? .done)
      .combined(
        with: content?.finish(console, isMissed: status != .done, hasObjects: true) ?? .done)
  }

  /// The search in the content: below directories only if that is asked for, since exiftool takes some
  /// milliseconds for each file.
  private static func contentSearch(_ arguments: Arguments) throws(UsageError) -> ContentSearch? {
    guard arguments.has(infer) else {
      if arguments.has(embedded) { throw UsageError("--embedded requires --infer") }
      return nil
    }
    let isRecursive = arguments.has(Operands.recursive)
    return try ContentSearch.wanted(arguments, by: embedded, isRecursive: isRecursive)
  }

  /// Says how the attributes in an archive are adopted.
  private static func hint(_ path: FilePath, _ console: Console) {
    let name = String(decoding: path.lastComponent, as: UTF8.self).lowercased()
    guard archiveEndings.contains(where: name.hasSuffix) else { return }
    console.report(
      path.bytes,
      "for the attributes in it, extract it to DIR, then use 'docsource adopt --archive"
        + " \(EscapedText(word: Array(path.bytes))) DIR'")
  }

  private static let archiveEndings = [
    ".zip", ".tar", ".tgz", ".tbz", ".txz", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst",
  ]

  private static func adopt(
    _ archive: FilePath, _ arguments: Arguments, _ adopter: Adopter, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let others =
      [
        leave, infer, RecordSearch.noRecords, embedded, ContentSearch.noEmbedded,
        Operands.recursive, Operands.noDereference, WalkSelection.threads,
      ]
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
}

extension AdoptionFormat {
  /// Gives a file without a document source the one that its other marks tell, and a file without an
  /// address that of its download.
  ///
  /// What cannot be written is said.
  fileprivate func infer(
    _ file: FileReference, after adoption: AdoptionReport, _ reader: ProvenanceReader
  ) -> Inference {
    var inference = Inference()
    do {
      let present = try reader.report(on: file)
      let report = isDry ? present.following(adoption) : present
      if !adoption.hasSource, let source = report.inferredSource {
        let attribute = DocumentSourceAttribute(of: file)
        let plan = try attribute.plan(SourceChange(to: source))
        if isDry { try attribute.preflight(plan) } else { try attribute.write(plan) }
        inference.source = source
      }
      if let url = report.inferredURL {
        switch MarkEmitter(isDry: isDry).emit(origin: url, of: file).outcome {
        case .written: inference.url = url
        case .unchanged, .refused: break
        case .failed(let reason): throw OriginFailure(description: reason)
        }
      }
    } catch let error as DocumentSourceError {
      inference.error = error.message + error.remedy.words
    } catch let error as XattrError {
      inference.error = "cannot read marks of origin: \(error.reason)"
    } catch {
      inference.error = "cannot write the URL of the download: \(error)"
    }
    say(inference, of: file.path)
    return inference
  }

  private struct OriginFailure: Error, CustomStringConvertible { let description: String }

  private func say(_ inference: Inference, of path: FilePath) {
    let parts = [
      inference.source.map(SourceText.summary),
      inference.url.map { "downloaded from \(EscapedText(quoting: $0))" },
    ].compactMap(\.self)
    if !parts.isEmpty, !isQuiet, !console.writesObjects {
      let words = EscapedText(parts.joined(separator: ", "))
      say(path, "\(isDry ? "would infer" : "inferred"): \(words)")
    }
    if let error = inference.error { console.report(path.bytes, EscapedText(error).description) }
  }
}
