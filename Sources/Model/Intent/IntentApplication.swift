public import BinaryPropertyList

/// An application of a catalogue, and how it carries commands out.
public struct IntentApplication: Sendable {
  /// How a command is carried out.
  public enum Way: Hashable, Sendable {
    /// By a URL that is opened.
    case url(IntentTemplate)
    /// By a program with arguments, started without a shell.
    case program([IntentTemplate])
    /// In the program itself, which IntentKit calls a presenter: as text on standard output.
    case text
  }

  /// What tells it from others, and stands for it in defaults.
  public let identity: String
  /// By language, as BCP 47 names it.
  let names: [String: String]
  /// In the order of the catalogue.
  public let actions: [(command: String, way: Way)]
  let optional: [(argument: String, fragment: IntentTemplate)]
  public let className: String?
  /// The desktop entry of the application that is to open the URL.
  public let desktopIdentifier: String?

  /// The name for people who read these languages.
  ///
  /// - Parameter languages: the preferred one first, such as `de-AT`.
  public func name(in languages: [String]) -> String {
    languages.lazy.compactMap { names[$0] }.first ?? names["en"]
      ?? names.min { $0.key < $1.key }?.value ?? identity
  }

  /// The name by which a class of intents calls an application of the system's maker.
  var englishName: String? { names["en"] }

  public func way(of command: String) -> Way? {
    actions.first { $0.command == command }?.way
  }

  /// The URL that carries a command out.
  ///
  /// - Throws: `IntentFailure` where an argument is missing or has no place in a URL.
  public func url(
    _ template: IntentTemplate, _ arguments: [String: String]
  ) throws(IntentFailure) -> String {
    var url = try template.url(arguments)
    var isFirst = true
    for (argument, fragment) in optional where arguments[argument] != nil {
      var part = try fragment.filled(arguments)
      if isFirst, !url.utf8.contains(UInt8(ascii: "?")), part.utf8.first == UInt8(ascii: "&") {
        part = "?" + part.dropFirst()
      }
      isFirst = false
      url += part
    }
    let isRaw = optional.contains { arguments[$0.argument] != nil && !$0.fragment.rawKeys.isEmpty }
    if isRaw { try template.check(url) }
    return url
  }

  /// The program and its arguments.
  ///
  /// - Throws: `IntentFailure` where an argument is missing, or its value would become an option.
  public static func words(
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

/// What a class of intents does where nobody has chosen.
public struct IntentDefaults: Sendable {
  /// Of IntentKit's handler, or of ours.
  public let handler: String
  /// The application that is used where the system's choice counts.
  public let application: String?
  /// The application of the system's maker.
  public let firstParty: String?
  public let fallbacks: [(command: String, url: IntentTemplate)]

  public func fallback(_ command: String) -> IntentTemplate? {
    fallbacks.first { $0.command == command }?.url
  }
}

/// Applications and defaults, as files have them: IntentKit's property list of one application or of
/// one handler, or a dictionary `apps` and a dictionary `defaults` of such lists.
public struct IntentCatalogue: Sendable {
  public private(set) var applications: [IntentApplication] = []
  public private(set) var defaults: [IntentDefaults] = []
  /// What was passed over.
  public private(set) var findings: [IntentFinding] = []

  public init() {}

  /// Reads a file, whatever it has: what is of another type than expected counts as missing.
  ///
  /// - Parameter name: of the file, without its ending: that of a handler.
  public init(_ value: PropertyList, name: String) {
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
    for entry in apps?.entries ?? [] { readApplication(entry.value, entry.key) }
    for entry in handlers?.entries ?? [] { readDefaults(entry.value, entry.key) }
  }

  /// Adds what another catalogue has; of two applications with one identity the first counts.
  public mutating func add(_ other: IntentCatalogue) {
    var known = Set(applications.map(\.identity))
    applications += other.applications.filter { known.insert($0.identity).inserted }
    defaults += other.defaults
    findings += other.findings
  }

  public func application(named identity: String) -> IntentApplication? {
    applications.first { $0.identity == identity }
  }

  /// The first defaults of a class.
  public func defaults(of intent: IntentClass) -> IntentDefaults? {
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

  private mutating func readDefaults(_ value: PropertyList, _ handler: String) {
    guard let list = value.dictionary, IntentClass.named(handler) != nil else {
      findings.append(IntentFinding(.unknownHandler, handler))
      return
    }
    let fallbacks = list["fallbackUrls"]?.dictionary?.entries ?? []
    defaults.append(
      IntentDefaults(
        handler: handler, application: list["default"]?.text,
        firstParty: list["firstPartyAppName"]?.text,
        fallbacks: fallbacks.compactMap { entry in
          entry.value.text.map { (entry.key, IntentTemplate($0)) }
        }))
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
      guard case .array(let words) = entry.value, !words.isEmpty else { continue }
      let templates = words.compactMap(\.text).map { IntentTemplate($0) }
      // The program itself is never a value.
      guard templates.count == words.count, templates[0].keys.isEmpty, !templates[0].text.isEmpty
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
        identity: identity ?? key, names: names, actions: actions,
        optional: (list["optional"]?.dictionary?.entries ?? []).compactMap { entry in
          entry.value.text.map { (entry.key, IntentTemplate($0)) }
        }, className: className, desktopIdentifier: list["desktopId"]?.word))
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
