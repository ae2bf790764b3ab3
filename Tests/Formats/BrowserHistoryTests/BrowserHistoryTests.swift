import DatabaseSnapshot
import ForeignFormats
import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import BrowserHistory

/// What is found in browsers' databases while somebody has them open and writes to them.
@Suite struct BrowserHistoryTests {
  private let place: TemporaryDirectory

  init() throws { place = try TemporaryDirectory() }

  @Test(arguments: BrowserHistory.allCases)
  func downloadIsFoundWhileTheBrowserRunsAndAfterThat(_ kind: BrowserHistory) throws {
    let browser = try RunningBrowser(kind, in: place)
    try browser.record(10, "/home/anna/Downloads/a b.pdf")
    try browser.record(20, "/home/anna/Downloads/other.pdf")
    let expected = DownloadRecord(
      browser: "\(kind)", database: Array(browser.path.utf8),
      path: Array("/home/anna/Downloads/a b.pdf".utf8),
      firstURL: kind == .chromium ? "https://example.com/go" : "https://files.example.com/10",
      url: kind == .chromium ? "https://files.example.com/a" : "https://files.example.com/10",
      page: "https://example.com/page", end: 1000, size: 4)
    let names = ["", "-wal", "-journal"].map { browser.path + $0 }
    let former = names.map { try? FileState($0) }
    #expect(try browser.match("/home/anna/Downloads/a b.pdf")?.record == expected)
    #expect(names.map { try? FileState($0) } == former)
    // The browser meets no lock, either.
    try browser.record(30, "/home/anna/third.pdf")
    #expect(try browser.match("/home/anna/third.pdf")?.match == .path)
    browser.end()
    #expect(try browser.match("/home/anna/Downloads/a b.pdf")?.record == expected)
    #expect(try browser.match("/home/anna/third.pdf")?.match == .path)
    #expect(try RunningBrowser.downloads(kind, browser.path, nil).count == 3)
  }

  @Test(arguments: BrowserHistory.allCases)
  func fileThatWasMovedIsFoundBySizeAndTime(_ kind: BrowserHistory) throws {
    let browser = try RunningBrowser(kind, in: place)
    try browser.record(10, "/home/anna/one", size: 70, end: 5000)
    try browser.record(20, "/home/anna/two", size: 70, end: 5020)
    func found(_ path: String, _ size: Int64, _ modified: Double) throws -> String? {
      try browser.match(path, size: size, modified: modified).map {
        "\($0.match) " + String(decoding: $0.record.path, as: UTF8.self)
      }
    }
    #expect(try found("/elsewhere", 70, 4990) == "content /home/anna/one")
    #expect(try found("/elsewhere", 70, 4989.9) == nil)
    #expect(try found("/elsewhere", 71, 5000) == nil)
    // The nearest of several.
    #expect(try browser.downloads(of: "/elsewhere", size: 70, modified: 5010).count == 2)
    #expect(try found("/elsewhere", 70, 5010.1) == "content /home/anna/two")
    #expect(try found("/elsewhere", 70, 5009.9) == "content /home/anna/one")
    // What was changed since is not what was downloaded; where the file is counts more than the rest.
    #expect(try found("/home/anna/one", 71, 5000) == nil)
    #expect(try found("/home/anna/two", 70, 5015) == "path /home/anna/two")
  }

