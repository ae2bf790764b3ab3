import Applications
import CommandLineInterface
import FileTree
import TextFormats

/// `docsource apps list`: the applications that are known here, a line each.
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
    details: [
      "Prints identifier, name and origin of those whose identifier or name is like a GLOB."
    ],
    options: options,
    examples: ["docsource apps list '*copy*'", "docsource apps list --origin user --json"],
    manual: manual)

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let origin = try arguments.choice(origin).flatMap { Application.Origin(rawValue: $0) }
    let globs = try arguments.operands.map { (word) throws(UsageError) in try glob(word) }
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

  private static func glob(_ word: [UInt8]) throws(UsageError) -> Glob {
    do throws(GlobFlaw) {
      return try Glob(word, letterCase: .ignored)
    } catch {
      throw UsageError("'\(EscapedText(word))': \(error)")
    }
  }
}

extension AppsListCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Letters match in either case, and a GLOB must match the whole identifier or the whole \
        name, in any language that it is known in here. With --origin, only values from there are \
        shown, and applications that are known from there.
        """,
        """
        With --json the members are identifier; name, the one in no particular language; \
        localizedName; appInfoURL; origin, where the application is known from first (user, \
        installed or built-in); and sources, each with origin, name, appInfoURL and path.
        """,
      ],
      exitStatus: AppsCommand.listStatus,
      environment: AppsCommand.environment + AppsCommand.languages, files: AppsCommand.files)
  }
}
