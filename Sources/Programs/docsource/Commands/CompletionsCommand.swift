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
    manual: manual)

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

  private static let manual = ManualText(
    """
    The scripts complete verbs, options and their values: files, directories, fixed words,
    identifiers of applications, what a file can be shared with, and trusted hosts. They work in
    bash 4.4 with or without the package bash-completion, in zsh 5, in fish 3.4, and in later
    versions.
    """,
    exitStatus: [.noSource: ""],
    files: [
      ManualText.Entry(
        "PREFIX/share/bash-completion/completions/docsource",
        "The script for bash, where 'make install' puts it."),
      ManualText.Entry("PREFIX/share/zsh/site-functions/_docsource", "The script for zsh."),
      ManualText.Entry(
        "PREFIX/share/fish/vendor_completions.d/docsource.fish", "The script for fish."),
    ],
    seeAlso: ["bash(1)", "zshcompsys(1)", "fish(1)"])
}
