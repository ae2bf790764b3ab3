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
    "raw", value: "CARRIER", kind: .mark, help: "print the raw bytes of the mark in CARRIER")
  private static let noRecent = OptionDeclaration(
    "no-recent", help: "ignore the desktop's list of recently used files")

  private static let noRecords = OptionDeclaration(
    RecordSearch.noRecords.long, help: "ignore what other programs record of files")
  private static let all = OptionDeclaration(
    "all", help: "as --records and --embedded together, in the order of time")
  private static let records = OptionDeclaration(
    "records", help: "with --recursive, search the records of other programs, too")

  static let answerOfFailure: JSONFields? = ["origin": .null]

  static let verb = "trace"
  static let declaration = CommandDeclaration(
    name: verb, summary: "show all marks that say where a file came from", operands: "FILE...",
    details: """
      Reads the document source in every form, AppleDouble files, streams, and the marks of macOS,
      Windows, download programs and the desktop. Prints a short answer, then each mark with its
      value, its location and how far to trust it, then contradictions. With --recursive, prints a
      line for each file that has marks, and the number of files from each application and host.
      """,
    options: [
      json, raw, noRecent, records, noRecords, PackageSearch.verify, ContentSearch.embedded,
      ContentSearch.noEmbedded, all, Operands.recursive,
      Operands.noDereference,
      WalkSelection.threads,
      TerminalStyle.option, FileList.option,
    ],
    filters: WalkSelection.choosing,
    examples: [
      "docsource trace report.pdf",
      "docsource trace --raw user.com.apple.quarantine report.pdf",
    ],
    manual: ManualText(Manual.trace))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let operands = try Operands(arguments)
    if arguments.has(raw) {
      guard !arguments.has(json) else { throw UsageError("--json and --raw cannot be combined") }
      guard !operands.areSeveral else { throw UsageError("--raw takes one file") }
    }
    let selection = try WalkSelection(
      arguments, reach: .documents, kinds: .filesAndDirectories)
    console.isStyled = try TerminalStyle.isWanted(arguments, on: console.output)
    var status = ExitStatus.done
    var recent: RecentFiles?
    if !arguments.has(noRecent) {
      switch RecentList.read(console) {
      case .read(let files): recent = files
      case .missing: break
      case .failed: status = .failed
      }
    }
    let wantsRecords = try Self.wantsRecords(arguments, operands)
    let records =
      wantsRecords ? RecordSearch(ofOneFile: !operands.areSeveral, wantsDesktop: true) : nil
    let packages =
      wantsRecords
      ? PackageSearch(
        below: operands.isRecursive ? operands.paths : [],
        verifies: arguments.has(PackageSearch.verify))
      : nil
    let repositories =
      wantsRecords ? RepositorySearch(below: operands.isRecursive ? operands.paths : []) : nil
    let content = try ContentSearch.wanted(
      arguments, by: ContentSearch.embedded, orAlso: arguments.has(all),
      isRecursive: operands.isRecursive)
    /// Has several programs answer at the same time.
    @Sendable func prepare(_ file: PackagedFile) {
      packages?.prepare(for: file)
      repositories?.prepare(for: file.path, isDirectory: file.isDirectory)
    }
    func makeReader(_ content: ProvenanceReader.ContentFinder?) -> ProvenanceReader {
      ProvenanceReader(
        recent: recent, download: records?.download, desktop: records?.desktop, content: content,
        packages: packages?.records, repository: repositories?.record,
        prepare: operands.areSeveral ? nil : prepare, files: Operands.count(of: arguments))
    }
    let reader = makeReader(content?.origin)
    let withLife = arguments.has(all)
    let format: TraceFormat =
      arguments.has(json) ? .json(withLife: withLife) : withLife ? .life : .block
    let traced =
      if let carrier = arguments.bytes(raw) {
        operands.run { operand in
          // Most marks are read without exiftool.
          let readers = content == nil ? [reader] : [makeReader(nil), reader]
          return write(carrier, of: operand, readers, console)
        }
      } else if operands.isRecursive {
        traceBelow(operands, selection, arguments, reader, console)
      } else {
        operands.run { operand in
          trace(operand, .heldMarks, format, reader, console).status
        }
      }
    return status.combined(with: traced).combined(with: records?.finish(console) ?? .done)
      .combined(
        with: packages?.finish(console, isUnanswered: records?.isUnanswered ?? false) ?? .done
      )
      .combined(with: repositories?.finish(console) ?? .done)
      .combined(
        with: content?.finish(console, isMissed: traced != .done, hasObjects: true) ?? .done)
  }

  /// Whether records of downloads and packages are searched: below directories only if that is asked for,
  /// since it takes longer than reading the marks.
  private static func wantsRecords(
    _ arguments: Arguments, _ operands: Operands
  ) throws(UsageError) -> Bool {
    let asking = [records, PackageSearch.verify].first(where: arguments.has)
    if let asking, arguments.has(noRecords) {
      throw UsageError("--\(asking.long) and --no-records cannot be combined")
    }
    let isWanted = !operands.isRecursive || asking != nil || arguments.has(all)
    return isWanted && !arguments.has(noRecords)
  }

  /// Traces what operands name and what is below, on several threads.
  private static func traceBelow(
    _ operands: Operands, _ selection: WalkSelection, _ arguments: Arguments,
    _ reader: ProvenanceReader, _ console: Console
  ) -> ExitStatus {
    let format: TraceFormat =
      arguments.has(json) ? .json(withLife: arguments.has(all)) : .line
    let carriers = CarrierChoice(operands)
    // A life has the time of the last change.
    let isByEntry = !arguments.has(all)
    let (status, tally) = BulkWalk(selection: selection).forEach(
      operands.paths, links: operands.links, console,
      operand: { (tally: inout TraceTally, operand, console) in
        trace(operand, carriers, format, reader, &tally.summary, console)
      },
      entry: { block, entry, named in
        if isByEntry, entry.mayBeTakenByName,
          let report = reader.report(on: entry, &block.tally.latest)
        {
          block.tally.summary.count(report)
          return write(report, mayLackSource: true, format, block.console)
        }
        let operand = Operands.Operand(entry, named)
        return trace(
          operand, carriers, format, reader, &block.tally.summary, block.console)
      })
    let summary = tally.summary
    if format.isJSON { summary.writeJSON(console) } else { summary.write(console) }
    return status == .done && summary.marked == 0 ? .negative : status
  }

  private static func trace(
    _ operand: Operands.Operand, _ carriers: CarrierChoice, _ format: TraceFormat,
    _ reader: ProvenanceReader, _ summary: inout OriginSummary, _ console: Console
  ) -> ExitStatus {
    if Leftover.isReported(operand, console) { return .failed }
    let isCarrier = operand.isFound && MarkCarrier.isCarrier(operand.path)
    let isLeft = isCarrier && carriers.isLeft(operand)
    let (status, report) = trace(
      operand, isLeft ? .ownMarks : .heldMarks, format, reader, console)
    if let report, !isCarrier || !report.marks.isEmpty { summary.count(report) }
    return status
  }

  /// - Returns: no report where nothing of the file can be read.
  private static func trace(
    _ operand: Operands.Operand, _ reach: ProvenanceReader.Reach, _ format: TraceFormat,
    _ reader: ProvenanceReader, _ console: Console
  ) -> (status: ExitStatus, report: ProvenanceReport?) {
    guard let report = report(on: operand, reach, reader, console) else { return (.failed, nil) }
    return (write(report, mayLackSource: operand.mayLackSource, format, console), report)
  }

  private static func write(
    _ report: ProvenanceReport, mayLackSource: Bool, _ format: TraceFormat, _ console: Console
  ) -> ExitStatus {
    var status = report.isIncomplete ? ExitStatus.failed : .done
    if report.marks.isEmpty, !mayLackSource { status = status.combined(with: .negative) }
    if !report.marks.isEmpty || !report.flaws.isEmpty {
      format.write(report, console)
    } else if !mayLackSource {
      if format.isJSON { format.write(report, console) }
      console.report(report.file.bytes, "no mark of origin")
    }
    return status
  }

  private static func report(
    on operand: Operands.Operand, _ reach: ProvenanceReader.Reach,
    _ reader: ProvenanceReader, _ console: Console
  ) -> ProvenanceReport? {
    do throws(XattrError) {
      return try reader.report(on: operand.file, reach)
    } catch {
      console.fail(operand.path.bytes, "cannot read marks of origin: \(error.reason)")
      return nil
    }
  }

  /// - Parameter readers: asked one after the other until there is such a mark.
  private static func write(
    _ carrier: [UInt8], of operand: Operands.Operand, _ readers: [ProvenanceReader],
    _ console: Console
  ) -> ExitStatus {
    var marks: [Mark] = []
    var mark: Mark?
    for reader in readers where mark == nil {
      guard let report = report(on: operand, .heldMarks, reader, console) else { return .failed }
      marks = report.marks
      // Names with invisible characters are typed as they are shown.
      mark =
        marks.first { $0.carrier.name == carrier }
        ?? marks.first { EscapedText($0.carrier.name).description.utf8.elementsEqual(carrier) }
    }
    guard let mark else {
      let names = marks.map(\.carrier.description)
      let near = Spelling.nearest(to: String(decoding: carrier, as: UTF8.self), among: names)
      let hint =
        near.map { "did you mean '\(EscapedText($0))'?" } ?? "'docsource trace' lists all marks"
      console.report(
        operand.path.bytes, "no mark in '\(EscapedText(carrier))'; \(hint)")
      return .negative
    }
    if case .unreadable(let reason) = mark.content {
      console.report(operand.path.bytes, "cannot read \(EscapedText(carrier)): \(reason)")
      return .failed
    }
    console.output.write(mark.bytes)
    return .done
  }
}

