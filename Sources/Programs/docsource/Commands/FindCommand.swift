import CommandLineInterface
import DocumentSource
import FileTree
import LinuxSystem

/// `docsource find`: lists files by their source.
enum FindCommand: Command {
  private static let json = OptionDeclaration("json", help: "one JSON object a line; exact")
  private static let format = OptionDeclaration(
    "format", value: "TEXT", help: "a line of {path}, {file}, {identifier}, {name}, …")
  private static let count = OptionDeclaration("count", short: "c", help: "only how many there are")
  private static let summary = OptionDeclaration(
    "summary", short: "s", help: "a table of applications and how many files of each")
  private static let sort = OptionDeclaration(
    "sort", help: "order by path; holds all that is found in memory")
  private static let samba = OptionDeclaration(
    "samba", help: "also what has Samba's form alone; slower")
  private static let exec = OptionDeclaration(
    "exec", short: "x", value: "CMD...", help: "run CMD for each, several at a time; {} is its path"
  )
  private static let execBatch = OptionDeclaration(
    "exec-batch", short: "X", value: "CMD...", help: "run CMD with as many as fit; it ends at ';'")

  static let verb = "find"
  static let declaration = CommandDeclaration(
    name: verb, summary: "list files by the application they came from", operands: "[DIR...]",
    details: "Lists files and directories that have a source, or those that are asked for.",
    options: SourceFilterOptions.plain.fields.map(\.option) + [
      SourceFilterOptions.untagged, ShowCommand.null, json, format, count,
      summary, sort, exec, execBatch, WalkSelection.threads, FileList.option,
    ],
    filters: [
      SourceFilterOptions.damaged, SourceFilterOptions.file, SourceFilterOptions.ignoresCase,
      WalkSelection.type, WalkSelection.maximumDepth, WalkSelection.oneFileSystem, samba,
    ] + WalkSelection.choosing + [WalkSelection.gitignore],
    examples: [
      "docsource find -i 'com.appliedphasor.*' ~/Documents",
      "docsource find --untagged --file '*.txt' -X ls -l",
    ],
    manual: manual)

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let selection = try WalkSelection(
      arguments, reach: .documents, kinds: [.files, .directories])
    let filter = try SourceFilter(arguments, .plain)
    let end = arguments.has(ShowCommand.null) ? UInt8(0) : UInt8(ascii: "\n")
    let output = try output(arguments, end, console)
    let carriers: DocumentSourceAttribute.Carriers = arguments.has(samba) ? .all : .native
    let isDefault = arguments.operands.isEmpty
    let paths = isDefault ? [FilePath(".")] : arguments.operands.compactMap { FilePath(bytes: $0) }
    let search = FileSearch(
      filter: filter, carriers: carriers, output: output, omitsLead: isDefault,
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
      throw UsageError("\(names) exclude each other")
    }
    let escapes = end != 0 && console.output.isTerminal
    switch given.last {
    case json: return .json(end: end)
    case count: return .count
    case summary: return .summary(isJSON: arguments.has(json))
    case format:
      let text = arguments.bytes(format) ?? []
      return .template(try FormatTemplate(text), end: end, escapes: escapes)
    default: return .paths(end: end, escapes: escapes)
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
    Without DIR the working directory is searched, and the paths begin without ./ unless they would
    then begin with a dash. An operand may also be a file. Operands that are symbolic links are
    followed, links below them are not. docsource(1) says what is left out below an operand, and
    what --hidden, --no-hidden, --exclude and --gitignore change about that. With --one-file-system
    what is mounted below a directory is left out, of the same file system too, as by mount --bind.

    A file must meet all conditions; of a condition that is given several times, one. In a GLOB *
    stands for any text, / included, ? for one character, [a-z] for one of a range, [!a-z] for any
    other, and a backslash takes the meaning from the next character. It must match the whole value.
    A file that lacks the field does not match. --untagged and --damaged together find what is
    either; they exclude --identifier, --name and --path. On a file system that stores no user
    attributes all files are untagged. What has the stream that Samba keeps, and not the attribute,
    is found only with --samba.

    The order is not defined, since several threads search. --sort orders by the bytes of the paths,
    when everything is found; with --threads=1 the order is that of the directories. Files that
    vanish meanwhile are passed over.

    In the TEXT of --format, {path} is the path as it is listed, {file} the last part of it,
    {identifier}, {name}, {document} and {url} are the fields, empty where they are missing;
    {document} is the path inside the application. The escapes are \\t, \\n, \\0, \\\\, \\{ and \\}.
    On a terminal, control characters in paths and fields are spelled out.

    --json prints the members of docsource-show(1). --summary prints a line for each application,
    with the number of its files, and how many files are untagged and damaged; with --json an object
    for each with the members state (tagged, others, untagged or damaged), identifier, name and
    count.

    The command of --exec and --exec-batch is all words up to a word ';' or the end, and runs
    without a shell. In its words, {} is the path, {/} the last part of it, {//} the directory, and
    {.} and {/.} the path and the last part without extension; without any of them the path becomes
    the last word. With --exec as many commands run at a time as there are threads, with nothing on
    standard input, and what each writes is passed on in one piece when it ends; with --threads=1
    they read and write by themselves. With --exec-batch one word alone may have placeholders. A
    command that cannot be started ends the search. Either option may be given several times: of
    several --exec, each command runs for a file when the one before it has succeeded for that file;
    of several --exec-batch, each gets as many files as fit it.
    """,
    exitStatus: [
      .done: "Something is found, and all commands succeeded.",
      .noSource: "Nothing is found.",
      .failed: """
      An operand, a directory or an attribute cannot be read, or a command failed. The rest is \
      done.
      """,
    ],
    seeAlso: ["fd(1)", "find(1)", "getfattr(1)"])
}
