internal import LinuxSystem
internal import TextFormats

/// What is wrong with a catalogue.
package struct IntentFinding: Hashable, Sendable {
  package enum Code: String, CaseIterable, Sendable {
    case notCatalogue = "not-a-catalogue"
    case noName = "no-name"
    case noActions = "no-actions"
    case badProgram = "bad-program"
    case missingProgram = "missing-program"
    case unknownHandler = "unknown-handler"
    case unknownCommand = "unknown-command"
    case unknownArgument = "unknown-argument"
    case ignoredArgument = "ignored-argument"
    case singleBraces = "single-braces"
    case noScheme = "no-scheme"
    case longScheme = "long-scheme"
    case refusedScheme = "refused-scheme"
    case insecure = "insecure"
    case rawValue = "raw-value"
    case optionalPart = "optional-part"
    case fallbackNotWeb = "fallback-not-web"
    case trailingMark = "trailing-question-mark"
    case closedService = "closed-service"
    case unknownApplication = "unknown-application"
    case wrongType = "wrong-type"
    case unknownKey = "unknown-key"
    case unclosedBraces = "unclosed-braces"
    case neverOpened = "never-opened"
    case manyApplications = "many-applications"

    package enum Severity: String, Sendable {
      /// What is named is passed over, never opened, or not what its author means.
      case error
      case warning
    }

    package var severity: Severity {
      switch self {
      case .missingProgram, .ignoredArgument, .rawValue, .fallbackNotWeb, .trailingMark,
        .closedService, .unknownKey:
        .warning
      case .notCatalogue, .noName, .noActions, .badProgram, .unknownHandler, .unknownCommand,
        .unknownArgument, .singleBraces, .noScheme, .longScheme, .refusedScheme, .insecure,
        .optionalPart, .unknownApplication, .wrongType, .unclosedBraces, .neverOpened,
        .manyApplications:
        .error
      }
    }

    package var meaning: String {
      switch self {
      case .notCatalogue: "the file is not a dictionary"
      case .noName: "the application has no name, and is skipped"
      case .noActions: "the application has no actions, and is skipped"
      case .badProgram: "exec must be a list of strings without NUL: a program and its arguments"
      case .missingProgram: "the program is not installed here, so the command is skipped"
      case .unknownHandler: "there is no such class of intents"
      case .unknownCommand: "no class of intents has the command"
      case .unknownArgument: "the command has no such argument"
      case .ignoredArgument: "the template has no place for an argument of the command"
      case .singleBraces: "an argument is in single braces, which are not replaced"
      case .noScheme: "the template does not begin with a scheme, so nothing can open it"
      case .longScheme:
        "the scheme has more than \(IntentTemplate.schemeLimit) letters, so nothing can open it"
      case .refusedScheme: "URLs of this scheme are never opened"
      case .insecure: "the template would open an https address over http, so it is never opened"
      case .rawValue: "{{{}}} inserts an argument that is not a URL without encoding it"
      case .optionalPart: "an optional part begins with neither & nor ?, or lacks its value"
      case .fallbackNotWeb: "the fallback is not a web page"
      case .trailingMark: "the query ends with a question mark"
      case .closedService: "the service is closed"
      case .unknownApplication: "no application of the catalogue has that name"
      case .wrongType: "the value is not of the expected type, and is skipped"
      case .unknownKey: "there is no such key, and it is skipped"
      case .neverOpened:
        "the URL has a space, a control character, or a user or host like -NAME"
      case .manyApplications:
        "the file has more than \(IntentCatalogue.applicationLimit) applications; the others are"
          + " skipped"
      case .unclosedBraces: "braces are not closed, or no name is between them"
      }
    }
  }

  package let code: Code
  /// The application or handler.
  package let subject: String
  /// The command, or the argument of an optional part.
  package let part: String?
  /// The word that the finding is about.
  package let detail: String?

  init(_ code: Code, _ subject: String, _ part: String? = nil, _ detail: String? = nil) {
    self.code = code
    self.subject = subject
    self.part = part
    self.detail = detail
  }
}

extension IntentCatalogue {
  /// All that is wrong, in the order of the catalogue.
  ///
  /// - Parameter whole: the catalogue that this one is a part of, whose applications defaults can name.
  package func lint(among whole: IntentCatalogue? = nil) -> [IntentFinding] {
    let known = whole?.applications ?? applications
    return findings + applications.flatMap(lint) + defaults.flatMap { lint($0, known) }
  }

  private func lint(_ application: IntentApplication) -> [IntentFinding] {
    var findings: [IntentFinding] = []
    let subject = application.identity
    func add(_ code: IntentFinding.Code, _ part: String? = nil, _ detail: String? = nil) {
      findings.append(IntentFinding(code, subject, part, detail))
    }
    for (command, way) in application.actions {
      guard let (intent, known) = IntentClass.of(command: command) else {
        add(.unknownCommand, command)
        continue
      }
      let templates =
        switch way {
        case .url(let template): [template]
        case .program(let words): words
        case .text: [] as [IntentTemplate]
        }
      if intent.end != nil { add(.closedService, command) }
      guard !templates.isEmpty else { continue }
      let used = templates.flatMap(\.keys)
      for key in Set(used).sorted()
      where !known.arguments.contains(key) && !intent.optional.contains(key) {
        add(.unknownArgument, command, key)
      }
      let optional = application.optional.map(\.argument)
      for key in known.arguments where !used.contains(key) && !optional.contains(key) {
        add(.ignoredArgument, command, key)
      }
      for template in templates { findings += Self.lint(template, subject, command) }
      if way.isInsecure(for: command) { add(.insecure, command) }
      switch way {
      case .url(let template): findings += Self.lintURL(template, subject, command)
      case .program(let words):
        if Program.installed(words[0].text) == nil { add(.missingProgram, command, words[0].text) }
      case .text: break
      }
    }
    let known = Set(
      application.actions.compactMap { IntentClass.of(command: $0.command) }
        .flatMap { $0.0.optional + $0.1.arguments })
    return findings + Self.lint(application.parts, known, subject)
  }

