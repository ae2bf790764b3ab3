import LinuxSystem
import Testing
import TextFormats
import Xattr

@testable import AppIcon

@Suite struct IconThemesTests {
  private func found(
    _ desktop: Desktop, _ name: String = "app", points: Double, scale: Double = 1
  ) throws -> String? {
    let size = try #require(IconSize(points: points, scale: scale))
    let icon = try #require(FileName(name))
    let match = IconThemes(desktop.places).match(icon, size: size)
    return match.map { "\($0.path)".replacing(desktop.directory.root + "/", with: "") }
  }

  @Test(arguments: [
    ("Size=48 Type=Fixed", 48, 1, true, 0), ("Size=48 Type=Fixed", 47, 1, false, 1),
    ("Size=48 Type=Fixed", 24, 2, false, 0), ("Size=24 Scale=2 Type=Fixed", 24, 2, true, 0),
    ("Size=24 Scale=2 Type=Fixed", 48, 1, false, 0), ("Size=48", 50, 1, true, 0),
    ("Size=48", 51, 1, false, 1), ("Size=48", 45, 1, false, 1),
    ("Size=48 Type=Threshold Threshold=5", 43, 1, true, 0),
    ("Size=48 Type=Scalable MinSize=16 MaxSize=256", 16, 1, true, 0),
    ("Size=48 Type=Scalable MinSize=16 MaxSize=256", 300, 1, false, 44),
    ("Size=48 Type=Scalable MinSize=16 MaxSize=256", 10, 1, false, 6),
    ("Size=48 Type=Scalable", 40, 1, false, 8),
    ("Size=24 Scale=2 Type=Scalable MinSize=16 MaxSize=32", 40, 2, false, 16),
    ("Size=48 Type=Scalable MinSize=64 MaxSize=16", 60, 1, false, 4),
  ])
  func directoryMatchesAndIsDistantAsTheSpecificationSays(
    _ lines: String, _ size: Int, _ scale: Int, _ matches: Bool, _ distance: Int
  ) throws {
    let index = KeyFile(Array("[d]\n\(lines.replacing(" ", with: "\n"))\n".utf8))
    let directory = try #require(ThemeDirectory("d", in: index))
    #expect(directory.matches(size: size, scale: scale) == matches)
    #expect(directory.distance(size: size, scale: scale) == distance)
  }

  @Test(arguments: ["..", "a/../b", "/a", "a//b", "a/", ".a", "none"])
  func directoryOutsideOfTheThemeOrWithoutSizeIsNone(_ name: String) {
    let index = KeyFile(Array("[\(name == "none" ? "x" : name)]\nSize=8\n".utf8))
    #expect(ThemeDirectory(name, in: index) == nil)
  }

  @Test func exactSizeComesFirstThenTheNearest() throws {
    let desktop = try Desktop()
    try desktop.theme(
      "hicolor",
      [
        ("16x16/apps", "Size=16 Type=Fixed"), ("48x48/apps", "Size=48 Type=Fixed"),
        ("24x24@2/apps", "Size=24 Scale=2 Type=Fixed"), ("256x256/apps", "Size=256 Type=Fixed"),
      ])
    for name in ["16x16", "48x48", "24x24@2", "256x256"] {
      try desktop.file("usr/share/icons/hicolor/\(name)/apps/app.png")
    }
    let base = "usr/share/icons/hicolor"
    #expect(try found(desktop, points: 16) == "\(base)/16x16/apps/app.png")
    #expect(try found(desktop, points: 24, scale: 2) == "\(base)/24x24@2/apps/app.png")
    #expect(try found(desktop, points: 48) == "\(base)/48x48/apps/app.png")
    #expect(try found(desktop, points: 29) == "\(base)/16x16/apps/app.png")
    #expect(try found(desktop, points: 33) == "\(base)/48x48/apps/app.png")
    #expect(try found(desktop, points: 200) == "\(base)/256x256/apps/app.png")
    #expect(try found(desktop, points: 128, scale: 2) == "\(base)/256x256/apps/app.png")
    #expect(try found(desktop, "other", points: 16) == nil)
  }

