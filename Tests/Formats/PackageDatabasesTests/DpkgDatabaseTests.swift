import ForeignFormats
import PackageDatabases
import Testing

@Suite struct DpkgDatabaseTests {
  private static let status = """
    Package: coreutils
    Essential: yes
    Status: install ok installed
    Architecture: amd64
    Version: 9.1-1
    Description: GNU core utilities
     Package: other

    Package: libc6
    Status: install ok installed
    Architecture: amd64
    Multi-Arch: same
    Version: 2.36-9
    Conffiles:
     /etc/ld.so.conf.d/a b.conf d4e7a7b88a71b5ffd9e2644e71a0cfab
     /etc/old 00112233445566778899aabbccddeeff obsolete
     /etc/bad 0011

    Package: libc6
    Status: install ok installed
    Architecture: i386
    Multi-Arch: same
    Version: 2.36-8

    Package: gone
    Status: purge ok not-installed
    Architecture: amd64

    Package: pg-common
    Status: install ok installed
    Architecture: all
    Version: 248

    Package: libpq-dev
    Status: deinstall ok config-files
    Architecture: amd64
    Version: 15

    """
  private static let diversions = """
    /usr/bin/pg_config
    /usr/bin/pg_config.libpq-dev
    pg-common
    /usr/share/a
    /usr/share/a.kept
    :
    /usr/share/left

    """

  private static let aliases = PathAliases([
    (Array("/bin".utf8), Array("/usr/bin".utf8)), (Array("/lib".utf8), Array("/usr/lib".utf8)),
  ])

  private static func list(
    _ name: String, _ paths: [String], sums: String = ""
  ) -> DpkgDatabase.FileList {
    DpkgDatabase.FileList(
      path: Array("/info/\(name).list".utf8), name: Array(name.utf8),
      content: Array((["/."] + paths).joined(separator: "\n").utf8) + [0x0a],
      checksums: Array(sums.utf8))
  }

  private static let lists = [
    list("coreutils", ["/bin", "/bin/ls", "/usr/share/a"]),
    list(
      "libc6:amd64", ["/lib", "/lib/libc.so", "/etc/ld.so.conf.d/a b.conf", "/usr/share/doc/c"],
      sums: "00112233445566778899aabbccddeeff  lib/libc.so\n0011  usr/share/doc/c\n"),
    list("libc6:i386", ["/usr/share/doc/c"]),
    list("gone", ["/usr/share/doc/c"]), list("unknown", ["/usr/share/doc/c"]),
    list("pg-common", ["/usr/bin/pg_config"]), list("libpq-dev", ["/usr/bin/pg_config"]),
  ]

  private func ask(
    _ extent: PackageQuestion.Extent, wantsChecksums: Bool = false
  ) -> [PackageRecord] {
    DpkgDatabase(
      lists: Self.lists, status: Array(Self.status.utf8),
      diversions: DpkgDiversions(Array(Self.diversions.utf8))
    ).records(PackageQuestion(extent, wantsChecksums: wantsChecksums), Self.aliases)
  }

  private func ask(_ file: String, wantsChecksums: Bool = false) -> [PackageRecord] {
    ask(.files([PackagedFile(path: Array(file.utf8))]), wantsChecksums: wantsChecksums)
  }

  private func record(
    _ package: String, _ version: String, _ architecture: String, list: String, _ file: String,
    path: String? = nil, checksum: PackageRecord.Checksum? = nil
  ) -> PackageRecord {
    PackageRecord(
      manager: .dpkg, package: package, version: version, architecture: architecture,
      database: Array("/info/\(list).list".utf8), file: Array(file.utf8),
      path: Array((path ?? file).utf8), checksum: checksum)
  }

