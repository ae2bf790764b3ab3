internal import Glibc
internal import TextFormats

/// Takes a command line apart as GNU tools do.
///
/// Options and operands come in any order. A value follows as `--name=value` or `--name value`. A
/// long name may be cut short while it stays unique; a former name counts where no other name fits.
/// Short options cluster, and the last may have its value attached. Everything after `--` is an
/// operand, and so is `-` alone. A command given as a value ends at `;`, as in find(1).
package struct ArgumentParser: Sendable {
  let options: [OptionDeclaration]

  package init(_ command: CommandDeclaration) { self.options = command.options }

  /// - Parameter arguments: what follows the verb.
  package func parse(_ arguments: ArraySlice<[UInt8]>) throws(UsageError) -> Arguments {
    var parsed = Arguments()
    var rest = arguments
    let dash = UInt8(ascii: "-")
    while let argument = rest.popFirst() {
      guard argument.count > 1, argument[0] == dash else {
        parsed.operands.append(argument)
        continue
      }
      if argument[1] != dash {
        try parseShort(argument.dropFirst(), &rest, into: &parsed)
      } else if argument.count > 2 {
        try parseLong(argument.dropFirst(2), &rest, into: &parsed)
      } else {
        parsed.operands.append(contentsOf: rest)
        break
      }
    }
    return parsed
  }

  private func parseLong(
    _ body: ArraySlice<UInt8>, _ rest: inout ArraySlice<[UInt8]>,
    into parsed: inout Arguments
  ) throws(UsageError) {
    let equals = body.firstIndex(of: UInt8(ascii: "="))
    let typed = body[..<(equals ?? body.endIndex)]
    let option = try option(named: String(decoding: typed, as: UTF8.self), typed, &parsed)
    let attached = equals.map { Array(body[($0 + 1)...]) }
    if option.placeholder != nil {
      try takeValue(of: option, "--\(option.long)", attached, &rest, into: &parsed)
    } else if attached == nil {
      parsed.occurrences.append((option, []))
    } else {
      throw UsageError("option '--\(option.long)' takes no value")
    }
  }

  /// - Parameter attached: the value that stands in the same word as the option.
  private func takeValue(
    of option: OptionDeclaration, _ typed: String, _ attached: [UInt8]?,
    _ rest: inout ArraySlice<[UInt8]>, into parsed: inout Arguments
  ) throws(UsageError) {
    if option.takesCommand {
      let words = rest.prefix { $0 != Array(";".utf8) }
      rest = rest[words.endIndex...].dropFirst()
      parsed.occurrences.append((option, []))
      parsed.commands[option.long, default: []].append((attached.map { [$0] } ?? []) + words)
    } else if let value = attached ?? rest.popFirst() {
      parsed.occurrences.append((option, value))
    } else {
      throw UsageError("option '\(typed)' needs a value: \(typed) \(option.placeholder ?? "")")
    }
  }

  private func option(
    named name: String, _ typed: ArraySlice<UInt8>, _ parsed: inout Arguments
  ) throws(UsageError) -> OptionDeclaration {
    if let exact = options.first(where: { $0.names.contains(name) }) { return exact }
    if let renamed = options.first(where: { $0.former == name }) {
      return parsed.note(renamed)
    }
    let begun = options.filter { $0.names.contains { $0.utf8.starts(with: typed) } }
    if begun.count == 1, let only = begun.first, !name.isEmpty { return only }
    let renamed = options.filter { $0.former?.utf8.starts(with: typed) == true }
    if begun.isEmpty, renamed.count == 1, let only = renamed.first { return parsed.note(only) }
    if begun.count > 1, !name.isEmpty {
      let names = begun.flatMap(\.names).filter { $0.utf8.starts(with: typed) }
        .map { "--" + $0 }.joined(separator: ", ")
      throw UsageError("option '--\(EscapedText(name))' is ambiguous; it could be \(names)")
    }
    let hint = Spelling.nearest(to: name, among: options.flatMap(\.names))
    throw UsageError(
      "unknown option '--\(EscapedText(name))'" + (hint.map { "; did you mean '--\($0)'?" } ?? ""))
  }

  private func parseShort(
    _ typed: ArraySlice<UInt8>, _ rest: inout ArraySlice<[UInt8]>,
    into parsed: inout Arguments
  ) throws(UsageError) {
    var cluster = typed
    while let letter = cluster.popFirst() {
      let character = Character(Unicode.Scalar(letter))
      guard let option = options.first(where: { $0.short == character }) else {
        throw unknownShort(letter, character, typed)
      }
      if option.placeholder == nil {
        parsed.occurrences.append((option, []))
      } else {
        let attached = cluster.isEmpty ? nil : Array(cluster)
        return try takeValue(of: option, "-\(character)", attached, &rest, into: &parsed)
      }
    }
  }

  /// A long option typed with one dash is the commonest slip.
  private func unknownShort(
    _ letter: UInt8, _ character: Character, _ typed: ArraySlice<UInt8>
  ) -> UsageError {
    let whole = String(decoding: typed, as: UTF8.self)
    let shown = letter < 0x80 ? "\(EscapedText(String(character)))" : "\(EscapedText([letter]))"
    let near =
      typed.count > 2 ? Spelling.nearest(to: whole, among: options.map(\.long)) : nil
    return UsageError(
      "unknown option '-\(shown)'" + (near.map { "; did you mean '--\($0)'?" } ?? ""))
  }
}

