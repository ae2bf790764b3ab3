internal import ForeignFormats
internal import LinuxSystem
internal import PackageDatabases

/// The files of dpkg's database, of which those are read that have what is asked for.
struct DpkgFiles {
  /// The largest list of Debian 12, of linux-headers, has 2 MB.
  private static let limit = 64 << 20
  private static let directory = FilePath("var/lib/dpkg")
  private static let suffix = Array(".list".utf8)

  /// - Parameter isLate: whether there is no time left.
  /// - Returns: `nil` without such a database, or if it has nothing of what is asked for.
  static func read(
    _ question: PackageQuestion, below root: FilePath, of owners: Set<UInt32>,
    _ aliases: PathAliases, _ flaws: inout [DatabaseFlaw], isLate: () -> Bool
  ) -> DpkgDatabase? {
    let place = root.appending(directory)
    guard let database = DatabaseDirectory(place, of: owners),
      let info = database.directory(Array("info".utf8))
    else { return nil }
    func content(_ name: String, _ directory: DatabaseDirectory) -> [UInt8] {
      do throws(DatabaseFlaw) {
        return try directory.content(of: name, limit: limit) ?? []
      } catch {
        flaws.append(error)
        return []
      }
    }
    let diversions = DpkgDiversions(content("diversions", database))
    let isOfFiles: Bool
    let wanted: [[UInt8]]
    switch question.extent {
    case .files(let files):
      isOfFiles = true
      wanted = files.filter { !$0.isOfUser }.flatMap {
        DpkgDatabase.paths(of: $0.path, diversions, aliases)
      }
    case .entries(let directory):
      isOfFiles = false
      wanted = DpkgDatabase.prefixes(of: directory, diversions, aliases)
    case .trees(let directories):
      isOfFiles = false
      wanted = directories.flatMap { DpkgDatabase.prefixes(of: $0, diversions, aliases) }
    }
    if wanted.isEmpty { return nil }
    /// Most lists have nothing of what is asked for.
    func hasAny(_ list: ArraySlice<UInt8>) -> Bool {
      wanted.contains { path in
        isOfFiles
          ? ByteSearch.hasLine(path, in: list) : ByteSearch.first(path, in: list) != nil
      }
    }
    var lists: [DpkgDatabase.FileList] = []
    var buffer: [UInt8] = []
    for (number, name) in info.names(endingIn: suffix).enumerated() {
      if number % 64 == 63, isLate() {
        flaws.append(DatabaseFlaw(path: Array(place.bytes), reason: "reading took too long"))
        break
      }
      do throws(DatabaseFlaw) {
        let found = try info.withContent(of: name, limit: limit, &buffer) { bytes -> [UInt8]? in
          hasAny(bytes) ? Array(bytes) : nil
        }
        guard let list = found ?? nil else { continue }
        let package = Array(name.dropLast(suffix.count))
        let sums = String(decoding: package, as: UTF8.self) + ".md5sums"
        lists.append(
          DpkgDatabase.FileList(
            path: Array(info.path.bytes) + [UInt8(ascii: "/")] + name, name: package, content: list,
            checksums: question.wantsChecksums ? content(sums, info) : [],
            modified: info.modified(name)))
      } catch {
        flaws.append(error)
      }
    }
    if lists.isEmpty { return nil }
    return DpkgDatabase(
      lists: lists, status: content("status", database), diversions: diversions)
  }
}
