import Applications
import CommandLineInterface
import DocumentSource
import TextFormats

/// `docsource apps add`: puts an application on the user's list.
enum AppsAddCommand: Command {
  private static let name = OptionDeclaration(
    "name", value: "NAME", help: "the application's name for people")
  private static let appInfoURL = OptionDeclaration(
    "app-info-url", short: "u", value: "URL", help: "where the application's icons are listed")
  private static let insecureURL = OptionDeclaration(
    "insecure-url", help: "accept a URL that is not https")

  static let verb = "add"
  static let declaration = CommandDeclaration(
    name: "apps add", summary: "put an application on your own list", operands: "ID",
    details: [
      """
      Changes the entry that is there; what is not given stays, an empty value removes it. The \
      list is $XDG_CONFIG_HOME/docsource/apps.json.
      """
    ],
    options: [name, appInfoURL, insecureURL],
    examples: [
      "docsource apps add org.example.editor --name Editor",
      "docsource apps add org.example.editor -u https://example.org/appInfo.json",
    ],
    manual: manual)

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    guard arguments.operands.count == 1, let word = arguments.operands.first else {
      throw UsageError("it takes one identifier")
    }
    guard let identifier = String(validating: word, as: UTF8.self), !identifier.isEmpty else {
      throw UsageError("'\(EscapedText(word))' is no identifier like org.example.editor")
    }
    let rules = WritingRules(schemes: arguments.has(insecureURL) ? .any : .httpsOnly)
    let change = ApplicationRegistry.Change(
      name: try value(name, .name, rules, arguments),
      appInfoURL: try value(appInfoURL, .appInfoURL, rules, arguments))
    guard change.name != nil || change.appInfoURL != nil else {
      throw UsageError("nothing to add: give --name or --app-info-url")
    }
    if let doubt = rules.doubt(about: identifier, for: .identifier) {
      console.say("warning: \(EscapedText(doubt))")
    }
    do throws(UserFile.Failure) {
      let outcome = try ApplicationRegistry.set(identifier, to: change, .current())
      console.output.writeLine("\(EscapedText(identifier)): \(words(outcome))")
      return .done
    } catch {
      KnownApplications.report(error, console)
      return .failed
    }
  }

  private static func value(
    _ option: OptionDeclaration, _ field: DocumentSource.Field, _ rules: WritingRules,
    _ arguments: ParsedArguments
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

  private static func words(_ outcome: ApplicationRegistry.Outcome) -> String {
    switch outcome {
    case .added: "added"
    case .changed: "changed"
    case .unchanged: "unchanged"
    }
  }
}

extension AppsAddCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        The list is replaced at once: readers see the old one or the new one, and several that \
        change it wait for each other. Where it is a symbolic link, the file that it leads to is \
        replaced. An identifier that is not in reverse-DNS form is warned about and added.
        """
      ],
      exitStatus: [
        .done: "The list has the values, whether they were new or not.", .noSource: "",
        .failed: "The list cannot be read or written; it is as it was.",
      ],
      environment: [AppsCommand.list], files: [AppsCommand.listFile])
  }
}
