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
    manual: ManualText(Manual.intent))
}

/// `docsource intent list`: the commands, and who carries them out.
enum IntentListCommand: Command {
  static let answerOfFailure: JSONFields? = [:]

  static let verb = "list"
  static let declaration = CommandDeclaration(
    name: "intent list", summary: "list commands and the applications that carry them out",
    operands: "[CLASS...]", kinds: [.choice(IntentClass.all.map(\.name))],
    details: "Prints each command with its arguments; optional ones are in brackets.",
    options: [IntentOperands.catalogue, ShowCommand.json],
    examples: ["docsource intent list", "docsource intent list --json maps"],
    manual: ManualText(
      Manual.intentList, ["classes": IntentClass.all.map(\.name).joined(separator: ", ")]))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let classes = try arguments.operands.map { (word) throws(UsageError) in
      try IntentOperands.intent(word)
    }
    guard let installed = IntentOperands.installed(arguments, console) else { return .failed }
    let report = IntentOperands.report(console)
    do throws(IntentResolver.Failure) {
      for intent in classes.isEmpty ? IntentClass.all : classes {
        for command in intent.commands {
          try write(command, of: intent, installed, report, console)
        }
      }
      return .done
    } catch {
      console.say("\(EscapedText(error.reason))")
      return .failed
    }
  }

  private static func write(
    _ command: IntentClass.Command, of intent: IntentClass, _ installed: IntentCatalogue,
    _ report: @escaping (IntentResolver.Failure) -> Void, _ console: Console
  ) throws(IntentResolver.Failure) {
    guard
      var work = IntentResolver(
        sampleOf: command, of: intent, installed, ShareCompanion())
    else { return }
    work.report = report
    let stored = intent.schemes.isEmpty ? try work.stored() : nil
    let candidates = intent.end == nil ? try work.candidates() : []
    let fallback = work.fallbackTemplate
    func isDefault(_ one: IntentCandidate) -> Bool { one.isDefault || one.identity == stored }
    guard !console.writesObjects else {
      let applications: [JSONFields] = candidates.map {
        [
          "identifier": .text($0.identity), "name": .text($0.name), "default": .flag(isDefault($0)),
        ]
      }
      console.write([
        "class": .text(intent.name), "handler": .text(intent.handler),
        "command": .text(command.name), "arguments": .texts(command.arguments),
        "optional": .texts(intent.optional), "applications": .objects(applications),
        "fallback": .text(fallback), "closed": .text(intent.end),
      ])
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
  static let catalogue = OptionDeclaration(
    "catalogue", value: "FILE", repeats: true,
    help: "also read a catalogue, or those in a directory; repeatable")

  /// The catalogues of the command line, of the user and of the system, in the order in which they
  /// count.
  ///
  /// - Parameter named: those of the command line.
  /// - Returns: `nil` after reporting why one that was named cannot be read.
  static func installed(_ named: [[UInt8]], _ console: Console) -> IntentCatalogue? {
    var catalogue = IntentCatalogue()
    func add(_ read: IntentCatalogue, _ path: FilePath) {
      catalogue.add(read)
      for finding in read.findings where finding.code == .manyApplications {
        console.report(path.bytes, "warning: \(finding.code.meaning)")
      }
    }
    for named in named {
      guard let paths = files(named, console) else { return nil }
      for path in paths {
        guard let read = read(path, console) else { return nil }
        add(read, path)
      }
    }
    let files = IntentCatalogue.installedFiles(in: .current())
    for one in files.unread {
      console.report(
        one.path.bytes, "warning: cannot read: \(one.errno.description.lowercased()); skipped")
    }
    for path in files.paths {
      // A broken one does not stop the others.
      if let read = read(path, console) { add(read, path) }
    }
    return catalogue
  }

  /// Reports each application of a catalogue that is passed over, once.
  static func report(_ console: Console) -> (IntentResolver.Failure) -> Void {
    var reported: Set<String> = []
    return { failure in
      guard reported.insert(failure.subject ?? failure.reason).inserted else { return }
      console.say("warning: \(EscapedText(failure.reason)); skipped")
    }
  }

  static func installed(_ arguments: Arguments, _ console: Console) -> IntentCatalogue? {
    installed(arguments.values(catalogue), console)
  }

  /// The files that an operand names; `nil` after reporting what of it cannot be read.
  static func files(_ operand: [UInt8], _ console: Console) -> [FilePath]? {
    let files = IntentCatalogue.files(at: FilePath(bytes: operand) ?? FilePath(""))
    for one in files.unread {
      console.fail(one.path.bytes, "cannot read: \(one.errno.description.lowercased())")
    }
    return files.unread.isEmpty ? files.paths : nil
  }

  /// `nil` after reporting why the file cannot be read.
  static func read(_ path: FilePath, _ console: Console) -> IntentCatalogue? {
    let limit = IntentCatalogue.sizeLimit
    guard let bytes = InstalledFile(path: path).content(limit: limit) else {
      console.fail(path.bytes, "cannot read: not a readable file of at most \(limit >> 20) MiB")
      return nil
    }
    return PropertyListForm(of: bytes).value(of: bytes, path.bytes, console)
      .map { IntentCatalogue($0, at: path) }
  }

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
  static let answerOfFailure: JSONFields? = [:]

  static let verb = "lint"
  static let declaration = CommandDeclaration(
    name: "intent lint", summary: "find mistakes in catalogues of intents",
    operands: "[FILE|DIR...]", kinds: [.file],
    details: "Without FILE, checks the catalogues that come with docsource.",
    options: [ShowCommand.json],
    examples: ["docsource intent lint mail.plist", "docsource intent lint IntentKit/Apps"],
    manual: ManualText(
      Manual.intentLint,
      [
        "codes": IntentFinding.Code.allCases.map { "  \($0.rawValue)\n    \($0.meaning)" }
          .joined(separator: "\n")
      ]))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    var status = ExitStatus.done
    var catalogues: [(name: [UInt8], catalogue: IntentCatalogue)] = []
    if arguments.operands.isEmpty {
      catalogues = [("linux", IntentCatalogue.linux), ("iOS", .iOS)].map {
        (Array("built-in/\($0.0)".utf8), $0.1)
      }
    }
    for operand in arguments.operands {
      guard let paths = IntentOperands.files(operand, console) else {
        status = .failed
        continue
      }
      for path in paths {
        guard let read = IntentOperands.read(path, console) else {
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
        status = status.combined(with: .negative)
        write(finding, name, console)
      }
    }
    return status
  }

  private static func write(_ finding: IntentFinding, _ name: [UInt8], _ console: Console) {
    if console.writesObjects {
      let place: JSONFields = [
        "file": .path(name), "subject": .text(finding.subject), "part": .text(finding.part),
      ]
      console.write(place + finding.code.fields(["detail": .text(finding.detail)]))
      return
    }
    let part = finding.part.map { " \(EscapedText(IntentClass.Command.lead($0)))" } ?? ""
    let detail = finding.detail.map { " \(EscapedText(quoting: $0))" } ?? ""
    console.output.writeLine(
      "\(EscapedText(name)): \(EscapedText(finding.subject))\(part): \(finding.code.rawValue)"
        + "\(detail): \(finding.code.meaning)")
  }
}
