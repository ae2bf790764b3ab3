import ForeignFormats
import PackageDatabases
import Testing

@Suite struct PacmanPackageTests {
  private static let files = """
    %FILES%
    bin/
    bin/tiny
    etc/tiny.conf
    usr/share/
    usr/share/%BACKUP%

    %BACKUP%
    etc/tiny.conf\t00112233445566778899aabbccddeeff
    etc/other\tx

    """
  private static let description = """
    %NAME%
    tiny

    %VERSION%
    1:1.0-2

    %DESC%

    %ARCH%
    x86_64

    %INSTALLDATE%
    1790000000

    %LICENSE%
    MIT
    GPL
    """
  private static let aliases = PathAliases([(Array("/bin".utf8), Array("/usr/bin".utf8))])

  private func ask(
    _ extent: PackageQuestion.Extent, files: String = files, description: String = description
  ) -> [PackageRecord] {
    PacmanPackage(
      database: Array("/d/files".utf8), files: Array(files.utf8),
      description: Array(description.utf8)
    ).records(PackageQuestion(extent, wantsChecksums: true), Self.aliases)
  }

  @Test func packageHasItsFiles() {
    let records = ask(.trees([[0x2f]]))
    #expect(
      records.map { String(decoding: $0.file, as: UTF8.self) }
        == ["/usr/bin", "/usr/bin/tiny", "/etc/tiny.conf", "/usr/share", "/usr/share/%BACKUP%"])
    #expect(String(decoding: records[1].path, as: UTF8.self) == "/bin/tiny")
    #expect(records.allSatisfy { $0.title == "tiny 1:1.0-2" && $0.architecture == "x86_64" })
    #expect(records.allSatisfy { $0.installed == 1_790_000_000 })
    let dateless = Self.description.replacing("1790000000", with: "today")
    #expect(ask(.trees([[0x2f]]), description: dateless).allSatisfy { $0.installed == nil })
    #expect(
      records.map { $0.checksum?.digest.last } == [nil, nil, 0xff, nil, nil])
    #expect(ask(.files([PackagedFile(path: Array("/usr/bin/tiny".utf8))])).count == 1)
    #expect(ask(.files([PackagedFile(path: Array("/usr/bin/tin".utf8))])) == [])
  }

  @Test func linesAreThoseOfTheList() {
    #expect(PacmanPackage.line(of: Array("/a/b".utf8), isDirectory: false) == Array("a/b".utf8))
    #expect(PacmanPackage.line(of: Array("/a/b".utf8), isDirectory: true) == Array("a/b/".utf8))
  }

  @Test func packageWithoutANameHasNothing() {
    for description in ["", "%NAME%", "%NAME%\n\ntiny\n", "NAME\ntiny\n"] {
      #expect(ask(.trees([[0x2f]]), description: description) == [])
    }
    #expect(ask(.trees([[0x2f]]), files: "bin/tiny\n") == [])
  }
}
