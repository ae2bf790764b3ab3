import Applications
import CommandLineInterface
import DocumentSource
import FileTree
import TextFormats

/// `docsource apps`: lists the applications known here, and keeps the user's list.
enum AppsCommand: Command {
  static let verb = "apps"
  static var members: [any Command.Type] {
    [AppsListCommand.self, AppsShowCommand.self, AppsAddCommand.self, AppsRemoveCommand.self]
  }

  static let declaration = CommandDeclaration(
    name: verb, summary: "list the applications known here, and keep your own list",
    operands: "",
    details: """
      Known are those of your own list, those that are installed (by their desktop files), and those
      that write the attribute themselves; the first that says a value is believed. Without a verb
      it lists them all.
      """,
    options: AppsListCommand.options, members: members.map { $0.declaration },
    examples: [
      "docsource apps list 'com.*'",
      "docsource apps add org.example.editor --name Editor",
    ],
    manual: manual)

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    if let word = arguments.operands.first {
      if let member = members.first(where: { word.elementsEqual($0.verb.utf8) }) {
        throw UsageError("options stand behind '\(member.verb)'")
      }
      let text = String(decoding: word, as: UTF8.self)
      let hint =
        Spelling.nearest(to: text, among: members.map { $0.verb }).map { "did you mean '\($0)'?" }
        ?? "'docsource apps list' takes patterns"
      throw UsageError("no verb '\(EscapedText(word))'; \(hint)")
    }
    return try AppsListCommand.run(arguments, console)
  }

  private static let manual = ManualText(
    """
    Of an application each value is taken from the first that has it: your own list, then the
    desktop files of what is installed, then what is known of the applications that write the
    attribute themselves. The identifier of an installed one is the name of its desktop file without
    .desktop. Desktop files with Hidden do not count; those with NoDisplay are listed with --all
    only.

    'docsource tag --app' takes its values from here, the name in no particular language, as the
    file may travel; here the name is in yours.

    The list is a JSON object: applications, an array of objects with identifier, name and
    appInfoURL. Other members are kept when it is changed. What is malformed in it is told and
    passed over; where it is no JSON at all, or larger than 1 MiB, that is a failure.
    """,
    exitStatus: listStatus, environment: environment + languages, files: files,
    seeAlso: ["docsource-tag(1)"])

  static let listStatus: [ExitStatus: String] = [
    .noSource: "No application is listed.", .failed: "Your list cannot be read.",
  ]

  /// The variables that say where applications are listed.
  static let environment = [
    list,
    ManualText.Entry("XDG_DATA_HOME", "Where your desktop files are; ~/.local/share if not set."),
    ManualText.Entry(
      "XDG_DATA_DIRS", "Where the system's are; /usr/local/share:/usr/share if not set."),
  ]

  static let list = ManualText.Entry("XDG_CONFIG_HOME", "Where your list is; ~/.config if not set.")

  /// The variables that say in which language names are shown.
  static let languages = [
    ManualText.Entry(
      "LC_ALL, LC_MESSAGES, LANG", "The language of names; the first that is set counts.")
  ]

  static let files = [
    listFile,
    ManualText.Entry("DIR/applications/*.desktop", "The desktop files in the data directories."),
  ]

  static let listFile = ManualText.Entry("$XDG_CONFIG_HOME/docsource/apps.json", "Your list.")
}

/// `docsource apps list`: prints the applications known here, a line each.
enum AppsListCommand: Command {
  private static let origin = OptionDeclaration(
    "origin", value: "ORIGIN", choices: Application.Origin.allCases.map(\.rawValue),
    help: "only what this one says")
  private static let helpers = OptionDeclaration(
    "all", short: "a", help: "also installed ones that menus leave out")

  static let options = [origin, helpers, ApplicationFormat.json]

  static let verb = "list"
  static let declaration = CommandDeclaration(
    name: "apps list", summary: "print the known applications, sorted", operands: "[GLOB...]",
    details: "Prints identifier, name and origin of those whose identifier or name is like a GLOB.",
    options: options,
    examples: ["docsource apps list '*copy*'", "docsource apps list --origin user --json"],
    manual: manual)

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let origin = try arguments.choice(origin).flatMap { Application.Origin(rawValue: $0) }
    let globs = try arguments.operands.map { (word) throws(UsageError) in
      try Glob(typed: word, .ignored)
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
      if !globs.isEmpty { console.say("no application that is known is like that") }
      return .noSource
    }
    if arguments.has(ApplicationFormat.json) {
      for one in applications { ApplicationFormat.writeJSON(one, console) }
    } else {
      ApplicationFormat.writeTable(applications, console)
    }
    return .done
  }

  private static let manual = ManualText(
    """
    Letters match in either case, and a GLOB must match the whole identifier or the whole name, in
    any language that it is known in here. With --origin, only values from there are shown, and
    applications that are known from there.

    With --json the members are identifier; name, the one in no particular language; localizedName;
    appInfoURL; origin, where the application is known from first (user, installed or built-in); and
    sources, each with origin, name, appInfoURL and path.
    """,
    exitStatus: AppsCommand.listStatus,
    environment: AppsCommand.environment + AppsCommand.languages, files: AppsCommand.files)
}

