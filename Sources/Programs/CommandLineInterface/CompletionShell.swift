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
}
