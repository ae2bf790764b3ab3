import Foundation
import TestSupport
import Testing

/// Rows of IntentKit.
@Suite struct Seed004IntentTests {
  /// A user with programs that are registered for schemes, those of each separated by commas.
  private static func world(_ applications: (name: String, schemes: String)...) throws
    -> DesktopWorld
  {
    let world = try DesktopWorld()
    for (name, schemes) in applications {
      try world.program(name)
      let types = schemes.split(separator: ",").map { "x-scheme-handler/\($0);" }.joined()
      try world.entry(name, "Name=The \(name)\nExec=\(name) %u\nMimeType=\(types)")
    }
    try world.updateDatabases()
    return world
  }

  private func perform(_ world: DesktopWorld, _ words: String...) throws -> Execution {
    try world.run([Docsource.path, "intent", "perform"] + words)
  }

  private func standard(_ world: DesktopWorld, _ words: String...) throws -> Execution {
    try world.run([Docsource.path, "intent", "default"] + words)
  }

  private static let hintOfSet = "see 'docsource help intent default set'"

  @Test(arguments: [
    ("HTTPS://example.com/login", "https://example.com/login"),
    ("hTTpS://example.com", "https://example.com"),
    ("HTTP://example.com/", "http://example.com/"),
  ])
  func seed004_44_secureAddressIsOpenedSecurely(_ url: String, _ opened: String) throws {
    let world = try Self.world(("web", "http,https"))
    let run = try perform(world, "openURL:", "url=\(url)")
    #expect(run.errors == "" && run.status == 0)
    #expect(try world.records(1) == [[opened]])
    let printed = try perform(world, "--print", "openURL:", "url=\(url)")
    #expect(printed.text == opened + "\n")
  }

