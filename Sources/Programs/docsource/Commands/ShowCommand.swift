import BinaryPropertyList
import CommandLineInterface
import DocumentSource
import FileTree
import LinuxSystem
import PropertyListText
import TextFormats
import Xattr

/// `docsource show`: reads the attribute.
enum ShowCommand: Command {
  static let json = OptionDeclaration(
    "json", help: "print one JSON object per line, for programs")
  private static let field = OptionDeclaration(
    "field", short: "f", value: "NAME", choices: DocumentSource.Field.allCases.map(\.key),
    help: "print one field only")
  private static let xml = OptionDeclaration(
    "xml", help: "print the whole value as an XML property list")
  private static let raw = OptionDeclaration("raw", help: "print the raw bytes of the attribute")
  static let null = OptionDeclaration(
    "null", short: "0", help: "end each line with NUL and escape nothing")
  private static let verify = OptionDeclaration(
    "verify", help: "compare with which application 'watch' saw writing FILE")
  private static let quiet = OptionDeclaration(
    "quiet", short: "q", help: "print nothing; set only the exit status")

  static let answerOfFailure: JSONFields? = ["source": .null]

  static let verb = "show"
  static let declaration = CommandDeclaration(
    name: verb, summary: "show which application a file came from", operands: "FILE...",
    details: """
      Shows one file as a block, and several files with one line each. With --recursive, files
      without a document source are skipped silently.
      """,
    options: [
      json, field, xml, raw, null, verify, Operands.recursive, Operands.noDereference, quiet,
      TerminalStyle.option, WalkSelection.threads, FileList.option,
    ],
    filters: WalkSelection.choosing,
    examples: [
      "docsource show notes.txt",
      "docsource show --field identifier -0 *.txt | sort -zu",
    ],
    manual: ManualText(Manual.show))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let operands = try Operands(arguments)
    let format = try format(arguments, operands)
    console.isStyled = try TerminalStyle.isWanted(arguments, on: console.output)
    let selection = try WalkSelection(
      arguments, reach: .documents, kinds: .filesAndDirectories)
    if arguments.has(verify) { return try verify(arguments, operands, selection, format, console) }
    guard operands.isRecursive else {
      // A closure that threads share is made on the heap, which a single file need not wait for.
      guard operands.areMany, selection.workers > 1 else {
        return operands.run { show($0, format, console) }
      }
      TraceHint.expect(operands.paths.count)
      return operands.run(console, workers: selection.workers, from: 0) {
        operand, console, bareCount in
        // After several files without an attribute, the next one may well have none either.
        let status = show(operand, format, console, listsFirst: bareCount >= bareLimit)
        bareCount = status == .negative ? bareCount + 1 : 0
        return status
      }
    }
    let (status, tally) = BulkWalk(selection: selection).forEach(
      operands.paths, links: operands.links, console, tally: Tally.self
    ) { tally, operand, console in
      let status = show(operand, format, console)
      if status == .done { tally.shown += 1 }
      return status == .negative && operand.mayLackSource ? .done : status
    }
    return status == .done && tally.shown == 0 ? .negative : status
  }

  /// A function of its own, so that showing a file touches no more memory.
  @inline(never)
  private static func verify(
    _ arguments: Arguments, _ operands: Operands, _ selection: WalkSelection,
    _ format: ShowFormat, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    if let other = [field, xml, raw].first(where: arguments.has) {
      throw UsageError("--verify and --\(other.long) cannot be combined")
    }
    guard operands.isRecursive else {
      return operands.run(console, workers: selection.workers) {
        verdict(on: $0, format, $1).0
      }
    }
    let (status, tally) = BulkWalk(selection: selection).forEach(
      operands.paths, links: operands.links, console, tally: Tally.self
    ) { tally, operand, console in
      let (status, hasSource) = verdict(on: operand, format, console)
      if hasSource { tally.shown += 1 }
      return status == .negative && !hasSource && operand.mayLackSource ? .done : status
    }
    return status == .done && tally.shown == 0 ? .negative : status
  }

  /// - Returns: the status, and whether there is a document source to compare.
  private static func verdict(
    on operand: Operands.Operand, _ format: ShowFormat, _ console: Console
  ) -> (ExitStatus, hasSource: Bool) {
    let path = operand.path
    let attribute = DocumentSourceAttribute(of: operand.file)
    guard let finding = try? attribute.read(), case .source(let source, _) = finding.content else {
      return (show(operand, format, console), false)
    }
    do throws(Errno) {
      let verification = try Verification(source, of: operand.file)
      switch format {
      case .json(let end):
        let fields = ShowFormat.object(source, finding, path) + verification.fields
        format.write(fields.text, end, console)
      case .nothing: break
      case .block:
        _ = show(operand, format, console)
        console.writeRow("Verified", verification.words)
      default:
        _ = show(operand, format, console)
        format.write(verification, of: path, console)
      }
      return (verification.verdict.status, true)
    } catch {
      console.fail(path.bytes, "cannot verify: \(error.description.lowercased())")
      return (.failed, true)
    }
  }

  private struct Tally: BulkTally {
    var shown = 0

    mutating func add(_ other: Tally) { shown += other.shown }
  }

  private static func format(
    _ arguments: Arguments, _ operands: Operands
  ) throws(UsageError) -> ShowFormat {
    let chosen = [json, field, xml, raw, quiet].filter(arguments.has)
    guard chosen.count <= 1 else {
      let names = chosen.map { "--" + $0.long }.joined(separator: " and ")
      throw UsageError("\(names) cannot be combined")
    }
    let end = arguments.has(null) ? UInt8(0) : UInt8(ascii: "\n")
    switch chosen.first {
    case json: return .json(end: end)
    case field:
      // The key may be spelled like the option that sets it, as GNU tools have it.
      let typed = try arguments.text(field)
      if typed == TagCommand.name.long { return .field(.name, end: end) }
      if typed == TagCommand.document.long { return .field(.path, end: end) }
      if typed == TagCommand.appInfoURL.long { return .field(.appInfoURL, end: end) }
      let key = try arguments.choice(field)
      return .field(key.flatMap(DocumentSource.Field.init) ?? .identifier, end: end)
    case xml, raw:
      guard !operands.areSeveral else { throw UsageError("--xml and --raw take one file") }
      return chosen.first == xml ? .xml : .raw
    case quiet: return .nothing
    default: return operands.areSeveral || end == 0 ? .lines(end: end) : .block
    }
  }

  private static let bareLimit = 4

  private static func show(
    _ operand: Operands.Operand, _ format: ShowFormat, _ console: Console,
    listsFirst: Bool = false
  ) -> ExitStatus {
    let path = operand.path
    let attribute = DocumentSourceAttribute(of: operand.file)
    do throws(DocumentSourceError) {
      if case .raw = format {
        guard let stored = try attribute.stored() else {
          format.write(.noAttribute, of: operand.file, console)
          return .negative
        }
        console.output.write(stored.bytes)
        return .done
      }
      let finding = try attribute.read(listsFirst: listsFirst)
      switch finding.content {
      case .source(let source, let mistyped):
        if case .nothing = format { return .done }
        for key in mistyped {
          console.report(path.bytes, "\(EscapedText(key.description)); ignored")
        }
        if let flaw = finding.stored.flatMap({ Content.flaw(in: $0.bytes) }) {
          console.report(path.bytes, "the attribute is not well-formed: \(flaw)")
        }
        let status = format.write(source, finding, path, console)
        if status == .negative, !operand.mayLackSource, case .field(let field, _) = format {
          console.report(path.bytes, "the document source has no \(field.key)")
        }
        return status
      case .none(let absence):
        if !operand.mayLackSource {
          format.write(absence, of: operand.file, isBare: finding.isBare, console)
        }
        return .negative
      }
    } catch {
      if error.isOfUnsupportedPlace {
        if !operand.mayLackSource { format.write(.noAttribute, of: operand.file, console) }
        return .negative
      }
      console.fail(error.path.bytes, error.message)
      return .failed
    }
  }
}

