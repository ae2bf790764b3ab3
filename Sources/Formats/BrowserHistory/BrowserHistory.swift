internal import CSQLite
package import ForeignFormats
internal import Glibc

/// The files of a browser's database, which the reader does not open by itself.
package struct HistoryFiles {
  /// What records name: the browser, and the path of the database.
  package let browser: String
  package let path: [UInt8]
  package let database: CInt
  package let log: CInt
  package let journal: CInt
  package let downloadLogs: [DownloadLog]
  /// The database when it was opened, before the others were: what is not there then may come later.
  fileprivate let version: Version
  /// How many names the log and the journal had.
  private let links: [UInt]

  /// A file of LevelDB in `shared_proto_db` of Chromium and its kin.
  package struct DownloadLog {
    package enum Kind {
      case log
      /// Where the content of a log that is full goes.
      case table
    }

    package let path: [UInt8]
    package let file: CInt
    package let kind: Kind

    package init(path: [UInt8], file: CInt, kind: Kind = .log) {
      self.path = path
      self.file = file
      self.kind = kind
    }
  }

  /// - Parameters:
  ///   - version: taken before the log and the journal were looked for.
  ///   - log: the descriptor of the write-ahead log (`-wal`), or -1 if there is none.
  ///   - journal: that of the rollback journal (`-journal`), or -1.
  ///   - downloadLogs: what is there of these: tables, and logs in the order in which they were begun.
  package init(
    browser: String, path: [UInt8], database: CInt, _ version: Version, log: CInt = -1,
    journal: CInt = -1, downloadLogs: [DownloadLog] = []
  ) {
    self.browser = browser
    self.path = path
    self.database = database
    self.log = log
    self.journal = journal
    self.downloadLogs = downloadLogs
    self.version = version
    links = [log, journal].map(Self.links)
  }

  /// None of what cannot be asked.
  private static func links(of file: CInt) -> UInt {
    var status = stat()
    guard file >= 0, unsafe csqlite_status(file, &status) == 0 else { return 0 }
    return UInt(status.st_nlink)
  }

  /// What changes whenever a database is written.
  package struct Version: Equatable {
    private let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    /// - Returns: `nil` if the file's status cannot be read.
    package init?(of database: CInt) {
      var status = stat()
      guard unsafe csqlite_status(database, &status) == 0 else { return nil }
      size = Int(status.st_size)
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
  }

  /// Whether nobody has written to the database since it was opened, so that a log or a journal that
  /// was missing then does not matter; and that neither of them has been removed.
  fileprivate var areCurrent: Bool {
    Version(of: database) == version && [log, journal].map(Self.links) == links
  }
}

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
  ///   - deadline: when reading is given up, in milliseconds of `Clock`.
  /// - Throws: `BrowserHistoryFailure` if the database is none of a browser, or a momentary one if the
  ///   browser has written meanwhile: then the files are to be opened anew.
  package func downloads(
    of wanted: [DownloadedFile]?, in files: HistoryFiles, deadline: Int
  ) throws(BrowserHistoryFailure) -> [DownloadRecord] {
    let latest = try ChromiumDownloadLog.downloads(
      files.downloadLogs, browser: files.browser, deadline: deadline)
    let database = try HistoryDatabase(files, deadline: deadline)
    let found: Result<[DownloadRecord], BrowserHistoryFailure> =
      Result { () throws(BrowserHistoryFailure) in
        guard let wanted else { return try find(nil, in: database, latest) }
        var all: [DownloadRecord] = []
        for file in wanted { all += try find(file, in: database, latest) }
        return all
      }
    // What was read in the middle of a change may look damaged.
    if database.isStale || !files.areCurrent { throw .writing }
    return try found.get()
  }

  private func find(
    _ file: DownloadedFile?, in database: HistoryDatabase, _ latest: [DownloadRecord]
  ) throws(BrowserHistoryFailure) -> [DownloadRecord] {
    switch self {
    case .chromium:
      ChromiumDownloads.join(latest, try ChromiumDownloads.find(file, in: database), of: file)
    case .firefox: try FirefoxDownloads.find(file, in: database)
    }
  }
}
