import CommandLineInterface
import CompanionProtocol
import ForeignFormats
import Glibc
import LinuxSystem
import Synchronization
import TextFormats

/// What repositories of git record of files in their work trees, read by `docsource-repositories`: for single
/// files, for the directory of the second file of it, or for what is below whole trees at once. Of files that
/// are in no work tree, nothing is asked.
final class RepositorySearch: Sendable {
  private struct State {
    var places = WorkTreePlaces()
    /// What has been read, by the work trees.
    var repositories: [[UInt8]: ReadRepository] = [:]
    /// What could not be read, and why.
    var failures: [(what: [UInt8], reason: String)] = []
    var early = EarlyQuestion()
  }

  private let state = Mutex(State())
  /// The directories below which all files are going to be asked for.
  private let trees: [[UInt8]]

  /// - Parameter trees: the directories below which all files are going to be asked for.
  init(below trees: [FilePath]) {
    self.trees = trees.compactMap { path in path.realPath.map { Array($0.bytes) } }
  }

  /// Asks for a file that the record of will be asked for first, so that the answer is made meanwhile.
  @Sendable func prepare(for path: [UInt8], isDirectory: Bool) {
    state.withLock { state in
      guard let (root, relative) = state.places.place(of: path, isDirectory: isDirectory) else {
        return
      }
      state.early.ask(
        .repositories,
        RepositoriesProtocol.message(RepositoryQuestion(root, .files([relative]))))
    }
  }

  /// The record of a file by its absolute path without links; `nil` if it is in no work tree, or in the
  /// repository itself.
  @Sendable func record(of path: [UInt8], isDirectory: Bool) -> RepositoryRecord? {
    state.withLock { state in
      while let (root, relative) = state.places.place(of: path, isDirectory: isDirectory) {
        if prepare(relative, root, &state) { return state.repositories[root]?.record(of: relative) }
        // What is there is no repository; one of a directory above may have the file.
        state.places.remove(root)
      }
      return nil
    }
  }

  /// Reads what the record of a file needs.
  ///
  /// - Returns: whether the work tree has a repository.
  private func prepare(_ path: [UInt8], _ root: [UInt8], _ state: inout State) -> Bool {
    if state.repositories[root] == nil {
      var repository = ReadRepository()
      repository.trees = trees.compactMap { tree in
        if WorkTreePlaces.isBelow(root, tree) { return [] }
        return WorkTreePlaces.isBelow(tree, root) ? WorkTreePlaces.relative(tree, to: root) : nil
      }
      state.repositories[root] = repository
      let (all, most) = (repository.trees, RepositoriesProtocol.pathLimit)
      for start in stride(from: 0, to: all.count, by: most) {
        read(RepositoryQuestion(root, .trees(Array(all[start...].prefix(most)))), &state)
      }
    }
    guard let repository = state.repositories[root], !repository.isMissing else { return false }
    if repository.isRead(path) { return true }
    let directory = Array(path.prefix(path.lastIndex(of: 0x2f) ?? 0))
    let count = repository.directories[directory, default: 0]
    state.repositories[root]?.directories[directory] = count + 1
    if count == 1, !path.isEmpty { read(RepositoryQuestion(root, .entries(directory)), &state) }
    if state.repositories[root]?.record(of: path) == nil {
      read(RepositoryQuestion(root, .files([path])), &state)
    }
    return state.repositories[root]?.isMissing == false
  }

  /// Reports what could not be read.
  ///
  /// - Returns: `.failed` if there is something.
  func finish(_ console: Console) -> ExitStatus {
    let failures = state.withLock(\.failures)
    for failure in failures {
      console.fail(failure.what[...], "cannot read the repository: \(EscapedText(failure.reason))")
    }
    return failures.isEmpty ? .done : .failed
  }

  private func read(_ question: RepositoryQuestion, _ state: inout State) {
    var reasons: [String] = []
    let message = RepositoriesProtocol.message(question)
    let asked = state.early.takeProgram(asked: message)
    do throws(ChildProcess.Failure) {
      let answers = try CompanionProgram.repositories.answers(
        to: message, by: asked,
        within: RepositoriesProtocol.limit(for: question)
      ) { RepositoriesProtocol.answer($0).map { [$0] } }
      for answer in answers {
        state.repositories[question.root]?.add(answer)
        reasons += answer.failures
      }
    } catch {
      reasons = [error.description]
    }
    for reason in reasons
    where !state.failures.contains(where: { $0 == (question.root, reason) }) {
      state.failures.append((question.root, reason))
    }
  }
}

/// What has been read of a repository.
private struct ReadRepository {
  /// Whether the directory has none.
  private(set) var isMissing = false
  /// Directories of which all that is below has been read.
  var trees: [[UInt8]] = []
  /// How many files of a directory have been asked for one by one.
  var directories: [[UInt8]: Int] = [:]
  private var records: [[UInt8]: RepositoryRecord] = [:]

