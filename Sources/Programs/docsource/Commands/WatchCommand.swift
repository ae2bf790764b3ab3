import Applications
import CommandLineInterface
import FileTree
import ForeignFormats
import Glibc
import LinuxSystem
import TextFormats
import Watching

/// `docsource watch`: tags new documents with the application that wrote them.
enum WatchCommand: Command {
  private static let enable = OptionDeclaration(
    "enable", help: "turn on watching for your account, with the given settings")
  private static let disable = OptionDeclaration(
    "disable", help: "turn off watching for your account")
  private static let status = OptionDeclaration(
    "status",
    help: "show whether watching is turned on for your account and whether the service is running")
  private static let include = OptionDeclaration(
    "include", value: "GLOB", repeats: true,
    help: "tag only files whose name, or path for a GLOB with /, matches")
  private static let exclude = OptionDeclaration(
    "exclude", value: "GLOB", repeats: true, help: "do not tag files whose name or path matches")
  private static let policy = OptionDeclaration(
    "policy", value: "POLICY", choices: WatchPolicy.allCases.map(\.rawValue),
    help: "choose what happens to an existing source")
  private static let mount = OptionDeclaration(
    "mount", help: "watch single mounts instead of whole file systems")
  private static let once = OptionDeclaration(
    "once", value: "SECONDS", help: "stop after SECONDS")
  private static let dryRun = OptionDeclaration(
    "dry-run", short: "n", help: "show what would be tagged without writing anything")
  private static let json = OptionDeclaration("json", help: "print one JSON object per line")
  private static let verbose = OptionDeclaration(
    "verbose", short: "v", help: "also report files that are not tagged")
  private static let quiet = OptionDeclaration(
    "quiet", short: "q", help: "do not report individual files")

  static let answerOfFailure: JSONFields? = ["event": "failed"]

