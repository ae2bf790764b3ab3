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

  static let declaration = ToolDeclaration(
    name: name, summary: "record which application a file came from, show it, and share files",
    version: version, date: date,
    commands: commands.map { $0.declaration }, groups: groups,
    topics: [
      MarksTopic.declaration, SharingTopic.declaration, FileManagersTopic.declaration,
      LibraryTopic.declaration,
    ],
    examples: [
      "docsource tag --identifier com.example.editor --app-name Editor notes.txt",
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

  private static let allVerbs = "'\(name) help' lists all verbs"
  /// How messages end that name the help themselves.
  private static let references = [allVerbs, "--help'", IntentOperands.reference]

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
    let hint = Spelling.nearest(to: text, among: commands.map { $0.verb })
    throw UsageError(
      "unknown verb '\(EscapedText(name))'"
        + (hint.map { "; did you mean '\($0)'?" }
          ?? (gathering == self.name ? "; \(allVerbs)" : "; \(help)")))
  }

  private static let manual = ManualText(
    """
    Most files do not say which application they came from. docsource keeps this information with
    the file, in the extended attribute that apps such as Working Copy give their documents: the
    application's identifier and name, the document's path inside the application, and the URL of a
    list of the application's icons.

    The attribute is called user.x-document-source. Its value is a binary property list, a
    dictionary of the strings identifier, name, path and appInfoURL, each of them optional. Other
    keys are kept when the value is rewritten. If the attribute is missing, docsource reads the
    stream user.DosStream.x-document-source:$DATA, which Samba keeps for its clients. Writing
    updates both the attribute and, where it exists, the stream.

    The verb comes first; options and files follow in any order. Long options can be abbreviated as
    long as they are unambiguous, and everything after -- is a file. Paths are bytes and need not be
    UTF-8. Data goes to standard output, messages go to standard error. Output for people escapes
    control characters and characters that are invisible or change the text direction; with --json
    and -0 all output is exact. A file that fails does not stop the rest.

    One word means one thing, in options, in the placeholders of 'docsource find --format' and in
    the members of --json:

      meaning                   option          placeholder     member
      application identifier    --identifier    {identifier}    identifier
      application name          --app-name      {app-name}      name
      path in the application   --document      {document}      document
      list of its icons         --app-info-url  {app-info-url}  appInfoURL
      file to work on           FILE            {}              file
      last part of its path     --file-name     {/}
      where the file came from                                  origin
      where a mark is stored                                    carrier
      what lists an application --known-from                    knownFrom
      where an icon was found                                   place
      path of an icon                                           icon

    The four keys of the attribute keep their names wherever the attribute itself is shown: in
    source, in --field and in the C library, where path is the path in the application. The C
    library, whose names do not change, also has docsource_origin for the place of an icon.

    The following names of the previous version still work, with a warning. The next version will
    not accept them:

      --name, --if-name         now --app-name, --if-app-name
      --path, --if-path         now --document, --if-document
      --file                    now --file-name
      --origin of apps          now --known-from
      {path}, {file}            now {}, {/}
      {name}, {url}             now {app-name}, {app-info-url}

    Members of --json that meant several things have only their new names: document in origin of
    trace, in contradictions and in events of watch, instead of path; knownFrom and file of apps,
    and place and icon of icon, instead of origin and path; cache of 'icon --cache-stats' instead of
    path; eventIdentifier of a quarantine instead of identifier; and device of doctor instead of
    source. Events of watch have source as an object, as in docsource-show(1).

    With --json, each line is an object. The member file is the path as it was given or found, with
    fileBase64 in addition if the path is not UTF-8; icon has operand instead. A value that is
    missing is left out. Only what the verb was asked for is null if there is none: source of show
    and find, origin of trace, value of a mark, canStore of doctor, and icon and cache of icon. If
    there is none, reason says why where that is known. If the work on a file fails, its object has
    error, a sentence, which is written to standard error as well. Verbs that change files have
    outcome: changed, unchanged or failed, and more words in import. plist show prints the lists
    themselves, and no such objects.

    Verbs that take files can also read their names from a list: 'find -print0 | docsource tag -i
    com.example.editor --files0-from=-'. Each name in the list ends with a NUL, so the list can hold
    any name. --files0-from cannot be combined with files on the command line. If the list is empty,
    nothing is done and the status is 0. The operand - is standard input for import and for those
    verbs of plist, item, link and rule whose pages say so; for all others it is a file, which can
    be written as ./- everywhere.

    Below a directory, with --recursive and in find and export, all verbs leave out the same files.
    Hidden files and directories, whose names begin with a period, are included; --no-hidden leaves
    them out. The version control directories .git, .hg, .svn, .bzr, .jj, _darcs and CVS are left
    out, as is a file named .git, which a Git worktree has; --hidden includes them.
    docsource-remove(1) and docsource-strip(1) include them by default, because any mark left there
    would be given away with the files. The objects directory and the index file of a Git repository
    are always left out, wherever the repository is; everything below a bare repository is, unless
    --hidden is given or the default of these two verbs applies. Whatever is left out is neither read nor
    changed, and neither is anything below it. A file or directory named on the command line is
    always included.

    --exclude also leaves out whatever matches GLOB, and can be given several times. GLOB follows
    gitignore(5): a pattern without a slash must match the name of a file or directory at any depth,
    a pattern with a slash must match the path from the directory named on the command line; * and ?
    match no slash, ** matches any number of directories, and a trailing slash restricts the pattern
    to directories. A leading ! or # stands for itself. Matching is case-sensitive.

    With --gitignore, find and tag also leave out what Git would ignore if it were untracked,
    according to the .gitignore files in the directory named on the command line, below it, and
    above it up to the directory that contains .git, and to .git/info/exclude there; in a linked
    worktree or submodule, to info/exclude of the repository that .git names. Only a nested
    repository's own files apply to it. Git's configuration is not read, so core.excludesFile has no
    effect.

    User attributes need a file system that stores them: ext4, xfs, btrfs and tmpfs do, FAT and
    exFAT do not. Only regular files and directories can have them. A value can take up about 4000
    bytes on ext4, where all attributes of a file share this space, 16206 bytes on btrfs, and 65536
    bytes on xfs and tmpfs. cp without -a, editors that save by renaming, git, zip and most
    transfers lose attributes; cp -a, mv, rsync -X and tar --xattrs keep them.

    The attribute is a claim by whoever wrote it, not a proof of origin. Only 'docsource icon'
    accesses the network.
    """,
    environment: [noColor],
    files: [
      ManualText.Entry(
        "../libexec/docsource",
        """
        Relative to the directory of the executable; holds docsource-archive, docsource-fetch, \
        docsource-share and docsource-xml, which docsource runs, unless they are beside the \
        executable.
        """)
    ],
    sections: [installing, upgrading, licence],
    seeAlso: ["getfattr(1)", "setfattr(1)", "xattr(7)"])

  private static let installing = ManualText.Section(
    "INSTALLING",
    """
    'make deb' builds the Debian packages, which need no Swift where they are installed:

      docsource               the tool, with manual pages, completions, icon
                              and translations; the service
                              docsource-watch, disabled
      libdocumentsource1      the C library
      libdocumentsource-dev   its headers for C and C++, with examples
      python3-documentsource  the Python module
      docsource-dialog        the dialogs of file managers
      docsource-filemanager   for Nautilus, Nemo, Caja and Thunar
      docsource-dolphin       for Dolphin

    The packages are in .build/packages, and those with symbols for debuggers in
    .build/packages/debug. The same commit and executables always give the same packages. Removing
    the package docsource stops the service; purging the packages leaves nothing behind.

    From source, 'make && sudo make install' puts the executable, manual pages and completions below
    /usr/local. PREFIX and DESTDIR are honoured, and 'make uninstall' with the same values removes
    what was installed and nothing else. With 'make lib' before it, the C library, the Python module
    and the extension for file managers are installed as well; see documentsource(3) and
    docsource-file-managers(7). The executable docsource is one file without shared libraries. The
    companions in libexec/docsource share the Swift runtime beside them; docsource-xml needs
    libxml2, docsource-archive libarchive, docsource-share GIO and the package shared-mime-info, and
    docsource-fetch libcurl and libpng.

    bash, with the package bash-completion, zsh and fish find the completions by themselves; for
    another PREFIX see docsource-completions(1).
    """)

  private static let upgrading = ManualText.Section(
    "UPGRADING",
    """
    Install the new packages over the old ones; the service docsource-watch is restarted if it runs.
    From source, run 'make install' with the same PREFIX: files that the earlier version had and the
    new one lacks are removed. Then run 'systemctl try-restart docsource-watch'. Programs that are
    running keep the version they started with.

    The formats of the attribute and of manifests stay the same, so that any version reads what
    another has written, and your settings below $XDG_CONFIG_HOME/docsource are kept. Options that
    are renamed keep their old names for one version, as the table above says. The C library keeps
    its functions; see documentsource(3).
    """)

  private static let licence = ManualText.Section(
    "LICENCE",
    """
    Apache License 2.0, in the file LICENSE of the source and, on Debian, in
    /usr/share/common-licenses/Apache-2.0. The executables contain the runtime of Swift and
    libraries with licences of their own; /usr/share/doc/docsource/copyright names them.
    """)

  static let noColor = ManualText.Entry(
    "NO_COLOR", "If set and not empty, output is not coloured.")
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
  static var answerOfFailure: [(key: String, value: String)]? { get }

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

  static var answerOfFailure: [(key: String, value: String)]? { nil }

  /// For a verb that only gathers others.
  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    throw UsageError("no verb given")
  }
}
