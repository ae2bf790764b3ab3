import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource icon trust`, and what keeps the cache.
@Suite struct IconTrustTests {
  @Test func hostsAreAddedListedAndRemoved() throws {
    let home = try IconHome()
    #expect(try home.run("icon", "trust", "list").text == "")
    let added = try home.run("icon", "trust", "add", "B.example.org.", "a.example.org")
    #expect(added.text == "b.example.org: added\na.example.org: added\n")
    #expect(added.errors == "")
    let again = try home.run("icon", "trust", "add", "a.example.org")
    #expect(again.errors == "docsource: a.example.org is already on the list\n")
    #expect(again.text == "")
    #expect(again.status == 0)
    #expect(try home.run("icon", "trust", "list").text == "b.example.org\na.example.org\n")
    let removed = try home.run("icon", "trust", "remove", "b.example.org", "c.example.org")
    #expect(removed.text == "b.example.org: removed\n")
    #expect(removed.errors == "docsource: c.example.org is not on the list\n")
    #expect(removed.status == 1)
    #expect(try home.directory.text("home/.config/docsource/trusted-hosts") == "a.example.org\n")
  }

  @Test(arguments: [
    (["trust"], "icon trust: no verb given; see 'docsource help icon trust'"),
    (["trust", "ad"], "unknown verb 'ad'; did you mean 'add'?"),
    (["trust", "add"], "icon trust add: no host given; see 'docsource help icon trust add'"),
    (
      ["trust", "add", "https://a.example.org:443/x"],
      "icon trust add: 'https://a.example.org:443/x' is a URL; did you mean 'a.example.org'?"
    ),
    (
      ["trust", "remove", "127.0.0.1"],
      "icon trust remove: '127.0.0.1' is an IP address, not a host name;"
        + " see 'docsource help icon trust remove'"
    ),
    (
      ["trust", "add", "[::1]"],
      "icon trust add: '[::1]' is an IP address, not a host name;"
        + " see 'docsource help icon trust add'"
    ),
    (
      ["trust", "add", "localhost"],
      "icon trust add: 'localhost' has no domain; give a name such as example.com;"
        + " see 'docsource help icon trust add'"
    ),
    (
      ["trust", "add", "*.example.com"],
      "icon trust add: '*.example.com' is not a host name such as example.com; write other"
        + " scripts as xn--...; see 'docsource help icon trust add'"
    ),
    (
      ["trust", "list", "x"],
      "icon trust list: no operand is allowed; see 'docsource help icon trust list'"
    ),
  ])
  func wrongCommandLineChangesNothing(_ arguments: [String], _ message: String) throws {
    let home = try IconHome()
    let execution = try home.run(["icon"] + arguments)
    #expect(execution.errors == "docsource: \(message)\n")
    #expect(execution.text == "")
    #expect(execution.status == 64)
    #expect(access(home.directory.path("home/.config"), F_OK) != 0)
  }

  @Test func lineThatIsNoHostIsReported() throws {
    let home = try IconHome()
    let path = try home.file(
      "home/.config/docsource/trusted-hosts", Array("# mine\na.example.org\nhttps://x\n".utf8))
    let listed = try home.run("icon", "trust", "list")
    #expect(listed.text == "a.example.org\n")
    #expect(listed.status == 0)
    #expect(
      listed.errors == "docsource: \(path): line 3: 'https://x' is not a host name; ignored\n")
  }

  @Test func listThatCannotBeReadIsReported() throws {
    let home = try IconHome()
    let path = home.directory.path("home/.config/docsource/trusted-hosts")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for arguments in [["list"], ["add", "a.example.org"]] {
      let failed = try home.run(["icon", "trust"] + arguments)
      #expect(failed.errors == "docsource: \(path): cannot read: is a directory\n")
      #expect(failed.status == 2)
    }
  }

  @Test func cacheIsCountedPrunedAndCleared() throws {
    let home = try IconHome()
    #expect(try home.run("icon", "--cache-stats").text == "there is no cache yet\n")
    try home.keep()
    let path = home.directory.path("home/.cache/docsource/v1")
    let reported = try home.run("icon", "--cache-stats", "--json").output
    let object = try JSONSerialization.jsonObject(with: Data(reported)) as? [String: Any]
    #expect(object?["cache"] as? String == path)
    #expect(object?["responses"] as? Int == 2)
    #expect(object?["icons"] as? Int == 1)
    let bytes = try #require(object?["bytes"] as? Int)
    #expect(bytes > 2 * IconHome.picture.count)
    let words = "2 responses, 1 icon, 0 temporary files: \(bytes) bytes\n"
    #expect(try home.run("icon", "--cache-stats").text == "\(path): \(words)")
    let pruned = try home.run("icon", "--cache-prune")
    #expect(pruned.text == "removed 0 responses, 0 icons, 0 temporary files: 0 bytes\n")
    #expect(pruned.status == 0)
    #expect(try home.run("icon", "--cache-clear").text == "removed \(words)")
    chmod(home.directory.path("home/.cache/docsource"), 0o777)
    let refused = try home.run("icon", "--cache-stats")
    #expect(
      refused.errors == "docsource: \(home.directory.path("home/.cache/docsource")):"
        + " cannot use the cache: other users may write to the directory\n")
    #expect(refused.status == 2)
    #expect(home.fetched == [])
  }

  /// strace shows every program that is started and every socket that is made.
  @Test func noOtherVerbReachesTheNetwork() throws {
    let home = try IconHome()
    try home.tagged("a.txt")
    let list = Array("<plist version='1.0'><dict/></plist>".utf8)
    try home.file("a.plist", list)
    let commands = [
      ["show", "a.txt"], ["show", "--json", "a.txt"], ["show", "-r", "."],
      ["tag", "--app-name", "x", "-u", IconHome.url, "a.txt"], ["plist", "check", "a.plist"],
      ["icon", "--offline", "a.txt"], ["icon", "trust", "add", "a.example.org"],
      ["apps"], ["apps", "add", "a.b", "-u", IconHome.url], ["tag", "--app", "a.b", "a.txt"],
      ["doctor", "a.txt"], ["remove", "a.txt"], ["--help"],
    ]
    for command in commands {
      let trace = home.directory.path("trace")
      let strace = ["strace", "-f", "-qq", "-o", trace, "-e", "trace=%network,%process"]
      let execution = try Execution.run(
        strace + [home.docsource] + command, in: home.directory.root,
        environment: home.environment)
      #expect(execution.status <= 2, "\(command)")
      let calls = try home.directory.text("trace").split(separator: "\n").compactMap { line in
        line.split(separator: " ").dropFirst().first?.prefix { $0 != "(" }
      }
      #expect(calls.filter { $0 == "execve" }.count == 1, "\(command)")
      #expect(
        Set(calls).isDisjoint(with: ["socket", "connect", "clone", "clone3", "fork", "vfork"]),
        "\(command)")
    }
    #expect(home.fetched == [])
    // The verb for it does start the program.
    try home.tagged("a.txt")
    #expect(try home.run("icon", "a.txt").status == 2)
    #expect(home.fetched.count == 1)
  }
}
