import CommandLineInterface
import LinuxSystem
import Provenance
import TextFormats

/// How `emit` tells what became of a file's marks.
struct EmissionFormat {
  let isDry: Bool
  let isQuiet: Bool
  let console: Console

  /// - Returns: the gravest status.
  func write(_ steps: [EmissionStep], _ form: MarkForm, of path: FilePath) -> ExitStatus {
    guard !steps.isEmpty else {
      console.report(path.bytes, "no mark that \(Self.name(form)) could hold")
      return .noSource
    }
    return steps.reduce(.done) { status, step in
      status.combined(with: write(step, of: path))
    }
  }

  private func write(_ step: EmissionStep, of path: FilePath) -> ExitStatus {
    let target = EscapedText(step.target)
    switch step.outcome {
    case .written: say(path, "\(isDry ? "would write" : "wrote"): \(target)")
    case .unchanged: say(path, "unchanged: \(target)")
    case .refused:
      console.report(path.bytes, "\(target) says something else already; --force replaces it")
      return .failed
    case .failed(let reason):
      console.report(path.bytes, "cannot write \(target): \(EscapedText(reason))")
      return .failed
    }
    return .done
  }

  private func say(_ path: FilePath, _ words: String) {
    if !isQuiet { console.output.writeLine("\(EscapedText(path.bytes)): \(words)") }
  }

  private static func name(_ form: MarkForm) -> String {
    switch form {
    case .appleDouble: "an AppleDouble file"
    case .xdg: "a user.xdg attribute"
    case .zone: "a Zone.Identifier"
    }
  }
}
