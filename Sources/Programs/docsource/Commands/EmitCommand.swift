import CommandLineInterface
import LinuxSystem
import Provenance
import Xattr

/// `docsource emit`: writes marks in the forms of other systems.
enum EmitCommand: Command {
  private static let appleDouble = OptionDeclaration(
    "apple-double", help: "write the file ._FILE that Macs read")
  private static let xdg = OptionDeclaration(
    "xdg", help: "write user.xdg.origin.url, user.xdg.referrer.url, user.creator")
  private static let zone = OptionDeclaration(
    "zone", help: "write Windows' Zone.Identifier as an attribute")
  private static let force = OptionDeclaration(
    "force", short: "f", help: "replace marks that say something else")
  private static let dryRun = OptionDeclaration(
    "dry-run", short: "n", help: "say what would be written and write nothing")

  static let verb = "emit"
  static let declaration = CommandDeclaration(
    name: verb, summary: "write marks of origin as other systems look for them",
    operands: "FILE...",
    details: [
      """
      An AppleDouble file beside FILE takes what Macs know as attributes to a disk that stores \
      none; desktops look for the user.xdg attributes, and Windows for the zone of a file on NTFS. \
      What is there and says something else is not overwritten.
      """
    ],
    options: [appleDouble, xdg, zone, force, Operands.noDereference, dryRun, BulkChange.quiet],
    examples: [
      "docsource emit --apple-double letter.txt",
      "docsource emit --xdg --zone download.pdf",
    ],
    manual: manual)

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let forms = [(appleDouble, MarkForm.appleDouble), (xdg, .xdg), (zone, .zone)]
      .filter { arguments.has($0.0) }.map(\.1)
    guard !forms.isEmpty else { throw UsageError("give --apple-double, --xdg or --zone") }
    let emitter = MarkEmitter(overwrites: arguments.has(force), isDry: arguments.has(dryRun))
    let format = EmissionFormat(
      isDry: arguments.has(dryRun), isQuiet: arguments.has(BulkChange.quiet), console: console)
    return try Operands(arguments).forEach(console) { operand in
      forms.reduce(.done) { status, form in
        do throws(XattrError) {
          let steps = try emitter.emit(form, of: operand.file)
          return status.combined(with: format.write(steps, form, of: operand.path))
        } catch {
          console.report(operand.path.bytes, "cannot read marks of origin: \(error.reason)")
          return .failed
        }
      }
    }
  }
}
