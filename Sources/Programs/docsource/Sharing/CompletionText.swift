import CompanionProtocol
import Handoff
import LinuxSystem
import TextFormats

/// What a hand-over has done, or would do, for programs and for people.
struct CompletionText {
  private(set) var members: [(key: String, value: String)] = []
  private(set) var lines: [String] = []

  init(_ completion: ShareCompletion, isDry: Bool) {
    var saved: [[UInt8]] = []
    var losses: [String] = []
    for effect in completion.effects {
      switch effect {
      case .wouldRun(let words, let input):
        lines.append("would run: \(Self.shown(words))")
        members += JSONText.words(words, key: "arguments")
        if !input.isEmpty {
          lines.append("with standard input: \(EscapedText(quoting: input[...]))")
          members += JSONText.path(input[...], key: "input")
        }
      case .launched(let outcomes): add(outcomes, isDry: isDry)
      case .wouldCompose(let fields):
        lines.append("would call the portal's ComposeEmail with:")
        lines += fields.map { "  \($0.name): \(EscapedText(quoting: $0.value[...]))" }
        let objects = fields.map { JSONText.object(JSONText.path($0.value[...], key: $0.name)) }
        members.append(("mail", JSONText.array(objects)))
      case .wouldWriteToTerminal(let sequence):
        lines.append("would write to the terminal: \(EscapedText(quoting: sequence[...]))")
        members += JSONText.path(sequence[...], key: "terminal")
      case .wouldWrite(let path, let content):
        lines += ["would write \(EscapedText(path)):", "\(EscapedText(quoting: content[...]))"]
        members += JSONText.path(content[...], key: "content")
      case .answered(let answer): lines += answer.map { "\(EscapedText($0))" }
      case .saved(let path, let left):
        lines.append("\(isDry ? "would save" : "saved"): \(EscapedText(path.bytes))")
        lines += left.map { "left out: \(EscapedText($0))" }
        saved.append(Array(path.bytes))
        losses += left
      case .notRecorded: continue
      case .listed(let path): members += JSONText.path(path.bytes, key: "list")
      case .assigned(let card): members += JSONText.path(card[...], key: "card")
      }
    }
    if !saved.isEmpty { members += JSONText.words(saved, key: "saved") }
    losses += completion.losses
    if !losses.isEmpty {
      members.append(("leftOut", JSONText.array(losses.map(JSONText.string))))
    }
  }

  private mutating func add(_ outcomes: [DesktopProtocol.Outcome], isDry: Bool) {
    let starts = outcomes.compactMap { outcome in
      if isDry, case .started(_, _, _, let words) = outcome { words } else { nil }
    }
    if starts.count == 1 {
      members += JSONText.words(starts[0], key: "arguments")
    } else if !starts.isEmpty {
      let objects = starts.map { JSONText.object(JSONText.words($0, key: "arguments")) }
      members.append(("programs", JSONText.array(objects)))
    }
    for outcome in outcomes {
      switch outcome {
      case .started(_, _, let isInTerminal, let words) where isDry:
        lines.append("would run\(isInTerminal ? " in a terminal" : ""): \(Self.shown(words))")
      case .called(let application, _, let uris) where isDry:
        lines.append(
          "would call \(EscapedText(DesktopProtocol.Application.entry(application.identifier)))"
            + " with: \(Self.shown(uris))")
        members += JSONText.words(uris, key: "call")
      case .started(let application, _, _, _), .called(let application, _, _):
        // Once for each program that was started.
        if !members.contains(where: { $0.key == "identifier" }) {
          members += JSONText.member("identifier", application.identifier)
          lines.append("\(EscapedText(application.name))")
        }
      case .portal(let method, let target, _) where isDry:
        lines.append("would call the portal's \(method) with: \(Self.shown([target]))")
        members += JSONText.words([target], key: "call")
      case .portal, .failed: continue
      }
    }
  }

  private static func shown(_ words: [[UInt8]]) -> String {
    words.map { "\(EscapedText(word: $0))" }.joined(separator: " ")
  }
}
