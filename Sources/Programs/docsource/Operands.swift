import CommandLineInterface
import DocumentSource
import FileTree
import Glibc
import LinuxSystem
import Synchronization

/// The files that a command line names. What stands below them, with `--recursive`, is met by
/// `BulkWalk`.
struct Operands {
  static let recursive = OptionDeclaration(
    "recursive", short: "r", help: "process directories recursively; follow no links")
  static let noDereference = OptionDeclaration(
    "no-dereference", help: "act on symbolic links, not on their targets")

  /// A file to work on.
  struct Operand: Sendable {
    let file: FileReference
    /// The file's kind; looked up only in recursive work.
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
  init(_ arguments: Arguments) throws(UsageError) {
    guard !arguments.operands.isEmpty else { throw UsageError("no file given") }
    paths = arguments.operands.compactMap { FilePath(bytes: $0) }
    links = arguments.has(Self.noDereference) ? .noFollow : .follow
    isRecursive = arguments.has(Self.recursive)
  }

  /// How many files may come of a command line.
  static func count(of arguments: Arguments) -> Int {
    arguments.has(recursive) ? .max : arguments.operands.count
  }

  /// Whether more than one file may come of it.
  var areSeveral: Bool { paths.count > 1 || isRecursive }

  /// How many files a thread works on at a time.
  private static let piece = 64

  /// Whether several threads are worth their start.
  var areMany: Bool { paths.count >= 2 * Self.piece }

  /// Calls `body` with each named file, on several threads. What it prints stands in the order of the
  /// files.
  ///
  /// - Returns: the gravest status.
  func run(
    _ console: Console, workers: Int,
    _ body: @escaping @Sendable (Operand, Console) -> ExitStatus
  ) -> ExitStatus {
    run(console, workers: workers, from: ()) { operand, console, _ in body(operand, console) }
  }

  /// The same, where what was met before makes a difference.
  ///
  /// - Parameter start: what `body` gets with the first file of those that are worked on in one piece.
  func run<State: Sendable>(
    _ console: Console, workers: Int, from start: State,
    _ body: @escaping @Sendable (Operand, Console, inout State) -> ExitStatus
  ) -> ExitStatus {
    let consoles = SharedConsole(console)
    var status = ExitStatus.done
    ParallelBatch.forEach(paths.count, inPiecesOf: Self.piece, workers: workers) { range in
      let held = HeldConsole(consoles)
      var state = start
      let status = paths[range].reduce(ExitStatus.done) { status, path in
        status.combined(with: body(operand(path), held.console, &state))
      }
      return (status: status, words: held.finish())
    } done: { piece in
      console.passOn(piece.words)
      status = status.combined(with: piece.status)
      return console.output.failure == nil
    }
    return status
  }

  private func operand(_ path: FilePath) -> Operand {
    Operand(
      file: .path(path, links: links), kind: nil, named: NamedPath(path, links: links),
      isFound: false)
  }

  /// Calls `body` with each named file in turn.
  ///
  /// - Returns: the gravest status.
  func run(_ body: (Operand) -> ExitStatus) -> ExitStatus {
    paths.reduce(.done) { status, path in
      status.combined(with: body(operand(path)))
    }
  }
}

/// A path that the user named, and where it really is.
final class NamedPath: Sendable {
  let path: FilePath
  let links: Links

  /// The real path's components, without links, `.` or `..`; `nil` if the path does not exist. A
  /// link that is not followed keeps its name.
  ///
  /// The real path is looked up once: files met on a walk below are named relative to it, so that a
  /// component swapped for a link meanwhile cannot change what is recorded.
  var realComponents: [ArraySlice<UInt8>]? {
    known.withLock { known in
      if let known { return known.components }
      let answer = Answer(components: findRealComponents())
      known = answer
      return answer.components
    }
  }

  /// A class, since the runtime would prepare the release of an array at each start of the tool.
  private final class Answer: Sendable {
    let components: [ArraySlice<UInt8>]?

