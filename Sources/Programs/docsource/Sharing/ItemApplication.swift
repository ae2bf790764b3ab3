import CommandLineInterface
import DocumentSource
import LinuxSystem
import Provenance
import ShareItem
import TextFormats
import Xattr

/// Writes what a share item says onto files, and tells what became of each attribute: the work of
/// `item apply` and `link apply`.
struct ItemApplication {
  static let source = OptionDeclaration(
    "source", help: "also record the app as the document source")
  static let force = OptionDeclaration(
    "force", short: "f", help: "overwrite values that differ")
  static let options = [
    source, force, Operands.noDereference, BulkChange.dryRun, BulkChange.quiet, BulkChange.json,
    FileList.option,
  ]

  private let item: ShareItem
  private let writer: ItemWriter
  /// The app, by its identifier; only a link has one.
  private let identifier: String?
  private let recordsSource: Bool
  private let isDry: Bool
  private let isQuiet: Bool

  /// - Parameter name: of the item, for messages.
  /// - Returns: `nil` after reporting that nothing can be written of the item.
  init?(
    _ item: ShareItem, named name: ArraySlice<UInt8>, identifier: String? = nil,
    contentText: ShareItem.ContentTextNote = .description, includesMediaType: Bool = false,
    _ arguments: Arguments, _ console: Console
  ) {
    self.item = item
    self.identifier = identifier
    recordsSource = arguments.has(Self.source)
    isDry = arguments.has(BulkChange.dryRun)
    isQuiet = arguments.has(BulkChange.quiet)
    do throws(ItemFailure) {
      writer = try ItemWriter(
        item, contentText: contentText, includesMediaType: includesMediaType,
        overwrites: arguments.has(Self.force), isDry: isDry)
    } catch {
      console.fail(name, "cannot write share item: \(error)")
      return nil
    }
    for loss in writer.losses { console.report(name, "warning: \(EscapedText("\(loss)"))") }
  }

  /// Works on the files that operands name.
  func run(_ operands: Operands, _ console: Console) -> ExitStatus {
    let hasSource = recordsSource && (identifier ?? item.referrer.appName) != nil
    guard !writer.isEmpty || hasSource else {
      console.say("the item says nothing that can be written")
      return .noSource
    }
    return operands.run { operand in
      do throws(XattrError) {
        var steps = try writer.apply(to: operand.file)
        if recordsSource, let step = recordSource(of: operand) { steps.append(step) }
        return steps.reduce(.done) { $0.combined(with: tell($1, operand.path, console)) }
      } catch {
        console.fail(operand.path.bytes, "cannot write share item: \(error.reason)")
        return .failed
      }
    }
  }

  private func recordSource(of operand: Operands.Operand) -> EmissionStep? {
    // A link names its app by the identifier alone.
    let name = identifier == nil ? item.referrer.appName : nil
    return writer.recordSource(
      identifier: identifier, name: name, of: operand.file, converting: XMLValue.binary)
  }

  private func tell(_ step: EmissionStep, _ path: FilePath, _ console: Console) -> ExitStatus {
    let target = String(decoding: step.target, as: UTF8.self)
    let carrier = JSONText.path(step.target[...], key: "carrier")
    func say(_ words: String, _ outcome: ChangeObject.Outcome) {
      if isQuiet { return }
      if console.writesObjects {
        ChangeObject(outcome, isDry: isDry, carrier).write(of: path.bytes, console)
      } else {
        console.output.writeLine("\(EscapedText(path.bytes)): \(words): \(target)")
      }
    }
    func fail(_ words: String) -> ExitStatus {
      if console.writesObjects {
        ChangeObject(.failed, isDry: isDry, carrier + JSONText.member("error", words))
          .write(of: path.bytes, console)
      }
      console.report(path.bytes, "\(EscapedText(words))")
      return .failed
    }
    switch step.outcome {
    case .written: say(isDry ? "would write" : "wrote", .changed)
    case .unchanged: say("unchanged", .unchanged)
    case .refused:
      return fail("\(target) already has a different value; use --force to overwrite it")
    case .failed(let reason): return fail("cannot write \(target): \(reason)")
    }
    return .done
  }
}
