import CommandLineInterface
import TextFormats

/// The tool as a whole: its verbs, and the way from a command line to its verb.
enum Tool {
  static let name = "docsource"
  static let version = "0.1.0"
  static let date = "2026-11-21"

  static let commands: [any Command.Type] = [
    TagCommand.self, ShowCommand.self, RemoveCommand.self, CopyCommand.self, FindCommand.self,
    ExportCommand.self, ImportCommand.self, TraceCommand.self, WatchCommand.self,
    AdoptCommand.self, StripCommand.self, EmitCommand.self, IconCommand.self, AppsCommand.self,
    OpenCommand.self, ShareCommand.self, IntentCommand.self, ItemCommand.self, LinkCommand.self,
    RuleCommand.self, DoctorCommand.self, PlistCommand.self, CompletionsCommand.self,
    HelpCommand.self,
  ]

  /// The verbs as the help lists them.
  static let groups = [
    VerbGroup("mark files", ["tag", "remove", "copy"]),
    VerbGroup("look at marks", ["show", "find", "trace", "icon", "apps", "doctor"]),
    VerbGroup(
      "move marks between machines and systems",
      ["export", "import", "adopt", "emit", "strip"]),
    VerbGroup("open and share", ["open", "share", "intent", "item", "link", "rule"]),
    VerbGroup("keep marking new files", ["watch"]),
    VerbGroup("work with formats", ["plist"]),
    VerbGroup("get help", ["help", "completions"]),
  ]

  /// The verbs that a newcomer needs.
  static let everyday = [
    VerbGroup("mark files with a document source", ["tag", "remove", "copy", "watch"]),
    VerbGroup("look at marks", ["show", "find", "trace", "apps"]),
    VerbGroup("receive and share files", ["adopt", "strip", "open", "share"]),
  ]

  static let declaration = ToolDeclaration(
    name: name, summary: "record which application a file came from, show it, and share files",
    version: version, date: date,
    commands: commands.map { $0.declaration }, groups: groups,
    everyday: everyday,
    topics: Topics.all,
    examples: [
      "docsource tag --app gimp drawing.png",
      "docsource trace ~/Downloads/report.pdf",
    ],
    manual: ManualText(Manual.docsource))

  /// Runs a command line, the tool's own name left out.
  static func run(_ arguments: [[UInt8]], _ console: Console) -> ExitStatus {
    do throws(UsageError) {
      return console.finish(try dispatch(arguments, console))
    } catch {
      console.say(error.message)
      return console.finish(.usage)
    }
  }

  private static func dispatch(
    _ arguments: [[UInt8]], _ console: Console
  ) throws(UsageError) -> ExitStatus {
    guard let first = arguments.first else {
      throw UsageError("no verb given; see 'docsource --help'")
    }
    switch String(decoding: first, as: UTF8.self) {
    case "--help", "-h":
      let isWhole = arguments.dropFirst().contains(Array("--all".utf8))
      console.output.write(HelpText.of(declaration, isWhole: isWhole))
      return .done
    case "--version", "-V":
      console.output.writeLine("\(name) \(version)")
      return .done
    default:
      return try run(verb: first, arguments.dropFirst(), console)
    }
  }

  private static func run(
    verb: [UInt8], _ arguments: ArraySlice<[UInt8]>, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    var command = try command(named: verb, among: commands, of: name)
    var arguments = arguments
    while !command.members.isEmpty, let word = arguments.first, word.first != UInt8(ascii: "-") {
      guard let member = try self.member(named: word, of: command) else { break }
      command = member
      arguments.removeFirst()
    }
    do throws(UsageError) {
      let parsed = try ArgumentParser(command.declaration).parse(arguments)
      for option in parsed.renamed {
        console.warn(former: "--\(option.former ?? "")", now: "--\(option.long)")
      }
      if parsed.has(.help) {
        console.output.write(HelpText.of(command.declaration, in: declaration))
        return .done
      }
      if let answer = command.answerOfFailure, parsed.has(ShowCommand.json) {
        let end = parsed.has(ShowCommand.null) ? UInt8(0) : UInt8(ascii: "\n")
        console.objects = ObjectForm(failure: answer, end: end)
      }
      let completed = try FileList.complete(parsed, of: command, console)
      guard !completed.isEmpty else { return completed.status }
      return completed.status.combined(with: try command.run(completed.arguments, console))
    } catch {
      let verb = command.declaration.name
      // A suggestion, or a message that names the help, needs no hint at the help.
      let isQuestion = error.message.utf8.last == UInt8(ascii: "?")
      let hasHint = isQuestion || Self.references.contains(where: error.message.hasSuffix)
      throw UsageError(
        "\(verb): \(error.message)" + (hasHint ? "" : "; see '\(name) help \(verb)'"))
    }
  }

  private static let allVerbs = "'\(name) help --all' lists all verbs"
  /// How messages end that name the help themselves.
  private static let references = [
    allVerbs, "--help'", IntentOperands.reference, ApplicationWord.listing,
    ApplicationOption.remedy,
  ]

