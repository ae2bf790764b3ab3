internal import LinuxSystem
internal import Xattr

/// What a command line runs, be it an `Exec` line's or a process's.
enum Program: Hashable {
  /// A path, or a name that is looked for in `PATH`.
  case executable(String)
  /// What an interpreter runs: a file, or a module by its name.
  case script(String)
  /// An application in its sandbox, by its identifier.
  case flatpak(String)
  case snap(String)

  /// - Parameter words: those of an `Exec` line; the first is the program's name or path.
  /// - Returns: the program and the words that stand behind it; `nil` where it cannot be told.
  static func of(_ words: [String]) -> (program: Program, arguments: [String])? {
    var rest = words[...]
    // A wrapper may wrap another.
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
  ///   - executable: its path.
  ///   - arguments: its command line, its own name first.
  static func of(
    executable: String, _ arguments: [String]
  ) -> (program: Program, arguments: [String]) {
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

  /// Programs that run the rest of their command line, with their options that take a value.
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

  /// env(1): options and assignments.
  private static func dropEnvironment(_ rest: inout ArraySlice<String>) {
    dropOptions(&rest, withValue: ["-u", "--unset", "-C", "--chdir"])
    while let word = rest.first, word.contains("=") { rest.removeFirst() }
  }

  /// The first word that is no option, or what the option says that stands for it.
  private static func script(
    _ rest: inout ArraySlice<String>
  ) -> (program: Program, arguments: [String])? {
    while let word = rest.popFirst() {
      switch word {
      // A module of Python's; a file of Java's.
      case "-m", "-jar":
        guard let name = rest.popFirst() else { return nil }
        return (.script(word == "-m" ? "-m \(name)" : name), Array(rest))
      // Text that is a program, which is no file, or a class.
      case "-c", "-e", "-cp", "-classpath", "-": return nil
      case "-W", "-X", "-I", "-r": _ = rest.popFirst()
      default:
        if !word.hasPrefix("-") { return (.script(word), Array(rest)) }
      }
    }
    return nil
  }

  /// The words of a shell's line that does nothing but run a program.
  private static func simpleWords(_ line: String) -> [String]? {
    guard !line.contains(where: { "|&;<>()$`'\"\\*?[]{}~#!\n".contains($0) }) else { return nil }
    let words = line.split(separator: " ").map(String.init)
    return words.first == "exec" ? Array(words.dropFirst()) : words
  }
}

/// The words of an `Exec` line, by the Desktop Entry Specification, "the Exec key".
struct ExecLine {
  /// Longer than any line is, in bytes.
  private static let limit = 4096

  /// Field codes such as `%U` are left out. Of a line that is too long there are none.
  let words: [String]

  /// - Parameter line: with the escapes of the specification's strings undone.
  init(_ line: String) {
    var words: [String] = []
    // Quotes make a word even of nothing.
    var word: String?
    var isQuoted = false
    var rest = line.utf8.count <= Self.limit ? line[...] : ""
    while let character = rest.popFirst() {
      switch character {
      case "\"": (isQuoted, word) = (!isQuoted, word ?? "")
      case "\\" where isQuoted:
        if let escaped = rest.popFirst() { word = (word ?? "") + String(escaped) }
      case _ where !isQuoted && character.isWhitespace:
        if let word { words.append(word) }
        word = nil
      case "%" where !isQuoted:
        if rest.popFirst() == "%" { word = (word ?? "") + "%" }
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    self.words = words
  }
}
