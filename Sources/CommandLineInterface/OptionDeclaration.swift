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

  public init(
    _ long: String, short: Character? = nil, value placeholder: String? = nil,
    choices: [String] = [], help: String
  ) {
    self.long = long
    self.short = short
    self.placeholder = placeholder
    self.choices = choices
    self.help = help
  }

  /// The forms for the help: `-r, --recursive` or `    --root=DIR`.
  var usage: String {
    let lead = short.map { "-\($0), " } ?? "    "
    return lead + "--" + long + (placeholder.map { "=\($0)" } ?? "")
  }

  /// The long form with the values it takes, where they are few: `--type=f|d`.
  var brief: String {
    let value = choices.isEmpty ? placeholder : choices.joined(separator: "|")
    return "--" + long + (value.map { "=\($0)" } ?? "")
  }
}
