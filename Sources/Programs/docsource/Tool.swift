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
      let completed = try FileList.complete(parsed, of: command, console)
      guard !completed.isEmpty else { return completed.status }
      return completed.status.combined(with: try command.run(completed.arguments, console))
    } catch {
      let verb = command.declaration.name
      throw UsageError("\(verb): \(error.message); see '\(name) help \(verb)'")
    }
  }

  /// The member that a word behind a gathering verb names; `nil` where the word is an operand.
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

  private static let manual = ManualText(
    """
    A file does not say which application it came from. docsource keeps that with the file, in the
    extended attribute that apps such as Working Copy give their documents: the application's
    identifier and name, the document's path inside the application, and the URL of a list of the
    application's icons.

    The attribute is called user.x-document-source. Its value is a binary property list, a
    dictionary of the strings identifier, name, path and appInfoURL; any of them may be missing.
    Other keys are kept when it is written again. Where a file carries the stream
    user.DosStream.x-document-source:$DATA, which Samba keeps for its clients, that is read when the
    attribute is missing, and both are kept in step on writing.

    A verb stands first, options and files follow in any order. Long options may be cut short while
    they stay unique, and whatever follows -- is a file. Paths are bytes and need not be UTF-8. Data
    goes to standard output and words to standard error. In what is for people, control characters
    and characters that hide or turn the direction of writing are spelled out; with --json and -0
    everything is exact. A file that fails does not stop the rest.

    Verbs that take files also take them from a list, with --files0-from: 'find -print0 | docsource
    tag -i com.example.editor --files0-from=-'. Each name in it ends with a NUL, so that it can hold
    any name. It cannot be combined with files on the command line. With an empty list there is
    nothing to do, and the status is 0.

    Below a directory, with --recursive and in find and export, all verbs leave out the same. Files
    and directories whose names begin with a period are taken like any others; with --no-hidden they
    are left out. The directories of version control, .git, .hg, .svn, .bzr, .jj, _darcs and CVS, are
    left out, and so is a file .git, as a Git worktree has it; with --hidden they are taken as well.
    docsource-remove(1) and docsource-strip(1) do that without being asked, since what they leave
    would be given away. The directory objects and the file index of a Git repository are always
    left out, wherever it is. What is left out is neither read nor changed, with all that is below
    it. A file or directory that is named itself is taken in any case.

    --exclude leaves out what matches a GLOB as well; it may be given several times. Its form is
    that of gitignore(5): without a slash it must match the name of a file or directory at any
    depth, with one the path from the directory that is named; * and ? match no slash, ** stands for
    any directories, and a slash at the end asks for a directory. ! and # at the beginning mean
    themselves. Letters match in the same case.

    With --gitignore, find and tag also leave out what Git would ignore if it were new: by the files
    .gitignore in the directory that is named, below it, and above it up to the one that has .git,
    and by .git/info/exclude there. A repository inside goes by its own files alone. Git's
    configuration is not read, so that core.excludesFile does not count.

    User attributes need a file system that stores them: ext4, xfs, btrfs and tmpfs do, FAT and
    exFAT do not. Only regular files and directories carry them. A value has room up to about 4000
    bytes on ext4, where all attributes of a file share it, 16206 on btrfs, and 65536 on xfs and
    tmpfs. cp without -a, editors that save by renaming, git, zip and most transfers lose
    attributes; cp -a, mv, rsync -X and tar --xattrs keep them.

    What the attribute says is a claim of whoever wrote it, no proof of origin. Only 'docsource
    icon' reaches the network.
    """,
    environment: [noColor],
    files: [
      ManualText.Entry(
        "../libexec/docsource",
        """
        Seen from the directory of the executable, where docsource-archive, docsource-fetch and \
        docsource-xml are that it runs, unless they are beside it.
        """)
    ],
    seeAlso: ["getfattr(1)", "setfattr(1)", "xattr(7)"])

  static let noColor = ManualText.Entry(
    "NO_COLOR", "Where it is set and not empty, nothing is shown in colours.")
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

  /// For a verb that only gathers others.
  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    throw UsageError("no verb given")
  }
}
