/// What a browser has recorded of a download that is finished.
public struct DownloadRecord: Hashable, Sendable {
  /// The name of the browser.
  public let browser: String
  /// The path of the database that has the record.
  public let database: [UInt8]
  /// Where the browser has put the file.
  public let path: [UInt8]
  /// The first and the last address of those that a server has led the browser to.
  public let firstURL: String?
  public let url: String?
  /// The page that the link stood on, or that has made the file.
  public let page: String?
  /// When the download ended, in seconds since 1970-01-01T00:00:00Z.
  public let end: Double?
  /// In bytes.
  public let size: Int64?

  public init(
    browser: String, database: [UInt8], path: [UInt8], firstURL: String? = nil, url: String? = nil,
    page: String? = nil, end: Double? = nil, size: Int64? = nil
  ) {
    self.browser = browser
    self.database = database
    self.path = path
    self.firstURL = firstURL
    self.url = url
    self.page = page
    self.end = end
    self.size = size
  }

  /// Where the content came from: the last address, or the page where that has made the file by itself
  /// (`blob:` and `data:`).
  public var origin: String? {
    guard let url, !Self.isLocal(url) else { return page }
    return url
  }

  /// The page where the link stood, where that is not the origin.
  public var referrer: String? { origin == page ? nil : page }

  private static func isLocal(_ url: String) -> Bool {
    ["blob:", "data:"].contains { MarkText.begins(url, with: $0) }
  }

  /// How a record was found to be of a file.
  public enum Match: String, Hashable, Sendable {
    /// The browser has put the download where the file is, which was last changed then.
    case path
    /// The browser has put a download where the file is, which was changed at another time: it may be
    /// another file.
    case place
    /// The download had the file's size, and ended when the file was written; the file is elsewhere
    /// now, if it is that.
    case content
  }
}

/// A file whose download is looked for.
public struct DownloadedFile: Hashable, Sendable {
  /// Absolute, without links.
  public let path: [UInt8]
  /// In bytes.
  public let size: Int64
  /// When the content was last changed, in seconds since 1970-01-01T00:00:00Z.
  public let modified: Double

  public init(path: [UInt8], size: Int64, modified: Double) {
    self.path = path
    self.size = size
    self.modified = modified
  }

  /// Seconds between the end of a download and the last change of its file, at most: the browser checks
  /// what it has received before it says that it is done.
  package static let tolerance = 10.0

  /// Seconds that a download takes at most, of which only the begin is known, as its size is not.
  private static let longest = 86_400.0

  /// How a record is of this file; `nil` if it is of another.
  package func match(_ record: DownloadRecord) -> DownloadRecord.Match? {
    match(path: record.path, size: record.size, end: record.end)
  }

  /// The same by what decides.
  package func match(path: [UInt8], size: Int64?, end: Double?) -> DownloadRecord.Match? {
    // A file that was changed since is not what was downloaded.
    let isOfSize = size == nil || size == self.size
    if path == self.path {
      guard isOfSize else { return nil }
      guard let end else { return .place }
      let after = size == nil ? Self.longest : Self.tolerance
      return end - Self.tolerance...end + after ~= modified ? .path : .place
    }
    guard let size, let end, size == self.size, size > 0 else { return nil }
    return abs(end - modified) <= Self.tolerance ? .content : nil
  }
}

/// The downloads that browsers have recorded, to be asked for that of a file.
public struct DownloadRecords: Sendable {
  /// A record of a file, and how it was found to be that.
  public typealias Found = (record: DownloadRecord, match: DownloadRecord.Match)

  public let records: [DownloadRecord]
  private var byPath: [[UInt8]: [Int]] = [:]
  private var bySize: [Int64: [Int]] = [:]

  public init(_ records: [DownloadRecord]) {
    self.records = records
    for (position, record) in records.enumerated() {
      byPath[record.path, default: []].append(position)
      if let size = record.size { bySize[size, default: []].append(position) }
    }
  }

  /// The download of a file: by its path and time, else by its size and time, else by its path; of
  /// several the one that ended nearest to the last change of the file.
  public func record(
    of file: DownloadedFile
  ) -> Found? {
    if let record = nearest(byPath[file.path], .path, file) { return (record, .path) }
    if let record = nearest(bySize[file.size], .content, file) { return (record, .content) }
    return nearest(byPath[file.path], .place, file).map { ($0, .place) }
  }

  private func nearest(
    _ positions: [Int]?, _ match: DownloadRecord.Match, _ file: DownloadedFile
  ) -> DownloadRecord? {
    (positions ?? []).map { records[$0] }.filter { file.match($0) == match }.min {
      distance($0, file) < distance($1, file)
    }
  }

  private func distance(_ record: DownloadRecord, _ file: DownloadedFile) -> Double {
    record.end.map { abs($0 - file.modified) } ?? .infinity
  }
}
