import ForeignFormats
import Foundation
import InstalledPackages
import LinuxSystem
import TestSupport
import Testing

@Suite struct InstalledPackagesTests {
  private let root: PackageRoot

  init() throws {
    root = try PackageRoot()
    try root.write(
      "var/lib/dpkg/status",
      "Package: a\nStatus: install ok installed\nVersion: 1\nArchitecture: all\n")
    try root.write(
      "var/lib/dpkg/info/a.list", "/.\n/bin\n/bin/ls\n/usr\n/usr/share\n/usr/share/x\n")
    try root.write(
      "var/lib/dpkg/info/a.md5sums", "00112233445566778899aabbccddeeff  usr/share/x\n")
    try root.write("usr/bin/ls", "")
    symlink("usr/bin", root.place.path("bin"))
  }

  @Test func fileIsFoundOverTheLinksOfTheSystem() throws {
    let list = root.root + "/var/lib/dpkg/info/a.list"
    #expect(try Execution.run(["touch", "-d", "@1790000000", list]).status == 0)
    let found = root.packages(of: "/usr/bin/ls")
    #expect(found.flaws == [])
    #expect(
      found.records == [
        [
          PackageRecord(
            manager: .dpkg, package: "a", version: "1", architecture: "all",
            database: Array((root.root + "/var/lib/dpkg/info/a.list").utf8),
            file: Array("/usr/bin/ls".utf8), path: Array("/bin/ls".utf8), installed: 1_790_000_000)
        ]
      ])
    #expect(root.titles("/usr/share/y") == [])
    #expect(root.titles("/usr/share/x") == ["a 1"])
  }

  @Test func treesHaveWhatIsBelowOverTheLinksOfTheSystem() throws {
    func files(_ extent: PackageQuestion.Extent) -> [String] {
      root.packages(extent).records.flatMap(\.self).map { String(decoding: $0.file, as: UTF8.self) }
    }
    try root.write("var/lib/dpkg/info/a.list", "/.\n/bin\n/bin/ls\n")
    for tree in ["/usr", "/usr/bin"] {
      #expect(files(.trees([Array(tree.utf8)])) == ["/usr/bin", "/usr/bin/ls"])
    }
    #expect(files(.entries(Array("/usr/bin".utf8))) == ["/usr/bin/ls"])
    #expect(files(.entries(Array("/usr".utf8))) == ["/usr/bin"])
    #expect(files(.trees([Array("/usr/sbin".utf8)])) == [])
  }

  @Test func directoryOfSeveralPackagesIsOfNone() throws {
    #expect(root.packages(of: "/usr/share", isDirectory: true).records.count == 1)
    try root.write("var/lib/dpkg/info/b.list", "/usr/share\n")
    try root.write(
      "var/lib/dpkg/status",
      """
      Package: a
      Status: install ok installed
      Version: 1

      Package: b
      Status: install ok installed
      Version: 2

      """)
    #expect(root.packages(of: "/usr/share", isDirectory: true).records == [])
    #expect(root.titles("/usr/share") == ["a 1", "b 2"])
  }

  @Test func fileOfThisUserIsOfNoPackageOfTheSystem() {
    let file = PackagedFile(path: Array("/usr/share/x".utf8), isOfUser: true)
    #expect(root.packages(.files([file])).records == [])
  }

  @Test func databasesOfOtherUsersAreNotRead() throws {
    #expect(root.packages(.trees([[0x2f]]), system: [4_000_000]).records == [])
    guard geteuid() == 0 else { return }
    let list = root.place.path("var/lib/dpkg/info/a.list")
    chown(list, 12345, 12345)
    #expect(root.titles("/usr/share/x") == [])
    chown(list, 0, 0)
    #expect(root.titles("/usr/share/x") == ["a 1"])
    chown(root.place.path("var/lib/dpkg/info"), 12345, 12345)
    #expect(root.titles("/usr/share/x") == [])
  }

  @Test func databasesThatAnybodyMayWriteToAreNotRead() {
    chmod(root.place.path("var/lib/dpkg/info/a.list"), 0o666)
    #expect(root.titles("/usr/share/x") == [])
    chmod(root.place.path("var/lib/dpkg/info/a.list"), 0o644)
    chmod(root.place.path("var/lib/dpkg/info"), 0o777)
    #expect(root.titles("/usr/share/x") == [])
  }

  @Test func linksInDatabasesAreNotFollowed() throws {
    let list = root.place.path("var/lib/dpkg/info/a.list")
    rename(list, root.place.path("elsewhere"))
    symlink(root.place.path("elsewhere"), list)
    #expect(root.titles("/usr/share/x") == [])
    mkfifo(root.place.path("var/lib/dpkg/info/b.list"), 0o644)
    mkdir(root.place.path("var/lib/dpkg/info/c.list"), 0o755)
    #expect(root.packages(of: "/usr/share/x").flaws == [])
  }

  @Test func listThatIsTooLargeIsNamed() throws {
    let list = root.place.path("var/lib/dpkg/info/b.list")
    try root.write("var/lib/dpkg/info/b.list", "")
    truncate(list, 1 << 30)
    let found = root.packages(of: "/usr/share/x")
    #expect(
      found.flaws == [DatabaseFlaw(path: Array(list.utf8), reason: "larger than 64 MiB")])
    #expect(found.records.count == 1)
  }

  @Test func listsWithoutLineFeedsAndWithOddPathsAreRead() throws {
    try root.write("var/lib/dpkg/info/a.list", "/usr/../etc/passwd\n/usr/share/\u{1b}[2J\n/last")
    #expect(root.titles("/last") == ["a 1"])
    #expect(root.titles("/usr/share/\u{1b}[2J") == ["a 1"])
    #expect(root.titles("/etc/passwd") == [])
    try root.write("var/lib/dpkg/info/a.list", String(repeating: "/usr/share/x", count: 100_000))
    #expect(root.titles("/usr/share/x") == [])
  }

  @Test func readingThatTakesTooLongIsGivenUp() throws {
    for number in 0..<70 { try root.write("var/lib/dpkg/info/b\(number).list", "/\n") }
    let found = root.packages(.trees([[0x2f]]), milliseconds: 0)
    #expect(
      found.flaws == [
        DatabaseFlaw(
          path: Array((root.root + "/var/lib/dpkg").utf8), reason: "reading took too long")
      ])
  }

  private func addPython(_ site: String) throws {
    try root.write(site + "/tiny-1.0.dist-info/METADATA", "Name: tiny\nVersion: 1.0\n")
    try root.write(
      site + "/tiny-1.0.dist-info/RECORD", "tiny.py,,\n../../../bin/tiny,,\n../../../../x,,\n")
  }

  @Test func modulesAndScriptsAreFoundByTheirEnvironment() throws {
    try addPython("home/v/lib/python3.11/site-packages")
    for file in ["/home/v/lib/python3.11/site-packages/tiny.py", "/home/v/bin/tiny"] {
      #expect(root.titles(file) == ["tiny 1.0"])
      let own = PackagedFile(path: Array(file.utf8), isOfUser: true)
      #expect(root.packages(.files([own])).records.count == 1)
    }
    #expect(root.titles("/home/x") == [])
    #expect(root.packages(.entries(Array("/home/v/bin".utf8))).records.flatMap(\.self).count == 1)
    #expect(root.packages(.trees([Array("/home/v".utf8)])).records.flatMap(\.self).count == 2)
  }

  @Test func directoryOfModulesThatIsALinkIsNotRead() throws {
    try addPython("other/lib/python3.11/site-packages")
    try root.write("home/v/lib/python3.11/x", "")
    symlink(
      root.place.path("other/lib/python3.11/site-packages"),
      root.place.path("home/v/lib/python3.11/site-packages"))
    #expect(root.titles("/home/v/bin/tiny") == [])
    #expect(root.titles("/other/bin/tiny") == ["tiny 1.0"])
  }

  @Test func whatDpkgHasIsNotOfPip() throws {
    try addPython("usr/lib/python3.11/site-packages")
    #expect(root.titles("/usr/bin/tiny") == ["tiny 1.0"])
    try root.write("var/lib/dpkg/info/a.list", "/usr/bin/tiny\n")
    #expect(root.titles("/usr/bin/tiny") == ["a 1"])
  }
}

