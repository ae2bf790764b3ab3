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

  /// What came of giving a file what its other marks, and the records of browsers, tell.
  struct Inference {
    /// What was written, or would be.
    var source: DocumentSource?
    var url: String?
    /// Why something could not be written, which has been said.
    var error: String?

    var isChange: Bool { source != nil || url != nil }
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
    // Another value that goes is reported: it is nowhere else.
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
    if step.isRemoved { return }
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
    let isChange = report.isChange || inference.isChange
    guard hasFailed || !isQuiet else { return }
    let fields: JSONFields = [
      "steps": report.steps.isEmpty ? nil : .objects(report.steps.map(Self.object)),
      "flaws": report.flaws.isEmpty ? nil : .objects(report.flaws.map(TraceJSON.flaw)),
      "error": hasFailed ? .text(inference.error ?? Self.error(report)) : nil,
    ]
    let source = inference.source.map { ShowFormat.fields($0, nil) } ?? [:]
    let url: JSONFields = ["originURL": .text(inference.url)]
    ChangeObject(
      hasFailed ? .failed : isChange ? .changed : .unchanged, isDry: isDry, source + url + fields
    ).write(of: path.bytes, console)
  }

  private static func object(_ step: AdoptionStep) -> JSONFields {
    func carriers(_ names: [AttributeName]) -> JSONFields.Field? {
      ChangeObject.carriers(names.map { Array($0.bytes) })
    }
    func texts(_ texts: [String]) -> JSONFields.Field? { texts.isEmpty ? nil : .texts(texts) }
    return [
      "carrier": .path(step.carrier.name), "form": .text(step.carrier.form.rawValue),
      "isRemoved": step.isRemoved ? true : nil, "written": carriers(step.written),
      "contradicted": carriers(step.contradicted), "disputed": carriers(step.disputed),
      "discarded": carriers(step.overruled), "remainder": texts(step.remainder),
      "errors": texts(step.failures), "isForeign": step.isForeign ? true : nil,
      "isOrphaned": step.isOrphaned ? true : nil,
    ]
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
