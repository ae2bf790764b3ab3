import Applications
import CommandLineInterface
import DocumentSource
import FileTree
import LinuxSystem
import TextFormats

/// `docsource apps`: lists the applications known here, and keeps the user's list.
enum AppsCommand: Command {
  static let answerOfFailure: JSONFields? = [:]

  static let verb = "apps"
  static var members: [any Command.Type] {
    [AppsListCommand.self, AppsShowCommand.self, AppsAddCommand.self, AppsRemoveCommand.self]
  }

  static let declaration = CommandDeclaration(
    name: verb, summary: "list known applications and manage your own list",
    operands: "",
    details: """
      docsource knows three kinds of application: those on your own list, those that are installed
      (by their desktop files), and those that write the attribute themselves. Each value is taken
      from the first kind that has it. Without a verb, all applications are listed.
      """,
    options: AppsListCommand.options, members: members.map { $0.declaration },
    examples: [
      "docsource apps list 'com.*'",
      "docsource apps add org.example.editor --app-name Editor",
    ],
    manual: ManualText(Manual.apps))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    if let word = arguments.operands.first {
      if let member = members.first(where: { word.elementsEqual($0.verb.utf8) }) {
        throw UsageError("options go after '\(member.verb)'")
      }
      let text = String(decoding: word, as: UTF8.self)
      let hint =
        VerbSuggestion.nearest(to: text, among: members).map { "did you mean '\($0)'?" }
        ?? "'docsource apps list TEXT' searches the list"
      throw UsageError("unknown verb '\(EscapedText(word))'; \(hint)")
    }
    return try AppsListCommand.run(arguments, console)
  }
}

/// `docsource apps list`: prints the applications known here, a line each.
enum AppsListCommand: Command {
  private static let knownFrom = OptionDeclaration(
    "known-from", formerly: "origin", value: "WHERE",
    choices: Application.Origin.allCases.map(\.rawValue),
    help: "show only values from WHERE")
  private static let helpers = OptionDeclaration(
    "all", short: "a", help: "include installed applications that menus leave out")

  static let options = [knownFrom, helpers, ApplicationFormat.json]

  static let answerOfFailure: JSONFields? = [:]

  static let verb = "list"
  static let declaration = CommandDeclaration(
    name: "apps list", summary: "print the known applications, sorted",
    operands: "[TEXT|GLOB]...",
    details: """
      Prints identifier and name of the applications whose identifier or name contains TEXT or
      matches GLOB, and where each application is known from.
      """,
    options: options,
    examples: ["docsource apps list copy", "docsource apps list --known-from user --json"],
    manual: ManualText(Manual.appsList))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let origin = try arguments.choice(knownFrom).flatMap { Application.Origin(rawValue: $0) }
    let globs = try arguments.operands.map { (word) throws(UsageError) in
      try glob(word)
    }
    guard let known = KnownApplications.ofUser(console) else { return .failed }
    let applications = known.all(of: origin, includingHelpers: arguments.has(helpers)).filter {
      one in
      globs.isEmpty
        || globs.contains { glob in
          ([one.identifier] + one.names).contains { glob.matches($0) }
        }
    }
    guard !applications.isEmpty else {
      if !globs.isEmpty {
        let words = arguments.operands.map { "'\(EscapedText($0))'" }.joined(separator: " or ")
        console.say("no known application matches \(words)")
      }
      return .negative
    }
    if arguments.has(ApplicationFormat.json) {
      for one in applications { ApplicationFormat.writeJSON(one, console) }
    } else {
      ApplicationFormat.writeTable(applications, console)
    }
    return .done
  }

  /// The pattern that a word means: a word without wildcards is a part of an identifier or name.
  private static func glob(_ word: [UInt8]) throws(UsageError) -> Glob {
    let isText = !word.isEmpty && !word.contains { "*?[\\".utf8.contains($0) }
    let wildcard = Array("*".utf8)
    return try Glob(typed: isText ? wildcard + word + wildcard : word, .ignored)
  }
}

/// `docsource apps show`: prints everything known of applications, with its origin.
enum AppsShowCommand: Command {
  static let answerOfFailure: JSONFields? = [:]

  static let verb = "show"
  static let declaration = CommandDeclaration(
    name: "apps show", summary: "print everything known about applications", operands: "ID...",
    details: "A name can be given instead of an identifier if only one application has the name.",
    options: [ApplicationFormat.json],
    examples: [
      "docsource apps show com.appliedphasor.working-copy",
      "docsource apps show --json 'Working Copy'",
    ],
    manual: ManualText(Manual.appsShow))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let words = try arguments.operands.map { (word) throws(UsageError) in try ApplicationWord(word)
    }
    guard !words.isEmpty else { throw UsageError("no application given") }
    guard let known = KnownApplications.ofUser(console) else { return .failed }
    var status = ExitStatus.done
    for word in words {
      do throws(ApplicationWord.Failure) {
        let application = try word.application(among: known)
        if arguments.has(ApplicationFormat.json) {
          ApplicationFormat.writeJSON(application, console)
        } else {
          ApplicationFormat.writeBlock(application, console)
        }
      } catch {
        console.say(error.reason)
        status = .negative
      }
    }
    return status
  }
}