  static let verb = "watch"
  static let declaration = CommandDeclaration(
    name: verb, summary: "tag new documents with the application that wrote them",
    operands: "[DIR...]",
    details: """
      Watches Desktop, Documents, Downloads, Music, Pictures and Videos of every user who has turned
      watching on, or each DIR on behalf of its owner. Existing sources are kept. The service
      docsource-watch runs this verb, which needs CAP_SYS_ADMIN.
      """,
    options: [
      enable, disable, status, include, exclude, policy, mount, once, dryRun, json, verbose, quiet,
    ],
    examples: [
      "docsource watch --enable --exclude '*.log'", "docsource watch -n --once 60 ~/Documents",
    ],
    manual: ManualText(Manual.watch))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let (included, excluded) = (try patterns(arguments, include), try patterns(arguments, exclude))
    let policy = try arguments.choice(policy).flatMap { WatchPolicy(rawValue: $0) }
    let switches = [enable, disable, status].filter(arguments.has)
    let settings = [include, exclude, Self.policy].filter(arguments.has)
    if let change = switches.first {
      if switches.count > 1 {
        throw UsageError("--\(change.long) and --\(switches[1].long) cannot be combined")
      }
      guard arguments.operands.isEmpty else { throw UsageError("--\(change.long) takes no DIR") }
      let allowed =
        change == enable ? [enable] + settings : change == status ? [status, json] : [change]
      if let other = declaration.options.first(where: { arguments.has($0) && !allowed.contains($0) }
      ) {
        throw UsageError("--\(change.long) and --\(other.long) cannot be combined")
      }
      if change == status { return WatchSwitch.tell(isJSON: arguments.has(json), console) }
      return WatchSwitch.set(isOn: change == enable, console) { settings in
        if arguments.has(include) { settings.include = included }
        if arguments.has(exclude) { settings.exclude = excluded }
        if let policy { settings.policy = policy }
      }
    }
    if arguments.operands.isEmpty, let setting = settings.first {
      throw UsageError(
        "--\(setting.long) is a per-user setting; use it with --enable, or name a DIR")
    }
    return try watch(arguments, included, excluded, policy ?? .keep, console)
  }

  private static func watch(
    _ arguments: Arguments, _ included: [String], _ excluded: [String], _ policy: WatchPolicy,
    _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let styles = [json, verbose, quiet].filter(arguments.has)
    if styles.count > 1 {
      throw UsageError("--\(styles[0].long) and --\(styles[1].long) cannot be combined")
    }
    let seconds = try arguments.number(once, in: 0...(Int.max / 10_000))
    let directories = arguments.operands.compactMap { FilePath(bytes: $0) }
    let style: WatchPrinter.Style =
      arguments.has(json)
      ? .json : arguments.has(quiet) ? .quiet : .people(all: arguments.has(verbose))
    let printer = WatchPrinter(style, console)
    let isService = directories.isEmpty && !arguments.has(dryRun) && seconds == nil
    let loop: WatchLoop
    do throws(Errno) {
      loop = try WatchLoop(
        directories.isEmpty
          ? .users
          : .directories(directories, include: included, exclude: excluded, policy),
        arguments.has(mount) ? .mount : .fileSystem, arguments.has(dryRun) ? .dryRun : .tag,
        isService: isService, printer.report)
    } catch {
      printer.say(refusal(error))
      return .failed
    }
    if !directories.isEmpty, !loop.hasUsers {
      for flaw in loop.flaws { console.fail(flaw.path.bytes, flaw.reason) }
      return .failed
    }
    let isDone = loop.run(for: seconds.map { $0 * 1000 })
    // A service that was stopped has done its work, whatever happened to single files.
    return isService || isDone ? .done : .failed
  }

  /// Does the work that the watch has started this program for.
  ///
  /// - Returns: `nil` if it was started for something else.
  static func runAsPart(_ arguments: [[UInt8]]) -> ExitStatus? {
    guard let first = arguments.first else { return nil }
    if first.elementsEqual(WatchWorker.argument.utf8) {
      return WatchWorker.run(metainfo: describe) ? .done : .usage
    }
    guard first.elementsEqual(SettingsScoutProcess.argument.utf8) else { return nil }
    SettingsScoutProcess.run()
    return .done
  }

  /// Longer than `docsource-xml` gives itself, in milliseconds: the user's files wait meanwhile.
  private static let metainfoTimeLimit = 6000

  /// Has `docsource-xml` read metainfo; it gives up all of its rights before it does so.
  private static func describe(
    _ files: MetainfoFiles, interruption: CInt
  ) throws -> [ApplicationDescription]? {
    let name = CompanionProgram.xml.name
    let process = try CompanionProgram.xml.start(
      ["metainfo", name].map { Array($0.utf8) }, input: try files.binary())
    switch try process.wait(milliseconds: metainfoTimeLimit, unless: interruption) {
    case .interrupted: return nil
    case .late:
      throw ChildProcess.Failure(
        description: "\(name) took longer than \(metainfoTimeLimit / 1000) s")
    case .ended(let ending):
      guard ending.status == .done else {
        throw ChildProcess.Failure(description: reason(ending.errors, name))
      }
      guard let list = try? ApplicationDescription.list(binary: ending.output),
        list.count == files.contents.count
      else { throw ChildProcess.Failure(description: "\(name) has a different version") }
      return list.compactMap(\.self)
    }
  }

  /// What a program of ours has said of itself, without the names that a message begins with.
  private static func reason(_ words: [UInt8], _ name: String) -> String {
    let line = String(decoding: words.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let start = "\(Tool.name): \(name): "
    return "\(EscapedText(line.hasPrefix(start) ? String(line.dropFirst(start.count)) : line))"
  }

  private static func refusal(_ errno: Errno) -> String {
    switch errno {
    case .notPermitted:
      "watch: only processes with CAP_SYS_ADMIN can see which process writes a file; run"
        + " 'docsource watch --enable', and ask an administrator to run"
        + " 'systemctl enable --now docsource-watch'"
    case .invalidArgument:
      "watch: watching needs Linux 5.15 or later, whose events name the writing process"
    case .noFunction: "watch: this kernel was built without fanotify"
    default: "watch: cannot get file events from the kernel: \(errno.description.lowercased())"
    }
  }

  /// The patterns of an option as `WatchGlobs` takes them: those of paths begin at the home directory.
  ///
  /// - Throws: `UsageError` for one that no file can match.
  private static func patterns(
    _ arguments: Arguments, _ option: OptionDeclaration
  ) throws(UsageError) -> [String] {
    var patterns: [String] = []
    for bytes in arguments.values(option) where !bytes.isEmpty {
      let label = "--\(option.long): "
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw UsageError("\(label)'\(EscapedText(bytes))' is not UTF-8")
      }
      _ = try Glob(typed: bytes, .kept, label: label)
      let words = text.split(separator: "/", omittingEmptySubsequences: false)
      guard !words.contains(".."), words.contains(where: { !$0.isEmpty && $0 != "." }) else {
        throw UsageError("\(label)'\(EscapedText(bytes))' matches no file")
      }
      guard words[0].isEmpty || words[0].hasPrefix("~") else {
        patterns.append(text)
        continue
      }
      guard let rest = rest(of: text, isOwn: arguments.operands.isEmpty) else {
        throw UsageError(
          "\(label)'\(EscapedText(bytes))' matches no file: paths begin at the home directory, as in"
            + " 'Documents/drafts'")
      }
      patterns.append(rest)
    }
    return patterns
  }

  /// The rest of an absolute path below the home directory, or of one after `~`.
  ///
  /// - Parameter isOwn: whether the files of this process's user are meant.
  private static func rest(of pattern: String, isOwn: Bool) -> String? {
    let home = isOwn ? BaseDirectories.current().home.map { "\($0)/" } : nil
    let lead = ["~/", home].compactMap(\.self).first { pattern.hasPrefix($0) }
    guard let lead, pattern.count > lead.count else { return nil }
    // With a slash, so that it is still a pattern of a path.
    return "./" + pattern.dropFirst(lead.count)
  }
}
