import Foundation
import TestSupport
import Testing

/// What `trace` takes from the databases of browsers.
@Suite struct TraceDownloadTests {
  private let user: BrowserUser

  init() throws { user = try BrowserUser() }

  private var home: TemporaryDirectory { user.home }

  private func trace(_ arguments: String...) throws -> Execution {
    try user.run("trace", arguments)
  }

  @discardableResult
  private func file(_ name: String, modified: Int = 1000) throws -> String {
    try user.file(name, modified: modified)
  }

  @discardableResult
  private func record(
    _ kind: String, _ profile: String, _ file: String, url: String = "https://files.example.com/a",
    more: String = ""
  ) throws -> String {
    try user.record(kind, profile, file, url: url, more: more)
  }

  /// The list of profiles that Firefox has.
  private func list(_ directory: String, _ lines: String) throws {
    let path = home.path(directory)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try lines.write(toFile: path + "/profiles.ini", atomically: false, encoding: .utf8)
  }

  private static let page = #", "page": "https://example.com/page""#

  @Test func chromiumsDownloadIsShownBelowTheMarks() throws {
    try file("Downloads/a.pdf")
    let database = try record(
      "chromium", ".config/chromium/Profile 1", "Downloads/a.pdf",
      more: Self.page + #", "first": "https://example.com/go""#)
    let former = try FileState(database)
    #expect(try Execution.run(["touch", "-a", "-d", "2020-01-01", database]).status == 0)
    let times = try Execution.run(["stat", "-c", "%X %Y %Z", database]).text
    let names = try FileManager.default.contentsOfDirectory(
      atPath: home.path(".config/chromium/Profile 1"))
    let execution = try trace("Downloads/a.pdf")
    #expect(
      execution.text == """
        Downloads/a.pdf: downloaded from files.example.com by "Chromium" on 1970-01-01
          Download     "https://files.example.com/a", asked for as "https://example.com/go", \
        linked from "https://example.com/page", by "Chromium", 1970-01-01T00:16:40Z
            \(escapedWord(database)) (recorded by path; may describe an earlier file at this path)

        """)
    #expect(execution.errors == "")
    #expect(execution.status == 0)
    #expect(try Execution.run(["stat", "-c", "%X %Y %Z", database]).text == times)
    #expect(try FileState(database) == former)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: home.path(".config/chromium/Profile 1"))
        == names)
    // What stands on the file counts more.
    #expect(try Docsource.tag(home.path("Downloads/a.pdf")).status == 0)
    let both = try trace("Downloads/a.pdf").text.split(separator: "\n")
    #expect(
      both.first == """
        Downloads/a.pdf: from "Working Copy", downloaded from files.example.com by "Chromium" on \
        1970-01-01
        """)
    #expect(both.dropFirst().first?.hasPrefix("  Source ") == true)
  }

  /// Chromium has a download in a log before it is in its database.
  @Test func downloadIsShownBeforeItsDatabaseHasIt() throws {
    try file("Downloads/a.pdf")
    let profile = ".config/chromium/Default"
    let database = try record("chromium", profile, "other", more: #", "size": 5"#)
    let log = try record(
      "chromium-log", profile + "/shared_proto_db", "Downloads/a.pdf",
      more: Self.page + #", "first": "https://example.com/go""#)
    let former = try FileState(log)
    func text(_ location: String) -> String {
      """
      Downloads/a.pdf: downloaded from files.example.com by "Chromium" on 1970-01-01
        Download     "https://files.example.com/a", asked for as "https://example.com/go", \
      linked from "https://example.com/page", by "Chromium", 1970-01-01T00:16:40Z
          \(location) (recorded by path; may describe an earlier file at this path)

      """
    }
    let execution = try trace("Downloads/a.pdf")
    #expect(execution.text == text(log))
    #expect(execution.errors == "")
    #expect(try FileState(log) == former)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: home.path(profile + "/shared_proto_db"))
    #expect(names == ["000003.log"])
    // Those of trees, too.
    #expect(
      try trace("-r", "--records", "Downloads").text.hasPrefix(
        "Downloads/a.pdf: downloaded from files.example.com by \"Chromium\" on 1970-01-01\n"))
    try record(
      "chromium", profile, "Downloads/a.pdf",
      more: Self.page + #", "first": "https://example.com/go""#)
    #expect(try trace("Downloads/a.pdf").text == text(database))
  }

  @Test func lastTwoLogsOfTheUserAreRead() throws {
    try file("a")
    let profile = ".config/chromium/Default"
    try record("chromium", profile, "other", more: #", "size": 5"#)
    let log = try record("chromium-log", profile + "/shared_proto_db", "a")
    func found(among names: String...) throws -> Bool {
      for name in names { try home.file(profile + "/shared_proto_db/" + name, "") }
      let execution = try trace("a")
      #expect(
        execution.errors == (execution.status == 0 ? "" : "docsource: a: no mark of origin\n"))
      return execution.status == 0
    }
    #expect(try found())
    #expect(try found(among: "000001.log", "000002.log", "LOG", "000009.ldb"))
    #expect(try found(among: "copy of 000001.log", "copy of 000002.log"))
    #expect(try found(among: "1000000.log"))
    #expect(try !found(among: "999999.log"))
    unlink(home.path(profile + "/shared_proto_db/1000000.log"))
    #expect(try found())
    let last = home.path(profile + "/shared_proto_db/1000001.log")
    #expect(rename(log, last) == 0)
    #expect(try found(among: "999998.log"))
    guard geteuid() == 0 else { return }
    chown(last, 12345, 12345)
    #expect(try !found())
  }

  /// The record is one that Chromium wrote, of a file elsewhere.
  @Test func lastTwoTablesAreRead() throws {
    try record("chromium", ".config/chromium/Default", "other", more: #", "size": 5"#)
    let directory = ".config/chromium/Default/shared_proto_db"
    try FileManager.default.createDirectory(
      atPath: home.path(directory), withIntermediateDirectories: true)
    try home.write(Fixture.bytes("DownloadLog/chromium.ldb"), to: directory + "/000024.ldb")
    try home.write([UInt8](repeating: 7, count: 40_000), to: "a")
    #expect(try Execution.run(["touch", "-d", "@1795864246", home.path("a")]).status == 0)
    let expected = "a: probably downloaded from 127.0.0.1 by \"Chromium\" on 2026-11-28\n"
    #expect(try trace("a").text.hasPrefix(expected))
    try home.file(directory + "/000025.ldb", "")
    #expect(try trace("a").text.hasPrefix(expected))
    try home.file(directory + "/000026.ldb", "")
    #expect(try trace("a").errors == "docsource: a: no mark of origin\n")
  }

  /// A database's path as `trace` shows it: its name has a space.
  private func escapedWord(_ path: String) -> String { "\"\(path)\"" }

  @Test func jsonHasTheRecord() throws {
    try file("Downloads/a.pdf")
    try list(".mozilla/firefox", "[Profile0]\nIsRelative=1\nPath=x.default\n")
    let database = try record(
      "firefox", ".mozilla/firefox/x.default", "Downloads/a.pdf", more: Self.page)
    #expect(
      try trace("--json", "Downloads/a.pdf").text == """
        {"file":"Downloads/a.pdf","origin":{"url":"https://files.example.com/a",\
        "host":"files.example.com","referrer":"https://example.com/page","agent":"Firefox",\
        "downloaded":"1970-01-01T00:16:40Z"},"marks":[{"mark":"download-record",\
        "carrier":"\(database)","form":"browser","trust":"record","value":\
        {"url":"https://files.example.com/a","firstURL":"https://files.example.com/a",\
        "page":"https://example.com/page","browser":"Firefox","path":"\(home.path("Downloads/a.pdf"))",\
        "time":"1970-01-01T00:16:40Z","size":4,"match":"path"},\
        "bytes":"aHR0cHM6Ly9maWxlcy5leGFtcGxlLmNvbS9h"}],"contradictions":[],"flaws":[]}

        """)
    #expect(try trace("--raw", database, "Downloads/a.pdf").text == "https://files.example.com/a")
  }

  @Test func movedFileIsProbablyADownload() throws {
    try file("elsewhere", modified: 1009)
    let database = try record("chromium", ".config/chromium/Default", "Downloads/a.pdf")
    #expect(
      try trace("elsewhere").text == """
        elsewhere: probably downloaded from files.example.com by "Chromium" on 1970-01-01
          Download     "https://files.example.com/a", by "Chromium", 1970-01-01T00:16:40Z, then at \
        "\(home.path("Downloads/a.pdf"))"
            \(database) (recorded on this computer of a file of the same size and time, likely this \
        one)

        """)
    let json = try trace("--json", "elsewhere").text
    #expect(json.contains(#""downloaded":"1970-01-01T00:16:40Z","likely":true}"#))
    #expect(json.contains(#""match":"content"}"#))
    // A copy is none, nor is another file: the download is where it was put.
    try file("Downloads/a.pdf", modified: 3000)
    #expect(try trace("elsewhere").errors == "docsource: elsewhere: no mark of origin\n")
    unlink(home.path("Downloads/a.pdf"))
    guard geteuid() == 0 else { return }
    // Another user's file is not.
    chown(home.path("elsewhere"), 12345, 12345)
    #expect(try trace("elsewhere").errors == "docsource: elsewhere: no mark of origin\n")
    try record("chromium", ".config/chromium/Default", "elsewhere")
    #expect(try trace("elsewhere").text.hasPrefix("elsewhere: downloaded from files.example.com"))
  }

  /// Another file may be there now.
  @Test func fileThatWasChangedSinceIsProbablyADownload() throws {
    try file("a", modified: 90_000)
    try record("chromium", ".config/chromium/Default", "a")
    #expect(try trace("a").text.hasPrefix("a: probably downloaded from files.example.com by"))
    #expect(try trace("--json", "a").text.contains(#""match":"place"}"#))
    #expect(try user.run("adopt", ["--infer", "a"]).text == "a: unchanged\n")
    // Earlier records of other sizes do not hide it.
    for size in 5...40 {
      try record(
        "chromium", ".config/chromium/Default", "a", more: #", "end": 95000, "size": \#(size)"#)
    }
    #expect(try trace("a").text.hasPrefix("a: probably downloaded from files.example.com by"))
  }

  /// The tab of such a download has the address of the download.
  @Test func addressThatWasTypedIsNoPage() throws {
    try file("a")
    try record(
      "chromium", ".config/chromium/Default", "a",
      more: #", "first": "https://example.com/go", "page": "https://example.com/go""#)
    let text = try trace("a").text
    #expect(text.contains("asked for as \"https://example.com/go\", by \"Chromium\""), "\(text)")
    #expect(!text.contains("linked from"))
  }

  @Test(arguments: ["", "CREATE TABLE meta (key, value);"])
  func databaseThatIsJustBeingMadeHasNoDownloads(_ statements: String) throws {
    try file("a")
    let profile = home.path(".config/chromium/Default")
    try FileManager.default.createDirectory(atPath: profile, withIntermediateDirectories: true)
    let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])"
    try home.file(".config/chromium/Default/History", "")
    #expect(
      try Execution.run(["python3", "-c", script, profile + "/History", statements]).status == 0)
    let execution = try trace("a")
    #expect(execution.errors == "docsource: a: no mark of origin\n")
    #expect(execution.status == 1)
  }

  @Test(arguments: [
    ("chromium", ".config/chromium/Default", "Chromium"),
    ("chromium", ".config/chromium/Profile 2", "Chromium"),
    ("chromium", ".config/google-chrome/Default", "Google Chrome"),
    ("chromium", ".config/BraveSoftware/Brave-Browser/Default", "Brave"),
    ("chromium", ".config/microsoft-edge/Default", "Microsoft Edge"),
    ("chromium", ".config/vivaldi/Default", "Vivaldi"), ("chromium", ".config/opera", "Opera"),
    ("chromium", ".var/app/org.chromium.Chromium/config/chromium/Default", "Chromium"),
    ("chromium", ".var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser/Default", "Brave"),
    ("chromium", "snap/chromium/common/chromium/Default", "Chromium"),
    ("firefox", ".mozilla/firefox", "Firefox"), ("firefox", ".config/mozilla/firefox", "Firefox"),
    ("firefox", ".librewolf", "LibreWolf"),
    ("firefox", ".var/app/org.mozilla.firefox/.mozilla/firefox", "Firefox"),
    ("firefox", ".var/app/io.gitlab.librewolf-community/.librewolf", "LibreWolf"),
    ("firefox", "snap/firefox/common/.mozilla/firefox", "Firefox"),
  ])
  func everyBrowserIsAsked(_ kind: String, _ place: String, _ name: String) throws {
    try file("Downloads/a.pdf")
    if kind == "firefox" { try list(place, "[Profile0]\nPath=one\n[Profile1]\nPath=../other\n") }
    let profile = kind == "firefox" ? place + "/../other" : place
    if kind == "firefox" { mkdir(home.path(place), 0o755) }
    try record(kind, profile, "Downloads/a.pdf")
    #expect(
      try trace("Downloads/a.pdf").text.split(separator: "\n").first
        == "Downloads/a.pdf: downloaded from files.example.com by \"\(name)\" on 1970-01-01")
  }

  @Test func profileOfAnAbsolutePathIsRead() throws {
    try file("a")
    try list(".mozilla/firefox", "[Profile3]\nIsRelative=0\nPath=\(home.path("profile"))\n")
    try record("firefox", "profile", "a")
    #expect(try trace("a").text.hasPrefix("a: downloaded from files.example.com by \"Firefox\""))
  }

  @Test func treesAreSearchedWhereThatIsAskedFor() throws {
    for number in 1...3 {
      try file("Downloads/\(number)", modified: 1000 * number)
      try record(
        "chromium", ".config/chromium/Default", "Downloads/\(number)",
        url: "https://\(number == 3 ? "two" : "one").example/x",
        more: #", "end": \#(1000 * number)"#)
    }
    try file("Downloads/4", modified: 9000)
    let plain = try trace("-r", "Downloads")
    #expect(plain.text == "0 files with marks of origin, 5 without\n")
    #expect(plain.status == 1)
    let records = try trace("-r", "--records", "--threads=1", "Downloads")
    #expect(
      records.text.split(separator: "\n").sorted() == [
        "1  ###############                 two.example",
        "2  ##############################  one.example",
        "3 files with marks of origin, 2 without", "By host:",
        "Downloads/1: downloaded from one.example by \"Chromium\" on 1970-01-01",
        "Downloads/2: downloaded from one.example by \"Chromium\" on 1970-01-01",
        "Downloads/3: downloaded from two.example by \"Chromium\" on 1970-01-01",
      ])
    #expect(records.status == 0)
    // Several files are each asked for, too.
    #expect(try trace("Downloads/1", "Downloads/3").text.contains("two.example"))
  }

  @Test func recordsAreLeftOutWhereThatIsAskedFor() throws {
    try file("a")
    try record("chromium", ".config/chromium/Default", "a")
    #expect(try trace("--no-records", "a").errors == "docsource: a: no mark of origin\n")
    #expect(try trace("--records", "a").text.hasPrefix("a: downloaded from"))
    let both = try trace("--records", "--no-records", "a")
    #expect(
      both.errors.hasPrefix("docsource: trace: --records and --no-records cannot be combined;"))
    #expect(both.status == 64)
  }

  @Test func damagedDatabaseIsAFailureThatStopsNothing() throws {
    try file("a")
    try record("chromium", ".config/vivaldi/Default", "a")
    let profile = home.path(".config/chromium/Default")
    try FileManager.default.createDirectory(atPath: profile, withIntermediateDirectories: true)
    let database = try home.file(
      ".config/chromium/Default/History", String(repeating: "no database ", count: 200))
    let execution = try trace("a")
    #expect(execution.text.hasPrefix("a: downloaded from files.example.com by \"Vivaldi\""))
    #expect(
      execution.errors
        == "docsource: \(database): cannot read records: file is not a database\n")
    #expect(execution.status == 2)
  }

  /// None of these is opened, or it is not read: nothing is said of them.
  @Test func whatIsNoFileOfTheUserIsPassedOver() throws {
    try file("a")
    let database = try record("chromium", ".config/chromium/Default", "a")
    let expected = "docsource: a: no mark of origin\n"
    if geteuid() == 0 {
      chown(database, 12345, 12345)
      #expect(try trace("a").errors == expected)
      symlink(database, home.path(".config/chromium/History"))
      #expect(try trace("a").errors == expected)
    }
    unlink(database)
    mkfifo(database, 0o600)
    #expect(try trace("a").errors == expected)
    unlink(database)
    mkdir(database, 0o700)
    #expect(try trace("a").errors == expected)
  }

  @Test func hugeDatabaseIsReadLikeASmallOne() throws {
    try file("a")
    let database = try record("chromium", ".config/chromium/Default", "a")
    #expect(truncate(database, 3 << 30) == 0)
    #expect(try trace("a").text.hasPrefix("a: downloaded from files.example.com by \"Chromium\""))
  }

  @Test func untrustedTextIsEscaped() throws {
    try file("Downloads/a\u{1b}[2J")
    let name = #"Downloads/a\u001b[2J"#
    try record(
      "chromium", ".config/chromium/Default", home.root + "/" + name,
      url: #"https://ex\u001b[31m\u202eample.com/\"x"#)
    let execution = try trace("Downloads/a\u{1b}[2J")
    #expect(!execution.text.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{202e}" })
    #expect(execution.text.contains(#""https://ex\x1b[31m\u{202e}ample.com/\"x""#))
  }

  /// A database may be in the way for as long as it likes: docsource-records has a second.
  @Test func databaseThatTakesLongIsGivenUp() throws {
    try file("a")
    let database = try record("chromium", ".config/chromium/Default", "a")
    let run = try Execution.run([
      "python3", "-c",
      """
      import sqlite3, sys
      d = sqlite3.connect(sys.argv[1])
      d.execute("DROP TABLE downloads")
      d.execute("CREATE TABLE downloads (id INTEGER PRIMARY KEY, end_time INTEGER, total_bytes INTEGER,"
                " tab_url, referrer, state INTEGER, target_path AS (hex(zeroblob(end_time))))")
      d.execute("INSERT INTO downloads (end_time, total_bytes, state) WITH RECURSIVE n(i) AS (SELECT 1"
                " UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT 100000, 4, 1 FROM n")
      d.commit()
      """, database,
    ])
    #expect(run.status == 0)
    let execution = try trace("a")
    #expect(
      execution.errors == """
        docsource: a: no mark of origin
        docsource: \(database): cannot read records: reading took too long

        """)
    #expect(execution.status == 2)
  }

  @Test func companionKeepsNoDescriptorButDatabasesAndOpensNothing() throws {
    try file("a")
    try record("chromium", ".config/chromium/Default", "a")
    let log = home.path("calls")
    let run = try Execution.run(
      [
        "strace", "-f", "-y", "-o", log, "-e",
        "trace=openat,open,socket,connect,seccomp,close_range,pread64,pwrite64,write,execve",
        Docsource.path, "trace", "a",
      ], in: home.root, environment: user.environment)
    #expect(run.status == 0)
    let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    guard let start = calls.firstIndex(where: { $0.contains("seccomp(") }) else {
      Issue.record("there is no filter")
      return
    }
    let process = calls[start].prefix { $0 != " " }
    let later = calls[start...].dropFirst().filter { $0.hasPrefix(process) }
    #expect(later.contains { $0.contains("pread64(3<") && $0.contains("/History>") })
    // SQLite asks for random bytes, and does without.
    let refused = later.filter { $0.contains("EPERM") }
    #expect(refused.allSatisfy { $0.contains("/dev/urandom") })
    for line in later where !refused.contains(line) && !line.contains("+++") {
      #expect(line.contains("pread64(") || line.contains("write(1<"), "\(line)")
    }
  }

  @Test func companionRefusesOtherQuestions() throws {
    let records = Docsource.path + "-records"
    for input in ["", "x", "\0\0\0\u{4}\0\0\0\0"] {
      let run = try Execution.run([records], input: Array(input.utf8))
      #expect(
        run.errors
          == "docsource: docsource-records is run by docsource, with a question on standard"
          + " input\n")
      #expect(run.status == 64)
    }
  }
}
