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
