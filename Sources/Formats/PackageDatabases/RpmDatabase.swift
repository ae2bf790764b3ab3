package import DatabaseSnapshot
package import ForeignFormats

/// The database of rpm in SQLite, `rpmdb.sqlite`, as rpm 4.16 and later have it: headers of packages, and
/// an index of the last components of their files' paths.
package enum RpmDatabase {
  /// More packages than have files of one name, or than are installed.
  private static let limit = 100_000

  /// The records of the files that are asked for.
  ///
  /// - Parameter deadline: when reading is given up, in milliseconds of `Clock`.
  package static func records(
    _ question: PackageQuestion, _ aliases: PathAliases, in files: DatabaseFiles, deadline: Int
  ) throws(DatabaseFailure) -> [PackageRecord] {
    try DatabaseSnapshot.reading(files, deadline: deadline) { database throws(DatabaseFailure) in
      guard try database.has(tables: ["Packages", "Basenames"]) else { return [] }
      var records: [PackageRecord] = []
      func take(_ blob: [UInt8]) throws(DatabaseFailure) {
        records += try Self.records(question, aliases, header: blob, database: files.path)
      }
      if case .files(let wanted) = question.extent {
        var numbers: Set<Int64> = []
        for file in wanted where !file.isOfUser {
          for path in aliases.spellings(of: file.path) {
            for number in try packages(with: path, in: database) {
              if numbers.insert(number).inserted { try take(header(number, in: database)) }
            }
          }
        }
      } else {
        try database.rows("SELECT blob FROM Packages LIMIT \(limit)", []) {
          row throws(DatabaseFailure) in
          if let blob = row.blob(0) { try take(blob) }
          return true
        }
      }
      return records
    }
  }

  /// The numbers of the packages that have a file at a path.
  private static func packages(
    with path: [UInt8], in database: DatabaseSnapshot
  ) throws(DatabaseFailure) -> [Int64] {
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")), slash < path.count - 1 else {
      return []
    }
    var candidates: [(package: Int64, file: Int64)] = []
    try database.rows(
      "SELECT hnum, idx FROM Basenames WHERE key = ?1 LIMIT \(limit)",
      [.text(Array(path[(slash + 1)...]))]
    ) { row in
      if let package = row.integer(0), let file = row.integer(1) {
        candidates.append((package, file))
      }
      return true
    }
    var found: [Int64] = []
    for (package, file) in candidates where !found.contains(package) {
      let header = try RpmHeader(header(package, in: database))
      guard let number = Int(exactly: file) else { continue }
      if header.directory(ofFile: number)?.elementsEqual(path[...slash]) == true {
        found.append(package)
      }
    }
    return found
  }

  private static func header(
    _ number: Int64, in database: DatabaseSnapshot
  ) throws(DatabaseFailure) -> [UInt8] {
    var found: [UInt8] = []
    try database.rows("SELECT blob FROM Packages WHERE hnum = ?1", [.integer(number)]) { row in
      found = row.blob(0) ?? []
      return false
    }
    return found
  }

  /// The records of one package, of which the database has a header.
  package static func records(
    _ question: PackageQuestion, _ aliases: PathAliases, header blob: [UInt8], database: [UInt8]
  ) throws(DatabaseFailure) -> [PackageRecord] {
    let header = try RpmHeader(blob)
    guard let name = header.name else { return [] }
    let (version, architecture) = (header.version, header.architecture)
    let installed = header.installed
    return header.files(wantsChecksums: question.wantsChecksums).compactMap { path, checksum in
      let file = aliases.canonical(path)
      guard question.wants(file) else { return nil }
      return PackageRecord(
        manager: .rpm, package: name, version: version, architecture: architecture,
        database: database, file: file, path: path, checksum: checksum, installed: installed)
    }
  }
}
