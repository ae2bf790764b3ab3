import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource intent` as a user runs it.
@Suite struct IntentCommandTests {
  private static func world() throws -> DesktopWorld {
    let world = try DesktopWorld()
    try world.program("mailer")
    try world.program("browser")
    for name in ["post", "brief"] {
      try world.entry(
        name, "Name=The \(name)\nExec=mailer --\(name) %u\nMimeType=x-scheme-handler/mailto;\n")
    }
    try world.entry(
      "web", "Name=Web\nExec=browser %u\nMimeType=x-scheme-handler/http;x-scheme-handler/https;\n")
    try world.updateDatabases()
    return world
  }

  private func intent(_ world: DesktopWorld, _ words: String...) throws -> Execution {
    try world.run([Docsource.path, "intent"] + words)
  }

  @Test func defaultOfTheDesktopCarriesTheCommandOut() throws {
    let world = try Self.world()
    #expect(try intent(world, "default", "set", "mail", "The post").status == 0)
    #expect(
      try world.directory.text("config/mimeapps.list")
        == "[Default Applications]\nx-scheme-handler/mailto=post.desktop\n")
    let gio = try world.run(["gio", "mime", "x-scheme-handler/mailto"])
    #expect(
      gio.text.split(separator: "\n").first?.hasSuffix(": post.desktop") == true, "\(gio.text)")
    let sent = try intent(world, "perform", "sendMailTo", "recipient=a@b.c", "subject=-x & \"y\"")
    #expect(sent.text == "" && sent.errors == "" && sent.status == 0)
    #expect(try world.records(1) == [["--post", "mailto:a@b.c?subject=-x%20%26%20%22y%22"]])
    let json = try intent(
      world, "perform", "--json", "--app", "brief", "sendMailTo:", "recipient=a@b")
    #expect(
      json.text
        == #"{"command":"sendMailTo:","class":"mail","identifier":"brief","name":"The brief","url":"mailto:a@b","outcome":"performed"}"#
        + "\n")
    #expect(try world.records(1) == [["--brief", "mailto:a@b"]])
    #expect(
      try intent(world, "default", "get", "mail").text
        == "x-scheme-handler/mailto\tpost\tThe post\n")
    #expect(try intent(world, "default", "remove", "mail").status == 0)
    #expect(try world.directory.text("config/mimeapps.list") == "[Default Applications]\n")
  }

  @Test func fallbackIsOpenedInTheBrowser() throws {
    let world = try Self.world()
    #expect(try intent(world, "perform", "searchForLocation:", "query=a b&c").status == 0)
    #expect(
      try world.records(1) == [["https://www.openstreetmap.org/search?query=a%20b%26c"]])
    let none = try intent(world, "perform", "--no-fallback", "searchForLocation:", "query=a")
    #expect(none.errors == "docsource: no application here can do searchForLocation:\n")
    #expect(none.status == 2)
    let closed = try intent(world, "perform", "showGPlusEventWithId:", "eventId=1")
    #expect(
      closed.errors
        == "docsource: cannot perform showGPlusEventWithId: Google+ was closed in 2019\n")
  }

  @Test func applicationOfIOSCanOnlyBePrinted() throws {
    let world = try Self.world()
    let printed = try intent(world, "perform", "--print", "--app=tweetbot", "showTimeline")
    #expect(printed.text == "tweetbot:///timeline?\n")
    let refused = try intent(world, "perform", "--app=tweetbot", "showTimeline")
    #expect(
      refused.errors
        == "docsource: Tweetbot is not installed here; --print shows what it would get\n")
    #expect(refused.status == 2)
  }

  @Test func catalogueOfTheOriginalIsReadAsItIs() throws {
    let world = try Self.world()
    let apps = Fixture.root.appending(path: "Fixtures/Sharing/IntentKit/Apps").path
    let lint = try intent(world, "lint", apps)
    #expect(lint.status == 1)
    let lines = lint.text.split(separator: "\n").map { String($0.dropFirst(apps.count + 1)) }
    #expect(
      lines.contains { $0.hasPrefix("IntentKitBundle-Info.plist: IntentKitBundle-Info: no-name:") })
    #expect(lines.count { $0.contains(": single-braces \"listId\":") } == 1)
    #expect(lines.count == 16)
    // First-party applications are hidden, so that the page of the web is what is left.
    let safari = try intent(
      world, "perform", "--catalogue", apps, "--no-in-app", "--show-first-party", "--ask", "--json",
      "openURL:", "url=http://a.example/x")
    #expect(safari.status == 2)
    #expect(safari.errors.hasSuffix("choose with --app: Safari, web\n"), "\(safari.errors)")
    let text = try intent(
      world, "perform", "--catalogue", apps, "--app", "INKMailSheet", "sendMailTo:",
      "recipient=a@b", "messageBody=hi\u{1b}[2J\u{202e}\r\n\tyou\r")
    #expect(text.text == "To: a@b\nSubject: \n\nhi\\x1b[2J\\u{202e}\n\tyou\\r\n")
  }

  @Test func programOfACatalogueIsReportedAsAnApplicationIs() throws {
    let world = try Self.world()
    try world.program("dial")
    _ = try world.directory.file(
      "home/docsource/intents.d/dial.json",
      #"{"name":{"en":"Dialler"},"internalName":"dial","exec":{"call:":["dial","to","{{{number}}}"]}}"#
    )
    let object = #"{"command":"call:","class":"call","identifier":"dial","name":"Dialler","#
    let words = #""arguments":["dial","to","1 2"],"outcome":"#
    for (options, text, isStarted) in [
      ([], "", true), (["--json"], object + words + #""performed"}"# + "\n", true),
      (["-n"], "would run: dial to \"1 2\"\n", false),
      (["-n", "--json"], object + words + #""performed","dryRun":true}"# + "\n", false),
      (["--print"], "dial to \"1 2\"\n", false),
      (["--print", "--json"], object + words + #""printed"}"# + "\n", false),
    ] {
      let run = try world.run(
        [Docsource.path, "intent", "perform"] + options + ["call:", "number=1 2"])
      #expect(run.text == text, "\(options)")
      #expect(run.errors == "" && run.status == 0, "\(options) \(run.errors)")
      #expect(try world.records(isStarted ? 1 : 0) == (isStarted ? [["to", "1 2"]] : []))
    }
  }

  @Test func failureIsTheSameObjectWhateverFails() throws {
    let world = try Self.world()
    try world.program("edit")
    try world.entry("editor", "Name=Editor\nExec=edit %f\n")
    try world.updateDatabases()
    _ = try world.directory.file(
      "home/docsource/intents.d/call.json",
      #"{"name":"N","desktopId":"editor.desktop","actions":{"call:":"tel:{{number}}"}}"#)
    let failed = try intent(world, "perform", "--json", "call:", "number=1")
    #expect(failed.status == 2)
    #expect(
      failed.text
        == #"{"command":"call:","outcome":"failed","error":"Editor does not open URLs"}"# + "\n")
    let unknown = try intent(world, "perform", "--json", "--app", "Gone", "call:", "number=1")
    #expect(unknown.status == 64 && unknown.text == "")
    #expect(
      unknown.errors
        == "docsource: intent perform: --app: no application 'Gone' can do it here; these can: N; see 'docsource help intent perform'\n"
    )
  }

  @Test(arguments: [
    ("0", 0, #""outcome":"performed""#), ("1", 1, #""outcome":"cancelled""#),
    ("2", 2, #""outcome":"failed","error":"the portal could not open it""#),
  ])
  func portalCarriesTheCommandOutInASandbox(
    _ answer: String, _ status: Int32, _ outcome: String
  ) throws {
    let world = try DesktopWorld()
    var environment = world.environment
    environment["DBUS_SESSION_BUS_ADDRESS"] = nil
    environment.merge(["SNAP_NAME": "x", "SNAP_REVISION": "1", "PORTAL_ANSWER": answer]) { $1 }
    let stub = Fixture.root.appending(path: "Tests/Scripts/portal-stub").path
    let run = try Execution.run(
      [
        "dbus-run-session", "--", "/usr/bin/python3", stub, "/usr/share/dbus-1/interfaces",
        world.directory.path("calls"), Docsource.path, "intent", "perform", "--json",
        "sendMailTo:", "recipient=a&b@c",
      ], in: world.directory.root, environment: environment)
    #expect(run.status == status, "\(run.errors)")
    let object =
      status == 2
      ? #"{"command":"sendMailTo:","#
      : #"{"command":"sendMailTo:","class":"mail","identifier":"portal","name":"Desktop portal","url":"mailto:a%26b@c","#
    #expect(run.text == object + outcome + "}\n")
    let calls = try world.directory.text("calls")
    #expect(calls.contains(#""method": "OpenURI""#), "\(calls)")
    #expect(calls.contains(#""words": ["mailto:a%26b@c"]"#), "\(calls)")
  }

  @Test func mistakesAreNamed() throws {
    let world = try Self.world()
    for (words, message) in [
      (["sendMailTo"], "sendMailTo: the argument 'recipient' is missing"),
      (["sendMail:"], "unknown command 'sendMail:'; did you mean 'sendMailTo:'?"),
      (["call:", "number"], "'number' is invalid; expected ARG=VALUE"),
      (["call:", "number=1", "number=2"], "'number' is given twice"), ([], "no command given"),
    ] {
      let wrong = try world.run([Docsource.path, "intent", "perform"] + words)
      #expect(wrong.status == 64)
      #expect(wrong.errors.hasPrefix("docsource: intent perform: \(message)"), "\(wrong.errors)")
    }
    let several = try intent(world, "perform", "--ask", "sendMailTo:", "recipient=a@b")
    #expect(several.status == 2)
    #expect(
      several.errors.hasPrefix("docsource: several applications can do it; choose with --app: "))
    let key = try intent(world, "default", "get", "a b")
    #expect(
      key.errors
        == "docsource: intent default get: 'a b' is neither a class of intents, a scheme nor a MIME type; see 'docsource help intent default get'\n"
    )
  }

  @Test func listThatComesFirstIsReported() throws {
    let world = try Self.world()
    _ = try world.directory.file(
      "config/some-mimeapps.list", "[Default Applications]\nx-scheme-handler/mailto=brief.desktop\n"
    )
    let set = try intent(world, "default", "set", "mailto", "post")
    #expect(
      set.errors
        == "docsource: the default of x-scheme-handler/mailto is set, but another list comes first: it stays brief\n"
    )
    #expect(set.status == 2)
  }

  @Test func twoThatSetDefaultsAtOnceKeepBoth() throws {
    let world = try Self.world()
    let before = "# mine\n[Added Associations]\ntext/plain=web.desktop;\n"
    _ = try world.directory.file("config/mimeapps.list", before)
    let script = (0..<12).map { number in
      "'\(Docsource.path)' intent default set text/x-test\(number) \(["post", "brief"][number % 2]) &"
    }
    let run = try world.run(["sh", "-c", script.joined(separator: "\n") + "\nwait"])
    #expect(run.errors == "" && run.status == 0)
    let text = try world.directory.text("config/mimeapps.list")
    #expect(text.hasPrefix(before + "\n[Default Applications]\n"))
    let lines = text.dropFirst(before.count + 1).split(separator: "\n").dropFirst().sorted()
    #expect(
      lines.map { String($0) }
        == (0..<12).map { "text/x-test\($0)=\(["post", "brief"][$0 % 2]).desktop" }.sorted())
  }

  @Test func badApplicationIsPassedOverAndReportedOnce() throws {
    let world = try Self.world()
    try world.program("dial")
    _ = try intent(world, "default", "set", "mail", "post")
    _ = try world.directory.file(
      "home/docsource/intents.d/bad.json",
      #"""
      {"name": "Bad\u001b", "internalName": "bad\u001b", "actions": {
        "sendMailTo:": "nowhere", "openHttpsURL:": "javascript:{{url}}", "call:": "x:{{absent}}"}}
      """#)
    _ = try world.directory.file(
      "home/docsource/intents.d/handler.json",
      #"{"apps": {}, "defaults": {"INKMapsHandler": {"fallbackUrls": {"searchForLocation:": "x:"}}}}"#
    )
    func warning(_ reason: String) -> String {
      "docsource: warning: bad\\x1b: \(reason); skipped\n"
    }
    let mail = try intent(world, "perform", "sendMailTo:", "recipient=a@b")
    #expect(mail.errors == warning("the template does not begin with a scheme"))
    #expect(mail.text == "" && mail.status == 0)
    #expect(try world.records(1) == [["--post", "mailto:a@b"]])
    let page = try intent(world, "perform", "--print", "--app=web", "openURL:", "url=https://e.org")
    #expect(page.errors == "" && page.status == 0, "\(page.text)")
    let map = try intent(world, "perform", "--print", "searchForLocation:", "query=a")
    #expect(
      map.errors
        == "docsource: warning: the page for 'searchForLocation:': it is not a web page; skipped\n"
    )
    #expect(map.text == "https://www.openstreetmap.org/search?query=a\n" && map.status == 0)
    let list = try intent(world, "list", "mail", "browser", "call")
    #expect(list.errors == warning("the template does not begin with a scheme"))
    #expect(list.status == 0 && list.text.contains("  The post (post), default\n"))
    let named = try intent(world, "perform", "--app", "bad\u{1b}", "sendMailTo:", "recipient=a@b")
    #expect(named.errors == "docsource: bad\\x1b: the template does not begin with a scheme\n")
    #expect(named.text == "" && named.status == 2)
    let alone = try intent(world, "perform", "--no-fallback", "call:", "number=1")
    #expect(
      alone.errors
        == warning("the argument 'absent' is missing")
        + "docsource: no application here can do call:\n")
    #expect(alone.status == 2)
  }

  @Test func applicationThatCannotTakeAValueLeavesItToOthers() throws {
    let world = try Self.world()
    try world.program("dial")
    let dial = #"{"name": "Dial", "actions": {"call:": "tel:{{number}}"}}"#
    _ = try world.directory.file("home/docsource/intents.d/a.json", dial)
    let wrong = try intent(world, "perform", "call:", "number=abc")
    #expect(
      wrong.errors
        == "docsource: intent perform: cannot perform call: number: 'abc' is not a telephone number; see 'docsource help intent perform'\n"
    )
    #expect(wrong.status == 64)
    _ = try world.directory.file(
      "home/docsource/intents.d/b.json",
      #"{"name": "Other", "exec": {"call:": ["dial", "{{{number}}}"]}}"#)
    let done = try intent(world, "perform", "call:", "number=abc")
    #expect(
      done.errors
        == "docsource: warning: Dial: number: 'abc' is not a telephone number; skipped\n")
    #expect(done.status == 0)
    #expect(try world.records(1) == [["abc"]])
  }

  /// Values that try to become options, commands or other schemes.
  @Test func hostileValuesStayValues() throws {
    let world = try Self.world()
    _ = try intent(world, "default", "set", "mail", "post")
    for value in [
      "-attachment=/etc/passwd", "--exec=id", "$(touch hacked)", "`touch hacked`", "a\nb",
      "a\r\nBcc: x@y", "a?attach=/etc/passwd", "a&attach=/etc/passwd", "javascript:x",
      "{{subject}}",
      "{{{recipient}}}", "; touch hacked", "%", "%u %F", "é\u{202e}", "'\"\\",
    ] {
      let refused = try intent(world, "perform", "sendMailTo:", "recipient=\(value)")
      #expect(refused.status == 64 && refused.text == "", "\(value)")
      #expect(
        refused.errors.hasPrefix("docsource: intent perform: sendMailTo: recipient: '")
          && refused.errors.hasSuffix(
            "' is not a mail address; see 'docsource help intent perform'\n"),
        "\(refused.errors)")
      #expect(
        try intent(
          world, "perform", "sendMailTo:", "recipient=a@b", "messageBody=\(value)"
        ).status == 0)
      let url = try #require(try world.records(1).first?.last)
      let parts = try #require(URLComponents(string: url), "\(url)")
      #expect(parts.scheme == "mailto" && parts.path == "a@b", "\(url)")
      // Lines end as in mails.
      let body = value.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n")
      #expect(parts.queryItems == [URLQueryItem(name: "body", value: body)], "\(url)")
    }
    for value in [
      "`id`@e.org", "a&attach=@e.org", "{{subject}}@e.org", "%0d%0aBcc=x@e.org", "é%u@e.org",
      "a'b@e.org",
    ] {
      #expect(try intent(world, "perform", "sendMailTo:", "recipient=\(value)").status == 0)
      let url = try #require(try world.records(1).first?.last)
      let parts = try #require(URLComponents(string: url), "\(url)")
      #expect(parts.scheme == "mailto" && parts.query == nil && parts.path == value, "\(url)")
    }
    for url in [
      "http://a.example/ -x", "javascript:alert(1)", "file:///etc/passwd", "http://a\nb", "--x",
      "data:text/html,x", "http:// --x", "HTTPS", "mailto:a",
    ] {
      let refused = try intent(world, "perform", "openURL:", "url=\(url)")
      #expect(refused.status != 0, "\(url)")
    }
    let refused = try intent(world, "perform", "openURL:", "url=http://a.example/`")
    #expect(
      refused.errors
        == "docsource: intent perform: cannot perform openHttpURL: the URL contains '`' at byte 17; percent-encode it; see 'docsource help intent perform'\n"
    )
    #expect(refused.status == 64)
    #expect(try world.remainingRecords() == [])
    #expect(!FileManager.default.fileExists(atPath: world.directory.path("hacked")))
  }

  /// All schemes are asked about at once: one catalogue ended every command.
  @Test func schemesOfACatalogueEndNoCommand() throws {
    let world = try Self.world()
    _ = try intent(world, "default", "set", "mail", "post")
    let long = String(repeating: "a", count: 200_000)
    let path = try world.directory.file(
      "home/docsource/intents.d/long.json",
      #"{"name":"Long","actions":{"sendMailTo:":"\#(long):{{recipient}}"}}"#)
    let mail = try intent(world, "perform", "sendMailTo:", "recipient=a@b")
    #expect(
      mail.errors == """
        docsource: warning: Long: the scheme of the template has more than 127 letters; skipped

        """)
    #expect(mail.text == "" && mail.status == 0)
    #expect(try world.records(1) == [["--post", "mailto:a@b"]])
    let lint = try intent(world, "lint", path)
    #expect(
      lint.text == """
        \(path): Long sendMailTo: long-scheme: the scheme has more than 127 letters, so nothing \
        can open it

        """)
    #expect(lint.status == 1)
    _ = try world.directory.file(
      "home/docsource/intents.d/long.json",
      #"{"name":"Long","actions":{"sendMailTo:":"\#(long.prefix(127)):{{recipient}}"}}"#)
    #expect(try intent(world, "perform", "sendMailTo:", "recipient=a@b").errors == "")
    #expect(try world.records(1).count == 1)
  }

  @Test func manySchemesEndNoCommand() throws {
    let world = try Self.world()
    _ = try intent(world, "default", "set", "mail", "post")
    let tail = String(repeating: "a", count: 110)
    func catalogue(_ name: String, _ count: Int) throws -> String {
      let applications = (0..<count).map {
        #""\#(name)\#($0)":{"name":"\#(name)\#($0)","actions":{"sendMailTo:":"\#(name)\#($0)\#(tail):x"}}"#
      }
      return try world.directory.file(
        "home/docsource/intents.d/\(name).json",
        #"{"apps":{\#(applications.joined(separator: ","))}}"#)
    }
    for name in ["a", "b", "c"] { _ = try catalogue(name, 1000) }
    let many = try catalogue("many", 1001)
    // The kernel passes a quarter of the stack.
    let run = try world.run([
      "sh", "-c", "ulimit -s 1024; exec \"$0\" intent perform sendMailTo: recipient=a@b",
      Docsource.path,
    ])
    let words = "the file has more than 1000 applications; the others are skipped\n"
    #expect(run.errors == "docsource: \(many): warning: \(words)")
    #expect(run.text == "" && run.status == 0)
    #expect(try world.records(1) == [["--post", "mailto:a@b"]])
    let lint = try intent(world, "lint", many)
    #expect(lint.text.hasPrefix("\(many): many: many-applications: \(words)"))
  }

  /// What a template says itself reaches programs as a value does.
  @Test(arguments: [
    (
      "x://e/\\r\\nb{{recipient}}",
      "the URL contains a space or control character at byte 6; percent-encode it"
    ),
    ("x:a\\tb", "the URL contains a space or control character at byte 3; percent-encode it"),
    ("x:a b", "the URL contains a space or control character at byte 3; percent-encode it"),
    ("x:\\u007f", "the URL contains a space or control character at byte 2; percent-encode it"),
    ("x://-oProxyCommand=x", "a user or host in the URL begins with a hyphen, as options do"),
    ("x://-l@e", "a user or host in the URL begins with a hyphen, as options do"),
    ("X://e@%2Do", "a user or host in the URL begins with a hyphen, as options do"),
  ])
  func templateIsJudgedWhenItIsFilled(_ template: String, _ reason: String) throws {
    let world = try Self.world()
    try world.entry("x", "Name=X\nExec=mailer --x %u\nMimeType=x-scheme-handler/x;\n")
    try world.updateDatabases()
    _ = try intent(world, "default", "set", "mail", "post")
    let path = try world.directory.file(
      "home/docsource/intents.d/x.json",
      #"{"name":"Bad","actions":{"sendMailTo:":"\#(template)"}}"#)
    let mail = try intent(world, "perform", "sendMailTo:", "recipient=a@b")
    #expect(mail.errors == "docsource: warning: Bad: \(reason); skipped\n")
    #expect(mail.text == "" && mail.status == 0)
    #expect(try world.records(1) == [["--post", "mailto:a@b"]])
    let named = try intent(world, "perform", "--app=Bad", "sendMailTo:", "recipient=a@b")
    #expect(
      named.errors
        == "docsource: intent perform: Bad: \(reason); see 'docsource help intent perform'\n")
    #expect(named.status == 64)
    let lint = try intent(world, "lint", path)
    #expect(lint.text.contains("\(path): Bad sendMailTo: never-opened: "), "\(lint.text)")
    #expect(try world.remainingRecords() == [])
  }

  @Test func pageOfACatalogueIsJudgedWhenItIsFilled() throws {
    let world = try Self.world()
    _ = try world.directory.file(
      "home/docsource/intents.d/maps.json",
      #"{"defaults":{"maps":{"fallbackUrls":{"searchForLocation:":"https://-x/ {{query}}"}}}}"#)
    let map = try intent(world, "perform", "--print", "searchForLocation:", "query=a")
    #expect(
      map.errors == """
        docsource: warning: the page for 'searchForLocation:': the URL contains a space or control \
        character at byte 11; percent-encode it; skipped

        """)
    #expect(map.text == "https://www.openstreetmap.org/search?query=a\n" && map.status == 0)
  }

  /// What is there and cannot be read is no missing one.
  @Test(.enabled(if: getuid() == 0)) func directoryThatCannotBeReadIsReported() throws {
    let world = try Self.world()
    _ = try world.directory.file("locked/in/a.json", "{}")
    _ = try world.directory.file("home/docsource/intents.d/a.json", "{}")
    let installed = world.directory.path("home/docsource/intents.d")
    chmod(world.directory.root, 0o755)
    for path in ["locked/in", "home/docsource/intents.d"] {
      chmod(world.directory.path(path), 0)
    }
    let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Docsource.path]
    let inside = try world.run(user + ["intent", "lint", "locked/in"])
    #expect(inside.errors == "docsource: locked/in: cannot read: permission denied\n")
    #expect(inside.text == "" && inside.status == 2)
    chmod(world.directory.path("locked"), 0)
    let outside = try world.run(user + ["intent", "lint", "locked/in"])
    #expect(outside.errors == "docsource: locked/in: cannot read: permission denied\n")
    #expect(outside.text == "" && outside.status == 2)
    let list = try world.run(user + ["intent", "list", "mail"])
    #expect(
      list.errors
        == "docsource: \(installed): warning: cannot read: permission denied; skipped\n")
    #expect(list.status == 0 && list.text.contains("The post (post)"))
  }

  @Test func programOfACatalogueIsThere() throws {
    let world = try Self.world()
    try world.program("dial")
    for (program, code) in [
      ("/nowhere/dial", "missing-program \"/nowhere/dial\""),
      (world.directory.path("bin"), "missing-program \"\(world.directory.path("bin"))\""),
      ("not-there", "missing-program \"not-there\""),
    ] {
      let path = try world.directory.file(
        "home/docsource/intents.d/dial.json",
        #"{"name":"Dial","exec":{"call:":["\#(program)","{{{number}}}"]}}"#)
      let lint = try intent(world, "lint", path)
      #expect(
        lint.text == """
          \(path): Dial call: \(code): the program is not installed here, so the command is skipped

          """)
      #expect(lint.status == 1)
      let call = try intent(world, "perform", "call:", "number=1")
      #expect(call.errors == "docsource: no application here can do call:\n", "\(program)")
      #expect(call.status == 2)
    }
    let path = try world.directory.file(
      "home/docsource/intents.d/dial.json",
      #"{"name":"Dial","exec":{"call:":["dial","a\u0000b","{{{number}}}"]}}"#)
    let lint = try intent(world, "lint", path)
    #expect(
      lint.text == """
        \(path): dial call: bad-program: exec must be a list of strings without NUL: a program and \
        its arguments
        \(path): dial: no-actions: the application has no actions, and is skipped

        """)
    _ = try world.directory.file(
      "home/docsource/intents.d/dial.json",
      #"{"name":"Dial","exec":{"call:":["\#(world.directory.path("bin/dial"))","{{{number}}}"]}}"#)
    #expect(try intent(world, "perform", "call:", "number=1").status == 0)
    #expect(try world.records(1) == [["1"]])
  }
}
