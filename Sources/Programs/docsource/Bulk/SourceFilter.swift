import CommandLineInterface
import DocumentSource
import FileTree
import Glibc
import LinuxSystem
import TextFormats
import Xattr

/// Which files a verb acts on, chosen by the content of their attribute and by their own name.
struct SourceFilter: Sendable {
  enum Verdict: Sendable {
    case accepted
    case rejected
    /// The attribute had to be read and could not be.
    case failed(DocumentSourceError)
  }

  private let fields: [(field: DocumentSource.Field, globs: [Glob])]
  private let names: [Glob]
  let wantsUntagged: Bool
  private let wantsDamaged: Bool
  /// Since when watch has tagged a file, in seconds since 2001-01-01T00:00:00Z; `nil` if that does not
  /// matter.
  private let watchStart: Double?

  /// - Throws: `UsageError` for a malformed pattern, and for conditions that no file can meet.
  init(_ arguments: Arguments, _ options: SourceFilterOptions) throws(UsageError) {
    let letterCase: Glob.LetterCase =
      arguments.has(SourceFilterOptions.ignoresCase) ? .ignored : .kept
    var fields: [(field: DocumentSource.Field, globs: [Glob])] = []
    for (field, option) in options.fields where arguments.has(option) {
      fields.append((field, try Self.globs(arguments, option, letterCase)))
    }
    self.fields = fields
    names = try Self.globs(arguments, SourceFilterOptions.fileName, letterCase)
    wantsUntagged = arguments.has(SourceFilterOptions.untagged)
    wantsDamaged = arguments.has(SourceFilterOptions.damaged)
    let since = try SourceFilterOptions.time(arguments)
    watchStart = since ?? (arguments.has(SourceFilterOptions.byWatch) ? -.infinity : nil)
    let states = [SourceFilterOptions.untagged, SourceFilterOptions.damaged]
    if let state = states.first(where: arguments.has),
      let other = (options.watch.reversed() + options.fields.map(\.option))
        .first(where: arguments.has)
    {
      throw UsageError("--\(state.long) and --\(other.long) cannot be combined")
    }
  }

  private static func globs(
    _ arguments: Arguments, _ option: OptionDeclaration, _ letterCase: Glob.LetterCase
  ) throws(UsageError) -> [Glob] {
    try arguments.values(option).map { (pattern) throws(UsageError) in
      try Glob(typed: pattern, letterCase, label: "--\(option.long): ")
    }
  }

  /// Whether the attribute has to be read; otherwise the file's name decides alone.
  var needsReading: Bool {
    wantsUntagged || wantsDamaged || !fields.isEmpty || needsMark
  }

  /// Whether what watch notes in the attribute has to be read.
  var needsMark: Bool { watchStart != nil }

  var acceptsAll: Bool { !needsReading && acceptsAnyName }

  var neededFields: DocumentSource.FieldSet { DocumentSource.FieldSet(fields.map(\.field)) }

  var acceptsAnyName: Bool { names.isEmpty }

  /// Whether a file's own name is wanted.
  func accepts(name path: FilePath) -> Bool {
    names.isEmpty || names.contains { $0.matches(path.lastComponent) }
  }

  /// Whether the content of a file's attribute is wanted, as it always is without a condition.
  func accepts(_ source: FileSource, of file: FileReference) -> Bool {
    guard needsReading else { return true }
    switch source {
    case .untagged: return wantsUntagged
    case .damaged: return wantsDamaged
    case .source(let source, _):
      return fields.allSatisfy { field, globs in
        guard let value = source[field] else { return false }
        return globs.contains { $0.matches(value) }
      } && (!fields.isEmpty || needsMark) && isOfWatch(file)
    }
  }

  /// Whether watch has tagged a file in the wanted time, if that matters.
  private func isOfWatch(_ file: FileReference) -> Bool {
    guard let watchStart else { return true }
    let stored = try? DocumentSourceAttribute(of: file).stored()
    return stored.flatMap { WatchMark.time(in: $0.bytes) }.map { $0 >= watchStart } ?? false
  }

