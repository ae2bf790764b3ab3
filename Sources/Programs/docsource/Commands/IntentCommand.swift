import CommandLineInterface
import Handoff
import LinuxSystem
import TextFormats

/// `docsource intent`: what applications do for others.
enum IntentCommand: Command {
  static let verb = "intent"
  static var members: [any Command.Type] {
    [
      IntentListCommand.self, IntentPerformCommand.self, IntentLintCommand.self,
      IntentDefaultCommand.self,
    ]
  }

  static let declaration = CommandDeclaration(
    name: verb, summary: "have applications carry out commands such as sending mail", operands: "",
    members: members.map { $0.declaration },
    examples: [
      "docsource intent list mail",
      "docsource intent perform sendMailTo: recipient=ann@example.org subject=Report",
    ],
    manual: manual)

  private static let manual = ManualText(
    """
    An intent says what is to be done, and leaves open which application does it: show a place on a
    map, write a mail, call a number. The commands and their arguments are those of IntentKit, a
    library of iOS; 'intent list' lists them. Here, the applications are those that are registered
    for the schemes mailto, tel, sms, geo, http and https, and those of catalogues.

    """,
    exitStatus: [.noSource: ""],
    files: [
      ManualText.Entry(
        "~/.local/share/docsource/intents.d/", "The user's catalogues, which are always read.")
    ],
    sections: [catalogues, templates], seeAlso: ["docsource-open(1)", "gio(1)"])

  private static let catalogues = ManualText.Section(
    "CATALOGUES",
    """
    A catalogue is a property list in XML, binary form or JSON, one for each application, as
    IntentKit has them:

      {"name": {"en": "Example Mail", "de": "Beispielpost"},
       "actions": {"sendMailTo:": "example-mail:{{recipient}}"},
       "optional": {"subject": "&subject={{subject}}"}}

    name is required: a text, or texts by language. actions has a template for each command, optional
    a part for each argument that is added if the argument is given; the first & becomes ? if the URL
    has none. With className, actions is an array, and the command is carried out by docsource
    itself, which prints a text. internalName stands for the application in defaults. A file with apps
    and defaults, dictionaries of such lists by name, is read too. Icons beside the lists, such as
    Chrome@2x.png, are not read: applications of the desktop have icons of their own.

    The lists of handlers, such as INKMapsHandler.plist, have fallbackUrls, the pages of the web that
    are opened if no application can carry a command out.

    Four keys are our own. exec has for each command a program and its arguments, which are templates
    as well. desktopId names the desktop entry of the application that gets the URL. defaultValues has
    values for arguments that are not given. values has for an argument what its values are called
    there; other values are left out, and reported:

      "optional": {"mode": "&engine={{mode}}"},
      "values": {"mode": {"driving": "car", "walking": "foot"}}

    Catalogues that are always read are files NAME.plist and NAME.json in docsource/intents.d below
    $XDG_DATA_HOME (by default ~/.local/share) and the directories in $XDG_DATA_DIRS, and in
    directories below it; --catalogue names others. Of two applications with the same name, the first
    counts.
    """)

  private static let templates = ManualText.Section(
    "TEMPLATES",
    """
    {{key}} stands for the percent-encoded value of an argument; letters, digits and -_.~, stay as
    they are. {{@key}}, which is our own, keeps @ as well: RFC 6068 has it so in mailto: URLs.
    {{{key}}} stands for the value as it is, which must leave a URL of the same scheme. number in tel:
    URLs and recipient in sms: URLs are telephone numbers, of which only the digits and a + are kept.
    Values are put in from left to right, once: braces in a value mean nothing. URLs with the schemes
    file, javascript, data, blob, about, vbscript and view-source are never opened. Programs are
    started without a shell, and a value can never become an option.
    """)
}

/// `docsource intent list`: the commands, and who carries them out.
enum IntentListCommand: Command {
  static let answerOfFailure: [(key: String, value: String)]? = []

  static let verb = "list"
  static let declaration = CommandDeclaration(
    name: "intent list", summary: "list commands and the applications that carry them out",
    operands: "[CLASS...]", kinds: [.choice(IntentClass.all.map(\.name))],
    details: "Prints each command with its arguments; optional ones are in brackets.",
    options: [IntentCatalogues.option, ShowCommand.json],
    examples: ["docsource intent list", "docsource intent list --json maps"],
    manual: ManualText(
      """
      CLASS is \(IntentClass.all.map(\.name).joined(separator: ", ")), or IntentKit's name, such as
      INKMailHandler. Below each command stand the applications that can carry it out here, the
      default first, or the page of the web that is opened instead.

      With --json, each command is an object with class, handler, command, arguments, optional,
      applications, an array of objects with identifier, name and default, and fallback, a template.
      """, exitStatus: [.noSource: ""], seeAlso: ["docsource-intent(1)"]))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let classes = try arguments.operands.map { (word) throws(UsageError) in
      try IntentOperands.intent(word)
    }
    guard let installed = IntentCatalogues.installed(arguments, console) else { return .failed }
    do throws(IntentResolver.Failure) {
      for intent in classes.isEmpty ? IntentClass.all : classes {
        for command in intent.commands { try write(command, of: intent, installed, console) }
      }
      return .done
    } catch {
      console.say("\(EscapedText(error.reason))")
      return .failed
    }
  }

  private static func write(
    _ command: IntentClass.Command, of intent: IntentClass, _ installed: IntentCatalogue,
    _ console: Console
  ) throws(IntentResolver.Failure) {
    guard
      let work = IntentResolver(
        sampleOf: command, of: intent, installed, ShareCompanion())
    else { return }
    let stored = intent.schemes.isEmpty ? try work.stored() : nil
    let candidates = intent.end == nil ? try work.candidates() : []
    let fallback = work.fallbackTemplate
    func isDefault(_ one: IntentCandidate) -> Bool { one.isDefault || one.identity == stored }
    guard !console.writesObjects else {
      let applications = candidates.map { one in
        JSONText.object(
          JSONText.member("identifier", one.identity) + JSONText.member("name", one.name)
            + [("default", isDefault(one) ? "true" : "false")])
      }
      var members = JSONText.member("class", intent.name)
      members += JSONText.member("handler", intent.handler)
      members += JSONText.member("command", command.name)
      members += [
        ("arguments", JSONText.array(command.arguments.map(JSONText.string))),
        ("optional", JSONText.array(intent.optional.map(JSONText.string))),
        ("applications", JSONText.array(applications)),
      ]
      members += JSONText.member("fallback", fallback) + JSONText.member("closed", intent.end)
      console.write(members)
      return
    }
    let arguments = command.arguments + intent.optional.map { "[\($0)]" }
    console.output.writeLine(([intent.name, command.name] + arguments).joined(separator: " "))
    for one in candidates {
      console.output.writeLine(
        "  \(EscapedText(one.name)) (\(EscapedText(one.identity)))"
          + (isDefault(one) ? ", default" : ""))
    }
    if let end = intent.end {
      console.output.writeLine("  \(end)")
    } else if candidates.isEmpty {
      console.output.writeLine("  \(fallback.map { "\(EscapedText($0))" } ?? "no application")")
    }
  }
}

