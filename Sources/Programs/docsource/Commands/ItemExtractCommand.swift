import CommandLineInterface
import Handoff
import LinuxSystem
import Provenance
import ShareItem
import TextFormats

/// `docsource item extract`: makes files of an item's attachments.
enum ItemExtractCommand: Command {
  private static let activity = OptionDeclaration(
    "for", value: "ACTIVITY", help: "extract what ACTIVITY would receive")
  private static let anyPath = OptionDeclaration(
    "any-path",
    help: "accept paths that lead outside the item's directory or to something private")
  private static let force = OptionDeclaration(
    "force", short: "f", help: "replace existing files")

  static let answerOfFailure = ChangeObject.ofFailure
  static let readsStandardInput = true

  static let verb = "extract"
  static let declaration = CommandDeclaration(
    name: "item extract", summary: "write the attachments of a share item to files",
    operands: "ITEM DIR", kinds: [.file, .directory],
    details: """
      Writes each attachment to a file in DIR, with the attributes that 'item apply' writes. DIR is
      created if it is missing. Existing files are not replaced, except with --force.
      """,
    options: [
      activity, anyPath, force, ItemLimit.option, BulkChange.dryRun, BulkChange.quiet,
      BulkChange.json,
    ],
    examples: ["docsource item extract article.xei article"],
    manual: ManualText(Manual.itemExtract))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard arguments.operands.count == 2, let directory = FilePath(bytes: arguments.operands[1])
    else { throw UsageError("give an item and a directory") }
    let receiver = try ItemActivity.given(by: activity, in: arguments, console)
    let limit = try ItemLimit.given(in: arguments)
    guard let input = ItemInput.read(arguments.operands[0], limit: limit, console) else {
      return .failed
    }
    let source = InputFile.named([arguments.operands[0]]).first
    let name = source?.name ?? arguments.operands[0][...]
    var item = input.whole
    if let receiver {
      switch item.handover(to: receiver) {
      case .item(let received)?: item = received
      case .document(let document)?: item.attachments = [document]
      case .nothing?, nil: item.attachments = []
      }
    }
    for flaw in item.flaws { console.report(name, "\(EscapedText("\(flaw)"))") }
    guard !item.attachments.isEmpty else {
      console.report(name, "no attachment")
      return .negative
    }
    guard ItemLimit.allows(item, limit, to: "extract", name, console) else { return .failed }
    let payload = source?.path.map { ReplacedFile(path: $0).directory } ?? FilePath(".")
    let isDry = arguments.has(BulkChange.dryRun)
    let extraction = AttachmentExtraction(
      of: item, at: payload, allowsAnyPath: arguments.has(anyPath), replaces: arguments.has(force),
      isDry: isDry)
    var status = ExitStatus.done
    do throws(Errno) {
      try extraction.run(into: directory) { path, number, refusal in
        if let refusal {
          status = .failed
          fail(path, number, "attachment \(number): \(refusal.message)", isDry, console)
        } else if !arguments.has(BulkChange.quiet) {
          tell(path, number, isDry, console)
        }
      }
      return status
    } catch {
      console.fail(directory.bytes, "cannot create: \(error.description.lowercased())")
      return .failed
    }
  }

  private static func tell(_ path: FilePath, _ number: Int, _ isDry: Bool, _ console: Console) {
    if console.writesObjects {
      ChangeObject(.changed, isDry: isDry, ["attachment": .number(number)])
        .write(of: path.bytes, console)
    } else {
      let verb = isDry ? "would write" : "wrote"
      console.output.writeLine("\(EscapedText(path.bytes)): \(verb) attachment \(number)")
    }
  }

  private static func fail(
    _ path: FilePath, _ number: Int, _ words: String, _ isDry: Bool, _ console: Console
  ) {
    if console.writesObjects {
      ChangeObject(
        .failed, isDry: isDry, ["attachment": .number(number), "error": .text(words)]
      ).write(of: path.bytes, console)
    }
    console.report(path.bytes, "\(EscapedText(words))")
  }
}
