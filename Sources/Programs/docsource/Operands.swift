import CommandLineInterface
import FileTree
import LinuxSystem

/// The files a command line names, and with `--recursive` what is below them.
struct Operands {
  static let recursive = OptionDeclaration(
    "recursive", short: "r", help: "work on all below directories; follow no links")
  static let noDereference = OptionDeclaration(
    "no-dereference", help: "act on a symbolic link itself")

  /// A file to work on.
  struct Operand: Sendable {
    let file: FileReference
    /// What it is; known only in recursive work.
    let kind: TreeEntry.Kind?
    /// What the user named: the file itself, or the directory whose walk met it.
    let named: NamedPath
    /// Whether it was met on a walk rather than named by the user.
    let isFound: Bool

    var isWalkedDirectory: Bool { kind == .directory }

    /// Whether lacking a source is nothing to mention: files without one are the rule on a walk,
    /// and a directory that is walked stands for what is in it.
    var mayLackSource: Bool { isFound || isWalkedDirectory }

    var path: FilePath { file.path }

    /// The names that lead from what the user named to the file.
    var componentsBelow: [ArraySlice<UInt8>] {
      path.bytes.dropFirst(named.path.bytes.count).split(separator: UInt8(ascii: "/"))
    }
  }

  let paths: [FilePath]
  let links: Links
  let isRecursive: Bool

  /// - Throws: `UsageError` where there is none.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard !arguments.operands.isEmpty else { throw UsageError("no file given") }
    paths = arguments.operands.compactMap { FilePath(bytes: $0) }
    links = arguments.has(Self.noDereference) ? .noFollow : .follow
    isRecursive = arguments.has(Self.recursive)
  }

  /// Whether more than one file may come of it.
  var areSeveral: Bool { paths.count > 1 || isRecursive }

  /// Calls `body` with each file in turn; a directory that cannot be read is reported.
  ///
  /// - Returns: the gravest status.
  func forEach(_ console: Console, _ body: (Operand) -> ExitStatus) -> ExitStatus {
    var status = ExitStatus.done
    for path in paths {
      let kind = isRecursive ? TreeEntry.Kind(of: path, links: links) : nil
      let named = NamedPath(path, links: links)
      let operand = Operand(
        file: .path(path, links: links), kind: kind, named: named, isFound: false)
      status = status.combined(with: body(operand))
      guard kind == .directory else { continue }
      do throws(TreeFailure) {
        try TreeWalk.walk(below: path, links: links) { entry in
          if case .other = entry.kind { return }
          let found = Operand(file: entry.file, kind: entry.kind, named: named, isFound: true)
          status = status.combined(with: body(found))
        } failed: { failure in
          status = status.combined(with: report(failure, console))
        }
      } catch {
        status = status.combined(with: report(error, console))
      }
    }
    return status
  }

  private func report(_ failure: TreeFailure, _ console: Console) -> ExitStatus {
    console.report(failure.path.bytes, "cannot read the directory: \(failure.reason)")
    return .failed
  }
}
