import ForeignFormats
import LinuxSystem
import TestSupport
import Testing
import XMLFormats

/// The desktop's list of recently used files.
@Suite struct BookmarkListTests {
  private static func fixture(_ name: String) throws -> RecentFiles {
    try BookmarkList.read(Fixture.bytes("RecentlyUsed/\(name).xbel"))
  }

  private static let gedit = RecentUse(
    application: "gedit", command: "'gedit %u'", seconds: 1_795_172_400, count: 3)

  @Test func applicationsOfAFileAreRead() throws {
    let files = try Self.fixture("gtk")
    #expect(
      files.files.map(\.path.description) == [
        "/home/user/My Letter & more.txt", "/home/user/nothing.txt",
      ])
    let letter = try #require(files[FilePath("/home/user/My Letter & more.txt")])
    #expect(
      letter.uses == [
        Self.gedit,
        RecentUse(
          application: "Files & more", command: "'nautilus %u'", seconds: 1_795_168_800, count: 1),
      ])
    #expect(letter.lastUse == Self.gedit)
    let text = String(decoding: letter.bytes, as: UTF8.self)
    #expect(text.hasPrefix("<bookmark href=\"file:///home/user/My%20Letter%20%26%20more.txt\""))
    #expect(text.hasSuffix("</bookmark>"))
    let nothing = try #require(files[FilePath("/home/user/nothing.txt")])
    #expect(nothing.uses.isEmpty)
    #expect(nothing.lastUse == nil)
    #expect(files[FilePath("/home/user/My%20Letter%20%26%20more.txt")] == nil)
  }

  @Test func olderFormIsRead() throws {
    let files = try Self.fixture("timestamp")
    let file = try #require(files[FilePath("/tmp/b.odt")])
    #expect(
      file.uses == [
        RecentUse(application: "soffice", command: "soffice %u", seconds: 1_605_184_046)
      ])
  }

  @Test func listSurvivesItsWayAsAPropertyList() throws {
    let files = try Self.fixture("gtk")
    let arrived = try #require(try RecentFiles(binary: files.binary()))
    #expect(arrived.files == files.files)
    #expect(try RecentFiles(binary: Fixture.bytes("PropertyLists/four-keys.bplist")) == nil)
  }

  @Test(
    arguments: [
      ("", .empty, 0),
      ("x", .xml, 0),
      ("<html/>", .notXBEL, 7),
      ("<xbel><bookmark href=\"file:///a\">", .xml, 33),
      ("<!DOCTYPE xbel [<!ENTITY a \"b\">]><xbel/>", .entities, 30),
      ("<!DOCTYPE xbel [<!ENTITY % a \"b\">]><xbel/>", .entities, 32),
      ("<!DOCTYPE xbel [<!ENTITY a SYSTEM \"b\" NDATA c>]><xbel/>", .entities, 45),
      ("<!DOCTYPE xbel [<!ELEMENT xbel ANY>]><xbel/>", .declarations, 35),
      ("<!DOCTYPE xbel [<!ATTLIST xbel a (b|c) \"b\">]><xbel/>", .declarations, 42),
      ("<!DOCTYPE xbel [<!NOTATION a SYSTEM \"b\">]><xbel/>", .declarations, 40),
    ] as [(String, MarkFailure.Reason, Int)])
  func rejectionTellsReasonAndOffset(
    _ text: String, _ reason: MarkFailure.Reason, _ offset: Int
  ) {
    #expect(throws: MarkFailure(reason, at: offset)) { try BookmarkList.read(Array(text.utf8)) }
  }

  /// Entities that each hold ten of the one before would be 10^9 characters.
  @Test func entitiesAreNotExpanded() {
    let entities = (1...9).map { index in
      let inner = String(repeating: "&e\(index - 1);", count: 10)
      return "<!ENTITY e\(index) \"\(inner)\">"
    }
    let text =
      "<!DOCTYPE xbel [<!ENTITY e0 \"aaaaaaaaaa\">\(entities.joined())]>"
      + "<xbel><bookmark href=\"file:///&e9;\"/></xbel>"
    #expect(throws: MarkFailure(.entities, at: 40)) { try BookmarkList.read(Array(text.utf8)) }
  }

  @Test func deepNestingIsRejected() {
    let depth = 100_000
    let text =
      "<xbel><bookmark href=\"file:///a\">" + String(repeating: "<a>", count: depth)
      + String(repeating: "</a>", count: depth) + "</bookmark></xbel>"
    let failure = #expect(throws: MarkFailure.self) { try BookmarkList.read(Array(text.utf8)) }
    #expect(failure?.reason == .xml)
  }

  @Test(arguments: [
    ("file:///a%2fb%20c", "/a/b c"), ("FILE://LocalHost/x", "/x"), ("file:///%C3%A9?q#f", "/é"),
    ("file://host/a", nil), ("file:/a", nil), ("file:///a%", nil), ("file:///a%2", nil),
    ("file:///a%zz", nil), ("file:///a%00b", nil), ("file://", nil), ("http:///a", nil), ("", nil),
  ])
  func pathOfAURLIsDecoded(_ url: String, _ path: String?) {
    #expect(RecentFile.path(ofURL: url)?.description == path)
  }
}
