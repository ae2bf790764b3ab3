internal import ForeignFormats

/// The downloads in `History` of Chromium and its kin, whose tables are in
/// components/history/core/browser/download_database.cc of Chromium.
enum ChromiumDownloads {
  /// 1601-01-01T00:00:00Z, in seconds since 1970-01-01T00:00:00Z.
  private static let epoch = -11_644_473_600.0
  private static let complete: Int64 = 1
  /// How many downloads of one file, and addresses of one download, are read.
  private static let limit = 16

  private static let columns = "id, target_path, end_time, total_bytes, tab_url, referrer"
  private static let conditions =
    "total_bytes = ?2 AND (target_path = ?1 OR end_time BETWEEN ?3 AND ?4)"

  static func find(
    _ file: DownloadedFile?, in database: HistoryDatabase
  ) throws(BrowserHistoryFailure) -> [DownloadRecord] {
    guard try database.has(tables: ["downloads", "downloads_url_chains"]) else { return [] }
    var found: [DownloadRecord] = []
    let values: [HistoryDatabase.Value] =
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
    ) { row throws(BrowserHistoryFailure) in
      guard let identifier = row.integer(0), let path = row.bytes(1) else { return true }
      let end = row.integer(2).flatMap { $0 > 0 ? Double($0) / 1e6 + epoch : nil }
      let size = row.integer(3)
      if let file, file.match(path: path, size: size, end: end) == nil { return true }
      let chain = try chain(of: identifier, in: database)
      found.append(
        DownloadRecord(
          browser: database.files.browser, database: database.files.path, path: path,
          firstURL: chain.first, url: chain.last, page: page(row, chain), end: end, size: size))
      return true
    }
    return found
  }

  /// The page of the tab, or the referrer: of an address that was typed, the tab
  /// has that address.
  private static func page(_ row: HistoryDatabase.Row, _ chain: [String]) -> String? {
    [row.text(4), row.text(5)].compactMap(\.self).first { $0 != chain.first && $0 != chain.last }
  }

  private static func chain(
    of identifier: Int64, in database: HistoryDatabase
  ) throws(BrowserHistoryFailure) -> [String] {
    var chain: [String] = []
    try database.rows(
      "SELECT url FROM downloads_url_chains WHERE id = ?1 ORDER BY chain_index",
      [.integer(identifier)]
    ) { row in
      guard let url = row.text(0) else { return true }
      // The first and the last ones count.
      if chain.count == limit { chain.removeLast() }
      chain.append(url)
      return true
    }
    return chain
  }

  private static func microseconds(_ seconds: Double) -> Int64 {
    Int64(exactly: ((seconds - epoch) * 1e6).rounded()) ?? 0
  }
}
