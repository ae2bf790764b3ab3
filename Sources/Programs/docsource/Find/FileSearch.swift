import CommandLineInterface
import DocumentSource
import FileTree
import LinuxSystem
import TextFormats
import Xattr

/// The search of `find`: decides which files are wanted, and lists, counts or runs commands on them.
struct FileSearch: Sendable {
  let filter: SourceFilter
  /// Which files an app is offered, where this is asked for.
  let rule: RuleFilter?
  /// Which files were modified lately, where this is asked for.
  let modification: ModificationFilter?
  /// Which files were downloaded, where this is asked for.
  let origin: OriginFilter?
  /// Which files were seen being written, where this is asked for.
  let witness: WitnessFilter?
  let carriers: DocumentSourceAttribute.Carriers
  let output: FindOutput
  /// Whether paths are shown without the leading `./`, since the user has not typed it.
  let omitsLead: Bool
  let sorts: Bool
  /// Whether the user has typed the operands, rather than listed them in a file.
  let areTyped: Bool

  /// Whether there is a condition on something else than the document source.
  private var hasOtherCondition: Bool { rule != nil || origin != nil || witness != nil }

  /// Searches the named paths and everything below them.
  ///
  /// - Parameter runner: takes the files that would otherwise be listed.
  func run(
    _ paths: [FilePath], _ walk: BulkWalk, _ runner: (any FileRunner)?, _ console: Console
  ) -> ExitStatus {
    let fields = filter.neededFields.union(output.fields)
    let isPlain =
      !hasOtherCondition && fields.isEmpty && !filter.needsMark
      && (carriers == .native || filter.wantsUntagged)
      && output.tellsOnlyPaths
    let probe = SourceProbe()
    var readingWalk = walk
    if isPlain, filter.acceptsAnyName {
      readingWalk.selection.options.attribute = WalkOptions.Attribute(
        probe.name, absent: filter.wantsUntagged ? .visited : .leftOut)
    }
    let files = readingWalk.forEach(paths, links: .follow, console) { tally, operand, console in
      guard isSearchable(operand, console) else { return .failed }
      guard filter.accepts(name: operand.path) else { return .done }
      if let status = rejection(of: operand.file, isFound: false, console) { return status }
      return visit(
        operand.file, isDirectory: operand.isWalkedDirectory, isFound: false, fields, runner,
        &tally, console)
    } entry: { block, entry, _ in
      guard filter.acceptsAnyName || filter.accepts(name: entry.name) else { return nil }
      if filter.wantsUntagged, entry.isCarrier { return nil }
      if modification != nil, let status = rejection(of: entry.file, isFound: true, block.console) {
        return status
      }
      guard isPlain, let hasSource = Self.hasSource(entry, probe, carriers) else {
        return visit(
          entry.file, isDirectory: entry.kind == .directory, isFound: true, fields, runner,
          &block.tally, block.console)
      }
      guard hasSource ? !filter.needsReading : filter.wantsUntagged else { return nil }
      if runner == nil, !sorts, case .paths(let end, escapes: false, isStyled: false) = output {
        block.tally.found += 1
        if !list(entry, end, block.console) { walk.cancel() }
        return nil
      }
      found(
        entry.path, isDirectory: entry.kind == .directory, nil, runner, &block.tally,
        block.console)
      return .done
    }
    var status = files.status
    var records = files.tally.sorted
    records.sort()
    for position in 0..<records.count {
      guard console.output.failure == nil else { break }
      let (path, record) = records[position]
      if let runner { runner.run(path) } else { console.output.write(record) }
    }
    if let runner { status = status.combined(with: runner.finish()) }
    tell(files.tally, console)
    return files.tally.found > 0 ? status : status.combined(with: .negative)
  }

  /// The status of a file that is not wanted because of its time; `nil` for one that may be wanted.
  private func rejection(
    of file: FileReference, isFound: Bool, _ console: Console
  ) -> ExitStatus? {
    guard let modification else { return nil }
    switch modification.verdict(on: file) {
    case .accepted: return nil
    case .rejected: return .done
    case .gone where isFound: return .done
    case .gone:
      console.fail(file.path.bytes, "cannot search: \(Self.noSuchFile)")
    case .unknown(let errno):
      console.fail(file.path.bytes, "cannot read time: \(errno.description.lowercased())")
    }
    return .failed
  }

  /// Whether an entry has a source, by the attribute that the walk has read, if it has read one;
  /// `nil` if the entry has to be visited.
  private static func hasSource(
    _ entry: borrowing TreeEntry, _ probe: SourceProbe,
    _ carriers: DocumentSourceAttribute.Carriers
  ) -> Bool? {
    let hasNative: Bool? =
      switch entry.attribute {
      case .absent: false
      case .value(let bytes): probe.hasSource(unsafe Span(_unsafeBytes: bytes))
      case .unknown: nil
      case nil: probe.hasSource(entry.place)
      }
    return hasNative == false && carriers == .all && probe.mayHaveOther(entry.place)
      ? nil : hasNative
  }

  private func tell(_ tally: FindTally, _ console: Console) {
    switch output {
    case .count: console.output.writeLine(String(tally.found))
    case .summary(isJSON: true): SummaryTable.writeJSON(tally.summary, console)
    case .summary(isJSON: false): SummaryTable.write(tally.summary, console)
    default: break
    }
  }

