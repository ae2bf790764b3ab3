import Applications
import CommandLineInterface
import DocumentSource
import FileTree
import ForeignFormats
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
    manual: manual)

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

  private static let manual = ManualText(
    """
    The default application is the one that 'gio mime' tells for the file's type. Files with the same
    application are handed over together. Nothing is started by a shell, and what the application
    writes is discarded. A URL such as https://example.com/ is opened by the application for its
    scheme; file: URLs are not taken. Slashes behind mailto:, sms:, tel: and geo:, which have no host,
    are removed: mailto://ann@example.org is opened as mailto:ann@example.org. If no application is
    registered for maps:, a scheme of Apple's systems, the geo: URL for the same place is opened;
    --with passes it on as it is.

    With --source, the identifier in the document source of FILE chooses the application: an installed
    desktop entry of that name, in any case, or the flatpak of that name. It is started only if it
    declares the type of the file, since an attribute is a claim by whoever wrote it; --with does
    without that. If the document's path is absolute and leads to a regular file, that file, the
    original, is opened; with --root, a relative path is followed below DIR, and must not lead out of
    it. A catalogue of intents that has openDocument: for the application comes first, and is told
    as any other application; see docsource-intent(1). Otherwise FILE itself is opened. If the
    application is not installed, the host of its app info URL is told, and nothing is opened.

    In a sandbox of flatpak or snap, and with --portal, the desktop portal org.freedesktop.portal.OpenURI
    opens FILE, and the user may cancel. A file that may be written is passed on for writing.

    --dry-run shows the command line of each program as GIO would start it, or the call on the session
    bus of an application that is started by it; with --json, exactly.

    With --list, each line has the identifier, name and role of an application: default; recommended,
    which declares the type; fallback, which declares a more general one; other.

    With --json, an object has files, identifier, name, and outcome: opened, cancelled or failed, or
    with --source unchanged, with reason and, if the application is not installed, website. With
    --dry-run, it has dryRun and either arguments and terminal, or call.
    """,
    exitStatus: [
      .noSource: """
      Some file has no document source, or its application is not installed; with --list, no \
      application opens all files; or the user cancelled.
      """
    ],
    environment: [
      ManualText.Entry(
        "XDG_CURRENT_DESKTOP", "The desktop, whose own mimeapps.list files count first.")
    ],
    files: [
      ManualText.Entry("~/.config/mimeapps.list", "The user's default applications.")
    ],
    seeAlso: ["docsource-intent(1)", "docsource-apps(1)", "gio(1)"])
}
