import AppIcon
import CommandLineInterface
import DocumentSource
import LinuxSystem
import TextFormats
import Xattr

/// The hosts that a command line names, and what becomes of them in the list of trusted hosts.
enum HostOperands {
  enum Outcome {
    /// The list has changed.
    case done(String)
    /// It was so before.
    case nothing(String, ExitStatus)
  }

  /// - Throws: `UsageError` for a word that is no host's name, with a hint what might be meant.
  static func hosts(_ arguments: Arguments) throws(UsageError) -> [HostName] {
    guard !arguments.operands.isEmpty else { throw UsageError("no host given") }
    var hosts: [HostName] = []
    for operand in arguments.operands { hosts.append(try host(operand)) }
    return hosts
  }

  private static func host(_ operand: [UInt8]) throws(UsageError) -> HostName {
    let shown = "'\(EscapedText(operand))'"
    guard let text = String(validating: operand, as: UTF8.self) else {
      throw UsageError("\(shown) is not UTF-8")
    }
    if let url = try? AbsoluteURL(text), let host = try? HostName(url.authority.host) {
      throw UsageError("\(shown) is a URL; did you mean '\(host.text)'?")
    }
    let name: HostName
    do throws(HostName.Flaw) {
      name = try HostName(text)
    } catch {
      switch error {
      case .address: throw UsageError("\(shown) is an IP address, not a host name")
      case .percentEncoded, .malformed:
        throw UsageError(
          "\(shown) is not a host name such as example.com; write other scripts as xn--...")
      }
    }
    guard !name.isSingleLabel else {
      throw UsageError("\(shown) has no domain; give a name such as example.com")
    }
    return name
  }

  /// Changes the list and tells what became of each host.
  static func edit(
    _ console: Console, _ change: (inout TrustedHosts) -> [(HostName, Outcome)]
  ) -> ExitStatus {
    var outcomes: [(HostName, Outcome)] = []
    do throws(TrustedHosts.Failure) {
      try TrustedHosts.edit(.current()) { list in
        outcomes = change(&list)
        return outcomes.contains { if case .done = $1 { true } else { false } }
      }
    } catch {
      return report(error, console)
    }
    var status = ExitStatus.done
    for (host, outcome) in outcomes {
      switch outcome {
      case .done(let words): console.output.writeLine("\(host.text): \(words)")
      case .nothing(let words, let graver):
        console.say("\(host.text) \(words)")
        status = status.combined(with: graver)
      }
    }
    return status
  }

  static func report(_ failure: TrustedHosts.Failure, _ console: Console) -> ExitStatus {
    if let path = failure.path {
      console.report(path.bytes, failure.reason)
    } else {
      console.say("cannot locate the list of trusted hosts: \(failure.reason)")
    }
    return .failed
  }
}
