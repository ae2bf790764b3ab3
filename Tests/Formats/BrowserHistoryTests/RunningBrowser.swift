import BrowserHistory
import DatabaseSnapshot
import ForeignFormats
import Foundation
import Glibc
import LinuxSystem
import TestSupport

/// A program that has a browser's database open, as a browser that runs has, and does with it what it is
/// asked for.
final class RunningBrowser {
  private static let script = """
    import sqlite3, sys
    database = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=0)
    for line in sys.stdin:
        try:
            for _ in database.execute(line): pass
            print("ok", flush=True)
        except Exception as error:
            print(error, flush=True)
    """

  let kind: BrowserHistory
  let path: String
  private let process: RunningProcess
  private let commands: CInt
  private let answers: CInt

  init(_ kind: BrowserHistory, in place: TemporaryDirectory) throws {
    self.kind = kind
    path = place.path(kind == .chromium ? "History" : "places.sqlite")
    let names = ["commands", "answers"].map { place.path("\(kind)-\($0)") }
    for name in names { guard mkfifo(name, 0o600) == 0 else { throw POSIXError(.EIO) } }
    // To be read and written, so that opening waits for nobody.
    commands = open(names[0], O_RDWR | O_CLOEXEC)
    answers = open(names[1], O_RDWR | O_CLOEXEC)
    process = try RunningProcess(
      [
        "sh", "-c", "exec python3 -c \"$1\" \"$2\" <'\(names[0])' >'\(names[1])'", "sh",
        Self.script, path,
      ]
      .map { Array($0.utf8) })
    // As the browsers do: Chromium locks the database for itself, Firefox has a log.
    try run(
      kind == .chromium
        ? ["PRAGMA locking_mode = EXCLUSIVE", "PRAGMA journal_mode = TRUNCATE"]
        : ["PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0"])
    try run(kind == .chromium ? Self.chromium : Self.firefox)
  }

  deinit { end() }

