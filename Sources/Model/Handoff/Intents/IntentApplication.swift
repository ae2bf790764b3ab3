package import BinaryPropertyList
internal import TextFormats

/// An application of a catalogue, and how it carries commands out.
package struct IntentApplication: Sendable {
  /// How a command is carried out.
  package enum Way: Hashable, Sendable {
    /// By a URL that is opened.
    case url(IntentTemplate)
    /// By a program with arguments, started without a shell.
    case program([IntentTemplate])
    /// In the program itself, which IntentKit calls a presenter: as text on standard output.
    case text

    /// Whether a secure address would be opened insecurely: an `http:` template of the command for
    /// those.
    package func isInsecure(for command: String) -> Bool {
      guard case .url(let template) = self, command == "openHttpsURL:" else { return false }
      return template.scheme?.lowercased() == "http"
    }
  }

  /// What tells it from others, and stands for it in defaults.
  package let identity: String
  /// By language, as BCP 47 names it.
  let names: [String: String]
  /// In the order of the catalogue.
  package let actions: [(command: String, way: Way)]
  let parts: IntentParts
  var optional: [(argument: String, fragment: IntentTemplate)] { parts.optional }
  package let className: String?
  /// The desktop entry of the application that is to open the URL.
  package let desktopIdentifier: String?

  /// The name for people who read these languages.
  ///
  /// - Parameter languages: the preferred one first, such as `de-AT`.
  package func name(in languages: [String]) -> String {
    languages.lazy.compactMap { names[$0] }.first ?? names["en"]
      ?? names.min { $0.key < $1.key }?.value ?? identity
  }

  /// The name by which a class of intents calls an application of the system's maker.
  var englishName: String? { names["en"] }

  package func way(of command: String) -> Way? {
    actions.first { $0.command == command }?.way
  }

  /// The URL that carries a command out.
  ///
  /// - Throws: `IntentFailure` if an argument is missing or has no place in a URL.
  package func url(
    _ template: IntentTemplate, _ arguments: [String: String]
  ) throws(IntentFailure) -> String {
    try parts.url(template, arguments)
  }

  /// The arguments that the URL of a command has no place for, in the order of their names.
  package func leftOut(_ template: IntentTemplate, _ arguments: [String: String]) -> [String] {
    parts.leftOut(template, arguments)
  }

  /// The program and its arguments.
  ///
  /// - Throws: `IntentFailure` where an argument is missing, or its value would become an option.
  package static func words(
    _ templates: [IntentTemplate], _ arguments: [String: String]
  ) throws(IntentFailure) -> [String] {
    var words: [String] = []
    for template in templates {
      let word = try template.filled(arguments)
      if word.utf8.first == UInt8(ascii: "-"), template.text.utf8.first != UInt8(ascii: "-") {
        throw .option(word)
      }
      words.append(word)
    }
    return words
  }
}

/// What the list of an application, or of a class of intents, says of arguments besides the templates
/// of its commands.
struct IntentParts: Sendable {
  /// What is added to the URL for each argument that is given, in the order of the catalogue.
  var optional: [(argument: String, fragment: IntentTemplate)] = []
  /// Values of arguments that are not given.
  var standard: [String: String] = [:]
  /// What the values of an argument are called there; of an argument that is in it, other values
  /// have no place there.
  var names: [String: [String: String]] = [:]

  func url(
    _ template: IntentTemplate, _ arguments: [String: String]
  ) throws(IntentFailure) -> String {
    var values = translated(arguments)
    for key in template.keys where values[key] == nil {
      guard let value = arguments[key] else { continue }
      throw .badArgument(key, "'\(value)' does not exist there")
    }
    if let argument = Self.numbers[template.scheme?.lowercased() ?? ""],
      let text = values[argument]
    {
      values[argument] = try Self.numbers(in: text, argument)
    }
    var url = try template.url(values)
    var isFirst = true
    for (argument, fragment) in optional where values[argument] != nil {
      var part = try fragment.filled(values)
      if isFirst, !url.utf8.contains(UInt8(ascii: "?")), part.utf8.first == UInt8(ascii: "&") {
        part = "?" + part.dropFirst()
      }
      isFirst = false
      url += part
    }
    let isRaw = optional.contains { values[$0.argument] != nil && !$0.fragment.rawKeys.isEmpty }
    if isRaw { try template.check(url) }
    return url
  }

  /// The arguments of the URLs that have telephone numbers: RFC 3966 and RFC 5724.
  private static let numbers = ["tel": "number", "sms": "recipient"]

