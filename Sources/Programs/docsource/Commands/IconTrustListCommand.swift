import AppIcon
import Applications
import CommandLineInterface
import LinuxSystem
import TextFormats
import Xattr

/// `docsource icon trust list`: tells which hosts are trusted.
enum IconTrustListCommand: Command {
  static let verb = "list"
  static let declaration = CommandDeclaration(
    name: "icon trust list", summary: "print the trusted hosts, a line each", operands: "",
    details: [], options: [],
    examples: ["docsource icon trust list", "docsource icon trust list | sort"])

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
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