/// The databases of other package managers than dpkg.
@Suite struct OtherPackageManagerTests {
  private let root: PackageRoot

  init() throws { root = try PackageRoot() }

  @Test func packagesOfPacmanAreFound() throws {
    let package = "var/lib/pacman/local/tiny-1.0-2"
    try root.write(package + "/files", "%FILES%\nusr/\nusr/bin/\nusr/bin/tiny\n")
    try root.write(package + "/desc", "%NAME%\ntiny\n\n%VERSION%\n1.0-2\n")
    try root.write("var/lib/pacman/local/ALPM_DB_VERSION", "9\n")
    #expect(root.titles("/usr/bin/tiny") == ["tiny 1.0-2"])
    #expect(root.titles("/usr/bin") == [])
    #expect(root.packages(of: "/usr/bin", isDirectory: true).records.flatMap(\.self).count == 1)
    #expect(root.packages(.trees([Array("/usr".utf8)])).records.flatMap(\.self).count == 3)
    let other = PackagedFile(path: Array("/usr/bin/tiny".utf8), isOfUser: true)
    #expect(root.packages(.files([other])).records == [])
  }

  private func records(_ file: String) -> [PackageRecord] {
    let wanted = PackagedFile(path: Array(file.utf8))
    return PackageRecords(root.packages(.files([wanted])).records.flatMap(\.self)).records(
      of: wanted)
  }

