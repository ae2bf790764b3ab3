import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource icon`: what it finds, what it runs, and what it says.
@Suite struct IconCommandTests {
  private static let arguments = "64.0 1.0 continuous stroke"

  @Test func pathOfACachedIconIsPrintedWithoutAnyProcess() throws {
    let home = try IconHome()
    try home.tagged("letter.txt")
    let path = try #require(try home.keep().first)
    for operand in ["letter.txt", IconHome.url] {
      let found = try home.run("icon", operand)
      #expect(found.text == "\(path)\n")
      #expect(found.errors == "")
      #expect(found.status == 0)
    }
    #expect(home.fetched == [])
  }

  /// What directs libraries of TLS, memory and the network is not passed on.
  @Test func fetchingProgramGetsTheVariablesOfTheUsersDirectoriesAlone() throws {
    let home = try IconHome(fetch: "env | sort >\"$HOME/environment\"; exit 1")
    for (name, value) in [
      ("SSLKEYLOGFILE", "/keys"), ("SSL_CERT_FILE", "/a.pem"), ("OPENSSL_CONF", "/a.cnf"),
      ("GNUTLS_SYSTEM_PRIORITY_FILE", "/a"), ("CURL_SSL_BACKEND", "gnutls"),
      ("MALLOC_TOP_PAD_", "1"), ("GLIBC_TUNABLES", "glibc.malloc.top_pad=1"),
      ("LD_LIBRARY_PATH", "/nonexistent"), ("https_proxy", "http://127.0.0.1:1"),
      ("HOSTALIASES", "/a"), ("DOCSOURCE_FETCH_TEST_CAFILE", "/b.pem"),
    ] {
      home.set(name, value)
    }
    #expect(try home.run("icon", IconHome.url).status == 1)
    let passed = try home.directory.text("home/environment").split(separator: "\n")
    #expect(
      passed == [
        "DOCSOURCE_FETCH_TEST_CAFILE=/b.pem", "HOME=\(home.directory.path("home"))",
        // The shell's.
        "PWD=\(home.directory.root)",
        "XDG_CACHE_HOME=", "XDG_CONFIG_HOME=", "XDG_DATA_DIRS=\(home.directory.path("share"))",
        "XDG_DATA_HOME=",
      ])
  }

  @Test func severalOperandsPrintALineEachWithWhatFails() throws {
    let home = try IconHome()
    try home.tagged("a.txt")
    try home.directory.file("plain.txt")
    let path = try #require(try home.keep().first)
    let found = try home.run("icon", "a.txt", "plain.txt", IconHome.url, "nothing")
    #expect(found.text == "a.txt: \(path)\n\(IconHome.url): \(path)\n")
    #expect(
      found.errors == """
        docsource: plain.txt: no document source
        docsource: nothing: no such file, and no known application 'nothing'; 'docsource apps list' lists all

        """)
    #expect(found.status == 2)
    #expect(try home.run("icon", "plain.txt").status == 1)
    let null = try home.run("icon", "-0", "a.txt", "a.txt")
    #expect(null.text == "a.txt: \(path)\0a.txt: \(path)\0")
    #expect(try home.run("icon", "-0", "a.txt").text == "\(path)\0")
  }

  @Test func existingFileComesBeforeAnIdentifier() throws {
    let home = try IconHome()
    try home.tagged("org.example.editor", identifier: "org.example.other", url: nil)
    let override = try home.file(
      "home/.config/docsource/icons/org.example.editor.png", IconHome.picture)
    #expect(try home.run("icon", "org.example.editor").errors.hasSuffix("editor: no icon\n"))
    unlink(home.directory.path("org.example.editor"))
    #expect(try home.run("icon", "org.example.editor").text == "\(override)\n")
  }

  @Test func listedApplicationIsFoundByAnIdentifierWithADotAsByItsName() throws {
    let home = try IconHome()
    try home.directory.file(
      "home/.local/share/applications/org.gnome.Foo.desktop",
      "[Desktop Entry]\nType=Application\nName=Foo App\nExec=true\nIcon=zz-none\n")
    try home.directory.file(
      "share/icons/hicolor/index.theme",
      """
      [Icon Theme]
      Name=hicolor
      Directories=64x64/mimetypes
      [64x64/mimetypes]
      Size=64
      Type=Fixed
      """)
    let generic = try home.file(
      "share/icons/hicolor/64x64/mimetypes/text-x-generic.png", IconHome.picture)
    for operand in ["org.gnome.Foo", "Foo App", "com.appliedphasor.working-copy", "Working Copy"] {
      let found = try home.run("icon", "--offline", operand)
      #expect(found.errors == "")
      #expect(found.text == "\(generic)\n")
      #expect(found.status == 0)
    }
    let unknown = try home.run("icon", "--offline", "org.gnome.Bar")
    #expect(unknown.text == "")
    #expect(unknown.status == 1)
  }

  @Test func listedApplicationIsFoundByAnIdentifierWithoutADotAndByItsName() throws {
    let home = try IconHome()
    try home.directory.file(
      "home/.local/share/applications/vim.desktop",
      "[Desktop Entry]\nType=Application\nName=Vi 9.0 IMproved\nExec=true\n")
    let override = try home.file("home/.config/docsource/icons/vim.png", IconHome.picture)
    for operand in ["vim", "Vim", "vi 9.0 improved"] {
      let found = try home.run("icon", operand)
      #expect(found.text == "\(override)\n" && found.errors == "" && found.status == 0)
    }
  }

  @Test func verbBelowIsReachedBeforeAFileOfItsName() throws {
    let home = try IconHome()
    try home.tagged("trust")
    let path = try #require(try home.keep().first)
    #expect(try home.run("icon", "trust").status == 64)
    #expect(try home.run("icon", "./trust").text == "\(path)\n")
    #expect(try home.run("icon", "--", "trust").text == "\(path)\n")
  }

  /// 250,000 times, and its group has 60,000 lines.
  @Test func directoryThatAnIndexListsAgainAndAgainIsReadOnce() throws {
    let home = try IconHome()
    let index =
      "[Icon Theme]\nName=hicolor\nDirectories=\(String(repeating: "x,", count: 250_000))\n[x]\n"
      + String(repeating: "Line=\n", count: 60_000) + "Size=64\nType=Fixed\n"
    try home.file("share/icons/hicolor/index.theme", Array(index.utf8))
    let path = try home.file(
      "share/icons/hicolor/x/org.example.editor.png", IconHome.picture)
    // Ends with status 124 where it takes long.
    let found = try Execution.run(
      ["timeout", "20", home.docsource, "icon", "--offline", IconHome.identifier],
      in: home.directory.root, environment: home.environment)
    #expect(found.text == "\(path)\n")
    #expect(found.errors == "")
    #expect(found.status == 0)
  }

  @Test func jsonIsExact() throws {
    let home = try IconHome()
    try home.tagged("a.txt")
    try home.directory.file("plain.txt")
    let path = try #require(try home.keep().first)
    let found = try home.run("icon", "--json", "a.txt", "plain.txt", "x.y")
    #expect(
      found.text == """
        {"operand":"a.txt","identifier":"org.example.editor","appInfoURL":"\(IconHome.url)",\
        "place":"remote","icon":"\(path)","pixels":64,"stale":false}
        {"operand":"plain.txt","icon":null,"reason":"no document source"}
        {"operand":"x.y","identifier":"x.y","icon":null,"stale":false,\
        "reason":"no such file, and no icon for the application 'x.y'"}

        """)
    #expect(found.errors == "")
    #expect(found.status == 1)
  }

  @Test func explanationFollowsThePathInOrder() throws {
    let home = try IconHome()
    let path = try #require(try home.keep().first)
    let found = try home.run("icon", "--explain", IconHome.url)
    let lines = found.text.split(separator: "\n").map(String.init)
    #expect(lines.first == path)
    #expect(
      lines.dropFirst().prefix(3) == [
        "  lost override no identifier is known",
        "  won  remote   https://icons.example/icon.png: 150x150, larger than the requested 64"
          + " pixels; cached in the requested form",
        "  lost theme    no identifier is known",
      ])
    let json = try home.run("icon", "--explain", "--json", IconHome.url)
    let object = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
    let considerations = object?["considerations"] as? [[String: Any]]
    #expect(considerations?.map { $0["won"] as? Bool }.prefix(3) == [false, true, false])
    #expect(considerations?.first?["place"] as? String == "override")
    #expect(considerations?.first?["reason"] as? String == "no identifier is known")
  }

  @Test func missingIconIsFetchedOnceForEachURL() throws {
    let home = try IconHome(fetch: "cp -a \"$(dirname \"$0\")/../later/.\" \"$HOME/.cache\"")
    try home.tagged("a.txt")
    try home.tagged("b.txt")
    let kept = try #require(try home.keep(in: "later").first)
    let path = kept.replacing("/later/", with: "/home/.cache/")
    let found = try home.run("icon", "a.txt", "b.txt")
    #expect(found.text == "a.txt: \(path)\nb.txt: \(path)\n")
    #expect(found.errors == "")
    #expect(home.fetched == ["icon \(IconHome.url) \(Self.arguments)"])
    #expect(try home.run("icon", "a.txt").text == "\(path)\n")
    #expect(home.fetched.count == 1)
  }

  @Test func optionsReachTheProgramThatFetches() throws {
    let home = try IconHome(fetch: "exit 1")
    let found = try home.run(
      "icon", "--size=29", "--scale", "2", "--shape=circle-corner", "--no-stroke", "--refresh",
      "--trusted", IconHome.url)
    #expect(found.errors == "docsource: \(IconHome.url): no icon\n")
    #expect(found.status == 1)
    #expect(
      home.fetched == [
        "icon \(IconHome.url) 29.0 2.0 circle-corner no-stroke --refresh --trusted"
      ])
  }

  @Test func offlineNothingIsFetchedButACachedPictureIsRendered() throws {
    let home = try IconHome(fetch: "exit 2")
    #expect(try home.run("icon", "--offline", IconHome.url).status == 1)
    #expect(home.fetched == [])
    try home.keep(finished: [])
    #expect(try home.run("icon", "--offline", IconHome.url).status == 2)
    #expect(home.fetched == ["icon \(IconHome.url) \(Self.arguments) --offline"])
  }

  @Test func staleIconIsAskedForAndServesWhereThatFails() throws {
    let home = try IconHome(fetch: "echo 'docsource: no answer' >&2; exit 2")
    let path = try #require(try home.keep(stale: 5).first)
    let offline = try home.run("icon", "--offline", IconHome.url)
    #expect(offline.text == "\(path)\n")
    #expect(home.fetched == [])
    let found = try home.run("icon", IconHome.url)
    #expect(found.text == "\(path)\n")
    #expect(found.errors == "docsource: no answer\n")
    #expect(found.status == 0)
    #expect(home.fetched.count == 1)
    #expect(try home.run("icon", "--json", IconHome.url).text.contains("\"stale\":true"))
  }

  @Test func freshIconIsAskedForOnlyToRefresh() throws {
    let home = try IconHome(fetch: "exit 0")
    try home.keep()
    #expect(try home.run("icon", "--refresh", IconHome.url).status == 0)
    #expect(home.fetched == ["icon \(IconHome.url) \(Self.arguments) --refresh"])
  }

  @Test func whereFetchingFailsTheThemeServes() throws {
    let home = try IconHome(fetch: "echo 'docsource: no answer' >&2; exit 2")
    try home.installTheme()
    let name = "share/icons/hicolor/64x64/apps/\(IconHome.identifier).png"
    let path = try home.file(name, IconHome.picture)
    try home.tagged("a.txt")
    let found = try home.run("icon", "a.txt")
    #expect(found.text == "\(path)\n")
    #expect(found.errors == "docsource: no answer\n")
    #expect(found.status == 0)
    unlink(path)
    let none = try home.run("icon", "a.txt")
    #expect(none.text == "")
    #expect(none.errors == "docsource: no answer\n")
    #expect(none.status == 2)
  }

  @Test func pictureThatCannotBeRenderedGivesWayToTheTheme() throws {
    let home = try IconHome(fetch: "exit 2")
    try home.installTheme()
    let path = try home.file(
      "share/icons/hicolor/64x64/apps/\(IconHome.identifier).png", IconHome.picture)
    try home.keep(finished: [])
    try home.tagged("a.txt")
    let found = try home.run("icon", "--explain", "a.txt")
    #expect(found.text.hasPrefix("\(path)\n"))
    #expect(found.text.contains(" pixels; cached, but scaling and clipping failed\n"))
  }

  @Test(arguments: [
    ("kill -9 $$", "docsource-fetch was terminated by signal 9"),
    ("exit 64", "docsource-fetch exited with status 64"),
    ("exit 3", "docsource-fetch exited with status 3"),
  ])
  func strangeEndOfTheProgramIsReported(_ script: String, _ words: String) throws {
    let home = try IconHome(fetch: script)
    let found = try home.run("icon", IconHome.url)
    #expect(found.errors == "docsource: \(IconHome.url): \(words)\n")
    #expect(found.status == 2)
  }

  @Test func nameThatNobodyKnowsHasNoIcon() throws {
    let home = try IconHome()
    try home.installTheme()
    try home.file("share/icons/hicolor/64x64/mimetypes/text-x-generic.png", IconHome.picture)
    let found = try home.run("icon", "leter.txt")
    #expect(found.status == 1)
    #expect(found.output == [])
    #expect(
      found.errors
        == "docsource: leter.txt: no such file, and no icon for the application 'leter.txt'\n")
  }

  @Test func missingProgramIsReported() throws {
    let home = try IconHome()
    unlink("\(home.bin)/docsource-fetch")
    let found = try home.run("icon", IconHome.url)
    #expect(
      found.errors
        == "docsource: \(IconHome.url): docsource-fetch is neither in the directory of docsource"
        + " nor in ../libexec/docsource\n")
    #expect(found.status == 2)
  }

  @Test func iconThatMustNotBeKeptHasNoPathButCanBeWritten() throws {
    let home = try IconHome(fetch: "printf picture")
    let reported = try home.run("icon", IconHome.url)
    #expect(
      reported.errors
        == "docsource: \(IconHome.url): the server forbids caching the icon; use -o FILE or"
        + " --inline\n")
    #expect(reported.text == "")
    #expect(reported.status == 2)
    let written = try home.run("icon", "-o", "icon.png", IconHome.url)
    #expect(written.text == "")
    #expect(written.errors == "")
    #expect(written.status == 0)
    #expect(try home.directory.text("icon.png") == "picture")
    #expect(try home.run("icon", "-o", "-", IconHome.url).text == "picture")
  }

  @Test func fourAreFetchedAtATime() throws {
    let home = try IconHome(
      fetch: """
        mkdir -p "$HOME/running" && : >"$HOME/running/$$"
        ls "$HOME/running" | wc -l >>"$HOME/counts"
        sleep 1
        rm "$HOME/running/$$"; exit 1
        """)
    let urls = (0..<10).map { "https://icons.example/\($0).json" }
    let found = try home.run(["icon"] + urls)
    #expect(found.status == 1)
    #expect(found.errors == urls.map { "docsource: \($0): no icon\n" }.joined())
    let counts = try home.directory.text("home/counts").split(separator: "\n").compactMap {
      Int($0.trimmingCharacters(in: .whitespaces))
    }
    #expect(counts.count == 10)
    #expect(counts.max() == 4)
  }

  @Test func progressIsShownOnATerminalAfterASecondAndTakenAway() throws {
    let home = try IconHome(fetch: "sleep 2.5; exit 1")
    let urls = ["https://icons.example/1", "https://icons.example/2"]
    home.set("TERM", "xterm")
    home.set("NO_COLOR", "1")
    let shown = try home.runOnTerminal("icon", urls[0], urls[1]).text
    let none = "\r\u{1b}[Kicons [----------------------------------------] 0/2"
    let half = "\r\u{1b}[Kicons [####################--------------------] 1/2"
    let words = "\r\u{1b}[K" + urls.map { "docsource: \($0): no icon\r\n" }.joined()
    // Whether one ends before the other is theirs.
    #expect([none + words, none + half + words].contains(shown))
    home.set("NO_COLOR", "")
    home.set("TERM", "dumb")
    #expect(try !home.runOnTerminal("icon", urls[0]).text.contains("["))
    #expect(try !home.run("icon", urls[0]).errors.contains("["))
  }

  @Test(arguments: [
    ([], "no file, identifier or URL given"),
    (["--size=0", "a"], "--size times --scale must be from 1 to 1024 pixels"),
    (["--size=600", "--scale=2", "a"], "--size times --scale must be from 1 to 1024 pixels"),
    (["--size=nan", "a"], "--size times --scale must be from 1 to 1024 pixels"),
    (["--size=big", "a"], "--size: 'big' is not a number"),
    (
      ["--shape=round", "a"],
      "--shape: invalid value 'round'; expected one of continuous, superellipse, circle-corner, none"
    ),
    (["-o", "x", "--json", "a"], "--output and --json cannot be combined"),
    (["-o", "x", "--explain", "a"], "--output and --explain cannot be combined"),
    (["--install", "--size=3", "a"], "--install and --size cannot be combined"),
    (["--offline", "--refresh", "a"], "--offline and --refresh cannot be combined"),
    (["-o", "x", "a", "b"], "--output takes one icon"),
    (["-o", "", "a"], "--output: the file name is empty"),
    (["--inline", "a"], "--inline needs a terminal; use -o FILE to write the icon"),
    (["--cache-stats", "a"], "--cache-stats cannot be combined with anything else"),
    (["--cache-prune", "--cache-clear"], "--cache-prune cannot be combined with anything else"),
  ])
  func wrongCommandLineIsStatus64(_ arguments: [String], _ message: String) throws {
    let home = try IconHome()
    let execution = try home.run(["icon"] + arguments)
    #expect(execution.errors == "docsource: icon: \(message); see 'docsource help icon'\n")
    #expect(execution.text == "")
    #expect(execution.status == 64)
  }

  @Test func urlThatIsNoneIsRefused() throws {
    let home = try IconHome()
    let found = try home.run("icon", "https://a b/")
    #expect(
      found.errors
        == "docsource: https://a b/: the URL contains a space, control or non-ASCII character at byte 9;"
        + " percent-encode it\n")
    #expect(found.status == 2)
    #expect(home.fetched == [])
  }

  @Test func urlOfAFileThatIsNoneIsNotFetched() throws {
    let home = try IconHome()
    try home.directory.file("a.txt")
    let script = """
      import os, plistlib
      os.setxattr('a.txt', 'user.x-document-source',
                  plistlib.dumps({'appInfoURL': '--refresh'}, fmt=plistlib.FMT_BINARY))
      """
    let written = try Execution.run(["python3", "-c", script], in: home.directory.root)
    #expect(written.status == 0)
    for options in [[], ["--refresh"]] {
      let found = try home.run(["icon"] + options + ["a.txt"])
      #expect(found.errors == "docsource: a.txt: no icon\n")
      #expect(found.status == 1)
    }
    #expect(home.fetched == [])
  }
}
