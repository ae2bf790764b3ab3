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
      writeLine(fields(result).text)
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
      let key = failure.status == .negative ? "reason" : "error"
      let fields: JSONFields = [
        "operand": .path(operand), "icon": .null, key: .text(failure.reason),
      ]
      writeLine(fields.text)
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
    return .negative
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

  private func fields(_ result: IconSearch.Result) -> JSONFields {
    let isRemote = result.origin == .remote
    let considerations: [JSONFields] = result.report.considerations.map {
      [
        "place": .text($0.origin.rawValue), "subject": .text($0.subject), "won": .flag($0.won),
        "reason": .text($0.reason),
      ]
    }
    let lacks = result.origin == nil
    return [
      "operand": .path(result.operand.bytes), "identifier": .text(result.operand.identifier),
      "appInfoURL": .text(result.operand.appInfoURL), "place": .text(result.origin?.rawValue),
      "icon": .path(result.path?.bytes) ?? .null,
      // Icons of other places have a size of their own.
      "pixels": isRemote ? .number(options.iconSize.pixels) : nil,
      "stale": .flag(isRemote && !result.report.stale.isEmpty),
      "error": lacks && result.hasFailed ? .text(result.error) : nil,
      "reason": lacks && !result.hasFailed ? .text(Self.absence(of: result.operand)) : nil,
      "considerations": options.isExplaining ? .objects(considerations) : nil,
    ]
  }
}
