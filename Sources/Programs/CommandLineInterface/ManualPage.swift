/// Writes manual pages from the declarations, in the macros of man(7).
package enum ManualPage {
  /// The page of the whole tool.
  package static func of(_ tool: ToolDeclaration) -> String {
    let manual = tool.manual()
    var lines = head(tool.name, 1, tool.summary, tool)
    lines += [
      ".SH SYNOPSIS",
      "\(RoffText.bold(tool.name)) \(RoffText.italic("VERB")) "
        + "[\(RoffText.italic("OPTIONS"))] \(RoffText.operands("FILE..."))",
    ]
    lines += section("DESCRIPTION", paragraphs(manual.paragraphs))
    let everyday = tool.everyday.flatMap(\.verbs).compactMap { verb in
      tool.commands.first { $0.name == verb }
    }
    let others = tool.commands.filter { command in
      !everyday.contains { $0.name == command.name }
    }
    lines += section("VERBS", verbs(everyday, tool))
    lines += section(everyday.isEmpty ? "VERBS" : "OTHER VERBS", verbs(others, tool))
    lines += section("OPTIONS", options(tool.options))
    lines += rest(manual, examples: tool.examples)
    // The verbs have been named.
    lines += seeAlso([], tool.topics.map(\.reference), manual)
    return text(lines)
  }

  /// The page of a topic.
  package static func of(_ topic: TopicDeclaration, in tool: ToolDeclaration) -> String {
    let manual = topic.manual()
    var lines = head(topic.page, topic.section, topic.summary, tool)
    lines += section("SYNOPSIS", paragraphs(manual.synopsis))
    lines += section("DESCRIPTION", paragraphs(manual.paragraphs))
    lines += additions(manual)
    lines += seeAlso([tool.name], [], manual)
    return text(lines)
  }

  /// The page of one verb.
  package static func of(_ command: CommandDeclaration, in tool: ToolDeclaration) -> String {
    let manual = command.manual()
    var lines = head(name(command.name, tool), 1, command.summary, tool) + [".SH SYNOPSIS"]
    var usage = RoffText.bold("\(tool.name) \(command.name)")
    if !command.takesOperands { usage += " \(RoffText.italic("VERB"))" }
    usage += " [\(RoffText.italic("OPTIONS"))]"
    if !command.operands.isEmpty { usage += " " + RoffText.operands(command.operands) }
    lines.append(usage)
    let description = ManualText.paragraphs(of: command.details) + manual.paragraphs
    lines += section(
      "DESCRIPTION",
      paragraphs(description.isEmpty ? [sentence(command.summary)] : description))
    if !command.members.isEmpty { lines += section("VERBS", verbs(command.members, tool)) }
    lines += section("OPTIONS", options(command.options))
    lines += rest(manual, examples: command.examples)
    var relatives = [tool.name]
    if let gathering = command.name.lastIndex(of: " ") {
      relatives.append(name(command.name[..<gathering], tool))
    }
    // Members have been named, and those that the text adds would be named twice.
    let members = Set(command.members.map { "\(name($0.name, tool))(1)" })
    lines += seeAlso(relatives, [], manual, except: members)
    return text(lines)
  }

  /// The name of a verb's page: `docsource-icon-trust`.
  private static func name(_ verb: some StringProtocol, _ tool: ToolDeclaration) -> String {
    "\(tool.name) \(verb)".split(separator: " ").joined(separator: "-")
  }

  /// The most characters of a page's name that leave room for the name of the section between the two
  /// titles at the top of a page of 80 columns.
  private static let longestTitle = 20

  private static func head(
    _ page: String, _ number: Int, _ summary: String, _ tool: ToolDeclaration
  ) -> [String] {
    let title = RoffText(page.uppercased())
    return [
      ".\\\" Written by '\(tool.name) help --man' from the declarations of the options.",
      ".TH \(title) \(number) \(tool.date) \"\(tool.name) \(tool.version)\""
        + (page.count > longestTitle ? " \"\"" : ""),
      // Names of options and files are not for hyphenating, which groff's headings turn on again
      // unless the register says no, nor for stretching.
      ".nh", ".nr HY 0", ".ad l", ".SH NAME",
    ] + RoffText.lines(of: "\(page) - \(summary)")
  }

  private static func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [".SH \(title)"] + lines
  }

  private static func paragraphs(_ paragraphs: [String]) -> [String] {
    var lines: [String] = []
    for paragraph in paragraphs {
      if !lines.isEmpty { lines.append(".PP") }
      lines += paragraph.hasPrefix("  ") ? asIs(paragraph) : RoffText.lines(of: paragraph)
    }
    return lines
  }

  private static func asIs(_ text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return [".EX"] + lines.map { "\(RoffText(String($0)))" } + [".EE"]
  }

  private static func verbs(
    _ commands: [CommandDeclaration], _ tool: ToolDeclaration
  ) -> [String] {
    commands.flatMap { command in
      [".TP", "\(RoffText.bold(name(command.name, tool)))(1)"]
        + RoffText.lines(of: sentence(command.summary))
    }
  }

  private static func options(_ options: [OptionDeclaration]) -> [String] {
    options.flatMap { option in
      var forms = option.short.map { [RoffText.bold("-\($0)")] } ?? []
      let sign = option.kind == .command ? " " : "="
      let value = option.placeholder.map { sign + RoffText.operands($0) } ?? ""
      forms += option.names.map { RoffText.bold("--\($0)") + value }
      return [".TP", forms.joined(separator: ", ")]
        + RoffText.lines(of: sentence(option.helpWithChoices))
    }
  }

  private static func rest(_ manual: ManualText, examples: [String]) -> [String] {
    let statuses = ExitStatus.allCases.map { status in
      ManualText.Entry("\(status.rawValue)", manual.exitStatus[status] ?? status.meaning)
    }.filter { !$0.meaning.isEmpty }
    return section("EXIT STATUS", entries(statuses)) + additions(manual)
      + section("EXAMPLES", asIs(examples.map { "  " + $0 }.joined(separator: "\n")))
  }

  /// What the pages of verbs and of topics have in common.
  private static func additions(_ manual: ManualText) -> [String] {
    section("ENVIRONMENT", entries(manual.environment)) + section("FILES", entries(manual.files))
      + manual.sections.flatMap { section($0.title, paragraphs($0.paragraphs)) }
  }

  private static func entries(_ entries: [ManualText.Entry]) -> [String] {
    entries.flatMap { [".TP", RoffText.bold($0.name)] + RoffText.lines(of: $0.meaning) }
  }

  private static func seeAlso(
    _ pages: [String], _ topics: [String], _ manual: ManualText, except named: Set<String> = []
  ) -> [String] {
    // Pages that gather a verb are often among those that its own text names.
    var seen = Set<String>()
    let references =
      (pages.map { "\(RoffText.bold($0))(1)" }
      + (topics + manual.seeAlso).filter { !named.contains($0) }
      .map(reference))
      .filter { seen.insert($0).inserted }
    let commas = references.dropLast().map { $0 + "," } + references.suffix(1)
    return section("SEE ALSO", commas)
  }

  private static func reference(_ page: String) -> String {
    guard let bracket = page.firstIndex(of: "(") else { return RoffText.bold(page) }
    return RoffText.bold(String(page[..<bracket])) + page[bracket...]
  }

  /// A sentence made of a phrase of the declarations, which has neither capital nor full stop.
  private static func sentence(_ phrase: String) -> String {
    let isSpelled = phrase.first.map { !$0.isLetter } ?? true
    return (isSpelled ? phrase : phrase.prefix(1).uppercased() + phrase.dropFirst()) + "."
  }

  private static func text(_ lines: [String]) -> String {
    lines.joined(separator: "\n") + "\n"
  }
}

