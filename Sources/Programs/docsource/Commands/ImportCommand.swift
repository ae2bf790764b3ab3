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
    "root", value: "DIR", help: "where paths lead from, otherwise the working directory")
  private static let keepExisting = OptionDeclaration(
    "keep-existing", help: "leave files alone that have a document source")
  private static let allowOutside = OptionDeclaration(
    "allow-outside", help: "take absolute paths and '..' too, which lead out of DIR")
  private static let insecureURL = OptionDeclaration(
    "insecure-url", help: "accept a URL that is not https in a \"source\"")

  static let verb = "import"
  static let declaration = CommandDeclaration(
    name: verb, summary: "write the marks that a manifest lists", operands: "[MANIFEST]",
    details: """
      Reads what 'docsource export' or 'getfattr --dump' wrote, from standard input where MANIFEST
      is -; without it, from \(manifestName) in DIR. Values are written byte for byte. Of a dump,
      other attributes are passed over.

      No symbolic link is followed. A file that is missing, a path that leads out of DIR and a line
      that cannot be read are reported; the rest is done, and the status is 2.
      """,
    options: [root, keepExisting, allowOutside, insecureURL, BulkChange.dryRun, BulkChange.quiet],
    examples: [
      "git clone https://git.example.com/site && docsource import --root site",
      "getfattr -R -d . | docsource import --dry-run --root ../copy -",
    ],
    manual: manual)

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard arguments.operands.count <= 1 else { throw UsageError("one manifest at a time") }
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
      isDry: arguments.has(BulkChange.dryRun), isQuiet: arguments.has(BulkChange.quiet),
      console: console)
    restoration.restore(ManifestReader(rules: rules, block: blocks.next), named: input.name)
    return restoration.status
  }

  private static let manual = ManualText(
    """
    The first line tells the format: a line of JSON begins with {, a dump with #. Lines may stand in
    any order; of two for one file the later counts. A line of JSON is an object with the members
    file, and fileBase64 where the path is not UTF-8; value, the bytes of the attribute in Base64;
    or source, an object of the fields, of which the value is made. Where both are there and
    disagree, the line fails. What 'docsource show --json' prints does too, where it has a source.

    A file whose attribute has the value already is not written. What is there is replaced, unless
    --keep-existing is given; then a file with any value keeps it. The stream that Samba keeps is
    kept in step.

    No component of a path may be a symbolic link, and nobody who swaps one in meanwhile leads the
    writing elsewhere; --root itself may lead through links. With --allow-outside, paths that are
    absolute, or that lead upwards, are taken, still without following links. Without MANIFEST, the
    one in DIR must be a regular file and no link.

    \(BulkChange.dryRunManual)

    At the end a line on standard error counts the files added, changed, unchanged, kept, missing
    and failed. On a terminal that does not show a line for each file, how far the work has come is
    shown after a second. After 100 lines that cannot be read the rest is left.
    """,
    exitStatus: [
      .noSource: "",
      .failed: """
      The manifest or some of its lines cannot be read, or some file is missing or cannot be \
      written. The rest is done.
      """,
      .usage: "The command line was wrong, or DIR cannot be opened; nothing is done.",
    ],
    files: [
      ManualText.Entry(manifestName, "The manifest in DIR that is read where none is named.")
    ],
    seeAlso: ["docsource-export(1)", "getfattr(1)", "setfattr(1)"])
}

/// Writes the values of a manifest to the files of a tree.
private struct SourceRestoration {
  /// What becomes of a document source that a file already has.
  enum Existing {
    case replaced
    case kept
  }

  /// What became of an entry.
  enum Outcome: String, CaseIterable {
    case added, changed, unchanged, kept, missing, failed
  }

  /// A file with more flaws than this is no manifest.
  private static let flawLimit = 100

  let lookup: TreeLookup
  let existing: Existing
  let isDry: Bool
  let isQuiet: Bool
  let console: Console
  var counts: [Outcome: Int] = [:]

  var status: ExitStatus { counts[.missing] == nil && counts[.failed] == nil ? .done : .failed }

  /// Restores the entries in the order of the manifest: of two for a file the later one stays.
  mutating func restore(_ manifest: consuming ManifestReader, named name: ArraySlice<UInt8>) {
    let progress = console.progress(isDry ? "comparing" : "importing")
    // A terminal that shows a line for each file needs no progress besides.
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
        console.report(name, EscapedText(error.description + error.remedy.words).description)
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
      if isDry { try attribute.rehearse(plan) } else { try attribute.write(plan) }
      guard let old else {
        let verb = isDry ? "would add" : "added"
        return say(.added, verb, entry, SourceText.summary(ofValue: entry.value))
      }
      return say(.changed, isDry ? "would change" : "changed", entry, change(from: old, to: entry))
    } catch let refusal as TreeLookup.Refusal {
      let help = [.absolute, .upwards].contains(refusal) ? "; --allow-outside takes it" : ""
      console.report(
        lookup.shown(entry.path).bytes, "cannot write document source: \(refusal.reason)\(help)")
      return refusal == .missing ? .missing : .failed
    } catch let error as DocumentSourceError {
      console.report(error)
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
