import ForeignFormats
import TestSupport
import Testing

/// A table that xdg-permission-store has written, and damaged ones.
@Suite struct PortalDocumentsTests {
  private static func table() throws -> [UInt8] {
    try Fixture.bytes("PortalDocuments/documents")
  }

  private static func text(_ bytes: [UInt8]?) -> String? {
    bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func documentsThatLastAreThere() throws {
    let documents = try PortalDocuments(Self.table()).documents
    #expect(Set(documents.keys) == ["58bfee41", "aa18b391", "eb2ef62"])
    let letter = try #require(documents["58bfee41"])
    #expect(Self.text(letter.path) == "/home/mia/Documents/letter.txt")
    #expect(!letter.isDirectory)
    #expect(letter.permissions == ["org.gnome.TextEditor": ["read", "write"]])
    #expect(letter.writers == ["org.gnome.TextEditor"])
    let cheese = try #require(documents["aa18b391"])
    #expect(Self.text(cheese.path) == "/home/mia/Documents/käse.odt")
    #expect(
      cheese.permissions == [
        "org.gnome.TextEditor": ["read"],
        "org.libreoffice.LibreOffice": ["read", "write", "grant-permissions"],
      ])
    #expect(cheese.writers == ["org.libreoffice.LibreOffice"])
    let directory = try #require(documents["eb2ef62"])
    #expect(Self.text(directory.path) == "/home/mia/Documents/Sub dir")
    #expect(directory.isDirectory)
  }

  @Test(arguments: [
    ("58bfee41", ["letter.txt"], "/home/mia/Documents/letter.txt"),
    ("58bfee41", ["other.txt"], nil), ("58bfee41", ["letter.txt", "x"], nil), ("58bfee41", [], nil),
    ("eb2ef62", ["Sub dir"], "/home/mia/Documents/Sub dir"),
    ("eb2ef62", ["Sub dir", "a", "b.png"], "/home/mia/Documents/Sub dir/a/b.png"),
    ("eb2ef62", ["a"], nil), ("ddb80159", ["a b.png"], nil),
  ])
  func pathBelowTheMountLeadsToTheHost(
    _ identifier: String, _ names: [String], _ path: String?
  ) throws {
    let table = try PortalDocuments(Self.table())
    #expect(Self.text(table.hostPath(of: identifier, names.map { Array($0.utf8)[...] })) == path)
  }

  private static func failure(_ bytes: [UInt8]) -> PortalDocuments.Failure? {
    do throws(PortalDocuments.Failure) {
      _ = try PortalDocuments(bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test func whatIsNoTableIsRefused() throws {
    let table = try Self.table()
    #expect(Self.failure([])?.description == "no table of GVDB, version 0, at byte 0")
    var next = table
    next[8] = 1
    #expect(Self.failure(next)?.description == "no table of GVDB, version 0, at byte 0")
    #expect(
      Self.failure([UInt8](repeating: 0, count: PortalDocuments.limit + 1))?.description
        == "the table is larger than 4 MiB, at byte 4194304")
    #expect(Self.failure(Array(table.prefix(20)))?.description == "a number is cut off, at byte 20")
  }

  /// Whatever is cut off or changed, nothing is read from outside of the file.
  @Test func everyPrefixAndEveryChangedByteIsReadOrRefused() throws {
    let table = try Self.table()
    // What follows byte 708 is read by nobody.
    for count in 0..<708 {
      let failure = try #require(Self.failure(Array(table.prefix(count))))
      #expect(0...count ~= failure.offset)
    }
    #expect(Self.failure(Array(table.prefix(708))) == nil)
    var refused = 0
    for offset in table.indices {
      for value in [0, 1, 0x7f, 0xff] as [UInt8] {
        var changed = table
        changed[offset] = value
        guard let failure = Self.failure(changed) else { continue }
        refused += 1
        #expect(0...table.count ~= failure.offset)
      }
    }
    #expect(refused == 1085)
  }

  /// A small file with one value many times would take long.
  @Test(arguments: [(5, nil), (40, "values overlap, at byte 448")])
  func valueThatIsThereTooOftenIsRefused(_ count: Int, _ words: String?) throws {
    func bytes(_ number: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    var table = try Self.table()
    // The item `main` of the root is at byte 40; its value is now a table at the end.
    let start = table.count
    table += bytes(0, 4) + bytes(1, 4) + bytes(0, 4)
    for _ in 0..<count {
      table += bytes(0, 4) + [0xff, 0xff, 0xff, 0xff] + bytes(184, 4) + bytes(8, 2)
      table += Array("v".utf8) + [0] + bytes(448, 4) + bytes(611, 4)
    }
    table.replaceSubrange(56..<64, with: bytes(start, 4) + bytes(table.count, 4))
    #expect(Self.failure(table)?.description == words)
  }
}