/// How `show` prints what it reads.
enum ShowFormat {
  /// Several lines for one file, for people.
  case block
  /// A line for each file, for people.
  case lines(end: UInt8)
  case json(end: UInt8)
  case field(DocumentSource.Field, end: UInt8)
  case xml
  case raw
  case nothing

  /// Prints a source; returns `.negative` where the source lacks the field asked for.
  func write(
    _ source: DocumentSource, _ finding: Finding, _ path: FilePath, _ console: Console
  ) -> ExitStatus {
    switch self {
    case .block: block(source, finding, path, console)
    case .lines(let end): line(source, path, end, console)
    case .json(let end): write(Self.object(source, finding, path).text, end, console)
    case .field(let field, let end):
      guard let value = source[field] else { return .negative }
      let isEscaped = end != 0 && console.output.isTerminal
      write(isEscaped ? EscapedText(value).description : value, end, console)
    case .xml: return xml(finding, path, console)
    case .raw, .nothing: break
    }
    return .done
  }

  /// - Parameter isBare: whether the file is known to have no attribute but those of the system.
  func write(
    _ absence: Absence, of file: FileReference, isBare: Bool = false, _ console: Console
  ) {
    switch self {
    case .nothing: break
    case .json(let end):
      let fields: JSONFields = [
        "file": .path(file.path.bytes), "source": .null, "reason": .text(absence.description),
      ]
      write(fields.text, end, console)
    default:
      let hint = TraceHint.words(for: file, isBare: isBare) {
        let isDirectory = (try? FileStatus(of: file).kind) == .directory
        return isDirectory ? "; -r shows the files in this directory" : ""
      }
      // Words of ours, which need no escaping.
      console.report(file.path.bytes, absence.description + hint)
    }
  }