  @Test func seed004_46_pageWithoutACallbackIsOpened() throws {
    let world = try Self.world(("web", "http,https"))
    let words = ["openURL:withCallback:", "url=HTTPS://e.org/", "callback=a:b", "source=me"]
    let run = try world.run([Docsource.path, "intent", "perform"] + words)
    #expect(
      run.errors == """
        docsource: e.org cannot take callback=a:b, which is left out
        docsource: e.org cannot take source=me, which is left out

        """)
    #expect(run.status == 0)
    #expect(try world.records(1) == [["https://e.org/"]])
    let none = try world.run([Docsource.path, "intent", "perform", "--no-fallback"] + words)
    #expect(none.errors == "docsource: no application here can do openURL:withCallback:\n")
    #expect(none.status == 2)
    #expect(
      try ManualWords.of("intent", "perform").contains(
        "the page is opened without the callback."))
  }

  @Test(arguments: [
    ("ann@example.org", "mailto:ann@example.org"), ("a@b.c,d@e.f", "mailto:a@b.c,d@e.f"),
    ("a?b&d=/@c", "mailto:a%3Fb%26d%3D%2F@c"), ("a%40b@c", "mailto:a%2540b@c"), ("", "mailto:"),
  ])
  func seed004_48_addressHasABareAt(_ recipient: String, _ url: String) throws {
    let world = try Self.world(("mailer", "mailto"))
    #expect(try perform(world, "sendMailTo:", "recipient=\(recipient)").errors == "")
    #expect(try world.records(1) == [[url]])
    // IntentKit's own templates stay as they are.
    let iOS = try perform(world, "--print", "--app=Gmail", "sendMailTo:", "recipient=a@b")
    #expect(iOS.text == "googlegmail:///co?to=a%40b\n")
  }

  @Test func seed004_50_centerOfAMapIsKeptOrReported() throws {
    let world = try Self.world(("maps", "geo"))
    for (words, url) in [
      (["center=52.5,13.4", "zoom=5"], "geo:52.500000,13.400000?q=Roberto&z=5"),
      (["zoom=5"], "geo:0,0?q=Roberto&z=5"), (["center=-1,2"], "geo:-1.000000,2.000000?q=Roberto"),
      ([], "geo:0,0?q=Roberto"),
    ] {
      let run = try world.run(
        [Docsource.path, "intent", "perform", "searchForLocation:", "query=Roberto"] + words)
      #expect(run.errors == "" && run.status == 0)
      #expect(try world.records(1) == [[url]])
    }
    let web = try Self.world(("web", "http,https"))
    let page = try perform(web, "searchForLocation:", "query=R", "center=1,2", "zoom=5")
    #expect(
      page.errors == """
        docsource: www.openstreetmap.org cannot take center=\"1.000000,2.000000\", which is left out
        docsource: www.openstreetmap.org cannot take zoom=5, which is left out

        """)
    #expect(try web.records(1) == [["https://www.openstreetmap.org/search?query=R"]])
  }

  @Test(arguments: [
    ("driving", "&engine=fossgis_osrm_car"), ("walking", "&engine=fossgis_osrm_foot"),
    ("transit", ""),
  ])
  func seed004_51_modeOfDirectionsIsKeptOrReported(_ mode: String, _ engine: String) throws {
    let world = try Self.world(("web", "http,https"))
    let run = try perform(world, "directionsFrom:to:mode:", "from=a b", "to=c&d", "mode=\(mode)")
    #expect(
      try world.records(1) == [
        ["https://www.openstreetmap.org/directions?from=a%20b&to=c%26d\(engine)"]
      ])
    let loss = "docsource: www.openstreetmap.org cannot take mode=transit, which is left out\n"
    #expect(run.errors == (engine.isEmpty ? loss : "") && run.status == 0)
    let json = try perform(
      world, "--json", "-n", "directionsFrom:to:mode:", "from=a", "to=b", "mode=\(mode)")
    #expect(json.text.contains(#""leftOut":["mode"]"#) == engine.isEmpty, "\(json.text)")
    // By car is what nobody has asked for.
    let car = try perform(world, "directionsFrom:to:", "from=a", "to=b")
    #expect(car.errors == "")
    #expect(try world.records(1)[0][0].hasSuffix("&to=b&engine=fossgis_osrm_car"))
  }

  @Test func seed004_51_whatAnApplicationIgnoresIsReported() throws {
    let world = try Self.world(("web", "http,https"))
    let waze = try perform(
      world, "--print", "--app=Waze", "directionsFrom:to:mode:", "from=a", "to=b", "mode=walking")
    #expect(waze.text == "waze://?ll=b&navigate=yes\n")
    #expect(
      waze.errors == """
        docsource: Waze cannot take from=a, which is left out
        docsource: Waze cannot take mode=walking, which is left out

        """)
    let two = try perform(
      world, "--print", "--app=Waze", "directionsFrom:to:", "from=a", "to=b")
    #expect(two.errors == "docsource: Waze cannot take from=a, which is left out\n")
  }

  @Test func seed004_56_browserOfAPageIsChosenIfAsked() throws {
    let world = try Self.world(("one", "http,https"), ("two", "http,https"))
    #expect(try standard(world, "set", "browser", "two").status == 0)
    #expect(try perform(world, "searchForLocation:", "query=a").status == 0)
    #expect(try world.records(1).count == 1)
    let asked = try perform(world, "--ask", "searchForLocation:", "query=a")
    #expect(
      asked.errors == "docsource: several applications can do it; choose with --app: two, one\n")
    #expect(asked.status == 2)
    #expect(
      try ManualWords.of("intent", "perform").contains(
        "is opened in the desktop's default browser; with --ask, the user chooses among several browsers."
      ))
  }

  /// Runs a verb of `intent` on a terminal and types keys at prompts. The programs that it starts
  /// outlive the terminal, as they do below a shell.
  private func typing(
    _ world: DesktopWorld, _ prompt: String, _ keys: [String], _ words: String...
  ) throws -> Execution {
    let script = Fixture.root.appending(path: "Tests/Scripts/type-on-terminal").path
    return try Execution.run(
      [script, prompt] + keys + ["--", "setsid", "-w", Docsource.path, "intent"] + words,
      in: world.directory.root, environment: world.environment.merging(["TERM": "xterm"]) { $1 })
  }

  @Test func seed004_57_choiceIsRemembered() throws {
    let world = try Self.world(("post", "mailto"), ("brief", "mailto"))
    let list = world.directory.path("config/mimeapps.list")
    func perform(_ keys: [String]) throws -> String {
      try typing(world, "? ", keys, "perform", "--ask", "sendMailTo:", "recipient=a@b").text
    }
    #expect(try perform(["q"]).contains("docsource: cancelled\r\n"))
    #expect(try perform(["1", "q"]).contains("docsource: cancelled\r\n"))
    #expect(!FileManager.default.fileExists(atPath: list))
    // Until the user has set one, GIO's default is the first that is registered.
    let once = try perform(["2", "1"])
    #expect(!once.contains("now the default"), "\(once.debugDescription)")
    #expect(try world.records(1) == [["mailto:a@b"]])
    #expect(!FileManager.default.fileExists(atPath: list))
    let always = try perform(["2", "2"])
    #expect(always.contains(" is now the default for mail\r\n"), "\(always.debugDescription)")
    #expect(try world.records(1) == [["mailto:a@b"]])
    // There is a default: as in IntentKit, the choice counts once.
    #expect(try !perform(["1"]).contains("from now on"))
    #expect(try world.records(1) == [["mailto:a@b"]])
    let remembered = try self.perform(
      world, "--remember", "--app=brief", "sendMailTo:", "recipient=a@b")
    #expect(remembered.errors == "docsource: The brief is now the default for mail\n")
    #expect(try world.records(1) == [["mailto:a@b"]])
    #expect(
      try String(contentsOfFile: list, encoding: .utf8)
        == "[Default Applications]\nx-scheme-handler/mailto=brief.desktop\n")
    let dry = try self.perform(
      world, "-n", "--remember", "--app=post", "sendMailTo:", "recipient=a@b")
    #expect(dry.errors == "" && dry.status == 0)
    #expect(try standard(world, "get", "mail").text.contains("\tbrief\t"))
  }

  @Test func seed004_57_choiceOfAClassWithoutASchemeIsAskedFor() throws {
    let world = try Self.world(("one", "bird"), ("two", "finch"))
    for (name, scheme) in [("Bird", "bird"), ("Finch", "finch")] {
      _ = try world.directory.file(
        "home/docsource/intents.d/\(name).json",
        #"{"name":"\#(name)","actions":{"showTimeline":"\#(scheme):timeline"}}"#)
    }
    let list = "config/docsource/intents.list"
    let once = try typing(world, "? ", ["2", "1"], "perform", "showTimeline")
    #expect(!once.text.contains("now the default"), "\(once.text.debugDescription)")
    #expect(try world.records(1) == [["finch:timeline"]])
    #expect(!FileManager.default.fileExists(atPath: world.directory.path(list)))
    let always = try typing(world, "? ", ["2", "2"], "perform", "showTimeline")
    #expect(
      always.text.contains("docsource: Finch is now the default for twitter\r\n"),
      "\(always.text.debugDescription)")
    #expect(try world.records(1) == [["finch:timeline"]])
    #expect(try world.directory.text(list) == "[Default Applications]\ntwitter=Finch\n")
    #expect(try perform(world, "showTimeline").status == 0)
    #expect(try world.records(1) == [["finch:timeline"]])
    // There is a default: as in IntentKit, the choice counts once.
    let again = try typing(world, "? ", ["1"], "perform", "--ask", "showTimeline")
    #expect(!again.text.contains("from now on"))
    #expect(try world.records(1) == [["bird:timeline"]])
  }

  @Test func seed004_59_defaultThatHasNoEffectIsReported() throws {
    let world = try Self.world(("one", "bird"))
    for (name, scheme) in [("Bird", "bird"), ("Gone", "gone")] {
      _ = try world.directory.file(
        "home/docsource/intents.d/\(name).json",
        #"{"name":"\#(name)","actions":{"showTimeline":"\#(scheme):timeline"}}"#)
    }
    let able = try standard(world, "set", "twitter", "bird")
    #expect(able.errors == "" && able.status == 0)
    #expect(try standard(world, "get", "twitter").text == "twitter\tBird\tBird\n")
    for (word, name) in [("Gone", "Gone"), ("tweetbot", "Tweetbot")] {
      let set = try standard(world, "set", "twitter", word)
      #expect(
        set.errors
          == "docsource: warning: \(name) can do nothing here; as long as that is so, the default has no effect\n"
      )
      #expect(set.status == 0)
      #expect(try standard(world, "get", "twitter").text == "twitter\t\(name)\t\(name)\n")
    }
    for word in ["nosuch", "Gmail", "", "a/b", "*"] {
      let unknown = try standard(world, "set", "twitter", word)
      #expect(
        unknown.errors
          == "docsource: intent default set: no catalogue has an application '\(word)' for the class twitter; \(Self.hintOfSet)\n"
      )
      #expect(unknown.status == 64)
    }
    #expect(try standard(world, "get", "twitter").text == "twitter\tTweetbot\tTweetbot\n")
    let desktop = try standard(world, "set", "mail", "nosuch")
    #expect(desktop.status == 64)
    let performed = try perform(world, "--app=nosuch", "showTimeline")
    #expect(
      performed.errors
        == "docsource: intent perform: --app: no application 'nosuch' can do it here; these can: Bird; see 'docsource help intent perform'\n"
    )
    #expect(performed.status == 64)
    #expect(try world.run("open", "--with", "nosuch", "https://e.org").status == 64)
  }

  @Test func seed004_60_unknownKeyIsNamed() throws {
    let world = try Self.world(("post", "mailto,own"))
    let message = "no class of intents, and no application here is registered for"
    for application in ["post", "T"] {
      let run = try standard(world, "set", "nokey", application)
      #expect(
        run.errors
          == "docsource: intent default set: 'nokey' is \(message) nokey: URLs; \(Self.hintOfSet)\n"
      )
      #expect(run.status == 64)
    }
    #expect(
      try standard(world, "set", "mial", "post").errors
        == "docsource: intent default set: 'mial' is \(message) mial: URLs; did you mean 'mail'?\n")
    #expect(!FileManager.default.fileExists(atPath: world.directory.path("config/mimeapps.list")))
    for verb in ["get", "remove"] {
      let run = try standard(world, verb, "nokey")
      #expect(
        run.errors
          == "docsource: intent default \(verb): 'nokey' is \(message) nokey: URLs; see 'docsource help intent default \(verb)'\n"
      )
      #expect(run.text == "" && run.status == 64)
    }
    _ = try world.directory.file(
      "config/mimeapps.list", "[Default Applications]\nx-scheme-handler/gone=gone.desktop\n")
    #expect(try standard(world, "remove", "gone").status == 0)
    #expect(try world.directory.text("config/mimeapps.list") == "[Default Applications]\n")
    for key in ["own", "x-scheme-handler/nokey", "GEO", "text/plain"] {
      #expect(try standard(world, "set", key, "post").status == 0, "\(key)")
    }
  }

  @Test func defaultCanDoWhatItsClassAsksFor() throws {
    let world = try Self.world(("post", "mailto"), ("half", "http"))
    try world.entry("none", "Name=None\nExec=app\n")
    for (key, application, message) in [
      ("mail", "half", "mailto: URLs; it offers x-scheme-handler/http"),
      ("browser", "half", "https: URLs; it offers x-scheme-handler/http"),
      ("mail", "none", "mailto: URLs; it offers no type of files or URLs"),
    ] {
      let run = try standard(world, "set", key, application)
      #expect(
        run.errors
          == "docsource: intent default set: '\(application)' is not registered for \(message); \(Self.hintOfSet)\n"
      )
      #expect(run.status == 64)
    }
    #expect(!FileManager.default.fileExists(atPath: world.directory.path("config/mimeapps.list")))
    #expect(try standard(world, "set", "mail", "post").status == 0)
  }

  @Test func seed004_61_defaultIsChosenFromAMenu() throws {
    let world = try Self.world(
      ("post", "mailto"), ("brief", "mailto"), ("web", "http,https"), ("half", "http"))
    #expect(try standard(world, "set", "mail", "post").status == 0)
    let chosen = try typing(world, "Which ", ["2"], "default", "choose", "mail")
    #expect(chosen.text.contains("The post (post), default"), "\(chosen.text.debugDescription)")
    #expect(chosen.text.hasSuffix("mail: The brief\r\n"), "\(chosen.text.debugDescription)")
    #expect(
      try world.directory.text("config/mimeapps.list")
        == "[Default Applications]\nx-scheme-handler/mailto=brief.desktop\n")
    // Only who opens both schemes can be the browser.
    let browser = try typing(world, "Which ", ["1", "1"], "default", "choose")
    #expect(browser.text.contains("Mail Client (mail): The brief"))
    #expect(!browser.text.contains("(half)"))
    #expect(browser.text.hasSuffix("browser: The web\r\n"), "\(browser.text.debugDescription)")
    let none = try typing(world, "Which ", ["3"], "default", "choose", "mail")
    let left = try standard(world, "get", "mail").text.split(separator: "\t").dropFirst()
    #expect(
      none.text.hasSuffix(
        "mail: no default of your own; \(left.last?.dropLast() ?? "") (\(left.first ?? "")) stays in force\r\n"
      ), "\(none.text.debugDescription)")
    #expect(
      try world.directory.text("config/mimeapps.list").contains("mailto") == false)
    let cancelled = try typing(world, "Which ", ["q"], "default", "choose", "mail")
    #expect(cancelled.text.hasSuffix("docsource: cancelled\r\n"))
    let empty = try typing(world, "Which ", [], "default", "choose", "call")
    #expect(empty.text == "docsource: no application here can be the default for call\r\n")
  }

  @Test func seed004_61_choosingNeedsATerminal() throws {
    let world = try Self.world(("post", "mailto"))
    for (words, message) in [
      ([], "there is no terminal to choose on; use 'docsource intent default set'"),
      (["mail"], "there is no terminal to choose on; use 'docsource intent default set'"),
      (["mail", "maps"], "give one class"), (["mial"], "no class of intents 'mial'; did you mean"),
    ] {
      let run = try world.run([Docsource.path, "intent", "default", "choose"] + words)
      #expect(run.errors.hasPrefix("docsource: intent default choose: \(message)"), "\(run.errors)")
      #expect(run.text == "" && run.status == 64)
    }
  }

  @Test func seed004_61_classWithoutASchemeIsChosenOfCatalogues() throws {
    let world = try Self.world(("one", "bird"))
    for (name, scheme) in [("Bird", "bird"), ("Gone", "gone")] {
      _ = try world.directory.file(
        "home/docsource/intents.d/\(name).json",
        #"{"name":"\#(name)","actions":{"showTimeline":"\#(scheme):timeline"}}"#)
    }
    let chosen = try typing(world, "Which ", ["1"], "default", "choose", "twitter")
    #expect(!chosen.text.contains("Gone"))
    #expect(chosen.text.hasSuffix("twitter: Bird\r\n"), "\(chosen.text.debugDescription)")
    #expect(
      try world.directory.text("config/docsource/intents.list")
        == "[Default Applications]\ntwitter=Bird\n")
  }

  @Test func seed004_62_settingsOfTheOriginalAreOptions() throws {
    let world = try Self.world(("web", "http,https"))
    let apps = Fixture.root.appending(path: "Fixtures/Sharing/IntentKit/Apps").path
    func known(_ options: String...) throws -> String {
      try world.run(
        [Docsource.path, "intent", "perform", "--catalogue", apps, "--ask"] + options + [
          "openURL:", "url=http://a.example/x",
        ]
      ).errors
    }
    let lead = "docsource: several applications can do it; choose with --app: "
    #expect(try known() == lead + "INKWebView, web\n")
    #expect(try known("--show-first-party") == lead + "INKWebView, Safari, web\n")
    #expect(try known("--show-first-party", "--no-in-app") == lead + "Safari, web\n")
    let manual = try ManualWords.of("intent", "perform")
    for name in [
      "useSystemDefault has no option", "disableInAppOption is --no-in-app",
      "showFirstPartyApp is --show-first-party",
    ] { #expect(manual.contains(name)) }
  }

  @Test func seed004_64_cataloguesOfTheUserAreAlwaysRead() throws {
    let world = try Self.world(("one", "bird"))
    _ = try world.directory.file(
      "home/docsource/intents.d/Bird.json",
      #"{"name":"Bird","actions":{"showTimeline":"bird:timeline"}}"#)
    #expect(try perform(world, "showTimeline").status == 0)
    #expect(try world.records(1) == [["bird:timeline"]])
    let manual = try ManualWords.of("intent")
    #expect(manual.contains("docsource/intents.d below $XDG_DATA_HOME"))
    #expect(manual.contains("~/.local/share/docsource/intents.d/ The user's catalogues"))
  }

  @Test func seed004_65_linterNamesTheFile() throws {
    let world = try Self.world()
    _ = try world.directory.file(
      "home/d/Good.json", #"{"name":"G","actions":{"call:":"a:{{number}}"}}"#)
    let bad = try world.directory.file(
      "home/d/sub/Bad.json", #"{"name":"B","actions":{"x:":"a:b"}}"#)
    let handler = try world.directory.file(
      "home/d/INKCallHandler.json",
      #"{"defaults":{"call":{"default":"G","firstPartyAppName":"H"}}}"#)
    let run = try world.run("intent", "lint", world.directory.path("home/d"))
    #expect(
      Set(run.text.split(separator: "\n").map(String.init)) == [
        "\(bad): B x: unknown-command: no class of intents has the command",
        "\(handler): call: unknown-application \"H\": no application of the catalogue has that name",
      ])
    #expect(run.errors == "" && run.status == 1)
    let json = try world.run("intent", "lint", "--json", world.directory.path("home/d/sub"))
    #expect(
      json.text == """
        {"file":"\(bad)","subject":"B","part":"x:","code":"unknown-command","severity":"error",\
        "message":"no class of intents has the command"}

        """)
  }

  @Test func seed004_65_keysOfOurOwnAreChecked() throws {
    let world = try Self.world()
    let file = try world.directory.file(
      "own.json",
      #"{"name":"A","actions":{"call:":"tel:{{{number}}}"},"values":{"mode":{"x":"y"}},"defaultValues":{"center":"0"}}"#
    )
    let run = try world.run("intent", "lint", file)
    #expect(
      run.text == """
        \(file): A center: unknown-argument "center": the command has no such argument
        \(file): A mode: unknown-argument "mode": the command has no such argument

        """)
  }

  @Test func findingOfLintHasItsSeverity() throws {
    let world = try Self.world()
    let file = try world.directory.file(
      "own.json", #"{"name":"A","exec":{"call:":["not-there","{{{number}}}"]}}"#)
    let run = try world.run("intent", "lint", "--json", file)
    #expect(
      run.text == """
        {"file":"\(file)","subject":"A","part":"call:","code":"missing-program",\
        "severity":"warning","detail":"not-there",\
        "message":"the program is not installed here, so the command is skipped"}

        """)
  }

  @Test func linterNamesWhatIsPassedOver() throws {
    let world = try Self.world()
    let file = try world.directory.file(
      "wrong.json",
      #"{"name":"A","actions":{"call:":"tel:{{number}","openHttpURL:":"b:{\"x\":{{url}}"},"#
        + #""exec":5,"desktopId":["d"],"values":{"mode":"car"},"defaultValues":{"number":7},"#
        + #""colour":"red"}"#)
    let run = try world.run("intent", "lint", file)
    for line in [
      "wrong: wrong-type \"exec\": the value is not of the expected type, and is skipped",
      "wrong: wrong-type \"desktopId\": the value is not of the expected type, and is skipped",
      "wrong mode: wrong-type \"values\": the value is not of the expected type, and is skipped",
      "wrong number: wrong-type \"defaultValues\": the value is not of the expected type, and is skipped",
      "wrong: unknown-key \"colour\": there is no such key, and it is skipped",
      "A call: unclosed-braces \"number\": braces are not closed, or no name is between them",
    ] {
      #expect(run.text.contains("\(file): \(line)\n"), "\(run.text)")
    }
    #expect(!run.text.contains("openHttpURL: unclosed-braces"))
    #expect(run.errors == "" && run.status == 1)
  }

  @Test func urlOfAPageNeedsTwoSlashes() throws {
    let world = try Self.world(("web", "http,https"))
    for url in ["HTTPS:evil", "http:/evil", "https:\\\\evil"] {
      let run = try perform(world, "openURL:", "url=\(url)")
      #expect(
        run.errors
          == "docsource: intent perform: openURL: url: '//' must follow the scheme; see 'docsource help intent perform'\n"
      )
      #expect(run.text == "" && run.status == 64)
    }
    #expect(try world.remainingRecords() == [])
  }

  @Test(arguments: [
    ("+1 (555) 123", "tel:+1555123"), ("tel:+1-201-555", "tel:+1201555"),
    ("TEL://%2B1.2", "tel:+12"), ("030 1", "tel:0301"),
  ])
  func seed004_67_callTakesWhatShareTakes(_ number: String, _ url: String) throws {
    let world = try Self.world(("phone", "tel"))
    let run = try perform(world, "call:", "number=\(number)")
    #expect(run.errors == "" && run.status == 0)
    #expect(try world.records(1) == [[url]])
    let shared = try world.run("share", "-q", "--to", "call", "--text", number)
    #expect(shared.errors == "" && shared.status == 0)
    #expect(try world.records(1) == [[url]])
  }

  @Test(arguments: [
    "abc", "", "+", "1;ext=2", "1,2", "tel:", "1\n2", "１２", "\u{1b}", "tel:+1?x=y", "tel:1?",
  ])
  func seed004_67_badNumberIsNamedAsOne(_ number: String) throws {
    let world = try Self.world(("phone", "tel,sms"))
    let run = try perform(world, "call:", "number=\(number)")
    let lead = "docsource: intent perform: cannot perform call: number: '"
    let end = "; see 'docsource help intent perform'\n"
    #expect(run.errors.hasPrefix(lead), "\(run.errors)")
    #expect(run.errors.hasSuffix("' is not a telephone number\(end)"), "\(run.errors)")
    #expect(run.text == "" && run.status == 64)
    #expect(try world.remainingRecords() == [])
    let message = try perform(world, "sendMessageTo:", "recipient=1,x", "body=hi")
    #expect(
      message.errors
        == "docsource: intent perform: cannot perform sendMessageTo: recipient: 'x' is not a telephone number\(end)"
    )
    #expect(try perform(world, "sendMessageTo:", "recipient=+1 2,3-4", "body=a b").status == 0)
    #expect(try world.records(1) == [["sms:+12,34?body=a%20b"]])
  }

  @Test func seed004_68_iconsBesideCataloguesAreNotRead() throws {
    let world = try Self.world(("one", "bird"))
    let catalogue = #"{"name":"Bird","actions":{"showTimeline":"bird:timeline"}}"#
    _ = try world.directory.file("home/docsource/intents.d/Bird.json", catalogue)
    _ = try world.directory.file("home/docsource/intents.d/Bird@2x.png", "no picture")
    let run = try perform(world, "--json", "-n", "showTimeline")
    #expect(run.errors == "" && run.status == 0 && !run.text.contains("png"))
    #expect(
      try ManualWords.of("intent").contains(
        "Icon files next to a catalogue, such as Chrome@2x.png, are ignored"))
  }

  @Test func seed004_69_userChoosesInAMenuOrByAnOption() throws {
    #expect(
      try ManualWords.of("intent", "perform").contains(
        "There is no popover and no view controller: the user chooses from a menu on the terminal or with --app."
      ))
  }

  @Test func unknownCommandNamesTheListOnce() throws {
    let world = try Self.world()
    let run = try perform(world, "qqqqqqqqqq:")
    #expect(
      run.errors
        == "docsource: intent perform: unknown command 'qqqqqqqqqq:'; 'docsource intent list' lists all classes and commands\n"
    )
    let list = try world.run("intent", "list", "qqqqqqqq")
    #expect(
      list.errors
        == "docsource: intent list: no class of intents 'qqqqqqqq'; 'docsource intent list' lists all classes and commands\n"
    )
    #expect(run.status == 64 && list.status == 64)
  }

  @Test func subjectOfAMailIsOneLine() throws {
    let world = try Self.world(("post", "mailto"))
    let run = try perform(
      world, "--print", "sendMailTo:", "recipient=a@b.c, d@e.f", "subject=x\r\nBcc: y\u{1b}z")
    #expect(run.text == "mailto:a@b.c,d@e.f?subject=x%20Bcc:%20y%20z\n")
    #expect(run.status == 0)
  }

  @Test func secureAddressIsNotOpenedByAnInsecureTemplate() throws {
    let world = try Self.world(("web", "http,https"))
    _ = try world.directory.file(
      "z.json", #"{"name":"Z","actions":{"openHttpsURL:":"http://{{url}}"}}"#)
    let lint = try world.run([Docsource.path, "intent", "lint", "z.json"])
    #expect(lint.text.contains("insecure: "), "\(lint.text)")
    let named = try perform(
      world, "--catalogue=z.json", "-n", "--app", "Z", "openURL:", "url=https://e.org/login")
    #expect(!named.text.contains("http:") && named.status != 0, "\(named.text)")
    let other = try perform(
      world, "--catalogue=z.json", "--print", "openURL:", "url=https://e.org/login")
    #expect(other.text == "https://e.org/login\n", "\(other.errors)")
  }
}