  /// Chromium notes a download in a log at once, and in its database some seconds later.
  @Test func downloadThatHistoryDoesNotHaveYetIsFound() throws {
    let browser = try RunningBrowser(.chromium, in: place)
    var log = WrittenLog()
    log.record("/home/anna/new", url: "https://example.com/new", end: 1000.0005)
    let file = try MemoryFile(log.bytes)
    func found(_ path: String?) throws -> [String] {
      let wanted = path.map { DownloadedFile(path: Array($0.utf8), size: 4, modified: 1000) }
      return try RunningBrowser.downloads(.chromium, browser.path, wanted, logs: [file]).map {
        "\(String(decoding: $0.database, as: UTF8.self) == browser.path) \($0.url ?? "")"
      }
    }
    #expect(try found("/home/anna/new") == ["false https://example.com/new"])
    #expect(try found("/home/anna/moved") == ["false https://example.com/new"])
    #expect(try found(nil) == ["false https://example.com/new"])
    // The file there was downloaded before.
    try browser.record(10, "/home/anna/new", end: 990)
    #expect(
      try found("/home/anna/new")
        == ["false https://example.com/new", "true https://files.example.com/a"])
    #expect(try found(nil).count == 2)
    // The same, with microseconds.
    try browser.record(20, "/home/anna/new")
    #expect(
      try found("/home/anna/new")
        == ["true https://files.example.com/a", "true https://files.example.com/a"])
    #expect(try found(nil).count == 2)
  }

  @Test func manyDownloadsOfLogsLeaveRoomForThatOfThePath() throws {
    let browser = try RunningBrowser(.chromium, in: place)
    try browser.record(10, "/home/anna/first")
    var log = WrittenLog()
    log.record("/home/anna/new", end: 1000)
    for number in 1...40 { log.record("/home/anna/\(number)", end: 1001) }
    let file = try MemoryFile(log.bytes)
    func found(_ path: String) throws -> [DownloadRecord] {
      try RunningBrowser.downloads(
        .chromium, browser.path,
        DownloadedFile(path: Array(path.utf8), size: 4, modified: 1000), logs: [file])
    }
    let new = try found("/home/anna/new")
    #expect(new.count == 17)
    #expect(new.first?.path == Array("/home/anna/new".utf8))
    #expect(try found("/home/anna/first").last?.path == Array("/home/anna/first".utf8))
    // Those of other sizes are of other files.
    let other = DownloadedFile(path: Array("/home/anna/new".utf8), size: 5, modified: 1000)
    #expect(try RunningBrowser.downloads(.chromium, browser.path, other, logs: [file]) == [])
  }

  @Test(arguments: BrowserHistory.allCases)
  func downloadThatIsNotFinishedCountsForNothing(_ kind: BrowserHistory) throws {
    let browser = try RunningBrowser(kind, in: place)
    try browser.record(10, "/home/anna/part", isDone: false)
    #expect(try browser.downloads(of: "/home/anna/part") == [])
  }

  /// Firefox notes size and end of a download later.
  @Test func downloadWithoutDetailsIsFoundByItsPath() throws {
    let browser = try RunningBrowser(.firefox, in: place)
    try browser.record(10, "/home/anna/new", size: 99, end: 3000)
    try browser.run(["DELETE FROM moz_annos WHERE anno_attribute_id = 2"])
    let found = try browser.match("/home/anna/new", size: 70, modified: 3000)
    #expect(found?.match == .path)
    #expect(found?.record.end == 3000)
    #expect(found?.record.size == nil)
    #expect(try browser.downloads(of: "/elsewhere", size: 70, modified: 3000) == [])
  }

  @Test(arguments: BrowserHistory.allCases)
  func transactionThatIsNotOverIsNotSeen(_ kind: BrowserHistory) throws {
    let browser = try RunningBrowser(kind, in: place)
    try browser.record(10, "/home/anna/first")
    // Pages go to the file, or the log, before the transaction is over.
    try browser.run(["PRAGMA cache_size = 1", "PRAGMA cache_spill = 1", "BEGIN IMMEDIATE"])
    let size = try FileState(browser.path + (kind == .firefox ? "-wal" : "")).size
    if kind == .firefox {
      // Pages that a transaction writes once have frames that are right already.
      try browser.run([
        """
        INSERT INTO moz_places WITH RECURSIVE n(i) AS (SELECT 10000 UNION ALL SELECT i + 1 FROM n
        WHERE i < 20000) SELECT i, 'https://example.com/' || i FROM n
        """
      ])
      #expect(try browser.match("/home/anna/first")?.match == .path)
    }
    for number in 1...200 { try browser.record(20 + 10 * number, "/home/anna/\(number)") }
    #expect(try FileState(browser.path + (kind == .firefox ? "-wal" : "")).size > size)
    if kind == .firefox {
      #expect(try browser.downloads(of: "/home/anna/7", modified: 0) == [])
      #expect(try browser.match("/home/anna/first")?.match == .path)
    } else {
      #expect(throws: DatabaseFailure("another program is writing", isMomentary: true)) {
        try browser.downloads(of: "/home/anna/first", within: 50)
      }
    }
    try browser.run(["COMMIT"])
    #expect(try browser.match("/home/anna/7")?.match == .path)
    if kind == .firefox { try browser.run(["PRAGMA wal_checkpoint(TRUNCATE)"]) }
    #expect(try browser.match("/home/anna/7")?.match == .path)
  }

  /// What is added to the log since does not change what is read by it.
  @Test func whatIsWrittenSinceIsNoticed() throws {
    func database(of browser: RunningBrowser) throws -> DatabaseSnapshot {
      let files = ["", "-wal"].map { open(browser.path + $0, O_RDONLY | O_CLOEXEC) }
      return try DatabaseSnapshot(
        DatabaseFiles(
          writer: "", path: [], database: files[0],
          try #require(DatabaseFiles.Version(of: files[0])), log: files[1]), deadline: .max)
    }
    let chromium = try RunningBrowser(.chromium, in: place)
    try chromium.record(10, "/home/anna/first")
    let history = try database(of: chromium)
    #expect(!history.isStale)
    try chromium.run(["UPDATE downloads SET state = 2"])
    #expect(history.isStale)
    let firefox = try RunningBrowser(.firefox, in: place)
    try firefox.record(10, "/home/anna/first")
    let places = try database(of: firefox)
    try firefox.record(20, "/home/anna/second")
    #expect(!places.isStale)
    try firefox.run(["PRAGMA wal_checkpoint(RESTART)"])
    #expect(places.isStale)
    let checkpointed = try database(of: firefox)
    #expect(!checkpointed.isStale)
    // The log begins anew; the database stays as it is.
    try firefox.record(30, "/home/anna/third")
    #expect(checkpointed.isStale)
  }

  /// A journal that was not there when the database was opened says nothing of a transaction since.
  @Test func databaseThatWasWrittenSinceItWasOpenedIsNotRead() throws {
    let browser = try RunningBrowser(.chromium, in: place)
    try browser.record(10, "/home/anna/first")
    unlink(browser.path + "-journal")
    let file = open(browser.path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let version = try #require(DatabaseFiles.Version(of: file))
    let files = DatabaseFiles(writer: "", path: [], database: file, version)
    #expect(
      try BrowserHistory.chromium.downloads(of: nil, in: files, deadline: .max).count == 1)
    try browser.record(20, "/home/anna/second")
    #expect(throws: DatabaseFailure("another program is writing", isMomentary: true)) {
      try BrowserHistory.chromium.downloads(of: nil, in: files, deadline: .max)
    }
  }

  @Test(arguments: BrowserHistory.allCases)
  func browserThatWritesAllTheWhileIsReadAtOneMoment(_ kind: BrowserHistory) throws {
    let browser = try RunningBrowser(kind, in: place)
    try browser.record(10, "/home/anna/first")
    let path = browser.path
    let isOver = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    isOver.pointee = 0
    defer { isOver.deallocate() }
    nonisolated(unsafe) let flag = isOver
    let reader = Thread {
      var count = 0
      while flag.pointee == 0 {
        let file = DownloadedFile(path: Array("/home/anna/first".utf8), size: 4, modified: 1000)
        let found = (try? RunningBrowser.downloads(kind, path, file)) ?? []
        if DownloadRecords(found).record(of: file)?.match != .path { flag.pointee = 2 }
        count += 1
      }
      if flag.pointee == 1, count < 10 { flag.pointee = 3 }
      flag.pointee += 10
    }
    reader.start()
    for number in 1...300 where isOver.pointee == 0 {
      try browser.record(20 + 10 * number, "/home/anna/\(number)")
      if kind == .firefox, number % 20 == 0 { try browser.run(["PRAGMA wal_checkpoint(RESTART)"]) }
      if number % 50 == 0 { try browser.run(["VACUUM"]) }
    }
    if isOver.pointee == 0 { isOver.pointee = 1 }
    try Patience.wait { isOver.pointee >= 10 }
    #expect(isOver.pointee == 11)
  }
}