  /// Prints what a verification says, in a line of its own.
  func write(_ verification: Verification, of path: FilePath, _ console: Console) {
    if case .lines(end: 0) = self {
      console.output.write(path.bytes)
      write(": " + verification.words, 0, console)
    } else {
      _ = console.output.writeRecord(end: UInt8(ascii: "\n")) { line in
        console.append(path.bytes, as: .heading, to: &line)
        line += ": ".utf8
        line += EscapedText(verification.words).description.utf8
      }
    }
  }

  fileprivate func write(_ text: String, _ end: UInt8, _ console: Console) {
    if end == UInt8(ascii: "\n") {
      console.output.writeLine(text)
    } else {
      console.output.write(text, end: end)
    }
  }

  private func line(
    _ source: DocumentSource, _ path: FilePath, _ end: UInt8, _ console: Console
  ) {
    if end == 0 {
      console.output.write(path.bytes)
      write(": " + SourceText.exactSummary(source), end, console)
    } else {
      _ = console.output.writeRecord(end: end) { line in
        console.append(path.bytes, as: .heading, to: &line)
        line.append(UInt8(ascii: ":"))
        line.append(UInt8(ascii: " "))
        SourceText.append(source, to: &line)
      }
    }
  }

  private func xml(_ finding: Finding, _ path: FilePath, _ console: Console) -> ExitStatus {
    do {
      guard let value = try finding.value() else { return .negative }
      try XMLPropertyListWriter.write(value) { console.output.write($0) }
      return .done
    } catch let damage as DamagedValue {
      console.report(path.bytes, EscapedText("cannot read document source: \(damage)").description)
    } catch let failure as WritingFailure {
      console.report(
        path.bytes, "cannot write document source as XML: \(failure); use --raw or --json")
    } catch {
      console.report(path.bytes, EscapedText("\(error)").description)
    }
    return .failed
  }

