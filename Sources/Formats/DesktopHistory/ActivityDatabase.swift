package import DatabaseSnapshot
package import ForeignFormats

/// The uses of files that KDE's activities have recorded, of the database of kactivitymanagerd:
/// `ResourceEvent(usedActivity, initiatingAgent, targettedResource, start, end)`, with a path where the
/// resource is a local file, and times in seconds since 1970-01-01T00:00:00Z.
package enum ActivityDatabase {
  /// The most pairs of a file and an application that are kept apart.
  private static let limit = 100_000

  private struct Key: Hashable {
    let path: [UInt8]
    let application: String
  }

  private struct Uses {
    var first: Int64?
    var last: Int64?
    var count = 0
  }

  /// - Parameters:
  ///   - wanted: `nil` for all files.
  ///   - deadline: when reading is given up, in milliseconds of `Clock`.
  /// - Returns: of each file the applications that used it, the last one first.
  /// - Throws: `DatabaseFailure` if the database is another one, or a momentary one if somebody has written
  ///   meanwhile.
  package static func uses(
    of wanted: [DownloadedFile]?, in files: DatabaseFiles, deadline: Int
  ) throws(DatabaseFailure) -> [DesktopRecord] {
    let uses = try DatabaseSnapshot.reading(files, deadline: deadline) {
      database throws(DatabaseFailure) in
      var uses: [Key: Uses] = [:]
      guard try database.has(tables: ["ResourceEvent"]) else { return uses }
      if let wanted {
        for file in wanted { try read(&uses, "WHERE targettedResource = ?1", file.path, database) }
      } else {
        try read(&uses, "", nil, database)
      }
      return uses
    }
    let sorted = uses.sorted { one, two in
      (two.value.last ?? 0, one.key.application) < (one.value.last ?? 0, two.key.application)
    }
    return sorted.map { key, uses in
      let use = RecentUse(
        application: key.application, seconds: uses.last.map(Double.init),
        first: uses.first.map(Double.init), count: uses.count)
      return DesktopRecord(database: files.path, path: key.path, content: .use(use))
    }
  }

  private static func read(
    _ uses: inout [Key: Uses], _ condition: String, _ path: [UInt8]?, _ database: DatabaseSnapshot
  ) throws(DatabaseFailure) {
    try database.rows(
      "SELECT targettedResource, initiatingAgent, start, end FROM ResourceEvent \(condition)",
      path.map { [.text($0)] } ?? []
    ) { row in
      // Special agents, such as `:any`, are no applications, and other resources no files.
      guard let path = row.bytes(0), path.first == UInt8(ascii: "/"), let agent = row.text(1),
        agent.utf8.first != UInt8(ascii: ":")
      else { return true }
      let key = Key(path: path, application: agent)
      guard uses[key] != nil || uses.count < limit else { return true }
      var use = uses[key] ?? Uses()
      use.count += 1
      for column: CInt in [2, 3] {
        guard let time = row.integer(column), time > 0 else { continue }
        use.first = min(use.first ?? time, time)
        use.last = max(use.last ?? time, time)
      }
      uses[key] = use
      return true
    }
  }
}
