/// Text for a manual page, escaped for roff by groff_char(7): each character prints as itself, so
/// that what is copied from a page works in a shell.
struct RoffText: CustomStringConvertible {
  /// Input lines are kept this short, as `mandoc -T lint` asks.
  private static let width = 78

  let description: String

  init(_ text: String) {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\(rs"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default: result += "\\[u" + Self.hexadecimal(scalar) + "]"
      }
    }
    description = result.hasPrefix(".") ? "\\&" + result : result
  }

  static func bold(_ text: String) -> String { "\\fB\(RoffText(text))\\fR" }
  static func italic(_ text: String) -> String { "\\fI\(RoffText(text))\\fR" }

  /// A usage line's operands: what stands for something else in italics.
  static func operands(_ usage: String) -> String {
    var result = ""
    var rest = usage[...]
    while let first = rest.first {
      let isWord = first.isUppercase
      let part = rest.prefix { $0.isUppercase == isWord }
      result += isWord ? italic(String(part)) : RoffText(String(part)).description
      rest = rest.dropFirst(part.count)
    }
    return result
  }

  /// A paragraph as input lines, a new one for each sentence; options are bold.
  static func lines(of paragraph: String) -> [String] {
    var lines: [String] = []
    var endsSentence = true
    for word in paragraph.split(separator: " ") {
      let shown = emphasized(String(word))
      if !endsSentence, let last = lines.last, last.count + 1 + shown.count <= width {
        lines[lines.count - 1] = last + " " + shown
      } else {
        lines.append(shown)
      }
      endsSentence = word.hasSuffix(".") && !word.hasSuffix("...")
    }
    return lines
  }

  private static func emphasized(_ word: String) -> String {
    let lead = word.prefix { "('".contains($0) }
    let option = word.dropFirst(lead.count).prefix { $0.isLetter || $0.isNumber || $0 == "-" }
    guard option.hasPrefix("-"), option.count > 1 else { return RoffText(word).description }
    let rest = word.dropFirst(lead.count + option.count)
    return "\(RoffText(String(lead)))\(bold(String(option)))\(RoffText(String(rest)))"
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
