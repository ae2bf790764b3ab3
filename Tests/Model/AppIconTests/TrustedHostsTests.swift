import AppIcon
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import AppIcon

/// The user's list of hosts.
@Suite struct TrustedHostsTests {
  private static let list = "home/.config/docsource/trusted-hosts"

  private static func add(_ names: String..., to places: BaseDirectories) throws {
    let hosts = try names.map { try HostName($0) }
    try TrustedHosts.edit(places) { list in
      hosts.map { list.add($0) }.contains(true)
    }
  }

  @Test func withoutAListNobodyIsTrusted() throws {
    let desktop = try Desktop()
    let hosts = TrustedHosts(places: desktop.places)
    #expect(hosts.failure == nil)
    #expect(hosts.hosts.isEmpty)
    #expect(!hosts.contains("example.com"))
  }

  @Test func hostIsFoundByItsOwnNameAlone() throws {
    let desktop = try Desktop()
    try desktop.file(Self.list, "# mine\n\n  Example.COM.\t# why\r\nb.example.org\n")
    let hosts = TrustedHosts(places: desktop.places)
    #expect(hosts.hosts.map(\.text) == ["example.com", "b.example.org"])
    for host in ["example.com", "EXAMPLE.com", "example.com.", "b.example.org"] {
      #expect(hosts.contains(host), "\(host)")
    }
    for host in ["a.example.com", "example.org", "com", "", "example.com:443", "mine", "why"] {
      #expect(!hosts.contains(host), "\(host)")
    }
  }

  @Test func lineThatIsNoHostCountsAsNothing() throws {
    let desktop = try Desktop()
    try desktop.file(
      Self.list, "https://a.example/\n127.0.0.1\n*.example.com\nlocalhost\n[::1]\nok.example.com")
    let hosts = TrustedHosts(places: desktop.places)
    #expect(hosts.hosts.map(\.text) == ["ok.example.com"])
    #expect(hosts.misspelt.map(\.line) == [1, 2, 3, 4, 5])
    #expect(hosts.misspelt.first?.text == "https://a.example/")
    for host in ["127.0.0.1", "localhost", "[::1]", "a.example"] {
      #expect(!hosts.contains(host), "\(host)")
    }
  }

  @Test func editingKeepsEverythingElse() throws {
    let desktop = try Desktop()
    try desktop.file(Self.list, "# mine\n\nb.example.org # why\nnonsense")
    try Self.add("a.example.org", "b.example.org", to: desktop.places)
    #expect(
      try desktop.directory.text(Self.list)
        == "# mine\n\nb.example.org # why\nnonsense\na.example.org\n")
    let host = try HostName("B.example.org")
    try TrustedHosts.edit(desktop.places) { $0.remove(host) }
    #expect(try desktop.directory.text(Self.list) == "# mine\n\nnonsense\na.example.org\n")
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: desktop.directory.path("home/.config/docsource")) == ["trusted-hosts"])
  }

  @Test func directoriesAreMadeForTheUserAlone() throws {
    let desktop = try Desktop()
    try Self.add("a.example.org", to: desktop.places)
    #expect(try desktop.directory.text(Self.list) == "a.example.org\n")
    #expect(Cached.mode(desktop.directory.path("home/.config/docsource")) == 0o700)
  }

  @Test func linkedListStaysALinkAndKeepsItsMode() throws {
    let desktop = try Desktop()
    try desktop.file("elsewhere/hosts", "")
    chmod(desktop.directory.path("elsewhere/hosts"), 0o640)
    try desktop.file("home/.config/docsource/x")
    symlink("../../../elsewhere/hosts", desktop.directory.path(Self.list))
    try Self.add("a.example.org", to: desktop.places)
    #expect(try desktop.directory.text("elsewhere/hosts") == "a.example.org\n")
    #expect(Cached.mode(desktop.directory.path("elsewhere/hosts")) == 0o640)
  }

  @Test func listThatCannotBeReadIsNotOverwritten() throws {
    let desktop = try Desktop()
    try FileManager.default.createDirectory(
      atPath: desktop.directory.path(Self.list), withIntermediateDirectories: true)
    let failure = TrustedHosts.Failure(
      path: desktop.path(Self.list), reason: "cannot read: is a directory")
    #expect(TrustedHosts(places: desktop.places).failure == failure)
    #expect(throws: failure) { try Self.add("a.example.org", to: desktop.places) }
    let homeless = BaseDirectories { _ in nil }
    #expect(
      throws: TrustedHosts.Failure(
        path: nil, reason: "neither XDG_CONFIG_HOME nor HOME is set to an absolute path")
    ) { try TrustedHosts.edit(homeless) { _ in true } }
  }

  @Test func editsAtTheSameTimeAreAllKept() async throws {
    let desktop = try Desktop()
    let places = desktop.places
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<32 {
        group.addTask { try? Self.add("h\(number).example.org", to: places) }
      }
    }
    #expect(Set(TrustedHosts(places: desktop.places).hosts).count == 32)
  }
}

@Suite struct HostNameTests {
  @Test(arguments: [
    ("example.com", "example.com"), ("EXAMPLE.Com.", "example.com"), ("localhost", "localhost"),
    ("a_b.xn--bcher-kva.example", "a_b.xn--bcher-kva.example"),
    (String(repeating: "a.", count: 126) + "a", String(repeating: "a.", count: 126) + "a"),
  ])
  func nameIsInLowerCaseWithoutTheRoot(_ text: String, _ name: String) throws {
    #expect(try HostName(text).text == name)
  }

  @Test(arguments: [
    ("[::1]", HostName.Flaw.address), ("127.0.0.1", .address), ("2130706433", .address),
    ("0x7f.1", .address), ("a.0x", .address), ("a%2eb", .percentEncoded), ("", .malformed),
    (".", .malformed), ("a..b", .malformed), (".a", .malformed), ("a b", .malformed),
    ("bücher.example", .malformed), ("a.example:443", .malformed), ("*.example", .malformed),
    (String(repeating: "a", count: 64) + ".example", .malformed),
    (String(repeating: "a.", count: 128), .malformed),
  ])
  func flawOfWhatIsNoNameIsReported(_ text: String, _ flaw: HostName.Flaw) {
    #expect(throws: flaw) { try HostName(text) }
  }

  @Test func labelsAreReported() throws {
    #expect(try HostName("localhost").isSingleLabel)
    #expect(try !HostName("a.example").isSingleLabel)
    #expect(try HostName("a.Example.").topLevelDomain == "example")
    #expect(try HostName("localhost").topLevelDomain == "localhost")
  }
}
