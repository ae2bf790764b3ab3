import CommandLineInterface
import FileTree
import ForeignFormats
import LinuxSystem
import Provenance
import Synchronization
import TextFormats
import Xattr

/// `docsource strip`: removes marks of origin before a file is given away.
enum StripCommand: Command {
  private static let keep = OptionDeclaration(
    "keep", value: "KIND", choices: MarkGroup.allCases.map(\.rawValue), repeats: true,
    help: "keep marks of KIND")
  private static let only = OptionDeclaration(
    "only", value: "KIND", choices: MarkGroup.allCases.map(\.rawValue), repeats: true,
    help: "remove only marks of KIND")
  private static let dryRun = OptionDeclaration(
    "dry-run", short: "n", help: "show what would be removed without removing anything")

  static let answerOfFailure = ChangeObject.ofFailure

  static let verb = "strip"
  static let declaration = CommandDeclaration(
    name: verb, summary: "remove marks of origin before sharing files",
    operands: "FILE...",
    details: """
      Removes all marks of FILE that 'docsource trace' shows, except those inside its content, such as the
      metadata of a photo: attributes, streams, and marks in files beside FILE. What the desktop and
      browsers have recorded is not changed, since it is not shared; the browsers' databases with such
      records are named.
      'docsource remove' removes only the document source, as --only=source does in all its forms.
      """,
    options: [
      keep, only, RecordSearch.noRecords, Operands.recursive, Operands.noDereference, dryRun,
      BulkChange.quiet, BulkChange.json, FileList.option,
      WalkSelection.threads,
    ],
    filters: BulkChange.filters(.plain),
    examples: ["docsource strip report.pdf", "docsource strip -rn --keep source outgoing"],
    manual: ManualText(Manual.strip))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let isDry = arguments.has(dryRun)
    let kept = try kept(arguments)
    let files = Operands.count(of: arguments)
    let remover = MarkRemover(
      keeping: { kept.contains(MarkGroup($0)) }, isDry: isDry, in: MarkCarrier.Scope(arguments),
      files: files)
    guard
      let work = try BulkChange(
        arguments, .plain, reach: .everything, kinds: .filesAndDirectories, console)
    else { return .failed }
    let carriers = CarrierChoice(work.operands)
    let done = isDry ? "would be stripped" : "stripped"
    let search = MarkRemover(
      keeping: { kept.contains(MarkGroup($0)) }, isDry: true, files: files)
    let remaining =
      work.isQuiet || kept.contains(.download) || arguments.has(RecordSearch.noRecords)
      ? nil : RemainingRecords(ofOneFile: !work.operands.areSeveral)
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
      let isReported = console.writesObjects || !operand.mayLackSource
      if console.writesObjects {
        writeObject(
          removal, of: path, isReported: isReported, isDry: isDry, isQuiet: work.isQuiet, console)
      } else if !work.isQuiet {
        let verb = isDry ? "would remove" : "removed"
        if !removal.removed.isEmpty {
          let names = removal.removed.map(OriginText.place).joined(separator: ", ")
          console.output.writeLine("\(EscapedText(path.bytes)): \(verb): \(names)")
        } else if removal.failures.isEmpty, isReported {
          console.output.writeLine("\(EscapedText(path.bytes)): unchanged")
        }
      }
      remaining?.look(for: operand.file)
      for failure in removal.failures { console.report(path.bytes, words(failure)) }
      guard removal.failures.isEmpty else { return .failed }
      return !removal.removed.isEmpty ? .changed : isCarrier ? .passedOver : .unchanged
    }
    let status = work.run(
      "stripping", done: done, console, mayVanish: MarkCarrier.isCarrier,
      concerns: { file in
        guard let found = try? search.remove(from: file) else { return nil }
        return !found.removed.isEmpty || !found.failures.isEmpty
      },
      // What is said of each file takes a closer look.
      remover: work.isQuiet ? remover : nil,
      { operand, console in
        if Leftover.isReported(operand, console) { return .failed }
        return carriers.isLeft(operand) ? .passedOver : strip(operand, console)
      })
    remaining?.report(console)
    return status
  }

  private static func kept(_ arguments: Arguments) throws(UsageError) -> Set<MarkGroup> {
    let chosen = Set(try arguments.choices(only).compactMap(MarkGroup.init))
    let kept = Set(try arguments.choices(keep).compactMap(MarkGroup.init))
    if chosen.isEmpty { return kept }
    guard kept.isEmpty else {
      throw UsageError("--\(keep.long) and --\(only.long) cannot be combined")
    }
    return Set(MarkGroup.allCases).subtracting(chosen)
  }

  private static func words(_ failure: MarkRemoval.Failure) -> String {
    "cannot remove \(OriginText.place(failure.carrier)): \(EscapedText(failure.reason))"
  }

  /// - Parameter isReported: whether a file without marks is reported.
  private static func writeObject(
    _ removal: MarkRemoval, of path: FilePath, isReported: Bool, isDry: Bool, isQuiet: Bool,
    _ console: Console
  ) {
    let removed: JSONFields = ["removed": ChangeObject.carriers(removal.removed)]
    guard removal.failures.isEmpty else {
      let error = removal.failures.map(words).joined(separator: "; ")
      return ChangeObject(.failed, isDry: isDry, removed + ["error": .text(error)])
        .write(of: path.bytes, console)
    }
    let isChange = !removal.removed.isEmpty
    guard !isQuiet, isChange || isReported else { return }
    ChangeObject(isChange ? .changed : .unchanged, isDry: isDry, removed)
      .write(of: path.bytes, console)
  }
}

/// The browsers' databases that still record the downloads of stripped files.
private final class RemainingRecords: Sendable {
  private let search: RecordSearch
  private let reader: ProvenanceReader
  /// By the database: one of the files, and how many there are.
  private let found = Mutex<[[UInt8]: (file: FilePath, count: Int)]>([:])

  init(ofOneFile isOfOneFile: Bool) {
    search = RecordSearch(ofOneFile: isOfOneFile)
    reader = ProvenanceReader(download: search.download, files: isOfOneFile ? 1 : .max)
  }

  func look(for file: FileReference) {
    guard let (record, match) = reader.download(of: file), match != .content else { return }
    found.withLock { found in
      let former = found[record.database]
      found[record.database] = (former?.file ?? file.path, (former?.count ?? 0) + 1)
    }
  }

  /// Names the databases, and those that could not be read, which is no failure: nothing of them is
  /// given away.
  func report(_ console: Console) {
    let found = found.withLock(\.self)
    for (database, (file, count)) in found.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) })
    {
      let others = count > 1 ? " and \(CountText.of(count - 1)) more" : ""
      console.report(
        database[...],
        "still records the download of \(EscapedText(word: Array(file.bytes)))\(others); clear the"
          + " browser's list of downloads to remove that")
    }
    search.finish(console)
  }
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
      case .creator, .metadataCreator, .applicationKey, .witness: .creator
      case .quarantine, .whereFroms, .downloadedDate, .originURL, .referrerURL,
        .shareItem, .downloadRecord, .embeddedOrigin, .searchIndex, .packageRecord,
        .repositoryRecord:
        .download
      case .zoneIdentifier: .zone
      case .userTags, .finderComment, .originSubject, .note: .notes
      case .mediaType: .type
      case .lastUsedDate, .recentUse, .activity, .portalGrant: .use
      }
  }
}
