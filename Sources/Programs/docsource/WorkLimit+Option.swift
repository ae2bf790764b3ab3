import CommandLineInterface
import LinuxSystem
import TextFormats

/// `--limit`: another limit of bytes, or none of any kind.
extension WorkLimit {
  /// - Parameter help: what is done up to SIZE.
  static func option(_ help: String) -> OptionDeclaration {
    OptionDeclaration("limit", value: "SIZE", help: "\(help) (default: 256M; none: no limit)")
  }

  /// - Throws: `UsageError` where the value of the option is neither a size nor `none`.
  static func given(
    by option: OptionDeclaration, in arguments: Arguments
  ) throws(UsageError) -> WorkLimit {
    guard let text = try arguments.text(option) else { return .standard }
    if text == "none" { return .none }
    guard let bytes = bytes(text) else {
      throw UsageError(
        "--\(option.long): '\(EscapedText(text))' is not a size such as 500K or 2G, or none")
    }
    return WorkLimit(bytes: bytes, seconds: standard.seconds)
  }

  private static func bytes(_ text: String) -> Int? {
    let shift =
      switch text.utf8.last {
      case UInt8(ascii: "K"): 10
      case UInt8(ascii: "M"): 20
      case UInt8(ascii: "G"): 30
      case UInt8(ascii: "T"): 40
      default: 0
      }
    let digits = text.utf8.dropLast(shift == 0 ? 0 : 1)
    guard digits.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(Substring(digits)), number > 0
    else { return nil }
    let bytes = number.multipliedReportingOverflow(by: 1 << shift)
    return bytes.overflow ? nil : bytes.partialValue
  }
}

extension WorkLimit.Excess {
  /// What would help, to stand behind the message.
  var remedy: String {
    switch self {
    case .bytes: "; use --limit=SIZE to allow more"
    case .seconds: "; use --limit=none to allow more"
    }
  }
}
