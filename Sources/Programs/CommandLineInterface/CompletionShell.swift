/// A shell for which completions can be written.
public enum CompletionShell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish

  /// The shell's script that completes the tool's command lines.
  public func script(for tool: ToolDeclaration) -> String {
    switch self {
    case .bash: BashCompletion(tool: tool).script
    case .zsh: ZshCompletion(tool: tool).script
    case .fish: FishCompletion(tool: tool).script
    }
  }

  /// The script that `CompletionScripts` has for the shell.
  ///
  /// - Parameter values: what it lacks of the declarations.
  func script(_ tool: ToolDeclaration, _ values: [String: String]) -> String {
    let script =
      switch self {
      case .bash: CompletionScripts.bash
      case .zsh: CompletionScripts.zsh
      case .fish: CompletionScripts.fish
      }
    let values = values.merging(["tool": tool.name]) { given, _ in given }
    return TextTemplate(script, values).text
  }
}
