import CommandLineInterface
import DocumentSource
import FileTree
import LinuxSystem
import TextFormats

/// `docsource tag`: writes the attribute.
enum TagCommand: Command {
  private static let identifier = OptionDeclaration(
    "identifier", short: "i", value: "ID", help: "the application's bundle identifier")
  static let name = OptionDeclaration(
    "name", value: "NAME", help: "the application's name for people")
  private static let path = OptionDeclaration(
    "path", short: "p", value: "PATH", kind: .text,
    help: "the document's path inside the application")
  static let appInfoURL = OptionDeclaration(
    "app-info-url", short: "u", value: "URL", help: "where the application's icons are listed")
  private static let root = OptionDeclaration(
    "root", value: "DIR", help: "take each file's path below DIR as its path")
  private static let replace = OptionDeclaration(
    "replace", help: "start afresh instead of changing what is there")
  private static let keepOtherFields = OptionDeclaration(
    "keep-other-fields", help: "keep name, path and URL even with another --identifier")
  static let insecureURL = OptionDeclaration(
    "insecure-url", help: "accept a URL that is not https")

  static let verb = "tag"
  static let declaration = CommandDeclaration(
    name: verb, summary: "write which application a file came from", operands: "FILE...",
    details: """
      What is not given stays as it is in a file, unless another identifier is given; an empty value \
      removes a field.
      """,
    options: [
      ApplicationOption.declaration, identifier, name, path, root, appInfoURL, replace, keepOtherFields,
      insecureURL,
      Operands.recursive, Operands.noDereference, BulkChange.dryRun, BulkChange.quiet,
      FileList.option,
      WalkSelection.threads,
    ],
    filters: [SourceFilterOptions.untagged] + BulkChange.filters(.conditional) + [
      WalkSelection.gitignore
    ],
    examples: [
      "docsource tag -i com.example.editor --name Editor notes.txt",
      "docsource tag -r -i com.example.editor --root ~/Projects ~/Projects/site",
    ],
    manual: manual)

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let rules = WritingRules(schemes: arguments.has(insecureURL) ? .any : .httpsOnly)
    guard let application = try ApplicationOption(arguments, console) else { return .failed }
    let change = try preparedChange(arguments, application, rules, console)
    let root = try rootDirectory(arguments)
    if change.change.isEmpty && root == nil {
      throw UsageError("nothing to write: give --identifier, --name, --path or --app-info-url")
    }
    let work = try BulkChange(arguments, .conditional, reach: .documents, kinds: [.files])
    let isDry = arguments.has(BulkChange.dryRun)
    let done = isDry ? "would be tagged" : "tagged"
    let tagging = Tagging(change, below: root, isDry: isDry, isQuiet: work.isQuiet)
    return work.run("tagging", done: done, console, entry: tagging.tag) { tagging.tag($0, $1) }
  }

  private static func preparedChange(
    _ arguments: Arguments, _ application: ApplicationOption, _ rules: WritingRules,
    _ console: Console
  ) throws(UsageError) -> PreparedChange {
    if arguments.has(path) && arguments.has(root) {
      throw UsageError("--path and --root exclude each other")
    }
    if arguments.has(replace) && arguments.has(keepOtherFields) {
      throw UsageError("--replace and --keep-other-fields exclude each other")
    }
    let kept: SourceChange.Base =
      arguments.has(keepOtherFields) ? .existingOfAnyApplication : .existing
    var change = SourceChange(base: arguments.has(replace) ? .nothing : kept)
    for field in DocumentSource.Field.allCases {
      guard let value = try arguments.text(option(field)) ?? application.value(field) else {
        continue
      }
      if let doubt = value.isEmpty ? nil : rules.doubt(about: value, for: field) {
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
    case .path: path
    case .appInfoURL: appInfoURL
    }
  }

  private static func rootDirectory(_ arguments: Arguments) throws(UsageError) -> RootDirectory? {
    guard let bytes = arguments.bytes(root) else { return nil }
    guard let path = FilePath(bytes: bytes), let root = RootDirectory(path) else {
      throw UsageError("--root: '\(EscapedText(bytes))' is not a directory that can be reached")
    }
    return root
  }

  private static let manual = ManualText(
    """
    A write is one system call: a reader sees the old value or the new one. Content, times, mode and
    other attributes of the file stay as they are. Keys of the value that are not among the four
    stay too, unless --replace is given. A value that would not change is not written.

    Values must be UTF-8 without NUL. An identifier that is not in reverse-DNS form, like
    com.example.editor, is warned about and written. A URL must be absolute and https, unless
    --insecure-url is given. When no field would be left, the file fails; docsource-remove(1)
    removes the attribute.

    Name, path and URL belong to the application of the identifier. Where a file has another
    identifier than the one that is given, letters' case apart, what is not given of the three is
    removed, unless --keep-other-fields is given.

    --app takes identifier, name and URL from what docsource-apps(1) lists, by an identifier or by a
    name that one application alone has; letters match in either case. What is not known of the
    application is removed from the file, the path apart, and values that are given count instead.

    With --root each file's path is its real path below DIR, without links, and a file that is not
    below DIR fails. A symbolic link that is named itself is followed; with --no-dereference it
    fails, since links carry no user attributes.

    With --recursive the files below a directory are tagged, the directories are not, unless
    --type=d asks for them. No symbolic link is followed there, and a directory that is swapped for
    a link meanwhile leads nowhere else. docsource(1) says which files are left out, and what
    --hidden, --no-hidden, --exclude and --gitignore change about that.

    A filter leaves files as they are that do not meet it, named ones as well. A file must meet all
    that are given, and of one that is given several times, one; --untagged and --damaged exclude
    --if-identifier, --if-name and --if-path. The GLOB is that of docsource-find(1), and matches the
    value before the change.

    \(BulkChange.manual)
    """,
    exitStatus: [.noSource: "", .failed: BulkChange.failures],
    environment: AppsCommand.environment, files: AppsCommand.files,
    seeAlso: ["docsource-apps(1)", "docsource-find(1)", "setfattr(1)", "xattr(7)"])
}

