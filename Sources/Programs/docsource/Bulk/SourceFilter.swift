import CommandLineInterface
import DocumentSource
import FileTree
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
    let states = [SourceFilterOptions.untagged, SourceFilterOptions.damaged]
    if let state = states.first(where: arguments.has),
      let field = options.fields.first(where: { arguments.has($0.option) })
    {
      throw UsageError("--\(state.long) and --\(field.option.long) cannot be combined")
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
  var needsReading: Bool { wantsUntagged || wantsDamaged || !fields.isEmpty }

  var acceptsAll: Bool { !needsReading && acceptsAnyName }

  var neededFields: DocumentSource.FieldSet { DocumentSource.FieldSet(fields.map(\.field)) }

  var acceptsAnyName: Bool { names.isEmpty }

  /// Whether a file's own name is wanted.
  func accepts(name path: FilePath) -> Bool {
    names.isEmpty || names.contains { $0.matches(path.lastComponent) }
  }

  /// Whether the content of a file's attribute is wanted, as it always is without a condition.
  func accepts(_ source: FileSource) -> Bool {
    guard needsReading else { return true }
    switch source {
    case .untagged: return wantsUntagged
    case .damaged: return wantsDamaged
    case .source(let source, _):
      return !fields.isEmpty
        && fields.allSatisfy { field, globs in
          guard let value = source[field] else { return false }
          return globs.contains { $0.matches(value) }
        }
    }
  }

  /// Decides on a file, reading no more of it than is needed.
  func verdict(on file: FileReference) -> Verdict {
    guard accepts(name: file.path) else { return .rejected }
    guard needsReading else { return .accepted }
    do throws(DocumentSourceError) {
      return accepts(try FileSource(of: file, fields: neededFields, converting: XMLValue.binary))
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

  static let untagged = OptionDeclaration(
    "untagged", help: "select files without a document source")
  static let damaged = OptionDeclaration(
    "damaged", help: "select files whose attribute cannot be read")
  static let fileName = OptionDeclaration(
    "file-name", formerly: "file", value: "GLOB", repeats: true,
    help: "select files whose name matches GLOB")
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
      help: "select files whose path in the application matches"))

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
      help: "select files whose current path in the application matches"))

  /// The options, with the field that each one looks at.
  var fields: [(field: DocumentSource.Field, option: OptionDeclaration)] {
    [(.identifier, identifier), (.name, name), (.path, document)]
  }
}
