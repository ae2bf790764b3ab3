import CommandLineInterface
import ForeignFormats
import LinuxSystem
import Provenance
import TextFormats
import Xattr

/// How `adopt` tells what became of a file's foreign carriers.
struct AdoptionFormat {
  let isDry: Bool
  let isQuiet: Bool
  let console: Console

  func write(_ report: AdoptionReport, of path: FilePath) {
    for step in report.steps {
      writeDone(step, path)
      writeKept(step, path)
    }
    for flaw in report.flaws {
      switch flaw.cause {
      case .malformed: note(path, "kept \(OriginText.place(flaw.name)): \(flaw)")
      case .unreadable: tell(path, "\(OriginText.place(flaw.name)): \(flaw)")
      }
    }
  }

  private func writeDone(_ step: AdoptionStep, _ path: FilePath) {
    guard !isQuiet, step.isChange else { return }
    let place = OriginText.place(step.carrier.name)
    // Another value that goes is told: it stands nowhere else.
    let rest =
      step.overruled.isEmpty
      ? nil : ", discarding a different value of \(Self.names(step.overruled))"
    if step.written.isEmpty {
      let words = rest ?? ", which holds nothing new"
      say(path, "\(isDry ? "would remove" : "removed"): \(place)\(words)")
    } else {
      let names = Self.names(step.written)
      say(path, "\(isDry ? "would adopt" : "adopted"): \(names) (\(place))\(rest ?? "")")
    }
  }

  private func writeKept(_ step: AdoptionStep, _ path: FilePath) {
    let place = OriginText.place(step.carrier.name)
    if step.isForeign { tell(path, "kept \(place): owned by another user") }
    if step.isOrphaned { note(path, "kept \(place): the file it belongs to is missing") }
    let differences = [
      // Also with `mostrecent`, where nobody knows what that is.
      (step.contradicted, "", "use --keep=dotbar or --keep=native to choose a value"),
      (
        step.disputed, "another carrier has a ",
        "remove one of the carriers, or use --keep=native"
      ),
    ]
    for (names, speaker, remedy) in differences where !names.isEmpty {
      tell(
        path, "kept \(place): \(speaker)different value of \(Self.names(names)); \(remedy)")
    }
    for failure in step.failures { tell(path, "kept \(place): \(EscapedText(failure))") }
    if !step.remainder.isEmpty {
      note(
        path, "kept \(place): it holds \(EscapedText(step.remainder.joined(separator: ", ")))")
    }
  }

  /// The names as people know them, without the namespace.
  private static func names(_ names: [AttributeName]) -> String {
    let lead = "user.".utf8
    return names.map { name in
      OriginText.place(
        Array(name.bytes.starts(with: lead) ? name.bytes.dropFirst(lead.count) : name.bytes))
    }.joined(separator: ", ")
  }

  func say(_ path: FilePath, _ words: String) {
    console.output.writeLine("\(EscapedText(path.bytes)): \(words)")
  }

  private func note(_ path: FilePath, _ words: String) { if !isQuiet { tell(path, words) } }

  private func tell(_ path: FilePath, _ words: String) { console.report(path.bytes, words) }
}
