/// What an option's value or an operand is, so that a shell can offer what fits.
public enum ValueKind: Sendable, Hashable {
  /// Anything: nothing can be offered.
  case text
  case file
  case directory
  /// An application's identifier: those that `apps list` knows.
  case identifier
  /// A trusted host: those that `icon trust list` knows.
  case host
  /// A program to run and its arguments, up to `;` or the end of the command line.
  case command
  /// A verb of the tool and, behind one that gathers others, these.
  case verb
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

  /// The name that completion functions know it by; `choice` for words of its own.
  var word: String {
    switch self {
    case .text: "text"
    case .file: "file"
    case .directory: "directory"
    case .identifier: "identifier"
    case .host: "host"
    case .command: "command"
    case .verb: "verb"
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
