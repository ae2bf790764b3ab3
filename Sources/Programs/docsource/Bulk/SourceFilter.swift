import Applications
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
  /// Empty if the application does not matter.
  let applications: [WantedApplication]
  private let names: [Glob]
  let wantsUntagged: Bool
  private let wantsDamaged: Bool
  /// Since when watch has tagged a file, in seconds since 2001-01-01T00:00:00Z; `nil` if that does not
  /// matter.
  private let watchStart: Double?

  /// - Returns: `nil` after saying that the user's list of applications cannot be read.
  /// - Throws: `UsageError` for a malformed pattern, and for conditions that no file can meet.
  init?(
    _ arguments: Arguments, _ options: SourceFilterOptions, _ console: Console
  ) throws(UsageError) {
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
      let other = (options.watch.reversed() + options.ofSource).first(where: arguments.has)
    {
      throw UsageError("--\(state.long) and --\(other.long) cannot be combined")
    }
    guard let applications = try WantedApplication.all(arguments, options.application, console)
    else { return nil }
    self.applications = applications
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
    wantsUntagged || wantsDamaged || choosesSource || needsMark
  }

  /// Whether what watch notes in the attribute has to be read.
  var needsMark: Bool { watchStart != nil }

  /// Whether what a source says decides.
  private var choosesSource: Bool { !fields.isEmpty || !applications.isEmpty }

  var acceptsAll: Bool { !needsReading && acceptsAnyName }

  var neededFields: DocumentSource.FieldSet {
    let ofApplication: [DocumentSource.Field] = applications.isEmpty ? [] : [.identifier, .name]
    return DocumentSource.FieldSet(fields.map(\.field) + ofApplication)
  }

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
      } && (applications.isEmpty || applications.contains { $0.isSource(source) })
        && (choosesSource || needsMark) && isOfWatch(file)
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
      let source = try FileSource(of: file, fields: neededFields)
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

/// An application that `--app` names, as it stands in the sources of files: the word is the
/// identifier or the name, in any case, or means a known application with that identifier. Files also
/// come from applications that are not known here.
struct WantedApplication: Sendable {
  let word: ApplicationWord
  private let lowercased: String
  /// Those of the known applications that the word means.
  let known: Set<String>
  /// Asks which application a mistyped word meant; `nil` if the word means a known one, or is near none.
  let hint: String?

  /// - Returns: `nil` after saying that the user's list of applications cannot be read.
  /// - Throws: `UsageError` for a value that is empty or not UTF-8.
  fileprivate static func all(
    _ arguments: Arguments, _ option: OptionDeclaration, _ console: Console
  ) throws(UsageError) -> [WantedApplication]? {
    let values = arguments.values(option)
    guard !values.isEmpty else { return [] }
    guard let known = KnownApplications.ofUser(console) else { return nil }
    return try values.map { (value) throws(UsageError) in
      WantedApplication(try ApplicationWord(value), among: known)
    }
  }

  private init(_ word: ApplicationWord, among known: KnownApplications) {
    self.word = word
    lowercased = word.text.lowercased()
    switch known.match(word.text) {
    case .one(let application): self.known = [application.identifier]
    case .several(let identifiers): self.known = Set(identifiers)
    case .none: self.known = []
    }
    hint = self.known.isEmpty ? ApplicationWord.hint(for: word.text, among: known.all()) : nil
  }

  func isSource(_ source: DocumentSource) -> Bool {
    if let identifier = source.identifier, known.contains(identifier) { return true }
    return [source.identifier, source.name].contains { $0?.lowercased() == lowercased }
  }
}

/// The options that make up a `SourceFilter`.
///
/// Where `--identifier` and its like set values, those of the filter are called `--if-identifier`.
struct SourceFilterOptions: Sendable {
  let application: OptionDeclaration
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
    application: OptionDeclaration(
      "app", value: "APP", kind: .identifier, repeats: true,
      help: "select files of APP, an application's ID or name"),
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
    application: OptionDeclaration(
      "if-app", value: "APP", kind: .identifier, repeats: true,
      help: "select files that are currently of application APP"),
    identifier: OptionDeclaration(
      "if-identifier", value: "GLOB", kind: .identifier, repeats: true,
      help: "select files whose current identifier matches"),
    name: OptionDeclaration(
      "if-app-name", formerly: "if-name", value: "GLOB", repeats: true,
      help: "select files whose current application name matches"),
    document: OptionDeclaration(
      "if-document", formerly: "if-path", value: "GLOB", repeats: true,
      help: "select files whose current document path matches"),
    watch: [])

  /// The value of `--since`, in seconds since 2001-01-01T00:00:00Z.
  ///
  /// - Throws: `UsageError` for a text that is no time.
  fileprivate static func time(_ arguments: Arguments) throws(UsageError) -> Double? {
    guard let text = try arguments.text(since) else { return nil }
    if let seconds = LocalTime.past(text) { return seconds - CalendarDate.referenceDate }
    throw UsageError(
      "--\(since.long): '\(EscapedText(text))' is invalid; expected a time such as 2h or 1d, or a date"
        + " such as 2026-11-27 or 2026-11-27T15:00:00Z")
  }

  /// The options that look at what a source says.
  var ofSource: [OptionDeclaration] { [application] + fields.map(\.option) }

  /// The options with a pattern, with the field that each one looks at.
  var fields: [(field: DocumentSource.Field, option: OptionDeclaration)] {
    [(.identifier, identifier), (.name, name), (.path, document)]
  }
}
