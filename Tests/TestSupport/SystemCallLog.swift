import Foundation

/// What a power cut may leave of a program's work, by its system calls.
///
/// The order is the weakest that POSIX allows, as ALICE has it (Pillai et al., OSDI 2014): before
/// fsync(2) of a file its content may be missing or in part there, and before fsync(2) of a
/// directory any of the changes to its names may be missing.
package struct SystemCallLog {
  /// What a name may stand for after a cut.
  package enum State: Hashable {
    case absent
    case old
    /// The whole of a file that the program made.
    case new
    /// A part of what was written, or nothing of it, or the old content changed in place.
    case torn
  }

  /// A file, under whatever names.
  private final class File {
    let isNew: Bool
    var isDirty = false

    init(isNew: Bool) { self.isNew = isNew }

    var states: Set<State> { isDirty ? [.torn] : [isNew ? .new : .old] }
  }

  /// How the calls of interest are chosen for strace(1).
  private static let calls =
    "openat,openat2,open,creat,close,write,writev,pwrite64,ftruncate,fallocate,fsync,fdatasync,"
    + "rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir"

  /// The states of the watched path: one set before the first call and one after each.
  package private(set) var states: [Set<State>] = []
  /// Those calls that changed something, by name, with their number among those of that name from 1.
  package private(set) var changes: [(call: String, number: Int)] = []

  private let watched: String
  /// What a path stood for when its directory was last synced, and each change since.
  private var names: [String: [File?]] = [:]
  private var open: [String: File] = [:]
  private var directories: [String: String] = [:]
  private var counts: [String: Int] = [:]
  /// Whose call is being read: descriptors are numbered by process.
  private var process: Substring = ""

  /// Runs a program and follows what it does to one path.
  package init(
    of command: [String], in directory: String, watching path: String,
    environment: [String: String] = [:]
  ) throws {
    watched = path
    let scratch = try TemporaryDirectory()
    let trace = scratch.path("trace")
    if FileManager.default.fileExists(atPath: path) { names[path] = [File(isNew: false)] }
    let strace = ["strace", "-f", "-qq", "-y", "-s", "256", "-o", trace]
    let run = try Execution.run(
      strace + ["-e", "trace=\(Self.calls)"] + command, in: directory, environment: environment)
    guard run.status == 0 else { throw Failed(errors: run.errors) }
    note()
    for line in try scratch.text("trace").split(separator: "\n") { read(line) }
  }

  package struct Failed: Error { let errors: String }

  private mutating func note() {
    states.append(
      (names[watched] ?? [nil]).reduce(into: []) { all, file in
        all.formUnion(file?.states ?? [.absent])
      })
    // Directories that were made on the way may be missing, too.
    for (path, files) in names
    where watched.hasPrefix(path + "/") && files.contains(where: { $0 == nil }) {
      states[states.count - 1].insert(.absent)
    }
  }

  /// A line has the form `PID name(3</path>, "text", FLAGS) = 4</path>`.
  private mutating func read(_ line: Substring) {
    guard let space = line.firstIndex(of: " "), let bracket = line.firstIndex(of: "("),
      let end = line.range(of: ") = ", options: .backwards)
    else { return }
    process = line[..<space]
    let call = String(line[line.index(after: space)..<bracket].drop { $0 == " " })
    counts[call, default: 0] += 1
    guard line[end.upperBound...].first != "-" else { return }
    let arguments = line[line.index(after: bracket)..<end.lowerBound].components(separatedBy: ", ")
    let before = (names.mapValues(\.count), open.mapValues(\.isDirty))
    perform(call, arguments, String(line[end.upperBound...]))
    let after = (names.mapValues(\.count), open.mapValues(\.isDirty))
    if before != after { changes.append((call, counts[call] ?? 1)) }
    note()
  }

  private mutating func perform(_ call: String, _ arguments: [String], _ result: String) {
    switch call {
    case "openat", "openat2", "open", "creat":
      guard let path = Self.place(result) else { return }
      let key = number(result)
      if arguments.contains(where: { $0.contains("O_DIRECTORY") && !$0.contains("O_TMPFILE") }) {
        directories[key] = path
      } else if arguments.contains(where: { $0.contains("O_TMPFILE") }) {
        open[key] = File(isNew: true)
      } else if let file = names[path]?.last ?? nil {
        open[key] = file
      } else if arguments.contains(where: { $0.contains("O_CREAT") }) {
        let file = File(isNew: true)
        names[path, default: [nil]].append(file)
        open[key] = file
      }
    case "close":
      open[number(arguments[0])] = nil
      directories[number(arguments[0])] = nil
    case "write", "writev", "pwrite64", "ftruncate", "fallocate":
      open[number(arguments[0])]?.isDirty = true
    case "fsync", "fdatasync":
      let key = number(arguments[0])
      open[key]?.isDirty = false
      if let directory = directories[key] { settle(directory) }
    case "rename": move(Self.text(arguments[0]), Self.text(arguments[1]))
    case "renameat", "renameat2":
      move(Self.path(arguments[0], arguments[1]), Self.path(arguments[2], arguments[3]))
    case "linkat":
      let from = Self.path(arguments[0], arguments[1])
      let last = (from as NSString).lastPathComponent
      let file = from.hasPrefix("/proc/self/fd/") ? open[number(last)] : names[from]?.last ?? nil
      names[Self.path(arguments[2], arguments[3]), default: [nil]].append(file)
    case "unlink": names[Self.text(arguments[0]), default: [nil]].append(nil)
    case "unlinkat":
      names[Self.path(arguments[0], arguments[1]), default: [nil]].append(nil)
    case "mkdir":
      let path = Self.text(arguments[0])
      let name = path.hasSuffix("/") ? String(path.dropLast()) : path
      names[name, default: [nil]].append(File(isNew: true))
    default: break
    }
  }

  private mutating func move(_ from: String, _ to: String) {
    let file = names[from]?.last ?? nil
    names[to, default: [nil]].append(file)
    names[from, default: [nil]].append(nil)
  }

  /// The names in a directory stand for what they stood for last.
  private mutating func settle(_ directory: String) {
    for (path, files) in names
    where (path as NSString).deletingLastPathComponent == directory {
      names[path] = Array(files.suffix(1))
    }
  }

  private func number(_ argument: String) -> String {
    "\(process):" + argument.prefix { $0 != "<" && $0 != " " }
  }

  /// The path that strace tells of a descriptor.
  private static func place(_ argument: String) -> String? {
    guard let start = argument.firstIndex(of: "<"), let end = argument.lastIndex(of: ">") else {
      return nil
    }
    return String(argument[argument.index(after: start)..<end])
  }

  private static func text(_ argument: String) -> String {
    argument.trimmingCharacters(in: CharacterSet(charactersIn: "\"."))
  }

  private static func path(_ directory: String, _ name: String) -> String {
    let name = String(name.dropFirst().prefix { $0 != "\"" })
    if name.hasPrefix("/") { return name }
    return "\(place(directory) ?? "")/\(name)"
  }
}
