import Foundation
import TestSupport
import Testing

/// Rows of the activities of iOS.
@Suite struct Seed004ActivityTests {
  /// A user with programs for some schemes.
  private static func place(_ schemes: String...) throws -> DesktopWorld {
    let place = try DesktopWorld()
    try place.program("app")
    let types = schemes.map { "x-scheme-handler/\($0);" }.joined()
    try place.entry("org.example.App", "Name=App\nExec=app %u\nMimeType=\(types)")
    try place.updateDatabases()
    return place
  }

  @Test func seed004_6_pictureOfAContactIsItsPhoto() throws {
    let place = try Self.place()
    _ = try place.picture("p.png")
    let card = try place.file("ann.vcf", "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ann\r\nEND:VCARD\r\n")
    #expect(try place.share("--to", "contact", "--vcard", "ann.vcf", "p.png").status == 0)
    let text = try String(contentsOfFile: card, encoding: .utf8)
    #expect(text.contains("\r\nPHOTO:data:image/png;base64,"))
    #expect(
      try ManualWords.of("share").contains(
        "an image into the contact that --vcard names, as its PHOTO"))
  }

  @Test func seed004_7_pictureIsSavedBesideAnother() throws {
    let place = try Self.place()
    _ = try place.picture("pic.png")
    for _ in 0..<2 {
      #expect(try place.share("-q", "--to", "save", "--into", "sv", "pic.png").status == 0)
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.directory.path("sv")).sorted()
        == ["pic (2).png", "pic.png"])
    #expect(
      try ManualWords.of("share").contains(
        "No file is ever overwritten: a second file of the same name becomes NAME (2).EXT."))
  }

  @Test func seed004_8_readingListIsListedAndPagesAreRemoved() throws {
    let place = try Self.place()
    let path = "home/docsource/reading-list.xbel"
    let nothing = try place.share("--reading-list")
    #expect(nothing.text == "" && nothing.errors == "" && nothing.status == 0)
    try FileManager.default.createDirectory(
      atPath: place.directory.path("home/docsource"), withIntermediateDirectories: true)
    // As GLib itself has written it.
    try FileManager.default.copyItem(
      at: Fixture.root.appending(path: "Fixtures/Sharing/reading-list.xbel"),
      to: URL(filePath: place.directory.path(path)))
    _ = try place.share(
      "-q", "--to", "reading-list", "--subject", "T\u{1}\u{1b}[31m\u{9b}\u{fffe}", "--text",
      "d\n\u{b}e",
      "https://e.org/1")
    _ = try place.share("-q", "--to", "reading-list", "https://e.org/2")
    let lines = try place.share("--reading-list").text.split(separator: "\n").map(String.init)
    #expect(lines.count == 4)
    #expect(lines[1].hasPrefix("file:///srv/sp%20ace.txt"))
    #expect(lines.suffix(2) == [#"https://e.org/1"# + "\t" + #"T[31m\u{009b}"#, "https://e.org/2"])
    let json = try place.share("--reading-list", "--json")
    let objects = json.text.split(separator: "\n").map(String.init)
    #expect(
      objects.suffix(2) == [
        #"{"url":"https://e.org/1","title":"T[31m\u009b","description":"d\ne"}"#,
        #"{"url":"https://e.org/2"}"#,
      ])
    let before = try place.directory.text(path)
    let dry = try place.share("--reading-list", "--remove", "https://e.org/1", "-n")
    #expect(dry.text == "https://e.org/1: would be removed\n" && dry.status == 0)
    #expect(try place.directory.text(path) == before)
    let removed = try place.share(
      "--reading-list", "--remove", "https://e.org/1", "--remove=https://e.org/none",
      "--remove", "file:///srv/sp%20ace.txt")
    #expect(
      removed.text == "https://e.org/1: removed\nfile:///srv/sp%20ace.txt: removed\n")
    #expect(removed.errors == "docsource: https://e.org/none: not in the reading list\n")
    #expect(removed.status == 1)
    #expect(
      try place.share("--reading-list").text.split(separator: "\n").map(String.init)
        == [lines[0], "https://e.org/2"])
    let object = try place.share(
      "--reading-list", "--json", "--remove", "https://e.org/2", "--remove", "x")
    #expect(
      object.text
        == #"{"url":"https://e.org/2","outcome":"removed"}"# + "\n"
        + #"{"url":"x","outcome":"unchanged"}"# + "\n")
    #expect(object.status == 1)
  }

  @Test func seed004_8_readingListThatCannotBeReadStays() throws {
    let place = try Self.place()
    let path = try place.file("home/docsource/reading-list.xbel", "<xbel")
    for words in [["--reading-list"], ["--reading-list", "--remove", "https://e.org/"]] {
      let run = try Execution.run(
        [Docsource.path, "share"] + words, in: place.directory.root,
        environment: place.environment)
      #expect(
        run.errors.hasPrefix("docsource: \(path): cannot be read: Error on line 1"), "\(run.errors)"
      )
      #expect(run.text == "" && run.status == 2)
    }
    #expect(try place.directory.text("home/docsource/reading-list.xbel") == "<xbel")
    for (words, message) in [
      (["--remove", "x"], "--remove needs --reading-list"),
      (["--reading-list", "x"], "--reading-list and a file exclude each other"),
      (["--reading-list", "--to", "mail"], "--reading-list and --to exclude each other"),
    ] {
      let run = try Execution.run([Docsource.path, "share"] + words)
      #expect(run.errors == "docsource: share: \(message); see 'docsource help share'\n")
      #expect(run.status == 64)
    }
  }

  @Test(arguments: [["--text", "x"], ["https://e.org/"]])
  func seed004_9_bluetoothSendsFilesOnly(_ words: [String]) throws {
    let place = try Self.place()
    let run = try Execution.run(
      [Docsource.path, "share", "--to", "airdrop"] + words, in: place.directory.root,
      environment: place.environment)
    #expect(
      run.errors.hasSuffix(
        ": cannot hand over to Send by Bluetooth: Bluetooth sends files only\n"), "\(run.errors)")
    #expect(run.status == 2)
    #expect(
      try ManualWords.of("share").contains(
        "files by bluetooth-sendto; text and URLs are refused"))
  }

  @Test func seed004_11_messageToAMailAddressPointsToMail() throws {
    let place = try Self.place("sms")
    let run = try place.share("--to", "message", "--recipient", "a@b.org", "--text", "x")
    #expect(
      run.errors
        == "docsource: text: cannot hand over to Message: 'a@b.org' is not a telephone number; for a mail address, choose mail\n"
    )
    #expect(run.status == 2)
    #expect(
      try ManualWords.of("share").contains(
        "by the program for sms:; mail addresses are refused"))
  }

  @Test func seed004_14_textThatFacebookDropsIsReported() throws {
    let place = try Self.place("https")
    let url = "https://www.facebook.com/sharer/sharer.php?u=https%3A%2F%2Fe.org%2F"
    let run = try place.share("-q", "--to", "facebook", "--text", "hello", "https://e.org/")
    let loss = "the text, which Facebook's page does not take"
    #expect(run.errors == "docsource: https://e.org/: left out: \(loss)\n")
    #expect(run.status == 0)
    #expect(try place.records(1) == [[url]])
    let json = try place.share(
      "--json", "-n", "--to", "facebook", "--text", "hello", "https://e.org/")
    #expect(json.text.contains(#""leftOut":["\#(loss)"]"#), "\(json.text)")
    let bare = try place.share("-q", "--to", "facebook", "https://e.org/")
    #expect(bare.errors == "")
    #expect(
      try ManualWords.of("share").contains(
        "facebook takes the URL only, and text is left out and reported"))
  }

  @Test func seed004_15_picturesForTwitterAreRefused() throws {
    let place = try Self.place("https")
    _ = try place.picture("p.png")
    let run = try place.share("--to", "twitter", "--text", "x", "p.png")
    #expect(
      run.errors
        == "docsource: p.png: cannot hand over to Post to X (Twitter): the page of the service takes text and URLs only\n"
    )
    #expect(run.status == 2)
    #expect(try ManualWords.of("share").contains("files and images are refused"))
  }

  @Test(arguments: [
    ("tencent-weibo", "Post to Tencent Weibo", "the service closed in 2020"),
    ("flickr", "Post to Flickr", "Flickr has no page that takes files from other programs"),
    ("vimeo", "Post to Vimeo", "Vimeo has no page that takes files from other programs"),
  ])
  func seed004_17_18_19_servicesWithoutAPageAreUnavailable(
    _ word: String, _ name: String, _ reason: String
  ) throws {
    let place = try Self.place()
    _ = try place.picture("p.png")
    let run = try place.share("--to", word, "p.png")
    #expect(
      run.errors
        == "docsource: p.png: cannot hand over to \(name): unavailable: \(reason)\n")
    #expect(run.status == 2)
    #expect(
      try ManualWords.of("sharing").contains(
        "tencent-weibo, flickr and vimeo are not listed, and are refused with that reason."))
    let explained = try place.share("--explain", "p.png")
    #expect(explained.text.contains("weibo\tPost to Weibo\t"))
    #expect(!explained.text.contains(word + "\t" + name))
  }

  private static let mustachify = """
    [Activity]
    Title=Mustachify
    Accepts=image
    Icon=face-moustache
    Options=style=handlebar;size
    Exec=mustachify %f
    Returns=text

    [Option style]
    Name=Moustache
    Name[de]=Bart
    Icon=face
    Values=handlebar;walrus;dali;fu-manchu;pencil;chevron;walrus

    [Option style=walrus]
    Name=The Walrus
    Icon=moustache-walrus

    """

  @Test func seed004_29_activityHasItsIcon() throws {
    let place = try Self.place()
    _ = try place.picture("p.png")
    _ = try place.file("home/docsource/activities/m.activity", Self.mustachify)
    let list = try place.share("--list", "--json", "p.png")
    #expect(list.text.contains(#""icon":"face-moustache","#), "\(list.text)")
    #expect(
      try ManualWords.of("share").contains(
        "Icon is an icon of the theme or the path of one, for --list --json and the dialog."))
  }

  @Test func seed004_32_optionsOfAnActivityAreItsArguments() throws {
    let place = try Self.place()
    let path = try place.picture("p.png")
    try place.recorder("mustachify")
    _ = try place.file("home/docsource/activities/m.activity", Self.mustachify)
    for (options, words) in [
      ([], ["style=handlebar"]), (["style=walrus"], ["style=walrus"]),
      (["size=a b", "style=dali", "style=pencil"], ["style=pencil", "size=a b"]),
      (["size=--x"], ["style=handlebar", "size=--x"]),
    ] as [([String], [String])] {
      let run = try Execution.run(
        [Docsource.path, "share", "--to", "m"] + options.flatMap { ["--option", $0] } + ["p.png"],
        in: place.directory.root, environment: place.environment)
      #expect(run.errors == "" && run.status == 0)
      #expect(try place.recorded("mustachify").words == [path] + words)
    }
    let dry = try place.share("-n", "--to", "m", "--option", "style=walrus", "p.png")
    #expect(dry.text == "would run: mustachify \(path) style=walrus\n")
    for (option, message) in [
      ("colour=red", "'colour' is not an option of the activity; it has style, size"),
      (
        "style=beard",
        "'beard' is no value of 'style'; it can have handlebar, walrus, dali, fu-manchu, pencil, chevron"
      ),
      (
        "style=",
        "'' is no value of 'style'; it can have handlebar, walrus, dali, fu-manchu, pencil, chevron"
      ),
    ] {
      let wrong = try place.share("--to", "m", "--option", option, "p.png")
      #expect(
        wrong.errors == "docsource: share: --option: \(message); see 'docsource help share'\n")
      #expect(wrong.status == 64)
    }
    let list = try place.share("--list", "--json", "p.png", with: ["LC_ALL": "de_DE.UTF-8"])
    let values =
      #"{"value":"handlebar","title":"handlebar"},{"value":"walrus","title":"The Walrus","icon":"moustache-walrus"},{"value":"dali","title":"dali"},{"value":"fu-manchu","title":"fu-manchu"},{"value":"pencil","title":"pencil"},{"value":"chevron","title":"chevron"}"#
    #expect(
      list.text.contains(
        #""options":[{"name":"style","title":"Bart","icon":"face","default":"handlebar","values":[\#(values)]},{"name":"size","title":"size"}],"fits":true"#
      ), "\(list.text)")
  }

  @Test func seed004_32_optionsOfATargetHaveValuesToo() throws {
    let place = try Self.place()
    _ = try place.file("a.txt", "x\n")
    try place.recorder("reader")
    _ = try place.file(
      "home/docsource/targets/reader.target",
      "[Share Target]\nExec=reader\nOptions=to\n[Option to]\nValues=all;me\n")
    #expect(try place.share("-q", "--to", "reader", "--option", "to=me", "a.txt").status == 0)
    #expect(try place.recorded("reader").words == ["to=me"])
    let wrong = try place.share("--to", "reader", "--option", "to=you", "a.txt")
    #expect(wrong.errors.contains("--option: 'you' is no value of 'to'; it can have all, me;"))
    #expect(wrong.status == 64)
    let flawed = "[Activity]\nExec=true\nOptions=a=x\n[Option a]\nValues=y\n"
    let file = try place.file("home/docsource/activities/f.activity", flawed)
    let list = try place.share("--list", "a.txt")
    #expect(
      list.errors == "docsource: \(file): warning: Options: 'x' is no value of 'a'; it can have y\n"
    )
    #expect(list.text.hasPrefix("reader\t") && list.status == 0)
    let asked = try place.share("--to", "f", "a.txt")
    #expect(
      asked.errors == "docsource: \(file): Options: 'x' is no value of 'a'; it can have y\n")
    #expect(asked.status == 2)
  }

  @Test func seed004_32_valuesAreChosenOnATerminal() throws {
    let place = try Self.place()
    let path = try place.picture("p.png")
    _ = try place.file("home/docsource/activities/m.activity", Self.mustachify)
    let script = Fixture.root.appending(path: "Tests/Scripts/type-on-terminal").path
    func typing(_ prompt: String, _ keys: [String]) throws -> Execution {
      try Execution.run(
        [script, prompt] + keys + ["--", Docsource.path, "share", "-n", "p.png"],
        in: place.directory.root,
        environment: place.environment.merging(["TERM": "xterm"]) { $1 })
    }
    // Mustachify is the first that fits; its menu has the walrus second. Both titles have a colon.
    let walrus = try typing(": ", ["1", "2"])
    #expect(
      walrus.text.contains("would run: mustachify \(path) style=walrus\r\n"),
      "\(walrus.text.debugDescription)")
    #expect(try typing(": ", ["1", "q"]).text.contains("docsource: cancelled\r\n"))
  }

  @Test func seed004_34_whatAnActivityReturnsIsPrinted() throws {
    let place = try Self.place()
    try place.recorder("mustachify", "echo https://e.org/with-mustache.png")
    _ = try place.file(
      "home/docsource/activities/own.activity",
      "[Activity]\nAccepts=url\nExec=mustachify %u\nReturns=url\n")
    let run = try place.share("--to", "own", "https://e.org/a.png")
    #expect(run.text.contains("https://e.org/with-mustache.png") && run.status == 0)
    #expect(
      try ManualWords.of("share").contains(
        "An activity has no view of its own (activityViewController in Apple's interfaces): what comes back is printed."
      ))
  }

  @Test(arguments: [
    ("mailto://x@y.z?subject=a//b", "mailto:x@y.z?subject=a%2F%2Fb"), ("SMS://123", "sms:123"),
    ("tel:///+1", "tel:+1"), ("geo://1,2", "geo:1,2"), ("mailto:x@y.z", "mailto:x@y.z"),
    ("https://e.org//a", "https://e.org//a"), ("sms:123", "sms:123"),
  ])
  func seed004_38_slashesOfURLsWithoutAHostAreRemoved(_ url: String, _ mended: String) throws {
    let place = try Self.place("mailto", "sms", "tel", "geo", "https")
    let opened = try place.run("open", url)
    #expect(opened.text == "\(url): opened in App (org.example.App)\n", "\(opened.errors)")
    #expect(try place.records(1) == [[mended]])
    let dry = try place.run("open", "-n", "--json", url)
    #expect(dry.text.contains(#""files":["\#(url)"]"#), "\(dry.text)")
    let shared = try place.share("-q", "--to", "org.example.App", url)
    #expect(shared.status == 0, "\(shared.errors)")
    #expect(try place.records(1) == [[mended]])
    #expect(
      try ManualWords.of("open").contains(
        "mailto://ann@example.org is opened as mailto:ann@example.org."))
  }

  @Test func seed004_39_mapsBecomesGeoIfNobodyKnowsIt() throws {
    let place = try Self.place("geo")
    for (url, geo) in [
      ("maps://?q=Caf%C3%A9", "geo:0,0?q=Caf%C3%A9"), ("MAPS:?ll=1,2&q=x", "geo:1,2?q=x"),
    ] {
      #expect(try place.run("open", "-q", url).status == 0)
      #expect(try place.records(1) == [[geo]])
      #expect(try place.share("-q", "--to", "map", url).status == 0)
      #expect(try place.records(1) == [[geo]])
    }
    let none = try place.run("open", "maps://?x=y")
    #expect(
      none.errors
        == "docsource: maps://?x=y: cannot open: 'maps:' has neither q nor ll\n")
    #expect(none.status == 2)
    // Who is named gets no other URL.
    #expect(try place.run("open", "--with", "App", "maps://?q=x").status == 0)
    #expect(try place.records(1) == [["maps:?q=x"]])
    let known = try Self.place("geo", "maps")
    #expect(try known.run("open", "maps://?q=x").status == 0)
    #expect(try known.share("-q", "--to", "map", "maps://?q=x").status == 0)
    #expect(try known.records(2) == [["maps:?q=x"], ["maps:?q=x"]])
    let bare = try Self.place()
    let alone = try bare.run("open", "maps://?q=x")
    #expect(alone.errors == "docsource: maps://?q=x: no application opens geo: URLs\n")
  }

  /// `<info>` is optional in XBEL, and GLib writes no bookmark without an application.
  @Test func bookmarksOfOthersStayInTheReadingList() throws {
    let place = try Self.place()
    func marks(_ letters: String...) -> String {
      letters.map { "<bookmark href=\"https://\($0).com/\"><title>\($0)</title></bookmark>" }
        .joined()
    }
    _ = try place.file(
      "home/docsource/reading-list.xbel",
      "<?xml version=\"1.0\"?><xbel version=\"1.0\">\(marks("a", "b", "c"))</xbel>")
    #expect(try place.share("--reading-list", "--remove", "https://a.com/").status == 0)
    #expect(try place.share("-q", "--to", "reading-list", "https://n.com/").status == 0)
    #expect(
      try place.share("--reading-list").text
        == "https://b.com/\tb\nhttps://c.com/\tc\nhttps://n.com/\n")
  }

  @Test func whatAnActivityDoesNotGetIsReported() throws {
    let place = try Self.place()
    _ = try place.file("env.sh", "x")
    _ = try place.file(
      "home/docsource/activities/only.activity",
      "[Activity]\nTitle=Only\nAccepts=url\nExec=echo %u\n")
    let path = place.directory.path("env.sh")
    let run = try place.share("-n", "--to", "only", "https://e.com", "https://e.org", "env.sh")
    #expect(run.text == "would run: echo https://e.com\n")
    #expect(
      run.errors == """
        docsource: https://e.com and 2 more: left out: https://e.org
        docsource: https://e.com and 2 more: left out: \(path)

        """)
    let json = try place.share(
      "-n", "--json", "--to", "only", "https://e.com", "https://e.org", "env.sh")
    #expect(json.text.contains(#""leftOut":["https://e.org","\#(path)"]"#), "\(json.text)")
    _ = try place.file(
      "home/docsource/activities/bad.activity",
      "[Activity]\nTitle=Bad\nAccepts=urls\nExec=echo %u\n")
    let bad = try place.share("-n", "--to", "bad", "https://e.com")
    #expect(bad.errors.contains("bad.activity: Accepts: unknown kind 'urls'"), "\(bad.errors)")
    #expect(bad.status == 2)
  }

  @Test func activityThatWritesWithoutEndIsEnded() throws {
    let place = try Self.place()
    // What writes is not the program itself.
    let script = try place.file("endless", "yes 2>/dev/null &\nwait\n")
    _ = try place.file(
      "home/docsource/activities/endless.activity",
      "[Activity]\nTitle=Endless\nAccepts=url\nReturns=text\nExec=sh \(script) %u\n")
    let run = try place.share("--to", "endless", "https://e.com")
    #expect(
      run.errors
        == "docsource: https://e.com: cannot hand over to Endless: the program has written more than"
        + " 64 MiB\n")
    #expect(run.status == 2)
  }

  @Test func zoomOfAMapIsKept() throws {
    let place = try Self.place("geo")
    let run = try place.share("-n", "--to", "map", "maps://?ll=52.5,13.4&z=12&q=x")
    #expect(run.text.contains("geo:52.5,13.4?q=x&z=12"), "\(run.text)")
  }
}
