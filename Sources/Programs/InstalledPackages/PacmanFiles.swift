internal import ForeignFormats
internal import LinuxSystem
internal import PackageDatabases

/// The packages of pacman that have what is asked for.
enum PacmanFiles {
  private static let limit = 64 << 20
  private static let directory = FilePath("var/lib/pacman/local")

  static func read(
    _ question: PackageQuestion, below root: FilePath, of owners: Set<UInt32>,
    _ aliases: PathAliases, _ flaws: inout [DatabaseFlaw], isLate: () -> Bool
  ) -> [PacmanPackage] {
    guard let local = DatabaseDirectory(root.appending(directory), of: owners) else { return [] }
    var wanted: [[UInt8]]?
    if case .files(let files) = question.extent {
      let lines = files.filter { !$0.isOfUser }.flatMap { file in
        aliases.spellings(of: file.path).map {
          PacmanPackage.line(of: $0, isDirectory: file.isDirectory)
        }
      }
      if lines.isEmpty { return [] }
      wanted = lines
    }
    var packages: [PacmanPackage] = []
    var buffer: [UInt8] = []
    for (number, name) in local.names().enumerated() {
      if number % 64 == 63, isLate() {
        flaws.append(DatabaseFlaw(path: Array(local.path.bytes), reason: "reading took too long"))
        break
      }
      guard let package = local.directory(name) else { continue }
      do throws(DatabaseFlaw) {
        let files = try package.withContent(of: Array("files".utf8), limit: limit, &buffer) {
          list -> [UInt8]? in
          wanted?.contains { ByteSearch.hasLine($0, in: list) } ?? true ? Array(list) : nil
        }
        guard let files = files ?? nil,
          let description = try package.content(of: "desc", limit: limit)
        else { continue }
        packages.append(
          PacmanPackage(
            database: Array(package.path.bytes) + Array("/files".utf8), files: files,
            description: description))
      } catch {
        flaws.append(error)
      }
    }
    return packages
  }
}