/// `docsource apps show`: prints everything known of applications, with its origin.
enum AppsShowCommand: Command {
  static let verb = "show"
  static let declaration = CommandDeclaration(
    name: "apps show", summary: "print all that is known of applications", operands: "ID...",
    details: "A name does instead of an identifier where one application alone has it.",
    options: [ApplicationFormat.json],
    examples: [
      "docsource apps show com.appliedphasor.working-copy",
      "docsource apps show --json 'Working Copy'",
    ],
    manual: manual)

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
        status = .noSource
      }
    }
    return status
  }

  private static let manual = ManualText(
    """
    Each value is told with where it comes from. The members of --json are those of
    docsource-apps-list(1). Where nothing is known by a word, the nearest identifier is suggested.
    """,
    exitStatus: [
      .noSource: "Some word means no application that is known, or several.",
      .failed: "Your list cannot be read.",
    ],
    environment: AppsCommand.environment + AppsCommand.languages, files: AppsCommand.files)
}

/// `docsource apps add`: puts an application on the user's list.
enum AppsAddCommand: Command {
  static let verb = "add"
  static let declaration = CommandDeclaration(
    name: "apps add", summary: "put an application on your own list", operands: "ID",
    details: """
      Changes the entry that is there; what is not given stays, an empty value removes it. The list
      is $XDG_CONFIG_HOME/docsource/apps.json.
      """,
    options: [TagCommand.name, TagCommand.appInfoURL, TagCommand.insecureURL],
    examples: [
      "docsource apps add org.example.editor --name Editor",
      "docsource apps add org.example.editor -u https://example.org/appInfo.json",
    ],
    manual: manual)

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard arguments.operands.count == 1, let word = arguments.operands.first else {
      throw UsageError("it takes one identifier")
    }
    guard let identifier = String(validating: word, as: UTF8.self), !identifier.isEmpty else {
      throw UsageError("'\(EscapedText(word))' is no identifier like org.example.editor")
    }
    let rules = WritingRules(schemes: arguments.has(TagCommand.insecureURL) ? .any : .httpsOnly)
    let change = ApplicationRegistry.Change(
      name: try value(TagCommand.name, .name, rules, arguments),
      appInfoURL: try value(TagCommand.appInfoURL, .appInfoURL, rules, arguments))
    guard change.name != nil || change.appInfoURL != nil else {
      throw UsageError("nothing to add: give --name or --app-info-url")
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

  private static let manual = ManualText(
    """
    The list is replaced at once: readers see the old one or the new one, and several that change it
    wait for each other. Where it is a symbolic link, the file that it leads to is replaced. An
    identifier that is not in reverse-DNS form is warned about and added.
    """,
    exitStatus: [
      .done: "The list has the values, whether they were new or not.", .noSource: "",
      .failed: "The list cannot be read or written; it is as it was.",
    ],
    environment: [AppsCommand.list], files: [AppsCommand.listFile])
}

/// `docsource apps remove`: takes applications off the user's list.
enum AppsRemoveCommand: Command {
  static let verb = "remove"
  static let declaration = CommandDeclaration(
    name: "apps remove", summary: "take applications off your own list", operands: "ID...",
    examples: [
      "docsource apps remove org.example.editor",
      "docsource apps remove org.example.editor org.example.viewer",
    ],
    manual: manual)

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
    var told: Set<[UInt8]> = []
    for word in arguments.operands where told.insert(word).inserted {
      let identifier = String(decoding: word, as: UTF8.self)
      if removed.contains(where: { $0.utf8.elementsEqual(word) }) {
        console.output.writeLine("\(EscapedText(word)): removed")
        continue
      }
      let hint = ApplicationWord.nearest(to: identifier, among: listed.all(of: .user))
      console.say(
        "\(EscapedText(word)) is not on your list"
          + (hint.map { "; did you mean '\(EscapedText($0))'?" } ?? ""))
      status = .noSource
    }
    return status
  }

  private static let manual = ManualText(
    """
    Installed applications, and those known otherwise, stay known. The list is replaced at once, as
    docsource-apps-add(1) has it.
    """,
    exitStatus: [
      .noSource: "Some identifier was not on the list; the others are removed.",
      .failed: "The list cannot be read or written; it is as it was.",
    ],
    environment: [AppsCommand.list], files: [AppsCommand.listFile])
}
