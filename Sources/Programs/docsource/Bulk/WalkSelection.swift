import CommandLineInterface
import FileTree
import TextFormats

/// Which entries of a tree a verb meets: how far it goes down, and what it leaves out.
struct WalkSelection: Sendable {
  /// What a verb does unless an option says otherwise.
  struct Defaults {
    let hidden: WalkOptions.Hidden
    /// Of files and directories, never other kinds.
    let kinds: WalkOptions.Kinds
  }

  static let maximumDepth = OptionDeclaration(
    "max-depth", short: "d", value: "N", help: "go N levels down at most; 0 is none")
  static let oneFileSystem = OptionDeclaration(
    "one-file-system", help: "do not go into other file systems")
  static let type = OptionDeclaration(
    "type", short: "t", value: "TYPE", choices: ["f", "d"], help: "files or directories alone")
  static let hidden = OptionDeclaration(
    "hidden", short: "H", help: "also what begins with a period")
  static let noHidden = OptionDeclaration("no-hidden", help: "leave out what begins with a period")
  static let threads = OptionDeclaration(
    "threads", short: "j", value: "N", help: "work on N files at a time")

  /// The most threads that may be asked for.
  private static let mostThreads = 256

  var options: WalkOptions
  let workers: Int

  /// - Throws: `UsageError` for a value that makes no sense.
  init(_ arguments: ParsedArguments, _ defaults: Defaults) throws(UsageError) {
    var types: WalkOptions.Kinds = []
    for value in arguments.values(Self.type) {
      switch value {
      case Array("f".utf8): types.insert(.files)
      case Array("d".utf8): types.insert(.directories)
      default:
        throw UsageError("--type: no such value '\(EscapedText(value))'; it takes f, d")
      }
    }
    var hidden = defaults.hidden
    if arguments.has(Self.hidden) { hidden = .visited }
    if arguments.has(Self.noHidden) { hidden = .leftOut }
    options = WalkOptions(
      maximumDepth: try arguments.number(Self.maximumDepth, in: 0...(.max)), hidden: hidden,
      mounts: arguments.has(Self.oneFileSystem) ? .leftOut : .walked,
      cancellation: WalkCancellation(), kinds: types.isEmpty ? defaults.kinds : types)
    workers =
      try arguments.number(Self.threads, in: 1...Self.mostThreads) ?? TreeWalk.usualWorkers
  }

  /// Whether entries of a kind are met.
  func takes(_ kind: TreeEntry.Kind) -> Bool { options.kinds.contains(kind) }
}
