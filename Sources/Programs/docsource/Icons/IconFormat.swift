import AppIcon
import CommandLineInterface
import LinuxSystem
import TextFormats

/// The output of `docsource icon`: paths, explanations, JSON.
struct IconFormat {
  let options: IconOptions
  let areSeveral: Bool
  let console: Console

  /// Tells where an icon is, and with `--explain` why.
  func write(_ result: IconSearch.Result) -> ExitStatus {
    if options.isJSON {
      writeLine(JSONText.object(members(result)))
    } else {
      if let path = result.path { line(path, of: result.operand) }
      for consideration in options.isExplaining ? result.report.considerations : [] {
        writeLine("  \(Self.words(consideration))")
      }
    }
    return status(of: result)
  }

  /// Says that an operand gave nothing to look for.
  func write(_ failure: IconOperand.Failure, of operand: [UInt8]) -> ExitStatus {
    if options.isJSON {
      let key = failure.status == .noSource ? "reason" : "error"
      let members = JSONText.path(operand[...], key: "operand")
      let others = [("origin", "null"), ("path", "null"), (key, JSONText.string(failure.reason))]
      writeLine(JSONText.object(members + others))
    }
    if !options.isJSON || failure.status == .failed {
      console.report(operand[...], EscapedText(failure.reason).description)
    }
    return failure.status
  }

  /// The status for a result; where there is no icon, that is said first.
  func status(of result: IconSearch.Result) -> ExitStatus {
    if result.origin != nil { return .done }
    // The failure has been reported.
    if result.hasFailed { return .failed }
    if !options.isJSON {
      let words =
        result.operand.isName
        ? "no such file, and no icon of an application with this name" : "no icon"
      console.report(result.operand.bytes[...], words)
    }
    return .noSource
  }

  private func line(_ path: FilePath, of operand: IconOperand) {
    if options.end == 0 {
      if areSeveral {
        console.output.write(operand.bytes)
        console.output.write(": ")
      }
      console.output.write(path.bytes)
      console.output.write("", end: 0)
    } else if areSeveral {
      console.output.writeLine("\(EscapedText(operand.bytes)): \(EscapedText(path.bytes))")
    } else if console.output.isTerminal {
      console.output.writeLine(EscapedText(path.bytes).description)
    } else {
      console.output.write(path.bytes)
      console.output.writeLine("")
    }
  }

  private static func words(_ consideration: Consideration) -> String {
    let verdict = consideration.won ? "won " : "lost"
    let origin = consideration.origin.rawValue
    let gap = String(repeating: " ", count: max(0, 8 - origin.count))
    let subject = consideration.subject.isEmpty ? "" : " \(EscapedText(consideration.subject)):"
    return "\(verdict) \(origin)\(gap)\(subject) \(EscapedText(consideration.reason))"
  }

  private func writeLine(_ text: String) {
    if options.end == 0 {
      console.output.write(text, end: 0)
    } else {
      console.output.writeLine(text)
    }
  }

  private func members(_ result: IconSearch.Result) -> [(key: String, value: String)] {
    var members = JSONText.path(result.operand.bytes[...], key: "operand")
    members += [
      ("identifier", JSONText.string(result.operand.identifier)),
      ("appInfoURL", JSONText.string(result.operand.appInfoURL)),
      ("origin", JSONText.string(result.origin?.rawValue)),
    ]
    members += result.path.map { JSONText.path($0.bytes, key: "path") } ?? [("path", "null")]
    // Icons of other origins have a size of their own.
    let pixels = result.origin == .remote ? "\(options.iconSize.pixels)" : "null"
    let isStale = result.origin == .remote && !result.report.stale.isEmpty
    members += [("pixels", pixels), ("stale", "\(isStale)")]
    guard options.isExplaining else { return members }
    let considerations = result.report.considerations.map { one in
      JSONText.object([
        ("origin", JSONText.string(one.origin.rawValue)),
        ("subject", JSONText.string(one.subject)), ("won", "\(one.won)"),
        ("reason", JSONText.string(one.reason)),
      ])
    }
    return members + [("considerations", "[" + considerations.joined(separator: ",") + "]")]
  }
}
