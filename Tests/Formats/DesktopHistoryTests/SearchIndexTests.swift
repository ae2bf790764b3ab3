import DatabaseSnapshot
import ForeignFormats
import Glibc
import TestSupport
import Testing

@testable import DesktopHistory

/// Databases with the tables of Tracker 3.4, of which SQLite alone does not understand all.
@Suite struct SearchIndexTests {
  private let place: TemporaryDirectory

  init() throws { place = try TemporaryDirectory() }

  private func index(_ arguments: String...) throws {
    let script = Fixture.root.appending(path: "Tests/Scripts/search-index").path
    let run = try Execution.run([script, place.root] + arguments)
    #expect(run.errors == "")
  }

  private func graph(_ name: String) -> String {
    place.path("http%3A%2F%2Ftracker.api.gnome.org%2Fontology%2Fv3%2Ftracker%23\(name).db")
  }

  private func contents(of wanted: [String]?) throws -> [DesktopRecord] {
    let addresses = try OpenDatabase(place.path("meta.db"))
    let graphs = try ["Documents", "Pictures"].map { try OpenDatabase(graph($0)) }
    return try SearchIndex.contents(
      of: wanted?.map { DownloadedFile(path: Array($0.utf8), size: 1, modified: 1) },
      addresses: addresses.files, graphs: graphs.map(\.files), deadline: .max)
  }

  private func record(
    _ path: String, _ graph: String, _ program: String?, _ device: String?, _ modified: Int64
  ) -> DesktopRecord {
    DesktopRecord(
      database: Array(self.graph(graph).utf8), path: Array(path.utf8),
      content: .indexed(program: program, device: device, modified: modified))
  }

  @Test func programsAndDevicesAreFound() throws {
    try index("file:///home/mia/a%20b%C3%A4.odt", "7", "LibreOffice/7.4")
    try index("file:///home/mia/c.jpg", "8", "Canon", "Canon EOS 5D")
    try index("file:///home/mia/d.jpg", "9", "SONY", "DSC-RX100")
    let letter = record("/home/mia/a bä.odt", "Documents", "LibreOffice/7.4", nil, 7)
    let one = record("/home/mia/c.jpg", "Pictures", nil, "Canon EOS 5D", 8)
    let two = record("/home/mia/d.jpg", "Pictures", nil, "SONY DSC-RX100", 9)
    #expect(try contents(of: ["/home/mia/a bä.odt"]) == [letter])
    #expect(try contents(of: ["/home/mia/c.jpg", "/home/mia/d.jpg"]) == [one, two])
    #expect(try contents(of: ["/home/mia/c"]) == [])
    #expect(try contents(of: nil) == [letter, one, two])
  }

  @Test func addressesAreThoseThatGLibWrites() throws {
    let path = "/a!*'()&=:@+$,-_.~;[]#?%\u{1}x"
    try index("file:///a!*'()&=:@+$,-_.~%3B%5B%5D%23%3F%25%01x", "1", "P")
    #expect(try contents(of: [path]) == [record(path, "Documents", "P", nil, 1)])
  }

  @Test func otherDatabasesAreRefused() throws {
    try index("file:///a", "1", "P")
    let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('CREATE TABLE x (a)')"
    for path in [graph("Documents"), place.path("meta.db")] {
      unlink(path)
      #expect(try Execution.run(["python3", "-c", script, path]).errors == "")
      #expect(try contents(of: ["/a"]) == [])
    }
    unlink(place.path("meta.db"))
    try place.file("meta.db", "no database at all, though some bytes")
    #expect(throws: DatabaseFailure("file is not a database")) { try contents(of: nil) }
  }
}
