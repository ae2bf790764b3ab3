import ForeignFormats
import Testing

@Suite struct PackageRecordsTests {
  private static func record(
    _ manager: PackageRecord.Manager, _ package: String, _ file: String, path: String? = nil
  ) -> PackageRecord {
    PackageRecord(
      manager: manager, package: package, version: "1", database: Array("/\(package)".utf8),
      file: Array(file.utf8), path: Array((path ?? file).utf8))
  }

  private let records = PackageRecords([
    record(.dpkg, "a", "/d"), record(.dpkg, "b", "/d"), record(.dpkg, "a", "/f"),
    record(.pip, "p", "/f"), record(.pip, "p", "/m"), record(.dpkg, "a", "/f"),
    record(.flatpak, "app", "/flatpak/files/", path: "/app/"), record(.dpkg, "a", "/odd/"),
  ])

  private func packages(_ path: String, isDirectory: Bool = false, isOfUser: Bool = false)
    -> [String]
  {
    records.records(
      of: PackagedFile(path: Array(path.utf8), isDirectory: isDirectory, isOfUser: isOfUser)
    ).map(\.package)
  }

  @Test func fileIsOfAllPackagesThatHaveItButOfPipOnlyWithoutOthers() {
    #expect(packages("/d") == ["a", "b"])
    #expect(packages("/f") == ["a"])
    #expect(packages("/m") == ["p"])
    #expect(packages("/x") == [])
  }

  @Test func directoryOfSeveralPackagesIsOfNone() {
    #expect(packages("/d", isDirectory: true) == [])
    #expect(packages("/f", isDirectory: true) == [])
    #expect(packages("/m", isDirectory: true) == ["p"])
  }

  @Test func fileOfTheUserIsOfNoPackageForAllUsers() {
    #expect(packages("/d", isOfUser: true) == [])
    #expect(packages("/f", isOfUser: true) == ["p"])
    #expect(packages("/m", isOfUser: true) == ["p"])
  }

  @Test func whatIsBelowATreeIsOfItsPackage() {
    let wanted = PackagedFile(path: Array("/flatpak/files/bin/x".utf8))
    #expect(
      records.records(of: wanted)
        == [Self.record(.flatpak, "app", "/flatpak/files/bin/x", path: "/app/bin/x")])
    #expect(packages("/flatpak/files") == [])
    // Lists of files may have anything.
    #expect(packages("/odd/x") == [])
  }

  @Test func questionsHaveTheirPaths() {
    func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    let tree = PackageQuestion(.trees([bytes("/a/b")]))
    #expect(["/a/b", "/a/b/c", "/a/b/c/d"].allSatisfy { tree.wants(bytes($0)) })
    #expect(["/a", "/a/bc", "/", "/b"].allSatisfy { !tree.wants(bytes($0)) })
    #expect(["/a", "/", "/a/b", "/a/b/c"].allSatisfy { tree.overlaps(bytes($0)) })
    #expect(["/a/c", "/a/bc", "/b"].allSatisfy { !tree.overlaps(bytes($0)) })
    let entries = PackageQuestion(.entries(bytes("/a")))
    #expect(entries.wants(bytes("/a/b")))
    #expect(["/a", "/a/b/c", "/ab"].allSatisfy { !entries.wants(bytes($0)) })
    #expect(PackageQuestion(.entries(bytes("/"))).wants(bytes("/a")))
    #expect(PackageQuestion(.trees([bytes("/")])).wants(bytes("/a/b")))
  }

  @Test func digestsHaveTheirLength() {
    typealias Checksum = PackageRecord.Checksum
    #expect(Checksum(.md5, [1]) == nil)
    #expect(Checksum(.sha256, [UInt8](repeating: 1, count: 16)) == nil)
    let digits = "00112233445566778899aAbBcCdDeEfF"
    #expect(Checksum(.md5, hexadecimal: digits.utf8)?.digest == (0..<16).map { $0 * 0x11 })
    for wrong in ["", String(digits.dropLast()), digits + "0", digits.dropLast() + "g"] {
      #expect(Checksum(.md5, hexadecimal: wrong.utf8) == nil)
    }
  }
}
