package import ForeignFormats

/// What has been read of the database of dpkg, below `/var/lib/dpkg`.
///
/// Its form is that of dpkg 1.21: dpkg(1), deb-md5sums(5), dpkg-divert(1), and `info/format` 1.
package struct DpkgDatabase {
  /// A list of a package's files.
  package struct FileList {
    /// The path of the file that has it.
    package let path: [UInt8]
    /// The name of that file without `.list`: `coreutils` or `libc6:amd64`.
    package let name: [UInt8]
    package let content: [UInt8]
    /// The content of `md5sums` for the same package.
    package let checksums: [UInt8]
    /// When dpkg wrote the list, in seconds since 1970-01-01T00:00:00Z.
    package let modified: Double?

    package init(
      path: [UInt8], name: [UInt8], content: [UInt8], checksums: [UInt8] = [],
      modified: Double? = nil
    ) {
      self.path = path
      self.name = name
      self.content = content
      self.checksums = checksums
      self.modified = modified
    }
  }

  private static let root = Array("/.".utf8)

  private let status: DpkgStatus
  private let diversions: DpkgDiversions
  private let lists: [FileList]

  package init(lists: [FileList], status: [UInt8], diversions: DpkgDiversions) {
    self.lists = lists
    self.status = DpkgStatus(status, isForMany: lists.count > 16)
    self.diversions = diversions
  }

  /// The paths at which the lists may have what is asked for.
  package static func paths(
    of file: [UInt8], _ diversions: DpkgDiversions, _ aliases: PathAliases
  ) -> [[UInt8]] {
    let spellings = aliases.spellings(of: file)
    return spellings + spellings.flatMap(diversions.sources)
  }

  /// What a list has that has anything of a directory or below: the paths of that.
  package static func prefixes(
    of directory: [UInt8], _ diversions: DpkgDiversions, _ aliases: PathAliases
  ) -> [[UInt8]] {
    let spellings = aliases.prefixes(of: directory)
    return spellings + diversions.sources { to in spellings.contains { to.starts(with: $0) } }
  }

  /// The records of the files that are asked for.
  package func records(
    _ question: PackageQuestion, _ aliases: PathAliases
  ) -> [PackageRecord] {
    lists.flatMap { list -> [PackageRecord] in
      var found: [(path: [UInt8], file: [UInt8])] = []
      let name = Array(list.name.prefix { $0 != UInt8(ascii: ":") })
      func add(_ path: [UInt8]) {
        // The root is in each list; what is no path may be diverted, too.
        guard path.first == UInt8(ascii: "/"), path != Self.root else { return }
        let file = aliases.canonical(diversions.place(of: path, in: name))
        if question.wants(file) { found.append((path, file)) }
      }
      switch question.extent {
      case .files(let files):
        for file in files {
          for path in Self.paths(of: file.path, diversions, aliases) {
            if ByteSearch.hasLine(path, in: list.content[...]) { add(path) }
          }
        }
      case .entries, .trees:
        ByteSearch.forEachLine(in: list.content[...]) { line in
          add(Array(line))
          return true
        }
      }
      guard !found.isEmpty, let package = status.package(ofList: list.name) else { return [] }
      let checksums = question.wantsChecksums ? Self.checksums(list, found.map(\.path)) : [:]
      return found.map { path, file in
        let checksum =
          question.wantsChecksums ? checksums[path] ?? package.configurationFiles[path] : nil
        return PackageRecord(
          manager: .dpkg, package: package.name, version: package.version,
          architecture: package.architecture, database: list.path, file: file, path: path,
          checksum: checksum, installed: list.modified)
      }
    }
  }

  /// What `md5sums` says of some files.
  private static func checksums(
    _ list: FileList, _ paths: [[UInt8]]
  ) -> [[UInt8]: PackageRecord.Checksum] {
    let wanted = Set(paths)
    var found: [[UInt8]: PackageRecord.Checksum] = [:]
    ByteSearch.forEachLine(in: list.checksums[...]) { line in
      // The digits, two spaces, and the path below the root.
      let digits = line.prefix(32)
      let rest = line.dropFirst(32)
      guard rest.starts(with: [0x20, 0x20]) else { return true }
      let path = [UInt8(ascii: "/")] + rest.dropFirst(2)
      guard wanted.contains(path), found[path] == nil else { return true }
      if let checksum = PackageRecord.Checksum(.md5, hexadecimal: digits) { found[path] = checksum }
      return found.count < wanted.count
    }
    return found
  }
}
