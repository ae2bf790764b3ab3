internal import DatabaseSnapshot
package import ForeignFormats
internal import Glibc
package import LinuxSystem
internal import PackageDatabases

/// The package databases of a system, for one question.
///
/// Two steps: ``init(_:below:of:deadline:)`` reads the files of the databases that have what is asked for,
/// by their bytes alone, and ``readRecords()`` understands them, for which no file is opened: that can be done
/// in a sandbox.
package struct InstalledPackages {
  /// Directories that are links where `/usr` has been merged, or the directories of one another.
  private static let linkedDirectories = [
    "bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr/sbin", "usr/lib64", "var/run",
    "var/lock",
  ]

  private let question: PackageQuestion
  private let aliases: PathAliases
  private let dpkg: DpkgDatabase?
  private let pacman: [PacmanPackage]
  private let rpm: DatabaseFiles?
  private let deployments: [PackageRecord]
  private let python: [PythonDistribution]
  private let deadline: Int
  /// Databases that could not be read until now.
  package private(set) var flaws: [DatabaseFlaw] = []

  /// - Parameters:
  ///   - root: the directory that all paths are relative to: `/`, except in tests.
  ///   - system: the users whose databases count for all files: root.
  ///   - user: the one whose own databases count for the user's files.
  ///   - directories: those of that user.
  ///   - deadline: when reading is given up, in milliseconds of `Clock`.
  package init(
    _ question: PackageQuestion, below root: FilePath = FilePath("/"), system: Set<UInt32> = [0],
    user: UInt32 = geteuid(), directories: BaseDirectories = .current(), deadline: Int
  ) {
    self.question = question
    self.deadline = deadline
    let aliases = Self.aliases(below: root)
    self.aliases = aliases
    func isLate() -> Bool { Clock.milliseconds >= deadline }
    dpkg = DpkgFiles.read(question, below: root, of: system, aliases, &flaws, isLate: isLate)
    pacman = PacmanFiles.read(
      question, below: root, of: system, aliases, &flaws, isLate: isLate)
    rpm = RpmFiles.open(below: root, of: system)
    deployments = Deployments.records(
      question, below: root, directories, system: system, user: user)
    python = PythonSites.read(
      question, below: root, of: system.union([user]), &flaws, isLate: isLate)
  }

  /// Where such directories are links below a root, as paths of the system there.
  private static func aliases(below root: FilePath) -> PathAliases {
    let start = root.bytes.count == 1 ? 0 : root.bytes.count
    return PathAliases(
      linkedDirectories.compactMap { name in
        let path = root.appending(FilePath(name))
        guard path.linkTarget != nil,
          let target = unsafe path.withCString({ unsafe realpath($0, nil) })
        else { return nil }
        defer { unsafe free(target) }
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: target, count: strlen(target)))
        guard bytes.starts(with: root.bytes), bytes.count > start else { return nil }
        return ([UInt8(ascii: "/")] + Array(name.utf8), Array(bytes[start...]))
      })
  }

  /// The descriptors that ``readRecords()`` needs.
  package var descriptors: [CInt] { rpm?.descriptors ?? [] }

  /// The records of what is asked for, those of each package together.
  package mutating func readRecords() -> [[PackageRecord]] {
    var records = dpkg?.records(question, aliases) ?? []
    if let rpm {
      do throws(DatabaseFailure) {
        records += try RpmDatabase.records(question, aliases, in: rpm, deadline: deadline)
      } catch {
        flaws.append(DatabaseFlaw(path: rpm.path, reason: error.description))
      }
    }
    records += pacman.flatMap { $0.records(question, aliases) } + deployments
    records += python.flatMap { $0.records(question) }
    var groups: [[PackageRecord]] = []
    for record in records {
      if let last = groups.last?.last, record.isOfSamePackage(as: last) {
        groups[groups.count - 1].append(record)
      } else {
        groups.append([record])
      }
    }
    guard case .files(let files) = question.extent else { return groups }
    // Of a directory, hundreds of packages may be found that do not count.
    let found = PackageRecords(records)
    let counted = Set(files.flatMap(found.records))
    return groups.map { group in
      group.filter { $0.isOfTree || counted.contains($0) }
    }.filter { !$0.isEmpty }
  }
}
