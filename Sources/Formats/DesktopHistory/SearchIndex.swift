package import DatabaseSnapshot
package import ForeignFormats
internal import LinuxSystem
internal import TextFormats

/// What desktop search has found in the content of files, of the databases of localsearch (Tracker 3): the
/// program (`nie:generator`), which it reads of ODF and HTML, and the device (`nfo:equipment`) of pictures.
///
/// Each graph of the index has a database of its own; the addresses of files are in another one, and numbers
/// lead from one to the other.
package enum SearchIndex {
  /// The most files that are read.
  private static let limit = 100_000

  private struct Entry {
    let program: String?
    let device: String?
    let modified: Int64
  }

  /// - Parameters:
  ///   - wanted: `nil` for all files.
  ///   - addresses: `meta.db`.
  ///   - graphs: those of documents and of pictures.
  ///   - deadline: when reading is given up, in milliseconds of `Clock`.
  /// - Throws: `DatabaseFailure` if a database is another one, or a momentary one if localsearch has written
  ///   meanwhile.
  package static func contents(
    of wanted: [DownloadedFile]?, addresses: DatabaseFiles, graphs: [DatabaseFiles], deadline: Int
  ) throws(DatabaseFailure) -> [DesktopRecord] {
    var paths: [Int64: [UInt8]] = [:]
    if let wanted {
      paths = try self.paths(of: wanted, addresses, deadline)
      if paths.isEmpty { return [] }
    }
    var found: [(graph: [UInt8], number: Int64, entry: Entry)] = []
    for graph in graphs {
      for (number, entry) in try entries(wanted == nil ? nil : paths.keys.sorted(), graph, deadline)
      {
        found.append((graph.path, number, entry))
      }
    }
    if wanted == nil { paths = try self.paths(of: found.map(\.number), addresses, deadline) }
    return found.compactMap { graph, number, entry in
      paths[number].map { path in
        DesktopRecord(
          database: graph, path: path,
          content: .indexed(program: entry.program, device: entry.device, modified: entry.modified))
      }
    }
  }

  // MARK: Addresses

  private static func paths(
    of files: [DownloadedFile], _ addresses: DatabaseFiles, _ deadline: Int
  ) throws(DatabaseFailure) -> [Int64: [UInt8]] {
    try paths(addresses, deadline) { database, paths throws(DatabaseFailure) in
      for file in files {
        try database.rows(
          "SELECT ID FROM Resource WHERE Uri = ?1", [.text(address(of: file.path))]
        ) { row in
          if let number = row.integer(0) { paths[number] = file.path }
          return false
        }
      }
    }
  }

  private static func paths(
    of numbers: [Int64], _ addresses: DatabaseFiles, _ deadline: Int
  ) throws(DatabaseFailure) -> [Int64: [UInt8]] {
    try paths(addresses, deadline) { database, paths throws(DatabaseFailure) in
      for number in numbers {
        try database.rows("SELECT Uri FROM Resource WHERE ID = ?1", [.integer(number)]) { row in
          if let path = row.text(0).flatMap(RecentFile.path) { paths[number] = Array(path.bytes) }
          return false
        }
      }
    }
  }

  private static func paths(
    _ addresses: DatabaseFiles, _ deadline: Int,
    _ read: (DatabaseSnapshot, inout [Int64: [UInt8]]) throws(DatabaseFailure) -> Void
  ) throws(DatabaseFailure) -> [Int64: [UInt8]] {
    try DatabaseSnapshot.reading(addresses, .partial, deadline: deadline) {
      database throws(DatabaseFailure) in
      var paths: [Int64: [UInt8]] = [:]
      if try database.has(tables: ["Resource"]) { try read(database, &paths) }
      return paths
    }
  }

  /// The address as `g_filename_to_uri` of GLib writes it.
  private static func address(of path: [UInt8]) -> [UInt8] {
    Array("file://".utf8) + PercentEncoding.encoded(path, keeping: "!*'()/&=:@+$,")
  }

  // MARK: Graphs

  private static func entries(
    _ numbers: [Int64]?, _ graph: DatabaseFiles, _ deadline: Int
  ) throws(DatabaseFailure) -> [(Int64, Entry)] {
    try DatabaseSnapshot.reading(graph, .partial, deadline: deadline) {
      database throws(DatabaseFailure) in
      let tables = [
        "nie:InformationElement", "nie:InformationElement_nie:isStoredAs", "nfo:FileDataObject",
        "nfo:Media", "nfo:Equipment",
      ]
      guard try database.has(tables: tables) else { return [] }
      guard let numbers else { return try entries("", [], database) }
      var entries: [(Int64, Entry)] = []
      for number in numbers {
        entries += try Self.entries(
          "AND s.\"nie:isStoredAs\" = ?1", [.integer(number)], database)
      }
      return entries
    }
  }

  private static func entries(
    _ condition: String, _ values: [DatabaseSnapshot.Value], _ database: DatabaseSnapshot
  ) throws(DatabaseFailure) -> [(Int64, Entry)] {
    var entries: [(Int64, Entry)] = []
    try database.rows(
      """
      SELECT s."nie:isStoredAs", f."nfo:fileLastModified", e."nie:generator", q."nfo:manufacturer",
      q."nfo:model" FROM "nie:InformationElement_nie:isStoredAs" s
      JOIN "nfo:FileDataObject" f ON f.ID = s."nie:isStoredAs"
      JOIN "nie:InformationElement" e ON e.ID = s.ID
      LEFT JOIN "nfo:Media" m ON m.ID = s.ID LEFT JOIN "nfo:Equipment" q ON q.ID = m."nfo:equipment"
      WHERE (e."nie:generator" IS NOT NULL OR q.ID IS NOT NULL) \(condition)
      """, values
    ) { row in
      guard let number = row.integer(0), let modified = row.integer(1) else { return true }
      let device = EmbeddedOrigin.device(make: row.text(3), model: row.text(4))
      guard row.text(2) != nil || device != nil else { return true }
      entries.append((number, Entry(program: row.text(2), device: device, modified: modified)))
      return entries.count < limit
    }
    return entries
  }
}
