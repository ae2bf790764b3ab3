import CommandLineInterface
import DocumentSource
import FileTree
import LinuxSystem
import Manifest
import TextFormats
import Xattr

/// `docsource export`: writes a manifest of the attributes of a tree.
enum ExportCommand: Command {
  private static let format = OptionDeclaration(
    "format", value: "FORMAT", choices: ManifestFormat.allCases.map(\.rawValue),
    help: "write one JSON object per line, or input for setfattr --restore")
  private static let root = OptionDeclaration(
    "root", value: "DIR", help: "write paths relative to DIR")
  private static let oneFileSystem = OptionDeclaration(
    "one-file-system", short: "x", help: "stay on each operand's file system")

  static let verb = "export"
  static let declaration = CommandDeclaration(
    name: verb, summary: "write a manifest of the marks in a directory tree",
    operands: "[DIR|FILE]...",
    details: """
      Lists all files and directories that have the attribute, at and below the operands or the
      working directory, sorted by path, each value byte for byte. Links below an operand are not
      followed; by default, version control directories such as .git are left out and other hidden
      files are included.

      Paths are relative to the directory if only one is given, otherwise to the working directory.
      'docsource import' reads the manifest, by default from \(ImportCommand.manifestName).
      """,
    options: [OutputFile.option, format, root, oneFileSystem, FileList.option]
      + WalkSelection.choosing,
    examples: [
      "docsource export -o \(ImportCommand.manifestName)",
      "docsource export --format getfattr ~/Documents >documents.dump",
    ],
    manual: ManualText(Manual.export, ["manifest": ImportCommand.manifestName]))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let form = try arguments.choice(format).flatMap(ManifestFormat.init) ?? .json
    let here = FilePath(".")
    let operands = arguments.operands.compactMap { FilePath(bytes: $0) }
    let paths = operands.isEmpty ? [here] : operands
    var collection = SourceCollection(
      below: try rootDirectory(arguments, paths) ?? here,
      try WalkSelection(arguments, reach: .documents, kinds: .filesAndDirectories),
      console: console)
    for path in paths { collection.add(path) }
    if collection.isEmpty, collection.status == .done {
      console.say("no document source found")
    }
    let written = write(&collection, form, to: arguments.bytes(OutputFile.option), console)
    return collection.isEmpty ? written.combined(with: .negative) : written
  }

  private static func rootDirectory(
    _ arguments: Arguments, _ paths: [FilePath]
  ) throws(UsageError) -> FilePath? {
    if let bytes = arguments.bytes(root) {
      guard let path = FilePath(bytes: bytes), RootDirectory(path) != nil else {
        throw UsageError("--root: '\(EscapedText(bytes))' is not an accessible directory")
      }
      return path
    }
    guard paths.count == 1, let only = paths.first,
      TreeEntry.Kind(of: only, links: .follow) == .directory
    else { return nil }
    return only
  }

  /// The room that 128 entries of the usual size need.
  private static let usualPiece = 96 << 10

  private static func write(
    _ collection: inout SourceCollection, _ format: ManifestFormat, to target: [UInt8]?,
    _ console: Console
  ) -> ExitStatus {
    // An existing manifest is worth more than an empty one made of failures.
    if let target, target != [UInt8(ascii: "-")], collection.isEmpty, collection.status != .done {
      console.report(target[...], "not written because nothing was found")
      return collection.status
    }
    let entries = collection.sort()
    let written = OutputFile.write(to: target, console) { (write) throws(Errno) in
      try forEachPiece(of: entries, format, write)
    }
    return collection.status.combined(with: written)
  }

  private static func forEachPiece(
    of entries: SourceCollection.Sorted, _ format: ManifestFormat,
    _ write: ([UInt8]) throws(Errno) -> Void
  ) throws(Errno) {
    var failure: Errno?
    ParallelBatch.forEach(entries.count, inPiecesOf: 128) { range in
      var piece: [UInt8] = []
      piece.reserveCapacity(usualPiece)
      for position in range {
        if let entry = entries[position] { format.append(entry, to: &piece) }
      }
      return piece
    } done: { piece in
      do throws(Errno) { try write(piece) } catch { failure = error }
      return failure == nil
    }
    if let failure { throw failure }
  }
}

/// The attributes of files in trees, gathered for a manifest.
private struct SourceCollection {
  private let root: RootDirectory?
  private var selection: WalkSelection
  private let probe = SourceProbe()
  private let console: Console
  private var entries = PathRecords()

  /// The gravest status so far.
  private(set) var status = ExitStatus.done

  var isEmpty: Bool { entries.count == 0 }