/// What the manual page of a verb says beyond its help, which is kept to one screen, or all that the
/// page of a topic says.
package struct ManualText: Sendable {
  /// A name and its meaning.
  typealias Entry = (name: String, meaning: String)

  /// What a program has to write to use what the page describes.
  private(set) var synopsis: [String] = []
  /// Paragraphs that follow the details; one indented by two spaces is shown as it is.
  private(set) var paragraphs: [String] = []
  /// What exit statuses mean for this verb, where that differs; an empty text for a status that the
  /// verb never has.
  private(set) var exitStatus: [ExitStatus: String] = [:]
  /// The environment variables that the verb heeds.
  private(set) var environment: [Entry] = []
  /// The files that the verb reads or writes besides its operands.
  private(set) var files: [Entry] = []
  /// Sections that only this page has.
  private(set) var sections: [(title: String, paragraphs: [String])] = []
  /// Pages of others: `getfattr(1)`.
  private(set) var seeAlso: [String] = []

  /// - Parameters:
  ///   - page: paragraphs, separated by empty lines, and sections below lines `# HEADING`, in the form
  ///     that `Sources/Integrations/embed-texts` describes.
  ///   - values: what stands in the place of each `@NAME@`. A debug build stops if `page` lacks the
  ///     place, or `values` the name.
  package init(_ page: String = "", _ values: [String: String] = [:]) {
    let filled = TextTemplate(page, values)
    assert(filled.mismatches.isEmpty, "\(filled.mismatches)")
    var parts = [(heading: "", lines: [Substring]())]
    for line in filled.text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("# ") {
        parts.append((String(line.dropFirst(2)), []))
      } else {
        parts[parts.count - 1].lines.append(line)
      }
    }
    for (heading, lines) in parts { add(heading, Self.paragraphs(of: lines)) }
  }

  private mutating func add(_ heading: String, _ paragraphs: [String]) {
    switch heading {
    case "": self.paragraphs = paragraphs
    case "SYNOPSIS": synopsis = paragraphs
    case "EXIT STATUS":
      for entry in paragraphs.map(Self.entry) {
        guard let status = Int32(entry.name).flatMap(ExitStatus.init) else { continue }
        exitStatus[status] = entry.meaning
      }
    case "ENVIRONMENT": environment = paragraphs.map(Self.entry)
    case "FILES": files = paragraphs.map(Self.entry)
    case "SEE ALSO":
      seeAlso = paragraphs.joined(separator: " ").split(separator: " ").map { reference in
        String(reference.last == "," ? reference.dropLast() : reference)
      }
    default: sections.append((heading, paragraphs))
    }
  }

  /// - Parameter paragraph: `NAME: MEANING`.
  private static func entry(_ paragraph: String) -> Entry {
    let words = paragraph.split(separator: " ", omittingEmptySubsequences: false)
    let count = words.prefix { $0.last != ":" }.count + 1
    let name = words.prefix(count).joined(separator: " ").dropLast()
    return (String(name), words.dropFirst(count).joined(separator: " "))
  }

  /// The paragraphs of a text, each in one line unless it is indented by two spaces; indented ones
  /// that follow each other are one.
  static func paragraphs(of text: String) -> [String] {
    paragraphs(of: text.split(separator: "\n", omittingEmptySubsequences: false))
  }

  private static func paragraphs(of lines: [Substring]) -> [String] {
    var paragraphs: [String] = []
    var isOpen = false
    for line in lines {
      if isOpen, !line.isEmpty, let last = paragraphs.popLast() {
        paragraphs.append(last + (last.hasPrefix("  ") ? "\n" : " ") + line)
      } else if line.hasPrefix("  "), let last = paragraphs.last, last.hasPrefix("  ") {
        paragraphs[paragraphs.count - 1] = last + "\n\n" + line
      } else if !line.isEmpty {
        paragraphs.append(String(line))
      }
      isOpen = !line.isEmpty
    }
    return paragraphs
  }
}