  /// The member that a word after a gathering verb names; `nil` if the word is an operand.
  private static func member(
    named word: [UInt8], of command: any Command.Type
  ) throws(UsageError) -> (any Command.Type)? {
    let gathering = command.declaration
    guard gathering.takesOperands else {
      return try self.command(
        named: word, among: command.members, of: "\(name) \(gathering.name)")
    }
    return command.members.first { word.elementsEqual($0.verb.utf8) }
  }

  /// Finds a verb by the words that name it.
  ///
  /// - Throws: `UsageError`, which suggests the nearest verb, where none has that name.
  static func command(named words: [[UInt8]]) throws(UsageError) -> any Command.Type {
    var rest = words[...]
    var command = try command(named: rest.removeFirst(), among: commands, of: name)
    while let word = rest.popFirst() {
      let gathering = "\(name) \(command.declaration.name)"
      guard !command.members.isEmpty else {
        throw UsageError(
          "unknown verb '\(EscapedText(word))'; '\(gathering)' has no verbs of its own")
      }
      command = try self.command(named: word, among: command.members, of: gathering)
    }
    return command
  }

  private static func command(
    named name: [UInt8], among commands: [any Command.Type], of gathering: String
  ) throws(UsageError) -> any Command.Type {
    let text = String(decoding: name, as: UTF8.self)
    if let command = commands.first(where: { $0.verb == text }) { return command }
    let help = "see '\(gathering) --help'"
    if text.hasPrefix("-") {
      if let near = Spelling.nearest(
        to: String(text.drop { $0 == "-" }), among: ["help", "version"])
      {
        throw UsageError("unknown option '\(EscapedText(name))'; did you mean '--\(near)'?")
      }
      throw UsageError("unknown option '\(EscapedText(name))'; options go after the verb; \(help)")
    }
    if text == "version", gathering == self.name {
      throw UsageError("unknown verb 'version'; did you mean '--version'?")
    }
    let hint = VerbSuggestion.nearest(to: text, among: commands)
    throw UsageError(
      "unknown verb '\(EscapedText(name))'"
        + (hint.map { "; did you mean '\($0)'?" }
          ?? (gathering == self.name ? "; \(allVerbs)" : "; \(help)")))
  }
}

/// Guesses the verb that a word was meant to be.
enum VerbSuggestion {
  /// Words by which other programs call what a verb does.
  private static let synonyms: [(verb: String, words: [String])] = [
    ("list", ["ls", "dir"]),
    ("add", ["new", "create", "set"]),
    ("get", ["read"]),
    ("set", ["write"]),
    ("remove", ["rm", "delete", "del", "untag", "unset", "erase", "clear"]),
    ("show", ["get", "info", "read", "cat", "view", "print", "display", "stat", "inspect"]),
    ("tag", ["set", "add", "mark", "label", "write", "put"]),
    ("find", ["ls", "list", "dir", "search", "locate", "query", "grep"]),
    ("copy", ["cp", "clone"]),
    ("trace", ["origin", "where", "source", "history", "log"]),
    ("strip", ["clean", "scrub", "anonymize", "purge", "wipe"]),
    ("share", ["send"]),
    ("open", ["launch", "start", "run", "xdg-open"]),
    ("export", ["backup", "save", "dump"]),
    ("import", ["restore", "load"]),
    ("adopt", ["convert"]),
    ("doctor", ["check", "diagnose", "test"]),
    ("watch", ["monitor", "daemon"]),
    ("help", ["man"]),
  ]

  /// The verb that a word means in other programs, else the one with the nearest spelling.
  static func nearest(to word: String, among commands: [any Command.Type]) -> String? {
    let verbs = commands.map { $0.verb }
    return synonyms.first { $0.words.contains(word) && verbs.contains($0.verb) }?.verb
      ?? Spelling.nearest(to: word, among: verbs)
  }
}

/// A verb: its declaration and its work.
protocol Command: SendableMetatype {
  /// The verb's word, apart from the declaration so that finding one verb does not build them all.
  static var verb: String { get }
  static var declaration: CommandDeclaration { get }

  /// How many operands stand before those that `--files0-from` may give.
  static var operandsBeforeFiles: Int { get }

  /// Whether an operand `-` is standard input.
  static var readsStandardInput: Bool { get }

  /// The members with the verb's answer that an object about a failure has, besides `file` and
  /// `error`; `nil` for a verb without `--json`, and for one whose objects are contents of files.
  static var answerOfFailure: JSONFields? { get }

  /// The verbs that this one gathers, as `plist` gathers `plist show`.
  static var members: [any Command.Type] { get }

  /// Does the work. A failure on a file is reported and counted in the status; only a mistake in
  /// the command line is thrown.
  static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(UsageError) -> ExitStatus
}

extension Command {
  static var members: [any Command.Type] { [] }

  static var operandsBeforeFiles: Int { 0 }

  static var readsStandardInput: Bool { false }

  static var answerOfFailure: JSONFields? { nil }

  /// For a verb that only gathers others.
  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    throw UsageError("no verb given")
  }
}
