import CommandLineInterface
import TextFormats

/// `docsource completions SHELL`.
enum CompletionsCommand: Command {
  static let verb = "completions"
  static let declaration = CommandDeclaration(
    name: verb, summary: "print the completion script for a shell", operands: "bash|zsh|fish",
    details: """
      'make install' puts the scripts where the shells find them. Otherwise, load a script with the
      line for your shell: source <(docsource completions bash), or the same with zsh after
      compinit; docsource completions fish | source.
      """,
    examples: [
      "source <(docsource completions bash)",
      "docsource completions fish > ~/.config/fish/completions/docsource.fish",
    ],
    manual: ManualText(Manual.completions))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let shells = CompletionShell.allCases.map(\.rawValue)
    guard let word = arguments.operands.first, arguments.operands.count == 1 else {
      throw UsageError("give one shell: \(shells.joined(separator: ", "))")
    }
    let name = String(decoding: word, as: UTF8.self)
    guard let shell = CompletionShell(rawValue: name) else {
      let hint =
        Spelling.nearest(to: name, among: shells).map { "did you mean '\($0)'?" }
        ?? "supported shells: \(shells.joined(separator: ", "))"
      throw UsageError("no completions for '\(EscapedText(word))'; \(hint)")
    }
    console.output.write(shell.script(for: Tool.declaration))
    return .done
  }
}
