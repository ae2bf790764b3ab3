import CompanionProtocol
import Handoff
import LinuxSystem
import TextFormats

/// What a hand-over has done, or would do, for programs and for people.
struct CompletionText {
  private(set) var fields: JSONFields = [:]
  private var hasIdentifier = false
  private(set) var lines: [String] = []
  /// Lines of the files that an item names, with their true paths.
  private(set) var files: [String] = []

  /// More lines than anybody reads.
  private static let limit = 100

  /// A line for each file, and one for those beyond the hundredth.
  static func listing(_ files: [[UInt8]], after lead: String) -> [String] {
    let lines = files.prefix(limit).map { lead + EscapedText($0).description }
    return files.count > limit ? lines + ["  and \(files.count - limit) more"] : lines
  }

  /// - Parameter leftOut: what was left out before, and has been reported.
  init(_ completion: ShareCompletion, isDry: Bool, leftOut: [String]) {
    var saved: [[UInt8]] = []
    var losses: [String] = []
    var questions: [String] = []
    let copies = completion.effects.filter { if case .saved = $0 { true } else { false } }.count
    for effect in completion.effects {
      switch effect {
      case .wouldRun(let words, let input):
        lines.append(DryRunText.run(words))
        fields += ["arguments": .words(words)]
        if !input.isEmpty {
          lines.append("with standard input: \(EscapedText(quoting: input[...]))")
          fields += ["input": .path(input)]
        }
      case .launched(let outcomes): add(outcomes, isDry: isDry)
      case .wouldCompose(let mail):
        lines.append("would call the portal's ComposeEmail with:")
        lines += mail.map { "  \($0.name): \(EscapedText(quoting: $0.value[...]))" }
        let objects: [JSONFields] = mail.map { [$0.name: .path($0.value)] }
        fields += ["mail": .objects(objects)]
      case .wouldWriteToTerminal(let sequence):
        lines.append("would write to the terminal: \(EscapedText(quoting: sequence[...]))")
        fields += ["terminal": .path(sequence)]
      case .wouldWrite(let path, let content):
        lines += ["would write \(EscapedText(path)):", "\(EscapedText(quoting: content[...]))"]
        fields += ["content": .path(content)]
      case .wouldAsk(let question):
        lines.append("would ask: \(EscapedText(question.text))?")
        questions.append(question.text)
      case .answered(let answer): lines += answer.map { "\(EscapedText($0))" }
      case .saved(let path, let left):
        lines.append("\(isDry ? "would save" : "saved"): \(EscapedText(path.bytes))")
        let name = EscapedText(path.lastComponent)
        lines += left.map { "left out of \(name): \(EscapedText($0))" }
        saved.append(Array(path.bytes))
        losses += copies > 1 ? left.map { "\(path): \($0)" } : left
      case .notRecorded: continue
      case .listed(let path): fields += ["list": .path(path.bytes)]
      case .assigned(let card): fields += ["card": .path(card)]
      }
    }
    if !saved.isEmpty { fields += ["saved": .words(saved)] }
    if !completion.files.isEmpty { fields += ["files": .words(completion.files)] }
    files = Self.listing(completion.files, after: isDry ? "would hand over: " : "  ")
    if !questions.isEmpty { fields += ["questions": .texts(questions)] }
    losses = leftOut + losses + completion.losses
    if !losses.isEmpty { fields += ["leftOut": .texts(losses)] }
  }

  private mutating func add(_ outcomes: [DesktopProtocol.Outcome], isDry: Bool) {
    let starts = outcomes.compactMap { outcome in
      if isDry, case .started(_, _, _, let words) = outcome { words } else { nil }
    }
    if starts.count == 1 {
      fields += ["arguments": .words(starts[0])]
    } else if !starts.isEmpty {
      fields += ["programs": .objects(starts.map { ["arguments": .words($0)] })]
    }
    for outcome in outcomes {
      switch outcome {
      case .started(_, _, let isInTerminal, let words) where isDry:
        lines.append(DryRunText.run(words, inTerminal: isInTerminal))
      case .called(let application, _, let uris) where isDry:
        lines.append(DryRunText.call(application, uris))
        fields += ["call": .words(uris)]
      case .started(let application, _, _, _), .called(let application, _, _):
        // Once for each program that was started.
        if !hasIdentifier {
          hasIdentifier = true
          fields += ["identifier": .text(application.identifier)]
          lines.append("\(EscapedText(application.name))")
        }
      case .portal(let method, let target, _) where isDry:
        lines.append(DryRunText.portal(method, target))
        fields += ["call": .words([target])]
      case .portal, .failed: continue
      }
    }
  }
}