  @Test func fileIsFoundByItsRealPathAndThatOfThePackage() {
    #expect(
      ask("/usr/bin/ls") == [
        record("coreutils", "9.1-1", "amd64", list: "coreutils", "/usr/bin/ls", path: "/bin/ls")
      ])
    for other in ["/usr/bin/l", "/usr/bin/ls/", "/bin/lsx", "ls", "/", "", "/.\n/bin"] {
      #expect(ask(other) == [], "\(other)")
    }
  }

  @Test func packagesOfSeveralArchitecturesHaveOneFile() {
    #expect(
      ask("/usr/share/doc/c") == [
        record("libc6", "2.36-9", "amd64", list: "libc6:amd64", "/usr/share/doc/c"),
        record("libc6", "2.36-8", "i386", list: "libc6:i386", "/usr/share/doc/c"),
      ])
  }

  @Test func divertedFileIsOfThePackageThatHasItNow() {
    #expect(
      ask("/usr/bin/pg_config")
        == [record("pg-common", "248", "all", list: "pg-common", "/usr/bin/pg_config")])
    #expect(
      ask("/usr/bin/pg_config.libpq-dev") == [
        record(
          "libpq-dev", "15", "amd64", list: "libpq-dev", "/usr/bin/pg_config.libpq-dev",
          path: "/usr/bin/pg_config")
      ])
    #expect(ask("/usr/share/a") == [])
    #expect(ask("/usr/share/a.kept").map(\.path) == [Array("/usr/share/a".utf8)])
  }

  @Test(arguments: ["", "usr/bin/a"]) func lineThatIsNoPathIsNotDiverted(_ line: String) {
    let list = DpkgDatabase.FileList(
      path: [], name: Array("coreutils".utf8), content: Array("\(line)\n/etc/b\n".utf8))
    let database = DpkgDatabase(
      lists: [list], status: Array(Self.status.utf8),
      diversions: DpkgDiversions(Array("\(line)\n/usr/bin/a\nother\n".utf8)))
    for extent in [
      .trees([[0x2f]]), .files([PackagedFile(path: Array("/usr/bin/a".utf8))]),
    ] as [PackageQuestion.Extent] {
      let found = database.records(PackageQuestion(extent, wantsChecksums: true), Self.aliases)
      #expect(found.map(\.file).filter { $0 != Array("/etc/b".utf8) } == [])
    }
  }

  @Test func checksumsAreThoseOfThePackageAndOfConfigurationFiles() {
    let sum = PackageRecord.Checksum(.md5, (0..<16).map { $0 * 0x11 })
    #expect(ask("/usr/lib/libc.so", wantsChecksums: true).map(\.checksum) == [sum])
    #expect(ask("/usr/lib/libc.so").map(\.checksum) == [nil])
    #expect(ask("/usr/share/doc/c", wantsChecksums: true).map(\.checksum) == [nil, nil])
    let other = PackageRecord.Checksum(
      .md5, hexadecimal: "d4e7a7b88a71b5ffd9e2644e71a0cfab".utf8)
    #expect(
      ask("/etc/ld.so.conf.d/a b.conf", wantsChecksums: true).map(\.checksum) == [other])
  }

  @Test func directoriesAndTreesHaveTheirFiles() {
    func paths(_ extent: PackageQuestion.Extent) -> [String] {
      ask(extent).map { String(decoding: $0.file, as: UTF8.self) }
    }
    #expect(
      paths(.entries(Array("/usr/bin".utf8)))
        == ["/usr/bin/ls", "/usr/bin/pg_config", "/usr/bin/pg_config.libpq-dev"])
    #expect(
      paths(.trees([Array("/usr/lib".utf8), Array("/etc".utf8)]))
        == ["/usr/lib", "/usr/lib/libc.so", "/etc/ld.so.conf.d/a b.conf"])
    #expect(paths(.trees([[0x2f]])).count == 10)
    #expect(paths(.entries([0x2f])) == [])
    #expect(paths(.entries(Array("/usr/bi".utf8))) == [])
  }

  @Test func manyListsHaveTheSameAnswers() {
    let many = Self.lists + (0..<20).map { Self.list("empty\($0)", []) }
    let database = DpkgDatabase(
      lists: many, status: Array(Self.status.utf8), diversions: DpkgDiversions())
    let question = PackageQuestion(.files([PackagedFile(path: Array("/usr/bin/ls".utf8))]))
    #expect(
      database.records(question, Self.aliases) == [
        record("coreutils", "9.1-1", "amd64", list: "coreutils", "/usr/bin/ls", path: "/bin/ls")
      ])
  }

  @Test func configurationFilesHaveTheirWordsTakenOff() throws {
    let status = DpkgStatus(Array(Self.status.utf8))
    let package = try #require(status.package(ofList: Array("libc6:amd64".utf8)))
    #expect(
      Set(package.configurationFiles.keys.map { String(decoding: $0, as: UTF8.self) })
        == ["/etc/ld.so.conf.d/a b.conf", "/etc/old"])
    for name in ["", ":", "libc6", "coreutils:amd64", "other", "gone", "libc6:arm64"] {
      #expect(status.package(ofList: Array(name.utf8)) == nil, "\(name)")
    }
  }
}
