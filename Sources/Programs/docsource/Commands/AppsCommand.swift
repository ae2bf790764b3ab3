import Applications
import CommandLineInterface

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
