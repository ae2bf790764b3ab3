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
  ///
  /// - Throws: `UsageError` for a word that is none.
  static func key(_ bytes: [UInt8]) throws(UsageError) -> IntentDefault {
    if let key = IntentDefault(String(decoding: bytes, as: UTF8.self)) { return key }
    throw UsageError(
      "'\(EscapedText(bytes))' is neither a class of intents, a scheme nor a MIME type")
  }

  /// Checks a scheme that is about to get a default.
  ///
  /// - Throws: `UsageError` for one that nobody knows.
  static func check(_ key: IntentDefault) throws(UsageError) {
    guard !key.isKnown(to: ShareCompanion()) else { return }
    let hint = Spelling.nearest(to: key.word, among: IntentClass.all.map(\.name))
    throw UsageError(
      "'\(EscapedText(key.word))' is no class of intents, and no application here is registered for"
        + " \(EscapedText(key.word)): URLs"
        + (hint.map { "; did you mean '\($0)'?" } ?? ""))
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

  /// Changes a list.
  static func change(
    _ key: IntentDefault, to application: String?, _ console: Console
  ) -> ExitStatus {
    switch key.set(to: application, ShareCompanion()) {
    case .done: return .done
    case .failed(let failure): return report(failure, console)
    case .overridden(let type, let other):
      console.say(
        "the default of \(type) is set, but another list comes first: it stays"
          + " \(other.map { "\(EscapedText($0.identifier))" } ?? "without an application")")
    case .unknown(let failure): console.say(failure.description)
    }
    return .failed
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
    let status = change(IntentDefault(intent), to: one.identity, console)
    if status == .done {
      console.say("\(EscapedText(one.name)) is now the default for \(intent.name)")
    }
    return status
  }
}

/// `docsource intent default get`.
enum IntentDefaultGetCommand: Command {
  static let answerOfFailure: JSONFields? = ["identifier": .null]

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
    let keys = try words.map { (word) throws(UsageError) in try IntentDefaultCommand.key(word) }
    for key in keys { try IntentDefaultCommand.check(key) }
    var status = ExitStatus.done
    do {
      for key in keys {
        for type in key.types {
          let found = try key.application(for: type, ShareCompanion())
          if found == nil { status = .negative }
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
    _ key: IntentDefault, _ type: String, _ found: DesktopProtocol.Application?,
    _ console: Console
  ) {
    if console.writesObjects {
      console.write([
        "key": .text(key.word), "type": .text(type),
        "identifier": .text(found?.identifier) ?? .null, "name": .text(found?.name),
      ])
    } else if let found {
      console.output.writeLine(
        "\(EscapedText(type))\t\(EscapedText(found.identifier))\t\(EscapedText(found.name))")
    } else {
      console.report(Array(type.utf8)[...], "no default application")
    }
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
    let key = try IntentDefaultCommand.key(arguments.operands[0])
    let word = arguments.operands[1]
    if let intent = key.intent, !key.isOfDesktop {
      guard let installed = IntentOperands.installed(arguments, console) else { return .failed }
      let identity = try application(word, intent, installed, console)
      return IntentDefaultCommand.change(key, to: identity, console)
    }
    try IntentDefaultCommand.check(key)
    guard let identifier = try installedApplication(word, console) else { return .failed }
    guard IntentDefault.canHold(identifier) else {
      throw UsageError("'\(EscapedText(identifier))' has a semicolon, which the list cannot hold")
    }
    if let (scheme, types) = key.missingScheme(of: identifier, ShareCompanion()) {
      let offered = types.isEmpty ? "no type of files or URLs" : types.joined(separator: ", ")
      throw UsageError(
        "'\(EscapedText(identifier))' is not registered for \(scheme): URLs; it offers"
          + " \(EscapedText(offered))")
    }
    return IntentDefaultCommand.change(key, to: identifier, console)
  }

  /// The application of a catalogue that a word means, after warning if it can do nothing here.
  private static func application(
    _ word: [UInt8], _ intent: IntentClass, _ installed: IntentCatalogue, _ console: Console
  ) throws(UsageError) -> String {
    let text = String(decoding: word, as: UTF8.self)
    let found = installed.application(meantBy: text, for: intent)
    guard
      let application = found ?? IntentCatalogue.iOS.application(meantBy: text, for: intent)
    else {
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
    details: """
      Lists on the terminal the applications that can be the default of CLASS, and makes the one that
      you choose the default.
      """,
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
        return .negative
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
    let key = IntentDefault(intent)
    return try key.application(for: key.types[0], ShareCompanion())
  }

  private static func choose(
    _ intent: IntentClass, _ installed: IntentCatalogue, _ console: Console
  ) throws -> ExitStatus {
    let key = IntentDefault(intent)
    let applications = try key.applications(among: installed, ShareCompanion())
    guard !applications.isEmpty else {
      console.say("no application here can be the default for \(intent.name)")
      return .negative
    }
    let former = try standard(of: intent)?.identifier
    let lines = applications.map { one in
      "\(one.name) (\(one.identifier))" + (one.identifier == former ? ", default" : "")
    }
    let chosen = TerminalMenu.choose(
      "Which application for \(intent.title)?", among: lines + ["No default"])
    guard let chosen else {
      console.say("cancelled")
      return .negative
    }
    let one = chosen < applications.count ? applications[chosen] : nil
    let status = IntentDefaultCommand.change(key, to: one?.identifier, console)
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
      try IntentDefaultCommand.key(word)
    }
    for key in keys { try IntentDefaultCommand.check(key) }
    return keys.reduce(.done) {
      $0.combined(with: IntentDefaultCommand.change($1, to: nil, console))
    }
  }
}
