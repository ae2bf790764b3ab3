import CommandLineInterface
import DocumentSource
import FileTree
import LinuxSystem
import Manifest
import TextFormats

/// `docsource import`: writes the attributes that a manifest lists.
enum ImportCommand: Command {
  /// The manifest that is read when the command line names none.
  static let manifestName = ".x-document-source"

  private static let root = OptionDeclaration(
    "root", value: "DIR", help: "resolve paths from DIR (default: the working directory)")
  private static let keepExisting = OptionDeclaration(
    "keep-existing", help: "do not change files that have a document source")
  private static let allowOutside = OptionDeclaration(
    "allow-outside", help: "accept absolute paths and '..', which lead out of DIR")
  private static let insecureURL = OptionDeclaration(
    "insecure-url", help: "accept URLs in a \"source\" that are not https")

  static let answerOfFailure = ChangeObject.ofFailure

  static let verb = "import"
  static let declaration = CommandDeclaration(
    name: verb, summary: "write the marks listed in a manifest", operands: "[MANIFEST]",
    details: """
      Reads the output of 'docsource export' or 'getfattr --dump', from standard input if MANIFEST
      is -, and by default from \(manifestName) in DIR. Values are written byte for byte. Other
      attributes in a dump are skipped.

      Symbolic links are not followed. Missing files, paths that lead out of DIR and unreadable
      lines are reported; everything else is done, and the status is 2.
      """,
    options: [
      root, keepExisting, allowOutside, insecureURL, BulkChange.dryRun, BulkChange.quiet,
      BulkChange.verbose, BulkChange.json,
    ],
    examples: [
      "git clone https://git.example.com/site && docsource import --root site",
      "getfattr -R -d . | docsource import --dry-run --root ../copy -",
    ],
    manual: ManualText(Manual.import, ["manifest": manifestName]))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard arguments.operands.count <= 1 else { throw UsageError("give only one manifest") }
    let (isQuiet, listsUnchanged) = try BulkChange.reporting(arguments, isLong: true)
    let root = arguments.bytes(root).flatMap { FilePath(bytes: $0) } ?? FilePath(".")
    let lookup: TreeLookup
    do throws(TreeFailure) {
      lookup = try TreeLookup(
        below: root, bounds: arguments.has(allowOutside) ? .anywhere : .tree)
    } catch {
      throw UsageError("--root: '\(EscapedText(root.bytes))' cannot be opened: \(error.reason)")
    }
    let isNamed = !arguments.operands.isEmpty
    let named = InputFile.named(arguments.operands).first
    let input =
      isNamed ? named : InputFile(path: lookup.shown(FilePath(manifestName)))
    guard let input, let blocks = input.blocks(isNamed ? .anything : .plainFile, console) else {
      if !isNamed { console.say("import: give a manifest, or - for standard input") }
      return .failed
    }
    let rules = WritingRules(schemes: arguments.has(insecureURL) ? .any : .httpsOnly)
    var restoration = SourceRestoration(
      lookup: lookup, existing: arguments.has(keepExisting) ? .kept : .replaced,
      isDry: arguments.has(BulkChange.dryRun), isQuiet: isQuiet, listsUnchanged: listsUnchanged,
      console: console)
    restoration.restore(ManifestReader(rules: rules, block: blocks.next), named: input.name)
    return restoration.status
  }
}

/// Writes the values of a manifest to the files of a tree.
private struct SourceRestoration {
  /// What becomes of a document source that a file already has.
  enum Existing: Sendable {
    case replaced
    case kept
  }

  /// What became of an entry.
  typealias Outcome = ChangeObject.Outcome

  /// A file with more flaws than this is no manifest.
  private static let flawLimit = 100

  let lookup: TreeLookup
  let existing: Existing
  let isDry: Bool
  let isQuiet: Bool
  let listsUnchanged: Bool
  let console: Console
  var counts: [Outcome: Int] = [:]

  var status: ExitStatus { counts[.missing] == nil && counts[.failed] == nil ? .done : .failed }

  /// Restores the entries in the order of the manifest: of two for a file the later one stays.
  mutating func restore(_ manifest: consuming ManifestReader, named name: ArraySlice<UInt8>) {
    let progress = console.progress(isDry ? "comparing" : "importing")
    // A terminal that shows a line for each file needs no progress besides.
    let isShown = progress.isOnTerminal && (!listsUnchanged || !console.output.isTerminal)
    var done = 0
    var counts: [Outcome: Int] = [:]
    let (existing, isDry, isQuiet, listsUnchanged) = (existing, isDry, isQuiet, listsUnchanged)
    let work = ManifestWork(lookup: lookup, console: console)
    let isSilent = isQuiet && !listsUnchanged
    let flaws = work.forEach(
      of: manifest, flawLimit: Self.flawLimit,
      mayOvertake: isSilent && !isDry && existing == .replaced
    ) { items, order, lookup, console in
      var part = SourceRestoration(
        lookup: lookup, existing: existing, isDry: isDry, isQuiet: isQuiet,
        listsUnchanged: listsUnchanged, console: console)
      var last: FilePath?
      // An item that is taken out of an array is copied, with all it refers to.
      let span = items.span
      for position in span.indices {
        last = part.restore(span[position], at: position, order, of: name) ?? last
      }
      return (counts: part.counts, last: last)
    } done: { [lookup] part in
      counts.merge(part.counts, uniquingKeysWith: +)
      done += part.counts.values.reduce(0, +)
      if isShown, let last = part.last { progress.update(done, at: lookup.shown(last).bytes) }
    }
    self.counts = counts
    progress.hide()
    if flaws == Self.flawLimit {
      console.fail(name, "\(flaws) lines cannot be read; the rest is skipped")
    }
    if !isQuiet { console.report(name, summary) }
  }

