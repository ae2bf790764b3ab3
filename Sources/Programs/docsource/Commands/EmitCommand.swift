import CommandLineInterface
import LinuxSystem
import Provenance
import TextFormats
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
    details: """
      An AppleDouble file beside FILE takes what Macs know as attributes to a disk that stores none;
      desktops look for the user.xdg attributes, and Windows for the zone of a file on NTFS. What is
      there and says something else is not overwritten.
      """,
    options: [
      appleDouble, xdg, zone, force, Operands.noDereference, dryRun, BulkChange.quiet,
      FileList.option,
    ],
    examples: [
      "docsource emit --apple-double letter.txt",
      "docsource emit --xdg --zone download.pdf",
    ],
    manual: manual)

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let forms = [(appleDouble, MarkEmitter.Format.appleDouble), (xdg, .xdg), (zone, .zone)]
      .filter { arguments.has($0.0) }.map(\.1)
    guard !forms.isEmpty else { throw UsageError("give --apple-double, --xdg or --zone") }
    let emitter = MarkEmitter(overwrites: arguments.has(force), isDry: arguments.has(dryRun))
    let format = EmissionFormat(
      isDry: arguments.has(dryRun), isQuiet: arguments.has(BulkChange.quiet), console: console)
    return try Operands(arguments).run { operand in
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

  private static let manual = ManualText(
    """
    --apple-double writes ._FILE beside FILE, which takes x-document-source, all attributes that
    begin with com.apple., and from where FILE was downloaded to a Mac. The attributes are those of
    FILE in any form; Finder information is taken from user.com.apple.FinderInfo. Copy both files to
    a disk that stores no attributes. A file that is there is written anew at once: what it holds
    besides, such as a resource fork, stays.

    --xdg writes user.xdg.origin.url and user.xdg.referrer.url, and into user.creator the
    identifier, or else the name, of the application by the document source.

    --zone writes user.Zone.Identifier, which ntfs-3g stores as the stream that Windows looks for:
    the zone that another mark tells, or the Internet's where FILE was downloaded, with its URL and
    that of the page.

    What they say comes from all marks that docsource-trace(1) shows, in its order.
    """,
    exitStatus: [
      .noSource: "Some file has no mark that could be written in a form that was asked for.",
      .failed: """
      Something could not be written, or says something else already and --force is not given. \
      The rest is done.
      """,
    ],
    seeAlso: ["docsource-trace(1)", "docsource-adopt(1)"])
}

/// How `emit` tells what became of a file's marks.
private struct EmissionFormat {
  let isDry: Bool
  let isQuiet: Bool
  let console: Console

  /// - Returns: the gravest status.
  func write(_ steps: [EmissionStep], _ form: MarkEmitter.Format, of path: FilePath) -> ExitStatus {
    guard !steps.isEmpty else {
      console.report(path.bytes, "no mark that \(Self.name(form)) could hold")
      return .noSource
    }
    return steps.reduce(.done) { $0.combined(with: write($1, of: path)) }
  }

  private func write(_ step: EmissionStep, of path: FilePath) -> ExitStatus {
    let target = EscapedText(step.target)
    switch step.outcome {
    case .written: say(path, "\(isDry ? "would write" : "wrote"): \(target)")
    case .unchanged: say(path, "unchanged: \(target)")
    case .refused:
      console.report(path.bytes, "\(target) says something else already; --force replaces it")
      return .failed
    case .failed(let reason):
      console.report(path.bytes, "cannot write \(target): \(EscapedText(reason))")
      return .failed
    }
    return .done
  }

  private func say(_ path: FilePath, _ words: String) {
    if !isQuiet { console.output.writeLine("\(EscapedText(path.bytes)): \(words)") }
  }

  private static func name(_ form: MarkEmitter.Format) -> String {
    switch form {
    case .appleDouble: "an AppleDouble file"
    case .xdg: "a user.xdg attribute"
    case .zone: "a Zone.Identifier"
    }
  }
}
