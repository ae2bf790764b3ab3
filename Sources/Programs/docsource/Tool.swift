import CommandLineInterface

/// The tool as a whole: its verbs, and how a command line finds its verb.
enum Tool {
  static let name = "docsource"
  static let version = "0.1.0"
  static let date = "2026-11-21"

  static let commands: [any Command.Type] = [
    TagCommand.self, ShowCommand.self, RemoveCommand.self, CopyCommand.self, FindCommand.self,
    ExportCommand.self, ImportCommand.self, TraceCommand.self, WatchCommand.self,
    AdoptCommand.self, StripCommand.self, EmitCommand.self, IconCommand.self, AppsCommand.self,
    DoctorCommand.self, PlistCommand.self, CompletionsCommand.self, HelpCommand.self,
  ]

  static let declaration = ToolDeclaration(
    name: name, summary: "which application a file came from", version: version, date: date,
    commands: commands.map { $0.declaration },
    examples: [
      "docsource tag --identifier com.example.editor --name Editor notes.txt",
      "docsource show notes.txt",
    ],
    manual: manual)

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
      console.output.write(HelpText.of(declaration))
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
      if parsed.has(.help) {
        console.output.write(HelpText.of(command.declaration, in: declaration))
        return .done
      }
      return try command.run(parsed, console)
    } catch {
      let verb = command.declaration.name
      throw UsageError("\(verb): \(error.message); see '\(name) help \(verb)'")
    }
  }

  /// The verb that a word behind a gathering verb names; `nil` where the word is an operand.
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
  /// - Throws: `UsageError` with the nearest verb where there is none of that name.
  static func command(named words: [[UInt8]]) throws(UsageError) -> any Command.Type {
    var rest = words[...]
    var command = try command(named: rest.removeFirst(), among: commands, of: name)
    while let word = rest.popFirst() {
      let gathering = "\(name) \(command.declaration.name)"
      guard !command.members.isEmpty else {
        throw UsageError("no verb '\(EscapedText(word))': '\(gathering)' has none below it")
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
        throw UsageError("no option '\(EscapedText(name))'; did you mean --\(near)?")
      }
      throw UsageError("options stand behind the verb: '\(EscapedText(name))'; \(help)")
    }
    let hint = Spelling.nearest(to: text, among: commands.map { $0.verb })
    throw UsageError(
      "no verb '\(EscapedText(name))'" + (hint.map { "; did you mean '\($0)'?" } ?? "; \(help)"))
  }
}
