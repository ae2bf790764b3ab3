import Applications
import CommandLineInterface
import CompanionProtocol
import Handoff
import LinuxSystem
import TextFormats

/// `docsource intent default`: the applications that are used where nobody chooses.
enum IntentDefaultCommand: Command {
  static let verb = "default"
  static var members: [any Command.Type] {
    [
      IntentDefaultGetCommand.self, IntentDefaultSetCommand.self, IntentDefaultChooseCommand.self,
      IntentDefaultRemoveCommand.self,
    ]
  }

  static let declaration = CommandDeclaration(
    name: "intent default", summary: "show and set default applications", operands: "",
    members: members.map { $0.declaration },
    examples: [
      "docsource intent default get", "docsource intent default set mail thunderbird",
    ],
    manual: ManualText(Manual.intentDefault))

  /// What a word of the command line stands for.
  struct Key {
    let word: String
    /// The keys in the list.
    let types: [String]
    /// Whether the list is the desktop's.
    let isOfDesktop: Bool
    let intent: IntentClass?

    init(_ intent: IntentClass) {
      word = intent.name
      self.intent = intent
      isOfDesktop = !intent.schemes.isEmpty
      types = isOfDesktop ? intent.schemes.map { "x-scheme-handler/\($0)" } : [intent.name]
    }

    /// - Throws: `UsageError` for a word that is none.
    init(_ bytes: [UInt8]) throws(UsageError) {
      let word = String(decoding: bytes, as: UTF8.self)
      if let intent = IntentClass.named(word) {
        self.init(intent)
      } else if DefaultApplications.isType(word) {
        self.init(word, type: word)
      } else if AbsoluteURL.isScheme(word.utf8) {
        self.init(word, type: "x-scheme-handler/\(word.lowercased())")
      } else {
        throw UsageError(
          "'\(EscapedText(bytes))' is neither a class of intents, a scheme nor a MIME type")
      }
    }

    private init(_ word: String, type: String) {
      (self.word, types, isOfDesktop, intent) = (word, [type], true, nil)
    }

    /// Checks a scheme that is about to get a default: one that no class has, and that no application
    /// here is registered for, is most likely a slip.
    ///
    /// - Throws: `UsageError` for such a word.
    func checkIsKnown() throws(UsageError) {
      let isListed = try? list().application(for: types[0]) != nil
      if isListed == true { return }
      let isOfClass = IntentClass.all.contains { $0.schemes.contains(word.lowercased()) }
      guard intent == nil, !isOfClass, !DefaultApplications.isType(word) else { return }
      let listing = try? ShareCompanion()
        .applications(for: [Array("\(word):x".utf8)], others: false)
      if listing?.applications.isEmpty != true { return }
      let hint = Spelling.nearest(to: word, among: IntentClass.all.map(\.name))
      throw UsageError(
        "'\(EscapedText(word))' is no class of intents, and no application here is registered for"
          + " \(EscapedText(word)): URLs"
          + (hint.map { "; did you mean '\($0)'?" } ?? ""))
    }

    func list() throws(UserFile.Failure) -> DefaultApplications {
      let places = BaseDirectories.current()
      return isOfDesktop ? try .ofDesktop(places) : try .own(places)
    }
  }

  /// Reports a failure of a list.
  static func report(_ failure: UserFile.Failure, _ console: Console) -> ExitStatus {
    if let path = failure.path {
      console.fail(path.bytes, failure.reason)
    } else {
      console.say("cannot locate the list of defaults: \(failure.reason)")
    }
    return .failed
  }

  /// Changes a list, and says what the default is then.
  static func change(
    _ key: Key, to application: String?, _ console: Console
  ) -> ExitStatus {
    do throws(UserFile.Failure) {
      let ending = key.isOfDesktop ? ".desktop" : ""
      _ = try key.list().set(key.types, to: application.map { $0 + ending })
    } catch {
      return report(error, console)
    }
    guard key.isOfDesktop, let application else { return .done }
    do throws(DesktopFailure) {
      for type in key.types {
        let found = try IntentDefaultGetCommand.desktopDefault(of: type)
        guard found?.identifier == application else {
          console.say(
            "the default of \(type) is set, but another list comes first: it stays"
              + " \(found.map { "\(EscapedText($0.identifier))" } ?? "without an application")")
          return .failed
        }
      }
      return .done
    } catch {
      console.say(error.description)
      return .failed
    }
  }
}

