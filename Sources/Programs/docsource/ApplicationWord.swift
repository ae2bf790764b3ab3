import Applications
import CommandLineInterface
import DocumentSource
import LinuxSystem
import TextFormats

/// A word of the command line that means an application: an identifier or a name.
struct ApplicationWord {
  /// No application is meant, or several are; in words that stand alone.
  struct Failure: Error {
    let reason: String
    /// Whether no application is meant, and none has a name like that.
    var isUnknown = false
  }

  /// How the words about an unknown application end.
  static let listing = "'docsource apps list' lists all"

  let text: String

  /// - Throws: `UsageError` where the bytes are not UTF-8, or none.
  init(_ bytes: [UInt8]) throws(UsageError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw UsageError("'\(EscapedText(bytes))' is not UTF-8")
    }
    guard !text.isEmpty else { throw UsageError("an application identifier cannot be empty") }
    self.text = text
  }

  init(text: String) { self.text = text }

  func application(among known: KnownApplications) throws(Failure) -> KnownApplication {
    let shown = EscapedText(text)
    switch known.match(text) {
    case .one(let application): return application
    case .several(let identifiers):
      let list = identifiers.map { "'\(EscapedText($0))'" }.joined(separator: ", ")
      throw Failure(reason: "several applications are called '\(shown)': \(list)")
    case .none:
      let hint = Self.hint(for: text, among: known.all())
      throw Failure(
        reason: "no known application '\(shown)'; " + (hint ?? Self.listing),
        isUnknown: hint == nil)
    }
  }

  /// The most applications of a hint.
  private static let hintLimit = 8

  /// Asks which applications a mistyped word meant; `nil` if it is near none.
  static func hint(for word: String, among all: [KnownApplication]) -> String? {
    let near = nearest(to: word, among: all)
    guard let last = near.last else { return nil }
    let shown = near.prefix(hintLimit).map { "'\(EscapedText($0))'" }
    if near.count > hintLimit {
      return "did you mean one of \(shown.joined(separator: ", ")), …?"
    }
    let others = shown.dropLast().joined(separator: ", ")
    return "did you mean " + (others.isEmpty ? "" : others + " or ") + "'\(EscapedText(last))'?"
  }

  /// The identifiers of the applications that a mistyped word meant.
  private static func nearest(to word: String, among all: [KnownApplication]) -> [String] {
    var meant: [String: String] = [:]
    for one in all {
      // People remember the last part of an identifier.
      let last = one.identifier.split(separator: ".").last.map(String.init)
      for alias in [one.identifier, last].compactMap(\.self) + one.names {
        let alias = alias.lowercased()
        if meant[alias] == nil { meant[alias] = one.identifier }
      }
    }
    var near: [String] = []
    for alias in Spelling.equallyNear(to: word.lowercased(), among: meant.keys.sorted()) {
      if let identifier = meant[alias], !near.contains(identifier) { near.append(identifier) }
    }
    return near
  }
}

/// The application that a word of the command line means, by the identifier of its desktop entry.
///
/// - Throws: `UsageError` where none is meant, or several are.
func installedApplication(
  _ word: [UInt8], _ console: Console
) throws(UsageError) -> String? {
  let entries = DesktopEntries(BaseDirectories.current())
  let text = String(decoding: word, as: UTF8.self)
  if let entry = entries.match(word: text) { return entry.identifier }
  guard let known = KnownApplications.ofUser(console) else { return nil }
  let application: KnownApplication
  do throws(ApplicationWord.Failure) {
    application = try ApplicationWord(text: text).application(among: known)
  } catch {
    throw UsageError(error.reason)
  }
  if let name = FileName(application.identifier), let entry = entries.entry(name) {
    return entry.identifier
  }
  throw UsageError("'\(EscapedText(application.identifier))' is not installed here")
}

/// `--app`: the values of a known application.
struct ApplicationOption {
  static let declaration = OptionDeclaration(
    "app", value: "APP", kind: .identifier,
    help: "record APP, an ID or name that 'docsource apps' lists")

  /// What can be done about an unknown application, as the end of a message.
  static let remedy = ", 'docsource apps add' adds one, and --identifier takes any"

  private let application: KnownApplication?

  /// Without the option there is no application.
  ///
  /// - Parameters:
  ///   - option: another one that names an application.
  ///   - remedy: what can be done about an unknown application, to follow the words about it.
  /// - Returns: `nil` after saying that the user's list cannot be read.
  /// - Throws: `UsageError` where no such application is known.
  init?(
    _ arguments: Arguments, _ console: Console, by option: OptionDeclaration = declaration,
    remedy: String = Self.remedy
  ) throws(UsageError) {
    guard let bytes = arguments.bytes(option) else {
      application = nil
      return
    }
    let word = try ApplicationWord(bytes)
    guard let known = KnownApplications.ofUser(console) else { return nil }
    do throws(ApplicationWord.Failure) {
      application = try word.application(among: known)
    } catch {
      throw UsageError(error.reason + (error.isUnknown ? remedy : ""))
    }
  }

  /// The name in the user's language, else the identifier.
  var shownName: String? { application.map { $0.localizedName ?? $0.identifier } }

  /// The value of a field, empty where none is known, so that another application's does not stay;
  /// `nil` for the path, which is the document's.
  func value(_ field: DocumentSource.Field) -> String? {
    guard let application else { return nil }
    return switch field {
    case .identifier: application.identifier
    case .name: application.name ?? ""
    case .appInfoURL: application.appInfoURL ?? ""
    case .path: nil
    }
  }
}

extension KnownApplications {
  /// The applications known to the user of this process, after reporting flaws of the user's list.
  ///
  /// - Returns: `nil` after saying that the list cannot be read.
  static func ofUser(_ console: Console) -> KnownApplications? {
    let places = BaseDirectories.current()
    let registry = ApplicationRegistry(places: places)
    if let failure = registry.failure {
      report(failure, console)
      return nil
    }
    if let path = try? ApplicationRegistry.path(places) {
      for flaw in registry.flaws {
        let place = flaw.position.map { "application \($0): " } ?? ""
        console.report(path.bytes, place + EscapedText(flaw.reason).description)
      }
    }
    return KnownApplications(registry, places: places)
  }

  static func report(_ failure: UserFile.Failure, _ console: Console) {
    if let path = failure.path {
      console.fail(path.bytes, failure.reason)
    } else {
      console.say("cannot locate the list of applications: \(failure.reason)")
    }
  }
}