/// The options and operands of a command line.
package struct Arguments: Sendable {
  var occurrences: [(option: OptionDeclaration, value: [UInt8])] = []
  /// The words of the commands that options take, by the options' long names.
  var commands: [String: [[[UInt8]]]] = [:]

  /// The words that are no options, in order, as bytes.
  package internal(set) var operands: [[UInt8]] = []

  /// The options that were given by their former names, each once.
  package private(set) var renamed: [OptionDeclaration] = []

  /// Notes that an option was given by its former name, and returns the option.
  fileprivate mutating func note(_ option: OptionDeclaration) -> OptionDeclaration {
    if !renamed.contains(option) { renamed.append(option) }
    return option
  }

  /// The same options with other operands.
  package func with(operands: [[UInt8]]) -> Arguments {
    var arguments = self
    arguments.operands = operands
    return arguments
  }

  /// Whether an option was given.
  package func has(_ option: OptionDeclaration) -> Bool {
    occurrences.contains { $0.option.long == option.long }
  }

  /// The value of an option as bytes; the last one where the option was given several times.
  package func bytes(_ option: OptionDeclaration) -> [UInt8]? {
    occurrences.last { $0.option.long == option.long }?.value
  }

  /// All values of an option that may be given several times, in order.
  package func values(_ option: OptionDeclaration) -> [[UInt8]] {
    occurrences.filter { $0.option.long == option.long }.map(\.value)
  }

  /// The words of each command that an option was given, in order.
  package func commands(_ option: OptionDeclaration) -> [[[UInt8]]] { commands[option.long] ?? [] }

  /// The value of an option as a number from `range`.
  ///
  /// - Throws: `UsageError` where the value is no number in that range.
  package func number(
    _ option: OptionDeclaration, in range: ClosedRange<Int>
  ) throws(UsageError) -> Int? {
    guard let text = try text(option) else { return nil }
    if text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(text), range ~= number {
      return number
    }
    let limit =
      range.upperBound == .max
      ? "of \(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
    throw UsageError(
      "--\(option.long): '\(EscapedText(text))' is invalid; expected a number \(limit)")
  }

  /// The value of an option as seconds, given as a time such as `90m` or `1h30m`.
  ///
  /// - Throws: `UsageError` for any other text, and for none or more than 366 days.
  package func duration(_ option: OptionDeclaration) throws(UsageError) -> Int? {
    guard let text = try text(option) else { return nil }
    if let seconds = Self.duration(text) { return seconds }
    throw UsageError(
      "--\(option.long): '\(EscapedText(text))' is invalid; expected a time such as 30m, 2h or 1d, of"
        + " 366 days at most")
  }

  private static let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
  private static let longestDuration = 366 * 86_400

  /// - Returns: `nil` for any other text.
  package static func duration(_ text: String) -> Int? {
    var (seconds, digits) = (0, "")
    for character in text {
      if character.isASCII, character.isNumber, digits.count < 9 {
        digits.append(character)
      } else if let unit = units[character], let number = Int(digits) {
        seconds += number * unit
        digits = ""
      } else {
        return nil
      }
    }
    return digits.isEmpty && 1...longestDuration ~= seconds ? seconds : nil
  }

  /// The value of an option as text.
  ///
  /// - Throws: `UsageError` where the bytes are not UTF-8.
  package func text(_ option: OptionDeclaration) throws(UsageError) -> String? {
    guard let bytes = bytes(option) else { return nil }
    return try Self.text(bytes, of: option)
  }

  /// One of the values of an option as text.
  ///
  /// - Throws: `UsageError` where the bytes are not UTF-8.
  package static func text(
    _ value: [UInt8], of option: OptionDeclaration
  ) throws(UsageError) -> String {
    guard let text = String(validating: value, as: UTF8.self) else {
      throw UsageError("--\(option.long): '\(EscapedText(value))' is not UTF-8")
    }
    return text
  }

  /// All values of an option whose placeholder is like `KEY=VALUE`, taken apart at the first `=`.
  ///
  /// - Throws: `UsageError` where nothing stands before an `=`, or what does is not UTF-8.
  package func pairs(
    _ option: OptionDeclaration
  ) throws(UsageError) -> [(key: String, value: [UInt8])] {
    try values(option).map { value throws(UsageError) in
      guard let equals = value.firstIndex(of: UInt8(ascii: "=")), equals > 0 else {
        throw UsageError(
          "--\(option.long): '\(EscapedText(value))' is invalid; expected"
            + " \(option.placeholder ?? "")")
      }
      return (try Self.text(Array(value[..<equals]), of: option), Array(value[(equals + 1)...]))
    }
  }

  /// The value of an option with choices.
  ///
  /// - Throws: `UsageError` where the value is none of the choices; the nearest is suggested.
  package func choice(_ option: OptionDeclaration) throws(UsageError) -> String? {
    guard let text = try text(option) else { return nil }
    try check(text, as: EscapedText(text), option)
    return text
  }

  /// The values of an option with choices that may be given more than once.
  ///
  /// - Throws: `UsageError` where a value is none of the choices; the nearest is suggested.
  package func choices(_ option: OptionDeclaration) throws(UsageError) -> [String] {
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
      ?? "expected one of \(option.choices.joined(separator: ", "))"
    throw UsageError("--\(option.long): invalid value '\(shown)'; \(hint)")
  }
}

