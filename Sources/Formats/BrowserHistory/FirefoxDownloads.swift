internal import DatabaseSnapshot
internal import ForeignFormats
internal import JSON
internal import LinuxSystem

/// The downloads in `places.sqlite` of Firefox and its kin: annotations, which
/// toolkit/components/downloads/DownloadHistory.sys.mjs of Firefox writes.
enum FirefoxDownloads {
  private static let destination = "downloads/destinationFileURI"
  private static let details = "downloads/metaData"
  private static let finished: Int64 = 1
  /// `TRANSITION_DOWNLOAD` of nsINavHistoryService.
  private static let download = 7
  private static let limit = 16

  private struct Details {
    var end: Double?
    var size: Int64?
  }

  static func find(
    _ file: DownloadedFile?, in database: DatabaseSnapshot
  ) throws(DatabaseFailure) -> [DownloadRecord] {
    let tables = ["moz_annos", "moz_anno_attributes", "moz_places", "moz_historyvisits"]
    guard try database.has(tables: tables) else { return [] }
    let limit = file == nil ? BrowserHistory.limit : limit
    var found: [(place: Int64, path: [UInt8], details: Details)] = []
    // Downloads are few beside visits; the last come first.
    try database.rows(
      """
      SELECT d.place_id, d.content, m.content, d.dateAdded FROM moz_annos d
      JOIN moz_anno_attributes n ON n.id = d.anno_attribute_id AND n.name = '\(destination)'
      LEFT JOIN moz_annos m ON m.place_id = d.place_id AND m.anno_attribute_id =
      (SELECT id FROM moz_anno_attributes WHERE name = '\(details)')
      ORDER BY d.dateAdded DESC
      """, []
    ) { row in
      guard let place = row.integer(0), let uri = row.text(1),
        let path = RecentFile.path(ofURL: uri).map({ Array($0.bytes) })
      else { return true }
      let text = row.bytes(2)
      // Of thousands of downloads, few have the file's size in their details.
      if let file, path != file.path, text.map({ !has($0, file.size) }) ?? true { return true }
      guard let details = details(text, added: row.integer(3)) else { return true }
      if let file, file.match(path: path, size: details.size, end: details.end) == nil {
        return true
      }
      // Those elsewhere leave room for those of the path.
      guard path == file?.path || found.count < limit else { return true }
      found.append((place, path, details))
      return found.count < 2 * limit
    }
    var downloads: [DownloadRecord] = []
    for (place, path, details) in found {
      let url = try url(of: place, in: database)
      downloads.append(
        DownloadRecord(
          browser: database.files.writer, database: database.files.path, path: path, firstURL: url,
          url: url, page: try page(of: place, in: database), end: details.end, size: details.size))
    }
    return downloads
  }

  /// Whether a number stands somewhere in a text.
  private static func has(_ text: [UInt8], _ number: Int64) -> Bool {
    let digits = Array("\(number)".utf8)
    return text.indices.contains { text[$0] == digits[0] && text[$0...].starts(with: digits) }
  }

  /// Firefox writes the details some time after a download has ended, and the time of the annotation
  /// when it begins.
  ///
  /// - Parameter added: that time, in microseconds since 1970-01-01T00:00:00Z.
  /// - Returns: `nil` for a download that is not finished.
  private static func details(_ text: [UInt8]?, added: Int64?) -> Details? {
    let unknown = Details(end: added.flatMap { $0 > 0 ? Double($0) / 1e6 : nil })
    guard let text, let root = try? JSONValue.parse(text[...], .uniqueKeys) else { return unknown }
    func number(_ key: String) -> Int64? {
      guard case .integer(let number) = root[key]?.content else { return nil }
      return Int64(number)
    }
    if let state = number("state"), state != finished { return nil }
    return Details(
      end: number("endTime").map { Double($0) / 1000 } ?? unknown.end, size: number("fileSize"))
  }

  private static func url(
    of place: Int64, in database: DatabaseSnapshot
  ) throws(DatabaseFailure) -> String? {
    var url: String?
    try database.rows("SELECT url FROM moz_places WHERE id = ?1", [.integer(place)]) { row in
      url = row.text(0)
      return false
    }
    return url
  }

  /// The page from which a download was begun.
  private static func page(
    of place: Int64, in database: DatabaseSnapshot
  ) throws(DatabaseFailure) -> String? {
    var page: String?
    try database.rows(
      """
      SELECT p.url FROM moz_historyvisits v JOIN moz_historyvisits f ON f.id = v.from_visit
      JOIN moz_places p ON p.id = f.place_id
      WHERE v.place_id = ?1 AND v.visit_type = \(download) ORDER BY v.visit_date DESC LIMIT 1
      """, [.integer(place)]
    ) { row in
      page = row.text(0)
      return false
    }
    return page
  }
}
