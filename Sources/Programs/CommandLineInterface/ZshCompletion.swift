/// Writes the completion script for zsh.
struct ZshCompletion {
  let tool: ToolDeclaration

  var script: String {
    let verbs = tool.allCommands
    let gathering =
      [members(of: "", tool.commands)]
      + verbs.filter { !$0.members.isEmpty }.map { members(of: $0.name, $0.members) }
    let functions =
      [function("", members: tool.commands, options: tool.options, kinds: [])]
      + verbs.map {
        function($0.name, members: $0.members, options: $0.options, kinds: $0.kinds)
      }
    return CompletionShell.zsh.script(
      tool,
      [
        "members": gathering.joined(separator: "\n"),
        "functions": functions.joined(separator: "\n\n"),
      ])
  }

  private func members(of words: String, _ members: [CommandDeclaration]) -> String {
    let lines = members.map { "      \(quoted("\($0.word):\($0.summary)"))" }
    return "    (\(quoted(words))) verbs=(\n\(lines.joined(separator: "\n"))\n    ) ;;"
  }

  /// The function that completes the words behind those of a verb.
  private func function(
    _ words: String, members: [CommandDeclaration], options: [OptionDeclaration],
    kinds: [ValueKind]
  ) -> String {
    let name = (["_" + tool.name] + words.split(separator: " ").map(String.init))
      .joined(separator: "_")
    var lines = ["\(name)() {"]
    if words.isEmpty {
      // The command is still quoted as typed.
      lines += [
        "  local program=${(Q)words[1]}",
        "  [[ $program == '~/'* ]] && program=$HOME/${program#'~/'}",
        "  whence -p -- $program >/dev/null || program=\(tool.name)",
      ]
    }
    if !members.isEmpty {
      lines += ["  if (( CURRENT > 2 )); then", "    case $words[2] in"]
      lines += members.map { member in
        "      (\(member.word)) shift words; (( CURRENT-- )); \(name)_\(member.word); return ;;"
      }
      lines += ["    esac", "  fi"]
    }
    lines.append("  _arguments -s -S \\")
    var offered = kinds.map(word)
    if !members.isEmpty { offered.insert(quoted("members:\(words)"), at: 0) }
    let rest = offered.isEmpty ? [] : [quoted("*: :" + offer(offered))]
    lines.append((options.map(specification) + rest).map { "    \($0)" }.joined(separator: " \\\n"))
    lines.append("}")
    return lines.joined(separator: "\n")
  }

  /// The leading space keeps _arguments from adding words of its own.
  private func offer(_ words: [String]) -> String {
    " __\(tool.name)_offer \(words.joined(separator: " "))"
  }

  private func specification(_ option: OptionDeclaration) -> String {
    let help = quoted("[\(escaped(option.help))]\(value(option))")
    let sign = option.placeholder == nil ? "" : "="
    let lead = option.repeats ? "\\*" : ""
    guard let short = option.short else { return "\(lead)--\(option.long)\(sign)\(help)" }
    let attached = option.placeholder == nil ? "" : "+"
    let others = option.repeats ? lead : "'(-\(short) --\(option.long))'"
    return "\(others){-\(short)\(attached),--\(option.long)\(sign)}\(help)"
  }

  private func value(_ option: OptionDeclaration) -> String {
    guard let placeholder = option.placeholder else { return "" }
    if option.kind == .command {
      return ":\(escaped(placeholder)): _command_names -e:*\\;::argument: _normal"
    }
    let action = option.kind == .text ? " " : offer([word(option.kind)])
    return ":\(escaped(placeholder)):\(action)"
  }

  private func word(_ kind: ValueKind) -> String {
    switch kind {
    case .choice(let words): quoted("=" + words.joined(separator: " "))
    case .target(let words): quoted("target=" + words.joined(separator: " "))
    default: kind.word
    }
  }

  private func escaped(_ text: String) -> String {
    String(text.flatMap { "\\[]:".contains($0) ? ["\\", $0] : [$0] })
  }

  private func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
