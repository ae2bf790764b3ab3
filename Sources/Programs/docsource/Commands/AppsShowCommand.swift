import Applications
import CommandLineInterface

/// `docsource apps show`: all that is known of applications, and who says it.
enum AppsShowCommand: Command {
  static let verb = "show"
  static let declaration = CommandDeclaration(
    name: "apps show", summary: "print all that is known of applications", operands: "ID...",
    details: ["A name does instead of an identifier where one application alone has it."],
    options: [ApplicationFormat.json],
    examples: [
      "docsource apps show com.appliedphasor.working-copy",
      "docsource apps show --json 'Working Copy'",
    ],
    manual: manual)

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
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
}

extension AppsShowCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Each value is told with where it comes from. The members of --json are those of \
        docsource-apps-list(1). Where nothing is known by a word, the nearest identifier is \
        suggested.
        """
      ],
      exitStatus: [
        .noSource: "Some word means no application that is known, or several.",
        .failed: "Your list cannot be read.",
      ],
      environment: AppsCommand.environment + AppsCommand.languages, files: AppsCommand.files)
  }
}