  /// Telephone numbers as URLs have them, separated by commas.
  private static func numbers(
    in text: String, _ argument: String
  ) throws(IntentFailure) -> String {
    var numbers: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let digits = TelephoneNumber.digits(of: String(part)) else {
        throw .badArgument(argument, "'\(part)' is not a telephone number")
      }
      numbers.append(digits)
    }
    guard argument == "recipient" || numbers.count == 1 else {
      throw .badArgument(argument, "'\(text)' is not a telephone number")
    }
    return numbers.joined(separator: ",")
  }

  private func translated(_ arguments: [String: String]) -> [String: String] {
    var values = standard.merging(arguments) { $1 }
    for (argument, names) in names {
      values[argument] = values[argument].flatMap { names[$0] }
    }
    return values
  }

  func leftOut(_ template: IntentTemplate, _ arguments: [String: String]) -> [String] {
    let values = translated(arguments)
    let added = optional.filter { values[$0.argument] != nil }.flatMap { $0.fragment.keys }
    let used = Set(template.keys + added)
    // Nothing is lost of an empty value.
    return arguments.filter { !used.contains($0.key) && !$0.value.isEmpty }.map(\.key).sorted()
  }
}

/// What a class of intents does where nobody has chosen.
package struct IntentDefaults: Sendable {
  /// Of IntentKit's handler, or of ours.
  package let handler: String
  /// The application that is used where the system's choice counts.
  package let application: String?
  /// The application of the system's maker.
  package let firstParty: String?
  package let fallbacks: [(command: String, url: IntentTemplate)]
  let parts: IntentParts

  package func fallback(_ command: String) -> IntentTemplate? {
    fallbacks.first { $0.command == command }?.url
  }

  /// The page of the web that stands for a command, and the arguments that it has no place for.
  ///
  /// - Returns: `nil` if the class has no page for the command.
  /// - Throws: `IntentFailure` for the URL of anything else, too.
  package func page(
    for command: String, _ arguments: [String: String]
  ) throws(IntentFailure) -> (url: String, leftOut: [String])? {
    guard let template = fallback(command) else { return nil }
    try template.checkWeb()
    let url = try parts.url(template, arguments)
    if let flaw = AbsoluteURL.openingFlaw(url) { throw .noURL(flaw.reason) }
    return (url, parts.leftOut(template, arguments))
  }
}