/// A mistake in a command line, in words for the person who typed it.
package struct UsageError: Error, Hashable, Sendable {
  /// One line, without the tool's name; text from the command line is escaped.
  package let message: String

  package init(_ message: String) { self.message = message }
}

/// Guesses the word that a mistyped one was meant to be.
package enum Spelling {
  /// The candidate nearest to a word, if one is near enough to be worth suggesting.
  ///
  /// A word is near if it begins the candidate with three letters or more, is one of the parts of a
  /// hyphenated candidate, or differs by at most one slip in three letters. A slip is a letter too
  /// many, missing, wrong, or swapped with its neighbour.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    equallyNear(to: word, among: candidates).first
  }

  /// All candidates that are as near to a word as the nearest one, in their order.
  package static func equallyNear(to word: String, among candidates: [String]) -> [String] {
    // No name is that long, and the time and memory taken below grow with the word.
    guard word.utf8.count <= 64 else { return [] }
    let typed = Array(word.lowercased().unicodeScalars)
    if typed.count >= 3 {
      let begun = candidates.filter { $0.unicodeScalars.starts(with: typed) }
      if !begun.isEmpty { return begun }
    }
    let parts = candidates.filter { $0.split(separator: "-").contains(word[...]) }
    if !parts.isEmpty { return parts }
    let ranked = candidates.map { ($0, distance(typed, Array($0.lowercased().unicodeScalars))) }
    guard let least = ranked.lazy.map(\.1).min() else { return [] }
    return ranked.filter { $0.1 == least && least <= max(1, $0.0.count / 3) }.map(\.0)
  }

  /// The optimal string alignment distance.
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var twoAbove = [Int](repeating: 0, count: b.count + 1)
    var above = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      row.reserveCapacity(b.count + 1)
      for j in b.indices {
        let wrong = above[j] + (a[i] == b[j] ? 0 : 1)
        var best = min(wrong, above[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, twoAbove[j - 1] + 1)
        }
        row.append(best)
      }
      (twoAbove, above) = (above, row)
    }
    return above[b.count]
  }
}

extension CommandLine {
  /// The arguments after the program's name, as bytes.
  ///
  /// `arguments` would turn a name that is not UTF-8 into one that does not exist. It stands here
  /// since a closure in a main file belongs to the main actor, for which the library of tasks would be
  /// linked.
  package static var bytes: [[UInt8]] {
    (1..<max(1, Int(argc))).compactMap { index in
      unsafe unsafeArgv[index].map {
        unsafe Array(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
      }
    }
  }
  /// The same as text.
  package static var texts: [String] { bytes.map { String(decoding: $0, as: UTF8.self) } }
}
