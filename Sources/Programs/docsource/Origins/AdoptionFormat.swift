import CommandLineInterface
import DocumentSource
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

  /// What came of giving a file without a document source the one that its other marks tell.
  enum Inference {
    case nothing
    case written(DocumentSource)
    /// Why it could not be written, which has been said.
    case failed(String)

    var source: DocumentSource? { if case .written(let source) = self { source } else { nil } }

    var error: String? { if case .failed(let error) = self { error } else { nil } }
  }

  /// Tells people what was done; where objects are written, only what is kept.
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
    guard !isQuiet, !console.writesObjects, step.isChange else { return }
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
    if step.isOrphaned {
      let reason = step.isOfSpecialFile ? "a symbolic link or special file" : "missing"
      note(path, "kept \(place): the file it belongs to is \(reason)")
    }
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

  /// Writes the object of a file.
  func writeObject(_ report: AdoptionReport, _ inference: Inference, of path: FilePath) {
    let hasFailed = report.hasFailed || inference.error != nil
    let isChange = report.isChange || inference.source != nil
    guard hasFailed || !isQuiet else { return }
    var members: ChangeObject.Members = []
    if let source = inference.source { members += ShowFormat.members(source, nil) }
    if !report.steps.isEmpty {
      members.append((key: "steps", value: JSONText.array(report.steps.map(Self.object))))
    }
    if !report.flaws.isEmpty {
      members.append((key: "flaws", value: JSONText.array(report.flaws.map(TraceJSON.flaw))))
    }
    if hasFailed { members += JSONText.member("error", inference.error ?? Self.error(report)) }
    ChangeObject(
      hasFailed ? .failed : isChange ? .changed : .unchanged, isDry: isDry, members
    ).write(of: path.bytes, console)
  }

  private static func object(_ step: AdoptionStep) -> String {
    var members = JSONText.path(step.carrier.name[...], key: "carrier")
    members += JSONText.member("form", step.carrier.form.rawValue)
    if step.isRemoved { members.append((key: "isRemoved", value: "true")) }
    let attributes = [
      ("written", step.written), ("contradicted", step.contradicted), ("disputed", step.disputed),
      ("discarded", step.overruled),
    ]
    for (key, names) in attributes {
      members += ChangeObject.carriers(key, names.map { Array($0.bytes) })
    }
    for (key, texts) in [("remainder", step.remainder), ("errors", step.failures)]
    where !texts.isEmpty {
      let array = JSONText.array(texts.map { JSONText.string($0) })
      members.append((key: key, value: array))
    }
    if step.isForeign { members.append((key: "isForeign", value: "true")) }
    if step.isOrphaned { members.append((key: "isOrphaned", value: "true")) }
    return JSONText.object(members)
  }

  /// The first thing that went wrong.
  private static func error(_ report: AdoptionReport) -> String? {
    for step in report.steps {
      guard let failure = step.failures.first else { continue }
      return "kept \(OriginText.place(step.carrier.name)): \(failure)"
    }
    let flaw = report.flaws.first { if case .unreadable = $0.cause { true } else { false } }
    return flaw.map { "\(OriginText.place($0.name)): \($0)" }
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