/// Applications and defaults, as files have them: IntentKit's property list of one application or of
/// one handler, or a dictionary `apps` and a dictionary `defaults` of such lists.
package struct IntentCatalogue: Sendable {
  /// More applications than any file has: each has a scheme that the desktop is asked about.
  package static let applicationLimit = 1000

  package private(set) var applications: [IntentApplication] = []
  package private(set) var defaults: [IntentDefaults] = []
  /// What was passed over.
  package private(set) var findings: [IntentFinding] = []

  package init() {}

  /// Reads a file, whatever it has: what is of another type than expected counts as missing.
  ///
  /// - Parameter name: of the file, without its ending: that of a handler.
  package init(_ value: PropertyList, name: String) {
    guard case .dictionary(let root) = value else {
      findings.append(IntentFinding(.notCatalogue, name))
      return
    }
    let apps = root["apps"]?.dictionary
    let handlers = root["defaults"]?.dictionary
    if apps == nil, handlers == nil {
      read(value, name)
      return
    }
    let entries = apps?.entries ?? []
    for entry in entries.prefix(Self.applicationLimit) { readApplication(entry.value, entry.key) }
    if entries.count > Self.applicationLimit {
      findings.append(IntentFinding(.manyApplications, name))
    }
    for entry in handlers?.entries ?? [] { readDefaults(entry.value, entry.key) }
  }

  /// Adds what another catalogue has; of two applications with one identity the first counts.
  package mutating func add(_ other: IntentCatalogue) {
    var known = Set(applications.map(\.identity))
    applications += other.applications.filter { known.insert($0.identity).inserted }
    defaults += other.defaults
    findings += other.findings
  }

  package func application(named identity: String) -> IntentApplication? {
    applications.first { $0.identity == identity }
  }

  /// The first defaults of a class.
  package func defaults(of intent: IntentClass) -> IntentDefaults? {
    defaults.first { [intent.handler, intent.name].contains($0.handler) }
  }

  private mutating func read(_ value: PropertyList, _ name: String) {
    // A file of ours such as mail.json may have an application all the same.
    let isApplication = ["name", "actions", "exec"].contains { value.dictionary?[$0] != nil }
    if !isApplication, IntentClass.named(name) != nil {
      readDefaults(value, name)
    } else {
      readApplication(value, name)
    }
  }

  /// What a key of a list has to be.
  private enum Form {
    case text, texts, tables
    /// Also a text, or an array of texts.
    case any
    /// Of arrays, which are checked as they are read.
    case programs
  }

  private static let keysOfParts: [String: Form] = [
    "optional": .texts, "defaultValues": .texts, "values": .tables,
  ]
  private static let keysOfApplications = keysOfParts.merging([
    "name": .any, "actions": .any, "exec": .programs, "internalName": .text, "className": .text,
    "desktopId": .text,
  ]) { $1 }
  private static let keysOfDefaults = keysOfParts.merging([
    "default": .text, "firstPartyAppName": .text, "fallbackUrls": .texts,
  ]) { $1 }

  /// The keys of a list that nobody reads, and the values of another type than expected.
  private static func typeFindings(
    of list: PropertyList.Dictionary, _ subject: String, known: [String: Form]
  ) -> [IntentFinding] {
    var findings: [IntentFinding] = []
    for entry in list.entries {
      guard let form = known[entry.key] else {
        findings.append(IntentFinding(.unknownKey, subject, nil, entry.key))
        continue
      }
      let entries = entry.value.dictionary?.entries
      switch form {
      case .any: break
      case .text:
        if entry.value.text == nil {
          findings.append(IntentFinding(.wrongType, subject, nil, entry.key))
        }
      case .texts, .tables, .programs:
        if entries == nil { findings.append(IntentFinding(.wrongType, subject, nil, entry.key)) }
        for one in entries ?? [] {
          let isRight: Bool
          switch form {
          case .texts: isRight = one.value.text != nil
          case .tables:
            isRight = one.value.dictionary?.entries.allSatisfy { $0.value.text != nil } ?? false
          case .any, .text, .programs: isRight = true
          }
          if !isRight { findings.append(IntentFinding(.wrongType, subject, one.key, entry.key)) }
        }
      }
    }
    return findings
  }

  private mutating func readDefaults(_ value: PropertyList, _ handler: String) {
    guard let list = value.dictionary, IntentClass.named(handler) != nil else {
      findings.append(IntentFinding(.unknownHandler, handler))
      return
    }
    findings += Self.typeFindings(of: list, handler, known: Self.keysOfDefaults)
    let fallbacks = list["fallbackUrls"]?.dictionary?.entries ?? []
    defaults.append(
      IntentDefaults(
        handler: handler, application: list["default"]?.text,
        firstParty: list["firstPartyAppName"]?.text,
        fallbacks: fallbacks.compactMap { entry in
          entry.value.text.map { (entry.key, IntentTemplate($0)) }
        }, parts: IntentParts(list)))
  }

  private mutating func readApplication(_ value: PropertyList, _ key: String) {
    let list = value.dictionary
    var names: [String: String] = [:]
    if let name = list?["name"]?.word {
      names["en"] = name
    } else {
      for entry in list?["name"]?.dictionary?.entries ?? [] { names[entry.key] = entry.value.word }
    }
    guard let list, !names.isEmpty else {
      findings.append(IntentFinding(.noName, key))
      return
    }
    findings += Self.typeFindings(of: list, key, known: Self.keysOfApplications)
    let className = list["className"]?.word
    var actions: [(String, IntentApplication.Way)] = []
    switch list["actions"] {
    case .array(let commands)? where className != nil:
      actions = commands.compactMap(\.text).map { ($0, .text) }
    case .dictionary(let commands)?:
      actions = commands.entries.compactMap { entry in
        entry.value.text.map { (entry.key, .url(IntentTemplate($0))) }
      }
    default: break
    }
    for entry in list["exec"]?.dictionary?.entries ?? [] {
      guard case .array(let words) = entry.value, !words.isEmpty else {
        findings.append(IntentFinding(.badProgram, key, entry.key))
        continue
      }
      let templates = words.compactMap(\.text).map { IntentTemplate($0) }
      // The program itself is never a value, and the kernel ends a word at a NUL.
      guard templates.count == words.count, templates[0].keys.isEmpty, !templates[0].text.isEmpty,
        !templates.contains(where: { $0.text.utf8.contains(0) })
      else {
        findings.append(IntentFinding(.badProgram, key, entry.key))
        continue
      }
      actions.append((entry.key, .program(templates)))
    }
    guard !actions.isEmpty else {
      findings.append(IntentFinding(.noActions, key))
      return
    }
    let identity =
      list["internalName"]?.word ?? className ?? names["en"] ?? names.min { $0.key < $1.key }?.value
    applications.append(
      IntentApplication(
        identity: identity ?? key, names: names, actions: actions, parts: IntentParts(list),
        className: className, desktopIdentifier: list["desktopId"]?.word))
  }
}

extension IntentParts {
  fileprivate init(_ list: PropertyList.Dictionary) {
    optional = (list["optional"]?.dictionary?.entries ?? []).compactMap { entry in
      entry.value.text.map { (entry.key, IntentTemplate($0)) }
    }
    for entry in list["defaultValues"]?.dictionary?.entries ?? [] {
      standard[entry.key] = entry.value.text
    }
    for entry in list["values"]?.dictionary?.entries ?? [] {
      guard let table = entry.value.dictionary else { continue }
      for value in table.entries { names[entry.key, default: [:]][value.key] = value.value.text }
    }
  }
}

extension PropertyList {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  /// A text that is not empty: an empty one names nothing.
  fileprivate var word: String? { text.flatMap { $0.isEmpty ? nil : $0 } }

  fileprivate var dictionary: Dictionary? {
    if case .dictionary(let dictionary) = self { dictionary } else { nil }
  }
}
