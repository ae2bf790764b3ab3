import Testing

@testable import LinuxSystem

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
}