  /// - Parameter root: the directory that paths are relative to.
  init(below root: FilePath, _ selection: WalkSelection, console: Console) {
    self.root = RootDirectory(root)
    self.selection = selection
    // The walk reads it of each entry, which is the fastest place for that.
    self.selection.options.attribute = WalkOptions.Attribute(probe.name, absent: .visited)
    self.console = console
  }

  /// The entries in the order of their paths' bytes, so that a manifest changes only where the tree
  /// does.
  struct Sorted: Sendable {
    fileprivate let entries: PathRecords

    var count: Int { entries.count }

    /// The entry at a position; `nil` for one that stands there twice, since operands may overlap.
    subscript(position: Int) -> ManifestEntry? {
      guard position == 0 || !entries.haveSamePath(position - 1, position) else { return nil }
      let (path, value) = entries[position]
      guard let path = FilePath(bytes: path) else { return nil }
      return ManifestEntry(
        path: path, value: value, converted: DocumentSourceAttribute.converted(value))
    }
  }

  mutating func sort() -> Sorted {
    entries.sort()
    return Sorted(entries: entries)
  }

  /// Adds a file, or a directory and all below it.
  mutating func add(_ operand: FilePath) {
    guard let real = NamedPath(operand, links: .follow).realComponents else {
      return fail(operand, "no such file, or a directory of the path is not searchable")
    }
    guard let names = root?.names(below: real) else {
      return fail(operand, "not below the directory to which paths are relative; use --root")
    }
    let slash = CollectionOfOne(UInt8(ascii: "/"))
    let lead = Array(names.joined(separator: slash))
    var named = Found()
    named.add(.path(operand), at: lead.isEmpty ? [UInt8(ascii: ".")] : lead, isOperand: true)
    take(named)
    guard TreeEntry.Kind(of: operand, links: .follow) == .directory else { return }
    let base = lead.isEmpty ? [] : lead + slash
    let skipped = operand.appending(FilePath("x")).bytes.count - 1
    let probe = probe
    do throws(TreeFailure) {
      let blocks = try TreeWalk.walk(
        below: operand, links: .follow, options: selection.options, workers: selection.workers
      ) {
        Found()
      } visit: { found, entry in
        found.add(entry, below: base, skipped, probe)
      } failed: { found, failure in
        found.failures.append((failure.path, "cannot read directory: \(failure.reason)"))
      }
      take(blocks.reduce(into: Found()) { $0.add($1) })
    } catch {
      fail(error.path, "cannot read directory: \(error.reason)")
    }
  }

  private mutating func take(_ found: Found) {
    entries.add(found.entries)
    // Whichever thread met them first.
    let failures = found.failures.sorted { $0.path.precedes($1.path) }
    for (path, message) in failures { fail(path, message) }
  }

  private mutating func fail(_ path: FilePath, _ message: String) {
    console.report(path.bytes, EscapedText(message).description)
    status = .failed
  }
}

/// What one thread has found.
private struct Found: Sendable {
  var entries = PathRecords()
  var failures: [(path: FilePath, message: String)] = []

  mutating func add(_ other: Found) {
    entries.add(other.entries)
    failures += other.failures
  }

  /// Adds an entry whose attribute the walk has read.
  ///
  /// - Parameters:
  ///   - base: what the paths in the manifest begin with, in the place of their first `skipped`
  ///     bytes.
  mutating func add(
    _ entry: borrowing TreeEntry, below base: [UInt8], _ skipped: Int, _ probe: SourceProbe
  ) {
    if case .absent = entry.attribute, !probe.mayHaveOther(entry.place) { return }
    var path = base
    entry.appendPath(to: &path, droppingFirst: skipped)
    if case .value(let bytes) = entry.attribute {
      let value = unsafe Array(bytes)
      if !StoredValue.isEmpty(value), !AttributeValue.isXML(value) {
        entries.append(path: path[...], record: value, like: .record)
        return
      }
    }
    add(entry.file, at: path, isOperand: false)
  }

  mutating func add(_ file: FileReference, at path: [UInt8], isOperand: Bool) {
    do throws(DocumentSourceError) {
      let attribute = DocumentSourceAttribute(of: file)
      guard let stored = try attribute.stored(),
        // Samba leaves an empty stream where a write did not fit.
        stored.carrier == .native || !stored.isEmpty
      else { return }
      entries.append(path: path[...], record: stored.nativeBytes, like: .record)
    } catch {
      if error.isOfUnsupportedPlace { return }
      // Files come and go while a tree is walked.
      if !isOperand, case .attribute(let refusal) = error.cause, refusal.errno == .noSuchFile {
        return
      }
      failures.append((error.path, error.message))
    }
  }
}
