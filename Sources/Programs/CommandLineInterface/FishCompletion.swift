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
      lines += members.map { offer($0, "behind", words) }
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
    var test = verb.isEmpty ? "__\(tool.name)_behind" : "__\(tool.name)_at \(verb)"
    if !verb.isEmpty && !option.repeats {
      test += "; and __\(tool.name)_lacks \(option.long) \"\(option.short.map(String.init) ?? "")\""
      test += " \"\(letters.joined())\"" + (option.placeholder == nil ? "" : " value")
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

  /// Files, behind an option that runs a command.
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
