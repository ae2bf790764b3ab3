import Foundation
import TestSupport
import Testing

/// What `trace` takes from the databases of KDE's activities, of the document portal and of desktop search.
@Suite struct TraceDesktopTests {
  private let user: BrowserUser

  init() throws { user = try BrowserUser() }

  private static let trust =
    "(recorded by path; may describe an earlier file at this path)"

  /// Notes a use of a file in the database of KDE's activities.
  private func use(_ path: String, _ application: String, _ start: Int, _ end: Int) throws -> String
  {
    let directory = user.home.path("data/kactivitymanagerd/resources")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let script = """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1], isolation_level=None)
      database.execute("PRAGMA journal_mode = WAL")
      database.execute("CREATE TABLE IF NOT EXISTS ResourceEvent (usedActivity TEXT, initiatingAgent TEXT,"
        "targettedResource TEXT, start INTEGER, end INTEGER)")
      database.execute("INSERT INTO ResourceEvent VALUES ('', ?, ?, ?, ?)", sys.argv[2:])
      """
    let run = try Execution.run(
      ["python3", "-c", script, directory + "/database", application, path, "\(start)", "\(end)"])
    #expect(run.errors == "")
    return directory + "/database"
  }

  private func trace(_ arguments: String...) throws -> Execution {
    try user.run("trace", ["--no-embedded"] + arguments)
  }

  @Test func activitiesSayWhoUsedAFile() throws {
    let file = try user.file("a.txt", modified: 2000)
    let database = try use(file, "org.kde.kate", 1000, 2001)
    _ = try use(file, "org.kde.okular", 1500, 1500)
    let execution = try trace("a.txt")
    #expect(execution.errors == "")
    #expect(
      execution.text == """
        a.txt: last written with "org.kde.kate" on 1970-01-01
          Activity     "org.kde.kate", 1970-01-01T00:33:21Z, first 1970-01-01T00:16:40Z, 1 time
            \(database) \(Self.trust)
          Activity     "org.kde.okular", 1970-01-01T00:25:00Z, 1 time
            \(database) \(Self.trust)

        """)
    let json = try trace("--json", "a.txt").text
    #expect(
      json.contains(
        #""value":{"application":"org.kde.kate","first":"1970-01-01T00:16:40Z","#
          + #""time":"1970-01-01T00:33:21Z","count":1}"#))
    #expect(json.contains(#""contradictions":[]"#))
    #expect(try trace("--no-records", "a.txt").errors == "docsource: a.txt: no mark of origin\n")
    let recursive = try trace("-r", "--records", "--exclude=data", ".")
    #expect(recursive.text.hasPrefix("./a.txt: last written with \"org.kde.kate\" on 1970-01-01\n"))
  }