  private var summary: String {
    let parts = Outcome.ofEntries.compactMap { outcome in
      counts[outcome].map { "\(CountText.of($0)) \(outcome.rawValue)" }
    }
    let words = parts.isEmpty ? "no entries" : parts.joined(separator: ", ")
    return isDry ? "dry run: \(words)" : words
  }

  /// - Returns: the entry's path.
  private mutating func restore(
    _ item: ManifestWork.Item, at position: Int, _ order: EntryOrder, of manifest: ArraySlice<UInt8>
  ) -> FilePath? {
    switch item {
    case .entry(let entry, let place):
      counts[restore(entry, at: position, order, place), default: 0] += 1
      return entry.path
    case .flaw(let flaw):
      console.fail(manifest, flaw.description + flaw.remedy.words)
      counts[.failed, default: 0] += 1
      return nil
    }
  }

  private func restore(
    _ entry: ManifestEntry, at position: Int, _ order: EntryOrder, _ place: ManifestWork.Place
  ) -> Outcome {
    do {
      let place = try place.found(entry, lookup)
      let isStored =
        !isDry
        && place.withEntry(of: entry.path) { DocumentSourceAttribute.store(entry.value, in: $0) }
      if isStored { return sayAdded(entry) }
      let isOvertaken = try !isDry && order.isOvertaken(entry, at: position, place)
      let attribute = DocumentSourceAttribute(
        of: place.reference(entry.path, shownAs: entry.path))
      let plan = try attribute.plan(storing: entry.value)
      let old = plan.replaced
      if plan.isUnchanged {
        return say(
          .unchanged, "unchanged", entry, entry.value, SourceText.summary(ofValue: entry.value))
      }
      if existing == .kept, let old, !old.isEmpty {
        return say(.kept, "kept", entry, old.bytes, SourceText.summary(ofValue: old.bytes))
      }
      if isDry { try attribute.preflight(plan) } else { try attribute.write(plan) }
      guard let old else { return sayAdded(entry) }
      // What the later entry has written stays, after this one has shown whether it can be written.
      if isOvertaken { try attribute.write(attribute.plan(storing: old.bytes)) }
      let verb = isDry ? "would change" : "changed"
      return say(.changed, verb, entry, entry.value, change(from: old, to: entry))
    } catch let refusal as TreeLookup.Refusal {
      let help =
        [.absolute, .upwards].contains(refusal) ? "; use --allow-outside to accept this path" : ""
      let path = lookup.shown(entry.path).bytes
      let words = "cannot write document source: \(refusal.reason)\(help)"
      guard refusal == .missing else {
        console.fail(path, words)
        return .failed
      }
      if console.writesObjects {
        ChangeObject(.missing, isDry: isDry, ["error": .text(words)])
          .write(of: path, console)
      }
      console.report(path, words)
      return .missing
    } catch let error as DocumentSourceError {
      console.fail(lookup.shown(entry.path).bytes, error.message + error.remedy.words)
      return .failed
    } catch {
      console.fail(lookup.shown(entry.path).bytes, "\(error)")
      return .failed
    }
  }

  private func sayAdded(_ entry: ManifestEntry) -> Outcome {
    say(
      .added, isDry ? "would add" : "added", entry, entry.value,
      SourceText.summary(ofValue: entry.value))
  }

  private func change(from old: StoredValue, to entry: ManifestEntry) -> String {
    let former = SourceText.summary(ofValue: old.bytes)
    let new = SourceText.summary(ofValue: entry.value)
    return former == new ? "\(new), with differences not shown" : "\(former) -> \(new)"
  }

  /// - Parameter value: what the file has now, or would have.
  private func say(
    _ outcome: Outcome, _ verb: String, _ entry: ManifestEntry, _ value: [UInt8],
    _ words: @autoclosure () -> String
  ) -> Outcome {
    guard outcome == .unchanged ? listsUnchanged : !isQuiet else { return outcome }
    let path = lookup.shown(entry.path).bytes
    if console.writesObjects {
      let source = Content.source(in: value).map { ShowFormat.fields($0, nil) }
      ChangeObject(outcome, isDry: isDry, source ?? ["source": .null]).write(of: path, console)
    } else {
      console.output.writeLine("\(EscapedText(path)): \(verb): \(EscapedText(words()))")
    }
    return outcome
  }
}