/// What one thread of a trace counts, and what it knows of the file before.
private struct TraceTally: BulkTally {
  var summary = OriginSummary()
  var latest = LatestMarks()

  mutating func add(_ other: TraceTally) { summary.add(other.summary) }
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
      return failed(file, "larger than \(limit >> 20) MiB, or no longer there", console)
    }
    do {
      let arguments = [Array("recently-used".utf8), Array(file.path.bytes)]
      let ending = try CompanionProgram.xml.start(arguments, input: bytes).wait()
      // If it failed, the program has reported what is wrong.
      console.passOn(ending.errors)
      guard ending.status == .done else { return .failed }
      guard let files = try RecentFiles(binary: ending.output) else {
        return failed(file, "docsource-xml has a different version", console)
      }
      return .read(files)
    } catch {
      return failed(file, "\(error)", console)
    }
  }

  private static func failed(
    _ file: InstalledFile, _ reason: String, _ console: Console
  ) -> Outcome {
    console.fail(file.path.bytes, "cannot read: \(reason)")
    return .failed
  }
}

/// Points to `trace` where a file has no document source, but other marks of origin.
enum TraceHint {
  private static let reader = ProvenanceReader(files: 1)

  /// Says how many files may be asked about.
  static func expect(_ files: Int) { reader.expect(files) }

  /// Words that follow those about the missing document source; empty where the file has no other
  /// mark that can be read.
  ///
  /// - Parameter isBare: whether it is known already that the file has no attribute but those of the
  ///   system.
  /// - Parameter hint: words that come before, which are asked for only if the file is not known to be a
  ///   regular one without marks.
  static func words(
    for file: FileReference, isBare: Bool = false, after hint: () -> String = { "" }
  ) -> String {
    if reader.isKnownUnmarked(file, isBare: isBare) { return "" }
    return hint() + otherMarks(of: file)
  }

  private static func otherMarks(of file: FileReference) -> String {
    guard let report = try? reader.report(on: file),
      report.marks.contains(where: { $0.value != nil })
    else { return "" }
    return "; 'docsource trace' shows its other marks"
  }
}