    init(components: [ArraySlice<UInt8>]?) { self.components = components }
  }

  private let known = Mutex<Answer?>(nil)

  init(_ path: FilePath, links: Links) {
    self.path = path
    self.links = links
  }

  private func findRealComponents() -> [ArraySlice<UInt8>]? {
    let name = path.lastComponent
    guard links == .noFollow, isLink else { return Self.realComponents(path) }
    let lead = path.bytes[..<name.startIndex]
    let directory = lead.isEmpty ? FilePath(".") : FilePath(bytes: lead)
    return directory.flatMap(Self.realComponents).map { $0 + [name] }
  }

  private var isLink: Bool {
    var status = stat()
    let result = unsafe path.withCString { unsafe lstat($0, &status) }
    return result == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  static func realComponents(_ path: FilePath) -> [ArraySlice<UInt8>]? {
    path.realPath?.bytes.split(separator: UInt8(ascii: "/"))
  }
}

/// The directory below which `--root` takes the paths of documents.
final class RootDirectory: Sendable {
  private let components: [ArraySlice<UInt8>]
  /// The named path that was asked about last, and its path below the root.
  private let last = Mutex<(named: NamedPath, path: [UInt8]?)?>(nil)

  /// - Returns: `nil` if there is no such directory.
  init?(_ path: FilePath) {
    guard TreeEntry.Kind(of: path, links: .follow) == .directory,
      let components = NamedPath.realComponents(path)
    else { return nil }
    self.components = components
  }

  /// The path of a file below the root, in the UTF-8 that the attribute needs.
  ///
  /// Where a link is followed, the path of its target is returned.
  ///
  /// - Throws: `DocumentSourceError` where the file is not below the root, or its path is not UTF-8.
  func pathBelow(of operand: Operands.Operand) throws(DocumentSourceError) -> String {
    let below = try bytesBelow(of: operand)
    guard let text = String(validating: below, as: UTF8.self) else {
      throw DocumentSourceError(
        writing: operand.path,
        "the path is not UTF-8, which the attribute requires; give --document")
    }
    return text
  }

  private func bytesBelow(of operand: Operands.Operand) throws(DocumentSourceError) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    if let named = path(of: operand.named) {
      let rest = operand.path.bytes.dropFirst(operand.named.path.bytes.count).drop { $0 == slash }
      if rest.isEmpty, !named.isEmpty { return named }
      if !rest.isEmpty { return named.isEmpty ? Array(rest) : named + [slash] + rest }
    }
    guard let named = operand.named.realComponents else {
      throw DocumentSourceError(
        writing: operand.path, "no such file, or a directory of the path is not searchable")
    }
    guard let names = names(below: named + operand.componentsBelow), !names.isEmpty else {
      throw DocumentSourceError(
        writing: operand.path, "the file is not below the --root directory")
    }
    return Array(names.joined(separator: CollectionOfOne(slash)))
  }

  /// The path of a named file below the root, empty for the root itself; `nil` if the file is
  /// not below the root.
  ///
  /// The path is worked out once for all files of a walk.
  private func path(of named: NamedPath) -> [UInt8]? {
    last.withLock { last in
      if let last, last.named === named { return last.path }
      let names = named.realComponents.flatMap { self.names(below: $0) }
      let path = names.map { Array($0.joined(separator: CollectionOfOne(UInt8(ascii: "/")))) }
      last = (named, path)
      return path
    }
  }

  /// The names that lead from the root to a file with these components, none to the root itself;
  /// `nil` if the file is not below the root.
  func names(below all: [ArraySlice<UInt8>]) -> ArraySlice<ArraySlice<UInt8>>? {
    guard all.starts(with: components, by: { $0.elementsEqual($1) }) else { return nil }
    return all.dropFirst(components.count)
  }
}

extension Operands.Operand {
  /// An entry that was met on a walk.
  init(_ entry: borrowing TreeEntry, _ named: NamedPath) {
    self.init(file: entry.file, kind: entry.kind, named: named, isFound: true)
  }
}