/// Text for a manual page, escaped for roff by groff_char(7) so that each character prints as itself,
/// and a command copied from the page works in a shell.
private struct RoffText: CustomStringConvertible {
  /// Input lines are kept this short, as `mandoc -T lint` asks.
  private static let width = 78

  let description: String

  init(_ text: String) {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\(rs"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default: result += "\\[u" + Self.hexadecimal(scalar) + "]"
      }
    }
    description = result.hasPrefix(".") ? "\\&" + result : result
  }

  static func bold(_ text: String) -> String { "\\fB\(RoffText(text))\\fR" }
  static func italic(_ text: String) -> String { "\\fI\(RoffText(text))\\fR" }

  /// The operands of a usage line, with placeholders in italics.
  static func operands(_ usage: String) -> String {
    var result = ""
    var rest = usage[...]
    while let first = rest.first {
      let isWord = first.isUppercase
      let part = rest.prefix { $0.isUppercase == isWord }
      result += isWord ? italic(String(part)) : RoffText(String(part)).description
      rest = rest.dropFirst(part.count)
    }
    return result
  }

  /// A paragraph as input lines, a new one for each sentence; options are bold.
  static func lines(of paragraph: String) -> [String] {
    var lines: [String] = []
    var endsSentence = true
    for word in paragraph.split(separator: " ") {
      let shown = emphasized(String(word))
      if !endsSentence, let last = lines.last, last.count + 1 + shown.count <= width {
        lines[lines.count - 1] = last + " " + shown
      } else {
        lines.append(shown)
      }
      endsSentence = word.hasSuffix(".") && !word.hasSuffix("...")
    }
    return lines
  }

  private static func emphasized(_ word: String) -> String {
    let lead = word.prefix { "('".contains($0) }
    let option = word.dropFirst(lead.count).prefix { $0.isLetter || $0.isNumber || $0 == "-" }
    guard option.hasPrefix("-"), option.count > 1 else { return RoffText(word).description }
    let rest = word.dropFirst(lead.count + option.count)
    return "\(RoffText(String(lead)))\(bold(String(option)))\(RoffText(String(rest)))"
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
