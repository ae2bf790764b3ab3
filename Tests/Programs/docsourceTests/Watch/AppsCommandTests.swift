import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource apps` and `tag --app`.
@Suite struct AppsCommandTests {
  private static let list = "home/.config/docsource/apps.json"
  private static let workingCopy = "com.appliedphasor.working-copy"
  private static let url =
    "https://raw.githubusercontent.com/palmin/x-document-source/master/appInfo.json"

  /// A user with an editor installed.
  private static func home() throws -> IconHome {
    let home = try IconHome()
    try home.file(
      "share/applications/org.example.Editor.desktop",
      Array("[Desktop Entry]\nType=Application\nName=Editor\nName[de]=Bearbeiter\n".utf8))
    try home.file(
      "share/applications/org.example.helper.desktop",
      Array("[Desktop Entry]\nType=Application\nName=Helper\nNoDisplay=true\n".utf8))
    return home
  }

  /// flock(2) is interrupted by the signals that a program handles.
  @Test func interruptedWaitForTheLockGoesOn() throws {
    let home = try Self.home()
    let trace = home.directory.path("trace")
    let strace = ["strace", "-f", "-qq", "-o", trace, "-e", "trace=flock"]
    let added = try Execution.run(
      strace + ["-e", "inject=flock:error=EINTR:when=1", home.docsource, "apps", "add"]
        + ["org.example.other", "--app-name", "Other"],
      in: home.directory.root, environment: home.environment)
    #expect(added.errors == "")
    #expect(added.status == 0)
    let calls = try home.directory.text("trace").split(separator: "\n")
    try #require(calls.count == 2)
    #expect(calls[0].hasSuffix("= -1 EINTR (Interrupted system call) (INJECTED)"))
    #expect(calls[1].contains(", LOCK_EX)"))
    #expect(calls[1].hasSuffix(" = 0"))
    #expect(try home.directory.text(Self.list).contains("org.example.other"))
  }

  @Test func knownApplicationsAreListedWithTheirOrigin() throws {
    let home = try Self.home()
    let table = """
      com.appliedphasor.working-copy  Working Copy  built-in
      org.example.Editor              Editor        installed

      """
    for words in [["apps"], ["apps", "list"], ["apps", "list", "*"]] {
      let listed = try home.run(words)
      #expect(listed.text == table, "\(words)")
      #expect(listed.errors == "", "\(words)")
      #expect(listed.status == 0, "\(words)")
    }
    #expect(
      try home.run("apps", "-a", "--known-from", "installed").text == """
        org.example.Editor  Editor  installed
        org.example.helper  Helper  installed

        """)
    #expect(
      try home.run("apps", "list", "ORG.*", "*copy").text
        == table)
    home.set("LC_ALL", "de_DE.UTF-8")
    #expect(
      try home.run("apps", "list", "*bearb*").text
        == "org.example.Editor  Bearbeiter  installed\n")
    let none = try home.run("apps", "list", "nothing*")
    #expect(none.errors == "docsource: no known application matches 'nothing*'\n")
    #expect(none.text == "")
    #expect(none.status == 1)
    for (words, hint) in [
      (["orkign"], "'orkign'"), (["orking*"], "'orking*'"), ([""], "''"),
      (["x.y", "orkign"], "'x.y' or 'orkign'"),
    ] {
      let part = try home.run(["apps", "list"] + words)
      #expect(part.text == "")
      #expect(part.errors == "docsource: no known application matches \(hint)\n")
      #expect(part.status == 1)
    }
    let empty = try home.run("apps", "--known-from", "user")
    #expect(empty.text == "")
    #expect(empty.errors == "")
    #expect(empty.status == 1)
  }

  @Test(arguments: [
    (["orking"], [true, false]), (["ORKING C"], [true, false]), (["example"], [false, true]),
    (["com.appliedphasor.working-copy"], [true, false]),
    (["phasor", "editor"], [true, true]), (["o"], [true, true]), (["edit?r"], [false, true]),
  ])
  func textIsAPartOfAnIdentifierOrName(_ words: [String], _ isListed: [Bool]) throws {
    let home = try Self.home()
    let identifiers = zip([Self.workingCopy, "org.example.Editor"], isListed).filter(\.1).map(\.0)
    let listed = try home.run(["apps", "list"] + words)
    #expect(
      listed.text.split(separator: "\n").map { line in String(line.prefix { $0 != " " }) }
        == identifiers)
    #expect(listed.errors == "")
    #expect(listed.status == 0)
  }

  @Test func columnsAreThoseOfATerminal() throws {
    let home = try IconHome()
    for (identifier, name) in [("org.example.a", "日本語"), ("org.example.b", "u\u{308}b")] {
      try home.file(
        "share/applications/\(identifier).desktop",
        Array("[Desktop Entry]\nType=Application\nName=\(name)\n".utf8))
    }
    #expect(
      try home.run("apps", "--known-from", "installed").text
        == "org.example.a  日本語  installed\norg.example.b  u\u{308}b      installed\n")
  }

  @Test func jsonHasOneObjectALine() throws {
    let home = try Self.home()
    let path = home.directory.path("share/applications/org.example.Editor.desktop")
    home.set("LC_ALL", "de_DE.UTF-8")
    #expect(
      try home.run("apps", "--json").text
        == #"{"identifier":"\#(Self.workingCopy)","name":"Working Copy","#
        + #""localizedName":"Working Copy","appInfoURL":"\#(Self.url)","knownFrom":"built-in","#
        + #""sources":[{"knownFrom":"built-in","name":"Working Copy","#
        + #""appInfoURL":"\#(Self.url)"}]}"# + "\n"
        + #"{"identifier":"org.example.Editor","name":"Editor","localizedName":"Bearbeiter","#
        + #""knownFrom":"installed","sources":[{"knownFrom":"installed","name":"Editor","#
        + #""file":"\#(path)"}]}"# + "\n")
  }

  @Test func allThatIsKnownIsShownWithWhoSaysIt() throws {
    let home = try Self.home()
    let list = home.directory.path(Self.list)
    #expect(
      try home.run("apps", "add", Self.workingCopy, "--app-name", "Mine").text
        == "\(Self.workingCopy): added\n")
    #expect(
      try home.run("apps", "show", "working copy").text == """
        com.appliedphasor.working-copy
          Name         Mine (user)
          App info     \(Self.url) (built-in)
          Known from   user: \(list)
                       built-in

        """)
    home.set("LC_ALL", "de")
    let path = home.directory.path("share/applications/org.example.Editor.desktop")
    let shown = try home.run("apps", "show", "workin-copy", "org.example.editor")
    #expect(
      shown.text == """
        org.example.Editor
          Name         Bearbeiter (installed)
          In files     Editor
          Known from   installed: \(path)

        """)
    #expect(
      shown.errors
        == "docsource: no known application 'workin-copy'; did you mean '\(Self.workingCopy)'?\n"
    )
    #expect(shown.status == 1)
  }

  @Test func applicationsAreAddedChangedAndRemoved() throws {
    let home = try Self.home()
    let add = ["apps", "add", "org.example.mine"]
    #expect(try home.run(add + ["--app-name", "Mine"]).text == "org.example.mine: added\n")
    #expect(try home.run(add + ["--app-name", "Mine"]).text == "org.example.mine: unchanged\n")
    #expect(
      try home.run(add + ["-u", "https://example.org/a.json"]).text
        == "org.example.mine: changed\n")
    #expect(
      try home.directory.text(Self.list) == """
        {
          "applications": [
            {
              "identifier": "org.example.mine",
              "name": "Mine",
              "appInfoURL": "https://example.org/a.json"
            }
          ]
        }

        """)
    #expect(try home.run(add + ["--app-name="]).text == "org.example.mine: changed\n")
    #expect(
      try home.run("apps", "--known-from", "user").text == "org.example.mine    user\n")
    let doubtful = try home.run("apps", "add", "mine", "--app-name", "M")
    #expect(
      doubtful.errors == "docsource: warning: identifier 'mine' is not in reverse-DNS form like"
        + " com.example.app\n")
    // What is known is taken without a word.
    try home.directory.file("f")
    let tagged = try home.run("tag", "--app", "mine", "f")
    #expect(tagged.errors == "")
    #expect(tagged.status == 0)
    let missing = try home.run("apps", "remove", "org.example.mien", "mine")
    #expect(missing.text == "mine: removed\n")
    #expect(missing.status == 1)
    #expect(
      missing.errors
        == "docsource: 'org.example.mien' is not on your list; did you mean 'org.example.mine'?\n")
    #expect(try home.run("apps", "remove", "org.example.mine").status == 0)
    #expect(try home.directory.text(Self.list) == "{\n  \"applications\": []\n}\n")
  }

  @Test(arguments: [
    (["apps", "lsit"], "apps: unknown verb 'lsit'; did you mean 'list'?"),
    (
      ["apps", "*"],
      "apps: unknown verb '*'; 'docsource apps list TEXT' searches the list;"
        + " see 'docsource help apps'"
    ),
    (["apps", "--json", "list"], "apps: options go after 'list'; see 'docsource help apps'"),
    (
      ["apps", "list", "[a"],
      "apps list: '[a': unclosed '[' at byte 0; write '\\[' for the character;"
        + " see 'docsource help apps list'"
    ),
    (["apps", "show"], "apps show: no application given; see 'docsource help apps show'"),
    (
      ["apps", "add", "a.b"],
      "apps add: nothing to add: give --app-name or --app-info-url; see 'docsource help apps add'"
    ),
    (
      ["apps", "add", "--app-name", "x"],
      "apps add: give exactly one identifier; see 'docsource help apps add'"
    ),
    (
      ["apps", "add", "", "--app-name", "x"],
      "apps add: '' is not an identifier such as org.example.editor; see 'docsource help apps add'"
    ),
    (
      ["apps", "add", "a.b", "-u", "http://example.com/"],
      "apps add: --app-info-url: the scheme 'http' is not https; use --insecure-url to allow"
        + " other schemes;"
        + " see 'docsource help apps add'"
    ),
    (
      ["apps", "--known-from", "usr"],
      "apps: --known-from: invalid value 'usr'; did you mean 'user'?"
    ),
    (["apps", "remove"], "apps remove: no identifier given; see 'docsource help apps remove'"),
    (
      ["tag", "--app", "workin-copy", "f"],
      "tag: no known application 'workin-copy'; did you mean"
        + " 'com.appliedphasor.working-copy'?"
    ),
    (
      ["tag", "--app", "gimp", "f"],
      "tag: no known application 'gimp'; 'docsource apps list' lists all, 'docsource apps add'"
        + " adds one, and --identifier takes any"
    ),
    (
      ["tag", "--app", "", "f"],
      "tag: an application identifier cannot be empty; see 'docsource help tag'"
    ),
  ])
  func wrongCommandLineChangesNothing(_ arguments: [String], _ message: String) throws {
    let home = try Self.home()
    let execution = try home.run(arguments)
    #expect(execution.errors == "docsource: \(message)\n")
    #expect(execution.text == "")
    #expect(execution.status == 64)
    #expect(access(home.directory.path("home/.config"), F_OK) != 0)
  }

  @Test func tagTakesTheValuesOfAKnownApplication() throws {
    let home = try Self.home()
    try home.directory.file("f")
    let tagged = try home.run("tag", "--app", "Working Copy", "-p", "a/f", "f")
    #expect(tagged.text == "f: tagged: Working Copy (\(Self.workingCopy)), a/f\n")
    #expect(
      try home.run("show", "--json", "f").text
        == #"{"file":"f","source":{"identifier":"\#(Self.workingCopy)","name":"Working Copy","#
        + #""path":"a/f","appInfoURL":"\#(Self.url)"},"carrier":"user.x-document-source"}"#
        + "\n")
    // Nothing of the former application is left; what is given counts.
    home.set("LC_ALL", "de")
    #expect(try home.run("tag", "-q", "--app", "bearbeiter", "f").status == 0)
    #expect(
      try home.run("show", "--json", "f").text
        == #"{"file":"f","source":{"identifier":"org.example.Editor","name":"Editor"},"#
        + #""carrier":"user.x-document-source"}"# + "\n")
    #expect(
      try home.run(
        "tag", "-q", "--app", Self.workingCopy, "--app-name", "", "-u", "https://x.example/", "f"
      ).status == 0)
    #expect(
      try home.run("show", "--json", "f").text
        == #"{"file":"f","source":{"identifier":"\#(Self.workingCopy)","#
        + #""appInfoURL":"https://x.example/"},"carrier":"user.x-document-source"}"# + "\n")
  }

  @Test func applicationsOfOneNameAreDistinguished() throws {
    let home = try Self.home()
    for name in ["a", "b"] {
      #expect(try home.run("apps", "add", "org.example.\(name)", "--app-name", "Same").status == 0)
    }
    let tagged = try home.run("tag", "--app", "same", "f")
    #expect(
      tagged.errors
        == "docsource: tag: several applications are called 'same': 'org.example.a',"
        + " 'org.example.b'; see 'docsource help tag'\n")
    #expect(tagged.status == 64)
  }

  @Test func listThatIsDamagedIsReported() throws {
    let home = try Self.home()
    let path = try home.file(Self.list, Array("{\"applications\": [1]}".utf8))
    let listed = try home.run("apps", "list", "*working*")
    #expect(listed.text == "\(Self.workingCopy)  Working Copy  built-in\n")
    #expect(listed.status == 0)
    #expect(
      listed.errors
        == "docsource: \(path): application 1: the entry is a number, not an object; ignored\n")
    let damaged = String(repeating: "[", count: 100_000)
    try home.file(Self.list, Array(damaged.utf8))
    let reason = "line 1, column 2049: maximum parsing depth reached near '['"
    try home.directory.file("f")
    for words in [
      ["apps"], ["apps", "show", "x"], ["apps", "add", "a.b", "--app-name", "x"],
      ["apps", "remove", "a.b"], ["tag", "--app", Self.workingCopy, "f"],
    ] {
      let failed = try home.run(words)
      #expect(failed.errors == "docsource: \(path): \(reason)\n", "\(words)")
      #expect(failed.status == 2, "\(words)")
      #expect(failed.text == "")
    }
    for words in [
      ["apps", "--json"], ["apps", "list", "--json"], ["apps", "show", "--json", "x"],
    ] {
      let failed = try home.run(words)
      #expect(failed.text == "{\"file\":\"\(path)\",\"error\":\"\(reason)\"}\n", "\(words)")
      #expect(failed.errors == "docsource: \(path): \(reason)\n", "\(words)")
      #expect(failed.status == 2)
    }
    #expect(try home.directory.text(Self.list) == damaged)
    #expect(try home.run("show", "f").status == 1)
  }

  @Test func processesThatAddAtTheSameTimeLoseNothing() throws {
    let home = try Self.home()
    let names = (10..<34).map { "org.example.a\($0)" }
    let processes = try names.map { name in
      try RunningProcess(
        [home.docsource, "apps", "add", name, "--app-name", "x"].map { Array($0.utf8) },
        environment: home.environment)
    }
    for process in processes { #expect(process.wait() == 0) }
    #expect(
      try home.run("apps", "--known-from", "user").text
        == names.map { "\($0)  x  user\n" }.joined())
  }

  @Test func killLeavesTheOldListOrTheNew() throws {
    let home = try Self.home()
    let filler = String(repeating: "x", count: 700_000)
    try home.file(Self.list, Array("{\"filler\": \"\(filler)\", \"applications\": []}".utf8))
    var known = 0
    for round in 0..<40 {
      let process = try RunningProcess(
        [home.docsource, "apps", "add", "org.example.a", "--app-name", "\(round)"]
          .map { Array($0.utf8) }, environment: home.environment)
      usleep(UInt32(round * 400))
      process.kill(SIGKILL)
      _ = process.wait()
      let json = try Data(home.directory.bytes(Self.list))
      let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
      #expect((object["filler"] as? String)?.count == filler.count)
      let applications = try #require(object["applications"] as? [[String: String]])
      let name = applications.first?["name"].flatMap { Int($0) } ?? 0
      #expect(name == known || name == round)
      known = name
    }
    #expect(try home.run("apps", "add", "org.example.a", "--app-name", "end").status == 0)
    #expect(try home.run("apps", "--known-from", "user").text == "org.example.a  end  user\n")
    let files = try FileManager.default.contentsOfDirectory(
      atPath: home.directory.path("home/.config/docsource"))
    #expect(files == ["apps.json"])
  }

  @Test func removingTellsOfEachOnceAndByItsBytes() throws {
    let home = try Self.home()
    let none = try home.run("apps", "remove", "a.b")
    #expect(none.errors == "docsource: 'a.b' is not on your list\n")
    #expect(none.status == 1)
    #expect(access(home.directory.path("home/.config"), F_OK) != 0)
    for name in ["a.b", "\u{fffd}"] {
      #expect(try home.run("apps", "add", name, "--app-name", "N").status == 0)
    }
    let bytes = [home.docsource, "apps", "remove"].map { Array($0.utf8) } + [[0xff]]
    let process = try RunningProcess(bytes, environment: home.environment)
    #expect(process.wait() == 1)
    let removed = try home.run("apps", "remove", "a.b", "\u{fffd}", "a.b")
    #expect(removed.text == "a.b: removed\n\u{fffd}: removed\n")
    #expect(removed.errors == "")
    #expect(removed.status == 0)
  }

  @Test func longNameDoesNotWidenTheTable() throws {
    let home = try Self.home()
    let name = String(repeating: "x", count: 61)
    #expect(try home.run("apps", "add", "a.a", "--app-name", name).status == 0)
    #expect(try home.run("apps", "add", "b.bb", "--app-name", "B").status == 0)
    #expect(
      try home.run("apps", "--known-from", "user").text == "a.a   \(name)  user\nb.bb  B  user\n")
  }
}