extension IntentDefaultCommand {
  /// Whether the list of a class can name who has been chosen: the desktop's has no applications of
  /// catalogues.
  static func canName(_ one: IntentCandidate, _ work: IntentResolver) -> Bool {
    one.isOfDesktop == !work.request.intent.schemes.isEmpty
  }

  /// Makes the application that has been chosen the default of its class.
  static func remember(
    _ one: IntentCandidate, _ work: IntentResolver, _ console: Console
  ) -> ExitStatus {
    let intent = work.request.intent
    guard canName(one, work) else {
      console.say(
        "\(EscapedText(one.name)) cannot be the default for \(intent.name), which is the desktop's:"
          + " it is no application of the desktop")
      return .failed
    }
    let status = change(Key(intent), to: one.identity, console)
    if status == .done {
      console.say("\(EscapedText(one.name)) is now the default for \(intent.name)")
    }
    return status
  }
}

/// `docsource intent default get`.
enum IntentDefaultGetCommand: Command {
  static let answerOfFailure: [(key: String, value: String)]? = [("identifier", "null")]

  static let verb = "get"
  static let declaration = CommandDeclaration(
    name: "intent default get", summary: "show default applications", operands: "[KEY...]",
    kinds: [.choice(IntentClass.all.map(\.name))], options: [ShowCommand.json],
    examples: ["docsource intent default get", "docsource intent default get mail text/html"],
    manual: ManualText(Manual.intentDefaultGet))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let words =
      arguments.operands.isEmpty
      ? IntentClass.all.map { Array($0.name.utf8) } : arguments.operands
    let keys = try words.map { (word) throws(UsageError) in try IntentDefaultCommand.Key(word) }
    for key in keys { try key.checkIsKnown() }
    var status = ExitStatus.done
    do {
      for key in keys {
        for type in key.types {
          let found =
            key.isOfDesktop
            ? try desktopDefault(of: type)
            : try key.list().application(for: type).map { .init(identifier: $0, name: $0) }
          if found == nil { status = .noSource }
          write(key, type, found, console)
        }
      }
      return status
    } catch let failure as UserFile.Failure {
      return IntentDefaultCommand.report(failure, console)
    } catch {
      console.say("\(error)")
      return .failed
    }
  }

  private static func write(
    _ key: IntentDefaultCommand.Key, _ type: String, _ found: DesktopProtocol.Application?,
    _ console: Console
  ) {
    if console.writesObjects {
      let members = JSONText.member("key", key.word) + JSONText.member("type", type)
      let identifier = found.map { JSONText.string($0.identifier) } ?? "null"
      console.write(
        members + [("identifier", identifier)] + JSONText.member("name", found?.name))
    } else if let found {
      console.output.writeLine(
        "\(EscapedText(type))\t\(EscapedText(found.identifier))\t\(EscapedText(found.name))")
    } else {
      console.report(Array(type.utf8)[...], "no default application")
    }
  }

  /// What GIO says.
  static func desktopDefault(
    of type: String
  ) throws(DesktopFailure) -> DesktopProtocol.Application? {
    try ShareCompanion().handlers(of: [type]).values.first
  }
}

