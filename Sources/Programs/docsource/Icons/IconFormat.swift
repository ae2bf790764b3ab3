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
      let others = [("icon", "null"), (key, JSONText.string(failure.reason))]
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
      let absence = EscapedText(Self.absence(of: result.operand)).description
      console.report(result.operand.bytes[...], absence)
    }
    return .noSource
  }

  private static func absence(of operand: IconOperand) -> String {
    guard operand.isName else { return "no icon" }
    let name = String(decoding: operand.bytes, as: UTF8.self)
    return "no such file, and no icon for the application '\(name)'"
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
    members += JSONText.member("identifier", result.operand.identifier)
    members += JSONText.member("appInfoURL", result.operand.appInfoURL)
    members += JSONText.member("place", result.origin?.rawValue)
    members += result.path.map { JSONText.path($0.bytes, key: "icon") } ?? [("icon", "null")]
    // Icons of other places have a size of their own.
    if result.origin == .remote { members.append(("pixels", "\(options.iconSize.pixels)")) }
    let isStale = result.origin == .remote && !result.report.stale.isEmpty
    members.append(("stale", "\(isStale)"))
    if result.origin == nil {
      members +=
        result.hasFailed
        ? JSONText.member("error", result.error)
        : JSONText.member("reason", Self.absence(of: result.operand))
    }
    guard options.isExplaining else { return members }
    let considerations = result.report.considerations.map { one in
      JSONText.object([
        ("place", JSONText.string(one.origin.rawValue)),
        ("subject", JSONText.string(one.subject)), ("won", "\(one.won)"),
        ("reason", JSONText.string(one.reason)),
      ])
    }
    return members + [("considerations", JSONText.array(considerations))]
  }
}
