import CommandLineInterface
import CompanionProtocol
import ForeignFormats
import Glibc
import LinuxSystem
import Synchronization
import TextFormats

/// What package managers have recorded of files, read by `docsource-records`: for single files, for the
/// directory of the second file of it, or for whole trees at once.
final class PackageSearch: Sendable {
  private struct State {
    var records = PackageRecords()
    /// The trees that have been read, or are to be with the first file.
    var trees: [[UInt8]]
    var areTreesRead = false
    /// How many files of a directory have been asked for; nothing is asked anew of a directory that has
    /// been read.
    var directories: [[UInt8]: Int] = [:]
    /// The directories of Python's environments that have been read.
    var environments: Set<[UInt8]> = []
    /// What could not be read, and why.
    var failures: [(what: [UInt8], reason: String)] = []
    var early = EarlyQuestion()
  }

  static let verify = OptionDeclaration(
    "verify", help: "compare contents with the checksums of packages")

  private let state: Mutex<State>
  private let home: [UInt8]?
  private let verifies: Bool

  /// - Parameters:
  ///   - trees: the directories below which all files are going to be asked for.
  ///   - verifies: whether contents are compared with the checksums of packages.
  init(below trees: [FilePath], verifies: Bool) {
    self.verifies = verifies
    state = Mutex(State(trees: trees.compactMap(Self.place)))
    home = BaseDirectories.current().home.flatMap(Self.place)
  }

  /// The absolute path without links; `nil` if it is none of a directory.
  private static func place(_ path: FilePath) -> [UInt8]? {
    path.realPath.map { Array($0.bytes) }
  }

  /// The records of a file; none if no package has it.
  @Sendable func records(
    of file: PackagedFile, _ held: HeldFile
  ) -> [(PackageRecord, PackageRecord.Verification?)] {
    let records = state.withLock { state in
      prepare(file, &state)
      return state.records.records(of: file)
    }
    // Directories and links have no content that packages know.
    let verifies = self.verifies && held.status.st_mode & S_IFMT == S_IFREG
    return records.map { record in
      (record, verifies ? ContentChecksum.verification(of: held, by: record.checksum) : nil)
    }
  }

  /// Asks for a file that the records of will be asked for first, so that the answer is made meanwhile.
  @Sendable func prepare(for file: PackagedFile) {
    state.withLock { state in
      guard state.trees.isEmpty, file.mayHavePackage(home: home) else { return }
      state.early.ask(.records, PackagesProtocol.message(question(.files([file]))))
    }
  }

  private func question(_ extent: PackageQuestion.Extent) -> PackageQuestion {
    PackageQuestion(extent, wantsChecksums: verifies)
  }

  /// Reads what pip has recorded of a file in an environment of Python's below a tree, which is not
  /// looked for before there is such a file.
  private func readEnvironment(
    of file: [UInt8], _ directory: [UInt8], _ state: inout State
  ) {
    if let site = Self.site(of: file) {
      if state.environments.insert(site).inserted { read(question(.trees([site])), &state) }
    } else if directory.suffix(4).elementsEqual("/bin".utf8),
      state.environments.insert(directory).inserted,
      let mark = FilePath(bytes: directory.dropLast(3) + Array("pyvenv.cfg".utf8)),
      InstalledFile(path: mark).exists
    {
      read(question(.entries(directory)), &state)
    }
  }

  /// The directory of Python's modules that a file is in, the innermost one.
  private static func site(of file: [UInt8]) -> [UInt8]? {
    let components = file.split(separator: 0x2f).dropLast()
    guard
      let last = components.lastIndex(where: { name in
        ["site-packages", "dist-packages"].contains { name.elementsEqual($0.utf8) }
      })
    else { return nil }
    return Array(components[...last].map { [0x2f] + $0 }.joined())
  }

  /// Reads what the records of a file need.
  private func prepare(_ file: PackagedFile, _ state: inout State) {
    if !state.areTreesRead {
      state.areTreesRead = true
      let (trees, most) = (state.trees, PackagesProtocol.fileLimit)
      for start in stride(from: 0, to: trees.count, by: most) {
        read(question(.trees(Array(trees[start...].prefix(most)))), &state)
      }
    }
    let isRead = question(.trees(state.trees)).wants(file.path)
    guard file.mayHavePackage(home: home), let slash = file.path.lastIndex(of: 0x2f) else { return }
    let directory = slash == 0 ? [0x2f] : Array(file.path[..<slash])
    if isRead {
      readEnvironment(of: file.path, directory, &state)
      return
    }
    let count = state.directories[directory, default: 0]
    state.directories[directory] = count + 1
    switch count {
    case 0: read(question(.files([file])), &state)
    case 1: read(question(.entries(directory)), &state)
    default: break
    }
  }

  /// Reports what could not be read.
  ///
  /// - Parameter isUnanswered: whether it has been reported that docsource-records does not answer.
  /// - Returns: `.failed` if there is something.
  func finish(_ console: Console, isUnanswered: Bool) -> ExitStatus {
    let records = Array(CompanionProgram.records.name.utf8)
    let failures = state.withLock(\.failures).filter { !isUnanswered || $0.what != records }
    for failure in failures {
      console.fail(failure.what[...], "cannot read packages: \(EscapedText(failure.reason))")
    }
    return failures.isEmpty ? .done : .failed
  }

  private func read(_ question: PackageQuestion, _ state: inout State) {
    let message = PackagesProtocol.message(question)
    let asked = state.early.takeProgram(asked: message)
    do throws(ChildProcess.Failure) {
      let answers = try CompanionProgram.records.answers(
        to: message, by: asked, within: PackagesProtocol.limit(for: question),
        PackagesProtocol.answers)
      for answer in answers {
        switch answer {
        case .package(let records): state.records.add(records)
        case .failed(let database, let reason):
          if !state.failures.contains(where: { $0 == (database, reason) }) {
            state.failures.append((database, reason))
          }
        }
      }
    } catch {
      let failure = (Array(CompanionProgram.records.name.utf8), error.description)
      if !state.failures.contains(where: { $0 == failure }) { state.failures.append(failure) }
    }
  }
}
