/// Writes help from the declarations: one screen, not counting filters, wrapped at 80 columns,
/// ending with examples.
package enum HelpText {
  static let width = 80

  /// The help of the whole tool.
  ///
  /// - Parameter isWhole: whether it lists all verbs, rather than those of every day.
  package static func of(_ tool: ToolDeclaration, isWhole: Bool = false) -> String {
    let isShort = !isWhole && !tool.everyday.isEmpty
    var lines = ["\(tool.name): \(tool.summary)", ""]
    lines += ["Usage: \(tool.name) VERB [OPTIONS] FILE...", ""]
    lines += verbs(isShort ? tool.everyday : tool.groups, of: tool)
    lines += ["", "Options:"]
    lines += columns(tool.options.map { ($0.usage, $0.help) })
    if isShort {
      lines += ["", "More help:"]
      lines += columns([
        ("\(tool.name) help VERB", "show the help of a verb"),
        ("\(tool.name) help --all", "list all verbs"),
        ("\(tool.name) help topics", "list texts about marks, sharing, file managers and more"),
      ])
    }
    lines += ["", "Exit status: 0 success; 1 no document source or no icon; 2 failure;"]
    lines += ["64 usage error."]
    return finished(lines, tool.examples)
  }

  /// The verbs under their headings, all in the same columns.
  private static func verbs(_ groups: [VerbGroup], of tool: ToolDeclaration) -> [String] {
    let groups = groups.isEmpty ? [VerbGroup("Verbs", tool.commands.map(\.name))] : groups
    let left = groups.flatMap(\.verbs).map(\.count).max() ?? 0
    var lines: [String] = []
    for group in groups {
      if !lines.isEmpty { lines.append("") }
      lines.append(group.heading + ":")
      let commands = group.verbs.compactMap { name in
        tool.commands.first { $0.name == name }
      }
      lines += columns(commands.map { ($0.name, $0.summary) }, atLeast: left)
    }
    return lines
  }

  /// The help of one verb.
  package static func of(_ command: CommandDeclaration, in tool: ToolDeclaration) -> String {
    let operands = command.operands.isEmpty ? "" : " " + command.operands
    let usage = command.takesOperands ? "[OPTIONS]" : "VERB [OPTIONS]"
    var lines = ["\(tool.name) \(command.name): \(command.summary)", ""]
    lines += ["Usage: \(tool.name) \(command.name) \(usage)\(operands)", ""]
    for paragraph in ManualText.paragraphs(of: command.details) {
      lines += wrapped(paragraph, to: width) + [""]
    }
    if !command.members.isEmpty {
      lines += ["Verbs:"]
      lines += columns(command.members.map { ($0.word, $0.summary) }) + [""]
    }
    lines += ["Options:"]
    let others = command.filters + command.rare
    let explained = command.options.filter { !others.contains($0) }
    lines += columns(explained.map { ($0.usage, $0.helpWithChoices) })
    if !command.filters.isEmpty {
      lines += ["", "Filters:"]
      lines += columns(command.filters.map { ($0.usage, $0.helpWithChoices) })
    }
    return finished(lines, command.examples)
  }

  /// The topics, each with what it is about.
  package static func ofTopics(in tool: ToolDeclaration) -> String {
    let lines =
      ["Topics, which '\(tool.name) help TOPIC' shows:"]
      + columns(tool.topics.map { ($0.name, $0.summary) })
    return lines.joined(separator: "\n") + "\n"
  }

  /// The text of a topic, as its manual page has it.
  package static func of(_ topic: TopicDeclaration) -> String {
    let manual = topic.manual()
    var lines = ["\(topic.reference): \(topic.summary)"]
    let parts =
      [manual.synopsis, manual.paragraphs]
      + manual.sections.map { section in
        [section.title] + section.paragraphs
      }
    for paragraph in parts.joined() {
      lines.append("")
      lines += paragraph.hasPrefix("  ") ? [paragraph] : wrapped(paragraph, to: width)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func finished(_ lines: [String], _ examples: [String]) -> String {
    (lines + ["", "Examples:"] + examples.map { "  " + $0 }).joined(separator: "\n") + "\n"
  }

  /// - Parameter width: the least width of the left column.
  private static func columns(
    _ rows: [(left: String, right: String)], atLeast width: Int = 0
  ) -> [String] {
    let indent = 4 + max(width, rows.map(\.left.count).max() ?? 0)
    var lines: [String] = []
    for row in rows {
      let gap = String(repeating: " ", count: indent - 2 - row.left.count)
      var lead = "  " + row.left + gap
      for line in wrapped(row.right, to: Self.width - indent) {
        lines.append(lead + line)
        lead = String(repeating: " ", count: indent)
      }
    }
    return lines
  }

  private static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
