internal import DatabaseSnapshot
internal import ForeignFormats

/// The downloads in `History` of Chromium and its kin, whose tables are in
/// components/history/core/browser/download_database.cc of Chromium.
enum ChromiumDownloads {
  /// 1601-01-01T00:00:00Z, in seconds since 1970-01-01T00:00:00Z.
  static let epoch = -11_644_473_600.0
  private static let complete: Int64 = 1
  /// How many downloads of one file are read.
  private static let limit = 16
  /// Seconds, more than a time loses that is noted in milliseconds.
  private static let precision = 0.002

  private static let columns = "id, target_path, end_time, total_bytes, tab_url, referrer"
  private static let conditions =
    "total_bytes = ?2 AND (target_path = ?1 OR end_time BETWEEN ?3 AND ?4)"

  static func find(
    _ file: DownloadedFile?, in database: DatabaseSnapshot
  ) throws(DatabaseFailure) -> [DownloadRecord] {
    guard try database.has(tables: ["downloads", "downloads_url_chains"]) else { return [] }
    var found: [DownloadRecord] = []
    let values: [DatabaseSnapshot.Value] =
      file.map { file in
        [
          .text(file.path), .integer(file.size),
          .integer(microseconds(file.modified - DownloadedFile.tolerance)),
          .integer(microseconds(file.modified + DownloadedFile.tolerance)),
        ]
      } ?? []
    try database.rows(
      """
      SELECT \(columns) FROM downloads WHERE state = \(complete)
      \(file == nil ? "" : "AND (\(conditions))")
      ORDER BY \(file == nil ? "" : "target_path = ?1 DESC, ")end_time DESC LIMIT \(file == nil ? BrowserHistory.limit : limit)
      """, values
    ) { row throws(DatabaseFailure) in
      guard let identifier = row.integer(0), let path = row.bytes(1) else { return true }
      let end = row.integer(2).flatMap { $0 > 0 ? Double($0) / 1e6 + epoch : nil }
      let size = row.integer(3)
      if let file, file.match(path: path, size: size, end: end) == nil { return true }
      let chain = try chain(of: identifier, in: database)
      found.append(
        DownloadRecord(
          browser: database.files.writer, database: database.files.path, path: path,
          firstURL: chain.first, url: chain.last,
          page: chain.page(tab: row.text(4), referrer: row.text(5)), end: end, size: size))
      return true
    }
    return found
  }

  /// Puts the downloads of logs that may be a file's before those that `History` has, which it may have
  /// meanwhile, too: these are left out.
  ///
  /// - Parameter file: `nil` for those of all files.
  static func join(
    _ latest: [DownloadRecord], _ recorded: [DownloadRecord], of file: DownloadedFile?
  ) -> [DownloadRecord] {
    guard !latest.isEmpty else { return recorded }
    let ends = Dictionary(grouping: recorded, by: \.path).mapValues { $0.compactMap(\.end) }
    let others = latest.filter { record in
      guard let end = record.end, let ends = ends[record.path] else { return true }
      return !ends.contains { abs($0 - end) < precision }
    }
    guard let file else { return Array((others + recorded).prefix(BrowserHistory.limit)) }
    let matching = others.filter { file.match($0) != nil }
    // Those elsewhere leave room for those of the path.
    let ordered =
      matching.filter { $0.path == file.path } + matching.filter { $0.path != file.path }
    return ordered.prefix(limit) + recorded
  }

  private static func chain(
    of identifier: Int64, in database: DatabaseSnapshot
  ) throws(DatabaseFailure) -> URLChain {
    var chain = URLChain()
    try database.rows(
      "SELECT url FROM downloads_url_chains WHERE id = ?1 ORDER BY chain_index",
      [.integer(identifier)]
    ) { row in
      chain.append(row.text(0))
      return true
    }
    return chain
  }

  private static func microseconds(_ seconds: Double) -> Int64 {
    Int64(exactly: ((seconds - epoch) * 1e6).rounded()) ?? 0
  }
}

/// The addresses that servers have led a browser to, of which the first and the last count.
struct URLChain {
  private(set) var first: String?
  private(set) var last: String?

  mutating func append(_ url: String?) {
    guard let url else { return }
    if first == nil { first = url }
    last = url
  }

  /// The page of the tab, or the referrer: of an address that was typed, the tab has that address.
  func page(tab: String?, referrer: String?) -> String? {
    [tab, referrer].compactMap(\.self).first { $0 != first && $0 != last }
  }
}