  /// What is wrong with what is said of arguments besides the templates of commands.
  private static func lint(
    _ parts: IntentParts, _ known: Set<String>, _ subject: String
  ) -> [IntentFinding] {
    var findings: [IntentFinding] = []
    for (argument, fragment) in parts.optional {
      if !known.contains(argument) {
        findings.append(IntentFinding(.unknownArgument, subject, argument, argument))
      }
      let isJoined = fragment.text.utf8.first.map { "&?".utf8.contains($0) } ?? false
      if !isJoined || !fragment.keys.contains(argument) {
        findings.append(IntentFinding(.optionalPart, subject, argument))
      }
      findings += lint(fragment, subject, argument)
    }
    for argument in Set(parts.standard.keys).union(parts.names.keys).sorted()
    where !known.contains(argument) {
      findings.append(IntentFinding(.unknownArgument, subject, argument, argument))
    }
    return findings
  }

  private func lint(
    _ defaults: IntentDefaults, _ applications: [IntentApplication]
  ) -> [IntentFinding] {
    var findings: [IntentFinding] = []
    let subject = defaults.handler
    for name in [defaults.application, defaults.firstParty].compactMap(\.self)
    where !applications.contains(where: { $0.identity == name || $0.englishName == name }) {
      findings.append(IntentFinding(.unknownApplication, subject, nil, name))
    }
    for (command, url) in defaults.fallbacks {
      guard let intent = IntentClass.named(subject),
        let known = intent.commands.first(where: { $0.name == command })
      else {
        findings.append(IntentFinding(.unknownCommand, subject, command))
        continue
      }
      if intent.end != nil { findings.append(IntentFinding(.closedService, subject, command)) }
      for key in Set(url.keys).sorted() where !known.arguments.contains(key) {
        findings.append(IntentFinding(.unknownArgument, subject, command, key))
      }
      if !["http", "https"].contains(url.scheme?.lowercased() ?? "") {
        findings.append(IntentFinding(.fallbackNotWeb, subject, command))
      }
      if AbsoluteURL.openingFlaw(url.text) != nil {
        findings.append(IntentFinding(.neverOpened, subject, command))
      }
      let marks = url.text.utf8.count { $0 == UInt8(ascii: "?") }
      if marks > 1, url.text.utf8.last == UInt8(ascii: "?") {
        findings.append(IntentFinding(.trailingMark, subject, command))
      }
      findings += Self.lint(url, subject, command)
    }
    if let intent = IntentClass.named(subject) {
      let known = Set(intent.optional + intent.commands.flatMap(\.arguments))
      findings += Self.lint(defaults.parts, known, subject)
    }
    return findings
  }

  /// What is wrong with the places for values.
  private static func lint(
    _ template: IntentTemplate, _ subject: String, _ part: String
  ) -> [IntentFinding] {
    var findings: [IntentFinding] = []
    for case .text(let text) in template.parts {
      var rest = Array(text.utf8)[...]
      while let start = rest.firstIndex(of: UInt8(ascii: "{")) {
        rest = rest[(start + 1)...]
        let isDouble = rest.first == UInt8(ascii: "{")
        if isDouble { rest = rest.drop { $0 == UInt8(ascii: "{") } }
        let name = rest.prefix(while: IntentTemplate.isNameByte)
        let isClosed = rest[name.endIndex...].first == UInt8(ascii: "}")
        // Other braces may be those of JSON.
        guard isDouble || !name.isEmpty || rest.isEmpty else { continue }
        let code = isDouble || !isClosed ? IntentFinding.Code.unclosedBraces : .singleBraces
        let word = String(decoding: name, as: UTF8.self)
        findings.append(IntentFinding(code, subject, part, word.isEmpty ? nil : word))
      }
    }
    for key in template.rawKeys where !["url", "number", "recipient"].contains(key) {
      findings.append(IntentFinding(.rawValue, subject, part, key))
    }
    return findings
  }

  private static func lintURL(
    _ template: IntentTemplate, _ subject: String, _ part: String
  ) -> [IntentFinding] {
    guard let scheme = template.scheme else {
      let code = template.hasLongScheme ? IntentFinding.Code.longScheme : .noScheme
      return [IntentFinding(code, subject, part)]
    }
    if IntentTemplate.refusedSchemes.contains(scheme.lowercased()) {
      return [IntentFinding(.refusedScheme, subject, part, scheme)]
    }
    // What is built anew is percent-encoded then.
    let isFlawed =
      ActivityURL.Purpose(scheme: scheme.lowercased()) == nil
      && AbsoluteURL.openingFlaw(template.text) != nil
    return isFlawed ? [IntentFinding(.neverOpened, subject, part)] : []
  }
}
