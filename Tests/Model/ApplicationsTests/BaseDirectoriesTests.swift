import LinuxSystem
import Testing

@testable import Applications

@Suite struct BaseDirectoriesTests {
  private func places(_ environment: [String: String]) -> BaseDirectories {
    BaseDirectories { environment[$0].map { Array($0.utf8) } }
  }

  @Test func defaultsLieBelowTheHome() {
    let places = places(["HOME": "/h"])
    #expect(places.cacheHome == FilePath("/h/.cache"))
    #expect(places.configHome == FilePath("/h/.config"))
    #expect(places.dataHome == FilePath("/h/.local/share"))
    #expect(places.systemData == [FilePath("/usr/local/share"), FilePath("/usr/share")])
    #expect(
      places.dataDirectories.map { "\($0)" } == [
        "/h/.local/share", "/usr/local/share", "/usr/share",
        "/h/.local/share/flatpak/exports/share", "/var/lib/flatpak/exports/share",
        "/var/lib/snapd/desktop",
      ])
  }

  @Test func variablesCountWhereTheyAreAbsolute() {
    let places = places([
      "HOME": "/h", "XDG_CACHE_HOME": "/c", "XDG_CONFIG_HOME": "relative", "XDG_DATA_HOME": "",
      "XDG_DATA_DIRS": "/a:b::/var/lib/flatpak/exports/share:/a",
    ])
    #expect(places.cacheHome == FilePath("/c"))
    #expect(places.configHome == FilePath("/h/.config"))
    #expect(places.dataHome == FilePath("/h/.local/share"))
    #expect(
      places.dataDirectories.map { "\($0)" } == [
        "/h/.local/share", "/a", "/var/lib/flatpak/exports/share",
        "/h/.local/share/flatpak/exports/share", "/var/lib/snapd/desktop",
      ])
  }

  @Test func withoutHomeThereIsNoPlace() {
    let places = places(["HOME": "h", "XDG_DATA_DIRS": "x"])
    #expect(places.cacheHome == nil)
    #expect(places.configHome == nil)
    #expect(places.home == nil)
    #expect(places.systemData == [FilePath("/usr/local/share"), FilePath("/usr/share")])
  }

  @Test(arguments: [
    ("org.example.App", true), ("a", true), ("ä b", true),
    (String(repeating: "x", count: 200), true),
    ("", false), (".", false), ("..", false), (".hidden", false), ("a/b", false), ("/etc", false),
    ("a\0b", false), ("a\nb", false), ("a\u{7f}", false),
    (String(repeating: "x", count: 201), false),
  ])
  func wordOfAStrangerIsAFileNameOnlyIfItIsHarmless(_ word: String, _ isName: Bool) {
    #expect((FileName(word) != nil) == isName)
  }
}

@Suite struct MessageLocaleTests {
  @Test(arguments: [
    (["LANG": "de_AT.UTF-8"], ["de_AT", "de"]), (["LANG": "de"], ["de"]),
    (["LANG": "sr_YU.UTF-8@Latn"], ["sr_YU@Latn", "sr_YU", "sr@Latn", "sr"]),
    (["LANG": "sr@Latn"], ["sr@Latn", "sr"]),
    (["LANG": "de_DE", "LC_MESSAGES": "fr_FR"], ["fr_FR", "fr"]),
    (["LANG": "de_DE", "LC_MESSAGES": "fr_FR", "LC_ALL": "C.UTF-8"], []),
    (["LANG": "de_DE", "LC_ALL": ""], ["de_DE", "de"]), (["LANG": "POSIX"], []), ([:], []),
    (["LANG": "@"], []), (["LANG": "_.@"], []),
  ])
  func languagesGoFromTheNearestToTheWidest(_ variables: [String: String], _ names: [String]) {
    #expect(MessageLocale { variables[$0] }.languages == names)
  }
}
