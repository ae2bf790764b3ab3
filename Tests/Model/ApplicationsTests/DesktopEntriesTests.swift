import Glibc
import LinuxSystem
import TestSupport
import Testing
import TextFormats
import Xattr

@testable import Applications

@Suite struct DesktopEntriesTests {
  private static func all(_ home: Home) -> [String] {
    DesktopEntries(home.places).all.map(\.identifier).sorted()
  }

  @Test func namesAreReadInTheUsersLanguage() throws {
    let home = try Home()
    try home.entry(
      "org.example.Editor", "Name=Editor\\sOne", "Name[de]=Bearbeiter", "Name[de_AT]=Schreiber",
      "Name[fr]=", "NameX=no")
    let entry = try #require(DesktopEntries(home.places).all.first)
    func name(_ language: String) -> String? {
      entry.name(in: MessageLocale { $0 == "LANG" ? language : nil })
    }
    #expect(entry.name == "Editor One")
    #expect(name("de_DE.UTF-8") == "Bearbeiter")
    #expect(name("de_AT") == "Schreiber")
    #expect(name("fr") == "Editor One")
    #expect(name("C") == "Editor One")
  }

  @Test func valuesAreUnescapedAndOthersThanUTF8LeftOut() {
    let file = KeyFile(
      Array("[g]\nA=a\\\\s\\n\\t\\r\\x\\\nB=\\s\nYes=true\nNo=yes\nC=a".utf8) + [0xff, 0x0a]
        + Array("D=a\0b\n".utf8))
    #expect(file.string("A", in: "g") == "a\\s\n\t\r\\x\\")
    #expect(file.string("B", in: "g") == " ")
    #expect(file.string("C", in: "g") == nil)
    #expect(file.value("C", in: "g") == "a\u{fffd}")
    #expect(file.string("D", in: "g") == nil)
    #expect(file.flag("Yes", in: "g"))
    #expect(!file.flag("No", in: "g"))
    #expect(!file.flag("X", in: "g"))
  }

  @Test func firstDirectoryCountsAndHiddenThereMeansDeleted() throws {
    let home = try Home()
    try home.entry("a.a", "Name=System")
    try home.entry("a.a", "Name=User", base: "home/.local/share")
    try home.entry("b.b", "Name=System")
    try home.entry("b.b", "Hidden=true", base: "home/.local/share")
    try home.entry("c.c", "Name=Helper", "NoDisplay=true")
    try home.file(
      "usr/share/applications/d.d.desktop", "[Desktop Entry]\nType=Link\nName=Link\n")
    try home.file("usr/share/applications/e.e.desktop", "")
    try home.entry("sub/f", "Name=Below")
    #expect(Self.all(home) == ["a.a", "c.c", "e.e", "sub-f"])
    let entries = DesktopEntries(home.places)
    func entry(_ name: String) -> DesktopEntry? { FileName(name).flatMap { entries.match($0) } }
    #expect(entry("a.a")?.name == "User")
    #expect(entry("b.b") == nil)
    #expect(entry("B.B") == nil)
    #expect(entry("C.C")?.identifier == "c.c")
    #expect(entry("c.c")?.isHelper == true)
    #expect(entry("sub-f")?.name == "Below")
  }

  @Test func linksThatLeadBackAreFollowedForAWhileOnly() throws {
    let home = try Home()
    try home.entry("a", "Name=A")
    // Four levels below have 4680 directories; of those 200 are looked into.
    for number in 0..<8 {
      symlink(".", home.directory.path("usr/share/applications/l\(number)"))
    }
    let all = Self.all(home)
    #expect(all.count == 201)
    #expect(all.first == "a")
    #expect(all.contains("l0-l0-l0-l0-a"))
  }
  @Test func entriesBeyondWhatAnybodyHasAreLeftOut() throws {
    let home = try Home()
    try home.entry("a", "Name=A", base: "home/.local/share")
    try home.entry("last", "Name=Last")
    let large = String(repeating: "x", count: 1 << 20)
    try home.file("home/.local/share/applications/large", "[Desktop Entry]\n#\(large)")
    for number in 0..<40 {
      symlink("large", home.directory.path("home/.local/share/applications/l\(number).desktop"))
    }
    // Each has some bytes more than 1 MiB, which is more than is read of one, and counts as empty.
    let all = Self.all(home)
    #expect(all.count == 33)
    #expect(all.first == "a")
    #expect(all.last == "last")
    for number in 0..<10_000 {
      symlink("a.desktop", home.directory.path("usr/share/applications/n\(number).desktop"))
    }
    symlink("none", home.directory.path("usr/share/applications/a.desktop"))
    try home.entry("z", "Name=Z")
    #expect(DesktopEntries(home.places).match(try #require(FileName("Z"))) == nil)
    #expect(DesktopEntries(home.places).match(try #require(FileName("z")))?.name == "Z")
  }
}
