import CommandLineInterface
import FileTree
import LinuxSystem
import Provenance
import Xattr

/// `docsource trace`: every mark that says where a file came from.
enum TraceCommand: Command {
  private static let json = OptionDeclaration(
    "json", help: "one JSON object a line; exact, for programs")
  private static let raw = OptionDeclaration(
    "raw", value: "CARRIER", help: "the bytes of one mark as they are, by where it stands")
  private static let noRecent = OptionDeclaration(
    "no-recent", help: "leave out the desktop's list of recently used files")

  static let verb = "trace"
  static let declaration = CommandDeclaration(
    name: verb, summary: "tell by every mark where a file came from", operands: "FILE...",
    details: [
      """
      Reads the document source in every form, AppleDouble files, streams, and the marks of macOS, \
      Windows, browsers and the desktop: a short answer first, then each mark with what it says, \
      where it stands, and how far to trust it. What contradicts itself is told. With --recursive, \
      a line for each file that has marks, and how many came from which application and host.
      """
    ],
    options: [
      json, raw, noRecent, Operands.recursive, Operands.noDereference, WalkSelection.threads,
    ],
    examples: [
      "docsource trace report.pdf",
      "docsource trace --raw user.com.apple.quarantine report.pdf",
    ],
    manual: manual)

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let operands = try Operands(arguments)
    if arguments.has(raw) {
      guard !arguments.has(json) else { throw UsageError("--json and --raw exclude each other") }
      guard !operands.areSeveral else { throw UsageError("--raw takes one file") }
    }
    let selection = try WalkSelection(
      arguments, WalkSelection.Defaults(hidden: .visited, kinds: [.files, .directories]))
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
        operands.forEach(console) { write(carrier, of: $0, reader, console) }
      } else if operands.isRecursive {
        traceBelow(operands, selection, arguments, reader, console)
      } else {
        operands.forEach(console) { operand in
          trace(operand, arguments.has(json) ? .json : .block, reader, console).status
        }
      }
    return status.combined(with: traced)
  }

  /// Traces what operands name and what is below, on several threads.
  private static func traceBelow(
    _ operands: Operands, _ selection: WalkSelection, _ arguments: ParsedArguments,
    _ reader: ProvenanceReader, _ console: Console
  ) -> ExitStatus {
    let format: TraceFormat = arguments.has(json) ? .json : .line
    let (status, summary) = BulkWalk(selection: selection).forEach(
      operands.paths, links: operands.links, console, tally: OriginSummary.self
    ) { summary, operand, console in
      if operand.isFound, CarrierFile.isOne(operand.path) { return .done }
      let (status, report) = trace(operand, format, reader, console)
      if let report { summary.count(report) }
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
      writeNone(report, format, console)
    }
    return (status, report)
  }

  private static func writeNone(
    _ report: ProvenanceReport, _ format: TraceFormat, _ console: Console
  ) {
    if case .json = format { format.write(report, console) }
    console.report(report.file.bytes, "no mark of origin")
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
    guard let mark = report.marks.first(where: { $0.carrier.name == carrier }) else {
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
}
