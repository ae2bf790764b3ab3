internal import CSQLite
internal import Glibc

/// The files of a SQLite database, which the reader does not open by itself.
package struct DatabaseFiles {
  /// The program that writes the database.
  package let writer: String
  package let path: [UInt8]
  package let database: CInt
  package let log: CInt
  package let journal: CInt
  /// The database when it was opened, before the others were: what is not there then may come later.
  private let version: Version
  /// How many names the log and the journal had.
  private let links: [UInt]

  /// - Parameters:
  ///   - version: taken before the log and the journal were looked for.
  ///   - log: the descriptor of the write-ahead log (`-wal`), or -1 if there is none.
  ///   - journal: that of the rollback journal (`-journal`), or -1.
  package init(
    writer: String, path: [UInt8], database: CInt, _ version: Version, log: CInt = -1,
    journal: CInt = -1
  ) {
    self.writer = writer
    self.path = path
    self.database = database
    self.log = log
    self.journal = journal
    self.version = version
    links = [log, journal].map(Self.links)
  }

  /// Those that are open.
  package var descriptors: [CInt] { [database, log, journal].filter { $0 >= 0 } }

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
  package var areCurrent: Bool {
    Version(of: database) == version && [log, journal].map(Self.links) == links
  }
}
