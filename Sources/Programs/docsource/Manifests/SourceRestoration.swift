import CommandLineInterface
import DocumentSource
import FileTree
import LinuxSystem
import Manifest
import TextFormats
import Xattr

/// Writes the values of a manifest to the files of a tree.
struct SourceRestoration {
  /// What becomes of a document source that is there.
  enum Existing {
    case replaced
    case kept
  }

  /// What became of an entry.
  private enum Outcome: String, CaseIterable {
    case added, changed, unchanged, kept, missing, failed
  }

  /// No manifest has so many flaws by accident: it is something else.
  private static let flawLimit = 100

  private let lookup: TreeLookup
  private let existing: Existing
  private let isDry: Bool
  private let isQuiet: Bool
  private let console: Console
  private var counts: [Outcome: Int] = [:]

  init(lookup: TreeLookup, existing: Existing, isDry: Bool, isQuiet: Bool, console: Console) {
    self.lookup = lookup
    self.existing = existing
    self.isDry = isDry
    self.isQuiet = isQuiet
    self.console = console
  }

  /// Failed where any entry was not restored.
  var status: ExitStatus { counts[.missing] == nil && counts[.failed] == nil ? .done : .failed }

  /// Goes through a manifest in its order: of two values for a file the later one stays.
  mutating func restore(_ manifest: consuming ManifestReader, named name: ArraySlice<UInt8>) {
    let progress = console.progress(isDry ? "comparing" : "importing")
    // On the terminal that shows each file's line, that is progress enough.
    let isShown = progress.isOnTerminal && (isQuiet || !console.output.isTerminal)
    var done = 0
    var flaws = 0
    while flaws < Self.flawLimit {
      do throws(ManifestFailure) {
        guard let entry = try manifest.next() else { break }
        counts[restore(entry), default: 0] += 1
        done += 1
        if isShown { progress.update(done, at: lookup.shown(entry.path).bytes) }
      } catch {
        console.report(name, EscapedText(error.description).description)
        counts[.failed, default: 0] += 1
        flaws += 1
      }
    }
    progress.hide()
    if flaws == Self.flawLimit {
      console.report(name, "\(flaws) lines cannot be read; the rest is left")
    }
    if !isQuiet { console.report(name, summary) }
  }

  private var summary: String {
    let parts = Outcome.allCases.compactMap { outcome in
      counts[outcome].map { "\(CountText.of($0)) \(outcome.rawValue)" }
    }
    let words = parts.isEmpty ? "nothing in it" : parts.joined(separator: ", ")
    return isDry ? "dry run: \(words)" : words
  }

  private func restore(_ entry: ManifestEntry) -> Outcome {
    do {
      let attribute = DocumentSourceAttribute(of: try lookup.file(at: entry.path))
      let plan = try attribute.plan(storing: entry.value)
      let old = plan.replaced
      if plan.isUnchanged {
        return say(.unchanged, "unchanged", entry, SourceText.summary(ofValue: entry.value))
      }
      if existing == .kept, let old, !old.isEmpty {
        return say(.kept, "kept", entry, SourceText.summary(ofValue: old.bytes))
      }
      if !isDry { try attribute.write(plan) }
      guard let old else {
        let verb = isDry ? "would add" : "added"
        return say(.added, verb, entry, SourceText.summary(ofValue: entry.value))
      }
      return say(.changed, isDry ? "would change" : "changed", entry, change(from: old, to: entry))
    } catch let refusal as TreeLookup.Refusal {
      console.report(lookup.shown(entry.path).bytes, words(for: refusal))
      return refusal == .missing ? .missing : .failed
    } catch let error as DocumentSourceError {
      console.report(error.path.bytes, EscapedText(error.message).description)
      return .failed
    } catch {
      console.report(entry.path.bytes, EscapedText("\(error)").description)
      return .failed
    }
  }

  private func change(from old: StoredValue, to entry: ManifestEntry) -> String {
    let former = SourceText.summary(ofValue: old.bytes)
    let new = SourceText.summary(ofValue: entry.value)
    return former == new ? "\(new), in what is not shown" : "\(former) -> \(new)"
  }

  private func words(for refusal: TreeLookup.Refusal) -> String {
    switch refusal {
    case .absolute, .upwards:
      "cannot write document source: \(refusal.reason); --allow-outside takes it"
    default: "cannot write document source: \(refusal.reason)"
    }
  }

  private func say(
    _ outcome: Outcome, _ verb: String, _ entry: ManifestEntry,
    _ words: @autoclosure () -> String
  ) -> Outcome {
    if !isQuiet {
      let path = EscapedText(lookup.shown(entry.path).bytes)
      console.output.writeLine("\(path): \(verb): \(EscapedText(words()))")
    }
    return outcome
  }
}
