internal import TextFormats

/// Takes a command line apart as GNU tools do.
///
/// Options and operands come in any order; `--name=value` and `--name value`; a long name may be cut
/// short while it stays unique; short options cluster, the last may have its value attached;
/// everything behind `--` is an operand, and so is `-` alone. A command ends at `;`, as in find(1).
public struct ArgumentParser: Sendable {
  let options: [OptionDeclaration]

  public init(_ command: CommandDeclaration) { self.options = command.options }

  /// - Parameter arguments: what follows the verb.
  public func parse(_ arguments: ArraySlice<[UInt8]>) throws(UsageError) -> ParsedArguments {
    var parsed = ParsedArguments()
    var rest = arguments
    while let argument = rest.popFirst() {
      if argument == Array("--".utf8) {
        parsed.operands.append(contentsOf: rest)
        break
      } else if argument.starts(with: "--".utf8) {
        try parseLong(argument.dropFirst(2), &rest, into: &parsed)
      } else if argument.first == UInt8(ascii: "-"), argument.count > 1 {
        try parseShort(argument.dropFirst(), &rest, into: &parsed)
      } else {
        parsed.operands.append(argument)
      }
    }
    return parsed
  }

  private func parseLong(
    _ body: ArraySlice<UInt8>, _ rest: inout ArraySlice<[UInt8]>,
    into parsed: inout ParsedArguments
  ) throws(UsageError) {
    let equals = body.firstIndex(of: UInt8(ascii: "="))
    let typed = body[..<(equals ?? body.endIndex)]
    let option = try option(named: String(decoding: typed, as: UTF8.self), typed)
    let attached = equals.map { Array(body[($0 + 1)...]) }
    if option.placeholder == nil {
      guard attached == nil else { throw UsageError("option --\(option.long) takes no value") }
      parsed.occurrences.append((option, []))
    } else if option.takesCommand {
      take(command: option, attached, &rest, into: &parsed)
    } else if let value = attached ?? rest.popFirst() {
      parsed.occurrences.append((option, value))
    } else {
      throw missingValue(option, "--\(option.long)")
    }
  }

  private func take(
    command option: OptionDeclaration, _ attached: [UInt8]?, _ rest: inout ArraySlice<[UInt8]>,
    into parsed: inout ParsedArguments
  ) {
    let words = rest.prefix { $0 != Array(";".utf8) }
    rest = rest[words.endIndex...].dropFirst()
    parsed.occurrences.append((option, []))
    parsed.commands[option.long] = (attached.map { [$0] } ?? []) + words
  }

  private func option(
    named name: String, _ typed: ArraySlice<UInt8>
  ) throws(UsageError) -> OptionDeclaration {
    if let exact = options.first(where: { $0.long == name }) { return exact }
    let begun = options.filter { $0.long.utf8.starts(with: typed) }
    if begun.count == 1, let only = begun.first, !name.isEmpty { return only }
    if begun.count > 1, !name.isEmpty {
      let names = begun.map { "--" + $0.long }.joined(separator: ", ")
      throw UsageError("option --\(EscapedText(name)) is ambiguous: \(names)")
    }
    let hint = Spelling.nearest(to: name, among: options.map(\.long))
    throw UsageError(
      "no option --\(EscapedText(name))" + (hint.map { "; did you mean --\($0)?" } ?? ""))
  }

  private func parseShort(
    _ typed: ArraySlice<UInt8>, _ rest: inout ArraySlice<[UInt8]>,
    into parsed: inout ParsedArguments
  ) throws(UsageError) {
    var cluster = typed
    while let letter = cluster.popFirst() {
      let character = Character(Unicode.Scalar(letter))
      guard let option = options.first(where: { $0.short == character }) else {
        throw unknownShort(letter, character, typed)
      }
      if option.placeholder == nil {
        parsed.occurrences.append((option, []))
      } else if option.takesCommand {
        take(command: option, cluster.isEmpty ? nil : Array(cluster), &rest, into: &parsed)
        return
      } else if !cluster.isEmpty {
        parsed.occurrences.append((option, Array(cluster)))
        return
      } else if let value = rest.popFirst() {
        parsed.occurrences.append((option, value))
      } else {
        throw missingValue(option, "-\(character)")
      }
    }
  }

  /// A long option typed with one dash is the commonest slip.
  private func unknownShort(
    _ letter: UInt8, _ character: Character, _ typed: ArraySlice<UInt8>
  ) -> UsageError {
    let whole = String(decoding: typed, as: UTF8.self)
    let shown = letter < 0x80 ? "\(EscapedText(String(character)))" : "\(EscapedText([letter]))"
    if typed.count > 2, let near = Spelling.nearest(to: whole, among: options.map(\.long)) {
      return UsageError("no option -\(shown); did you mean --\(near)?")
    }
    return UsageError("no option -\(shown)")
  }

  private func missingValue(_ option: OptionDeclaration, _ typed: String) -> UsageError {
    UsageError("option \(typed) needs a value: \(typed) \(option.placeholder ?? "")")
  }
}
