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
    "force", short: "f", help: "overwrite existing marks that differ")
  private static let dryRun = OptionDeclaration(
    "dry-run", short: "n", help: "show what would be written without writing anything")

  static let answerOfFailure = ChangeObject.ofFailure

  static let verb = "emit"
  static let declaration = CommandDeclaration(
    name: verb, summary: "write marks of origin for macOS, Windows and desktops",
    operands: "FILE...",
    details: """
      An AppleDouble file beside FILE holds attributes for Macs on a disk that stores none; desktops
      read the user.xdg attributes, and Windows reads the zone of a file on NTFS. Existing marks
      that differ are not overwritten.
      """,
    options: [
      appleDouble, xdg, zone, force, Operands.noDereference, dryRun, BulkChange.quiet,
      BulkChange.json, FileList.option,
    ],
    examples: [
      "docsource emit --apple-double letter.txt",
      "docsource emit --xdg --zone download.pdf",
    ],
    manual: ManualText(Manual.emit))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let forms = [(appleDouble, MarkEmitter.Format.appleDouble), (xdg, .xdg), (zone, .zone)]
      .filter { arguments.has($0.0) }.map(\.1)
    guard !forms.isEmpty else { throw UsageError("give --apple-double, --xdg or --zone") }
    let emitter = MarkEmitter(
      overwrites: arguments.has(force), isDry: arguments.has(dryRun),
      reader: ProvenanceReader())
    let format = EmissionFormat(
      isDry: arguments.has(dryRun), isQuiet: arguments.has(BulkChange.quiet), console: console)
    return try Operands(arguments).run { operand in
      var status = ExitStatus.done
      do throws(XattrError) {
        for form in forms {
          let steps = try emitter.emit(form, of: operand.file)
          status = status.combined(with: format.write(steps, form, of: operand.path))
        }
        return status
      } catch {
        // What cannot be read for one form cannot be read for the next.
        console.fail(operand.path.bytes, "cannot read marks of origin: \(error.reason)")
        return .failed
      }
    }
  }
}

/// How `emit` tells what became of a file's marks.
private struct EmissionFormat {
  let isDry: Bool
  let isQuiet: Bool
  let console: Console

  /// - Returns: the gravest status.
  func write(_ steps: [EmissionStep], _ form: MarkEmitter.Format, of path: FilePath) -> ExitStatus {
    guard !steps.isEmpty else {
      let reason = "no mark that can be written as \(Self.name(form))"
      if console.writesObjects, !isQuiet {
        ChangeObject(.unchanged, isDry: isDry, ["reason": .text(reason)])
          .write(of: path.bytes, console)
      }
      console.report(path.bytes, reason)
      return .negative
    }
    return steps.reduce(.done) { $0.combined(with: write($1, of: path)) }
  }

  private func write(_ step: EmissionStep, of path: FilePath) -> ExitStatus {
    let target = EscapedText(step.target)
    switch step.outcome {
    case .written: say(path, "\(isDry ? "would write" : "wrote"): \(target)", .changed, step)
    case .unchanged: say(path, "unchanged: \(target)", .unchanged, step)
    case .refused:
      fail(path, step) { "\($0) already has a different value; use --force to overwrite it" }
      return .failed
    case .failed(let reason):
      fail(path, step) { "cannot write \($0): \(EscapedText(reason))" }
      return .failed
    }
    return .done
  }

  private func say(
    _ path: FilePath, _ words: String, _ outcome: ChangeObject.Outcome, _ step: EmissionStep
  ) {
    if isQuiet { return }
    if console.writesObjects {
      ChangeObject(outcome, isDry: isDry, ["carrier": .path(step.target)]).write(
        of: path.bytes, console)
    } else {
      console.output.writeLine("\(EscapedText(path.bytes)): \(words)")
    }
  }

  /// - Parameter words: the message with the target's name, which only people get escaped.
  private func fail(_ path: FilePath, _ step: EmissionStep, _ words: (String) -> String) {
    if console.writesObjects {
      let error = words(String(decoding: step.target, as: UTF8.self))
      ChangeObject(
        .failed, isDry: isDry, ["carrier": .path(step.target), "error": .text(error)]
      ).write(of: path.bytes, console)
    }
    console.report(path.bytes, words(EscapedText(step.target).description))
  }

  private static func name(_ form: MarkEmitter.Format) -> String {
    switch form {
    case .appleDouble: "an AppleDouble file"
    case .xdg: "a user.xdg attribute"
    case .zone: "a Zone.Identifier"
    }
  }
}
