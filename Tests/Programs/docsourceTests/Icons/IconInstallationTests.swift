import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource icon --install`, and that the theme has the icon then.
@Suite struct IconInstallationTests {
  private static let theme = "home/.local/share/icons/hicolor"

  private static func installed(_ home: IconHome) -> [String] {
    let all = FileManager.default.enumerator(atPath: home.directory.path(theme))
    let names = all?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".png") || $0.hasSuffix(".svg") }.sorted()
  }

  @Test func sizesThatThePictureFillsAndTheNextAreInstalled() throws {
    let home = try IconHome()
    try home.installTheme()
    try home.tagged("a.txt")
    try home.keep(side: 40, finished: [16, 22, 24, 32, 48, 64, 128, 256])
    mkdir(home.directory.path("home/.local"), 0o755)
    let installed = try home.run("icon", "--install", "a.txt")
    let names = [16, 22, 24, 32, 48].map { "\($0)x\($0)/apps/\(IconHome.identifier).png" }
    let paths = names.map { home.directory.path("\(Self.theme)/\($0)") }
    #expect(installed.text == paths.map { "a.txt: installed: \($0)\n" }.joined())
    #expect(installed.errors == "")
    #expect(installed.status == 0)
    #expect(home.fetched == [])
    #expect(Self.installed(home) == names.sorted())
    for path in paths {
      #expect(try [UInt8](Data(contentsOf: URL(filePath: path))) == IconHome.picture)
    }
    // Now file managers find it, and so does the resolver without the cache.
    #expect(try home.run("icon", "--cache-clear").status == 0)
    let found = try home.run("icon", "--size=48", IconHome.identifier)
    #expect(found.text == "\(paths[4])\n")
    #expect(found.status == 0)
    try home.keep(side: 20, finished: [16, 22])
    #expect(try home.run("icon", "--install", "a.txt").status == 0)
  }

  @Test func serversAreAskedOnceForAllSizes() throws {
    let home = try IconHome(fetch: "exit 0")
    try home.tagged("a.txt")
    try home.keep(side: 22, finished: [16, 22], stale: 5)
    #expect(try home.run("icon", "--install", "a.txt").status == 0)
    #expect(home.fetched == ["icon \(IconHome.url) 16.0 1.0 continuous stroke"])
    try home.keep(side: 24, finished: [16, 22], stale: 5)
    #expect(try home.run("icon", "--install", "--refresh", "a.txt").status == 0)
    #expect(
      home.fetched.dropFirst() == [
        "icon \(IconHome.url) 16.0 1.0 continuous stroke --refresh",
        "icon \(IconHome.url) 24.0 1.0 continuous stroke --offline",
      ])
  }

  @Test func runningDesktopsNotice() throws {
    let home = try IconHome()
    try home.tagged("a.txt")
    try home.keep(side: 16, finished: [16])
    let path = home.directory.path(Self.theme)
    try FileManager.default.createDirectory(
      atPath: "\(path)/16x16/apps", withIntermediateDirectories: true)
    let old = timespec(tv_sec: 1000, tv_nsec: 0)
    utimensat(AT_FDCWD, path, [old, old], 0)
    #expect(try home.run("icon", "--install", "a.txt").status == 0)
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mtim.tv_sec > 1_000_000)
  }

  @Test func pictureOfTheUserIsInstalledToo() throws {
    let home = try IconHome(fetch: "cat")
    let svg = Array("<svg/>".utf8)
    let path = try home.file("home/.config/docsource/icons/x.y.svg", svg)
    #expect(try home.run("icon", "--install", "x.y").status == 0)
    #expect(Self.installed(home) == ["scalable/apps/x.y.svg"])
    unlink(path)
    try home.file("home/.config/docsource/icons/x.y.png", IconHome.picture)
    #expect(try home.run("icon", "--install", "x.y").status == 0)
    #expect(Self.installed(home).count == 9)
    #expect(home.fetched.first == "render 16.0 1.0 none stroke")
    #expect(home.fetched.count == 8)
  }

  @Test func identifierMustBeFitForAName() throws {
    let home = try IconHome()
    for (name, identifier) in [
      ("a", "folder"), ("b", "../x.y"), ("c", "x..y"), ("d", "x.y/z"), ("e", ".x.y"),
      ("f", "x y.z"), ("g", "x.\u{e4}"),
    ] {
      try home.tagged(name, identifier: identifier)
      try home.keep(side: 16, finished: [16])
      let refused = try home.run("icon", "--install", name)
      #expect(
        refused.errors == "docsource: \(name): not installed: the identifier is not in reverse-DNS"
          + " form like org.example.editor\n")
      #expect(refused.text == "")
      #expect(refused.status == 2)
    }
    #expect(Self.installed(home) == [])
    let nameless = try home.run("icon", "--install", IconHome.url)
    #expect(
      nameless.errors
        == "docsource: \(IconHome.url): cannot install the icon: unknown application identifier\n")
    #expect(nameless.status == 1)
  }

  @Test func untrustedIdentifierCannotPassForAnInstalledApplication() throws {
    let home = try IconHome()
    try home.installTheme()
    try home.tagged("a.txt")
    try home.keep(side: 16, finished: [16])
    let icon = try home.file(
      "share/icons/hicolor/48x48/apps/\(IconHome.identifier).png", IconHome.picture)
    let themed = try home.run("icon", "--install", "a.txt")
    #expect(
      themed.errors == "docsource: a.txt: not installed: the application already has an icon:"
        + " \(icon)\n")
    unlink(icon)
    try home.file(
      "share/applications/\(IconHome.identifier).desktop",
      Array("[Desktop Entry]\nName=x\n".utf8))
    let entered = try home.run("icon", "--install", "a.txt")
    #expect(
      entered.errors == "docsource: a.txt: not installed: the application is installed and has its"
        + " own icon\n")
    #expect(themed.status == 2)
    #expect(entered.status == 2)
    #expect(Self.installed(home) == [])
  }

  @Test func nothingIsInstalledWhereThereIsNoIcon() throws {
    let home = try IconHome(fetch: "exit 1")
    try home.tagged("a.txt")
    let none = try home.run("icon", "--install", "a.txt")
    #expect(none.errors == "docsource: a.txt: no icon\n")
    #expect(none.status == 1)
    #expect(home.fetched == ["icon \(IconHome.url) 16.0 1.0 continuous stroke"])
    let failing = try IconHome(fetch: "echo 'docsource: no answer' >&2; exit 2")
    try failing.tagged("a.txt")
    let failed = try failing.run("icon", "--install", "a.txt")
    #expect(failed.errors == "docsource: no answer\n")
    #expect(failed.status == 2)
    #expect(Self.installed(failing) == [])
  }
}