/// What words of the command line mean to intents.
enum IntentOperands {
  /// - Throws: `UsageError` where the word is no class.
  static func intent(_ word: [UInt8]) throws(UsageError) -> IntentClass {
    let text = String(decoding: word, as: UTF8.self)
    if let intent = IntentClass.named(text) { return intent }
    let hint = Spelling.nearest(to: text, among: IntentClass.all.map(\.name))
    throw UsageError(
      "no class of intents '\(EscapedText(word))'"
        + (hint.map { "; did you mean '\($0)'?" } ?? "; \(reference)"))
  }

  /// How a message ends that needs no other hint at the help.
  static let reference = "'docsource intent list' lists all classes and commands"

  /// - Throws: `UsageError` for a word without an equals sign, or one that is given twice.
  static func arguments(_ words: ArraySlice<[UInt8]>) throws(UsageError) -> [String: String] {
    var arguments: [String: String] = [:]
    for word in words {
      let shown = EscapedText(word)
      guard let text = String(validating: word, as: UTF8.self) else {
        throw UsageError("'\(shown)' is not UTF-8")
      }
      guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals != text.startIndex
      else { throw UsageError("'\(shown)' is invalid; expected ARG=VALUE") }
      let key = String(text[..<equals])
      guard arguments[key] == nil else { throw UsageError("'\(EscapedText(key))' is given twice") }
      arguments[key] = String(text[text.utf8.index(after: equals)...])
    }
    return arguments
  }
}

/// `docsource intent lint`: what is wrong with catalogues.
enum IntentLintCommand: Command {
  static let answerOfFailure: [(key: String, value: String)]? = []

  static let verb = "lint"
  static let declaration = CommandDeclaration(
    name: "intent lint", summary: "find mistakes in catalogues of intents",
    operands: "[FILE|DIR...]", kinds: [.file],
    details: "Without FILE, checks the catalogues that come with docsource.",
    options: [ShowCommand.json],
    examples: ["docsource intent lint mail.plist", "docsource intent lint IntentKit/Apps"],
    manual: ManualText(
      """
      Each line has the file, the application or handler, the command, the code of the finding, and
      what it means:

      \(IntentFinding.Code.allCases.map { "  \($0.rawValue)\n    \($0.meaning)" }
        .joined(separator: "\n"))

      With --json, each finding is an object with file, subject, part, code, detail and message.
      """,
      exitStatus: [.noSource: "Something was found."], seeAlso: ["docsource-intent(1)"]))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    var status = ExitStatus.done
    var catalogues: [(name: [UInt8], catalogue: IntentCatalogue)] = []
    if arguments.operands.isEmpty {
      catalogues = [("linux", BuiltInIntents.linux), ("iOS", BuiltInIntents.iOS)].map {
        (Array("built-in/\($0.0)".utf8), IntentCatalogue.builtIn($0.1))
      }
    }
    for operand in arguments.operands {
      guard let paths = IntentCatalogues.files(operand, console) else {
        status = .failed
        continue
      }
      for path in paths {
        guard let read = IntentCatalogues.read(path, console) else {
          status = .failed
          continue
        }
        catalogues.append((Array(path.bytes), read))
      }
    }
    // The list of a handler names applications of other files.
    let whole = catalogues.reduce(into: IntentCatalogue()) { $0.add($1.catalogue) }
    for (name, catalogue) in catalogues {
      for finding in catalogue.lint(among: whole) {
        status = status.combined(with: .noSource)
        write(finding, name, console)
      }
    }
    return status
  }

  private static func write(_ finding: IntentFinding, _ name: [UInt8], _ console: Console) {
    if console.writesObjects {
      console.write(
        JSONText.path(name[...]) + JSONText.member("subject", finding.subject)
          + JSONText.member("part", finding.part)
          + JSONText.member("code", finding.code.rawValue)
          + JSONText.member("detail", finding.detail)
          + JSONText.member("message", finding.code.meaning))
      return
    }
    let part = finding.part.map { " \(EscapedText($0))" } ?? ""
    let detail = finding.detail.map { " \(EscapedText(quoting: $0))" } ?? ""
    console.output.writeLine(
      "\(EscapedText(name)): \(EscapedText(finding.subject))\(part): \(finding.code.rawValue)"
        + "\(detail): \(finding.code.meaning)")
  }
}
