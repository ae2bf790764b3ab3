import ForeignFormats
import TestSupport
import Testing

/// Which records of a desktop are of a file.
@Suite struct DesktopRecordsTests {
  private static func record(_ path: String, _ content: DesktopRecord.Content) -> DesktopRecord {
    DesktopRecord(database: [1], path: Array(path.utf8), content: content)
  }

  private static func file(_ path: String, modified: Double = 0) -> DownloadedFile {
    DownloadedFile(path: Array(path.utf8), size: 1, modified: modified)
  }

  @Test func recordsAreOfThePathOrOfADirectoryAbove() {
    let own = Self.record("/a/b", .use(RecentUse(application: "own")))
    let tree = Self.record("/a/", .grant(application: "tree", permissions: ["read"]))
    let other = Self.record("/a", .use(RecentUse(application: "other")))
    let records = DesktopRecords([tree, own, other])
    #expect(records.records(of: Self.file("/a/b")) == [own, tree])
    #expect(records.records(of: Self.file("/a/b/c")) == [tree])
    #expect(records.records(of: Self.file("/a")) == [other])
    #expect(records.records(of: Self.file("/ab")) == [])
    #expect(DesktopRecords([]).records(of: Self.file("/a/b")) == [])
  }

  @Test func theIndexCountsForTheContentThatItHasSeen() {
    let indexed = Self.record("/a", .indexed(program: "P", device: nil, modified: 7))
    let records = DesktopRecords([indexed])
    #expect(records.records(of: Self.file("/a", modified: 7.9)) == [indexed])
    #expect(records.records(of: Self.file("/a", modified: 8)) == [])
    #expect(records.records(of: Self.file("/a", modified: 6.99)) == [])
  }

  @Test func grantsAreThoseOfThePortal() throws {
    let table = try PortalDocuments(Fixture.bytes("PortalDocuments/documents"))
    func grant(_ path: String, _ application: String, _ permissions: String...) -> DesktopRecord {
      Self.record(path, .grant(application: application, permissions: permissions))
    }
    let cheese = [
      grant("/home/mia/Documents/käse.odt", "org.gnome.TextEditor", "read"),
      grant(
        "/home/mia/Documents/käse.odt", "org.libreoffice.LibreOffice", "grant-permissions", "read",
        "write"),
    ]
    let all = table.records(of: nil, database: [1])
    #expect(
      all.map { String(decoding: $0.path, as: UTF8.self) } == [
        "/home/mia/Documents/Sub dir/", "/home/mia/Documents/käse.odt",
        "/home/mia/Documents/käse.odt", "/home/mia/Documents/letter.txt",
      ])
    #expect(
      table.records(of: [Self.file("/home/mia/Documents/käse.odt")], database: [1]) == cheese)
    #expect(
      table.records(of: [Self.file("/home/mia/Documents/Sub dir/a/b")], database: [1])
        == [all[0]])
    #expect(table.records(of: [Self.file("/home/mia/Documents/Sub dir")], database: [1]) == [])
  }
}
