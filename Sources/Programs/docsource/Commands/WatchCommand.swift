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
    "enable", help: "switch it on for you, with the settings that are given")
  private static let disable = OptionDeclaration("disable", help: "switch it off for you")
  private static let status = OptionDeclaration(
    "status", help: "tell whether it is on for you and the service runs")
  private static let include = OptionDeclaration(
    "include", value: "GLOB", repeats: true,
    help: "only files whose name, or with a / in it path, matches")
  private static let exclude = OptionDeclaration(
    "exclude", value: "GLOB", repeats: true, help: "no files whose name or path matches")
  private static let policy = OptionDeclaration(
    "policy", value: "POLICY", choices: WatchPolicy.allCases.map(\.rawValue),
    help: "what becomes of a source that is there")
  private static let mount = OptionDeclaration(
    "mount", help: "watch single mounts, not whole file systems")
  private static let once = OptionDeclaration(
    "once", value: "SECONDS", help: "stop after that time")
  private static let dryRun = OptionDeclaration(
    "dry-run", short: "n", help: "write nothing, tell what would be written")
  private static let json = OptionDeclaration("json", help: "print one JSON object a line")
  private static let verbose = OptionDeclaration(
    "verbose", short: "v", help: "tell of files that are not tagged, too")
  private static let quiet = OptionDeclaration("quiet", short: "q", help: "tell of no single file")

  static let verb = "watch"
  static let declaration = CommandDeclaration(
    name: verb, summary: "tag new documents with the application that wrote them",
    operands: "[DIR...]",
    details: """
      Watches Desktop, Documents, Downloads, Music, Pictures and Videos of the users who have
      switched it on, or each DIR for its owner. A source that is there is kept. The service
      docsource-watch runs it; it needs CAP_SYS_ADMIN.
      """,
    options: [
      enable, disable, status, include, exclude, policy, mount, once, dryRun, json, verbose, quiet,
    ],
    examples: [
      "docsource watch --enable --exclude '*.log'", "docsource watch -n --once 60 ~/Documents",
    ],
    manual: manual)

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let globs = try globs(arguments)
    let policy = try arguments.choice(policy).flatMap { WatchPolicy(rawValue: $0) }
    let switches = [enable, disable, status].filter(arguments.has)
    let settings = [include, exclude, Self.policy].filter(arguments.has)
    if let change = switches.first {
      if switches.count > 1 {
        throw UsageError("--\(change.long) and --\(switches[1].long) exclude each other")
      }
      guard arguments.operands.isEmpty else { throw UsageError("--\(change.long) takes no DIR") }
      let allowed =
        change == enable ? [enable] + settings : change == status ? [status, json] : [change]
      if let other = declaration.options.first(where: { arguments.has($0) && !allowed.contains($0) }
      ) {
        throw UsageError("--\(change.long) and --\(other.long) exclude each other")
      }
      if change == status { return WatchSwitch.tell(isJSON: arguments.has(json), console) }
      return WatchSwitch.set(isOn: change == enable, console) { settings in
        if arguments.has(include) { settings.include = texts(arguments, include) }
        if arguments.has(exclude) { settings.exclude = texts(arguments, exclude) }
        if let policy { settings.policy = policy }
      }
    }
    if arguments.operands.isEmpty, let setting = settings.first {
      throw UsageError("--\(setting.long) is each user's own: it goes with --enable or a DIR")
    }
    return try watch(arguments, globs, policy ?? .keep, console)
  }

  private static func watch(
    _ arguments: Arguments, _ globs: WatchGlobs, _ policy: WatchPolicy, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let styles = [json, verbose, quiet].filter(arguments.has)
    if styles.count > 1 {
      throw UsageError("--\(styles[0].long) and --\(styles[1].long) exclude each other")
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
        directories.isEmpty ? .users : .directories(directories, globs, policy),
        arguments.has(mount) ? .mount : .fileSystem, arguments.has(dryRun) ? .dryRun : .tag,
        isService: isService, printer.report, metainfo: describe)
    } catch {
      printer.say(refusal(error))
      return .failed
    }
    if !directories.isEmpty, !loop.hasUsers {
      for flaw in loop.flaws { console.report(flaw.path.bytes, flaw.reason) }
      return .failed
    }
    let isDone = loop.run(for: seconds.map { $0 * 1000 })
    // A service that was stopped has done its work, whatever happened to single files.
    return isService || isDone ? .done : .failed
  }

  /// Longer than `docsource-xml` gives itself, in milliseconds: nothing is watched meanwhile.
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
      else { throw ChildProcess.Failure(description: "\(name) is of another version") }
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
      "watch: the kernel tells who writes only to those with CAP_SYS_ADMIN; switch it on for you"
        + " with 'docsource watch --enable', and have an administrator start the service with"
        + " 'systemctl enable --now docsource-watch'"
    case .invalidArgument: "watch: it needs Linux 5.15 or later, whose events name the writer"
    case .noFunction: "watch: this kernel was built without fanotify"
    default: "watch: cannot ask the kernel who writes: \(errno.description.lowercased())"
    }
  }

  private static func globs(_ arguments: Arguments) throws(UsageError) -> WatchGlobs {
    for option in [include, exclude] {
      for pattern in arguments.values(option) {
        guard String(validating: pattern, as: UTF8.self) != nil else {
          throw UsageError("--\(option.long): '\(EscapedText(pattern))' is not UTF-8")
        }
        _ = try Glob(typed: pattern, .kept, label: "--\(option.long): ")
      }
    }
    do throws(GlobFlaw) {
      return try WatchGlobs(
        include: texts(arguments, include), exclude: texts(arguments, exclude))
    } catch {
      throw UsageError("\(error)")
    }
  }

  private static func texts(_ arguments: Arguments, _ option: OptionDeclaration) -> [String] {
    arguments.values(option).map { String(decoding: $0, as: UTF8.self) }.filter { !$0.isEmpty }
  }

  private static let manual = ManualText(
    """
    The kernel tells who has written a file, and the desktop which application a process belongs to:
    by the sandbox of flatpak, the unit that snap or systemd has put it in, what GIO has left to the
    process that it started, or its program, where that is a desktop file's; else by the processes
    that it descends from, up to a shell in a terminal. Shells, programs that copy, command-line
    tools, compilers, version control, file managers, terminals and services are no applications. A
    writer that is gone before it could be looked at is unknown; nothing is guessed.

    The attribute gets the desktop file's identifier, the application's name, the URL that your own
    list has for it, and the file's path below the home directory, or below the directory where that
    is elsewhere. A file that is renamed within half a second, as many editors do when they save,
    gets its new path; one whose name is hidden until then is tagged if it is renamed within three
    seconds. Of many files that are written at once all but the first are tagged after half a
    second. Nothing else of the file changes but its ctime, and no writer waits. A file that is to
    be looked at again is open until then, and its file system cannot be unmounted.

    Passed over are hidden files and what is in hidden directories, caches (by their names, or
    marked by a file CACHEDIR.TAG) and version control's, and files of others than the owner of the
    directory. Users are those of /etc/passwd: other lists of users need not say whom they have. A
    file counts where its writer has it: what is written by another path, through another mount of
    the same files, as in a container, is not in your directories. Files that are written through
    the document portal's own file system, as sandboxed applications do, are the portal's, what
    other machines write into a network file system is not seen, and a file system that a user has
    mounted for nobody else (FUSE) cannot be watched.

    The GLOB is that of docsource-find(1). Without a slash in it, it must match the file's name,
    else its path below the home directory. With --enable they replace those that were given before,
    an empty one all of them, and so does --policy: keep leaves a source as it is, whoever writes
    the file, last replaces it.

    Where the service runs, it reads a change of the settings within five seconds, or at once on
    SIGHUP; SIGTERM ends it. New mounts are watched by themselves. If files are written faster than
    they can be looked at for long, the kernel's queue is full and events are lost. That is counted
    and said, and then how many files changed meanwhile that have no source; who wrote them nobody
    can tell. What is written while it does not run, or half a second before it is killed, is not
    tagged. With --mount whatever is written through another mount is not seen by the same path
    either, as from the sandbox of a flatpak.

    With --json the members are event (tagged, would-tag, renamed, kept, none, unknown, failed,
    overflow or missed, which has a number of files), file, and fileBase64 where the path is not
    UTF-8, writer, the process, and those of docsource-show(1) where something is written; reason
    with none, error with failed.
    """,
    exitStatus: [
      .done: "It was stopped, or its time is over; with --status, watching is on.",
      .noSource: "With --status: watching is off.",
      .failed: "Some directory could not be watched, or some file not be tagged.",
    ],
    environment: [
      ManualText.Entry(
        "XDG_CONFIG_HOME", "Where your settings are; the service looks into ~/.config."),
      ManualText.Entry("JOURNAL_STREAM", "Where it is standard error, lines have a priority."),
    ],
    files: [
      ManualText.Entry("$XDG_CONFIG_HOME/docsource/watch.json", "Your settings."),
      ManualText.Entry("~/.config/user-dirs.dirs", "Where your directories are."),
      ManualText.Entry("/run/docsource/watch.json", "What the service has counted."),
    ],
    seeAlso: [
      "docsource-apps(1)", "docsource-show(1)", "capabilities(7)", "fanotify(7)", "systemctl(1)",
    ])
}
