internal import LinuxSystem
internal import Xattr

/// What the command line of an `Exec` line or of a process runs.
enum CommandTarget: Hashable {
  /// By its path, or by a name to be found in `PATH`.
  case executable(String)
  /// A file that an interpreter runs, or `-m` and the name of a module.
  case script(String)
  /// A sandboxed application, by its identifier.
  case flatpak(String)
  case snap(String)

  /// What an `Exec` line runs.
  ///
  /// - Parameter words: the program's name or path first.
  /// - Returns: the target and the words after it; `nil` if the line does not tell.
  static func of(_ words: [String]) -> (target: CommandTarget, arguments: [String])? {
    var rest = words[...]
    // A wrapper may run another wrapper.
    for _ in 0..<8 {
      guard let first = rest.popFirst(), !first.isEmpty else { return nil }
      let name = lastComponent(first)
      switch name {
      case "env": dropEnvironment(&rest)
      case "sh", "bash", "dash":
        guard rest.first == "-c" else {
          return rest.isEmpty ? nil : script(&rest)
        }
        guard let line = rest.dropFirst().first, let words = simpleWords(line) else { return nil }
        rest = words[...]
      case "flatpak", "snap":
        guard rest.popFirst() == "run" else { return nil }
        dropOptions(&rest, withValue: [])
        guard let application = rest.popFirst() else { return nil }
        return (name == "snap" ? .snap(application) : .flatpak(application), Array(rest))
      default:
        if let options = wrappers[name] {
          dropOptions(&rest, withValue: options)
          continue
        }
        if PlainProgram.isInterpreter(Array(name.utf8)[...]) { return script(&rest) }
        return (.executable(first), Array(rest))
      }
    }
    return nil
  }

  /// What a process runs.
  ///
  /// - Parameters:
  ///   - executable: the path of its program.
  ///   - arguments: its command line, the program's name first.
  static func of(
    executable: String, _ arguments: [String]
  ) -> (target: CommandTarget, arguments: [String]) {
    let arguments = Array(arguments.dropFirst())
    guard PlainProgram.isInterpreter(Array(lastComponent(executable).utf8)[...]) else {
      return (.executable(executable), arguments)
    }
    var rest = arguments[...]
    return script(&rest) ?? (.executable(executable), arguments)
  }

  static func lastComponent(_ path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map {
      String(path[path.utf8.index(after: $0)...])
    } ?? path
  }

  /// Programs that run the rest of their command line, each with its options that take a value.
  private static let wrappers: [String: Set<String>] = [
    "nice": ["-n"], "ionice": ["-c", "-n"], "nohup": [], "setsid": [],
    "stdbuf": ["-i", "-o", "-e"],
    "pkexec": ["--user"], "sudo": ["-u", "-g"], "gksu": ["-u"], "kdesu": ["-u"], "time": [],
    "dbus-run-session": [], "dbus-launch": [], "firejail": [], "gamemoderun": [], "optirun": [],
    "primusrun": [], "prime-run": [], "padsp": [], "apulse": [], "systemd-inhibit": [],
    "exo-open": [], "uwsm-app": [],
  ]

  private static func dropOptions(
    _ rest: inout ArraySlice<String>, withValue options: Set<String>
  ) {
    while let word = rest.first, word.hasPrefix("-") {
      rest.removeFirst()
      if word == "--" { return }
      if options.contains(word) { _ = rest.popFirst() }
    }
  }

  /// Drops the options and assignments of env(1).
  private static func dropEnvironment(_ rest: inout ArraySlice<String>) {
    dropOptions(&rest, withValue: ["-u", "--unset", "-C", "--chdir"])
    while let word = rest.first, word.contains("=") { rest.removeFirst() }
  }

  /// What an interpreter runs: the first word that is no option, or the value of `-m` or `-jar`.
  private static func script(
    _ rest: inout ArraySlice<String>
  ) -> (target: CommandTarget, arguments: [String])? {
    while let word = rest.popFirst() {
      switch word {
      // Python's modules, and Java's files.
      case "-m", "-jar":
        guard let name = rest.popFirst() else { return nil }
        return (.script(word == "-m" ? "-m \(name)" : name), Array(rest))
      // A program given as text, which is no file, or a Java class.
      case "-c", "-e", "-cp", "-classpath", "-": return nil
      case "-W", "-X", "-I", "-r": _ = rest.popFirst()
      default:
        if !word.hasPrefix("-") { return (.script(word), Array(rest)) }
      }
    }
    return nil
  }

  /// The words of a shell's command line; `nil` if it does more than run one program.
  private static func simpleWords(_ line: String) -> [String]? {
    guard !line.contains(where: { "|&;<>()$`'\"\\*?[]{}~#!\n".contains($0) }) else { return nil }
    let words = line.split(separator: " ").map(String.init)
    return words.first == "exec" ? Array(words.dropFirst()) : words
  }
}