  mutating func add(_ answer: RepositoriesProtocol.Answer) {
    isMissing = isMissing || answer.isMissing
    for record in answer.records { records[record.path] = record }
  }

  func isRead(_ path: [UInt8]) -> Bool {
    trees.contains { $0.isEmpty || WorkTreePlaces.isBelow(path, $0) }
  }

  /// The record of a path, which may be that of a directory above it.
  func record(of path: [UInt8]) -> RepositoryRecord? {
    if let own = records[path] ?? records[path + [0x2f]] { return own }
    var end = path.lastIndex(of: 0x2f)
    while let slash = end {
      if let record = records[Array(path[...slash])] {
        return RepositoryRecord(record.repository, path: path, state: record.state)
      }
      end = path[..<slash].lastIndex(of: 0x2f)
    }
    return nil
  }
}

/// The work trees that directories are in, as git finds them: where an entry `.git` is, in the directory
/// or in one above on the same file system, but below those of GIT_CEILING_DIRECTORIES.
private struct WorkTreePlaces {
  private enum Place {
    case below([UInt8])
    case none
  }

  private var known: [[UInt8]: Place] = [:]
  /// Directories with such an entry that is no repository.
  private var others: Set<[UInt8]> = []
  private let ceilings: Set<[UInt8]>

  init() {
    let value = unsafe getenv("GIT_CEILING_DIRECTORIES")
    let list = unsafe value.map { unsafe Array(FilePath(cString: $0).bytes) } ?? []
    ceilings = Set(
      list.split(separator: UInt8(ascii: ":")).compactMap { ceiling in
        ceiling.first == 0x2f ? FilePath(bytes: ceiling)?.realPath.map { Array($0.bytes) } : nil
      })
  }

  static func parent(of path: [UInt8]) -> [UInt8] {
    guard let slash = path.lastIndex(of: 0x2f), slash > 0 else { return [0x2f] }
    return Array(path[..<slash])
  }

  /// Whether a path is that of a directory, or below it.
  static func isBelow(_ path: [UInt8], _ directory: [UInt8]) -> Bool {
    path.starts(with: directory)
      && (directory == [0x2f] || path.count == directory.count || path[directory.count] == 0x2f)
  }

  /// - Precondition: the path is that of the directory, or below it.
  static func relative(_ path: [UInt8], to directory: [UInt8]) -> [UInt8] {
    Array(path.dropFirst(directory == [0x2f] ? 1 : directory.count + 1))
  }

  /// The work tree that a file is in, and the path in that; `nil` also for what is in the repository itself.
  mutating func place(
    of path: [UInt8], isDirectory: Bool
  ) -> (root: [UInt8], relative: [UInt8])? {
    guard let root = root(of: isDirectory ? path : Self.parent(of: path)) else { return nil }
    let relative = Self.relative(path, to: root)
    let isInside = relative.split(separator: 0x2f).contains { $0.elementsEqual(".git".utf8) }
    return isInside ? nil : (root, relative)
  }

  /// The work tree that a directory is in.
  private mutating func root(of directory: [UInt8]) -> [UInt8]? {
    var passed: [[UInt8]] = []
    var place = directory
    var found = Place.none
    var device: dev_t?
    while true {
      if let known = known[place], device == nil || device == Self.status(place)?.st_dev {
        found = known
        break
      }
      guard let status = Self.status(place), device == nil || device == status.st_dev else { break }
      device = status.st_dev
      passed.append(place)
      if !others.contains(place), Self.hasRepository(place) {
        found = .below(place)
        break
      }
      let parent = Self.parent(of: place)
      if parent == place || ceilings.contains(parent) { break }
      place = parent
    }
    for place in passed { known[place] = found }
    if case .below(let root) = found { return root }
    return nil
  }

  /// Notes that a directory is no work tree.
  mutating func remove(_ root: [UInt8]) {
    others.insert(root)
    known = [:]
  }

  private static func status(_ path: [UInt8]) -> stat? {
    guard let path = FilePath(bytes: path) else { return nil }
    var status = stat()
    return unsafe path.withCString { unsafe stat($0, &status) } == 0 ? status : nil
  }

  /// Whether there is `.git`: a file that names a repository, or a directory that may be one.
  private static func hasRepository(_ directory: [UInt8]) -> Bool {
    let place = directory + (directory == [0x2f] ? [] : [0x2f]) + Array(".git".utf8)
    guard let status = status(place) else { return false }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return true
    case S_IFDIR:
      guard let head = FilePath(bytes: place + Array("/HEAD".utf8)) else { return false }
      var status = Glibc.stat()
      return unsafe head.withCString { unsafe lstat($0, &status) } == 0
    default: return false
    }
  }
}