/// `docsource intent default set`.
enum IntentDefaultSetCommand: Command {
  static let verb = "set"
  static let declaration = CommandDeclaration(
    name: "intent default set", summary: "set a default application", operands: "KEY APP",
    kinds: [.choice(IntentClass.all.map(\.name)), .identifier],
    options: [IntentOperands.catalogue],
    examples: [
      "docsource intent default set mail thunderbird",
      "docsource intent default set text/markdown org.gnome.TextEditor",
    ],
    manual: ManualText(Manual.intentDefaultSet))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard arguments.operands.count == 2 else { throw UsageError("give a key and an application") }
    let key = try IntentDefaultCommand.Key(arguments.operands[0])
    let word = arguments.operands[1]
    if let intent = key.intent, !key.isOfDesktop {
      guard let installed = IntentOperands.installed(arguments, console) else { return .failed }
      let identity = try application(word, intent, installed, console)
      return IntentDefaultCommand.change(key, to: identity, console)
    }
    try key.checkIsKnown()
    guard let identifier = try installedApplication(word, console) else { return .failed }
    guard !identifier.utf8.contains(UInt8(ascii: ";")) else {
      throw UsageError("'\(EscapedText(identifier))' has a semicolon, which the list cannot hold")
    }
    if let intent = key.intent { try check(identifier, opens: intent.schemes) }
    return IntentDefaultCommand.change(key, to: identifier, console)
  }

  /// Checks that an application can do what a class asks for.
  ///
  /// - Throws: `UsageError` for one that is not registered for the schemes of the class.
  private static func check(_ identifier: String, opens schemes: [String]) throws(UsageError) {
    for scheme in schemes {
      let listing = try? ShareCompanion()
        .applications(for: [Array("\(scheme):x".utf8)], others: false)
      guard let listing else { return }
      if listing.applications.contains(where: { $0.application.identifier == identifier }) {
        continue
      }
      let entries = DesktopEntries(BaseDirectories.current())
      let types = FileName(identifier).flatMap { entries.entry($0) }?.mediaTypes ?? []
      let offered = types.isEmpty ? "no type of files or URLs" : types.joined(separator: ", ")
      throw UsageError(
        "'\(EscapedText(identifier))' is not registered for \(scheme): URLs; it offers"
          + " \(EscapedText(offered))")
    }
  }

  /// The application of a catalogue that a word means, after warning if it can do nothing here.
  private static func application(
    _ word: [UInt8], _ intent: IntentClass, _ installed: IntentCatalogue, _ console: Console
  ) throws(UsageError) -> String {
    let text = String(decoding: word, as: UTF8.self)
    func named(_ catalogue: IntentCatalogue) -> IntentApplication? {
      let able = catalogue.applications.filter { one in
        intent.commands.contains { one.way(of: $0.name) != nil }
      }
      return able.first { $0.identity == text }
        ?? able.first { $0.identity.lowercased() == text.lowercased() }
        ?? able.first { $0.name(in: []).lowercased() == text.lowercased() }
    }
    let found = named(installed)
    guard let application = found ?? named(IntentCatalogue.iOS) else {
      throw UsageError(
        "no catalogue has an application '\(EscapedText(word))' for the class \(intent.name)")
    }
    // A flaw of a catalogue is reported when the command is performed.
    let isAble =
      found != nil
      && (try? IntentResolver.isAble(application, intent, installed, ShareCompanion())) ?? true
    if !isAble {
      console.say(
        "warning: \(EscapedText(application.identity)) can do nothing here; as long as that is so,"
          + " the default has no effect")
    }
    return application.identity
  }
}

