import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource watch` without the right to watch: settings, status and refusals.
@Suite struct WatchSettingsTests {
  private static let hint =
    "the service is not running; an administrator can start it with"
    + " 'systemctl enable --now docsource-watch'"

  private static func run(_ home: TemporaryDirectory, _ arguments: String...) throws -> Execution {
    try Execution.run(
      [Docsource.path, "watch"] + arguments,
      environment: ["HOME": home.root, "XDG_CONFIG_HOME": ""])
  }

  @Test func settingsAreWrittenReadAndKeptForLater() throws {
    let home = try TemporaryDirectory()
    let file = home.path(".config/docsource/watch.json")
    let off = try Self.run(home, "--status")
    #expect(off.text == "watching is off: \(file)\n\(Self.hint)\n")
    #expect(off.status == 1)
    let on = try Self.run(home, "--enable", "--include", "*.odt", "--include", "Work/*")
    #expect(on.text == "watching is on: \(file)\n")
    #expect(on.status == 0)
    #expect(on.errors == "docsource: \(Self.hint)\n")
    try home.file(
      ".config/docsource/watch.json",
      try home.text(".config/docsource/watch.json").replacing("{\n", with: "{\n  \"mine\": 1,\n"))
    mkdir(home.path("Documents"), 0o755)
    mkdir(home.path("Bilder"), 0o755)
    mkdir(home.path("Pictures"), 0o755)
    try home.file(
      ".config/user-dirs.dirs",
      """
      # xdg
      XDG_PICTURES_DIR="$HOME/Bilder"
      XDG_MUSIC_DIR="$HOME/"
      XDG_VIDEOS_DIR="relative"

      """
    )
    #expect(
      try Self.run(home, "--status").text
        == "watching is on: \(file)\n  \(home.path("Documents"))\n  \(home.path("Bilder"))\n"
        + "  only files: *.odt, Work/*\n  an existing source is kept\n" + Self.hint + "\n")
    #expect(try Self.run(home, "--enable", "--policy", "last", "--exclude", "a").status == 0)
    #expect(
      try Self.run(home, "--status", "--json").text
        == "{\"settings\":\"\(file)\",\"enabled\":true,\"directories\":"
        + "[\"\(home.path("Documents"))\",\"\(home.path("Bilder"))\"],"
        + "\"include\":[\"*.odt\",\"Work/*\"],\"exclude\":[\"a\"],"
        + "\"onlyApplications\":[],\"excludedApplications\":[],\"policy\":\"last\","
        + "\"recordDownloads\":false,\"witness\":false}\n")
    #expect(try Self.run(home, "--enable", "--include", "").status == 0)
    #expect(try Self.run(home, "--disable").text == "watching is off: \(file)\n")
    #expect(
      try home.text(".config/docsource/watch.json") == """
        {
          "mine": 1,
          "enabled": false,
          "include": [],
          "exclude": [
            "a"
          ],
          "policy": "last"
        }

        """)
  }

  @Test(arguments: [
    ("[]", "the root is an array, not an object"), ("{", "line 1, column 1: invalid JSON"),
    ("{\"enabled\":1}", "'enabled' is a number, not true or false"),
    ("{\"log\":\"yes\"}", "'log' is a string, not true or false"),
    ("{\"include\":\"a\"}", "'include' is a string, not an array"),
    ("{\"exclude\":[1]}", "'exclude' is an array with elements other than strings"),
    ("{\"policy\":\"first\"}", "'policy' is neither \"keep\" nor \"last\""),
    ("{\"onlyApplications\":1}", "'onlyApplications' is a number, not an array"),
    (
      "{\"pausedUntil\":\"tomorrow\"}",
      "'pausedUntil' is no date such as \"2026-11-27T15:00:00Z\""
    ),
    (
      "{\"directories\":[\"\(String(repeating: "a", count: 16_385))\"]}",
      "the applications and directories exceed 16 KiB"
    ),
    (
      "{\"directories\":[\(Array(repeating: "\"a\"", count: 65).joined(separator: ","))]}",
      "more than 64 directories"
    ),
    (
      "{\"include\":[\"[a\"]}",
      "invalid pattern: unclosed '[' at byte 0; write '\\[' for the character"
    ),
    (
      "{\"include\":[\"\(String(repeating: "a", count: 16_000))\"],\"exclude\":[\""
        + "\(String(repeating: "b", count: 385))\"]}", "the patterns exceed 16 KiB"
    ),
  ])
  func settingsThatMeanNothingAreLeftAsTheyAre(_ text: String, _ reason: String) throws {
    let home = try TemporaryDirectory()
    #expect(try Self.run(home, "--disable").status == 0)
    try home.file(".config/docsource/watch.json", text)
    for option in ["--enable", "--status"] {
      let refused = try Self.run(home, option)
      #expect(
        refused.errors == "docsource: \(home.path(".config/docsource/watch.json")): \(reason)\n")
      #expect(refused.status == 2)
      #expect(refused.text == "")
    }
    #expect(try home.text(".config/docsource/watch.json") == text)
  }

  @Test func addressesOfDownloadsAreRecordedWhereThatIsAskedFor() throws {
    let home = try TemporaryDirectory()
    let words = "the addresses of downloads are recorded"
    #expect(try Self.run(home, "--enable").status == 0)
    #expect(!(try Self.run(home, "--status").text.contains(words)))
    #expect(!(try home.text(".config/docsource/watch.json").contains("recordDownloads")))
    #expect(try Self.run(home, "--enable", "--record-downloads").status == 0)
    #expect(try Self.run(home, "--status").text.contains("  \(words)\n"))
    #expect(try Self.run(home, "--status", "--json").text.contains("\"recordDownloads\":true"))
    #expect(try Self.run(home, "--enable", "--no-record-downloads").status == 0)
    #expect(
      try home.text(".config/docsource/watch.json").contains("\"recordDownloads\": false"))
    let both = try Self.run(home, "--enable", "--record-downloads", "--no-record-downloads")
    #expect(both.errors.contains("--record-downloads and --no-record-downloads cannot be combined"))
    #expect(both.status == 64)
    try home.file(".config/docsource/watch.json", #"{"enabled": true, "recordDownloads": 1}"#)
    let broken = try Self.run(home, "--status")
    #expect(broken.errors.contains("'recordDownloads' is a number, not true or false"))
    #expect(broken.status == 2)
  }

  @Test func applicationsAndDirectoriesAreChosen() throws {
    let home = try TemporaryDirectory()
    let file = home.path(".config/docsource/watch.json")
    try home.file(
      ".local/share/applications/org.example.Editor.desktop",
      "[Desktop Entry]\nType=Application\nName=Editor\nExec=editor\n")
    mkdir(home.path("Projects"), 0o755)
    let on = try Self.run(
      home, "--enable", "--only-app", "Editor", "--only-app", "org.example.Gone", "--exclude-app",
      "org.example.Notes.desktop", "--directory", home.path("Projects"), "--directory", "~",
      "--policy",
      "last")
    #expect(on.errors == "docsource: \(Self.hint)\n")
    #expect(
      try home.text(".config/docsource/watch.json").replacing("\n", with: "").replacing(
        " ", with: "")
        == "{\"enabled\":true,\"onlyApplications\":[\"org.example.Editor\",\"org.example.Gone\"],"
        + "\"excludedApplications\":[\"org.example.Notes\"],\"directories\":[\"Projects\",\".\"],"
        + "\"policy\":\"last\"}")
    let words = """
      watching is on: \(file)
        \(home.path("Projects"))
        \(home.root)
        only applications: org.example.Editor, org.example.Gone
        no applications: org.example.Notes
        an existing source is replaced
      \(Self.hint)

      """
    #expect(try Self.run(home, "--status").text == words)
    rmdir(home.path("Projects"))
    #expect(
      try Self.run(home, "--status").text.contains("  \(home.path("Projects")) (missing)\n"))
    #expect(
      try Self.run(home, "--enable", "--only-app", "", "--exclude-app=", "--directory=").status == 0
    )
    #expect(
      try Self.run(home, "--status").text
        == "watching is on: \(file)\n  an existing source is replaced\n\(Self.hint)\n")
  }

  @Test(arguments: [
    (["--only-app", "Nothing"], "--only-app: no known application 'Nothing'"),
    (["--exclude-app", "No thing.x"], "--exclude-app: no known application 'No thing.x'"),
    (["--exclude-app", "a."], "--exclude-app: no known application 'a.'"),
    (["--exclude-app", "org.example.*"], "--exclude-app: no known application 'org.example.*'"),
    (["--directory", "/nonexistent"], "--directory: '/nonexistent' is not a directory"),
    (
      ["--directory", "/tmp"], "--directory: '/tmp' is neither below your home directory nor yours"
    ),
  ])
  func whatCannotBeWatchedIsRefused(_ options: [String], _ reason: String) throws {
    let home = try TemporaryDirectory()
    chown(home.root, 2001, 2001)
    let refused = try Execution.run(
      ["setpriv", "--reuid", "2001", "--regid", "2001", "--clear-groups", Docsource.path, "watch"]
        + ["--enable"] + options,
      environment: ["HOME": home.root, "XDG_CONFIG_HOME": ""])
    #expect(refused.errors.hasPrefix("docsource: watch: \(reason)"))
    #expect(refused.status == 64)
    #expect(!FileManager.default.fileExists(atPath: home.path(".config")))
  }

  /// A terminal is where nobody reads a service's log.
  @Test(.enabled(if: FileSystem.mayMount, "seeing writers needs CAP_SYS_ADMIN"))
  func watchOnATerminalSaysWhatIsWatchedAndHowToStop() throws {
    let place = try TemporaryDirectory()
    func run(_ words: String) throws -> [String] {
      let script = ["script", "-qec", "\(Docsource.path) watch -n \(words)", "/dev/null"]
      let watched = try Execution.run(script, in: place.root)
      return watched.text.split(separator: "\r\n").map(String.init)
    }
    let directory = try #require(
      try run("--once 1 .").first)
    #expect(
      directory
        == "docsource: watching . without tagging files; press Ctrl-C or wait 1 second to stop")
    #expect(
      try run("--once 1").first
        == "docsource: watching the directories of users who have turned watching on with 'docsource"
        + " watch --enable' without tagging files; press Ctrl-C or wait 1 second to stop")
    #expect(try run("-q --once 1 .").contains { $0.hasPrefix("docsource: watching") } == false)
    let piped = try Docsource.run("watch", "-n", "--once", "1", ".", in: place.root)
    #expect(!piped.errors.hasPrefix("docsource: watching"))
  }

  @Test func watchingIsPausedForAWhile() throws {
    let home = try TemporaryDirectory()
    let file = home.path(".config/docsource/watch.json")
    let off = "watching is off: \(file)\n"
    for options in [["--pause", "1h"], ["--resume"]] {
      let refused = try Execution.run(
        [Docsource.path, "watch"] + options,
        environment: ["HOME": home.root, "XDG_CONFIG_HOME": ""])
      #expect(refused.text == off)
      #expect(refused.status == 1)
    }
    #expect(!FileManager.default.fileExists(atPath: file))
    let on = "watching is on: \(file)\n"
    #expect(try Self.run(home, "--enable").text == on)
    let now = Date.now.timeIntervalSince1970
    let paused = try Self.run(home, "--pause", "1d1h1m1s")
    let lead = "watching is paused until "
    #expect(paused.text.hasPrefix(lead))
    #expect(paused.text.hasSuffix(": \(file)\n"))
    #expect(paused.status == 0)
    let status = try Self.run(home, "--status")
    #expect(status.text.hasPrefix(lead))
    #expect(status.status == 1)
    let shown = try Self.run(home, "--status", "--json").text
    let date = try #require(shown.firstMatch(of: /"pausedUntil":"([^"]*)"/)?.output.1)
    let end = try Date(String(date), strategy: .iso8601).timeIntervalSince1970
    #expect((-1...60).contains(end - now - 90_061))
    #expect(try Self.run(home, "--resume").text == on)
    #expect(try Self.run(home, "--status").text.hasPrefix(on))
    #expect(!(try home.text(".config/docsource/watch.json").contains("pausedUntil")))
    #expect(try Self.run(home, "--pause", "1m").status == 0)
    #expect(try Self.run(home, "--enable", "--policy", "last").text.hasPrefix(lead))
    for change in ["--enable", "--disable"] {
      #expect(try Self.run(home, "--pause", "1m").status == 0)
      #expect(try Self.run(home, change).status == 0)
      #expect(!(try home.text(".config/docsource/watch.json").contains("pausedUntil")))
    }
  }

  @Test func patternsOfPathsInTheHomeDirectoryBeginThere() throws {
    let home = try TemporaryDirectory()
    #expect(
      try Self.run(
        home, "--enable", "--exclude", "~/Documents/secret/", "--exclude",
        home.path("Documents/*.log"), "--exclude", "./a", "--exclude", "Work/~b"
      ).status == 0)
    #expect(
      try Self.run(home, "--status", "--json").text.contains(
        "\"exclude\":[\"./Documents/secret/\",\"./Documents/*.log\",\"./a\",\"Work/~b\"]"))
  }

  @Test(arguments: [
    "/srv/documents", "/", "~", "~/", "~mia/Documents", "..", "Work/../secret", ".", "./",
  ])
  func patternThatMatchesNoFileIsRefused(_ pattern: String) throws {
    let home = try TemporaryDirectory()
    let refused = try Self.run(home, "--enable", "--exclude", pattern)
    let isAbsolute = pattern.first == "~" || pattern == "/srv/documents"
    let hint = isAbsolute ? ": paths begin at the home directory, as in 'Documents/drafts'" : ""
    #expect(
      refused.errors == """
        docsource: watch: --exclude: '\(pattern)' matches no file\(hint); see 'docsource help watch'

        """)
    #expect(refused.status == 64)
    #expect(!FileManager.default.fileExists(atPath: home.path(".config")))
  }

  @Test func settingsThatCouldNotBeReadAgainAreNotWritten() throws {
    let home = try TemporaryDirectory()
    let pattern = String(repeating: "a", count: 8192)
    #expect(try Self.run(home, "--enable", "--include", pattern, "--exclude", pattern).status == 0)
    let former = try home.text(".config/docsource/watch.json")
    let refused = try Self.run(home, "--enable", "--include", pattern + "a")
    #expect(
      refused.errors == """
        docsource: \(home.path(".config/docsource/watch.json")): the patterns exceed 16 KiB

        """)
    #expect(refused.status == 2)
    #expect(refused.text == "")
    #expect(try home.text(".config/docsource/watch.json") == former)
  }

  @Test(.enabled(if: geteuid() == 0)) func settingsThatTheServicePassesOverAreReported() throws {
    let home = try TemporaryDirectory()
    chown(home.root, 2001, 2001)
    let file = home.path(".config/docsource/watch.json")
    let foreign =
      "docsource: \(file): warning: the service ignores files that the user of HOME does not own\n"
    #expect(try Self.run(home, "--enable").errors == foreign + "docsource: \(Self.hint)\n")
    let reported = try Self.run(home, "--status")
    #expect(reported.errors == foreign)
    #expect(reported.status == 0)
    chown(file, 2001, 2001)
    #expect(
      try Self.run(home, "--status").errors == """
        docsource: warning: the service only watches for root and for users of /etc/passwd with \
        identifiers from 1000 on

        """)
    for owned in [home.root, file] { chown(owned, 0, 0) }
    #expect(try Self.run(home, "--status").errors == "")
    let elsewhere = try Execution.run(
      [Docsource.path, "watch", "--enable"],
      environment: ["HOME": home.root, "XDG_CONFIG_HOME": home.path("elsewhere")])
    #expect(
      elsewhere.errors == """
        docsource: warning: the service reads settings from ~/.config, not from XDG_CONFIG_HOME
        docsource: \(Self.hint)

        """)
  }

  @Test(arguments: [
    (["--enable", "--disable"], "--enable and --disable cannot be combined"),
    (["--enable", "x"], "--enable takes no DIR"),
    (["--status", "--once", "1"], "--status and --once cannot be combined"),
    (["--disable", "--policy", "keep"], "--disable and --policy cannot be combined"),
    (["--pause", "1h", "--resume"], "--pause and --resume cannot be combined"),
    (["--pause", "1h", "--policy", "last"], "--pause and --policy cannot be combined"),
    (["--enable", "--log", "--no-log"], "--log and --no-log cannot be combined"),
    (["--log", "x"], "--log takes no DIR"),
    (["--log"], "--log is a per-user setting; use it with --enable"),
    (["--directory", "/", "x"], "--directory: name the directory as 'x' is named"),
    (["--policy", "last"], "--policy is a per-user setting; use it with --enable, or name a DIR"),
    (
      ["--include", "[", "x"],
      "--include: '[': unclosed '[' at byte 0; write '\\[' for the character"
    ),
    (["--json", "-q", "x"], "--json and --quiet cannot be combined"),
    (["--once", "x", "x"], "--once: 'x' is invalid; expected a number from 0 to 922337203685477"),
    (["--policy", "lst", "x"], "--policy: invalid value 'lst'; did you mean 'last'?"),
  ])
  func optionsThatMakeNoSenseAreRefused(_ arguments: [String], _ reason: String) throws {
    let refused = try Execution.run([Docsource.path, "watch"] + arguments)
    let reference = reason.contains("did you mean") ? "" : "; see 'docsource help watch'"
    #expect(refused.errors == "docsource: watch: \(reason)\(reference)\n")
    #expect(refused.status == 64)
    #expect(refused.text == "")
  }

  @Test(arguments: ["", "0s", "1", "h", "1h30", "-1h", "1w", "367d", "999999999999h", "1h 1m"])
  func timeThatIsNoneIsRefused(_ time: String) throws {
    let refused = try Execution.run([Docsource.path, "watch", "--pause", time])
    #expect(
      refused.errors == """
        docsource: watch: --pause: '\(time)' is invalid; expected a time such as 30m, 2h or 1d, of \
        366 days at most; see 'docsource help watch'

        """)
    #expect(refused.status == 64)
  }

  @Test(.enabled(if: geteuid() == 0)) func withoutTheRightItSaysHowToSwitchItOn() throws {
    let home = try TemporaryDirectory()
    let refused = try Execution.run([
      "setpriv", "--bounding-set", "-sys_admin", Docsource.path, "watch", home.root,
    ])
    #expect(
      refused.errors == """
        docsource: watch: only processes with CAP_SYS_ADMIN can see which process writes a \
        file; run 'docsource watch --enable', and ask an administrator to run \
        'systemctl enable --now docsource-watch'

        """)
    #expect(refused.status == 2)
  }

  @Test(.enabled(if: FileSystem.mayMount)) func directoryThatIsNoneIsRefused() throws {
    let home = try TemporaryDirectory()
    let file = try home.file("file")
    let refused = try Self.run(home, home.path("none"), file)
    #expect(
      refused.errors == """
        docsource: \(home.path("none")): cannot watch: no such file or directory
        docsource: \(file): cannot watch: not a directory

        """)
    #expect(refused.status == 2)
    let partly = try Self.run(home, "--once", "0", home.root, home.path("none"))
    #expect(partly.errors.hasPrefix("docsource: \(home.path("none")): cannot watch: no such"))
    #expect(partly.status == 2)
  }
}
