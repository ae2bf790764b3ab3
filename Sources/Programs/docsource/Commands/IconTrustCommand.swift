import AppIcon
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
    name: "icon trust", summary: "manage the list of trusted hosts", operands: "[HOST...]",
    details: """
      'docsource icon --trusted', which file managers run, fetches icons only if the host of the
      appInfo.json and the host of the icon are both on the list. Trust in a host does not extend to
      its subdomains.
      """,
    members: members.map { $0.declaration },
    examples: ["docsource icon trust add example.com", "docsource icon trust list"],
    manual: ManualText(Manual.iconTrust))
}

/// `docsource icon trust add`: puts hosts on the list of trusted ones.
enum IconTrustAddCommand: Command {
  static let verb = "add"
  static let declaration = CommandDeclaration(
    name: "icon trust add", summary: "trust hosts", operands: "HOST...", kinds: [],
    examples: [
      "docsource icon trust add example.com",
      "docsource icon trust add www.example.com example.com",
    ],
    manual: ManualText(Manual.iconTrustAdd))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let hosts = try HostOperands.hosts(arguments)
    return HostOperands.edit(console) { list in
      hosts.map { host in
        (host, list.add(host) ? .done("added") : .nothing("is already on the list", .done))
      }
    }
  }
}

/// `docsource icon trust list`: prints the trusted hosts.
enum IconTrustListCommand: Command {
  static let verb = "list"
  static let declaration = CommandDeclaration(
    name: "icon trust list", summary: "print the trusted hosts, one per line", operands: "",
    examples: ["docsource icon trust list", "docsource icon trust list | sort"],
    manual: ManualText(Manual.iconTrustList))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard arguments.operands.isEmpty else { throw UsageError("no operand is allowed") }
    let places = BaseDirectories.current()
    let list = TrustedHosts(places: places)
    if let failure = list.failure { return HostOperands.report(failure, console) }
    for host in list.hosts { console.output.writeLine(host.text) }
    for line in list.misspelt {
      guard let path = try? TrustedHosts.path(places) else { break }
      console.report(
        path.bytes, "line \(line.line): '\(EscapedText(line.text))' is not a host name; ignored")
    }
    return .done
  }
}

/// `docsource icon trust remove`: takes hosts off the list of trusted ones.
enum IconTrustRemoveCommand: Command {
  static let verb = "remove"
  static let declaration = CommandDeclaration(
    name: "icon trust remove", summary: "stop trusting hosts", operands: "HOST...",
    examples: [
      "docsource icon trust remove example.com",
      "docsource icon trust remove www.example.com example.com",
    ],
    manual: ManualText(Manual.iconTrustRemove))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let hosts = try HostOperands.hosts(arguments)
    return HostOperands.edit(console) { list in
      hosts.map { host in
        (host, list.remove(host) ? .done("removed") : .nothing("is not on the list", .negative))
      }
    }
  }
}
