import AppIcon
import Applications
import CommandLineInterface
import LinuxSystem
import TextFormats
import Xattr

/// `docsource icon trust`: keeps the list of hosts from which icons may be fetched unasked.
enum IconTrustCommand: Command {
  static let verb = "trust"
  static var members: [any Command.Type] {
    [IconTrustAddCommand.self, IconTrustListCommand.self, IconTrustRemoveCommand.self]
  }

  static let declaration = CommandDeclaration(
    name: "icon trust", summary: "keep the list of trusted hosts", operands: "[HOST...]",
    details: """
      With 'docsource icon --trusted', as file managers run it, icons are fetched only where the
      hosts of the appInfo.json and of the icon are both on the list. A host is trusted by its own
      name; those below it are others.
      """,
    members: members.map { $0.declaration },
    examples: ["docsource icon trust add example.com", "docsource icon trust list"],
    manual: manual)

  private static let manual = ManualText(
    environment: [ManualText.Entry("XDG_CONFIG_HOME", "Where the list is; ~/.config if not set.")],
    files: [
      ManualText.Entry("$XDG_CONFIG_HOME/docsource/trusted-hosts", "The list, a host a line.")
    ])
}

/// `docsource icon trust add`: puts hosts on the list of trusted ones.
enum IconTrustAddCommand: Command {
  static let verb = "add"
  static let declaration = CommandDeclaration(
    name: "icon trust add", summary: "trust hosts", operands: "HOST...", kinds: [],
    examples: [
      "docsource icon trust add example.com",
      "docsource icon trust add www.example.com example.com",
    ])

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let hosts = try HostOperands.hosts(arguments)
    return HostOperands.edit(console) { list in
      hosts.map { host in
        (host, list.add(host) ? .done("added") : .nothing("is on the list already", .done))
      }
    }
  }
}

/// `docsource icon trust list`: prints the trusted hosts.
enum IconTrustListCommand: Command {
  static let verb = "list"
  static let declaration = CommandDeclaration(
    name: "icon trust list", summary: "print the trusted hosts, a line each", operands: "",
    examples: ["docsource icon trust list", "docsource icon trust list | sort"])

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard arguments.operands.isEmpty else { throw UsageError("it takes no operand") }
    let places = BaseDirectories.current()
    let list = TrustedHosts(places: places)
    if let failure = list.failure { return HostOperands.report(failure, console) }
    for host in list.hosts { console.output.writeLine(host.text) }
    for line in list.misspelt {
      guard let path = try? TrustedHosts.path(places) else { break }
      console.report(
        path.bytes, "line \(line.line): '\(EscapedText(line.text))' is no host's name; ignored")
    }
    return .done
  }
}

/// `docsource icon trust remove`: takes hosts off the list of trusted ones.
enum IconTrustRemoveCommand: Command {
  static let verb = "remove"
  static let declaration = CommandDeclaration(
    name: "icon trust remove", summary: "trust hosts no longer", operands: "HOST...",
    examples: [
      "docsource icon trust remove example.com",
      "docsource icon trust remove www.example.com example.com",
    ])

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let hosts = try HostOperands.hosts(arguments)
    return HostOperands.edit(console) { list in
      hosts.map { host in
        (host, list.remove(host) ? .done("removed") : .nothing("is not on the list", .noSource))
      }
    }
  }
}