  @Test func scaledDirectoriesAreReadToo() throws {
    let desktop = try Desktop()
    try desktop.file(
      "usr/share/icons/hicolor/index.theme",
      "[Icon Theme]\nDirectories=a\nScaledDirectories=b\n[a]\nSize=8\n[b]\nSize=8\nScale=2\n")
    try desktop.file("usr/share/icons/hicolor/a/app.png")
    try desktop.file("usr/share/icons/hicolor/b/app.svg")
    #expect(try found(desktop, points: 8, scale: 2) == "usr/share/icons/hicolor/b/app.svg")
  }

  @Test func pngComesBeforeSVGAndTheUsersPartBeforeTheSystems() throws {
    let desktop = try Desktop()
    try desktop.theme("hicolor", [("s", "Size=8 Type=Scalable MinSize=1 MaxSize=512")])
    try desktop.file("usr/share/icons/hicolor/s/app.svg")
    #expect(try found(desktop, points: 8) == "usr/share/icons/hicolor/s/app.svg")
    try desktop.file("usr/share/icons/hicolor/s/app.png")
    #expect(try found(desktop, points: 8) == "usr/share/icons/hicolor/s/app.png")
    try desktop.file("home/.local/share/icons/hicolor/s/app.svg")
    #expect(try found(desktop, points: 8) == "home/.local/share/icons/hicolor/s/app.svg")
    try desktop.file("home/.icons/hicolor/s/app.svg")
    #expect(try found(desktop, points: 8) == "home/.icons/hicolor/s/app.svg")
  }

  @Test func inheritedThemesComeBeforeHicolorAndMayFormACircle() throws {
    let desktop = try Desktop()
    let directories = [("d", "Size=8")]
    try desktop.theme("hicolor", directories)
    try desktop.theme("Mine", inherits: "First,Second,hicolor", directories)
    try desktop.theme("First", inherits: "Deep,Mine", directories)
    try desktop.theme("Second", inherits: "../../etc,hicolor", directories)
    try desktop.theme("Deep", inherits: "First,none", directories)
    try desktop.file(
      "home/.config/gtk-3.0/settings.ini", "[Settings]\ngtk-icon-theme-name = Mine\n")
    #expect(IconThemes(desktop.places).names == "Mine, First, Deep, Second, hicolor")
    for theme in ["hicolor", "Second", "Deep", "Mine"] {
      try desktop.file("usr/share/icons/\(theme)/d/app.png")
      #expect(try found(desktop, points: 8) == "usr/share/icons/\(theme)/d/app.png")
    }
  }

  @Test func nearestIconOfTheUsersThemeComesBeforeHicolorsExactOne() throws {
    let desktop = try Desktop()
    try desktop.theme("hicolor", [("d", "Size=8")])
    try desktop.theme("Mine", [("d", "Size=64")])
    try desktop.file("home/.config/kdeglobals", "[Icons]\nTheme=Mine\n")
    try desktop.file("usr/share/icons/hicolor/d/app.png")
    try desktop.file("usr/share/icons/Mine/d/app.png")
    #expect(try found(desktop, points: 8) == "usr/share/icons/Mine/d/app.png")
  }

  @Test func withoutSettingsAdwaitaServesWhereItIs() throws {
    let desktop = try Desktop()
    #expect(IconThemes(desktop.places).names == "")
    try desktop.theme("hicolor", [("d", "Size=8")])
    #expect(IconThemes(desktop.places).names == "hicolor")
    try desktop.theme("Adwaita", inherits: "hicolor", [("d", "Size=8")])
    #expect(IconThemes(desktop.places).names == "Adwaita, hicolor")
  }

  @Test func iconOfNoThemeComesLast() throws {
    let desktop = try Desktop()
    try desktop.file("usr/share/pixmaps/app.png")
    #expect(try found(desktop, points: 8) == "usr/share/pixmaps/app.png")
    try desktop.file("home/.icons/app.svg")
    #expect(try found(desktop, points: 8) == "home/.icons/app.svg")
  }
}
