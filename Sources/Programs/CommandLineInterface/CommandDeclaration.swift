/// A verb of the tool: its name, options and help, declared once.
public struct CommandDeclaration: Sendable {
  /// The verb; a member's with the verb that gathers it: `plist show`.
  public let name: String
  /// What it does, in one phrase without a capital or full stop.
  public let summary: String
  /// The operands for the usage line: `FILE...`.
  public let operands: String
  /// What needs saying beyond the options, in sentences; one element a paragraph.
  public let details: [String]
  /// The options, in the order of the help.
  public let options: [OptionDeclaration]
  /// Of the options, those that choose files; the help only lists them.
  public let filters: [OptionDeclaration]
  /// The verbs it gathers. Where it has options besides `--help`, it is a verb itself, and another
  /// word behind it is an operand.
  public let members: [CommandDeclaration]
  /// Command lines that show its use.
  public let examples: [String]
  /// What the manual page says besides; built only when asked for.
  let manual: @Sendable () -> ManualText
  private let declaredKinds: [ValueKind]?

  /// - Parameter kinds: what the operands are, where their placeholders do not tell.
  public init(
    name: String, summary: String, operands: String, kinds: [ValueKind]? = nil, details: [String],
    options: [OptionDeclaration], filters: [OptionDeclaration] = [],
    members: [CommandDeclaration] = [], examples: [String],
    manual: @autoclosure @escaping @Sendable () -> ManualText = ManualText()
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.details = details
    self.options = options + filters + [.help]
    self.filters = filters
    self.members = members
    self.examples = examples
    self.declaredKinds = kinds
    self.manual = manual
  }

  /// Whether it does something itself rather than only gathering others.
  public var takesOperands: Bool { members.isEmpty || options.count > 1 }

  /// What its operands are; none where only one of its members can follow.
  var kinds: [ValueKind] {
    takesOperands ? declaredKinds ?? ValueKind.kinds(in: operands) : []
  }

  /// The word that names it behind the tool or the verb that gathers it.
  var word: String { name.split(separator: " ").last.map(String.init) ?? name }

  var withMembers: [CommandDeclaration] { [self] + members.flatMap(\.withMembers) }
}

extension OptionDeclaration {
  /// Every verb has it.
  public static let help = OptionDeclaration("help", short: "h", help: "show this help")
}
