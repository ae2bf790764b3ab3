import DatabaseSnapshot
import ForeignFormats
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import DesktopHistory

/// A database that kactivitymanagerd has written, and others.
@Suite struct ActivityDatabaseTests {
  private let place: TemporaryDirectory

  init() throws { place = try TemporaryDirectory() }

  private static func file(_ path: String) -> DownloadedFile {
    DownloadedFile(path: Array(path.utf8), size: 1, modified: 1)
  }

  private static func record(
    _ path: String, _ application: String, _ first: Double?, _ last: Double?, _ count: Int,
    in database: String
  ) -> DesktopRecord {
    DesktopRecord(
      database: Array(database.utf8), path: Array(path.utf8),
      content: .use(
        RecentUse(application: application, seconds: last, first: first, count: count)))
  }

  @Test func usesOfAFileAreFound() throws {
    let path = Fixture.root.appending(path: "Fixtures/DesktopHistory/kactivitymanagerd-5.27.5").path
    let database = try OpenDatabase(path)
    let letter = "/home/kh/Documents/a b.txt"
    let ofLetter = Self.record(
      letter, "org.kde.kate", 1_795_876_495, 1_795_876_496, 2, in: path)
    #expect(
      try ActivityDatabase.uses(of: [Self.file(letter)], in: database.files, deadline: .max)
        == [ofLetter])
    #expect(
      try ActivityDatabase.uses(of: [Self.file("/home/kh")], in: database.files, deadline: .max)
        == [])
    // The fourth event is of an address.
    #expect(
      try ActivityDatabase.uses(of: nil, in: database.files, deadline: .max) == [
        ofLetter,
        Self.record(
          "/home/kh/Documents/ü.txt", "org.kde.okular", 1_795_876_496, 1_795_876_496, 1, in: path),
      ])
  }

  /// Makes a database by statements of SQL.
  private func made(_ statements: String) throws -> OpenDatabase {
    let path = place.path("database")
    unlink(path)
    let run = try Execution.run([
      "python3", "-c",
      "import sqlite3, sys; sqlite3.connect(sys.argv[1], isolation_level=None).executescript(sys.argv[2])",
      path, statements,
    ])
    #expect(run.errors == "")
    return try OpenDatabase(path)
  }

  private static let table =
    "CREATE TABLE ResourceEvent (usedActivity TEXT, initiatingAgent TEXT, targettedResource TEXT, start INTEGER, end INTEGER);"

  @Test func whatIsNoUseIsPassedOver() throws {
    let database = try made(
      Self.table + """
        INSERT INTO ResourceEvent VALUES
          ('', ':any', '/f', 1, 2), ('', NULL, '/f', 1, 2), ('', 'a', 'f', 1, 2), ('', 'a', NULL, 1, 2),
          ('', 'a', '/f', 'x', NULL), ('', 'b', '/f', -1, 0), ('', 'b', '/f', 5, 4);
        """)
    let name = place.path("database")
    #expect(
      try ActivityDatabase.uses(of: [Self.file("/f")], in: database.files, deadline: .max) == [
        Self.record("/f", "b", 4, 5, 2, in: name), Self.record("/f", "a", nil, nil, 1, in: name),
      ])
  }

  @Test func otherDatabasesAreRefused() throws {
    let empty = try made("CREATE TABLE other (a)")
    #expect(try ActivityDatabase.uses(of: nil, in: empty.files, deadline: .max) == [])
    let view = try made("CREATE VIEW ResourceEvent AS SELECT 1")
    #expect(throws: DatabaseFailure("not the database of the test")) {
      try ActivityDatabase.uses(of: nil, in: view.files, deadline: .max)
    }
    try place.file("database", "no database at all, though some bytes")
    let text = try OpenDatabase(place.path("database"))
    #expect(throws: DatabaseFailure("file is not a database")) {
      try ActivityDatabase.uses(of: nil, in: text.files, deadline: .max)
    }
  }

  @Test func readingEndsAtTheDeadline() throws {
    let database = try made(
      Self.table + """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
        INSERT INTO ResourceEvent SELECT '', 'a', '/f' || i, i, i FROM n;
        """)
    #expect(throws: DatabaseFailure("reading took too long")) {
      try ActivityDatabase.uses(of: nil, in: database.files, deadline: Clock.milliseconds)
    }
  }
}
