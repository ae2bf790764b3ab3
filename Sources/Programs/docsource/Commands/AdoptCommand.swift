import CommandLineInterface
import FileTree
import LinuxSystem
import Provenance
import Xattr

/// `docsource adopt`: makes attributes native that files have in other systems' forms.
enum AdoptCommand: Command {
  private static let keep = OptionDeclaration(
    "keep", value: "WHICH", choices: Adopter.Preference.allCases.map(\.rawValue),
    help: "what counts where both say something")
  private static let archive = OptionDeclaration(
    "archive", value: "FILE", help: "apply what a zip or tar holds to DIR, extracted from it")
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
    details: [
      """
      Takes in what AppleDouble files (._FILE, also below __MACOSX), Samba, Netatalk and NTFS hold \
      of a file, and removes them once the file has it all. What no attribute can hold, such as a \
      resource fork, and what says something else than the file does, is kept.
      """
    ],
    options: [
      archive, keep, leave, infer, Operands.recursive, Operands.noDereference, dryRun,
      BulkChange.quiet, WalkSelection.threads,
    ],
    filters: BulkChange.filters(.plain),
    examples: [
      "docsource adopt -r --dry-run ~/stick",
      "docsource adopt --archive site.zip site",
    ],
    manual: manual)

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let isDry = arguments.has(dryRun)
    let infers = arguments.has(infer)
    let adopter = Adopter(
      preference: try arguments.choice(keep).flatMap(Adopter.Preference.init),
      keepsCarriers: arguments.has(leave), isDry: isDry)
    if let archive = arguments.bytes(archive).flatMap({ FilePath(bytes: $0) }) {
      return try adopt(archive, arguments, adopter, console)
    }
    let work = try BulkChange(arguments, .plain, kinds: [.files, .directories])
    let words = BulkChange.Words(
      beginning: "adopting for", done: isDry ? "would be changed" : "changed")
    return work.run(words, console, mayVanish: CarrierFile.isOne) { operand, console in
      if operand.isFound, CarrierFile.isOne(operand.path) { return .passedOver }
      let report: AdoptionReport
      do throws(XattrError) {
        report = try adopter.adopt(operand.file)
      } catch {
        console.report(operand.path.bytes, "cannot adopt attributes: \(error.reason)")
        return .failed
      }
      AdoptionFormat(isDry: isDry, isQuiet: work.isQuiet, console: console)
        .write(report, of: operand.path)
      var isChange = report.isChange
      if infers, !report.hasSource {
        let inference = SourceInference(isDry: isDry, isQuiet: work.isQuiet, console: console)
        guard let isFilled = inference.fill(operand.file) else { return .failed }
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
    _ archive: FilePath, _ arguments: ParsedArguments, _ adopter: Adopter, _ console: Console
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
    return ArchiveAdoption(adopter: adopter, format: format, console: console)
      .adopt(archive, below: root)
  }
}
