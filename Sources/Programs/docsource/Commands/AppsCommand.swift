import Applications
import CommandLineInterface
import TextFormats

/// `docsource apps`: the applications that are known here.
enum AppsCommand: Command {
  static let verb = "apps"
  static var members: [any Command.Type] {
    [AppsListCommand.self, AppsShowCommand.self, AppsAddCommand.self, AppsRemoveCommand.self]
  }

  static let declaration = CommandDeclaration(
    name: verb, summary: "list the applications known here, and keep your own list",
    operands: "",
    details: [
      """
      Known are those of your own list, those that are installed (by their desktop files), and \
      those that write the attribute themselves; the first that says a value is believed. \
      Without a verb it lists them all.
      """
    ],
    options: AppsListCommand.options, members: members.map { $0.declaration },
    examples: [
      "docsource apps list 'com.*'",
      "docsource apps add org.example.editor --name Editor",
    ],
    manual: manual)

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    if let word = arguments.operands.first {
      if let member = members.first(where: { word.elementsEqual($0.verb.utf8) }) {
        throw UsageError("options stand behind '\(member.verb)'")
      }
      let text = String(decoding: word, as: UTF8.self)
      let hint =
        Spelling.nearest(to: text, among: members.map { $0.verb }).map { "did you mean '\($0)'?" }
        ?? "'docsource apps list' takes patterns"
      throw UsageError("no verb '\(EscapedText(word))'; \(hint)")
    }
    return try AppsListCommand.run(arguments, console)
  }
}

extension AppsCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Of an application each value is taken from the first that has it: your own list, then the \
        desktop files of what is installed, then what is known of the applications that write the \
        attribute themselves. The identifier of an installed one is the name of its desktop file \
        without .desktop. Desktop files with Hidden do not count; those with NoDisplay are listed \
        with --all only.
        """,
        """
        'docsource tag --app' takes its values from here, the name in no particular language, as \
        the file may travel; here the name is in yours.
        """,
        """
        The list is a JSON object: applications, an array of objects with identifier, name and \
        appInfoURL. Other members are kept when it is changed. What is malformed in it is told and \
        passed over; where it is no JSON at all, or larger than 1 MiB, that is a failure.
        """,
      ],
      exitStatus: listStatus, environment: environment + languages, files: files,
      seeAlso: ["docsource-tag(1)"])
  }

  static let listStatus: [ExitStatus: String] = [
    .noSource: "No application is listed.", .failed: "Your list cannot be read.",
  ]

  /// Where what is known comes from.
  static let environment = [
    list,
    ManualText.Entry(
      "XDG_DATA_HOME", "Where your desktop files are; ~/.local/share if not set."),
    ManualText.Entry(
      "XDG_DATA_DIRS", "Where the system's are; /usr/local/share:/usr/share if not set."),
  ]

  static let list = ManualText.Entry("XDG_CONFIG_HOME", "Where your list is; ~/.config if not set.")

  /// What names are shown in.
  static let languages = [
    ManualText.Entry(
      "LC_ALL, LC_MESSAGES, LANG", "The language of names; the first that is set counts.")
  ]

  static let files = [
    listFile,
    ManualText.Entry("DIR/applications/*.desktop", "The desktop files in the data directories."),
  ]

  static let listFile = ManualText.Entry("$XDG_CONFIG_HOME/docsource/apps.json", "Your list.")
}
