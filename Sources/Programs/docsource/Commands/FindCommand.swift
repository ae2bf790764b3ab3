import CommandLineInterface
import DocumentSource
import FileTree
import LinuxSystem

/// `docsource find`: lists files by their source.
enum FindCommand: Command {
  private static let json = OptionDeclaration("json", help: "print one JSON object per line; exact")
  private static let format = OptionDeclaration(
    "format", value: "TEXT", help: "print TEXT for each file: {}, {app-name}, …")
  private static let count = OptionDeclaration(
    "count", short: "c", help: "print only the number of files")
  private static let summary = OptionDeclaration(
    "summary", short: "s", help: "print how many files came from each application")
  private static let sort = OptionDeclaration(
    "sort", help: "sort by path; holds all results in memory")
  private static let samba = OptionDeclaration(
    "samba", help: "include files that have only Samba's form; slower")
  private static let rule = OptionDeclaration(
    "rule", value: "RULE", kind: .file,
    help: "select files that an app with the activation rule RULE is offered")
  private static let exec = OptionDeclaration(
    "exec", short: "x", value: "CMD...", help: "run CMD for each file, in parallel; {} is the path"
  )
  private static let execBatch = OptionDeclaration(
    "exec-batch", short: "X", value: "CMD...",
    help: "run CMD with as many files as fit; ends at ';'")

  static let answerOfFailure = ShowCommand.answerOfFailure

