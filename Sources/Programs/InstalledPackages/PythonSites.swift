internal import ForeignFormats
internal import Glibc
internal import LinuxSystem
internal import PackageDatabases

/// The directories that Python's modules are installed into, and what pip has recorded in them.
struct PythonSites {
  private static let limit = 16 << 20
  /// More than any virtual environment has.
  private static let siteLimit = 64
  private static let names = ["site-packages", "dist-packages"].map { Array($0.utf8) }

  /// Finds what may have the files that are asked for: the directories above them that have such a name, and
  /// those below the `lib` of a directory above, which scripts and data files belong to.
  private static func sites(_ question: PackageQuestion, below root: FilePath) -> [FilePath] {
    var found: [FilePath] = []
    var seen: Set<FilePath> = []
    func add(_ path: FilePath) {
      if found.count < siteLimit, seen.insert(path).inserted { found.append(path) }
    }
    var prefixes: Set<[UInt8]> = []
    let paths: [[UInt8]] =
      switch question.extent {
      case .files(let files): files.map(\.path)
      case .entries(let directory): [directory]
      case .trees(let directories): directories
      }
    for path in paths {
      var here = path
      while true {
        if let last = here.lastIndex(of: 0x2f), names.contains(Array(here[(last + 1)...])),
          let site = place(here, root)
        {
          add(site)
        }
        if prefixes.insert(here).inserted { libraries(here, root).forEach(add) }
        guard let last = here.lastIndex(of: 0x2f), here.count > 1 else { break }
        here = last == 0 ? [0x2f] : Array(here[..<last])
      }
    }
    return found
  }

  /// `lib/python3.11/site-packages` and others below a directory.
  private static func libraries(_ prefix: [UInt8], _ root: FilePath) -> [FilePath] {
    guard let place = place(prefix, root) else { return [] }
    return ["lib", "lib64"].flatMap { library -> [FilePath] in
      let directory = place.appending(FilePath(library))
      // Most directories have none.
      guard unsafe directory.withCString({ unsafe access($0, F_OK) }) == 0 else { return [] }
      return InstalledDirectory(path: directory).names.filter { $0.hasPrefix("python3") }.flatMap {
        version in
        names.compactMap { FilePath(bytes: $0) }.map {
          directory.appending(FilePath(version)).appending($0)
        }
      }
    }
  }

  private static func place(_ path: [UInt8], _ root: FilePath) -> FilePath? {
    FilePath(bytes: Array(path.drop { $0 == 0x2f })).map { root.appending($0) } ?? root
  }

  static func read(
    _ question: PackageQuestion, below root: FilePath, of owners: Set<UInt32>,
    _ flaws: inout [DatabaseFlaw], isLate: () -> Bool
  ) -> [PythonDistribution] {
    var found: [PythonDistribution] = []
    var buffer: [UInt8] = []
    let suffix = Array(".dist-info".utf8)
    for site in sites(question, below: root) {
      guard let directory = DatabaseDirectory(site, of: owners, way: .withoutLinks) else {
        continue
      }
      for name in directory.names(endingIn: suffix) {
        guard !isLate(), let information = directory.directory(name) else { continue }
        do throws(DatabaseFlaw) {
          let record = try information.withContent(
            of: Array("RECORD".utf8), limit: limit, &buffer
          ) { bytes -> [UInt8]? in
            if case .files(let files) = question.extent {
              guard
                files.contains(where: { PythonDistribution.mayHave($0.path, in: bytes) })
              else { return nil }
            }
            return Array(bytes)
          }
          guard let record = record ?? nil,
            let metadata = try information.content(of: "METADATA", limit: limit)
          else { continue }
          // The paths are those of the system that is asked about.
          let path = Array(site.bytes.dropFirst(root.bytes.count == 1 ? 0 : root.bytes.count))
          found.append(
            PythonDistribution(
              site: path, database: Array(information.path.bytes) + Array("/RECORD".utf8),
              record: record, metadata: metadata,
              modified: information.modified(Array("RECORD".utf8))))
        } catch {
          flaws.append(error)
        }
      }
    }
    return found
  }
}
