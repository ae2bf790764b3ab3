/// How a part of what people read stands out on a terminal, by the parameters of the control function
/// SGR (ECMA-48, section 8.3.117).
package enum TerminalStyle: String, Sendable {
  /// Directories, as ls(1) and fd(1) show them.
  case directory = "1;34"
  case heading = "1"
  case label = "2"
  case progress = "32"

  package var start: String { "\u{1b}[\(rawValue)m" }

  package static let end = "\u{1b}[0m"

  func applied(to text: String) -> String { start + text + Self.end }

  /// `--color`, for verbs whose output has styles.
  package static let option = OptionDeclaration(
    "color", value: "WHEN", choices: ["auto", "always", "never"], help: "when to use colours")

  /// Whether what goes to a stream is to be styled, by `--color` and the environment.
  ///
  /// - Throws: `UsageError` where `--color` has another value than its choices.
  package static func isWanted(
    _ arguments: Arguments, on stream: OutputStream,
    variable: (String) -> String? = ProgressBar.environment
  ) throws(UsageError) -> Bool {
    switch try arguments.choice(option) {
    case "always": return true
    case "never": return false
    default:
      let hasColors = variable("TERM").map { $0 != "dumb" } ?? false
      return stream.isTerminal && hasColors && isAllowed(by: variable)
    }
  }

  /// Whether `NO_COLOR` permits colours: no-color.org forbids them for any value that is not empty.
  static func isAllowed(by variable: (String) -> String?) -> Bool {
    variable("NO_COLOR").map(\.isEmpty) ?? true
  }
}
