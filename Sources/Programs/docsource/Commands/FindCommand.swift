import Applications
import CommandLineInterface
import DocumentSource
import FileTree
import LinuxSystem
import TextFormats

/// `docsource find`: lists files by their source.
enum FindCommand: Command {
  private static let json = ShowCommand.json
  private static let format = OptionDeclaration(
    "format", value: "TEXT", help: "print TEXT for each file: {}, {app-name}, …")
  private static let count = OptionDeclaration(
    "count", short: "c", help: "print only the number of files")
  private static let summary = OptionDeclaration(
    "summary", short: "s", help: "count files and directories, DIR too, by application")
  private static let sort = OptionDeclaration(
    "sort", help: "sort by path; holds all results in memory")
  private static let samba = OptionDeclaration(
    "samba", help: "include files that have only Samba's form; slower")
  private static let rule = OptionDeclaration(
    "rule", value: "RULE", kind: .file,
    help: "select files that an app with the rule RULE is offered")
  private static let exec = OptionDeclaration(
    "exec", short: "x", value: "CMD...", help: "run CMD for each file, in parallel; {} is the path"
  )
  private static let execBatch = OptionDeclaration(
    "exec-batch", short: "X", value: "CMD...",
    help: "run CMD with as many files as fit; ends at ';'")

  static let answerOfFailure = ShowCommand.answerOfFailure

  static let verb = "find"
  static let declaration = CommandDeclaration(
    name: verb, summary: "find files below directories by the application they came from",
    operands: "[DIR...]",
    options: SourceFilterOptions.plain.ofSource + [
      SourceFilterOptions.untagged, ShowCommand.null, json, format, count,
      summary, sort, exec, execBatch, WalkSelection.threads, TerminalStyle.option,
      FileList.option,
    ],
    filters: [rule] + OriginFilter.options + SourceFilterOptions.plain.watch + [
      WitnessFilter.option, SourceFilterOptions.damaged, SourceFilterOptions.fileName,
      SourceFilterOptions.ignoresCase,
      ModificationFilter.option, WalkSelection.type, WalkSelection.maximumDepth,
      WalkSelection.oneFileSystem,
    ] + WalkSelection.choosing + [WalkSelection.gitignore],
    rare: [samba],
    examples: [
      "docsource find -i 'com.appliedphasor.*' ~/Documents",
      "docsource find --untagged --file-name '*.txt' -X ls -l",
    ],
    manual: ManualText(Manual.find))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let selection = try WalkSelection(
      arguments, reach: .documents,
      kinds: arguments.has(SourceFilterOptions.untagged) ? .files : .filesAndDirectories)
    guard let filter = try SourceFilter(arguments, .plain, console) else { return .failed }
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
    let origin = try OriginFilter(arguments)
    let search = FileSearch(
      filter: filter, rule: offer, modification: try ModificationFilter(arguments), origin: origin,
      witness: try WitnessFilter(arguments), carriers: carriers, output: output,
      omitsLead: isDefault,
      sorts: arguments.has(sort), areTyped: !arguments.has(FileList.option))
    let runner = try runner(arguments, selection, console)
    let status = search.run(paths, BulkWalk(selection: selection), runner, console)
    if status == .negative {
      for application in filter.applications { hint(application, console) }
      hint(names: arguments.values(SourceFilterOptions.plain.name), console)
    }
    return status.combined(with: origin?.finish(console) ?? .done)
  }

  /// Says where nothing was found that nobody knows an application, which may be mistyped.
  private static func hint(_ application: WantedApplication, _ console: Console) {
    guard application.known.isEmpty else { return }
    let suggestion = application.hint ?? "--identifier and --app-name take patterns"
    console.say(
      "nothing found, and no known application '\(EscapedText(application.word.text))'; "
        + suggestion)
  }

  /// Says where nothing was found by a name without wildcards that known applications' names begin with.
  private static func hint(names: [[UInt8]], _ console: Console) {
    let plain = names.filter { !$0.contains { "*?[\\".utf8.contains($0) } }
    guard !plain.isEmpty, let known = KnownApplications.ofUser(console)?.all() else { return }
    let all = known.flatMap(\.names).map { Array($0.utf8) }
    for name in plain where !all.contains(name) && all.contains(where: { $0.starts(with: name) }) {
      let shown = EscapedText(name)
      console.say(
        "nothing found: --app-name compares whole names; '\(shown)*' also finds longer ones")
    }
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
}