  private var hasEnded = false

  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    process.kill(SIGKILL)
    _ = process.wait()
    close(commands)
    close(answers)
  }

  /// Has it carry out statements, each of one line.
  func run(_ statements: [String]) throws {
    for statement in statements {
      let line = Array((statement.replacing("\n", with: " ") + "\n").utf8)
      guard write(commands, line, line.count) == line.count else { throw POSIXError(.EIO) }
      let text = try answer()
      guard text == "ok" else { throw Failure(description: "\(statement): \(text)") }
    }
  }

  /// A line of what it writes.
  private func answer() throws -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(answers, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    throw POSIXError(.EIO)
  }

  struct Failure: Error, CustomStringConvertible { let description: String }

  /// What the history says of a file, and how that was found.
  func match(
    _ path: String, size: Int64 = 4, modified: Double = 1000
  ) throws -> (record: DownloadRecord, match: DownloadRecord.Match)? {
    let file = DownloadedFile(path: Array(path.utf8), size: size, modified: modified)
    return DownloadRecords(try Self.downloads(kind, self.path, file)).record(of: file)
  }

  /// The downloads that may be a file's.
  func downloads(
    of path: String, size: Int64 = 4, modified: Double = 1000, within milliseconds: Int = 1000
  ) throws(DatabaseFailure) -> [DownloadRecord] {
    try Self.downloads(
      kind, self.path, DownloadedFile(path: Array(path.utf8), size: size, modified: modified),
      within: milliseconds)
  }

  static func downloads(
    _ kind: BrowserHistory, _ path: String, _ file: DownloadedFile?,
    within milliseconds: Int = 1000,
    logs: [MemoryFile] = []
  ) throws(DatabaseFailure) -> [DownloadRecord] {
    let deadline = Clock.milliseconds + milliseconds
    while true {
      let database = open(path, O_RDONLY | O_CLOEXEC)
      defer { if database >= 0 { close(database) } }
      guard let version = DatabaseFiles.Version(of: database) else {
        throw DatabaseFailure("no database")
      }
      let others = ["-wal", "-journal"].map { open(path + $0, O_RDONLY | O_CLOEXEC) }
      defer { for one in others where one >= 0 { close(one) } }
      do throws(DatabaseFailure) {
        return try kind.downloads(
          of: file.map { [$0] },
          in: DatabaseFiles(
            writer: "\(kind)", path: Array(path.utf8), database: database, version,
            log: others[0], journal: others[1]),
          logs: logs.map { DownloadLog(path: Array("log".utf8), file: $0.descriptor) },
          deadline: deadline)
      } catch {
        guard error.isMomentary, Clock.milliseconds < deadline else { throw error }
        usleep(5000)
      }
    }
  }

  /// Records a download that has ended at a time, in seconds since 1970.
  func record(
    _ number: Int, _ file: String, size: Int = 4, end: Int = 1000, isDone: Bool = true
  ) throws {
    switch kind {
    case .chromium:
      let time = (end + 11_644_473_600) * 1_000_000
      try run([
        """
        INSERT INTO downloads VALUES (\(number), '\(file)', '\(file)', \(time), \(time), \(size),
        \(size), \(isDone ? 1 : 0), 'https://example.com/page', 'https://example.com/')
        """,
        "INSERT INTO downloads_url_chains VALUES (\(number), 0, 'https://example.com/go')",
        "INSERT INTO downloads_url_chains VALUES (\(number), 1, 'https://files.example.com/a')",
      ])
    case .firefox:
      let uri = URL(filePath: file).absoluteString
      try run([
        "INSERT INTO moz_places VALUES (\(number), 'https://files.example.com/\(number)')",
        "INSERT INTO moz_places VALUES (\(number + 1), 'https://example.com/page')",
        "INSERT INTO moz_historyvisits VALUES (\(number + 1), 0, \(number + 1), 0, 1)",
        "INSERT INTO moz_historyvisits VALUES (\(number), \(number + 1), \(number), 0, 7)",
        "INSERT INTO moz_annos VALUES (\(number), \(number), 1, '\(uri)', \(end * 1_000_000))",
        """
        INSERT INTO moz_annos VALUES (\(number + 1), \(number), 2,
        '{"state":\(isDone ? 1 : 3),"endTime":\(end * 1000),"fileSize":\(size)}', 0)
        """,
      ])
    }
  }

  private static let chromium = [
    """
    CREATE TABLE downloads (id INTEGER PRIMARY KEY, current_path LONGVARCHAR NOT NULL,
    target_path LONGVARCHAR NOT NULL, start_time INTEGER NOT NULL, end_time INTEGER NOT NULL,
    received_bytes INTEGER NOT NULL, total_bytes INTEGER NOT NULL, state INTEGER NOT NULL,
    tab_url VARCHAR NOT NULL, referrer VARCHAR NOT NULL)
    """,
    """
    CREATE TABLE downloads_url_chains (id INTEGER NOT NULL, chain_index INTEGER NOT NULL,
    url LONGVARCHAR NOT NULL, PRIMARY KEY (id, chain_index))
    """,
  ]

  private static let firefox = [
    "CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url LONGVARCHAR)",
    """
    CREATE TABLE moz_historyvisits (id INTEGER PRIMARY KEY, from_visit INTEGER, place_id INTEGER,
    visit_date INTEGER, visit_type INTEGER)
    """,
    "CREATE TABLE moz_anno_attributes (id INTEGER PRIMARY KEY, name VARCHAR(32) UNIQUE NOT NULL)",
    """
    CREATE TABLE moz_annos (id INTEGER PRIMARY KEY, place_id INTEGER NOT NULL,
    anno_attribute_id INTEGER, content LONGVARCHAR, dateAdded INTEGER DEFAULT 0)
    """,
    "INSERT INTO moz_anno_attributes VALUES (1, 'downloads/destinationFileURI')",
    "INSERT INTO moz_anno_attributes VALUES (2, 'downloads/metaData')",
  ]
}
