import BrowserHistory
import DatabaseSnapshot
import ForeignFormats
import Foundation
import TestSupport
import Testing

/// Databases that are not what a browser has written.
@Suite struct HostileHistoryTests {
  private static let file = DownloadedFile(path: Array("/a".utf8), size: 4, modified: 1000)

  private let place: TemporaryDirectory

  init() throws { place = try TemporaryDirectory() }

  private func find(_ kind: BrowserHistory, _ path: String) throws -> [DownloadRecord] {
    try RunningBrowser.downloads(kind, path, Self.file, within: 200)
  }

  @Test(arguments: [
    "CREATE VIEW downloads AS SELECT 1 id, '/a' target_path, 0 end_time, 4 total_bytes, 1 state",
    "CREATE VIRTUAL TABLE downloads USING fts5(id, target_path, end_time, total_bytes, state)",
    "CREATE TABLE other (id)",
  ])
  func whatIsNoTableOfABrowserIsRefused(_ statement: String) throws {
    let browser = try RunningBrowser(.chromium, in: place)
    try browser.run(["DROP TABLE downloads", statement])
    #expect(throws: DatabaseFailure("not the database of chromium")) {
      try find(.chromium, browser.path)
    }
  }

  /// The value of a column may be computed: by functions that take no longer than they are given.
  @Test func computedColumnsAreLimited() throws {
    let browser = try RunningBrowser(.chromium, in: place)
    try browser.run([
      "DROP TABLE downloads",
      """
      CREATE TABLE downloads (id INTEGER PRIMARY KEY, end_time INTEGER, total_bytes INTEGER,
      tab_url, referrer, state INTEGER, target_path AS (hex(zeroblob(end_time))))
      """,
      "INSERT INTO downloads (end_time, total_bytes, state) VALUES (10000000, 4, 1)",
    ])
    #expect(throws: DatabaseFailure("a value, or the write-ahead log, is too large")) {
      try find(.chromium, browser.path)
    }
    try browser.run([
      "UPDATE downloads SET end_time = 100000",
      """
      INSERT INTO downloads (end_time, total_bytes, state) WITH RECURSIVE n(i) AS
      (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT 100000, 4, 1 FROM n
      """,
    ])
    #expect(throws: DatabaseFailure("reading took too long")) {
      try find(.chromium, browser.path)
    }
  }

  @Test func whatIsNoDatabaseIsRefused() throws {
    let text = try place.file(
      "text",
      "This is no database, but long enough to be one. \(String(repeating: "x", count: 9000))")
    #expect(throws: DatabaseFailure("file is not a database")) { try find(.firefox, text) }
    #expect(throws: DatabaseFailure("file is not a database")) {
      try find(.firefox, place.root)
    }
    // One that is just being made.
    #expect(try find(.firefox, try place.file("empty", "")) == [])
  }

  /// A crash would end the tests; an answer is one of those that were there before, or none.
  @Test(arguments: BrowserHistory.allCases, [1 as UInt64, 2])
  func changedBytesDoNoHarm(_ kind: BrowserHistory, _ seed: UInt64) throws {
    let browser = try RunningBrowser(kind, in: place)
    for number in 1...40 {
      try browser.record(10 * number, number == 20 ? "/a" : "/home/\(number)")
    }
    let names = ["", "-wal", "-journal"]
    let originals = names.map { try? Data(contentsOf: URL(filePath: browser.path + $0)) }
    let place = place.path("changed")
    var random = SplitMix(state: seed)
    var answers = 0
    for _ in 0..<400 {
      for (name, original) in zip(names, originals) {
        guard var bytes = original, !bytes.isEmpty else { continue }
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          // Most of what counts stands at the beginning of pages.
          let page = Int.random(in: 0..<max(1, bytes.count / 4096), using: &random) * 4096
          let end = min(bytes.count, page + (Bool.random(using: &random) ? 128 : 4096))
          bytes[Int.random(in: page..<end, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        if Bool.random(using: &random) {
          bytes = bytes.prefix(Int.random(in: 0...bytes.count, using: &random))
        }
        try bytes.write(to: URL(filePath: place + name))
      }
      if let found = try? find(kind, place) { answers += found.count }
    }
    #expect(answers <= 400 * 16)
  }
}
