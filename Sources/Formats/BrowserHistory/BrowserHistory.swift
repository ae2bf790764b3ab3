package import DatabaseSnapshot
package import ForeignFormats

/// A kind of browser, by the form of its database.
package enum BrowserHistory: String, CaseIterable, Sendable {
  /// `History` in a profile of Chromium and its kin, and the logs of downloads beside it, which have a
  /// download some seconds earlier.
  case chromium
  /// `places.sqlite` in a profile of Firefox and its kin.
  case firefox

  /// The most downloads of a database that are read.
  package static let limit = 100_000

  /// Finds the downloads that may be those of files, by path or by size and time, or all of them; the
  /// last ones of each file, or of all, first. Those that logs of downloads have come before the others.
  ///
  /// The database is read as it is at one moment, beside the browser: no lock is taken, and none is
  /// waited for.
  ///
  /// - Parameters:
  ///   - wanted: `nil` for all downloads.
  ///   - logs: of Chromium and its kin, what is there of these: tables, and logs in the order in which they
  ///     were begun.
  ///   - deadline: when reading is given up, in milliseconds of `Clock`.
  /// - Throws: `DatabaseFailure` if the database is none of a browser, or a momentary one if the
  ///   browser has written meanwhile: then the files are to be opened anew.
  package func downloads(
    of wanted: [DownloadedFile]?, in files: DatabaseFiles, logs: [DownloadLog] = [], deadline: Int
  ) throws(DatabaseFailure) -> [DownloadRecord] {
    let latest = try ChromiumDownloadLog.downloads(
      logs, browser: files.writer, deadline: deadline)
    return try DatabaseSnapshot.reading(files, deadline: deadline) {
      database throws(DatabaseFailure) in
      guard let wanted else { return try find(nil, in: database, latest) }
      var all: [DownloadRecord] = []
      for file in wanted { all += try find(file, in: database, latest) }
      return all
    }
  }

  private func find(
    _ file: DownloadedFile?, in database: DatabaseSnapshot, _ latest: [DownloadRecord]
  ) throws(DatabaseFailure) -> [DownloadRecord] {
    switch self {
    case .chromium:
      ChromiumDownloads.join(latest, try ChromiumDownloads.find(file, in: database), of: file)
    case .firefox: try FirefoxDownloads.find(file, in: database)
    }
  }
}
