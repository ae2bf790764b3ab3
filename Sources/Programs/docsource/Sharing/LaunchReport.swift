import Applications
import CommandLineInterface
import CompanionProtocol
import Glibc
import Handoff
import LinuxSystem
import TextFormats

/// Says what became of launches.
enum LaunchReport {
  typealias Outcome = DesktopProtocol.Outcome

  /// Writes what was done, or would be, and reports what failed.
  ///
  /// - Parameter names: what the user calls the targets, if that is something else.
  static func write(
    _ outcomes: [Outcome], names: [[UInt8]: [UInt8]], isDry: Bool, isQuiet: Bool,
    _ console: Console
  ) -> ExitStatus {
    var status = ExitStatus.done
    func name(_ target: [UInt8]) -> [UInt8] { names[target] ?? target }
    /// What was opened in an application, or the words by which it would be.
    func opened(
      _ targets: [[UInt8]], _ application: DesktopProtocol.Application, _ words: [[UInt8]],
      _ what: String, _ members: @autoclosure () -> [(key: String, value: String)]
    ) {
      if console.writesObjects {
        var all = [("files", texts(targets.map(name)))]
        all += JSONText.member("identifier", application.identifier)
        all += JSONText.member("name", application.name) + JSONText.member("outcome", "opened")
        if isDry { all += [("dryRun", "true")] + members() }
        console.write(all)
      } else if isDry {
        let shown = words.map { "\(EscapedText(word: $0))" }.joined(separator: " ")
        console.output.writeLine("would \(what): \(shown)")
      } else if !isQuiet {
        for target in targets {
          console.output.writeLine(
            "\(EscapedText(name(target))): opened in \(EscapedText(application.name))"
              + " (\(EscapedText(application.identifier)))")
        }
      }
    }
    for outcome in outcomes {
      switch outcome {
      case .started(let application, let targets, let isInTerminal, let words):
        opened(
          targets, application, words, isInTerminal ? "start in a terminal" : "start",
          [("terminal", isInTerminal ? "true" : "false")]
            + JSONText.words(words, key: "arguments"))
      case .called(let application, let targets, let uris):
        opened(
          targets, application, uris, "call \(EscapedText(application.identifier)) with",
          [("call", texts(uris))])
      case .portal(let method, let target, let answer):
        status = status.combined(
          with: write(method, target, name(target), answer, isDry, isQuiet, console))
      case .failed(let targets, let reason):
        status = .failed
        if targets.isEmpty { console.say("\(EscapedText(reason))") }
        for target in targets { console.fail(name(target)[...], reason) }
      }
    }
    return status
  }

  private static func texts(_ words: [[UInt8]]) -> String {
    JSONText.array(words.map { JSONText.string(String(decoding: $0, as: UTF8.self)) })
  }

  private static func write(
    _ method: String, _ target: [UInt8], _ name: [UInt8], _ answer: DesktopProtocol.PortalAnswer?,
    _ isDry: Bool, _ isQuiet: Bool, _ console: Console
  ) -> ExitStatus {
    guard answer != .failed else {
      console.fail(name[...], "the portal could not open it")
      return .failed
    }
    let isCancelled = answer == .cancelled
    if console.writesObjects {
      var members = [("files", texts([name]))] + JSONText.member("portal", method)
      members += JSONText.member("outcome", isCancelled ? "cancelled" : "opened")
      if isDry { members += [("dryRun", "true"), ("call", texts([target]))] }
      console.write(members)
    } else if isDry {
      console.output.writeLine(
        "would call the portal's \(method) with: \(EscapedText(word: target))")
    } else if isCancelled {
      console.report(name[...], "cancelled")
    } else if !isQuiet {
      console.output.writeLine("\(EscapedText(name)): opened by the portal")
    }
    return isCancelled ? .noSource : .done
  }
}
