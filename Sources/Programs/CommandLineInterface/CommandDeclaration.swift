/// A verb of the tool: its name, options and help, declared once.
package struct CommandDeclaration: Sendable {
  /// The verb's words: `plist show` for `show`, a member of `plist`.
  package let name: String
  /// What it does, in one phrase without a capital or full stop.
  package let summary: String
  /// The operands for the usage line: `FILE...`.
  package let operands: String
  /// What needs saying beyond the options, in sentences; empty lines separate the paragraphs.
  let details: String
  /// The options, in the order of the help.
  package let options: [OptionDeclaration]
  /// The options that choose files, which the help lists by themselves.
  package let filters: [OptionDeclaration]
  /// Options for few users, which the help leaves to the manual page: it is to fit on one screen.
  let rare: [OptionDeclaration]
  /// The verbs that this one gathers. If it has options besides `--help` it is a verb itself, and a
  /// word after it that names no member is an operand.
  package let members: [CommandDeclaration]
  /// Command lines that show its use.
  package let examples: [String]
  /// What the manual page adds to the help; built only when asked for.
  let manual: @Sendable () -> ManualText
  private let declaredKinds: [ValueKind]?

  /// - Parameter kinds: the kinds of the operands, where their placeholders do not tell.
  package init(
    name: String, summary: String, operands: String, kinds: [ValueKind]? = nil,
    details: String = "", options: [OptionDeclaration] = [], filters: [OptionDeclaration] = [],
    rare: [OptionDeclaration] = [], members: [CommandDeclaration] = [], examples: [String],
    manual: @autoclosure @escaping @Sendable () -> ManualText = ManualText()
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.details = details
    self.options = options + filters + rare + [.help]
    self.filters = filters
    self.rare = rare
    self.members = members
    self.examples = examples
    self.declaredKinds = kinds
    self.manual = manual
  }

  /// Whether the verb does something itself, rather than only gathering others.
  package var takesOperands: Bool { members.isEmpty || options.count > 1 }

  /// The kinds of its operands; none where only a member can follow.
  var kinds: [ValueKind] {
    takesOperands ? declaredKinds ?? ValueKind.kinds(in: operands) : []
  }

  /// The last word of the name, which the user types after the tool or the gathering verb.
  var word: String { name.split(separator: " ").last.map(String.init) ?? name }

  var withMembers: [CommandDeclaration] { [self] + members.flatMap(\.withMembers) }
}

/// A manual page that belongs to no verb.
package struct TopicDeclaration: Sendable {
  /// The word by which the user asks for it: `marks`.
  package let name: String
  /// The name of the page: `docsource-marks`.
  package let page: String
  /// The section of the manual.
  package let section: Int
  /// What it is about, in one phrase without a capital or full stop.
  package let summary: String
  let manual: @Sendable () -> ManualText

  package init(
    name: String, page: String, section: Int, summary: String,
    manual: @autoclosure @escaping @Sendable () -> ManualText
  ) {
    self.name = name
    self.page = page
    self.section = section
    self.summary = summary
    self.manual = manual
  }

  /// The page as other pages name it: `docsource-marks(7)`.
  package var reference: String { "\(page)(\(section))" }
}

/// Verbs that the help of the tool lists under one heading.
package struct VerbGroup: Sendable {
  /// What the verbs are for, in a few words without a capital: `look at sources`.
  package let heading: String
  /// The names of the verbs, in their order.
  package let verbs: [String]

  package init(_ heading: String, _ verbs: [String]) {
    self.heading = heading
    self.verbs = verbs
  }
}

/// The tool: its name, version and verbs.
package struct ToolDeclaration: Sendable {
  package let name: String
  package let summary: String
  package let version: String
  /// The day of the version, as `2026-11-21`.
  package let date: String
  package let commands: [CommandDeclaration]
  /// The verbs as the help lists them; without groups, in the order of `commands`.
  package let groups: [VerbGroup]
  /// The verbs of every day, which the help lists unless all are asked for; none if it lists all.
  package let everyday: [VerbGroup]
  /// The pages besides those of the verbs.
  package let topics: [TopicDeclaration]
  /// What the manual page says; built only when asked for.
  let manual: @Sendable () -> ManualText
  /// Command lines that show its use.
  package let examples: [String]

  package init(
    name: String, summary: String, version: String, date: String,
    commands: [CommandDeclaration], groups: [VerbGroup] = [],
    everyday: [VerbGroup] = [], topics: [TopicDeclaration] = [],
    examples: [String], manual: @autoclosure @escaping @Sendable () -> ManualText = ManualText()
  ) {
    self.name = name
    self.summary = summary
    self.version = version
    self.date = date
    self.manual = manual
    self.commands = commands
    self.groups = groups
    self.everyday = everyday
    self.topics = topics
    self.examples = examples
  }

  /// The options that stand in place of a verb.
  var options: [OptionDeclaration] {
    [
      OptionDeclaration(
        "help", short: "h", help: "show this help; after a verb, the help of that verb"),
      OptionDeclaration("version", short: "V", help: "show the version"),
    ]
  }

  /// All verbs, each followed by its members.
  package var allCommands: [CommandDeclaration] { commands.flatMap(\.withMembers) }
}

