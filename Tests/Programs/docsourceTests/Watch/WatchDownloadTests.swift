import Foundation
import TestSupport
import Testing

/// `docsource watch --record-downloads`.
@Suite(.enabled(if: FileSystem.mayMount && ApplicationScope.mayMake), .serialized)
struct WatchDownloadTests {
  private let system: FileSystem
  private let home: TemporaryDirectory
  private let scope: ApplicationScope

  init() throws {
    system = try FileSystem(.ext4)
    home = try WatchCommandTests.home()
    let applications = ".local/share/applications"
    try home.file(
      "\(applications)/org.example.Browser.desktop",
      """
      [Desktop Entry]
      Type=Application
      Name=Browser
      Categories=Network;WebBrowser;
      Exec=no-such-browser

      """)
    scope = try ApplicationScope("app-gnome-org.example.Browser-4244.scope")
  }

  /// Has a browser record a download of four bytes, which has ended when its file was written.
  private func record(_ name: String) throws {
    let directory = home.path(".config/chromium/Default")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let written = try FileManager.default.attributesOfItem(atPath: system.path(name))[
      .modificationDate]
    let end = Int(try #require(written as? Date).timeIntervalSince1970)
    let download =
      #"{"path": "\#(system.path(name))", "url": "https://u:p@example.com/x?t=1#f", "end": \#(end)}"#
    let run = try Execution.run([
      Fixture.root.appending(path: "Tests/Scripts/browser-profile").path, "chromium",
      directory + "/History", download,
    ])
    #expect(run.status == 0, "\(run.errors)")
  }

  private func address(_ name: String) throws -> String {
    try Execution.run([
      "getfattr", "--absolute-names", "--only-values", "-n", "user.xdg.origin.url",
      system.path(name),
    ]).text
  }

  @Test func finishedDownloadsGetTheirAddresses() throws {
    let place = try WatchPlace(system, home: home, [system.root], ["--record-downloads"])
    let browser = try WatchCommandTests.writer(
      """
      open('\(system.path("late.part"))', 'w').write('four')
      time.sleep(1)
      os.rename('\(system.path("late.part"))', '\(system.path("late"))')
      open('\(system.path("direct"))', 'w').write('four')
      open('\(system.path("unrecorded"))', 'w').write('four')
      """, scope: scope)
    defer { WatchCommandTests.finish(browser) }
    let other = try ApplicationScope("app-gnome-\(WatchCommandTests.editor)-4245.scope")
    let editor = try WatchCommandTests.writer(
      """
      open('\(system.path("text"))', 'w').write('four')
      open('\(system.path("renamed.part"))', 'w').write('four')
      time.sleep(1)
      os.rename('\(system.path("renamed.part"))', '\(system.path("renamed"))')
      """, scope: other)
    defer { WatchCommandTests.finish(editor) }
    for name in ["late", "direct", "text", "renamed"] {
      try Patience.wait { FileManager.default.fileExists(atPath: system.path(name)) }
      try record(name)
    }
    for name in ["late", "direct"] {
      #expect(try place.waitForEvent(system.path(name), "recorded") != nil)
      #expect(try address(name) == "https://example.com/x")
      let source = try WatchCommandTests.source(system.path(name))
      #expect(source.contains("\"identifier\":\"org.example.Browser\""))
    }
    // Later than the records of others were looked for.
    try record("unrecorded")
    #expect(try place.waitForEvent(system.path("unrecorded"), "recorded") != nil)
    #expect(try address("text") == "")
    #expect(try address("renamed") == "")
    #expect(try place.end().status == 0)
  }

  @Test func nothingIsRecordedUnlessThatIsAskedFor() throws {
    let place = try WatchPlace(system, home: home, [system.root])
    let browser = try WatchCommandTests.writer(
      "open('\(system.path("file"))', 'w').write('four')", scope: scope)
    defer { WatchCommandTests.finish(browser) }
    #expect(try place.waitForEvent(system.path("file"), "tagged") != nil)
    try record("file")
    sleep(3)
    #expect(try address("file") == "")
    #expect(try place.event(system.path("file"), "recorded") == nil)
  }
}
