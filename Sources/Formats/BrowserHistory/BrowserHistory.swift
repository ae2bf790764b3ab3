package import ForeignFormats
internal import Glibc
internal import LinuxSystem

/// The files of a browser's database, which the reader does not open by itself.
package struct HistoryFiles {
  /// What records name: the browser, and the path of the database.
  package let browser: String
  package let path: [UInt8]
  package let database: CInt
  package let log: CInt
  package let journal: CInt

  /// - Parameters:
  ///   - log: the descriptor of the write-ahead log (`-wal`), or -1 if there is none.
  ///   - journal: that of the rollback journal (`-journal`), or -1.
  package init(
    browser: String, path: [UInt8], database: CInt, log: CInt = -1, journal: CInt = -1
  ) {
    self.browser = browser
    self.path = path
    self.database = database
    self.log = log
    self.journal = journal
  }
}

/// A kind of browser, by the form of its database.
package enum BrowserHistory: String, CaseIterable, Sendable {
  /// `History` in a profile of Chromium and its kin.
  case chromium
  /// `places.sqlite` in a profile of Firefox and its kin.
  case firefox

  /// The most downloads of a database that are read.
  package static let limit = 100_000
  /// How long an attempt waits for the next one, in milliseconds.
  private static let pause = 5

  /// Finds the downloads that may be those of files, by path or by size and time, or all of them; the
  /// last ones of each file first.
  ///
  /// The database is read as it is at one moment, beside the browser: no lock is taken, and none is
  /// waited for.
  ///
  /// - Parameters:
  ///   - wanted: `nil` for all downloads.
  ///   - deadline: when reading is given up, in milliseconds of `Clock`.
  /// - Throws: `BrowserHistoryFailure` if the database is none of a browser, or the browser writes to
  ///   it all the while.
  package func downloads(
    of wanted: [DownloadedFile]?, in files: HistoryFiles, deadline: Int
  ) throws(BrowserHistoryFailure) -> [DownloadRecord] {
    while true {
      do throws(BrowserHistoryFailure) {
        let database = try HistoryDatabase(files, deadline: deadline)
        let found: Result<[DownloadRecord], BrowserHistoryFailure> =
          Result { () throws(BrowserHistoryFailure) in
            guard let wanted else { return try find(nil, in: database) }
            var all: [DownloadRecord] = []
            for file in wanted { all += try find(file, in: database) }
            return all
          }
        // What was read in the middle of a change may look damaged.
        if database.isStale {
          throw BrowserHistoryFailure("the browser is writing", isMomentary: true)
        }
        return try found.get()
      } catch {
        guard error.isMomentary, Clock.milliseconds + Self.pause < deadline else { throw error }
        usleep(UInt32(Self.pause) * 1000)
      }
    }
  }

  private func find(
    _ file: DownloadedFile?, in database: HistoryDatabase
  ) throws(BrowserHistoryFailure) -> [DownloadRecord] {
    switch self {
    case .chromium: try ChromiumDownloads.find(file, in: database)
    case .firefox: try FirefoxDownloads.find(file, in: database)
    }
  }
}