extension Console {
  /// Writes why a file's document source could not be read or written, and what would help.
  func report(_ error: DocumentSourceError) {
    report(error.path.bytes, EscapedText(error.message + error.remedy.words).description)
  }
}

extension DocumentSourceError.Remedy? {
  /// The remedy as this command line names it, to follow a message; empty for none.
  var words: String {
    switch self {
    case .startingAfresh: "; --replace starts afresh"
    case .removal: "; 'docsource remove' removes the attribute"
    case .anyScheme: "; --insecure-url allows it"
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
  /// `nil` where each file gets another path, or no file is to be written.
  private let stamp: SourceStamp?

  /// - Parameter root: the directory below which a file's path becomes its field `path`.
  init(_ change: PreparedChange, below root: RootDirectory?, isDry: Bool, isQuiet: Bool) {
    self.change = change
    self.root = root
    self.isDry = isDry
    self.isQuiet = isQuiet
    stamp = root == nil && !isDry ? SourceStamp(change) : nil
  }

  func tag(_ operand: Operands.Operand, _ console: Console) -> BulkChange.Outcome {
    carryOut(on: operand.file, operand.path, console) { (attribute) throws(DocumentSourceError) in
      try attribute.plan(try change(for: operand))
    }
  }

  /// - Returns: `nil` where nothing was done.
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
    if !isQuiet { tell(entry.path, outcome, stamp.source, console) }
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
      if isDry { try attribute.rehearse(plan) } else { try attribute.write(plan) }
      let outcome = plan.isUnchanged ? BulkChange.Outcome.unchanged : .changed
      if !isQuiet { tell(path, outcome, plan.source, console) }
      return outcome
    } catch {
      console.report(error)
      return .failed
    }
  }

  private func tell(
    _ path: FilePath, _ outcome: BulkChange.Outcome, _ source: DocumentSource, _ console: Console
  ) {
    let verb = outcome == .unchanged ? "unchanged" : isDry ? "would tag" : "tagged"
    let summary = EscapedText(SourceText.summary(source))
    console.output.writeLine("\(EscapedText(path.bytes)): \(verb): \(summary)")
  }
}
