import Foundation
import TestSupport
import Testing

/// What `trace` takes from the desktop's list of recently used files.
@Suite struct TraceRecordTests {
  /// A user with a list in which a file was used at 2026-11-20T11:00:00Z.
  private static func home(_ file: String = "a.txt") throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let path = try directory.file(file)
    mkdir(directory.path("data"), 0o755)
    let list = String(decoding: try Fixture.bytes("RecentlyUsed/gtk.xbel"), as: UTF8.self)
    try directory.file(
      "data/recently-used.xbel",
      list.replacing("/home/user/My%20Letter%20%26%20more.txt", with: path))
    return directory
  }

  private static func trace(
    _ arguments: String..., in home: TemporaryDirectory
  ) throws -> Execution {
    try Execution.run(
      [Docsource.path, "trace"] + arguments, in: home.root,
      environment: ["XDG_DATA_HOME": home.path("data")])
  }

  @Test(arguments: [
    ("2026-11-20T10:59:58Z", "last written with \"gedit\" on 2026-11-20"),
    ("2026-11-20T10:00:00Z", "last used with \"gedit\" on 2026-11-20"),
    ("2026-11-20T11:00:02Z", "used with \"gedit\" on 2026-11-20 and changed since"),
  ])
  func lastApplicationIsFoundByTheTimeOfItsUse(_ modified: String, _ words: String) throws {
    let home = try Self.home()
    #expect(try Execution.run(["touch", "-d", modified, home.path("a.txt")]).status == 0)
    let execution = try Self.trace("a.txt", in: home)
    #expect(
      execution.text == """
        a.txt: \(words)
          Recent use   "gedit", 2026-11-20T11:00:00Z, 3 times
            recently-used.xbel (recorded by path; may describe an earlier file at this path)

        """)
    #expect(execution.errors == "")
    #expect(execution.status == 0)
  }

  @Test func fileIsFoundThroughALink() throws {
    let home = try Self.home()
    symlink("a.txt", home.path("link"))
    #expect(try Self.trace("link", in: home).text.hasPrefix("link: "))
    #expect(try Self.trace("--no-dereference", "link", in: home).status == 1)
  }

  @Test func fileIsFoundAmongOthersOfATree() throws {
    let home = try Self.home()
    for number in 0..<20 { try home.file("\(number)") }
    #expect(
      try Execution.run(["touch", "-d", "2026-11-20T10:00:00Z", home.path("a.txt")]).status == 0)
    #expect(
      try Self.trace("-r", "--exclude=data", ".", in: home).text == """
        ./a.txt: last used with "gedit" on 2026-11-20
        1 file with marks of origin, 21 without

        """)
  }

  @Test func listIsLeftOutWhereThatIsAskedFor() throws {
    let home = try Self.home()
    #expect(
      try Self.trace("--no-recent", "a.txt", in: home).errors
        == "docsource: a.txt: no mark of origin\n")
  }

  @Test func rawIsTheBookmark() throws {
    let home = try Self.home()
    let raw = try Self.trace("--raw", "recently-used.xbel", "a.txt", in: home).text
    #expect(raw.hasPrefix("<bookmark href=\"file://\(home.path("a.txt"))\""))
    #expect(raw.hasSuffix("</bookmark>"))
  }

  @Test func damagedListIsAFailureThatStopsNothing() throws {
    let home = try Self.home()
    #expect(try Docsource.run("tag", "-q", "-i", "a.b", home.path("a.txt")).status == 0)
    try home.file("data/recently-used.xbel", "<html/>")
    let execution = try Self.trace("a.txt", in: home)
    #expect(execution.text.hasPrefix("a.txt: from \"a.b\"\n"))
    #expect(
      execution.errors == """
        docsource: \(home.path("data/recently-used.xbel")): cannot read list of recently used \
        files: not a list of bookmarks (XBEL) (at byte 7)

        """)
    #expect(execution.status == 2)
  }
}
