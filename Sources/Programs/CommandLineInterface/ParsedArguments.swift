internal import TextFormats

/// A command line taken apart.
public struct ParsedArguments: Sendable {
  var occurrences: [(option: OptionDeclaration, value: [UInt8])] = []

  var commands: [String: [[UInt8]]] = [:]

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

  /// All values of an option that may be given several times, in order.
  public func values(_ option: OptionDeclaration) -> [[UInt8]] {
    occurrences.filter { $0.option.long == option.long }.map(\.value)
  }

  /// The words of an option that takes a command, the last one's if it was given several times.
  public func command(_ option: OptionDeclaration) -> [[UInt8]] { commands[option.long] ?? [] }

  /// The value of an option as a number from `range`.
  ///
  /// - Throws: `UsageError` where it is no number, or another.
  public func number(
    _ option: OptionDeclaration, in range: ClosedRange<Int>
  ) throws(UsageError) -> Int? {
    guard let text = try text(option) else { return nil }
    if text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(text), range ~= number {
      return number
    }
    let limit =
      range.upperBound == .max
      ? "from \(range.lowerBound) on" : "from \(range.lowerBound) to \(range.upperBound)"
    throw UsageError("--\(option.long): '\(EscapedText(text))' is not a number \(limit)")
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
    try check(text, as: EscapedText(text), option)
    return text
  }

  /// The values of an option with choices that may be given more than once.
  ///
  /// - Throws: `UsageError` where one is none of them; the nearest is suggested.
  public func choices(_ option: OptionDeclaration) throws(UsageError) -> [String] {
    var texts: [String] = []
    for value in values(option) {
      let text = String(decoding: value, as: UTF8.self)
      try check(text, as: EscapedText(value), option)
      texts.append(text)
    }
    return texts
  }

  private func check(
    _ text: String, as shown: EscapedText, _ option: OptionDeclaration
  ) throws(UsageError) {
    if option.choices.contains(text) { return }
    let hint =
      Spelling.nearest(to: text, among: option.choices).map { "did you mean '\($0)'?" }
      ?? "it takes \(option.choices.joined(separator: ", "))"
    throw UsageError("--\(option.long): no such value '\(shown)'; \(hint)")
  }
}