/// `docsource intent default choose`.
enum IntentDefaultChooseCommand: Command {
  static let verb = "choose"
  static let declaration = CommandDeclaration(
    name: "intent default choose", summary: "choose a default application from a menu",
    operands: "[CLASS]", kinds: [.choice(IntentClass.all.map(\.name))],
    details: "Lists the applications that can be the default of CLASS, on the terminal.",
    options: [IntentOperands.catalogue],
    examples: ["docsource intent default choose", "docsource intent default choose browser"],
    manual: ManualText(Manual.intentDefaultChoose))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard arguments.operands.count <= 1 else { throw UsageError("give one class") }
    var intent: IntentClass?
    if let word = arguments.operands.first { intent = try IntentOperands.intent(word) }
    guard TerminalMenu.isPossible else {
      throw UsageError("there is no terminal to choose on; use 'docsource intent default set'")
    }
    guard let installed = IntentOperands.installed(arguments, console) else { return .failed }
    do {
      guard let intent = try intent ?? chosenClass() else {
        console.say("cancelled")
        return .noSource
      }
      return try choose(intent, installed, console)
    } catch let failure as UserFile.Failure {
      return IntentDefaultCommand.report(failure, console)
    } catch let failure as IntentResolver.Failure {
      console.say("\(EscapedText(failure.reason))")
      return .failed
    } catch {
      console.say("\(error)")
      return .failed
    }
  }

  /// A class that somebody can still do something for; `nil` if the user has chosen none.
  private static func chosenClass() throws -> IntentClass? {
    let classes = IntentClass.all.filter { $0.end == nil }
    var lines: [String] = []
    for one in classes {
      let name = try standard(of: one)?.name
      lines.append("\(one.title) (\(one.name))" + (name.map { ": \($0)" } ?? ""))
    }
    return TerminalMenu.choose("Which default?", among: lines).map { classes[$0] }
  }

  private static func standard(
    of intent: IntentClass
  ) throws -> DesktopProtocol.Application? {
    let key = IntentDefaultCommand.Key(intent)
    guard key.isOfDesktop else {
      return try key.list().application(for: key.types[0]).map { .init(identifier: $0, name: $0) }
    }
    return try IntentDefaultGetCommand.desktopDefault(of: key.types[0])
  }

  private static func choose(
    _ intent: IntentClass, _ installed: IntentCatalogue, _ console: Console
  ) throws -> ExitStatus {
    var applications: [(identifier: String, name: String)] = []
    if intent.schemes.isEmpty {
      for one in installed.applications
      where try IntentResolver.isAble(one, intent, installed, ShareCompanion()) {
        applications.append((one.identity, one.name(in: MessageLocale.languageTags)))
      }
    } else {
      let targets = intent.schemes.map { Array("\($0):x".utf8) }
      let listing = try ShareCompanion().applications(for: targets, others: false)
      // The list cannot hold a semicolon.
      applications = listing.applications.map { ($0.application.identifier, $0.application.name) }
        .filter { !$0.identifier.utf8.contains(UInt8(ascii: ";")) }
    }
    guard !applications.isEmpty else {
      console.say("no application here can be the default for \(intent.name)")
      return .noSource
    }
    let former = try standard(of: intent)?.identifier
    let lines = applications.map { one in
      "\(one.name) (\(one.identifier))" + (one.identifier == former ? ", default" : "")
    }
    let chosen = TerminalMenu.choose(
      "Which application for \(intent.title)?", among: lines + ["No default"])
    guard let chosen else {
      console.say("cancelled")
      return .noSource
    }
    let one = chosen < applications.count ? applications[chosen] : nil
    let status = IntentDefaultCommand.change(
      IntentDefaultCommand.Key(intent), to: one?.identifier, console)
    if status == .done {
      var words = one.map { "\(EscapedText($0.name))" } ?? "no default"
      if one == nil, let left = try standard(of: intent) {
        words =
          "no default of your own; \(EscapedText(left.name)) (\(EscapedText(left.identifier)))"
          + " stays in force"
      }
      console.output.writeLine("\(intent.name): \(words)")
    }
    return status
  }
}

/// `docsource intent default remove`.
enum IntentDefaultRemoveCommand: Command {
  static let verb = "remove"
  static let declaration = CommandDeclaration(
    name: "intent default remove", summary: "remove the user's default application",
    operands: "KEY...", kinds: [.choice(IntentClass.all.map(\.name))],
    examples: [
      "docsource intent default remove mail", "docsource intent default remove text/html",
    ],
    manual: ManualText(Manual.intentDefaultRemove))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard !arguments.operands.isEmpty else { throw UsageError("no key given") }
    let keys = try arguments.operands.map { (word) throws(UsageError) in
      try IntentDefaultCommand.Key(word)
    }
    for key in keys { try key.checkIsKnown() }
    return keys.reduce(.done) {
      $0.combined(with: IntentDefaultCommand.change($1, to: nil, console))
    }
  }
}
