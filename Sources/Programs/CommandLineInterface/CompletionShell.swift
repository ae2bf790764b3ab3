/// A shell for which completions can be written.
package enum CompletionShell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish

  /// The shell's script that completes the tool's command lines.
  package func script(for tool: ToolDeclaration) -> String {
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

/// Writes the completion script for bash 4.4 or later, with or without the package bash-completion.
struct BashCompletion {
  let tool: ToolDeclaration

  var script: String {
    let verbs =
      [
        declared(
          tool.name, members: tool.commands.map(\.word), options: tool.options, kinds: [])
      ]
      + tool.allCommands.map { verb in
        declared(
          "\(tool.name) \(verb.name)", members: verb.members.map(\.word),
          options: verb.options, kinds: verb.kinds)
      }
    return CompletionShell.bash.script(tool, ["verbs": verbs.joined(separator: "\n")])
  }

  private func declared(
    _ verb: String, members: [String], options: [OptionDeclaration], kinds: [ValueKind]
  ) -> String {
    let words = options.map { option in
      let value = option.placeholder == nil ? "" : word(option.kind)
      return "\(option.long):\(option.short.map(String.init) ?? ""):\(value)"
    }
    return """
          '\(verb)')
            members=(\(members.joined(separator: " ")))
            options=(\(words.joined(separator: " ")))
            repeated=(\(options.filter(\.repeats).map(\.long).joined(separator: " ")))
            operands=(\(kinds.map(word).joined(separator: " "))) ;;
      """
  }

  private func word(_ kind: ValueKind) -> String {
    switch kind {
    case .choice(let words): "=" + words.joined(separator: ",")
    case .target(let words): "target=" + words.joined(separator: ",")
    default: kind.word
    }
  }
}

/// Writes the completion script for fish 3.4 or later.
struct FishCompletion {
  let tool: ToolDeclaration

  var script: String {
    let verbs = tool.allCommands
    let gathering =
      [(words: "", members: tool.commands)]
      + verbs.filter { !$0.members.isEmpty }.map { ($0.name, $0.members) }
    var lines: [String] = []
    for (words, members) in gathering {
      lines += members.map { offer($0, "after", words) }
    }
    lines += tool.options.map { complete($0, among: tool.options, of: "") }
    for verb in verbs {
      lines += verb.kinds.compactMap { operands($0, of: verb.name) }
      if verb.kinds.contains(.verb) {
        for (words, members) in gathering {
          lines += members.map {
            offer($0, "shows", words.isEmpty ? verb.name : "\(verb.name) \(words)")
          }
        }
      }
      lines += arguments(of: verb)
      lines += verb.options.map { complete($0, among: verb.options, of: verb.name) }
    }
    let names = verbs.map { quoted($0.name) }.joined(separator: " ")
    return CompletionShell.fish.script(
      tool, ["verbs": names, "completions": lines.joined(separator: "\n")])
  }

  private func offer(_ verb: CommandDeclaration, _ condition: String, _ words: String) -> String {
    let test =
      words.isEmpty ? "__\(tool.name)_\(condition)" : "__\(tool.name)_\(condition) \(words)"
    return "complete -c \(tool.name) -n \(quoted(test)) -a \(verb.word) -d \(quoted(verb.summary))"
  }

  private func complete(
    _ option: OptionDeclaration, among options: [OptionDeclaration], of verb: String
  ) -> String {
    let letters = options.filter { $0.placeholder == nil }.compactMap(\.short).map(String.init)
    var test = verb.isEmpty ? "__\(tool.name)_after" : "__\(tool.name)_at \(verb)"
    if !verb.isEmpty && !option.repeats {
      // One function for both, since there are hundreds of these lines.
      let words = [
        verb, option.long, option.short.map(String.init) ?? "", letters.joined(),
        option.placeholder == nil ? nil : "value",
      ]
      test =
        "__\(tool.name)_lacks "
        + words.compactMap(\.self).map { $0.isEmpty || $0.contains(" ") ? "\"\($0)\"" : $0 }
        .joined(separator: " ")
    }
    var line = "complete -c \(tool.name) -n \(quoted(test))"
    if let short = option.short { line += " -s \(short)" }
    line += " -l \(option.long)"
    if option.placeholder != nil { line += " " + value(option.kind) }
    return line + " -d \(quoted(option.help))"
  }

  private func value(_ kind: ValueKind) -> String {
    if kind == .file { return "-r -F" }
    return "-x" + (candidates(kind).map { " -a \(quoted($0))" } ?? "")
  }

  private func operands(_ kind: ValueKind, of verb: String) -> String? {
    let line = "complete -c \(tool.name) -n \(quoted("__\(tool.name)_at \(verb)"))"
    return kind == .file ? line + " -F" : candidates(kind).map { line + " -a \(quoted($0))" }
  }

  /// Files, after an option that runs a command.
  private func arguments(of verb: CommandDeclaration) -> [String] {
    let forms = verb.options.filter { $0.kind == .command }.flatMap { option in
      ["--\(option.long)"] + (option.short.map { ["-\($0)"] } ?? [])
    }
    guard !forms.isEmpty else { return [] }
    let test =
      "__\(tool.name)_at \(verb.name); and __\(tool.name)_runs \(forms.joined(separator: " "))"
    return ["complete -c \(tool.name) -n \(quoted(test)) -F"]
  }

  private func candidates(_ kind: ValueKind) -> String? {
    switch kind {
    case .text, .file, .verb: nil
    case .directory: "(__fish_complete_directories)"
    case .identifier: "(__\(tool.name)_identifiers)"
    case .ownIdentifier: "(__\(tool.name)_identifiers --known-from user)"
    case .mark: "(__\(tool.name)_marks)"
    case .host: "(__\(tool.name)_hosts)"
    case .command: "(__fish_complete_command)"
    case .target(let words): "(__\(tool.name)_targets \(words.joined(separator: " ")))"
    case .choice(let words): words.joined(separator: " ")
    }
  }

  private func quoted(_ text: String) -> String {
    "'" + String(text.flatMap { "\\'".contains($0) ? ["\\", $0] : [$0] }) + "'"
  }
}

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

  /// The function that completes the words after those of a verb.
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