/// An option as the user types it, declared once for parsing, help and documentation.
package struct OptionDeclaration: Sendable, Hashable {
  /// The long form without its dashes: `recursive`.
  package let long: String
  /// The long form of the version before, which still works, with a warning. Help and completions
  /// do not show it.
  package let former: String?
  /// Another long form, which other programs have. The option's help names it.
  package let also: String?
  /// The short form without its dash.
  package let short: Character?
  /// The placeholder of the option's value in the help, `nil` for an option without a value.
  package let placeholder: String?
  /// The values that the option takes, where they are few.
  package let choices: [String]
  /// What it does, in one phrase without a capital or full stop.
  package let help: String
  /// Whether several occurrences add up, instead of the last one counting.
  package let repeats: Bool
  private let declaredKind: ValueKind?

  /// Every verb has this option.
  package static let help = OptionDeclaration("help", short: "h", help: "show this help")

  /// - Parameter kind: the kind of the value, where the placeholder does not tell.
  package init(
    _ long: String, formerly former: String? = nil, also: String? = nil, short: Character? = nil,
    value placeholder: String? = nil, choices: [String] = [], kind: ValueKind? = nil,
    repeats: Bool = false, help: String
  ) {
    self.long = long
    self.former = former
    self.also = also
    self.short = short
    self.placeholder = placeholder
    self.choices = choices
    self.repeats = repeats
    self.declaredKind = kind
    self.help = help
  }

  /// The kind of the value; meaningless for an option without a value.
  var kind: ValueKind {
    if !choices.isEmpty { return .choice(choices) }
    return declaredKind ?? placeholder.map(ValueKind.init(placeholder:)) ?? .text
  }

  /// Whether the value is a command to be run: all words up to `;` or the command line's end.
  var takesCommand: Bool { kind == .command }

  /// The help, followed by the choices.
  var helpWithChoices: String {
    choices.isEmpty ? help : help + ": " + choices.joined(separator: ", ")
  }

  /// The long forms.
  var names: [String] { [long] + [also].compactMap(\.self) }

  /// The forms for the help: `-r, --recursive` or `    --root=DIR`.
  var usage: String {
    let lead = short.map { "-\($0), " } ?? "    "
    return lead + "--" + long + (placeholder.map { (takesCommand ? " " : "=") + $0 } ?? "")
  }
}

/// The kind of an option's value or an operand, by which a shell offers what fits.
package enum ValueKind: Sendable, Hashable {
  /// Free text, for which nothing can be offered.
  case text
  case file
  case directory
  /// An application's identifier, offered from `apps list`.
  case identifier
  /// The identifier of an application on the user's own list.
  case ownIdentifier
  /// A mark of the file that the command line names, offered from `trace`.
  case mark
  /// A trusted host, offered from `icon trust list`.
  case host
  /// A program to run and its arguments, up to `;` or the end of the command line.
  case command
  /// A verb of the tool or, after a gathering verb, one of its members.
  case verb
  /// What `share` hands over to: offered from `share --list` for the first file that the command line
  /// names, or else these words.
  case target([String])
  /// One of these words.
  case choice([String])

  /// The kind that a placeholder in a usage line stands for: `DIR` a directory, `zsh` that word.
  init(placeholder: String) {
    self =
      switch placeholder {
      case "FILE", "FROM", "MANIFEST", "PATH", "TO": .file
      case "DIR": .directory
      case "ID": .identifier
      case "HOST": .host
      case "CMD", "CMD...", "COMMAND", "COMMAND...": .command
      case "VERB": .verb
      case _ where placeholder == placeholder.lowercased(): .choice([placeholder])
      default: .text
      }
  }

  /// The kind's name in the completion scripts.
  var word: String {
    switch self {
    case .text: "text"
    case .file: "file"
    case .directory: "directory"
    case .identifier: "identifier"
    case .ownIdentifier: "own"
    case .mark: "mark"
    case .host: "host"
    case .command: "command"
    case .verb: "verb"
    case .target: "target"
    case .choice: "choice"
    }
  }

  /// The kinds in the operands of a usage line: of `FILE|ID|URL...` file, identifier and text.
  static func kinds(in operands: String) -> [ValueKind] {
    var kinds: [ValueKind] = []
    var choices: [String] = []
    for word in operands.split(whereSeparator: { !$0.isLetter && $0 != "-" }) {
      switch ValueKind(placeholder: String(word)) {
      case .choice(let words): choices += words
      case .text: break
      case let kind: if !kinds.contains(kind) { kinds.append(kind) }
      }
    }
    return choices.isEmpty ? kinds : kinds + [.choice(choices)]
  }
}
