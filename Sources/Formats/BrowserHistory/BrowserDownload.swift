internal import Glibc
internal import LinuxSystem

/// What a browser's history says of a download.
package struct BrowserDownload: Hashable, Sendable {
  /// How a download was found to be of a file.
  package enum Match: Hashable, Sendable {
    /// The browser has put it where the file is.
    case path
    /// It had the file's size, and ended when the file was written; the file is elsewhere now, if it is
    /// that.
    case content
  }

  package let match: Match
  /// Where the browser has put it.
  package let path: [UInt8]
  /// The first and the last address of those that a server has led the browser to.
  package let firstURL: String?
  package let url: String?
  /// The page that the link stood on, or that has made the file.
  package let page: String?
  /// When it ended, in seconds since 1970-01-01T00:00:00Z.
  package let end: Double?
  /// In bytes.
  package let size: Int64?
}

/// A file whose download is looked for.
package struct DownloadedFile: Hashable, Sendable {
  /// Absolute, without links.
  package let path: [UInt8]
  /// In bytes.
  package let size: Int64
  /// When its content was last changed, in seconds since 1970-01-01T00:00:00Z.
  package let modified: Double

  package init(path: [UInt8], size: Int64, modified: Double) {
    self.path = path
    self.size = size
    self.modified = modified
  }

  /// Seconds between the end of a download and the last change of its file, at most: the browser checks
  /// what it has received before it says that it is done.
  static let tolerance = 10.0

  /// How a download is of this file; `nil` if it is of another.
  func match(path: [UInt8], size: Int64?, end: Double?) -> BrowserDownload.Match? {
    // A file that was changed since is not what was downloaded.
    let isOfSize = size == nil || size == self.size
    if path == self.path { return isOfSize ? .path : nil }
    guard let size, let end, size == self.size, size > 0 else { return nil }
    return abs(end - modified) <= Self.tolerance ? .content : nil
  }
}

/// The files of a browser's database, which the reader does not open by itself.
package struct HistoryFiles {
  package let database: CInt
  package let log: CInt
  package let journal: CInt

  /// - Parameters:
  ///   - log: the descriptor of the write-ahead log (`-wal`), or -1 if there is none.
  ///   - journal: that of the rollback journal (`-journal`), or -1.
  package init(database: CInt, log: CInt = -1, journal: CInt = -1) {
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

  /// How long an attempt waits for the next one, in milliseconds.
  private static let pause = 5

  /// Finds the downloads of a file: by its path, the last first, else those that it may be by its size
  /// and time.
  ///
  /// The database is read as it is at one moment, beside the browser: no lock is taken, and none is
  /// waited for.
  ///
  /// - Parameter deadline: when reading is given up, in milliseconds of `Clock`.
  /// - Throws: `BrowserHistoryFailure` if the database is none of a browser, or the browser writes to
  ///   it all the while.
  package func downloads(
    of file: DownloadedFile, in files: HistoryFiles, deadline: Int
  ) throws(BrowserHistoryFailure) -> [BrowserDownload] {
    while true {
      do throws(BrowserHistoryFailure) {
        let database = try HistoryDatabase(
          database: files.database, log: files.log, journal: files.journal, deadline: deadline)
        let found: Result<[BrowserDownload], BrowserHistoryFailure> =
          Result { () throws(BrowserHistoryFailure) in
            switch self {
            case .chromium: try ChromiumDownloads.find(file, in: database)
            case .firefox: try FirefoxDownloads.find(file, in: database)
            }
          }
        // What was read in the middle of a change may look damaged.
        if database.isStale {
          throw BrowserHistoryFailure("the browser is writing", isMomentary: true)
        }
        let all = try found.get()
        let exact = all.filter { $0.match == .path }
        return exact.isEmpty ? all : exact
      } catch {
        guard error.isMomentary, Clock.milliseconds + Self.pause < deadline else { throw error }
        usleep(UInt32(Self.pause) * 1000)
      }
    }
  }
}