  private func visit(
    _ file: FileReference, isDirectory: Bool, isFound: Bool, _ fields: DocumentSource.FieldSet,
    _ runner: (any FileRunner)?, _ tally: inout FindTally, _ console: Console
  ) -> ExitStatus {
    let state: FileSource
    do throws(DocumentSourceError) {
      let isNeeded = !hasOtherCondition || filter.needsReading || !output.tellsOnlyPaths
      state =
        isNeeded
        ? try FileSource(of: file, fields: fields, carriers: carriers)
        : .untagged(.noAttribute)
    } catch {
      // Files come and go while a tree is searched.
      if isFound, case .attribute(let refusal) = error.cause, refusal.errno == .noSuchFile {
        return .done
      }
      console.fail(error.path.bytes, error.message)
      return .failed
    }
    if let origin, !filter.needsReading || filter.accepts(state, of: file) {
      do throws(XattrError) {
        guard try origin.accepts(file) else { return .done }
      } catch {
        if isFound, error.errno == .noSuchFile { return .done }
        console.fail(file.path.bytes, "cannot read marks of origin: \(error.reason)")
        return .failed
      }
    }
    if let witness {
      do throws(DocumentSourceError) {
        guard try witness.accepts(file) else { return .done }
      } catch {
        console.fail(error.path.bytes, error.message)
        return .failed
      }
    }
    if let rule, !filter.needsReading || filter.accepts(state, of: file) {
      guard let isOffered = rule.accepts(file.path, console) else { return .failed }
      guard isOffered else { return .done }
    }
    if !isFound, !isDirectory, case .untagged = state { hint(file, console) }
    if case .summary = output {
      guard !filter.needsReading || filter.accepts(state, of: file) else { return .done }
      tally.summary.count(state)
      if isWanted(state, file) { tally.found += 1 }
    } else if isWanted(state, file) {
      found(file.path, isDirectory: isDirectory, state, runner, &tally, console)
    }
    return .done
  }

  /// Says of a named file without a document source that `trace` shows other marks, where it would
  /// only be missing in the list.
  private func hint(_ file: FileReference, _ console: Console) {
    guard !filter.needsReading, !hasOtherCondition, case .paths(let end, _, _) = output, end != 0
    else {
      return
    }
    let words = TraceHint.words(for: file)
    guard !words.isEmpty else { return }
    console.report(file.path.bytes, Absence.noAttribute.description + words)
  }

  /// - Parameter state: `nil` if only the path is shown.
  private func found(
    _ path: FilePath, isDirectory: Bool, _ state: FileSource?, _ runner: (any FileRunner)?,
    _ tally: inout FindTally, _ console: Console
  ) {
    tally.found += 1
    let path = shown(path)
    if let runner, !sorts { return runner.run(Array(path)) }
    tally.record.removeAll(keepingCapacity: true)
    if runner == nil { output.append(path, isDirectory: isDirectory, state, to: &tally.record) }
    if sorts {
      tally.sorted.append(path: path, record: tally.record, like: .path)
    } else {
      console.output.write(tally.record)
    }
  }

  /// Lists a path unescaped, as `found` does, but without making a `FilePath`.
  private func list(_ entry: borrowing TreeEntry, _ end: UInt8, _ console: Console) -> Bool {
    console.output.writeRecord(end: end) { pending in
      let start = pending.count
      entry.appendPath(to: &pending, droppingFirst: omitsLead ? Self.lead.count : 0)
      if omitsLead, pending[start] == UInt8(ascii: "-") {
        pending.insert(contentsOf: Self.lead, at: start)
      }
    }
  }

  private static let lead = Array("./".utf8)

  /// Without conditions, a file with a source is wanted.
  private func isWanted(_ state: FileSource, _ file: FileReference) -> Bool {
    if filter.needsReading { return filter.accepts(state, of: file) }
    if hasOtherCondition { return true }
    if case .source = state { return true }
    return false
  }

  private func isSearchable(_ operand: Operands.Operand, _ console: Console) -> Bool {
    switch operand.kind {
    case .file, .directory: return true
    case .other:
      console.fail(operand.path.bytes, "cannot search: not a regular file or directory")
    case nil:
      let reason = absence(of: operand.file)
      console.fail(operand.path.bytes, "cannot search: \(reason)" + hint(operand.path, reason))
    }
    return false
  }

  /// What a word may have meant that is no path: a pattern, or the name of an application or a file.
  private func hint(_ path: FilePath, _ reason: String) -> String {
    guard areTyped, reason == Self.noSuchFile else { return "" }
    let word = Array(path.bytes)
    if word.contains(where: { "*?[".utf8.contains($0) }) {
      return "; use --file-name '\(EscapedText(word))' to find files by name"
    }
    return word.contains(UInt8(ascii: "/"))
      ? "" : "; --app and --app-name find files by application, --file-name by name"
  }

  private static let noSuchFile = Errno.noSuchFile.description.lowercased()

  /// Why nothing is found at a path.
  private func absence(of file: FileReference) -> String {
    do throws(DocumentSourceError) {
      _ = try FileSource(of: file, fields: [], carriers: .native)
    } catch {
      if case .attribute(let refusal) = error.cause { return refusal.reason }
    }
    return Self.noSuchFile
  }

  /// The path as it is shown; one that would be taken for an option keeps its `./`.
  private func shown(_ path: FilePath) -> ArraySlice<UInt8> {
    let bytes = path.bytes
    guard omitsLead, bytes.count > 2, bytes[bytes.startIndex + 2] != UInt8(ascii: "-") else {
      return bytes
    }
    return bytes.dropFirst(2)
  }
}

/// The files that one thread of `find` has found.
struct FindTally: BulkTally {
  var found = 0
  var summary = SourceSummary()
  /// Records to be sorted by their paths.
  var sorted = PathRecords()
  /// The record being made, which reuses the memory of earlier ones.
  var record: [UInt8] = []

  mutating func add(_ other: FindTally) {
    found += other.found
    summary.add(other.summary)
    sorted.add(other.sorted)
  }
}
