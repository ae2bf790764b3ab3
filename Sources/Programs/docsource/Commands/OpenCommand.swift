import Applications
import CommandLineInterface
import CompanionProtocol
import DocumentSource
import FileTree
import Glibc
import Handoff
import LinuxSystem
import TextFormats

/// `docsource open`: opens files, also in the application that they came from.
enum OpenCommand: Command {
  private static let source = OptionDeclaration(
    "source", short: "s", help: "open in the application that FILE came from")
  private static let with = OptionDeclaration(
    "with", value: "APP", kind: .identifier, help: "open in APP, an identifier or a name")
  private static let list = OptionDeclaration(
    "list", short: "l", help: "list the applications that open all FILEs instead")
  private static let all = OptionDeclaration(
    "all", help: "with --list: also applications for other types")
  private static let portal = OptionDeclaration(
    "portal", help: "let the desktop portal open FILE, as in a sandbox")
  private static let ask = OptionDeclaration(
    "ask", help: "with --portal: let the user choose the application")
  private static let root = OptionDeclaration(
    "root", value: "DIR", help: "with --source: open DIR/PATH, the original of FILE")

  static let answerOfFailure: [(key: String, value: String)]? = [
    ("outcome", JSONText.string("failed"))
  ]

  static let verb = "open"
  static let declaration = CommandDeclaration(
    name: verb, summary: "open files, also in the application they came from",
    operands: "FILE|URL...", kinds: [.file],
    details: """
      Opens each FILE in its default application, or with --source in the application that its \
      document source names, if that is installed here.
      """,
    options: [
      source, root, with, list, all, portal, ask, BulkChange.dryRun, BulkChange.quiet,
      BulkChange.json, FileList.option,
    ],
    examples: [
      "docsource open --source notes.txt", "docsource open --with org.gnome.TextEditor notes.txt",
    ],
    manual: ManualText(Manual.open))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard !arguments.operands.isEmpty else { throw UsageError("no file given") }
    let modes = [source, with, list, portal].filter(arguments.has)
    guard modes.count <= 1 else {
      throw UsageError(
        "\(modes.map { "--" + $0.long }.joined(separator: " and ")) cannot be combined")
    }
    for (option, needed) in [(all, list), (ask, portal), (root, source)]
    where arguments.has(option) && !arguments.has(needed) {
      throw UsageError("--\(option.long) needs --\(needed.long)")
    }
    var work = Opening(
      isDry: arguments.has(BulkChange.dryRun), isQuiet: arguments.has(BulkChange.quiet),
      console: console)
    var application: String?
    if let word = arguments.bytes(with) {
      application = try installedApplication(word, console)
      if application == nil { return .failed }
    }
    do throws(DesktopFailure) {
      if arguments.has(source) {
        try work.openInSource(
          arguments.operands, root: arguments.bytes(root).flatMap { FilePath(bytes: $0) })
      } else {
        work.resolve(arguments.operands, translates: application == nil)
        if arguments.has(list) {
          try work.list(all: arguments.has(all))
        } else if application != nil {
          try work.open(in: application)
        } else if arguments.has(portal) || ShareCompanion().isSandboxed {
          try work.open(in: nil, arguments.has(ask) ? [.portal, .ask] : .portal)
        } else {
          try work.open(in: nil)
        }
      }
    } catch {
      console.say(error.description)
      return .failed
    }
    return work.status
  }
}
