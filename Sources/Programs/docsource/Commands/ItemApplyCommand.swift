import CommandLineInterface
import DocumentSource
import LinuxSystem
import Provenance
import ShareItem
import TextFormats
import Xattr

/// `docsource item apply`: keeps with files what an item says of them.
enum ItemApplyCommand: Command {
  private static let comment = OptionDeclaration(
    "comment", help: "write the text to user.xdg.comment, not to dublincore")
  private static let mediaType = OptionDeclaration(
    "media-type", help: "also write user.mime_type")

  static let answerOfFailure = ChangeObject.ofFailure
  static let operandsBeforeFiles = 1
  static let readsStandardInput = true

  static let verb = "apply"
  static let declaration = CommandDeclaration(
    name: "item apply", summary: "write what a share item says to attributes of files",
    operands: "ITEM FILE...", kinds: [.file],
    details: """
      Writes user.x-extension-item and the attributes that other programs read, as listed in
      docsource-item(1). Existing values that differ are not overwritten. ITEM is a share item, another
      file with such attributes, or - for standard input.
      """,
    options: [comment, mediaType, ItemLimit.option] + ItemApplication.options,
    examples: [
      "docsource item apply article.xei article.html",
      "docsource item apply --dry-run --source photo.xei photo.jpg",
    ],
    manual: ManualText(Manual.itemApply))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard let name = arguments.operands.first else { throw UsageError("no item given") }
    guard arguments.operands.count > 1 else { throw UsageError("no file given") }
    guard !arguments.operands.dropFirst().contains([UInt8(ascii: "-")]) else {
      throw UsageError("only the item can be standard input; write ./- for a file of that name")
    }
    let files = arguments.with(operands: Array(arguments.operands.dropFirst()))
    let operands = try Operands(files)
    let limit = try ItemLimit.given(in: arguments)
    guard let input = ItemInput.read(name, limit: limit, console) else { return .failed }
    let shown = InputFile.named([name]).first?.name ?? name[...]
    if case .marks(let marks, _) = input, marks.isEmpty {
      console.report(shown, "no share item")
      return .negative
    }
    guard
      let work = ItemApplication(
        input.whole, named: shown, contentText: arguments.has(comment) ? .comment : .description,
        includesMediaType: arguments.has(mediaType), arguments, console)
    else { return .failed }
    return work.run(operands, console)
  }
}

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
      return .negative
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
      identifier: identifier, name: name, of: operand.file)
  }

  private func tell(_ step: EmissionStep, _ path: FilePath, _ console: Console) -> ExitStatus {
    let target = String(decoding: step.target, as: UTF8.self)
    func say(_ words: String, _ outcome: ChangeObject.Outcome) {
      if isQuiet { return }
      if console.writesObjects {
        ChangeObject(outcome, isDry: isDry, ["carrier": .path(step.target)]).write(
          of: path.bytes, console)
      } else {
        console.output.writeLine("\(EscapedText(path.bytes)): \(words): \(target)")
      }
    }
    func fail(_ words: String) -> ExitStatus {
      if console.writesObjects {
        ChangeObject(
          .failed, isDry: isDry, ["carrier": .path(step.target), "error": .text(words)]
        ).write(of: path.bytes, console)
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