/// `docsource apps add`: puts an application on the user's list.
enum AppsAddCommand: Command {
  static let verb = "add"
  static let declaration = CommandDeclaration(
    name: "apps add", summary: "add an application to your own list", operands: "ID",
    details: """
      Changes the entry if it exists; values that are not given are kept, and an empty value removes
      the old value. The list is $XDG_CONFIG_HOME/docsource/apps.json.
      """,
    options: [TagCommand.name, TagCommand.appInfoURL, TagCommand.insecureURL],
    examples: [
      "docsource apps add org.example.editor --app-name Editor",
      "docsource apps add org.example.editor -u https://example.org/appInfo.json",
    ],
    manual: ManualText(Manual.appsAdd))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard arguments.operands.count == 1, let word = arguments.operands.first else {
      throw UsageError("give exactly one identifier")
    }
    guard let identifier = String(validating: word, as: UTF8.self), !identifier.isEmpty else {
      throw UsageError("'\(EscapedText(word))' is not an identifier such as org.example.editor")
    }
    let rules = WritingRules(schemes: arguments.has(TagCommand.insecureURL) ? .any : .httpsOnly)
    let change = ApplicationRegistry.Change(
      name: try value(TagCommand.name, .name, rules, arguments),
      appInfoURL: try value(TagCommand.appInfoURL, .appInfoURL, rules, arguments))
    guard change.name != nil || change.appInfoURL != nil else {
      throw UsageError("nothing to add: give --app-name or --app-info-url")
    }
    if let doubt = rules.doubt(about: identifier, for: .identifier) {
      console.say("warning: \(EscapedText(doubt))")
    }
    do throws(UserFile.Failure) {
      let outcome = try ApplicationRegistry.set(identifier, to: change, .current())
      console.output.writeLine("\(EscapedText(identifier)): \(outcome.rawValue)")
      return .done
    } catch {
      KnownApplications.report(error, console)
      return .failed
    }
  }

  private static func value(
    _ option: OptionDeclaration, _ field: DocumentSource.Field, _ rules: WritingRules,
    _ arguments: Arguments
  ) throws(UsageError) -> String? {
    guard let value = try arguments.text(option), !value.isEmpty else {
      return arguments.has(option) ? "" : nil
    }
    do throws(RefusedValue) {
      try rules.check(value, for: field)
    } catch {
      throw UsageError("--\(option.long): \(error.reason)\(error.remedy.words)")
    }
    return value
  }
}

/// `docsource apps remove`: takes applications off the user's list.
enum AppsRemoveCommand: Command {
  static let verb = "remove"
  static let declaration = CommandDeclaration(
    name: "apps remove", summary: "remove applications from your own list", operands: "ID...",
    kinds: [.ownIdentifier],
    examples: [
      "docsource apps remove org.example.editor",
      "docsource apps remove org.example.editor org.example.viewer",
    ],
    manual: ManualText(Manual.appsRemove))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard !arguments.operands.isEmpty else { throw UsageError("no identifier given") }
    // The list is UTF-8, so no other word is on it.
    let identifiers = arguments.operands.compactMap { String(validating: $0, as: UTF8.self) }
    let places = BaseDirectories.current()
    let removed: Set<String>
    do throws(UserFile.Failure) {
      removed = try ApplicationRegistry.remove(identifiers, places)
    } catch {
      KnownApplications.report(error, console)
      return .failed
    }
    var status = ExitStatus.done
    let listed = KnownApplications(ApplicationRegistry(places: places), places: places)
    var handled: Set<[UInt8]> = []
    for word in arguments.operands where handled.insert(word).inserted {
      let identifier = String(decoding: word, as: UTF8.self)
      if removed.contains(where: { $0.utf8.elementsEqual(word) }) {
        console.output.writeLine("\(EscapedText(word)): removed")
        continue
      }
      let hint = ApplicationWord.hint(for: identifier, among: listed.all(of: .user))
      console.say(
        "'\(EscapedText(word))' is not on your list"
          + (hint.map { "; " + $0 } ?? ""))
      status = .negative
    }
    return status
  }
}

/// How `apps` prints applications.
enum ApplicationFormat {
  static let json = ShowCommand.json

  /// A longer identifier or name does not widen the column for the other lines.
  private static let widthLimit = 60

  /// A table with a line for each application.
  static func writeTable(_ applications: [KnownApplication], _ console: Console) {
    let rows = applications.map { one in
      [one.identifier, one.localizedName ?? ""].map { EscapedText($0).description }
        + [one.origin.rawValue]
    }
    let widths = (0..<2).map { column in
      rows.map { TerminalCells.count($0[column]) }.filter { $0 <= widthLimit }.max() ?? 0
    }
    for row in rows {
      let cells = zip(row, widths).map { TerminalCells.padded($0, to: $1) }
      console.output.writeLine((cells + [row[2]]).joined(separator: "  "))
    }
  }

  static func writeJSON(_ application: KnownApplication, _ console: Console) {
    let sources: [JSONFields] = application.sources.map {
      [
        "knownFrom": .text($0.origin.rawValue), "name": .text($0.name),
        "appInfoURL": .text($0.appInfoURL), "file": .path($0.path?.bytes),
      ]
    }
    console.write([
      "identifier": .text(application.identifier), "name": .text(application.name),
      "localizedName": .text(application.localizedName),
      "appInfoURL": .text(application.appInfoURL), "knownFrom": .text(application.origin.rawValue),
      "sources": .objects(sources),
    ])
  }

  /// A block of all that is known of one application, with where each value is known from.
  static func writeBlock(_ application: KnownApplication, _ console: Console) {
    console.output.writeLine(EscapedText(application.identifier).description)
    if let source = application.nameSource, let name = application.localizedName {
      console.writeRow("Name", "\(name) (\(source.origin.rawValue))")
      if let inFiles = source.name, inFiles != name { console.writeRow("In files", inFiles) }
    }
    if let source = application.appInfoURLSource, let url = source.appInfoURL {
      console.writeRow("App info", "\(url) (\(source.origin.rawValue))")
    }
    for (position, source) in application.sources.enumerated() {
      let path = source.path.map { ": \($0)" } ?? ""
      console.writeRow(position == 0 ? "Known from" : "", source.origin.rawValue + path)
    }
  }
}
