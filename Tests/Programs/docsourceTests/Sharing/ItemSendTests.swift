import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource item send` and `item container` as a user runs them.
@Suite struct ItemSendTests {
  @Test func targetReadsTheItemAndHandsOneBack() throws {
    let place = try DesktopWorld()
    try place.target(
      "echo", "printf '%s\\n' \"$@\" > arguments; cat", "Options=folder;visibility=public")
    try place.makeItem("--url", "https://example.com", "--title", "T")
    let sent = try place.item([
      "send", "--to", "echo", "--option", "folder=a b", "-o", "back.xei", "item.xei",
    ])
    #expect(sent.errors == "" && sent.status == 0)
    #expect(try place.directory.text("arguments") == "folder=a b\nvisibility=public\n")
    #expect(try place.directory.bytes("back.xei") == place.directory.bytes("item.xei"))
    let json = try place.item(["send", "--json", "--to", "echo", "item.xei"])
    #expect(
      json.text == #"""
        {"file":"item.xei","target":"echo","outcome":"done","item":{"title":"T","attachments":[{"types":["public.url"],"text":"https://example.com"}]}}

        """#)
  }

  @Test func whatNobodyReadsIsNotHandedOver() throws {
    let place = try DesktopWorld()
    try place.target("keep", "cat > got")
    _ = try place.directory.file(
      "a.xei",
      #"{"NSExtensionItemAttributedTitleKey":"T","x-extension-item":{"source-url":5,"referrer-name":"A"}}"#
    )
    let sent = try place.item(["send", "--keep-private", "--to", "keep", "a.xei"])
    #expect(
      sent.errors
        == "docsource: a.xei: .x-extension-item.source-url: not an absolute URL; ignored\n")
    #expect(sent.status == 0)
    let shown = try place.item(["show", "--json", "got"])
    #expect(!shown.text.contains("source-url") && shown.text.contains(#""A""#), "\(shown.text)")
    _ = try place.directory.file(
      "b.xei", #"{"NSExtensionItemAttributedTitleKey":"T","x-extension-item":"secret"}"#)
    let other = try place.item(["send", "--to", "keep", "b.xei"])
    #expect(other.errors == "docsource: b.xei: .x-extension-item: not a dictionary; ignored\n")
    #expect(!(try place.item(["show", "--json", "got"])).text.contains("secret"))
  }

  @Test func doneCancelledAndFailedAreDistinguished() throws {
    let place = try DesktopWorld()
    try place.makeItem("--text", "a")
    try place.target("done", "exit 0")
    try place.target("cancel", "exit 1")
    try place.target("fail", "echo no network >&2; exit 3")
    try place.target("die", "kill -9 $$")
    try place.target("noise", "echo no item")
    try place.target("invalid", "exit 0", "Validate=sh -c \"exit 5\"")
    _ = try place.directory.file(
      "home/docsource/targets/gone.target", "[Share Target]\nExec=/no/such/program\n")
    for (name, status, outcome, message) in [
      ("done", 0, "done", ""), ("cancel", 1, "cancelled", "docsource: item.xei: cancelled\n"),
      (
        "fail", 2, "failed",
        "no network\ndocsource: item.xei: cannot hand over: the target failed (status 3)\n"
      ),
      ("die", 2, "failed", "docsource: item.xei: cannot hand over: the target failed (signal 9)\n"),
      (
        "noise", 2, "failed",
        "docsource: item.xei: cannot hand over: the target is done, but has written no share item: not a well-formed binary property list: not a binary property list (at byte 0)\n"
      ),
      (
        "invalid", 2, "failed",
        "docsource: item.xei: cannot hand over: the check Validate of the target failed (status 5)\n"
      ),
      (
        "gone", 2, "failed",
        "docsource: item.xei: cannot hand over: cannot start '/no/such/program': no such file or directory\n"
      ),
    ] {
      let sent = try place.item(["send", "--json", "--to", name, "item.xei"])
      #expect(Int(sent.status) == status, "\(name)")
      #expect(sent.text.contains("\"outcome\":\"\(outcome)\""), "\(name): \(sent.text)")
      #expect(sent.errors == message, "\(name)")
    }
  }

  @Test func filesArePathsOrDescriptors() throws {
    let place = try DesktopWorld()
    _ = try place.directory.file("note.txt", "hello\n")
    try place.makeItem("--file", "note.txt")
    let script = """
      exec python3 -c 'import plistlib, sys
      path = plistlib.loads(sys.stdin.buffer.read())["NSExtensionItemAttachmentsKey"][0]["path"]
      print(path, open(path).read(), file=sys.stderr)'
      """
    try place.target("paths", script)
    try place.target("descriptors", script, "Attachments=descriptors")
    let paths = try place.item(["send", "--to", "paths", "item.xei"])
    let note = place.directory.path("note.txt")
    let report = "docsource: item.xei: hands over: \(note)\n"
    #expect(paths.errors == report + "\(note) hello\n\n")
    let descriptors = try place.item(["send", "--to", "descriptors", "item.xei"])
    #expect(descriptors.errors.hasPrefix(report + "/dev/fd/"), "\(descriptors.errors)")
    #expect(descriptors.errors.hasSuffix(" hello\n\n"))
    let outside =
      #"{"NSExtensionItemAttachmentsKey":[{"registeredTypeIdentifiers":["public.data"],"path":"/etc/passwd"}]}"#
    _ = try place.directory.file("bad.xei", outside)
    let refused = try place.item(["send", "--to", "paths", "bad.xei"])
    #expect(refused.status == 2)
    #expect(
      refused.errors
        == "docsource: bad.xei: cannot hand over: attachment 1: \"/etc/passwd\": the path is absolute; use --any-path to allow it\n"
    )
  }

  @Test func rulesAndKindsDecideWhatTargetsTake() throws {
    let place = try DesktopWorld()
    try place.target("a-urls", "cat", "Accepts=url")
    try place.target("b-texts", "cat", "Accepts=text")
    try place.target(
      "c-rule", "cat",
      "Rule=SUBQUERY(extensionItems, $i, $i.attachments.@count == 1).@count == 1")
    try place.target("d-never", "cat", "Rule=FALSEPREDICATE")
    try place.target("e-list", "cat", "RuleFile=Info.plist")
    try place.target("f-wrong", "cat", "Rule=no rule (")
    _ = try place.directory.file(
      "home/docsource/targets/Info.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>NSExtension</key><dict><key>NSExtensionAttributes</key><dict>
      <key>NSExtensionActivationRule</key><dict>
      <key>NSExtensionActivationSupportsWebURLWithMaxCount</key><integer>1</integer>
      </dict></dict></dict></dict></plist>
      """)
    try place.makeItem("--url", "https://example.com")
    let listed = try place.item(["send", "--list", "item.xei"])
    #expect(listed.text == "a-urls\tThe a-urls\nc-rule\tThe c-rule\ne-list\tThe e-list\n")
    #expect(listed.errors.contains("f-wrong.target: the rule of the target cannot be evaluated: "))
    #expect(listed.status == 2)
    let refused = try place.item(["send", "--to", "b-texts", "item.xei"])
    #expect(
      refused.errors == "docsource: item.xei: cannot hand over: the target accepts only text\n")
    let never = try place.item(["send", "--to", "d-never", "item.xei"])
    #expect(
      never.errors
        == "docsource: item.xei: cannot hand over: the rule of the target does not match the item\n"
    )
    let json = try place.item(["send", "--json", "--list", "item.xei"])
    #expect(
      json.text.hasPrefix(
        #"{"target":"a-urls","name":"The a-urls","takes":true}"# + "\n"
          + #"{"target":"b-texts","name":"The b-texts","takes":false,"reason":"the target accepts only text"}"#
      ))
  }

  @Test func namesOfTargetsAreInTheUsersLanguage() throws {
    let place = try DesktopWorld()
    try place.target("reader", "cat", "Name[de]=Der Leser")
    try place.makeItem("--text", "words")
    let environment = place.environment.merging(["LC_ALL": "de_AT.UTF-8"]) { $1 }
    let listed = try Execution.run(
      [Docsource.path, "item", "send", "--list", "item.xei"], in: place.directory.root,
      environment: environment)
    #expect(listed.text == "reader\tDer Leser\n")
    #expect(try place.item(["send", "--list", "item.xei"]).text == "reader\tThe reader\n")
  }

  @Test func privatePartsStayHere() throws {
    let place = try DesktopWorld()
    try place.target("echo", "cat", "Activity=com.example.App.Share")
    try place.makeItem(
      "--url", "https://me:secret@example.com/a", "--referrer-web-url", "https://r.example/x?q=1",
      "--referrer-ios-app-url", "app://x", "--content", "all", "--content-for",
      "com.example.App.Share=own")
    let dry = try place.item(["send", "-n", "--to", "echo", "item.xei"])
    #expect(
      dry.text == """
        item.xei: would hand over to echo:
          Text         "own"
          Web page     "https://r.example/x"
          Attachment   1: "https://example.com/a" (public.url)

        """)
    #expect(dry.errors.split(separator: "\n").count == 3)
    let kept = try place.item(["send", "-n", "--keep-private", "--to", "echo", "item.xei"])
    #expect(kept.text.contains("https://me:secret@example.com/a"))
    #expect(kept.errors == "")
  }

  /// What a browser records of a download can have a token, and a comment is the user's own.
  @Test func queriesAndCommentsStayHere() throws {
    let place = try DesktopWorld()
    try place.target("echo", "cat > got")
    let file = try place.directory.file("a.html", "x\n")
    for (name, value) in [
      ("xdg.origin.url", "https://me:pw@e.org/d?token=abc#part"),
      ("xdg.referrer.url", "https://r.org/x?q=1#y"), ("xdg.comment", "for me"),
    ] {
      #expect(
        try Execution.run(["setfattr", "-n", "user.\(name)", "-v", value, file]).status == 0)
    }
    func run(_ words: [String]) throws -> Execution {
      try Execution.run(
        [Docsource.path] + words, in: place.directory.root, environment: place.environment)
    }
    let losses = [
      ".x-extension-item.source-url: the user name and password in the URL are left out",
      ".x-extension-item.source-url: what follows the path of the URL is left out",
      ".x-extension-item.referrer-web-url: what follows the path of the URL is left out",
      ".NSExtensionItemAttributedContentTextKey: the comment on the file is left out",
    ]
    let all = losses.map { "docsource: a.html: \($0)\n" }.joined()
    let make = ["item", "make", "--from", "a.html", "-o", "got"]
    for verb in [
      ["share", "--to", "echo", "a.html"], ["item", "send", "--to", "echo", "a.html"], make,
    ] {
      let bare = try run(verb)
      #expect(bare.errors == all && bare.status == 0, "\(verb) \(bare.errors)")
      let shown = try place.item(["show", "got"])
      #expect(
        shown.text.contains("Source       \"https://e.org/d\"\n")
          && shown.text.contains("Web page     \"https://r.org/x\"\n"), "\(shown.text)")
      #expect(!shown.text.contains("for me"))
      let url = try run(verb + ["--whole-url"])
      #expect(url.errors == [losses[0], losses[3]].map { "docsource: a.html: \($0)\n" }.joined())
      let whole = try place.item(["show", "got"])
      #expect(
        whole.text.contains("Source       \"https://e.org/d?token=abc#part\"\n")
          && whole.text.contains("Web page     \"https://r.org/x?q=1#y\"\n"), "\(whole.text)")
      let comment = try run(verb + ["--with-comment"])
      #expect(
        comment.errors == losses.prefix(3).map { "docsource: a.html: \($0)\n" }.joined())
      #expect(try place.item(["show", "got"]).text.contains("Text         \"for me\"\n"))
      let keeping = verb[0] == "share" ? "--keep-private" : "--keep-private"
      let kept = try run(verb + [keeping])
      #expect(kept.errors == "" && kept.status == 0)
      let text = try place.item(["show", "got"]).text
      #expect(text.contains("me:pw@e.org/d?token=abc#part") && text.contains("for me"))
    }
    let leftOut =
      #""leftOut":["#
      + losses.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    for verb in [["share"], ["item", "send"]] {
      let json = try run(verb + ["--json", "--to", "echo", "a.html"])
      #expect(json.text.contains(leftOut), "\(json.text)")
    }
  }

  @Test func marksOfASavedCopyHaveNoQueryAndNoComment() throws {
    let place = try DesktopWorld()
    let file = try place.directory.file("a.html", "x\n")
    let attributes = [
      ("user.xdg.origin.url", "https://me:pw@e.org/d?token=abc#part"),
      ("user.xdg.referrer.url", "https://r.org/x?q=1"), ("user.xdg.comment", "for me"),
      ("user.note", "kept"),
    ]
    for (name, value) in attributes {
      #expect(try Execution.run(["setfattr", "-n", name, "-v", value, file]).status == 0)
    }
    func saved(_ words: String..., into directory: String) throws -> (Execution, [String]) {
      let run = try Execution.run(
        [Docsource.path, "share", "--to", "save", "--into", directory, "a.html"] + words,
        in: place.directory.root, environment: place.environment)
      let values = try attributes.map { name, _ in
        try Execution.run(
          ["getfattr", "--only-values", "-n", name, "\(directory)/a.html"],
          in: place.directory.root
        ).text
      }
      return (run, values)
    }
    let (bare, left) = try saved(into: "one")
    #expect(left == ["https://e.org/d", "https://r.org/x", "", "kept"])
    #expect(bare.errors == "" && bare.status == 0)
    for loss in [
      "user name and password, and what follows the path in the source's URL",
      "what follows the path in the URL of the page", "the comment",
    ] {
      #expect(bare.text.contains("; left out of a.html: \(loss)"), "\(bare.text)")
    }
    let (_, whole) = try saved("--whole-url", into: "two")
    #expect(whole == ["https://e.org/d?token=abc#part", "https://r.org/x?q=1", "", "kept"])
    let (_, comment) = try saved("--with-comment", into: "three")
    #expect(comment == ["https://e.org/d", "https://r.org/x", "for me", "kept"])
    let (all, kept) = try saved("--keep-private", into: "four")
    #expect(kept == attributes.map(\.1) && !all.text.contains("left out"))
    // The document source, whose URL may have a token as well.
    let url = "https://me:pw@e.org/info.json?token=abc#part"
    let tagged = try Docsource.run(
      "tag", "-i", "org.e.app", "--document", "d/a.html", "--app-info-url", url, file)
    try #require(tagged.status == 0, "\(tagged.errors)")
    for (directory, words, left, loss) in [
      (
        "five", [], "https://e.org/info.json",
        "the path inside the application, and user name and password, and what follows the path in the app info URL"
      ),
      (
        "six", ["--whole-url"], "https://e.org/info.json?token=abc#part",
        "the path inside the application, and user name and password in the app info URL"
      ),
    ] as [(String, [String], String, String)] {
      let run = try Execution.run(
        [Docsource.path, "share", "--to", "save", "--into", directory, "a.html"] + words,
        in: place.directory.root, environment: place.environment)
      #expect(run.text.contains("left out of a.html: \(loss)"), "\(run.text)")
      let shown = try Docsource.run(
        "show", "--field", "appInfoURL", place.directory.path("\(directory)/a.html"))
      #expect(shown.text == left + "\n", "\(shown.text) \(shown.errors)")
    }
  }

  @Test(arguments: [
    ["item.xei"], ["--to", "echo"], ["--to", "other", "item.xei"],
    ["--to", "echo", "--list", "item.xei"], ["--to", "echo", "--option", "x", "item.xei"],
    ["--to", "echo", "--option", "x=1", "item.xei"],
  ])
  func wrongCommandLinesAreRefused(arguments: [String]) throws {
    let place = try DesktopWorld()
    try place.target("echo", "cat")
    try place.makeItem("--text", "a")
    #expect(try place.item(["send"] + arguments).status == 64)
  }

  // container

  @Test func containerIsShownAndMade() throws {
    let place = try DesktopWorld()
    let path = place.directory.path("home/app-groups/group.com.example.app")
    let shown = try place.item(["container", "group.com.example.app"])
    #expect(shown.text == path + "\n" && shown.status == 0)
    #expect(access(path, F_OK) != 0)
    #expect(try place.item(["container", "--create", "group.com.example.app"]).text == path + "\n")
    #expect(try FileState(path).mode & 0o777 == 0o700)
    for wrong in ["com.example", "group.", "group.a/b", "group..a"] {
      #expect(try place.item(["container", wrong]).status == 64)
    }
  }

  @Test func containerThatIsALinkIsRefused() throws {
    let place = try DesktopWorld()
    let path = place.directory.path("home/app-groups/group.a")
    let settings = try place.file("home/app-groups/elsewhere/Settings.plist", "")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "elsewhere")
    for words in [[], ["--create"], ["--settings"], ["--set", "a=1"], ["--unset", "a"]]
      as [[String]]
    {
      let run = try place.item(["container"] + words + ["group.a"])
      #expect(run.errors == "docsource: \(path): cannot open: not a directory\n", "\(words)")
      #expect(run.text == "" && run.status == 2, "\(words)")
    }
    #expect(try Data(contentsOf: URL(filePath: settings)).isEmpty)
  }

  @Test func settingsAreKeptAndImported() throws {
    let place = try DesktopWorld()
    let group = "group.com.example.app"
    let suite = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>old</key><true/><key>theme</key><string>light</string></dict></plist>
      """
    _ = try place.directory.file("suite.plist", suite)
    #expect(try place.item(["container", "--import", "suite.plist", group]).status == 0)
    let set = try place.item([
      "container", "--set", "theme=dark", "--set", "size=3", "--unset", "old", group,
    ])
    #expect(set.text == "" && set.status == 0)
    let shown = try place.item(["container", "--settings", group])
    #expect(shown.text == #"{"theme":"dark","size":3}"# + "\n")
  }

  // Secrets.

  @Test func secretsWithoutAKeyringAreAClearError() throws {
    let place = try DesktopWorld()
    let run = try Execution.run(
      [
        "env", "-u", "DBUS_SESSION_BUS_ADDRESS", "-u", "DISPLAY", Docsource.path, "item",
        "container", "--store-secret", "me", "group.a",
      ], in: place.directory.root,
      environment: place.environment.merging(["XDG_RUNTIME_DIR": place.directory.root]) { $1 },
      input: Array("secret".utf8))
    #expect(run.status == 2)
    #expect(
      run.errors.hasPrefix("docsource: group.a: cannot reach the session bus: "), "\(run.errors)")
    // A bus that starts no services, whatever is installed.
    let configuration = """
      <busconfig>
        <type>session</type>
        <listen>unix:dir=\(place.directory.root)</listen>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/>
          <allow eavesdrop="true"/>
          <allow own="*"/>
        </policy>
      </busconfig>
      """
    try place.directory.write(Array(configuration.utf8), to: "bus.conf")
    let bus = try Execution.run(
      [
        "dbus-run-session", "--config-file", place.directory.path("bus.conf"), "--",
        Docsource.path, "item", "container", "--secret", "me", "group.a",
      ], in: place.directory.root, environment: place.environment)
    #expect(bus.status == 2)
    let reason = "no program offers the Secret Service (org.freedesktop.secrets)"
    #expect(bus.errors.contains("docsource: group.a: \(reason)\n"), "\(bus.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.directory.path("home")).sorted()
        == ["applications"])
  }

  /// A real keyring on a bus of its own; secret-tool reads what was stored, and stores what is read.
  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: "/usr/bin/gnome-keyring-daemon")
        && FileManager.default.fileExists(atPath: "/usr/bin/secret-tool"),
      "needs gnome-keyring and libsecret-tools"))
  func secretsAreThoseOfTheKeyring() throws {
    let place = try DesktopWorld()
    let script = """
      echo -n password | gnome-keyring-daemon --unlock --components=secrets > /dev/null 2>&1
      tool=$1
      "$tool" item container --secret me group.a; echo "status $?"
      echo 'a secret' | "$tool" item container --store-secret me group.a; echo "status $?"
      "$tool" item container --secret me group.a
      secret-tool lookup access-group group.a service group.a account me; echo
      echo other | "$tool" item container --store-secret me --service mail group.a
      "$tool" item container --secret me --service mail group.a
      echo -n theirs | secret-tool store --label=x access-group group.b service group.b account you
      "$tool" item container --secret you group.b
      "$tool" item container --remove-secret me group.a; echo "status $?"
      "$tool" item container --remove-secret me group.a; echo "status $?"
      "$tool" item container --secret me --service mail group.a
      """
    let run = try Execution.run(
      ["dbus-run-session", "--", "bash", "-c", script, "bash", Docsource.path],
      in: place.directory.root,
      environment: place.environment.merging(["XDG_RUNTIME_DIR": place.directory.root]) { $1 })
    #expect(
      run.text == """
        status 1
        status 0
        a secret
        a secret
        other
        theirs
        status 0
        status 1
        other

        """, "\(run.errors)")
    // The bus writes there, too, at times in the middle of a line.
    #expect(run.errors.ranges(of: "docsource: group.a: no secret for 'me'").count == 2)
  }
}

extension DesktopWorld {
  fileprivate func item(_ arguments: [String], input: [UInt8] = []) throws -> Execution {
    try run([Docsource.path, "item"] + arguments, input: input)
  }

  fileprivate func makeItem(_ arguments: String...) throws {
    let made = try item(["make"] + arguments + ["-o", "item.xei"])
    #expect(made.status == 0, "\(made.errors)")
  }
}
