import AppIcon
import CommandLineInterface

/// `docsource icon trust remove`: trust hosts no longer.
enum IconTrustRemoveCommand: Command {
  static let verb = "remove"
  static let declaration = CommandDeclaration(
    name: "icon trust remove", summary: "trust hosts no longer", operands: "HOST...", details: [], options: [],
    examples: [
      "docsource icon trust remove example.com", "docsource icon trust remove a.example.com b.example.com",
    ])

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let hosts = try HostOperands.hosts(arguments)
    return HostOperands.edit(console) { list in
      hosts.map { ($0, list.remove($0) ? .done("removed") : .nothing("is not on the list", .noSource)) }
    }
  }
}
