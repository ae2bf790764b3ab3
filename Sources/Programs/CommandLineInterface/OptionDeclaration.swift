/// An option as the user types it, declared once for parsing, help and documentation.
public struct OptionDeclaration: Sendable, Hashable {
  /// The long form without its dashes: `recursive`.
  public let long: String
  /// The short form without its dash.
  public let short: Character?
  /// What stands for the option's value in the help, `nil` for an option without one.
  public let placeholder: String?
  /// The values it takes, where they are few.
  public let choices: [String]
  /// What it does, in one phrase without a capital or full stop.
  public let help: String
  /// Whether giving it again adds to what was given before.
  public let repeats: Bool
  private let declaredKind: ValueKind?

  /// - Parameter kind: what the value is, where the placeholder does not tell.
  public init(
    _ long: String, short: Character? = nil, value placeholder: String? = nil,
    choices: [String] = [], kind: ValueKind? = nil, repeats: Bool = false, help: String
  ) {
    self.long = long
    self.short = short
    self.placeholder = placeholder
    self.choices = choices
    self.repeats = repeats
    self.declaredKind = kind
    self.help = help
  }

  /// What its value is; meaningless for an option without one.
  var kind: ValueKind {
    if !choices.isEmpty { return .choice(choices) }
    return declaredKind ?? placeholder.map(ValueKind.init(placeholder:)) ?? .text
  }

  /// Whether its value is all words up to `;` or the end of the command line, a command to be run.
  var takesCommand: Bool { kind == .command }

  /// The help, with the values it takes where they are few.
  var helpWithChoices: String {
    choices.isEmpty ? help : help + ": " + choices.joined(separator: ", ")
  }

  /// The forms for the help: `-r, --recursive` or `    --root=DIR`.
  var usage: String {
    let lead = short.map { "-\($0), " } ?? "    "
    return lead + "--" + long + (placeholder.map { (takesCommand ? " " : "=") + $0 } ?? "")
  }

  /// The long form with the values it takes, where they are few: `--type=f|d`.
  var brief: String {
    let value = choices.isEmpty ? placeholder : choices.joined(separator: "|")
    return "--" + long + (value.map { "=\($0)" } ?? "")
  }
}
