import Applications
import CommandLineInterface
import ForeignFormats
import Intent
import LinuxSystem
import TextFormats

/// `docsource intent default`: the applications that are used where nobody chooses.
enum IntentDefaultCommand: Command {
  static let verb = "default"
  static var members: [any Command.Type] {
    [
      IntentDefaultGetCommand.self, IntentDefaultSetCommand.self, IntentDefaultRemoveCommand.self,
    ]
  }

  static let declaration = CommandDeclaration(
    name: "intent default", summary: "show and set default applications", operands: "",
    members: members.map { $0.declaration },
    examples: [
      "docsource intent default get", "docsource intent default set mail thunderbird",
    ],
    manual: ManualText(
      """
      The default of a class with a scheme is the desktop's own, in mimeapps.list, which every
      application of the desktop heeds; that of the others is docsource's. KEY is such a class, a
      scheme such as geo, or a MIME type such as text/html.

      Only 'intent default set' and 'intent default remove' write these lists, atomically, and those
      that do so at the same moment wait for each other. All other lines stay as they are.
      """,
      exitStatus: [.noSource: ""], files: files, seeAlso: ["docsource-intent(1)", "gio(1)"]))

  static let files = [
    ManualText.Entry("~/.config/mimeapps.list", "The user's default applications."),
    ManualText.Entry(
      "~/.config/docsource/intents.list", "Defaults of classes that have no scheme."),
  ]

  /// What a word of the command line stands for.
  struct Key {
    let word: String
    /// The keys in the list.
    let types: [String]
    /// Whether the list is the desktop's.
    let isOfDesktop: Bool

    /// - Throws: `UsageError` for a word that is none.
    init(_ bytes: [UInt8]) throws(UsageError) {
      word = String(decoding: bytes, as: UTF8.self)
      if let intent = IntentClass.named(word) {
        isOfDesktop = !intent.schemes.isEmpty
        types = isOfDesktop ? intent.schemes.map { "x-scheme-handler/\($0)" } : [intent.name]
        return
      }
      isOfDesktop = true
      if DefaultApplications.isType(word) {
        types = [word]
      } else if AbsoluteURL.isScheme(word.utf8) {
        types = ["x-scheme-handler/\(word.lowercased())"]
      } else {
        throw UsageError(
          "'\(EscapedText(bytes))' is neither a class of intents, a scheme nor a MIME type")
      }
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
    do throws(ChildProcess.Failure) {
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

/// `docsource intent default get`.
enum IntentDefaultGetCommand: Command {
  static let answerOfFailure: [(key: String, value: String)]? = [("identifier", "null")]

  static let verb = "get"
  static let declaration = CommandDeclaration(
    name: "intent default get", summary: "show default applications", operands: "[KEY...]",
    kinds: [.choice(IntentClass.all.map(\.name))], options: [ShowCommand.json],
    examples: ["docsource intent default get", "docsource intent default get mail text/html"],
    manual: ManualText(
      """
      Prints for each KEY, by default for all classes, the type, identifier and name of the default
      application, as 'gio mime' tells it. With --json, each object has key, type, identifier, which
      is null if there is none, and name.
      """,
      exitStatus: [.noSource: "Some KEY has no default."], files: IntentDefaultCommand.files,
      seeAlso: ["docsource-intent-default(1)"]))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let words =
      arguments.operands.isEmpty
      ? IntentClass.all.map { Array($0.name.utf8) } : arguments.operands
    let keys = try words.map { (word) throws(UsageError) in try IntentDefaultCommand.Key(word) }
    var status = ExitStatus.done
    do {
      for key in keys {
        for type in key.types {
          let found =
            key.isOfDesktop
            ? try desktopDefault(of: type)
            : try key.list().application(for: type).map { (identifier: $0, name: $0) }
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
    _ key: IntentDefaultCommand.Key, _ type: String, _ found: (identifier: String, name: String)?,
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
  ) throws(ChildProcess.Failure) -> (identifier: String, name: String)? {
    let records = try DesktopLaunch.handlers(of: [type])
    return records.first.map { (DesktopLaunch.shortened($0[1]), $0[2]) }
  }
}

/// `docsource intent default set`.
enum IntentDefaultSetCommand: Command {
  static let verb = "set"
  static let declaration = CommandDeclaration(
    name: "intent default set", summary: "set a default application", operands: "KEY APP",
    kinds: [.choice(IntentClass.all.map(\.name)), .identifier],
    examples: [
      "docsource intent default set mail thunderbird",
      "docsource intent default set text/markdown org.gnome.TextEditor",
    ],
    manual: ManualText(
      """
      APP is an installed application, by the identifier of its desktop entry or by its name. For a
      class without a scheme, APP is an application of a catalogue.
      """,
      exitStatus: [.noSource: ""], files: IntentDefaultCommand.files,
      seeAlso: ["docsource-intent-default(1)"]))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard arguments.operands.count == 2 else { throw UsageError("give a key and an application") }
    let key = try IntentDefaultCommand.Key(arguments.operands[0])
    let word = arguments.operands[1]
    guard key.isOfDesktop else {
      guard let text = String(validating: word, as: UTF8.self), let name = FileName(text) else {
        throw UsageError("'\(EscapedText(word))' is not the name of an application")
      }
      return IntentDefaultCommand.change(key, to: name.text, console)
    }
    guard let identifier = try installedApplication(word, console) else { return .failed }
    guard !identifier.utf8.contains(UInt8(ascii: ";")) else {
      throw UsageError("'\(EscapedText(identifier))' has a semicolon, which the list cannot hold")
    }
    return IntentDefaultCommand.change(key, to: identifier, console)
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
    manual: ManualText(
      "The default is then what the system's lists and the applications themselves say.",
      exitStatus: [.noSource: ""], files: IntentDefaultCommand.files,
      seeAlso: ["docsource-intent-default(1)"]))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard !arguments.operands.isEmpty else { throw UsageError("no key given") }
    let keys = try arguments.operands.map { (word) throws(UsageError) in
      try IntentDefaultCommand.Key(word)
    }
    return keys.reduce(.done) {
      $0.combined(with: IntentDefaultCommand.change($1, to: nil, console))
    }
  }
}
