import CommandLineInterface
import DocumentSource
import FileTree
import LinuxSystem
import Provenance
import TextFormats

/// `docsource tag`: writes the attribute.
enum TagCommand: Command {
  private static let identifier = OptionDeclaration(
    "identifier", short: "i", value: "ID", help: "set the application's bundle identifier")
  static let name = OptionDeclaration(
    "app-name", formerly: "name", value: "NAME", help: "set the application's display name")
  static let document = OptionDeclaration(
    "document", formerly: "path", short: "p", value: "PATH", kind: .text,
    help: "set the document's path inside the application")
  static let appInfoURL = OptionDeclaration(
    "app-info-url", short: "u", value: "URL", help: "set the URL of the application's icon list")
  private static let root = OptionDeclaration(
    "root", value: "DIR", help: "set --document to each file's path below DIR")
  private static let replace = OptionDeclaration(
    "replace", help: "replace the whole value instead of updating it")
  private static let keepOtherFields = OptionDeclaration(
    "keep-other-fields", help: "keep name, path and URL even if --identifier differs")
  static let insecureURL = OptionDeclaration(
    "insecure-url", help: "accept URLs that are not https")

  static let answerOfFailure = ChangeObject.ofFailure

  static let verb = "tag"
  static let declaration = CommandDeclaration(
    name: verb, summary: "record which application a file came from", operands: "FILE...",
    details: """
      Fields that are not given are kept unless the identifier changes; an empty value removes the
      field.
      """,
    options: [
      ApplicationOption.declaration, identifier, name, document, root, appInfoURL, replace,
      keepOtherFields,
      insecureURL,
      Operands.recursive, Operands.noDereference, BulkChange.dryRun, BulkChange.quiet,
      BulkChange.verbose, BulkChange.json, FileList.option,
      WalkSelection.threads,
    ],
    filters: [SourceFilterOptions.untagged] + BulkChange.filters(.conditional) + [
      WalkSelection.gitignore
    ],
    examples: [
      "docsource tag --app gimp drawing.png",
      "docsource tag -r -i com.example.editor --root ~/Projects ~/Projects/site",
    ],
    manual: ManualText(Manual.tag))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let rules = WritingRules(schemes: arguments.has(insecureURL) ? .any : .httpsOnly)
    guard let application = try ApplicationOption(arguments, console) else { return .failed }
    let change = try preparedChange(arguments, application, rules, console)
    let root = try rootDirectory(arguments)
    if change.change.isEmpty && root == nil {
      throw UsageError(
        "nothing to write: give --app, --identifier, --app-name, --document or --app-info-url")
    }
    guard
      let work = try BulkChange(
        arguments, .conditional, reach: .documents, kinds: [.files], console)
    else { return .failed }
    let isDry = arguments.has(BulkChange.dryRun)
    let done = isDry ? "would be tagged" : "tagged"
    let tagging = Tagging(
      change, below: root, isDry: isDry, isQuiet: work.isQuiet,
      listsUnchanged: work.listsUnchanged)
    // What only holds marks of other files is no document.
    return work.run(
      "tagging", done: done, console,
      entry: { entry, console in entry.isCarrier ? .passedOver : tagging.tag(entry, console) },
      { operand, console in
        if operand.isFound, MarkCarrier.isCarrier(operand.path) { return .passedOver }
        return tagging.tag(operand, console)
      })
  }

  private static func preparedChange(
    _ arguments: Arguments, _ application: ApplicationOption, _ rules: WritingRules,
    _ console: Console
  ) throws(UsageError) -> PreparedChange {
    if arguments.has(document) && arguments.has(root) {
      throw UsageError("--document and --root cannot be combined")
    }
    if arguments.has(replace) && arguments.has(keepOtherFields) {
      throw UsageError("--replace and --keep-other-fields cannot be combined")
    }
    let kept: SourceChange.Base =
      arguments.has(keepOtherFields) ? .existingOfAnyApplication : .existing
    var change = SourceChange(base: arguments.has(replace) ? .nothing : kept)
    for field in DocumentSource.Field.allCases {
      guard let value = try arguments.text(option(field)) ?? application.value(field) else {
        continue
      }
      // What is known of an application is as it is.
      let isTyped = arguments.has(option(field)) && !value.isEmpty
      if let doubt = isTyped ? rules.doubt(about: value, for: field) : nil {
        console.say("warning: \(EscapedText(doubt))")
      }
      change[field] = value.isEmpty ? .remove : .set(value)
    }
    do throws(RefusedValue) {
      return try PreparedChange(change, by: rules)
    } catch {
      throw UsageError("--\(option(error.field).long): \(error.reason)\(error.remedy.words)")
    }
  }

  private static func option(_ field: DocumentSource.Field) -> OptionDeclaration {
    switch field {
    case .identifier: identifier
    case .name: name
    case .path: document
    case .appInfoURL: appInfoURL
    }
  }

  private static func rootDirectory(_ arguments: Arguments) throws(UsageError) -> RootDirectory? {
    guard let bytes = arguments.bytes(root) else { return nil }
    guard let path = FilePath(bytes: bytes), let root = RootDirectory(path) else {
      throw UsageError("--root: '\(EscapedText(bytes))' is not an accessible directory")
    }
    return root
  }
}

