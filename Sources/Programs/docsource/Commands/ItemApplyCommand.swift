import CommandLineInterface
import LinuxSystem
import Provenance
import ShareItem

/// `docsource item apply`: keeps with files what an item says of them.
enum ItemApplyCommand: Command {
  private static let comment = OptionDeclaration(
    "comment", help: "write the text to user.xdg.comment")
  private static let mediaType = OptionDeclaration(
    "media-type", help: "also write user.mime_type")

  static let answerOfFailure = ChangeObject.ofFailure
  static let operandsBeforeFiles = 1
  static let readsStandardInput = true

  static let verb = "apply"
  static let declaration = CommandDeclaration(
    name: "item apply", summary: "write what a share item says onto files",
    operands: "ITEM FILE...", kinds: [.file],
    details: """
      Writes user.x-extension-item and the attributes that other programs read, as listed in
      docsource-item(1). Existing values that differ are not overwritten. ITEM is a share item, another
      file with such attributes, or - for standard input.
      """,
    options: [comment, mediaType] + ItemApplication.options,
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
    guard let input = ItemInput.read(name, console) else { return .failed }
    let shown = InputFile.named([name]).first?.name ?? name[...]
    if case .marks(let marks, _) = input, marks.isEmpty {
      console.report(shown, "no share item")
      return .noSource
    }
    guard
      let work = ItemApplication(
        input.handedOn, named: shown, contentText: arguments.has(comment) ? .comment : .description,
        includesMediaType: arguments.has(mediaType), arguments, console)
    else { return .failed }
    return work.run(operands, console)
  }
}
