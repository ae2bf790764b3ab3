import Foundation
import TestSupport
import Testing

/// What `trace` takes from the databases of package managers.
@Suite struct TracePackageTests {
  private let user: BrowserUser
  private let version: String
  private let architecture: String

  init() throws {
    user = try BrowserUser()
    let words = try Execution.run(
      ["dpkg-query", "-W", "-f", "${Version} ${Architecture}", "dpkg"]
    ).text.split(separator: " ").map(String.init)
    (version, architecture) = (words[0], words[1])
  }

  private func trace(_ arguments: String...) throws -> Execution {
    try user.run("trace", ["--no-embedded"] + arguments)
  }

  @Test func packageAnswersWhereNothingElseDoes() throws {
    let execution = try trace("/usr/bin/dpkg")
    #expect(
      execution.text == """
        /usr/bin/dpkg: from the package dpkg \(version)
          Package      "dpkg \(version)", for "\(architecture)", installed by dpkg
            /var/lib/dpkg/info/dpkg.list (recorded by path; may describe an earlier file at this path)

        """)
    #expect(execution.errors == "")
    #expect(execution.status == 0)
    let without = try trace("--no-records", "/usr/bin/dpkg")
    #expect(without.errors == "docsource: /usr/bin/dpkg: no mark of origin\n")
    #expect(without.status == 1)
    #expect(
      try trace("--raw", "/var/lib/dpkg/info/dpkg.list", "/usr/bin/dpkg").text == "dpkg \(version)")
  }

  @Test func jsonHasThePackage() throws {
    let title = Data("dpkg \(version)".utf8).base64EncodedString()
    let installed = try Execution.run(
      ["date", "-u", "-r", "/var/lib/dpkg/info/dpkg.list", "+%Y-%m-%dT%H:%M:%SZ"]
    ).text.trimmingCharacters(in: .newlines)
    #expect(
      try trace("--json", "/usr/bin/dpkg").text == """
        {"file":"/usr/bin/dpkg","origin":{"package":"dpkg \(version)"},"marks":[{"mark":"package",\
        "carrier":"/var/lib/dpkg/info/dpkg.list","form":"package","trust":"record","value":\
        {"manager":"dpkg","package":"dpkg","version":"\(version)","architecture":"\(architecture)",\
        "path":"/usr/bin/dpkg","installed":"\(installed)"},"bytes":"\(title)"}],"contradictions":[],"flaws":[]}

        """)
  }

  @Test func lifeHasTheTimeOfTheInstallation() throws {
    let installed = try Execution.run(
      ["date", "-u", "-r", "/var/lib/dpkg/info/dpkg.list", "+%Y-%m-%dT%H:%M:%SZ"]
    ).text.trimmingCharacters(in: .newlines)
    #expect(
      try trace("--all", "--no-embedded", "/usr/bin/dpkg").text.contains(
        """
          \(installed)  installed with the package dpkg \(version)
            /var/lib/dpkg/info/dpkg.list (recorded by path; may describe an earlier file at this path)

        """))
  }

  @Test func treesAndSeveralFilesHaveTheirPackages() throws {
    let tree = "/usr/share/doc/tar"
    let recursive = try trace("-r", "--records", tree)
    let lines = recursive.text.split(separator: "\n").dropLast()
    #expect(recursive.status == 0)
    for line in lines {
      let parts = line.components(separatedBy: ": from the package ")
      let package = try Execution.run(["dpkg", "-S", parts[0]]).text.prefix { $0 != ":" }
      #expect(parts.last?.hasPrefix(package + " ") == true, "\(line)")
    }
    #expect(!lines.isEmpty)
    #expect(try trace("-r", tree).status == 1)
    let names = ["dpkg", "dpkg-deb", "dpkg-query", "dpkg-split"]
    let several = try trace(["--json"] + names.map { "/usr/bin/" + $0 })
    #expect(
      several.text.split(separator: "\n").map { $0.contains(#""package":"dpkg \#(version)""#) }
        == [true, true, true, true])
  }

  private func trace(_ arguments: [String]) throws -> Execution {
    try user.run("trace", ["--no-embedded"] + arguments)
  }

  /// The user's own environment of Python has what pip writes.
  @Test func moduleOfTheUsersOwnEnvironmentIsOfItsDistribution() throws {
    let site = "v/lib/python3.11/site-packages"
    try user.home.file(site + "/tiny-1.0.dist-info/METADATA", "Name: tiny\nVersion: 1.0\n")
    try user.home.file(site + "/tiny-1.0.dist-info/RECORD", "tiny.py,,\n../../../bin/tiny,,\n")
    try user.home.file(site + "/tiny.py")
    try user.home.file("v/bin/tiny")
    let record = user.home.path(site + "/tiny-1.0.dist-info/RECORD")
    for file in [site + "/tiny.py", "v/bin/tiny"] {
      #expect(
        try trace(file).text == """
          \(file): from the package tiny 1.0
            Package      "tiny 1.0", installed by pip
              \(record) (recorded by path; may describe an earlier file at this path)

          """)
    }
    try user.home.file(site + "/tiny-1.0.dist-info/METADATA", "Name: a\u{1b}[2J\" x\n")
    let hostile = try trace("v/bin/tiny").text
    #expect(
      hostile.hasPrefix(#"v/bin/tiny: from the package "a\x1b[2J\" x""# + "\n"), "\(hostile)")
  }

  @Test func marksAndDownloadsCountMore() throws {
    let site = "v/lib/python3.11/site-packages"
    try user.home.file(site + "/tiny-1.0.dist-info/METADATA", "Name: tiny\nVersion: 1.0\n")
    try user.home.file(site + "/tiny-1.0.dist-info/RECORD", "tiny.py,,\n")
    let file = try user.file(site + "/tiny.py")
    try user.record("chromium", ".config/chromium/Default", file)
    let execution = try trace(site + "/tiny.py").text
    #expect(
      execution.hasPrefix(
        "\(site)/tiny.py: downloaded from files.example.com by \"Chromium\" on 1970-01-01\n"))
    #expect(execution.contains("\n  Package      \"tiny 1.0\", installed by pip\n"))
  }

  @Test func contentsAreComparedWithTheChecksumsOfPackages() throws {
    let site = "v/lib/python3.11/site-packages"
    try user.home.file(site + "/tiny-1.0.dist-info/METADATA", "Name: tiny\nVersion: 1.0\n")
    // Of "four".
    try user.home.file(
      site + "/tiny-1.0.dist-info/RECORD",
      "a.py,sha256=BO-vCA9aPnThwp0cpqSFaTgsu80yTo1Z0rg-8hwDnwA,4\nb.py,,\n")
    for name in ["a.py", "b.py"] { try user.file(site + "/" + name) }
    func words(_ name: String, _ arguments: String...) throws -> String {
      let lines = try trace(["--verify"] + arguments + [site + "/" + name]).text.split(
        separator: "\n")
      return lines.dropFirst().first.map(String.init) ?? ""
    }
    let start = #"  Package      "tiny 1.0", installed by pip, "#
    #expect(try words("a.py") == start + "content as in the package")
    #expect(try words("b.py") == start + "content not verified")
    try user.home.file(site + "/a.py", "five")
    #expect(try words("a.py") == start + "content differs from that in the package")
    let lines = try trace(["--verify", "--json", "-r", "v"]).text.split(separator: "\n")
    #expect(lines.filter { $0.contains(#""verified":"changed"}"#) }.count == 1)
    #expect(lines.filter { $0.contains(#""verified":"unknown"}"#) }.count == 1)
    #expect(try !trace(["--json", site + "/a.py"]).text.contains("verified"))
    #expect(
      try trace("--verify", "/usr/bin/dpkg").text.contains(
        ", installed by dpkg, content as in the package\n"))
    #expect(
      try trace(["--verify", "--no-records", "a"]).errors.hasPrefix(
        "docsource: trace: --verify and --no-records cannot be combined;"))
  }

  @Test func environmentsBelowATreeAreFoundWithTheirFiles() throws {
    let site = "project/v/lib/python3.11/site-packages"
    try user.home.file("project/v/pyvenv.cfg", "")
    try user.home.file(site + "/tiny-1.0.dist-info/METADATA", "Name: tiny\nVersion: 1.0\n")
    try user.home.file(site + "/tiny-1.0.dist-info/RECORD", "tiny.py,,\n../../../bin/tiny,,\n")
    try user.home.file(site + "/tiny.py")
    try user.home.file("project/v/bin/tiny")
    let lines = try trace(["-r", "-j1", "--records", "project"]).text.split(separator: "\n")
    #expect(
      Set(lines.dropLast()) == [
        "\(site)/tiny.py: from the package tiny 1.0",
        "project/v/bin/tiny: from the package tiny 1.0",
      ])
  }
}