  private func block(
    _ source: DocumentSource, _ finding: Finding, _ path: FilePath, _ console: Console
  ) {
    console.output.writeLine(console.styled(EscapedText(path.bytes).description, .heading))
    for field in [DocumentSource.Field.name, .identifier, .path, .appInfoURL] {
      guard let value = source[field] else { continue }
      console.writeRow(SourceText.label(field), value)
    }
    if let time = finding.stored.flatMap({ WatchMark.time(in: $0.bytes) }) {
      console.writeRow("Tagged", "automatically, \(LocalTime.text(of: time))")
    }
    if let carrier = finding.stored?.carrier, carrier != .native {
      console.writeRow("Stored in", carrier.attributeName.description)
    }
  }

  fileprivate static func object(
    _ source: DocumentSource, _ finding: Finding, _ path: FilePath
  ) -> JSONFields {
    let time = finding.stored.flatMap { WatchMark.time(in: $0.bytes) }
    return ["file": .path(path.bytes)] + fields(source, finding.stored?.carrier)
      + ["taggedByWatch": .text(time.flatMap { try? CalendarDate.text(of: $0) })]
  }

  /// The source as a member whose value is JSON already.
  static func members(
    _ source: DocumentSource, _ carrier: SourceAttribute?
  ) -> [(key: String, value: String)] {
    [(key: "source", value: JSONFields(source.fields).text)]
  }

  /// The members of the JSON object, without the file's path.
  static func fields(_ source: DocumentSource, _ carrier: SourceAttribute?) -> JSONFields {
    [
      "source": .object(JSONFields(source.fields)),
      "carrier": .text(carrier?.attributeName.description),
    ]
  }
}

extension DocumentSource {
  fileprivate var fields: [(key: String, value: JSONFields.Field?)] {
    Field.allCases.map { ($0.key, .text(self[$0])) }
  }
}

/// Puts a document source into words, which the caller escapes when printing them.
enum SourceText {
  /// One line: `Working Copy (com.appliedphasor.working-copy), directory/filename.ext`.
  ///
  /// A value that could be read as several, or as words of ours, stands in double quotes.
  static func summary(_ source: DocumentSource) -> String {
    words(
      source.name.map(quotedIfAmbiguous), source.identifier.map(quotedIfAmbiguous),
      source.path.map(pathQuotedIfAmbiguous))
  }

  /// Appends `summary(_:)`, escaped.
  static func append(_ source: DocumentSource, to line: inout [UInt8]) {
    guard source.name.map(isUnambiguous) ?? true, source.identifier.map(isUnambiguous) ?? true,
      source.path.map(isOrdinary) ?? true, source.name ?? source.identifier != nil
    else {
      line += EscapedText(summary(source)).description.utf8
      return
    }
    // Values of ordinary characters alone need no escaping.
    if let name = source.name { line += name.utf8 }
    if let identifier = source.identifier {
      if source.name != nil {
        line.append(UInt8(ascii: " "))
        line.append(UInt8(ascii: "("))
      }
      line += identifier.utf8
      if source.name != nil { line.append(UInt8(ascii: ")")) }
    }
    if let path = source.path {
      line.append(UInt8(ascii: ","))
      line.append(UInt8(ascii: " "))
      line += path.utf8
    }
  }

  /// The same with all values as they are.
  static func exactSummary(_ source: DocumentSource) -> String {
    words(source.name, source.identifier, source.path)
  }

  private static func words(_ name: String?, _ identifier: String?, _ path: String?) -> String {
    let application =
      switch (name, identifier) {
      case (let name?, let identifier?): "\(name) (\(identifier))"
      case (let name?, nil): name
      case (nil, let identifier?): identifier
      case (nil, nil): unnamed
      }
    return [application, path].compactMap(\.self).joined(separator: ", ")
  }

  private static let unnamed = "unnamed application"
  /// What stands where an application would.
  private static let ownWords = [
    unnamed, "untagged", "damaged", SummaryTable.otherApplications, "unchanged",
  ]