  static let verb = "find"
  static let declaration = CommandDeclaration(
    name: verb, summary: "find files by the application they came from", operands: "[DIR...]",
    details: """
      Finds files and directories that have a document source or match the given options.
      """,
    options: SourceFilterOptions.plain.fields.map(\.option) + [
      SourceFilterOptions.untagged, ShowCommand.null, json, format, count,
      summary, sort, exec, execBatch, WalkSelection.threads, TerminalStyle.option,
      FileList.option,
    ],
    filters: [
      rule, SourceFilterOptions.damaged, SourceFilterOptions.fileName,
      SourceFilterOptions.ignoresCase,
      WalkSelection.type, WalkSelection.maximumDepth, WalkSelection.oneFileSystem, samba,
    ] + WalkSelection.choosing + [WalkSelection.gitignore],
    examples: [
      "docsource find -i 'com.appliedphasor.*' ~/Documents",
      "docsource find --untagged --file-name '*.txt' -X ls -l",
    ],
    manual: manual)

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let selection = try WalkSelection(
      arguments, reach: .documents, kinds: [.files, .directories])
    let filter = try SourceFilter(arguments, .plain)
    let end = arguments.has(ShowCommand.null) ? UInt8(0) : UInt8(ascii: "\n")
    let output = try output(arguments, end, console)
    // Whether a file lacks a source depends on all forms, as for every other verb.
    let carriers: DocumentSourceAttribute.Carriers =
      arguments.has(samba) || filter.wantsUntagged ? .all : .native
    let isDefault = arguments.operands.isEmpty
    let paths = isDefault ? [FilePath(".")] : arguments.operands.compactMap { FilePath(bytes: $0) }
    var offer: RuleFilter?
    if let operand = arguments.bytes(rule) {
      guard let types = DeclaredTypes(arguments, console),
        let given = RuleFilter(operand, types, console)
      else { return .failed }
      offer = given
    }
    let search = FileSearch(
      filter: filter, rule: offer, carriers: carriers, output: output, omitsLead: isDefault,
      sorts: arguments.has(sort))
    let runner = try runner(arguments, selection, console)
    return search.run(paths, BulkWalk(selection: selection), runner, console)
  }

  private static func output(
    _ arguments: Arguments, _ end: UInt8, _ console: Console
  ) throws(UsageError) -> FindOutput {
    let given = [json, format, count, summary, exec, execBatch].filter(arguments.has)
    guard given.count <= 1 || given == [json, summary] else {
      let names = given.map { "--" + $0.long }.joined(separator: " and ")
      throw UsageError("\(names) cannot be combined")
    }
    let escapes = end != 0 && console.output.isTerminal
    let isStyled = try TerminalStyle.isWanted(arguments, on: console.output)
    switch given.last {
    case json: return .json(end: end)
    case count: return .count
    case summary: return .summary(isJSON: arguments.has(json))
    case format:
      let text = arguments.bytes(format) ?? []
      let template = try FormatTemplate(text)
      for one in template.renamed {
        console.warn(former: "{\(one.former)}", now: "{\(one.name)}")
      }
      return .template(template, end: end, escapes: escapes)
    default: return .paths(end: end, escapes: escapes, isStyled: isStyled && end != 0)
    }
  }

  private static func runner(
    _ arguments: Arguments, _ selection: WalkSelection, _ console: Console
  ) throws(UsageError) -> (any FileRunner)? {
    let shared = SharedConsole(console)
    if arguments.has(exec) {
      return JobRunner(
        try templates(exec, arguments), limit: selection.workers, shared,
        selection.options.cancellation)
    }
    if arguments.has(execBatch) {
      return try BatchRunner(
        try templates(execBatch, arguments), shared, selection.options.cancellation)
    }
    return nil
  }

  private static func templates(
    _ option: OptionDeclaration, _ arguments: Arguments
  ) throws(UsageError) -> [CommandTemplate] {
    try arguments.commands(option).map { words throws(UsageError) in
      try CommandTemplate(words, option: option)
    }
  }

  private static let manual = ManualText(
    """
    Without DIR, the working directory is searched, and paths are printed without a leading ./
    unless they would then begin with a dash. An operand can also be a file. Operands that are
    symbolic links are followed; links below them are not. docsource(1) describes what is left out
    below an operand, and how --hidden, --no-hidden, --exclude and --gitignore change this. With
    --one-file-system, anything mounted below a directory is left out, even if it is on the same
    file system, as with mount --bind.

    A file must meet every condition that is given, and for a condition given several times at least
    one of its values. In a GLOB, * matches any text, including /, ? matches one character, [a-z]
    matches one character in a range, [!a-z] matches any other character, and a backslash makes the
    next character literal. The GLOB must match the whole value. A file without the field does not
    match. --untagged and --damaged together find files that are either; they cannot be combined
    with --identifier, --app-name and --document. On a file system that does not store user
    attributes, all files are untagged. Files that have the stream that Samba keeps, but not the
    attribute, are found only with --samba; they are not untagged.

    The order is undefined, since several threads search. --sort sorts by the bytes of the paths
    once everything is found; with --threads=1, files are listed in the order of the directories.
    Files that disappear during the search are skipped. If a file named on the command line has no
    document source but other marks, a message on standard error mentions docsource-trace(1), unless
    a condition, -0 or another form of output is given.

    --rule selects files that some extension with an activation rule in RULE is offered, each file by
    itself; docsource-rule(1) says what RULE can be. Without --identifier, --app-name, --document,
    --untagged and --damaged, the files need not have a document source. Directories are offered as
    public.folder.

    In the TEXT of --format, {} is the path as listed, and {/}, {//}, {.} and {/.} are its parts as
    in --exec. {identifier}, {app-name}, {document} and {app-info-url} are the fields, empty if
    missing; {document} is the path inside the application. The escapes are \\t, \\n, \\0, \\\\,
    \\{ and \\}. On a terminal, control characters in paths and fields are escaped.

    --json prints the members described in docsource-show(1). --summary prints a line for each
    application with the number of its files, and the numbers of untagged and damaged files; with
    --json, it prints one object for each with the members state (tagged, others, untagged or
    damaged), identifier, name and count.

    The command of --exec and --exec-batch consists of all words up to the word ';' or the end of
    the command line, and runs without a shell. In its words, {} is the path, {/} is the last
    component of the path, {//} is the directory, {.} is the path without its extension, and {/.} is
    the last component without its extension; without any placeholder, the path is added as the last
    word. --exec runs as many commands at a time as there are threads, with empty standard input,
    and passes on the output of each command in one piece when the command ends; with --threads=1,
    commands use standard input and output directly. With --exec-batch, only one word may contain
    placeholders. A command that cannot be started ends the search. Both options can be given
    several times: with several --exec, each command runs for a file if the previous one succeeded
    for that file; with several --exec-batch, each command gets as many files as fit.

    \(TerminalStyle.manual) In a list of paths, directories are coloured, including those that lead
    to a file.
    """,
    exitStatus: [
      .done: "Something was found, and all commands succeeded.",
      .noSource: "Nothing was found.",
      .failed: """
      An operand, a directory or an attribute could not be read, or a command failed. Everything \
      else was done.
      """,
    ],
    environment: [Tool.noColor],
    seeAlso: ["docsource-rule(1)", "docsource-trace(1)", "fd(1)", "find(1)", "getfattr(1)"])
}