  /// Decides on a file, reading no more of it than is needed.
  func verdict(on file: FileReference) -> Verdict {
    guard accepts(name: file.path) else { return .rejected }
    guard needsReading else { return .accepted }
    do throws(DocumentSourceError) {
      let source = try FileSource(of: file, fields: neededFields, converting: XMLValue.binary)
      return accepts(source, of: file)
        ? .accepted : .rejected
    } catch {
      return .failed(error)
    }
  }
}

extension Glob {
  /// - Parameter label: what a message says before the pattern.
  init(
    typed pattern: [UInt8], _ letterCase: LetterCase, label: String = ""
  ) throws(UsageError) {
    do throws(GlobFlaw) {
      self = try Glob(pattern, letterCase: letterCase)
    } catch {
      throw UsageError("\(label)'\(EscapedText(pattern))': \(error)")
    }
  }
}

/// The options that make up a `SourceFilter`.
///
/// Where `--identifier` and its like set values, those of the filter are called `--if-identifier`.
struct SourceFilterOptions: Sendable {
  let identifier: OptionDeclaration
  let name: OptionDeclaration
  let document: OptionDeclaration
  /// What chooses by the note of watch, where that is wanted.
  let watch: [OptionDeclaration]

  static let untagged = OptionDeclaration(
    "untagged", help: "select files without a document source")
  static let damaged = OptionDeclaration(
    "damaged", help: "select files whose attribute cannot be read")
  static let fileName = OptionDeclaration(
    "file-name", formerly: "file", value: "GLOB", repeats: true,
    help: "select files whose name matches GLOB")
  static let byWatch = OptionDeclaration(
    "by-watch", help: "select files that 'docsource watch' has tagged")
  static let since = OptionDeclaration(
    "since", value: "WHEN",
    help: "the same, since WHEN: a date, or a time ago such as 2h")
  static let ignoresCase = OptionDeclaration(
    "ignore-case", short: "I", help: "ignore case")

  /// The options of a verb that sets no values.
  static let plain = SourceFilterOptions(
    identifier: OptionDeclaration(
      "identifier", short: "i", value: "GLOB", kind: .identifier, repeats: true,
      help: "select files whose application identifier matches"),
    name: OptionDeclaration(
      "app-name", formerly: "name", value: "GLOB", repeats: true,
      help: "select files whose application name matches"),
    document: OptionDeclaration(
      "document", formerly: "path", short: "p", value: "GLOB", repeats: true,
      help: "select files whose path in the application matches"),
    watch: [byWatch, since])

  /// The options of a verb that sets values.
  static let conditional = SourceFilterOptions(
    identifier: OptionDeclaration(
      "if-identifier", value: "GLOB", kind: .identifier, repeats: true,
      help: "select files whose current identifier matches"),
    name: OptionDeclaration(
      "if-app-name", formerly: "if-name", value: "GLOB", repeats: true,
      help: "select files whose current application name matches"),
    document: OptionDeclaration(
      "if-document", formerly: "if-path", value: "GLOB", repeats: true,
      help: "select files whose current path in the application matches"),
    watch: [])

  /// The value of `--since`, in seconds since 2001-01-01T00:00:00Z.
  ///
  /// - Throws: `UsageError` for a text that is no time.
  fileprivate static func time(_ arguments: Arguments) throws(UsageError) -> Double? {
    guard let text = try arguments.text(since) else { return nil }
    if let seconds = Arguments.duration(text) {
      return Double(Glibc.time(nil) - seconds) - CalendarDate.referenceDate
    }
    if let seconds = CalendarDate.seconds(of: text) { return seconds }
    if let seconds = CalendarDate.seconds(of: text + "T00:00:00Z") {
      return LocalTime.midnight(seconds)
    }
    throw UsageError(
      "--\(since.long): '\(EscapedText(text))' is invalid; expected a time such as 2h or 1d, or a date"
        + " such as 2026-11-27 or 2026-11-27T15:00:00Z")
  }

  /// The options, with the field that each one looks at.
  var fields: [(field: DocumentSource.Field, option: OptionDeclaration)] {
    [(.identifier, identifier), (.name, name), (.path, document)]
  }
}
