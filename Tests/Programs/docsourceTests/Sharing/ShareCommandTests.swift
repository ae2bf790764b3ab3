import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource share` as a user runs it.
@Suite struct ShareCommandTests {
  @Test func whatFitsIsRankedAndExplained() throws {
    let place = try DesktopWorld()
    try place.program("app")
    try place.entry("org.example.One", "Name=One\nExec=app %U\nMimeType=image/png;\nIcon=one")
    try place.entry("org.example.Two", "Name=Two\nExec=app %U\nMimeType=image/png;")
    _ = try place.file(
      "config/mimeapps.list", "[Default Applications]\nimage/png=org.example.Two.desktop\n")
    try place.recorder("lp")
    try place.updateDatabases()
    let target = "home/docsource/targets/"
    let rule = "Rule=SUBQUERY(extensionItems, $i, $i.attachments.@count == 1).@count == 1"
    _ = try place.file(
      target + "exact.target", "[Share Target]\nName=Exact\nExec=app\n\(rule)\n")
    _ = try place.file(
      target + "any.target", "[Share Target]\nName=Any\nExec=app\nAccepts=image\n")
    _ = try place.file(
      target + "text.target", "[Share Target]\nName=Text\nExec=app\nAccepts=text\n")
    _ = try place.file(
      "home/docsource/activities/own.activity", "[Activity]\nTitle=Own\nExec=app %F\n")
    _ = try place.file(
      "home/Thunar/sendto/send.desktop",
      "[Desktop Entry]\nType=Application\nName=Send\nExec=app %F\n")
    _ = try place.picture("p.png")
    let list = try place.share("--list", "p.png")
    #expect(
      list.text == """
        exact\tExact
        org.example.Two\tTwo
        org.example.One\tOne
        own\tOwn
        any\tAny
        send\tSend
        mail\tMail
        copy\tCopy
        save\tSave
        print\tPrint
        contact\tAssign to Contact

        """)
    #expect(list.status == 0 && list.errors == "")
    let some = try place.share(
      "--explain", "--exclude", "com.apple.UIKit.activity.Mail", "--exclude", "exact",
      "p.png")
    let unknown = try place.share("--explain", "--exclude=nothing", "p.png")
    #expect(unknown.status == 64 && unknown.text == "")
    #expect(
      unknown.errors
        == "docsource: share: --exclude: no target 'nothing'; see 'docsource help share'\n")
    let installed = try place.share("--list", "--exclude", "org.example.Two.desktop", "p.png")
    #expect(installed.status == 0 && !installed.text.contains("org.example.Two"))
    let lines = some.text.split(separator: "\n").map(String.init)
    #expect(
      Array(lines.prefix(9)) == [
        "org.example.Two\tTwo\tfits: default application for image/png",
        "org.example.One\tOne\tfits: declares image/png", "own\tOwn\tfits: accepts it",
        "any\tAny\tfits: accepts image", "send\tSend\tfits: in the menu \"Send To\" of Thunar",
        "copy\tCopy\tfits: accepts files", "save\tSave\tfits: accepts files",
        "print\tPrint\tfits: accepts files", "contact\tAssign to Contact\tfits: accepts pictures",
      ])
    #expect(lines.contains("text\tText\tdoes not fit: the target accepts only text"))
    #expect(!lines.contains { $0.hasPrefix("tencent-weibo\t") })
    #expect(!lines.contains { $0.hasPrefix("mail\t") || $0.hasPrefix("exact\t") })
    let json = try place.share("--list", "--json", "p.png")
    #expect(
      json.text.split(separator: "\n").prefix(3).joined(separator: "\n") == #"""
        {"target":"exact","kind":"target","name":"Exact","activity":"exact","program":"app","fits":true,"reason":"its rule matches"}
        {"target":"org.example.Two","kind":"application","name":"Two","fits":true,"reason":"default application for image/png"}
        {"target":"org.example.One","kind":"application","name":"One","icon":"one","fits":true,"reason":"declares image/png"}
        """#)
  }

  @Test func wrongCommandLinesAreRefused() throws {
    let place = try DesktopWorld()
    _ = try place.file("a.txt", "x\n")
    for (words, message) in [
      ([], "no file given"), (["a.txt"], "give --to or --list"),
      (["--json", "a.txt"], "give --to or --list"),
      (["--to", "mail", "--list", "a.txt"], "--to and --list exclude each other"),
      (["--to", "mial", "a.txt"], "--to: no target 'mial'; did you mean 'mail'?"),
      (
        ["--list", "--table", "x", "a.txt"],
        "--table: invalid value 'x'; expected one of apple, nshipster"
      ),
    ] {
      let run = try Execution.run(
        [Docsource.path, "share"] + words, in: place.directory.root,
        environment: place.environment)
      #expect(run.status == 64 && run.text == "")
      #expect(run.errors.hasPrefix("docsource: share: \(message)"), "\(run.errors)")
    }
    let missing = try place.share("--list", "b.txt")
    #expect(missing.errors == "docsource: b.txt: cannot open: no such file or directory\n")
    #expect(missing.status == 2)
  }

  @Test func activityStartsNoProgramForOtherOffers() throws {
    let place = try DesktopWorld()
    for name in ["lp", "xdg-email"] { try place.program(name, "exit 0") }
    _ = try place.file("a.txt", "x\n")
    _ = try place.file(
      "home/docsource/targets/rule.target", "[Share Target]\nExec=true\nRuleFile=rule.plist\n")
    _ = try place.file(
      "home/docsource/targets/rule.plist", "<plist><string>TRUEPREDICATE</string></plist>")
    func programs(_ words: String...) throws -> [String] {
      let run = try Execution.run(
        ["strace", "-f", "-qq", "-z", "-e", "trace=execve", Docsource.path, "share"] + words,
        in: place.directory.root, environment: place.environment)
      #expect(run.status == 0, "\(run.errors)")
      return run.errors.split(separator: "\n").compactMap { line in
        line.split(separator: "\"").dropFirst().first?.split(separator: "/").last.map(String.init)
      }
    }
    #expect(try programs("--list", "a.txt") == ["docsource", "docsource-share"])
    try place.recorder("lp")
    #expect(try programs("--to", "print", "-n", "a.txt") == ["docsource", "docsource-share"])
    #expect(try programs("--to", "mail", "-n", "a.txt") == ["docsource"])
    #expect(try programs("--to", "copy", "--osc52", "-n", "a.txt") == ["docsource"])
  }

  @Test func applicationsAndMenusAreStartedByGIO() throws {
    let place = try DesktopWorld()
    try place.program("app")
    try place.entry("org.example.One", "Name=One\nExec=app -x %U\nMimeType=text/plain;")
    try place.updateDatabases()
    _ = try place.file(
      "home/Thunar/sendto/send.desktop",
      "[Desktop Entry]\nType=Application\nName=Send\nExec=app --thunar %F\n")
    _ = try place.file(
      "home/nemo/actions/act.nemo_action",
      "[Nemo Action]\nName=Act\nExec=<myscript.sh --nemo %F>\nExtensions=any;\n")
    let script = try place.directory.program(
      "home/nemo/actions/myscript.sh", "#!/bin/sh\nexec app script \"$@\"\n")
    let path = try place.file("a b.txt", "x\n")
    for (target, words, name) in [
      ("org.example.One", ["-x", path], "One"), ("One", ["-x", path], "One"),
      ("send", ["--thunar", path], "Send"), ("act", ["script", "--nemo", path], "Act"),
    ] {
      let done = try place.share("--to", target, "a b.txt")
      #expect(done.errors == "" && done.status == 0)
      #expect(done.text.hasPrefix("a b.txt: handed over to \(name)"), "\(done.text)")
      #expect(try place.records(1) == [words])
    }
    let dry = try place.share("--to", "act", "--dry-run", "a b.txt")
    #expect(dry.text == "would run: \(script) --nemo \"\(path)\"\n")
    let json = try place.share("--to", "send", "-n", "--json", "a b.txt")
    #expect(
      json.text == #"""
        {"file":"a b.txt","target":"send","kind":"send-to","name":"Send","outcome":"done","completed":true,"dryRun":true,"arguments":["app","--thunar","\#(path)"],"item":null}

        """#)
    let text = try place.share("--to", "org.example.One", "--text", "x")
    #expect(text.status == 2)
    #expect(
      text.errors
        == "docsource: text: cannot hand over to org.example.One: applications open files and URLs only\n"
    )
  }

  @Test func mailGoesToTheProgramThatTakesIt() throws {
    let place = try DesktopWorld()
    try place.program("mailer")
    try place.entry(
      "mailer", "Name=Mailer\nExec=mailer %u\nMimeType=x-scheme-handler/mailto;")
    try place.updateDatabases()
    try place.recorder("xdg-email")
    let path = try place.file("a b.txt", "x\n")
    let text = try place.share(
      "--to", "mail", "--recipient", "a@b.org", "--recipient", "c+d@e.org", "--cc", "f@g.org",
      "--subject", "S & T", "--text", "one\ntwo")
    #expect(text.text == "text: handed over to Mail: Mailer\n" && text.status == 0)
    #expect(
      try place.records(1) == [
        ["mailto:a@b.org,c%2Bd@e.org?cc=f@g.org&subject=S%20%26%20T&body=one%0D%0Atwo"]
      ])
    let file = try place.share(
      "--to", "UIActivityTypeMail", "--recipient", "a@b.org", "--bcc", "f@g.org", "--subject",
      "--attach", "--text", "-b", "a b.txt")
    #expect(file.text == "a b.txt: handed over to Mail\n" && file.errors == "")
    #expect(
      try place.recorded("xdg-email").words == [
        "--attach", path, "mailto:a@b.org?bcc=f@g.org&subject=--attach&body=-b",
      ])
    try place.program("xdg-email", "echo no mail here >&2; exit 4")
    let failed = try place.share("--to", "mail", "a b.txt")
    #expect(failed.status == 2)
    #expect(failed.errors.hasPrefix("docsource: a b.txt: cannot hand over to Mail: "))
  }

  @Test func messagesCallsAndMapsGoToTheProgramsForTheirSchemes() throws {
    let place = try DesktopWorld()
    try place.program("phone")
    try place.entry(
      "phone",
      "Name=Phone\nExec=phone %u\nMimeType=x-scheme-handler/sms;x-scheme-handler/tel;x-scheme-handler/geo;x-scheme-handler/https;"
    )
    try place.updateDatabases()
    for (words, url) in [
      (["message", "--recipient", "+49 (30) 1-2", "--text", "a b"], "sms:+493012?body=a%20b"),
      (
        ["message", "--text", "see", "https://example.com/?a=1&b=2"],
        "sms:?body=see%0D%0Ahttps%3A%2F%2Fexample.com%2F%3Fa%3D1%26b%3D2"
      ),
      (["message", "sms:+1-2?body=x%20y"], "sms:+12?body=x%20y"),
      (["call", "tel:+1-2"], "tel:+12"),
      (["call", "--text", "030 1"], "tel:0301"), (["map", "geo:1,2;u=3"], "geo:1,2;u=3"),
      (["map", "maps:?q=a%20b"], "geo:0,0?q=a%20b"), (["map", "--text", "1.5,-2"], "geo:1.5,-2"),
      (
        ["twitter", "--text", "x", "https://e.org/"],
        "https://x.com/intent/tweet?text=x&url=https%3A%2F%2Fe.org%2F"
      ),
      (
        ["facebook", "https://e.org/"],
        "https://www.facebook.com/sharer/sharer.php?u=https%3A%2F%2Fe.org%2F"
      ),
    ] {
      let run = try Execution.run(
        [Docsource.path, "share", "--to"] + words, in: place.directory.root,
        environment: place.environment)
      #expect(run.errors == "" && run.status == 0)
      #expect(try place.records(1) == [[url]])
    }
    let none = try place.share("--to", "call", "--text", "12", with: ["XDG_DATA_DIRS": "/nowhere"])
    #expect(none.status == 2)
    #expect(
      none.errors == "docsource: text: cannot hand over to Call: no application opens tel: URLs\n")
    let mail = try place.share("--to", "message", "--recipient", "a@b.org", "--text", "x")
    #expect(
      mail.errors
        == "docsource: text: cannot hand over to Message: 'a@b.org' is not a telephone number; for a mail address, choose mail\n"
    )
  }

  @Test func clipboardGetsFilesOrTextByStandardInput() throws {
    let place = try DesktopWorld()
    try place.recorder("wl-copy")
    try place.recorder("xclip")
    let path = try place.file("a b#é.txt", "x")
    let wayland = try place.share("--to", "copy", "a b#é.txt", with: ["WAYLAND_DISPLAY": "w"])
    #expect(wayland.errors == "" && wayland.status == 0)
    let directory = (path as NSString).deletingLastPathComponent
    #expect(
      try place.recorded("wl-copy")
        == (["--type", "text/uri-list"], "file://\(directory)/a%20b%23%C3%A9.txt\r\n"))
    _ = try place.share(
      "--to", "copy", "--text", "-x y\nz", with: ["DISPLAY": ":9", "WAYLAND_DISPLAY": ""])
    #expect(
      try place.recorded("xclip")
        == (["-selection", "clipboard", "-t", "UTF8_STRING"], "-x y\nz"))
    let url = try place.share(
      "--to", "copy", "-n", "https://e.org", with: ["WAYLAND_DISPLAY": "w"])
    #expect(
      url.text == """
        would run: wl-copy --type "text/plain;charset=utf-8"
        with standard input: "https://e.org"

        """)
    let mixed = try place.share("--to", "copy", "a b#é.txt", "https://e.org")
    #expect(
      mixed.errors
        == "docsource: a b#é.txt and 1 more: cannot hand over to Copy:"
        + " the clipboard takes either files or text\n"
    )
    let none = try place.share("--to", "copy", "--text", "x", with: ["WAYLAND_DISPLAY": ""])
    #expect(
      none.errors
        == "docsource: text: cannot hand over to Copy: neither WAYLAND_DISPLAY nor DISPLAY is set; --osc52 uses the terminal's clipboard\n"
    )
    #expect([mixed.status, none.status] == [2, 2])
    let dry = try place.share("--to", "copy", "--osc52", "-n", "--json", "--text", "abc")
    #expect(dry.text.contains(#""terminal":"\u001b]52;c;YWJj\u0007","#))
    let terminal = try Execution.run(
      ["script", "-qec", "'\(Docsource.path)' share -q --to copy --osc52 --text abc", "/dev/null"],
      in: place.directory.root, environment: place.environment)
    #expect(terminal.text == "\u{1b}]52;c;YWJj\u{07}")
  }

  @Test func printingAndBluetoothGetPaths() throws {
    let place = try DesktopWorld()
    try place.recorder("lp", "echo request id is 7")
    try place.recorder("bluetooth-sendto")
    let path = try place.picture("-p.png")
    let print = try place.share("--to", "print", "./-p.png")
    #expect(print.text == "./-p.png: handed over to Print: request id is 7\n")
    #expect(try place.recorded("lp").words == ["--", path])
    _ = try place.share("--to", "airdrop", "./-p.png")
    #expect(try place.recorded("bluetooth-sendto").words == [path])
    _ = try place.file("a.zip", "PK\u{3}\u{4}")
    #expect(try place.share("--list", "./-p.png").text.contains("\nprint\tPrint\n"))
    let zip = try place.share("--to", "print", "a.zip")
    #expect(
      zip.errors
        == "docsource: a.zip: cannot hand over to Print: texts, pictures, PDF and PostScript are printed\n"
    )
    guard !FileManager.default.fileExists(atPath: "/usr/bin/lp") else { return }
    try FileManager.default.removeItem(atPath: place.directory.path("bin/lp"))
    let missing = try place.share("--to", "print", "./-p.png")
    #expect(
      missing.errors == "docsource: ./-p.png: cannot hand over to Print: lp is not installed\n")
    #expect(try !place.share("--list", "./-p.png").text.contains("print"))
  }

  @Test func copiesKeepMarksWithoutWhatIdentifiesTheUser() throws {
    let place = try DesktopWorld()
    _ = try place.file(
      "config/user-dirs.dirs",
      "XDG_PICTURES_DIR=\"$HOME/Bilder\"\nXDG_DOWNLOAD_DIR=\"$HOME/\"\nXDG_VIDEOS_DIR=\"x\"\n")
    let path = try place.picture("p.tar.png")
    #expect(try Docsource.tag(path).status == 0)
    for (name, value) in [
      ("user.xdg.origin.url", "https://me:pw@e.org/a?b"),
      ("user.xdg.referrer.url", "https://e.org/a?session=1#x"), ("user.other", "kept"),
      ("user.com.apple.metadata:kMDItemWhereFroms", "bplist00?"),
    ] {
      #expect(try Execution.run(["setfattr", "-n", name, "-v", value, path]).status == 0)
    }
    let saved = try place.share("--to", "save", "p.tar.png", "p.tar.png")
    let copy = place.directory.path("Bilder/p.tar.png")
    #expect(saved.errors == "" && saved.status == 0)
    #expect(
      saved.text.hasPrefix(
        "p.tar.png: handed over to Save: saved: \(copy); left out of p.tar.png: "))
    #expect(try Data(contentsOf: URL(filePath: copy)) == Data(contentsOf: URL(filePath: path)))
    #expect(
      FileManager.default.fileExists(atPath: place.directory.path("Bilder/p.tar (2).png")))
    func attributes(_ file: String) throws -> [String] {
      try Execution.run(["getfattr", "--absolute-names", "-d", file]).text
        .split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.contains("x-document-source") }
        .map(String.init)
    }
    #expect(
      try attributes(copy) == [
        "user.other=\"kept\"", "user.xdg.origin.url=\"https://e.org/a\"",
        "user.xdg.referrer.url=\"https://e.org/a\"",
      ])
    let shown = try Docsource.run("show", "--json", copy)
    #expect(shown.text.contains(#""identifier":"com.appliedphasor.working-copy""#))
    #expect(!shown.text.contains("directory/filename.ext"))
    let kept = try place.share(
      "--to", "save", "--keep-private", "--into", "deep/er", "p.tar.png")
    #expect(kept.status == 0)
    #expect(try attributes(place.directory.path("deep/er/p.tar.png")) == attributes(path))
    #expect(
      try Docsource.run("show", "--json", place.directory.path("deep/er/p.tar.png")).text
        .contains("directory/filename.ext"))
    _ = try place.file("a.zip", "PK\u{3}\u{4}")
    let none = try place.share("--to", "save", "a.zip")
    #expect(
      none.errors
        == "docsource: a.zip: cannot hand over to Save: user-dirs.dirs names no directory XDG_DOWNLOAD_DIR; give --into DIR\n"
    )
    let dry = try place.share("--to", "save", "-n", "--into", "new", "a.zip")
    #expect(dry.text == "would save: new/a.zip\n")
    #expect(!FileManager.default.fileExists(atPath: place.directory.path("new")))
  }

  @Test func longNamesOfCopiesKeepTheirEnding() throws {
    let place = try DesktopWorld()
    let longest = String(repeating: "n", count: 251) + ".txt"
    let wide = String(repeating: "ü", count: 125) + ".text"
    for name in [longest, wide] {
      _ = try place.file(name, "x\n")
      for _ in 0..<2 {
        let saved = try place.share("--to", "save", "--into", "out", name)
        #expect(saved.errors == "" && saved.status == 0)
      }
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.directory.path("out")).sorted() == [
        String(repeating: "n", count: 247) + " (2).txt", longest,
        String(repeating: "ü", count: 123) + " (2).text", wide,
      ])
    mkfifo(place.directory.path("pipe"), 0o600)
    let pipe = try place.share("--to", "save", "--into", "out", "pipe")
    #expect(
      pipe.errors == "docsource: pipe: cannot hand over to Save: only regular files are copied\n")
    let json = try place.share("--to", "save", "--into", "out", "--json", longest, wide)
    #expect(json.text.contains(#""saved":["out/\#(String(repeating: "n", count: 247)) (3).txt","#))
  }

  @Test func programForEachFileIsOneOfSeveralInObjects() throws {
    let place = try DesktopWorld()
    try place.program("app")
    try place.entry("one", "Name=One\nExec=app %f\nMimeType=text/plain;")
    try place.updateDatabases()
    let paths = try ["a.txt", "b.txt"].map { try place.file($0, "x\n") }
    let json = try place.share("--to", "one", "-n", "--json", "a.txt", "b.txt")
    #expect(
      json.text.contains(
        #""dryRun":true,"programs":[{"arguments":["app","\#(paths[0])"]},{"arguments":["app","\#(paths[1])"]}],"item":null"#
      ))
    let done = try place.share("--to", "one", "--json", "a.txt", "b.txt")
    #expect(done.text.contains(#""completed":true,"identifier":"one","item":null}"#))
    #expect(try place.records(2).sorted { $0[0] < $1[0] } == paths.map { [$0] })
  }

  @Test func whatTheReceiverDoesNotTakeIsReported() throws {
    let place = try DesktopWorld()
    try place.program("app")
    try place.entry(
      "web",
      "Name=Web\nExec=app %u\nMimeType=x-scheme-handler/https;x-scheme-handler/sms;x-scheme-handler/geo;text/plain;"
    )
    try place.updateDatabases()
    _ = try place.file("a.txt", "x\n")
    let given = ["--subject", "S", "--text", "T", "--recipient", "1", "--cc", "a@b.org"]
    for (target, operand, losses) in [
      ("twitter", "https://e.org/", ["the subject", "the address 1", "the address a@b.org"]),
      ("weibo", "https://e.org/", ["the subject", "the address 1", "the address a@b.org"]),
      ("message", "https://e.org/", ["the subject", "the address a@b.org"]),
      ("map", "geo:1,2", ["the subject", "the text", "the address 1", "the address a@b.org"]),
      ("copy", "a.txt", ["the subject", "the text", "the address 1", "the address a@b.org"]),
      ("web", "a.txt", ["the subject", "the text", "the address 1", "the address a@b.org"]),
    ] {
      let words = ["share", "-n", "--osc52", "--to", target] + given + [operand]
      let texts = losses.map { "\($0), which \(target) does not take" }
      let run = try Execution.run(
        [Docsource.path] + words, in: place.directory.root,
        environment: place.environment)
      #expect(run.status == 0, "\(run.errors)")
      #expect(
        run.errors == texts.map { "docsource: \(operand): left out: \($0)\n" }.joined())
      let array = texts.map { "\"\($0)\"" }.joined(separator: ",")
      #expect(try Self.leftOut(words + ["--json"], place) == "[\(array)]")
    }
    let mail = try place.share(
      "-n", "--portal", "--to", "mail", "--subject", "S", "--cc", "a@b.org", "--text", "T", "a.txt")
    #expect(mail.errors == "" && mail.status == 0)
  }

  private static func leftOut(
    _ words: [String], _ place: DesktopWorld
  ) throws -> String? {
    let json = try Execution.run(
      [Docsource.path] + words, in: place.directory.root, environment: place.environment)
    let object = try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [String: Any]
    let array = try #require(object?["leftOut"] as? [String])
    return "[" + array.map { "\"\($0)\"" }.joined(separator: ",") + "]"
  }

  @Test func placeLosesWhatGeoURLsDoNotHave() throws {
    let place = try DesktopWorld()
    try place.program("app")
    try place.entry("places", "Name=Places\nExec=app %u\nMimeType=x-scheme-handler/geo;")
    try place.updateDatabases()
    let url = "maps:?q=a&near=b"
    let run = try place.share("-n", "--json", "--to", "map", url)
    #expect(run.text.contains(#""arguments":["app","geo:0,0?q=a"]"#), "\(run.text)")
    #expect(
      run.text.contains(#""leftOut":["near=b, which geo: URLs do not have"]"#) && run.status == 0)
    #expect(
      run.errors == "docsource: \(url): left out: near=b, which geo: URLs do not have\n")
    let opened = try Execution.run(
      [Docsource.path, "open", "-n", url], in: place.directory.root,
      environment: place.environment)
    #expect(opened.errors == run.errors && opened.status == 0)
  }

  @Test func descriptionsAreReportedAndOthersListed() throws {
    let place = try DesktopWorld()
    let flawed = try place.file("home/docsource/activities/bad.activity", "[Activity]\nTitle=B\n")
    let odd = try place.file(
      "home/docsource/activities/odd.activity", "[Activity]\nExec=app\nColour=red\nX-A=1\n[B]\n")
    let list = try place.share("-l", "--text", "x")
    #expect(
      list.errors == """
        docsource: \(flawed): warning: the group [Activity] has no key Exec with a program
        docsource: \(odd): warning: unknown key 'Colour' in [Activity]
        docsource: \(odd): warning: unknown group [B]

        """)
    #expect(list.text.hasPrefix("odd\todd\n") && list.status == 0)
    let asked = try place.share("--to", "bad", "--text", "x")
    #expect(asked.status == 2)
  }

  @Test func givenSubjectAndTextStandInTheItemOfATarget() throws {
    let place = try DesktopWorld()
    _ = try place.file("home/docsource/targets/t.target", "[Share Target]\nExec=app\n")
    _ = try place.file("a.xei", #"{"NSExtensionItemAttributedTitleKey":"old"}"#)
    let run = try place.share(
      "-n", "--json", "--to", "t", "--subject", "new", "--text", "said", "a.xei")
    #expect(run.errors == "" && run.status == 0)
    #expect(run.text.contains("new") && run.text.contains("said") && !run.text.contains("old"))
  }

  @Test func readingListTakesNoOtherOptions() throws {
    let place = try DesktopWorld()
    for (words, name) in [
      (["-o", "x"], "output"), (["--subject", "S"], "subject"), (["--exclude", "mail"], "exclude"),
      (["--portal"], "portal"), (["--keep-private"], "keep-private"),
      (["--recipient", "a"], "recipient"), (["--into", "x"], "into"),
    ] {
      let run = try Execution.run(
        [Docsource.path, "share", "--reading-list"] + words, in: place.directory.root,
        environment: place.environment)
      #expect(run.status == 64 && run.text == "")
      #expect(
        run.errors
          == "docsource: share: --reading-list and --\(name) exclude each other; see 'docsource help share'\n"
      )
    }
  }

  @Test func whatIsNoListIsNoEmptyOne() throws {
    let place = try DesktopWorld()
    let path = try place.file("home/docsource/reading-list.xbel", "")
    #expect(try place.share("--reading-list").status == 0)
    unlink(path)
    symlink("nowhere", path)
    for words in [[], ["--remove", "x"]] as [[String]] {
      func run() throws -> Execution {
        try Execution.run(
          [Docsource.path, "share", "--reading-list"] + words, in: place.directory.root,
          environment: place.environment)
      }
      let link = try run()
      #expect(link.errors == "docsource: \(path): cannot read: the link leads nowhere\n")
      #expect(link.text == "" && link.status == 2)
    }
    unlink(path)
    mkfifo(path, 0o600)
    for words in [["--reading-list"], ["--reading-list", "--remove", "x"]] {
      let pipe = try Execution.run(
        [Docsource.path, "share"] + words, in: place.directory.root,
        environment: place.environment)
      #expect(pipe.errors == "docsource: \(path): cannot read: not a regular file\n")
      #expect(pipe.text == "" && pipe.status == 2)
    }
    func add(_ words: String...) throws -> Execution {
      try Execution.run(
        [Docsource.path, "share", "--to", "reading-list"] + words + ["https://e.org/"],
        in: place.directory.root, environment: place.environment)
    }
    let lead = "docsource: https://e.org/: cannot hand over to Add to Reading List: \(path): "
    for words in ["-n", "-q"] {
      let added = try add(words)
      #expect(added.errors == lead + "cannot read: not a regular file\n")
      #expect(added.text == "" && added.status == 2)
      var status = stat()
      #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }
    unlink(path)
    _ = try place.file("home/docsource/reading-list.xbel", "<xbel>")
    truncate(path, (16 << 20) + 1)
    let large = try add("-q")
    #expect(large.errors == lead + "the file is larger than 16 MiB\n")
    #expect(large.text == "" && large.status == 2)
  }

  @Test func contactGetsThePicture() throws {
    let place = try DesktopWorld()
    let picture = try place.picture("p.png")
    let card = try place.file("ann.vcf", "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ann\r\nEND:VCARD\r\n")
    let done = try place.share("--to", "contact", "--vcard", "ann.vcf", "p.png")
    #expect(done.errors == "" && done.status == 0)
    let text = try String(contentsOfFile: card, encoding: .utf8)
      .replacingOccurrences(of: "\r\n ", with: "")
    let base64 = try Data(contentsOf: URL(filePath: picture)).base64EncodedString()
    #expect(
      text
        == "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ann\r\nPHOTO:data:image/png;base64,\(base64)\r\nEND:VCARD\r\n"
    )
    let none = try place.share("--to", "contact", "p.png")
    #expect(
      none.errors
        == "docsource: p.png: cannot hand over to Assign to Contact: give the contact's file with --vcard\n"
    )
    _ = try place.file("old.vcf", "BEGIN:VCARD\nVERSION:3.0\nEND:VCARD\n")
    let old = try place.share("--to", "contact", "--vcard", "old.vcf", "p.png")
    #expect(old.status == 2)
    #expect(
      old.errors
        == "docsource: p.png: cannot hand over to Assign to Contact: old.vcf: it is not a vCard of version 4.0\n"
    )
  }

  @Test func quotationMarkThatIsNotClosedIsAFlaw() throws {
    let place = try DesktopWorld()
    _ = try place.file("a.txt", "x\n")
    let activity = try place.file(
      "home/docsource/activities/own.activity", "[Activity]\nExec=sh -c \"x %f\n")
    let target = try place.file(
      "home/docsource/targets/to.target", "[Share Target]\nExec=true\nValidate=\"true\n")
    let list = try place.share("--list", "a.txt")
    #expect(
      list.errors == """
        docsource: \(target): warning: Validate: a quotation mark is not closed
        docsource: \(activity): warning: Exec: a quotation mark is not closed

        """)
    #expect(list.status == 0 && !list.text.contains("own") && !list.text.contains("to\t"))
    let own = try place.share("--to", "own", "a.txt")
    #expect(own.errors == "docsource: \(activity): Exec: a quotation mark is not closed\n")
    #expect(own.status == 2)
  }

  @Test func answerOfManyLinesIsRefused() throws {
    let place = try DesktopWorld()
    _ = try place.file("a.txt", "x\n")
    for (returns, line) in [("url", "https://e.org/\r\n"), ("file", "/tmp/f\n")] {
      for (count, status) in [(20_000, 0), (20_001, 2)] {
        _ = try place.file("answer", String(repeating: line, count: count))
        _ = try place.file(
          "home/docsource/activities/own.activity",
          "[Activity]\nExec=cat \(place.directory.path("answer"))\nReturns=\(returns)\n")
        let run = try place.share("--json", "--to", "own", "--text", "x")
        #expect(run.status == status)
        #expect(
          run.errors
            == (status == 0
              ? ""
              : "docsource: text: cannot hand over to own: the activity is done, but its answer has more than 20000 lines\n")
        )
        #expect(!run.text.contains("\\r"))
      }
    }
  }

  @Test(.enabled(if: getuid() == 0)) func fileThatCannotBeReadIsNamedWhenSaved() throws {
    let place = try DesktopWorld()
    let path = try place.file("a.txt", "x\n")
    chmod(path, 0)
    chmod(place.directory.root, 0o777)
    let run = try place.run([
      "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Docsource.path, "share",
      "--to",
      "save", "--into", "out", "a.txt",
    ])
    #expect(
      run.errors
        == "docsource: a.txt: cannot hand over to Save: cannot read \"\(path)\": permission denied\n"
    )
    #expect(run.status == 2)
  }

  /// It took ninety times its size.
  @Test func contactOfEmptyLinesTakesLittleMemory() throws {
    let place = try DesktopWorld()
    _ = try place.picture("p.png")
    let lines = String(repeating: "\n", count: 15_000_000)
    _ = try place.file("ann.vcf", "BEGIN:VCARD\nVERSION:4.0\n\(lines)END:VCARD\n")
    let run = try Execution.run(
      [
        "sh", "-c", "ulimit -v 600000; exec \"$0\" share --to contact --vcard ann.vcf p.png",
        Docsource.path,
      ], in: place.directory.root, environment: place.environment)
    #expect(run.errors == "" && run.status == 0)
    #expect(try place.directory.bytes("ann.vcf").count > 15_000_000)
  }

  @Test func targetsAndActivitiesSayHowTheyEnded() throws {
    let place = try DesktopWorld()
    let path = try place.file("a.txt", "x\n")
    func target(_ name: String, _ script: String) throws {
      let program = try place.file("\(name)-program", script + "\n")
      _ = try place.file(
        "home/docsource/targets/\(name).target",
        "[Share Target]\nName=\(name)\nExec=sh \(program)\n")
    }
    try target("back", "cat")
    try target("stop", "exit 1")
    try target("fail", "exit 3")
    let back = try place.share("--json", "--to", "back", "a.txt")
    #expect(
      back.text == #"""
        {"file":"a.txt","target":"back","kind":"target","name":"back","activity":"back","outcome":"done","completed":true,"item":{"attachments":[{"types":["public.plain-text","public.file-url"],"path":"\#(path)","mediaType":"text/plain"}]}}

        """#)
    // What a target hands back comes from it.
    #expect(try Docsource.run("show", "--field", "identifier", path).text == "back\n")
    for (name, status, end) in [("stop", 1, "cancelled"), ("fail", 2, "failed")]
      as [(String, Int32, String)]
    {
      let run = try place.share("--json", "--to", name, "a.txt")
      #expect(run.status == status)
      #expect(run.text.contains(#""outcome":"\#(end)","completed":false"#))
    }
    #expect(
      try place.share("--to", "stop", "a.txt").errors == "docsource: a.txt: cancelled\n")
    #expect(
      try place.share("--to", "fail", "a.txt").errors
        == "docsource: a.txt: cannot hand over to fail: the target failed (status 3)\n")
  }

  @Test func ownActivityGetsWhatItTakesAndAnswers() throws {
    let place = try DesktopWorld()
    try place.recorder("mustachify", "echo https://e.org/with-mustache.png; exit ${STATUS:-0}")
    _ = try place.file(
      "home/docsource/activities/own.activity",
      "[Activity]\nTitle=Mustachify\nType-Id=com.nshipster.Mustachify\nAccepts=url\nExtensions=jpg;png\nExec=mustachify %U\nReturns=url\n"
    )
    let urls = ["https://e.org/a.html", "https://e.org/b.PNG", "https://e.org/c.jpg"]
    let done = try place.share(
      "--json", "--to", "com.nshipster.Mustachify", urls[0], urls[1], urls[2])
    #expect(
      done.errors == "docsource: \(urls[0]) and 2 more: left out: \(urls[0])\n"
        && done.status == 0)
    #expect(done.text.contains(#""leftOut":["\#(urls[0])"]"#))
    #expect(try place.recorded("mustachify").words == [urls[1], urls[2]])
    #expect(
      done.text.contains(
        #""item":{"attachments":[{"types":["public.url"],"text":"https://e.org/with-mustache.png"}]}"#
      ))
    let none = try place.share("--to", "own", urls[0])
    #expect(none.status == 2)
    #expect(
      none.errors
        == "docsource: https://e.org/a.html: cannot hand over to Mustachify: accepts none of it\n")
    for (status, word) in [("1", "cancelled"), ("9", "failed")] {
      let run = try place.share(
        "--json", "--to", "own", urls[1], with: ["STATUS": status])
      #expect(run.status == (status == "1" ? 1 : 2) && run.text.contains("\"outcome\":\"\(word)\""))
    }
  }

  @Test func whatIsLeftOutOfSeveralIsNamed() throws {
    let place = try DesktopWorld()
    try place.program("mailer")
    try place.entry(
      "mailer",
      "Name=Mailer\nExec=mailer %u\nMimeType=x-scheme-handler/mailto;x-scheme-handler/https;")
    try place.updateDatabases()
    for name in ["a.xei", "b.xei"] {
      let made = try place.run("item", "make", "--url", "https://me:pw@e.org/a", "-o", name)
      #expect(made.errors == "" && made.status == 0)
    }
    let loss =
      ".NSExtensionItemAttachmentsKey[0]: the user name and password in the URL are left out"
    let words = ["share", "-n", "--json", "--to", "mail", "a.xei", "b.xei"]
    let mail = try place.run([Docsource.path] + words)
    #expect(mail.errors == "docsource: a.xei: \(loss)\ndocsource: b.xei: \(loss)\n")
    #expect(mail.status == 0)
    #expect(try Self.leftOut(words, place) == "[\"a.xei: \(loss)\",\"b.xei: \(loss)\"]")
    for name in ["a.txt", "b.txt"] {
      let path = try place.file(name, "x\n")
      let marked = try Execution.run(["setfattr", "-n", "user.xdg.comment", "-v", "mine", path])
      #expect(marked.status == 0, "\(marked.errors)")
    }
    let save = ["share", "-n", "--to", "save", "--into", "out", "a.txt", "b.txt"]
    let saved = try place.run([Docsource.path] + save)
    #expect(
      saved.text == """
        would save: out/a.txt
        left out of a.txt: the comment
        would save: out/b.txt
        left out of b.txt: the comment

        """)
    #expect(saved.errors == "" && saved.status == 0)
    #expect(
      try Self.leftOut(save + ["--json"], place)
        == "[\"out/a.txt: the comment\",\"out/b.txt: the comment\"]")
    let refused = try place.share("--to", "airdrop", "https://e.org/", "https://e.com/")
    #expect(
      refused.errors
        == "docsource: https://e.org/ and 1 more: cannot hand over to Send by Bluetooth:"
        + " Bluetooth sends files only\n")
    #expect(refused.status == 2)
  }

  @Test func itemIsHandedOverAsItsDocuments() throws {
    let place = try DesktopWorld()
    try place.program("mailer")
    try place.entry(
      "mailer",
      "Name=Mailer\nExec=mailer %u\nMimeType=x-scheme-handler/mailto;x-scheme-handler/https;")
    try place.updateDatabases()
    try place.recorder("xdg-email")
    _ = try place.file("in/doc.txt", "x\n")
    let made = try Execution.run(
      [
        Docsource.path, "item", "make", "--url", "https://me:pw@e.org/a", "--title", "Title",
        "--content", "for all", "--attach", "in/doc.txt", "--content-for",
        "com.apple.UIKit.activity.PostToTwitter=Retweet this!", "-o", "a.xei",
      ], in: place.directory.root)
    #expect(made.errors == "" && made.status == 0)
    let mail = try place.share("--to", "mail", "--table=nshipster", "a.xei")
    #expect(
      mail.errors
        == "docsource: a.xei: .NSExtensionItemAttachmentsKey[0]: the user name and password in the URL are left out\n"
    )
    #expect(
      try place.records(1) == [
        ["mailto:?subject=Title&body=for%20all%0D%0Ahttps:%2F%2Fe.org%2Fa"]
      ])
    let list = try place.share("--explain", "a.xei")
    #expect(
      list.text.contains("twitter\tPost to X (Twitter)\tdoes not fit: the page of the service"))
    let doc = try Execution.run(
      [
        Docsource.path, "item", "make", "--file", "in/doc.txt", "--title", "Title", "-o",
        "in/b.xei",
      ], in: place.directory.root)
    #expect(doc.status == 0)
    let attached = try place.share("--to", "mail", "in/b.xei")
    #expect(attached.errors == "" && attached.status == 0)
    // Until the mail is sent, another file could be put in the place of an item's.
    var words = try place.recorded("xdg-email").words
    let copy = words.remove(at: 1)
    #expect(words == ["--attach", "mailto:?subject=Title"])
    #expect(copy.hasPrefix(place.directory.path("run/docsource/mail/")))
    #expect(copy.hasSuffix("/doc.txt"))
    #expect(try String(contentsOfFile: copy, encoding: .utf8) == "x\n")
  }

  @Test func userIsAskedOnATerminal() throws {
    let place = try DesktopWorld()
    try place.recorder("lp")
    _ = try place.file("a.txt", "x\n")
    let script = Fixture.root.appending(path: "Tests/Scripts/type-on-terminal").path
    func typing(_ keys: String) throws -> Execution {
      try Execution.run(
        [
          script, "Share with:", keys, "--", Docsource.path, "share", "-n", "--into", "here",
          "a.txt",
        ], in: place.directory.root,
        environment: place.environment.merging(["TERM": "xterm"]) { $1 })
    }
    // Mail, copy, save, print. What the script types last may be echoed after the answer.
    for keys in [#"\x1b[B\x1b[B\n"#, #"jj\n"#, #"3\n"#, #"\x1b[F\x1b[A\n"#, #"\x1b[A\x10\n"#] {
      let run = try typing(keys)
      #expect(
        run.text.contains("would save: here/a.txt\r\n"), "\(keys): \(run.text.debugDescription)")
    }
    for keys in [#"q\n"#, #"\x03\n"#, #"\x1b\n"#] {
      #expect(try typing(keys).text.contains("docsource: cancelled\r\n"))
    }
  }
}
