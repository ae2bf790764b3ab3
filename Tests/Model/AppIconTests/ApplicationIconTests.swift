import LinuxSystem
import Testing
import Xattr

@testable import AppIcon

/// Icons of installed applications: by desktop entries and catalogs.
@Suite struct ApplicationIconTests {
  private func desktop() throws -> Desktop {
    let desktop = try Desktop()
    try desktop.theme("hicolor", [("d", "Size=29")])
    return desktop
  }

  private func entry(_ path: String, _ lines: String, _ desktop: Desktop) throws {
    try desktop.file("\(path).desktop", "[Desktop Entry]\n\(lines)\n")
  }

  @Test func dashOfAnIdentifierMayBeADirectory() throws {
    let desktop = try desktop()
    let icon = try desktop.file("usr/share/icons/hicolor/d/i.png")
    try entry("usr/share/applications/org/kde/a-b", "Icon=i", desktop)
    #expect(try desktop.resolve(identifier: "org-kde-a-b").answer == .theme(icon))
    #expect(try desktop.resolve(identifier: "org-kde-a").answer == .none)
    #expect(try desktop.resolve(identifier: "org/kde/a-b").answer == .none)
  }

  @Test func identifierInOtherCaseIsASecondTry() throws {
    let desktop = try desktop()
    let upper = try desktop.file("usr/share/icons/hicolor/d/upper.png")
    let exact = try desktop.file("usr/share/icons/hicolor/d/exact.png")
    try entry("home/.local/share/applications/Org.Example.App", "Icon=upper", desktop)
    #expect(try desktop.resolve(identifier: "org.example.app").answer == .theme(upper))
    try entry("usr/share/applications/org.example.app", "Icon=exact", desktop)
    #expect(try desktop.resolve(identifier: "org.example.app").answer == .theme(exact))
    try entry("usr/share/applications/Sub/Tool", "Icon=exact", desktop)
    #expect(try desktop.resolve(identifier: "sub-tool").answer == .theme(exact))
  }

  @Test func entryThatAFlatpakExportsStandsForIt() throws {
    let desktop = try desktop()
    let exports = "var/lib/flatpak/exports/share"
    try entry(
      "\(exports)/applications/org.example.Office.writer",
      "X-Flatpak=org.example.Office\nIcon=org.example.Office.writer", desktop)
    try desktop.file("\(exports)/icons/hicolor/d/org.example.Office.writer.png")
    let icon = desktop.path("\(exports)/icons/hicolor/d/org.example.Office.writer.png")
    #expect(try desktop.resolve(identifier: "org.example.Office").answer == .theme(icon))
    #expect(try desktop.resolve(identifier: "org.example.Off").answer == .none)
  }

  @Test func entryMayNameAFileOrAnExtension() throws {
    let desktop = try desktop()
    let file = try desktop.file("opt/app/icon.png")
    try entry("usr/share/applications/a", "Icon=\(file)", desktop)
    #expect(try desktop.resolve(identifier: "a").answer == .theme(file))
    let icon = try desktop.file("usr/share/icons/hicolor/d/b.svg")
    try entry("usr/share/applications/b", "Icon=b.png", desktop)
    #expect(try desktop.resolve(identifier: "b").answer == .theme(icon))
    try entry("usr/share/applications/c", "Icon=../../etc/b", desktop)
    #expect(try desktop.resolve(identifier: "c").answer == .none)
    try entry("usr/share/applications/d", "Icon=/etc/passwd", desktop)
    let resolution = try desktop.resolve(identifier: "d")
    #expect(resolution.answer == .none)
    #expect(
      desktop.explanation(resolution).contains(
        "theme - /etc/passwd: named in /usr/share/applications/d.desktop, "
          + "but not a readable PNG or SVG"))
  }

  @Test func iconMayHaveTheIdentifiersName() throws {
    let desktop = try desktop()
    let icon = try desktop.file("home/.local/share/icons/hicolor/d/org.example.App.png")
    try desktop.file("usr/share/icons/hicolor/d/folder.png")
    #expect(try desktop.resolve(identifier: "org.example.App").answer == .theme(icon))
    #expect(try desktop.resolve(identifier: "folder").answer == .none)
    try entry("usr/share/applications/org.example.App", "Name=x", desktop)
    let resolution = try desktop.resolve(identifier: "org.example.App")
    #expect(resolution.answer == .theme(icon))
    #expect(
      desktop.explanation(resolution).contains(
        "theme - /usr/share/applications/org.example.App.desktop: the desktop file names no icon"))
  }

  @Test func catalogsIconIsChosenBySize() throws {
    let desktop = try Desktop()
    let root = "var/lib/app-info/icons/debian"
    let sizes = try ["48x48", "64x64", "64x64@2", "128x96", "x", "2048x2048"].map {
      try desktop.file("\(root)/\($0)/pkg_org.example.App.png")
    }
    func answer(_ points: Double) throws -> LocalIcons.Icon {
      try desktop.resolve(identifier: "org.example.App", points: points).answer
    }
    #expect(try answer(29) == .catalog(sizes[0]))
    #expect(try answer(64) == .catalog(sizes[1]))
    #expect(try answer(65) == .catalog(sizes[2]))
    #expect(try answer(512) == .catalog(sizes[2]))
    #expect(try desktop.resolve(identifier: "example.App").answer == .none)
  }

  @Test func flatpaksRemotesHaveIconsOfApplicationsThatAreNotInstalled() throws {
    let desktop = try Desktop()
    let icon = try desktop.file(
      "home/.local/share/flatpak/appstream/flathub/x86_64/active/icons/64x64/org.example.App.png")
    #expect(try desktop.resolve(identifier: "org.example.App").answer == .catalog(icon))
  }
}