extension Console {
  /// Writes why a file's document source could not be read or written, and what would help.
  func fail(_ error: DocumentSourceError) {
    fail(error.path.bytes, error.message + error.remedy.words)
  }
}

extension DocumentSourceError.Remedy? {
  /// The remedy as this command line names it, to follow a message; empty for none.
  var words: String {
    switch self {
    case .startingAfresh: "; use --replace to overwrite the value"
    case .removal: "; use 'docsource remove' to remove the attribute"
    case .anyScheme: "; use --insecure-url to allow other schemes"
    case nil: ""
    }
  }
}

/// What `tag` does with each file.
private struct Tagging: Sendable {
  private let change: PreparedChange
  private let root: RootDirectory?
  private let isDry: Bool
  private let isQuiet: Bool
  private let listsUnchanged: Bool
  /// `nil` if each file gets another path, or no file is to be written.
  private let stamp: SourceStamp?

  /// - Parameter root: the directory below which a file's path becomes its field `path`.
  init(
    _ change: PreparedChange, below root: RootDirectory?, isDry: Bool, isQuiet: Bool,
    listsUnchanged: Bool
  ) {
    self.change = change
    self.root = root
    self.isDry = isDry
    self.isQuiet = isQuiet
    self.listsUnchanged = listsUnchanged
    stamp = root == nil && !isDry ? SourceStamp(change) : nil
  }

  func tag(_ operand: Operands.Operand, _ console: Console) -> BulkChange.Outcome {
    carryOut(on: operand.file, operand.path, console) { (attribute) throws(DocumentSourceError) in
      try attribute.plan(try change(for: operand))
    }
  }

  /// - Returns: `nil` if nothing was done.
  func tag(_ entry: borrowing TreeEntry, _ console: Console) -> BulkChange.Outcome? {
    guard let stamp else { return nil }
    let outcome: BulkChange.Outcome
    switch stamp.apply(to: entry.place) {
    case .changed: outcome = .changed
    case .unchanged: outcome = .unchanged
    case .other: return nil
    case .holds(let former):
      return carryOut(
        on: entry.file, entry.path, console
      ) { (attribute) throws(DocumentSourceError) in
        try attribute.plan(change, over: former)
      }
    }
    if isReported(outcome) { tell(entry.path, outcome, stamp.source, console) }
    return outcome
  }

  private func change(for operand: Operands.Operand) throws(DocumentSourceError) -> PreparedChange {
    guard let root else { return change }
    let path = try root.pathBelow(of: operand)
    do throws(RefusedValue) {
      return try change.setting(path: path)
    } catch {
      throw DocumentSourceError(writing: operand.path, "path: \(error.reason)")
    }
  }

  private func carryOut(
    on file: FileReference, _ path: FilePath, _ console: Console,
    _ plan: (DocumentSourceAttribute) throws(DocumentSourceError) -> PlannedWrite
  ) -> BulkChange.Outcome {
    do throws(DocumentSourceError) {
      let attribute = DocumentSourceAttribute(of: file)
      let plan = try plan(attribute)
      if isDry { try attribute.preflight(plan) } else { try attribute.write(plan) }
      let outcome = plan.isUnchanged ? BulkChange.Outcome.unchanged : .changed
      if isReported(outcome) { tell(path, outcome, plan.source, console) }
      return outcome
    } catch {
      console.fail(error)
      return .failed
    }
  }

  private func isReported(_ outcome: BulkChange.Outcome) -> Bool {
    outcome == .unchanged ? listsUnchanged : !isQuiet
  }

  private func tell(
    _ path: FilePath, _ outcome: BulkChange.Outcome, _ source: DocumentSource, _ console: Console
  ) {
    if console.writesObjects {
      let object = ChangeObject(
        outcome == .unchanged ? .unchanged : .changed, isDry: isDry,
        ShowFormat.fields(source, nil))
      return object.write(of: path.bytes, console)
    }
    let verb = outcome == .unchanged ? "unchanged" : isDry ? "would tag" : "tagged"
    let summary = EscapedText(SourceText.summary(source))
    console.output.writeLine("\(EscapedText(path.bytes)): \(verb): \(summary)")
  }
}
