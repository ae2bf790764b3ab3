import AppIcon
import CommandLineInterface

/// `docsource icon trust add`: puts hosts on the list of trusted ones.
enum IconTrustAddCommand: Command {
  static let verb = "add"
  static let declaration = CommandDeclaration(
    name: "icon trust add", summary: "trust hosts", operands: "HOST...", kinds: [],
    details: [],
    options: [],
    examples: [
      "docsource icon trust add example.com",
      "docsource icon trust add www.example.com example.com",
    ])

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let hosts = try HostOperands.hosts(arguments)
    return HostOperands.edit(console) { list in
      hosts.map { host in
        (host, list.add(host) ? .done("added") : .nothing("is on the list already", .done))
      }
    }
  }
}