  @Test func portalSaysWhoMayWriteAFile() throws {
    let directory = user.home.path("data/flatpak/db")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let path = try user.home.file("a.txt", "x")
    let table = PortalTable.bytes([
      PortalTable.Document(
        path: path,
        applications: ["org.gnome.TextEditor": ["read", "write"], "org.gimp.GIMP": ["read"]],
        isDirectory: false)
    ])
    try user.home.write(table, to: "data/flatpak/db/documents")
    let execution = try trace("a.txt")
    #expect(
      execution.text == """
        a.txt: marked, but no mark says where the file came from
          Portal       "org.gimp.GIMP", may read
            \(directory)/documents \(Self.trust)
          Portal       "org.gnome.TextEditor", may read, may write
            \(directory)/documents \(Self.trust)

        """)
    #expect(
      try trace("--json", "a.txt").text.contains(
        #""mark":"portal-grant","#))
    try user.home.file("data/flatpak/db/documents", "GVariant")
    let damaged = try trace("a.txt")
    #expect(damaged.status == 2)
    #expect(
      damaged.errors == """
        docsource: a.txt: no mark of origin
        docsource: \(directory)/documents: cannot read records: no table of GVDB, version 0, at byte 0

        """)
  }

  @Test func searchIndexSaysWhatWroteTheContent() throws {
    let path = try user.file("a.odt", modified: 2000)
    let index = user.home.path("cache/tracker3/files")
    let script = Fixture.root.appending(path: "Tests/Scripts/search-index").path
    let made = try Execution.run([
      script, index, "file://" + path, "2000", "LibreOffice/7.4.7.2$Linux",
    ])
    #expect(made.errors == "")
    let environment = user.environment.merging(["XDG_CACHE_HOME": user.home.path("cache")]) { $1 }
    func trace() throws -> Execution {
      try Execution.run(
        [Docsource.path, "trace", "--no-embedded", "a.odt"], in: user.home.root,
        environment: environment)
    }
    let graph = "http%3A%2F%2Ftracker.api.gnome.org%2Fontology%2Fv3%2Ftracker%23Documents.db"
    #expect(
      try trace().text == """
        a.odt: written by "LibreOffice 7.4.7.2"
          Search index by "LibreOffice 7.4.7.2", called "LibreOffice/7.4.7.2$Linux"
            \(index)/\(graph) \(Self.trust)

        """)
    #expect(try Execution.run(["touch", "-d", "@2001", path]).status == 0)
    #expect(try trace().errors == "docsource: a.odt: no mark of origin\n")
  }

  /// Marks in a file's own attributes, in a browser's database and in the desktop's.
  @Test func lifeIsInTheOrderOfTime() throws {
    let path = try user.file("a.txt", modified: 4000)
    let url = "https://files.example.com/a"
    let history = try user.record(
      "firefox", ".mozilla/firefox/x", "a.txt", url: url, more: #", "end": 1000000000, "size": 4"#)
    try user.home.file(
      ".mozilla/firefox/profiles.ini", "[Profile0]\nPath=x\nIsRelative=1\n")
    let activities = try use(path, "org.kde.kate", 2000, 3000)
    let attributes = [
      ("user.xdg.origin.url", url), ("user.xdg.referrer.url", "https://example.com/"),
      ("user.creator", "Pen"),
    ]
    for (name, value) in attributes {
      #expect(try Execution.run(["setfattr", "-n", name, "-v", value, path]).status == 0)
    }
    #expect(try Docsource.run("tag", "-q", "-i", "a.b", "--app-name", "Editor", path).status == 0)
    let execution = try trace("--all", "a.txt")
    #expect(execution.errors == "")
    #expect(
      execution.text == """
        a.txt: from "Editor", downloaded from files.example.com by "Firefox" on 2001-09-09, used with \
        "org.kde.kate" on 1970-01-01 and changed since
          1970-01-01T00:33:20Z  used by "org.kde.kate"
            \(activities) \(Self.trust)
          1970-01-01T00:50:00Z  used by "org.kde.kate"
            \(activities) \(Self.trust)
          1970-01-01T01:06:40Z  content last changed
          2001-09-09T01:46:40Z  downloaded from files.example.com by "Firefox"
            user.xdg.origin.url: "\(url)"
            \(history) \(Self.trust)
          time unknown          from "Editor"
            user.x-document-source
          time unknown          written by "Pen"
            user.creator
          Referrer     "https://example.com/"
            user.xdg.referrer.url

        """)
    let json = try trace("--all", "--json", "a.txt").text
    #expect(
      json.contains(
        #""life":[{"event":"used","time":"1970-01-01T00:33:20Z","program":"org.kde.kate","#
          + #""evidence":[{"carrier":"\#(activities)","trust":"record"}]},"#))
    #expect(json.contains(#"{"event":"changed","time":"1970-01-01T01:06:40Z","evidence":[]}"#))
    #expect(try !trace("--json", "a.txt").text.contains("life"))
    #expect(
      try trace("-r", "--all", "--no-embedded", "a.txt").text.contains("a.txt: from \"Editor\", "))
  }
}
