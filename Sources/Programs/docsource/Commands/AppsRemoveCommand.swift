import Applications
import CommandLineInterface
import TextFormats

/// `docsource apps remove`: takes applications off the user's list.
enum AppsRemoveCommand: Command {
  static let verb = "remove"
  static let declaration = CommandDeclaration(
    name: "apps remove", summary: "take applications off your own list", operands: "ID...",
    details: [], options: [],
    examples: [
      "docsource apps remove org.example.editor",
      "docsource apps remove org.example.editor org.example.viewer",
    ],
    manual: manual)

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    guard !arguments.operands.isEmpty else { throw UsageError("no identifier given") }
    // What is not UTF-8 is on no list.
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
}

extension AppsRemoveCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Installed applications, and those known otherwise, stay known. The list is replaced at \
        once, as docsource-apps-add(1) has it.
        """
      ],
      exitStatus: [
        .noSource: "Some identifier was not on the list; the others are removed.",
        .failed: "The list cannot be read or written; it is as it was.",
      ],
      environment: [AppsCommand.list], files: [AppsCommand.listFile])
  }
}
