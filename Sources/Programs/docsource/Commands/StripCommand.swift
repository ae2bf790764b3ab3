import CommandLineInterface
import FileTree
import LinuxSystem
import Provenance
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
    details: [
      """
      All that 'docsource trace' shows goes: attributes, streams, and marks in files beside FILE; \
      an AppleDouble file that holds other things keeps those. The desktop's list of recently used \
      files stays, since it is not given away.
      """
    ],
    options: [
      keep, Operands.recursive, Operands.noDereference, dryRun, BulkChange.quiet,
      WalkSelection.threads,
    ],
    filters: BulkChange.filters(.plain),
    examples: ["docsource strip report.pdf", "docsource strip -rn --keep source outgoing"],
    manual: manual)

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let isDry = arguments.has(dryRun)
    let kept = Set(try arguments.choices(keep).compactMap(MarkGroup.init))
    let remover = MarkRemover(keeping: { kept.contains(MarkGroup($0)) }, isDry: isDry)
    let work = try BulkChange(arguments, .plain, kinds: [.files, .directories])
    let words = BulkChange.Words(
      beginning: "stripping", done: isDry ? "would be stripped" : "stripped")
    return work.run(words, console, mayVanish: CarrierFile.isOne) { operand, console in
      let path = operand.path
      if operand.isFound, CarrierFile.isOne(path) { return .passedOver }
      let removal: MarkRemoval
      do throws(XattrError) {
        removal = try remover.remove(from: operand.file)
      } catch {
        console.report(path.bytes, "cannot remove marks of origin: \(error.reason)")
        return .failed
      }
      if !work.isQuiet {
        let verb = isDry ? "would remove" : "removed"
        if !removal.removed.isEmpty {
          let names = removal.removed.map { EscapedText($0).description }.joined(separator: ", ")
          console.output.writeLine("\(EscapedText(path.bytes)): \(verb): \(names)")
        } else if removal.failures.isEmpty, !operand.mayLackSource {
          console.output.writeLine("\(EscapedText(path.bytes)): unchanged")
        }
      }
      for failure in removal.failures {
        let reason = EscapedText(failure.reason)
        console.report(path.bytes, "cannot remove \(EscapedText(failure.carrier)): \(reason)")
      }
      guard removal.failures.isEmpty else { return .failed }
      return removal.removed.isEmpty ? .unchanged : .changed
    }
  }
}