  @Test func filesOfFlatpakAreOfTheirDeployment() throws {
    for installation in ["var/lib/flatpak", "home/.local/share/flatpak"] {
      let deployment = installation + "/app/org.example.App/x86_64/stable/0123456789abcdef0123"
      try root.write(deployment + "/deploy", "")
      try root.write(deployment + "/files/bin/tiny", "")
      let found = try #require(records("/\(deployment)/files/bin/tiny").first)
      #expect(found.manager == .flatpak)
      #expect(found.title == "org.example.App stable-0123456789ab")
      #expect(found.architecture == "x86_64")
      #expect(String(decoding: found.path, as: UTF8.self) == "/app/bin/tiny")
      #expect(
        String(decoding: found.database, as: UTF8.self) == "\(root.root)/\(deployment)/deploy")
      #expect(records("/\(deployment)/metadata") == [])
      unlink(root.place.path(deployment + "/deploy"))
      #expect(records("/\(deployment)/files/bin/tiny") == [])
    }
  }

  @Test func filesOfSnapsAreOfTheirRevision() throws {
    try root.write("snap/tiny/12/meta/snap.yaml", "name: tiny\nversion: '1.0'\n")
    try root.write("snap/tiny/12/bin/tiny", "")
    symlink("12", root.place.path("snap/tiny/current"))
    let found = try #require(records("/snap/tiny/12/bin/tiny").first)
    #expect(found.manager == .snap)
    #expect(found.title == "tiny 1.0")
    #expect(String(decoding: found.path, as: UTF8.self) == "/bin/tiny")
    #expect(records("/snap/tiny/13/bin/tiny") == [])
    #expect(root.packages(.trees([[0x2f]])).records.flatMap(\.self).count == 1)
    #expect(root.packages(.trees([[0x2f]]), system: [4_000_000]).records == [])
  }

  @Test func whatIsNoDatabaseOfRpmIsNamed() throws {
    let path = try root.write("var/lib/rpm/rpmdb.sqlite", String(repeating: "x", count: 4096))
    let found = root.packages(of: "/usr/bin/tiny")
    #expect(found.records == [])
    #expect(found.flaws == [DatabaseFlaw(path: Array(path.utf8), reason: "file is not a database")])
    try root.write("var/lib/rpm/rpmdb.sqlite", "")
    #expect(root.packages(of: "/usr/bin/tiny").flaws == [])
  }
}
