import LinuxSystem
import TestSupport
import Testing

@testable import Applications

/// Types by the endings of names, as lists of shared-mime-info have them.
@Suite struct MediaTypeNamesTests {
  private static func types(_ lists: [String: String], of path: String) throws -> Set<String> {
    let home = try Home()
    for (directory, list) in lists { try home.file("\(directory)/mime/globs2", list) }
    return MediaTypeNames(home.places).types(of: Array(path.utf8))
  }

  private static let list = """
    # a comment
    80:text/html:*.html
    50:application/gzip:*.gz
    50:application/x-compressed-tar:*.tar.gz
    50:application/one:*.two
    50:application/two:*.two
    40:application/three:*.two
    60:audio/one:*.weighed
    50:audio/two:*.weighed
    50:text/x-c++src:*.C:cs
    50:text/x-makefile:makefile
    50:text/x-readme:readme*
    50:application/pattern:*.[1-9]
    50:application/deep:*.a*b
    x:application/none:*.none
    50:short

    """

  @Test(arguments: [
    ("/a/page.html", "text/html"), ("/a.gz/page.HTML", "text/html"), ("/a/b.", ""),
    ("/a/b.gz", "application/gzip"), ("/a/b.tar.gz", "application/x-compressed-tar"),
    ("/a/x1.b.tar.gz", "application/x-compressed-tar"),
    ("/a/b.two", "application/one application/two"), ("/a/b.weighed", "audio/one"),
    ("/a/b.c", "text/x-c++src"), ("/a/.html", ""), ("/a/html", ""), ("/a/makefile", ""),
    ("/a.html/", ""), ("", ""), ("/a/b.1", ""), ("/a/b.none", ""),
  ])
  func longestEndingTells(_ path: String, _ expected: String) throws {
    let found = try Self.types(["usr/share": Self.list], of: path)
    #expect(found.sorted().joined(separator: " ") == expected)
  }

  @Test func listsOfTheUserAndTheSystemCount() throws {
    let lists = [
      "usr/share": "50:text/one:*.a\n50:text/two:*.b\n",
      "home/.local/share": "50:text/three:*.a\n60:text/four:*.b\n",
    ]
    #expect(try Self.types(lists, of: "/x.a") == ["text/one", "text/three"])
    #expect(try Self.types(lists, of: "/x.b") == ["text/four"])
  }

  @Test func listsAreReadInBounds() throws {
    let many = String(repeating: "50:text/one:*.a\n", count: 20_000)
    #expect(try Self.types(["usr/share": many + "50:text/two:*.b\n"], of: "/x.b") == [])
    #expect(try Self.types(["usr/share": many], of: "/x.a") == ["text/one"])
    let long = "50:text/one:*.a\n" + String(repeating: "#", count: 1 << 20)
    #expect(try Self.types(["usr/share": long], of: "/x.a") == [])
    #expect(try Self.types([:], of: "/x.a") == [])
  }

  @Test func nameThatIsNotUTF8HasATypeToo() throws {
    let home = try Home()
    try home.file("usr/share/mime/globs2", Self.list)
    let path = Array("/a/".utf8) + [0xff] + Array(".html".utf8)
    #expect(MediaTypeNames(home.places).types(of: path) == ["text/html"])
  }
}
