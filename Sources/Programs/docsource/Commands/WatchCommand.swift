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
    "enable",
    help: "turn on watching for your account, with the given settings; the service"
      + " docsource-watch must also be running")
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
  private static let onlyApp = OptionDeclaration(
    "only-app", value: "APP", repeats: true,
    help: "tag only files that APP writes, an identifier or name")
  private static let excludeApp = OptionDeclaration(
    "exclude-app", value: "APP", repeats: true, help: "do not tag files that APP writes")
  private static let directory = OptionDeclaration(
    "directory", value: "DIR", repeats: true,
    help: "also watch DIR, which may be your home directory")
  private static let pause = OptionDeclaration(
    "pause", value: "TIME", help: "stop tagging your files for TIME, such as 30m, 2h or 1d")
  private static let resume = OptionDeclaration("resume", help: "end a pause")
  private static let policy = OptionDeclaration(
    "policy", value: "POLICY", choices: WatchPolicy.allCases.map(\.rawValue),
    help: "choose what happens to an existing source")
  private static let log = OptionDeclaration(
    "log", help: "list what is tagged in your runtime directory, for --status")
  private static let noLog = OptionDeclaration("no-log", help: "end that")
  private static let recordDownloads = OptionDeclaration(
    "record-downloads", help: "write the URL of each download, as the browser recorded it")
  private static let noRecordDownloads = OptionDeclaration(
    "no-record-downloads", help: "end that")
  private static let witness = OptionDeclaration(
    "witness", help: "also record who writes where only root can, for 'show --verify'")
  private static let noWitness = OptionDeclaration("no-witness", help: "end that")
  /// Those that only the settings of a user have.
  private static let ofUsers = [log, noLog, noRecordDownloads, noWitness]
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
      enable, disable, pause, resume, status, directory, include, exclude, onlyApp, excludeApp,
      policy, log, noLog, recordDownloads, noRecordDownloads, witness, noWitness, mount, once,
      dryRun, json, verbose, quiet,
    ],
    examples: [
      "docsource watch --enable --exclude '*.log'", "docsource watch -n --once 60 ~/Documents",
    ],
    manual: ManualText(Manual.watch))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let change = try change(arguments, console)
    let switches = [enable, disable, pause, resume, status].filter(arguments.has)
    let settings = [
      directory, include, exclude, onlyApp, excludeApp, policy, log, noLog, recordDownloads,
      noRecordDownloads, witness, noWitness,
    ].filter(arguments.has)
    if let first = switches.first {
      if switches.count > 1 {
        throw UsageError("--\(first.long) and --\(switches[1].long) cannot be combined")
      }
      guard arguments.operands.isEmpty else { throw UsageError("--\(first.long) takes no DIR") }
      let allowed =
        first == enable ? [enable] + settings : first == status ? [status, json] : [first]
      if let other = declaration.options.first(where: { arguments.has($0) && !allowed.contains($0) }
      ) {
        throw UsageError("--\(first.long) and --\(other.long) cannot be combined")
      }
      for (on, off) in [
        (log, noLog), (recordDownloads, noRecordDownloads), (witness, noWitness),
      ]
      where arguments.has(on) && arguments.has(off) {
        throw UsageError("--\(on.long) and --\(off.long) cannot be combined")
      }
      switch first {
      case status: return WatchSwitch.tell(isJSON: arguments.has(json), console)
      case pause:
        return WatchSwitch.pause(try arguments.duration(pause) ?? 0, console)
      case resume: return WatchSwitch.pause(nil, console)
      default:
        return WatchSwitch.set(
          isOn: first == enable, keepsPause: !settings.isEmpty, console, change)
      }
    }
    if let one = ofUsers.first(where: arguments.has), !arguments.operands.isEmpty {
      throw UsageError("--\(one.long) takes no DIR")
    }
    if arguments.has(directory), let operand = arguments.operands.first {
      throw UsageError("--directory: name the directory as '\(EscapedText(operand))' is named")
    }
    if arguments.operands.isEmpty, let setting = settings.first {
      throw UsageError(
        "--\(setting.long) is a per-user setting; use it with --enable"
          + (ofUsers.contains(setting) ? "" : ", or name a DIR"))
    }
    var choice = WatchSettings()
    change(&choice)
    return try watch(arguments, choice, console)
  }

  /// What the options say of settings, each of which replaces the earlier one.
  private static func change(
    _ arguments: Arguments, _ console: Console
  ) throws(UsageError) -> (inout WatchSettings) -> Void {
    let (included, excluded) = (try patterns(arguments, include), try patterns(arguments, exclude))
    let only = try applications(arguments, onlyApp, console)
    let except = try applications(arguments, excludeApp, console)
    let directories = try directories(arguments)
    let policy = try arguments.choice(policy).flatMap { WatchPolicy(rawValue: $0) }
    return { settings in
      if arguments.has(include) { settings.include = included }
      if arguments.has(exclude) { settings.exclude = excluded }
      if arguments.has(onlyApp) { settings.applications.only = only }
      if arguments.has(excludeApp) { settings.applications.excluded = except }
      if arguments.has(directory) { settings.directories = directories }
      if let policy { settings.policy = policy }
      if arguments.has(log) { settings.isLogged = true }
      if arguments.has(noLog) { settings.isLogged = false }
      if arguments.has(recordDownloads) { settings.recordsDownloads = true }
      if arguments.has(noRecordDownloads) { settings.recordsDownloads = false }
      if arguments.has(witness) { settings.hasWitness = true }
      if arguments.has(noWitness) { settings.hasWitness = false }
    }
  }

  private static func watch(
    _ arguments: Arguments, _ choice: WatchSettings, _ console: Console
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
        directories.isEmpty ? .users : .directories(directories, choice),
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
    printer.greet(directories, seconds: seconds, isDry: arguments.has(dryRun))
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
      return WatchWorker.run(metainfo: describe, downloads: readDownloads) ? .done : .usage
    }
    if first.elementsEqual(WatchWitness.argument.utf8) {
      return WatchWitness.run(BaseDirectories.current()) ? .done : .usage
    }
    guard first.elementsEqual(SettingsScoutProcess.argument.utf8) else { return nil }
    SettingsScoutProcess.run()
    return .done
  }

  /// Has `docsource-records` read the databases of browsers, without waiting for it.
  private static func readDownloads(
    _ question: [UInt8], home: FilePath
  ) throws -> WatchWorker.DownloadAnswer {
    let process = try CompanionProgram.records.start([Array(home.bytes)], input: question)
    return { isLate in
      guard isLate else { return try process.endingSoFar()?.output }
      guard case .ended(let ending) = try process.wait(milliseconds: 0, unless: -1) else {
        throw ChildProcess.Failure(description: "\(CompanionProgram.records.name) is late")
      }
      return ending.output
    }
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

  /// The identifiers of the applications that an option names. One that is not installed may be
  /// named by its identifier.
  ///
  /// - Throws: `UsageError` for a word that means none, or several.
  private static func applications(
    _ arguments: Arguments, _ option: OptionDeclaration, _ console: Console
  ) throws(UsageError) -> [String] {
    var identifiers: [String] = []
    for word in arguments.values(option) where !word.isEmpty {
      let ending = ".desktop"
      var text = try ApplicationWord(word).text
      if text.hasSuffix(ending) { text = String(text.dropLast(ending.count)) }
      do throws(UsageError) {
        identifiers.append(try installedApplication(Array(text.utf8), console) ?? text)
      } catch {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, labels.allSatisfy(isLabel) else {
          throw UsageError("--\(option.long): \(error.message)")
        }
        identifiers.append(text)
      }
    }
    return identifiers
  }

  /// Whether a text may stand between dots in the identifier of an application.
  private static func isLabel(_ label: Substring) -> Bool {
    !label.isEmpty
      && label.unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || "-_+@".unicodeScalars.contains(scalar)
      }
  }

  /// The directories that are to be watched besides, as `WatchSettings` has them.
  ///
  /// - Throws: `UsageError` for what is no directory, or is not to be watched for this user.
  private static func directories(_ arguments: Arguments) throws(UsageError) -> [String] {
    let home = BaseDirectories.current().home.flatMap(\.realPath)
    var directories: [String] = []
    for word in arguments.values(directory) where !word.isEmpty {
      let shown = EscapedText(word)
      let typed = word.starts(with: Array("~/".utf8)) || word == Array("~".utf8)
      let named = typed ? home.map { Array($0.bytes) + word.dropFirst() } ?? word : word
      guard let path = FilePath(bytes: named), let real = path.realPath,
        TreeEntry.Kind(of: real, links: .follow) == .directory
      else { throw UsageError("--directory: '\(shown)' is not a directory") }
      guard WatchRoster.mayBeWatched(real) else {
        throw UsageError(
          "--directory: '\(shown)' is neither below your home directory nor yours")
      }
      guard let text = String(validating: real.bytes, as: UTF8.self) else {
        throw UsageError("--directory: '\(shown)' is not UTF-8")
      }
      guard let home = home.flatMap({ String(validating: $0.bytes, as: UTF8.self) }) else {
        directories.append(text)
        continue
      }
      directories.append(
        text == home
          ? "." : text.hasPrefix("\(home)/") ? String(text.dropFirst(home.count + 1)) : text)
    }
    return directories
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
