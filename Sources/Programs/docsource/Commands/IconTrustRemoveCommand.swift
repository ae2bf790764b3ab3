import AppIcon
import CommandLineInterface

/// `docsource icon trust remove`: puts hosts off the list of trusted ones.
enum IconTrustRemoveCommand: Command {
  static let verb = "remove"
  static let declaration = CommandDeclaration(
    name: "icon trust remove", summary: "trust hosts no longer", operands: "HOST...", details: [],
    options: [],
    examples: [
      "docsource icon trust remove example.com",
      "docsource icon trust remove www.example.com example.com",
    ])

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let hosts = try HostOperands.hosts(arguments)
    return HostOperands.edit(console) { list in
      hosts.map { host in
        (host, list.remove(host) ? .done("removed") : .nothing("is not on the list", .noSource))
      }
    }
  }
}
