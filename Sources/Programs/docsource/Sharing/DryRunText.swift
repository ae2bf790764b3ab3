import CompanionProtocol
import TextFormats

/// What --dry-run says in place of a start or a call.
enum DryRunText {
  static func run(_ words: [[UInt8]], inTerminal isInTerminal: Bool = false) -> String {
    "would run\(isInTerminal ? " in a terminal" : ""): \(EscapedText(words: words))"
  }

  static func call(_ application: DesktopProtocol.Application, _ uris: [[UInt8]]) -> String {
    "would call \(EscapedText(application.identifier)) with: \(EscapedText(words: uris))"
  }

  static func portal(_ method: String, _ target: [UInt8]) -> String {
    "would call the portal's \(method) with: \(EscapedText(word: target))"
  }
}
