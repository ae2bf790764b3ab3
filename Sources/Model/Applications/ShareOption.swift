package import TextFormats

/// An option that users can set each time they share, declared in the description of a share
/// target or of an activity:
///
///     Options=style=handlebar;size
///
///     [Option style]
///     Name=Moustache
///     Values=handlebar;walrus
///
///     [Option style=walrus]
///     Name=Walrus
///     Icon=moustache-walrus
///
/// Only the key `Options` in the group of the description is needed.
package struct ShareOption: Hashable, Sendable {
  /// One of the values that an option can have.
  package struct Value: Hashable, Sendable {
    package let word: String
    /// The name for people; the word itself if nothing else is given.
    package let title: String
    /// The name or path of an icon.
    package let icon: String?
  }

  /// Why a description's options, or the options of a command line, are wrong.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  package let name: String
  /// The name for people; the name itself if nothing else is given.
  package let title: String
  /// The name or path of an icon.
  package let icon: String?
  /// The value if none is given; `nil` if the option is then left out.
  package let standard: String?
  /// The values that it can have; empty if it can have any.
  package let values: [Value]

  /// The options that a description has, in its order.
  ///
  /// - Parameters:
  ///   - group: that of the description, with the key `Options`.
  ///   - languages: of names, the preferred one first.
  /// - Throws: `Failure` in words that follow the path of the file.
  package static func all(
    in file: KeyFile, group: String, languages: [String]
  ) throws(Failure) -> [ShareOption] {
    var options: [ShareOption] = []
    for word in file.list("Options", in: group) {
      let equals = word.firstIndex(of: "=")
      let name = String(word[..<(equals ?? word.endIndex)])
      guard !name.isEmpty, !options.contains(where: { $0.name == name }) else {
        throw Failure(description: "Options: a name is missing or given twice")
      }
      let option = ShareOption(
        name, standard: equals.map { String(word[word.index(after: $0)...]) }, in: file, languages)
      if let standard = option.standard { try option.check(standard, "Options: ") }
      options.append(option)
    }
    return options
  }

  /// The keys that are read of the groups of a description's options.
  package static func keys(of options: [ShareOption]) -> [String: Set<String>] {
    var keys: [String: Set<String>] = [:]
    for option in options {
      keys["Option \(option.name)"] = ["Name", "Icon", "Values"]
      for value in option.values { keys["Option \(option.name)=\(value.word)"] = ["Name", "Icon"] }
    }
    return keys
  }

  private init(_ name: String, standard: String?, in file: KeyFile, _ languages: [String]) {
    func title(_ group: String) -> String? {
      languages.lazy.compactMap { file.string("Name[\($0)]", in: group) }.first
        ?? file.string("Name", in: group)
    }
    let group = "Option \(name)"
    self.name = name
    self.standard = standard
    self.title = title(group) ?? name
    icon = file.string("Icon", in: group)
    var known: Set<String> = []
    values = file.list("Values", in: group).filter { known.insert($0).inserted }.map { word in
      let own = "\(group)=\(word)"
      return Value(word: word, title: title(own) ?? word, icon: file.string("Icon", in: own))
    }
  }

  private func check(_ value: String, _ lead: String = "") throws(Failure) {
    guard !values.isEmpty, !values.contains(where: { $0.word == value }) else { return }
    let known = values.map(\.word).joined(separator: ", ")
    throw Failure(description: "\(lead)'\(value)' is no value of '\(name)'; it can have \(known)")
  }

  /// The words `NAME=VALUE` that a program gets after its arguments, in the order of the
  /// description; options without a value are left out.
  ///
  /// - Parameter owner: what has the options, for messages: `target`.
  /// - Throws: `Failure` for a name that is none of the options, or a value that an option cannot have.
  package static func arguments(
    _ given: [(name: String, value: String)], of options: [ShareOption], owner: String
  ) throws(Failure) -> [String] {
    for (name, value) in given {
      guard let option = options.first(where: { $0.name == name }) else {
        let known = options.map(\.name).joined(separator: ", ")
        throw Failure(
          description: "'\(name)' is not an option of the \(owner)"
            + (known.isEmpty ? "" : "; it has \(known)"))
      }
      try option.check(value)
    }
    return options.compactMap { option in
      let value = given.last { $0.name == option.name }?.value ?? option.standard
      return value.map { "\(option.name)=\($0)" }
    }
  }
}
