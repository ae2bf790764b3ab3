/// A command line taken apart.
public struct ParsedArguments: Sendable {
  var occurrences: [(option: OptionDeclaration, value: [UInt8])] = []

  /// What is no option, in order: files, as bytes.
  public internal(set) var operands: [[UInt8]] = []

  /// Whether an option was given.
  public func has(_ option: OptionDeclaration) -> Bool {
    occurrences.contains { $0.option.long == option.long }
  }

  /// The value of an option as bytes, the last one if it was given several times.
  public func bytes(_ option: OptionDeclaration) -> [UInt8]? {
    for occurrence in occurrences.reversed() where occurrence.option.long == option.long {
      return occurrence.value
    }
    return nil
  }

  /// The value of an option as text.
  ///
  /// - Throws: `UsageError` where the bytes are not UTF-8.
  public func text(_ option: OptionDeclaration) throws(UsageError) -> String? {
    guard let bytes = bytes(option) else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw UsageError("--\(option.long): '\(EscapedText(bytes))' is not UTF-8")
    }
    return text
  }

  /// The value of an option with choices.
  ///
  /// - Throws: `UsageError` where it is none of them; the nearest is suggested.
  public func choice(_ option: OptionDeclaration) throws(UsageError) -> String? {
    guard let text = try text(option) else { return nil }
    if option.choices.contains(text) { return text }
    let hint =
      Spelling.nearest(to: text, among: option.choices).map { "did you mean '\($0)'?" }
      ?? "it takes \(option.choices.joined(separator: ", "))"
    throw UsageError("--\(option.long): no such value '\(EscapedText(text))'; \(hint)")
  }
}