  /// The first two letters of each of the words that `quotedIfAmbiguous` compares a value with, in lower
  /// case as the words are.
  private static let beginnings = (ownWords + ["\(Absence.noAttribute)"]).map { word in
    word.utf8.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
  }

  /// A bit for each of the characters space, `-`, `.`, `/` and digits; letters and `_`.
  private static let ordinary = (
    low: UInt64(0x03ff_e001_0000_0000), high: UInt64(0x07ff_fffe_87ff_fffe)
  )

  /// Whether a value is, by a look at its bytes, one that most values are: words of ASCII without signs
  /// that have a meaning here. Others may be plain, too.
  private static func isOrdinary(_ value: String) -> Bool {
    unsafe value.utf8.withContiguousStorageIfAvailable { unsafe areOrdinary($0) } ?? false
  }

  private static func areOrdinary(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = unsafe bytes.first, let last = unsafe bytes.last, first != 0x20, last != 0x20
    else { return false }
    for index in bytes.indices {
      let byte = unsafe bytes[index]
      let mask = byte < 0x40 ? ordinary.low : ordinary.high
      guard byte < 0x80, mask &>> UInt64(byte & 0x3f) & 1 != 0 else { return false }
    }
    return true
  }

  /// Whether a value is, by a look at its bytes, no word of ours nor several values.
  private static func isUnambiguous(_ value: String) -> Bool {
    unsafe value.utf8.withContiguousStorageIfAvailable { bytes in
      guard unsafe areOrdinary(bytes), bytes.count > 1 else { return false }
      let (first, second) = unsafe (UInt16(bytes[0] | 0x20), UInt16(bytes[1] | 0x20))
      return unsafe !beginnings.contains(first << 8 | second)
        && bytes[bytes.count - 1] | 0x20 != lastOfOurs
    } ?? false
  }

  private static func quotedIfAmbiguous(_ value: String) -> String {
    if isUnambiguous(value) { return value }
    let text = value.lowercased()
    let isOurs =
      ownWords.contains(text) || text.hasPrefix("\(Absence.noAttribute)")
      || text.hasSuffix(withoutSource)
    let isOne = !value.utf8.contains { "(),:;".utf8.contains($0) }
    return isOne && !isOurs ? pathQuotedIfAmbiguous(value) : quoted(value)
  }

  /// A path comes last, so that only what may follow it, and begin or end it, could be mistaken.
  private static func pathQuotedIfAmbiguous(_ value: String) -> String {
    if isOrdinary(value) { return value }
    // `contains` of a text would link the regular expressions of Swift's library, 1.3 MB.
    let pairs = zip(value.utf8, value.utf8.dropFirst())
    let isPlain =
      !value.isEmpty && value.first != " " && value.last != " "
      && !pairs.contains { $0 == (UInt8(ascii: ","), UInt8(ascii: " ")) }
      && !pairs.contains { $0 == (UInt8(ascii: "-"), UInt8(ascii: ">")) }
      && !value.utf8.contains(UInt8(ascii: "\""))
      && !value.unicodeScalars.contains(where: EscapedText.isHarmful)
    return isPlain ? value : quoted(value)
  }

  private static func quoted(_ value: String) -> String { EscapedText(quoting: value).description }

  private static let withoutSource = "without a source"
  private static let lastOfOurs = withoutSource.utf8.last

  /// One line for a value of the attribute, with or without a source in it.
  static func summary(ofValue bytes: [UInt8]) -> String {
    if let source = Content.source(in: bytes) { return summary(source) }
    return "\(bytes.count) \(bytes.count == 1 ? "byte" : "bytes") \(withoutSource)"
  }

  static func label(_ field: DocumentSource.Field) -> String {
    switch field {
    case .identifier: "Identifier"
    case .name: "Application"
    case .path: "Document"
    case .appInfoURL: "App info"
    }
  }
}
