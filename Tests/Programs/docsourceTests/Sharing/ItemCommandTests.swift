import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource item` as a user runs it.
@Suite struct ItemCommandTests {
  private static func fixture(_ name: String) -> String {
    Fixture.root.appending(path: "Fixtures/Sharing/Items/\(name)").path
  }

  private static func item(
    _ arguments: String..., in directory: TemporaryDirectory, input: [UInt8] = []
  ) throws -> Execution {
    try Execution.run([Docsource.path, "item"] + arguments, in: directory.root, input: input)
  }

  private static func attributes(_ path: String) throws -> String {
    let run = try Execution.run([
      "getfattr", "--only-values", "-d", "-m", "^user\\.(xdg|dub|mime)", path,
    ])
    return run.text
  }

  private static func value(_ name: String, of path: String) throws -> String? {
    let run = try Execution.run(["getfattr", "--only-values", "-n", name, path])
    return run.status == 0 ? run.text : nil
  }

  // show

  @Test(arguments: ["whole.xei", "whole.plist", "whole.json"])
  func allFormsOfAnItemShowTheSame(name: String) throws {
    let directory = try TemporaryDirectory()
    let shown = try Self.item("show", Self.fixture(name), in: directory)
    #expect(shown.errors == "")
    #expect(shown.status == 0)
    #expect(
      shown.text.split(separator: "\n").dropFirst().joined(separator: "\n") == #"""
          Title        "A title"
          Text         "What is said\nwith it"
          Tags         "one", "two, three", "vier"
          Source       "https://example.com/a?b=c#d"
          Referrer     "Example"
          App Store    "1"
          Google Play  "org.example"
          Web page     "https://user:secret@example.com/page"
          iOS URL      "example://page"
          Android URL  "example://page"
          Attachment   1: "https://example.com/a" (public.url)
          Attachment   2: "some text" (public.plain-text), called "note"
          Attachment   3: 8 bytes (public.png), called "picture.png"
          Attachment   4: file "report.pdf" (com.adobe.pdf, public.file-url)
          Parameter    org.example.own: {"deep":[1,true,2.5,{"$data":"AAE="}]}
          Parameter    com.tumblr.tumblr.requested-post-type: 4
        """#)
  }

  @Test func objectsHaveEveryField() throws {
    let directory = try TemporaryDirectory()
    let shown = try Self.item(
      "show", "--json", "-", in: directory, input: try Fixture.bytes("Sharing/Items/whole.xei"))
    #expect(
      shown.text == #"""
        {"file":"standard input","item":{"title":"A title","contentText":"What is said\nwith it","tags":["one","two, three","vier"],"sourceURL":"https://example.com/a?b=c#d","referrer":{"name":"Example","appStoreID":"1","googlePlayID":"org.example","webURL":"https://user:secret@example.com/page","iOSAppURL":"example://page","androidAppURL":"example://page"},"attachments":[{"types":["public.url"],"text":"https://example.com/a"},{"types":["public.plain-text"],"text":"some text","suggestedName":"note"},{"types":["public.png"],"data":"iVBORw0KGgo=","suggestedName":"picture.png","mediaType":"image/png"},{"types":["com.adobe.pdf","public.file-url"],"path":"report.pdf"}],"parameters":{"org.example.own":{"deep":[1,true,2.5,{"$data":"AAE="}]},"com.tumblr.tumblr.requested-post-type":4}}}

        """#)
  }

  @Test func flawsAreShownAndTheRestRead() throws {
    let directory = try TemporaryDirectory()
    let shown = try Self.item("show", "--json", Self.fixture("wrong-types.xei"), in: directory)
    #expect(shown.status == 0)
    #expect(
      shown.text.contains(
        #""item":{},"flaws":[{"key":".x-extension-item.tags","reason":"not an array; ignored"},"#),
      "\(shown.text)")
    let rich = try Self.item("show", Self.fixture("rich-title.xei"), in: directory)
    #expect(rich.text.contains("Title        \"café ’\"\n"))
    #expect(rich.text.contains("rich text; only its plain text is read"))
  }

  @Test func activityReceivesItsOwnParts() throws {
    let directory = try TemporaryDirectory()
    let own = try Self.item(
      "show", "--for", "com.example.App.Share", Self.fixture("activities.xei"), in: directory)
    #expect(
      own.text.split(separator: "\n").dropFirst().joined(separator: "\n") == #"""
          Text         "for one"
          Attachment   1: "https://example.com/a" (public.url)
          Attachment   2: "own" (public.plain-text)
        """#)
    let mail = try Self.item(
      "show", "--json", "--for=com.apple.UIKit.activity.Mail", "-", in: directory,
      input: try Fixture.bytes("Sharing/Items/activities.xei"))
    #expect(
      mail.text == #"""
        {"file":"standard input","activity":"com.apple.UIKit.activity.Mail","document":{"types":["public.url"],"text":"https://example.com/a"}}

        """#)
    let none = try Self.item(
      "show", "--for", "com.apple.UIKit.activity.Mail", Self.fixture("no-fields.xei"), in: directory
    )
    #expect(none.status == 1)
    let wrong = try Self.item("show", "--for", "*", Self.fixture("whole.xei"), in: directory)
    #expect(wrong.status == 64)
  }

  @Test(arguments: [
    ("array.xei", "cannot read share item: a share item is a dictionary"),
    ("damaged.xei", "cannot read share item: not a well-formed binary property list: "),
    ("text.xei", "no share item: neither a binary, nor an XML, nor a JSON property list"),
    ("json.xei", "cannot read as JSON: line 1, column 3: "),
    ("xml.xei", "cannot read as an XML property list: <a> is not a property list element (line 2)"),
  ])
  func whatIsNoItemIsAnError(name: String, message: String) throws {
    let directory = try TemporaryDirectory()
    try directory.write(Fixture.bytes("Sharing/Items/array.xei"), to: "array.xei")
    try directory.write(Array("bplist00abc".utf8), to: "damaged.xei")
    try directory.write(Array("no list".utf8), to: "text.xei")
    try directory.write(Array("{no list".utf8), to: "json.xei")
    try directory.write(Array("<plist>\n<a></plist>".utf8), to: "xml.xei")
    let shown = try Self.item("show", name, in: directory)
    #expect(shown.errors.hasPrefix("docsource: \(name): \(message)"), "\(shown.errors)")
    #expect(shown.text == "")
    #expect(shown.status == 2)
    let object = try Self.item("show", "--json", name, in: directory)
    let start = #"{"file":"\#(name)","item":null,"error":"\#(message)"#
    #expect(object.text.hasPrefix(start), "\(object.text)")
    #expect(object.errors == shown.errors)
  }

  @Test func otherFilesShowWhatTheyCarry() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("a.html")
    #expect(try Self.item("show", "a.html", in: directory).status == 1)
    for (name, value) in [
      ("user.xdg.origin.url", "https://example.com/a"), ("user.xdg.tags", "a, b"),
      ("user.xdg.origin.email.subject", "Hello"),
    ] {
      #expect(try Execution.run(["setfattr", "-n", name, "-v", value, file]).status == 0)
    }
    let shown = try Self.item("show", "a.html", in: directory)
    #expect(
      shown.text == """
        a.html:
          Source       "https://example.com/a"
            user.xdg.origin.url
          Tags         "a, b"
            user.xdg.tags

        """)
    let json = try Self.item("show", "--json", "a.html", in: directory)
    #expect(
      json.text == #"""
        {"file":"a.html","item":null,"notes":[{"field":"sourceURL","value":"https://example.com/a","carrier":"user.xdg.origin.url"},{"field":"tags","value":"a, b","carrier":"user.xdg.tags"}]}

        """#)
  }

  /// What a real curl writes.
  @Test func whatCurlLeavesShows() throws {
    let directory = try TemporaryDirectory()
    _ = try directory.file("page.txt", "text\n")
    let server = """
      import functools, http.server, sys
      handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
      with http.server.HTTPServer(("127.0.0.1", 0), handler) as server:
          print(server.server_address[1], flush=True)
          server.handle_request()
      """
    let script = """
      python3 -c "$1" "$2" > port 2> /dev/null &
      until [ -s port ]; do sleep 0.05; done
      curl -s --xattr -e "http://example.com/from?q" -o got \
        "http://user:secret@127.0.0.1:$(cat port)/page.txt#part"
      wait
      """
    let run = try Execution.run(
      ["bash", "-c", script, "bash", server, directory.root], in: directory.root)
    #expect(run.status == 0, "\(run.errors)")
    let port = try directory.text("port").filter(\.isNumber)
    let shown = try Self.item("show", "got", in: directory)
    #expect(shown.text.contains("127.0.0.1:\(port)/page.txt"), "\(shown.text)")
    #expect(
      shown.text.contains(
        "  Web page     \"http://example.com/from?q\"\n    user.xdg.referrer.url\n"))
    #expect(shown.text.contains("  Media type   \"text/plain\"\n    user.mime_type\n"))
  }

  @Test func contradictionsAreShownWithBothPlaces() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("a")
    #expect(try Self.item("apply", Self.fixture("whole.xei"), "a", in: directory).status == 0)
    #expect(
      try Execution.run(["setfattr", "-n", "user.dublincore.title", "-v", "Other", file]).status
        == 0)
    let shown = try Self.item("show", "a", in: directory)
    #expect(shown.text.contains("  Title        \"A title\"\n"))
    #expect(
      shown.text.contains(
        "  Title        \"Other\"\n    user.dublincore.title (the share item says something else)\n"
      ),
      "\(shown.text)")
  }

  // make

  @Test func madeItemsAreReadByOthers() throws {
    let directory = try TemporaryDirectory()
    _ = try directory.file("picture.png", "png")
    let made = try Self.item(
      "make", "--url", "https://example.com/a", "--title", "T", "--content", "C", "--tag", "a",
      "--tag", "b", "--source-url", "https://example.com", "--referrer-name", "R",
      "--referrer-app-store-id", "1", "--referrer-google-play-id", "2", "--referrer-web-url",
      "https://r.example", "--referrer-ios-app-url", "r://x", "--referrer-android-app-url", "r://y",
      "--attach", "picture.png", "--attach", "text:words", "--attach-for",
      "com.example.App.Share=url:https://own.example", "--content-for",
      "com.example.App.Share=own", "--custom", "com.example.n=3", "--custom", "com.example.s=s t",
      "-o", "item.xei", in: directory)
    #expect(made.errors == "")
    #expect(made.status == 0)
    let read = """
      import json, plistlib
      print(json.dumps(plistlib.load(open("item.xei", "rb")), sort_keys=True))
      """
    let python = try Execution.run(["python3", "-c", read], in: directory.root)
    #expect(
      python.text
        == #"""
        {"NSExtensionItemAttachmentsKey": [{"registeredTypeIdentifiers": ["public.url"], "value": "https://example.com/a"}, {"path": "picture.png", "registeredTypeIdentifiers": ["public.png", "public.file-url"], "suggestedName": "picture.png"}, {"registeredTypeIdentifiers": ["public.plain-text"], "value": "words"}], "NSExtensionItemAttributedContentTextKey": "C", "NSExtensionItemAttributedTitleKey": "T", "com.example.n": 3, "com.example.s": "s t", "x-extension-item": {"referrer-android-app-url": "r://y", "referrer-app-store-id": "1", "referrer-google-play-id": "2", "referrer-ios-app-url": "r://x", "referrer-name": "R", "referrer-web-url": "https://r.example", "source-url": "https://example.com", "tags": ["a", "b"]}, "x-extension-item-activities": {"com.example.App.Share": {"attachments": [{"registeredTypeIdentifiers": ["public.url"], "value": "https://own.example"}], "content-text": "own"}}}

        """#.replacing(
          #"["public.png", "public.file-url"]"#,
          with: python.text.contains("public.png")
            ? #"["public.png", "public.file-url"]"#
            : #"["public.file-url"]"#))
    for program in [
      ["plistutil", "-i", "item.xei", "-f", "xml"], ["plutil", "-lint", "item.xei"],
    ] {
      let run = try Execution.run(program, in: directory.root)
      #expect(run.status == 0, "\(program[0]): \(run.errors)\(run.text)")
    }
  }

  @Test func filesCanBeEmbedded() throws {
    let directory = try TemporaryDirectory()
    _ = try directory.file("note.txt", "hello\n")
    let made = try Self.item(
      "make", "--file", "note.txt", "--type", "public.plain-text", "--embed", in: directory)
    let shown = try Self.item("show", "--json", in: directory, input: made.output)
    #expect(
      shown.text == #"""
        {"file":"standard input","item":{"attachments":[{"types":["public.plain-text"],"data":"aGVsbG8K","suggestedName":"note.txt"}]}}

        """#)
  }

  @Test func originOfAFileIsHandedOnWithoutPrivateParts() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("a.html")
    for (name, value) in [
      ("user.xdg.origin.url", "https://me:secret@example.com/a?x=1"),
      ("user.xdg.referrer.url", "https://search.example/find?q=private#there"),
    ] {
      #expect(try Execution.run(["setfattr", "-n", name, "-v", value, file]).status == 0)
    }
    #expect(
      try Docsource.run("tag", "-q", "-i", "org.example.editor", "--app-name", "Editor", file)
        .status == 0)
    let made = try Self.item("make", "--from", "a.html", in: directory)
    #expect(
      made.errors == """
        docsource: a.html: .x-extension-item.source-url: the user name and password in the URL are left out
        docsource: a.html: .x-extension-item.source-url: what follows the path of the URL is left out
        docsource: a.html: .x-extension-item.referrer-web-url: what follows the path of the URL is left out

        """)
    let shown = try Self.item("show", "--json", in: directory, input: made.output)
    #expect(
      shown.text == #"""
        {"file":"standard input","item":{"sourceURL":"https://example.com/a","referrer":{"name":"Editor","webURL":"https://search.example/find"}}}

        """#)
    let kept = try Self.item("make", "--from", "a.html", "--keep-private", in: directory)
    #expect(kept.errors == "")
    let whole = try Self.item("show", in: directory, input: kept.output)
    #expect(whole.text.contains("https://me:secret@example.com/a?x=1"))
    #expect(whole.text.contains("https://search.example/find?q=private#there"))
  }

  @Test(arguments: [
    [], ["--title", "T"], ["--url", "a", "--text", "b"], ["--url", "no url"], ["--file", ""],
    ["--text", "a", "--source-url", "x"], ["--text", "a", "--attach", "url:x"],
    ["--text", "a", "--attach-for", "text:b"], ["--text", "a", "--content-for", "*=b"],
    ["--text", "a", "--custom", "x-extension-item=1"], ["--text", "a", "--custom", "=1"],
    ["--text", "a", "operand"], ["--text", "a", "--type", ""],
  ])
  func wrongCommandLinesAreRefused(arguments: [String]) throws {
    let directory = try TemporaryDirectory()
    let made = try Execution.run(
      [Docsource.path, "item", "make"] + arguments, in: directory.root)
    #expect(made.status == 64, "\(made.errors)")
    #expect(made.output.isEmpty)
    #expect(made.errors.hasPrefix("docsource: item make: "))
  }

  @Test(
    "1, 4, 6, 8, 11 test(URL|String|Image|Data|Placeholder)InitializerThrowsIfItemIsNil",
    arguments: ["--url", "--text", "--file"])
  func documentIsNeeded(option: String) throws {
    let directory = try TemporaryDirectory()
    let made = try Self.item("make", option, in: directory)
    #expect(made.status == 64)
    #expect(made.errors.hasPrefix("docsource: item make: option '\(option)' needs a value: "))
  }

  @Test("36 testReferrerFromBundle")
  func referrerIsCalledAsItsDesktopFileSays() throws {
    let directory = try TemporaryDirectory()
    _ = try directory.file(
      "data/applications/org.example.reader.desktop",
      "[Desktop Entry]\nType=Application\nName=Reader\nName[de]=Leser\nExec=reader\n")
    var environment = [
      "XDG_DATA_HOME": directory.path("data"), "XDG_CONFIG_HOME": directory.path("config"),
    ]
    func name(_ identifier: String, _ locale: String, _ more: [String] = []) throws -> String {
      environment["LC_ALL"] = locale
      let made = try Execution.run(
        [Docsource.path, "item", "make", "--text", "a", "--referrer-app", identifier] + more,
        in: directory.root, environment: environment)
      #expect(made.errors == "")
      let shown = try Self.item("show", in: directory, input: made.output)
      return shown.text.split(separator: "\n").first { $0.hasPrefix("  Referrer") }?
        .drop { $0 != "\"" }.description ?? ""
    }
    #expect(try name("org.example.reader", "C") == "\"Reader\"")
    #expect(try name("org.example.reader", "de_AT.UTF-8") == "\"Leser\"")
    #expect(try name("org.example.reader", "C", ["--referrer-name", "Own"]) == "\"Own\"")
    let added = try Execution.run(
      [Docsource.path, "apps", "add", "org.example.nameless", "-u", "https://example.org/a.json"],
      in: directory.root, environment: environment)
    #expect(added.status == 0, "\(added.errors)")
    #expect(try name("org.example.nameless", "C") == "\"org.example.nameless\"")
    let unknown = try Self.item("make", "--text", "a", "--referrer-app", "no.such", in: directory)
    #expect(unknown.status == 64)
  }

  @Test func fileWithoutMarksMakesNoItem() throws {
    let directory = try TemporaryDirectory()
    _ = try directory.file("plain.txt")
    let made = try Self.item("make", "--from", "plain.txt", "-o", "a.xei", in: directory)
    #expect(made.errors == "docsource: plain.txt: its marks say nothing for a share item\n")
    #expect(made.status == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.root) == ["plain.txt"])
  }

  @Test func dryRunShowsAndWritesNothing() throws {
    let directory = try TemporaryDirectory()
    let dry = try Self.item("make", "--text", "a", "-n", "-o", "item.xei", in: directory)
    #expect(dry.text == "  Attachment   1: \"a\" (public.plain-text)\n")
    #expect(access(directory.path("item.xei"), F_OK) != 0)
  }

  // apply

  @Test func whatIsAppliedIsReadByOthers() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("a.html")
    let dry = try Self.item("apply", "-n", Self.fixture("whole.xei"), "a.html", in: directory)
    #expect(
      dry.text == """
        a.html: would write: user.x-extension-item
        a.html: would write: user.xdg.origin.url
        a.html: would write: user.xdg.referrer.url
        a.html: would write: user.xdg.tags
        a.html: would write: user.dublincore.title
        a.html: would write: user.dublincore.description
        a.html: would write: user.xdg.publisher

        """)
    #expect(try Self.value("user.xdg.tags", of: file) == nil)
    let applied = try Self.item("apply", Self.fixture("whole.xei"), "a.html", in: directory)
    #expect(applied.text == dry.text.replacing("would write", with: "wrote"))
    #expect(
      applied.errors.split(separator: "\n").map { $0.split(separator: ": ").last ?? "" } == [
        "the user name and password in the URL are left out", "3 attachments are left out",
        "the tag \"two, three\" cannot stand in a list with commas",
      ])
    #expect(applied.status == 0)
    #expect(try Self.value("user.xdg.origin.url", of: file) == "https://example.com/a?b=c#d")
    #expect(try Self.value("user.xdg.referrer.url", of: file) == "https://example.com/page")
    #expect(try Self.value("user.dublincore.title", of: file) == "A title")
    #expect(try Self.value("user.dublincore.description", of: file) == "What is said\nwith it")
    #expect(try Self.value("user.xdg.publisher", of: file) == "Example")
    // KFileMetaData's UserMetaData::tags splits at commas and leaves out what is empty.
    let reader = """
      import os, plistlib, sys
      print([t for t in os.getxattr(sys.argv[1], "user.xdg.tags").decode().split(",") if t])
      print(sorted(plistlib.loads(os.getxattr(sys.argv[1], "user.x-extension-item")))[:4])
      """
    let python = try Execution.run(["python3", "-c", reader, file])
    #expect(
      python.text == """
        ['one', 'vier']
        ['com.tumblr.tumblr.requested-post-type', 'content-text', 'org.example.own', 'referrer-android-app-url']

        """)
    let again = try Self.item("apply", "--json", Self.fixture("whole.xei"), "a.html", in: directory)
    #expect(again.text.split(separator: "\n").allSatisfy { $0.contains("\"unchanged\"") })
    #expect(again.text.split(separator: "\n").count == 7)
  }

  @Test func otherValuesStayUnlessForced() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("a")
    #expect(
      try Execution.run(["setfattr", "-n", "user.xdg.tags", "-v", "mine", file]).status == 0)
    let applied = try Self.item("apply", "--json", Self.fixture("whole.xei"), "a", in: directory)
    #expect(applied.status == 2)
    #expect(try Self.value("user.xdg.tags", of: file) == "mine")
    #expect(try Self.value("user.dublincore.title", of: file) == "A title")
    #expect(
      applied.text.contains(
        #"{"file":"a","outcome":"failed","carrier":"user.xdg.tags","error":"user.xdg.tags already has a different value; use --force to overwrite it"}"#
      ), "\(applied.text)")
    #expect(try Self.item("apply", "-f", Self.fixture("whole.xei"), "a", in: directory).status == 0)
    #expect(try Self.value("user.xdg.tags", of: file) == "one,vier")
  }

  @Test func commentAndMediaTypeAreWrittenOnRequest() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("a")
    let made = try Self.item("make", "--text", "a", "--content", "C", in: directory).output
    let applied = try Self.item(
      "apply", "--comment", "--media-type", "-", "a", in: directory, input: made)
    #expect(applied.status == 0, "\(applied.errors)")
    #expect(try Self.value("user.xdg.comment", of: file) == "C")
    #expect(try Self.value("user.dublincore.description", of: file) == nil)
  }

  @Test func sourceIsRecordedOnRequest() throws {
    let directory = try TemporaryDirectory()
    _ = try directory.file("a")
    let applied = try Self.item("apply", "--source", Self.fixture("whole.xei"), "a", in: directory)
    #expect(applied.text.hasSuffix("a: wrote: user.x-document-source\n"))
    #expect(
      try Docsource.run("show", "--field", "name", "a", in: directory.root).text == "Example\n")
    #expect(
      try Docsource.run("tag", "-q", "--app-name", "Other", "a", in: directory.root).status == 0)
    let refused = try Self.item("apply", "--source", Self.fixture("whole.xei"), "a", in: directory)
    #expect(refused.status == 2)
    #expect(try Docsource.run("show", "--field", "name", "a", in: directory.root).text == "Other\n")
  }

  @Test func traceAndStripKnowTheAttribute() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("a")
    #expect(try Self.item("apply", "-q", Self.fixture("whole.xei"), "a", in: directory).status == 0)
    let traced = try Docsource.run("trace", "--no-recent", "a", in: directory.root)
    #expect(
      traced.text.contains(
        "  Share item   \"A title\", shared by \"Example\", from \"https://example.com/a?b=c#d\", linked from \"https://example.com/page\"\n    user.x-extension-item\n"
      ), "\(traced.text)")
    #expect(try Docsource.run("strip", "-q", "a", in: directory.root).status == 0)
    #expect(try Execution.run(["getfattr", file]).text == "")
  }

  // extract

  @Test func attachmentsBecomeFilesWithMarks() throws {
    let directory = try TemporaryDirectory()
    try directory.write(Fixture.bytes("Sharing/Items/whole.xei"), to: "whole.xei")
    let report = try directory.file("report.pdf", "pdf")
    #expect(try Execution.run(["setfattr", "-n", "user.note", "-v", "kept", report]).status == 0)
    let extracted = try Self.item("extract", "whole.xei", "out/here", in: directory)
    #expect(extracted.errors == "")
    #expect(
      extracted.text == """
        out/here/attachment-1.url: wrote attachment 1
        out/here/note.txt: wrote attachment 2
        out/here/picture.png: wrote attachment 3
        out/here/report.pdf: wrote attachment 4

        """)
    #expect(
      try directory.text("out/here/attachment-1.url")
        == "[InternetShortcut]\r\nURL=https://example.com/a\r\n")
    #expect(try directory.text("out/here/note.txt") == "some text")
    #expect(
      try directory.bytes("out/here/picture.png") == [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])
    #expect(try directory.text("out/here/report.pdf") == "pdf")
    let copy = directory.path("out/here/report.pdf")
    #expect(try Self.value("user.note", of: copy) == "kept")
    #expect(try Self.value("user.xdg.origin.url", of: copy) == "https://example.com/a?b=c#d")
    let modes = try Execution.run(
      ["stat", "-c", "%a", "out", "out/here", "out/here/note.txt"], in: directory.root)
    let usual = try Execution.run(
      ["sh", "-c", "mkdir -p usual/here; : >usual/a; stat -c %a usual usual/here usual/a"],
      in: directory.root)
    #expect(modes.text == usual.text)
    let again = try Self.item("extract", "whole.xei", "out/here", in: directory)
    #expect(again.status == 2)
    #expect(
      again.errors.hasPrefix(
        "docsource: out/here/attachment-1.url: attachment 1: the file already exists; use --force to replace it\n"
      ))
    #expect(try Self.item("extract", "--force", "whole.xei", "out/here", in: directory).status == 0)
  }

  @Test(arguments: ["../secret", "/etc/passwd", "link/file", "missing"])
  func pathsThatLeadOutAreRefused(path: String) throws {
    let directory = try TemporaryDirectory()
    mkdir(directory.path("items"), 0o755)
    mkdir(directory.path("other"), 0o755)
    _ = try directory.file("other/file")
    symlink("../other", directory.path("items/link"))
    _ = try directory.file("secret")
    let json = """
      {"NSExtensionItemAttachmentsKey":[{"registeredTypeIdentifiers":["public.data"],"path":"\(path)"}]}
      """
    _ = try directory.file("items/a.xei", json)
    let extracted = try Self.item("extract", "items/a.xei", "out", in: directory)
    #expect(extracted.status == 2)
    #expect(extracted.errors.contains("attachment 1: \"\(path)\": "), "\(extracted.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path("out")) == [])
  }

  @Test func untrustedNamesStayInTheDirectory() throws {
    let directory = try TemporaryDirectory()
    let names = [
      "../../evil", "/abs/file.txt", "..", "", "a/b\u{202e}c", "dup.txt", "dup.txt", ".hidden",
      String(repeating: "x", count: 300), "line\nbreak", "-x", "/-\u{9b}-y.txt",
      "z\u{2028}\u{2029}\u{feff}\u{200b}\u{ad}", "ی\u{200c}ی🧑\u{200d}🚀",
    ]
    let attachments = names.map { name in
      [
        "registeredTypeIdentifiers": ["public.plain-text"], "value": "v", "suggestedName": name,
      ] as [String: Any]
    }
    let json = try JSONSerialization.data(
      withJSONObject: ["NSExtensionItemAttachmentsKey": attachments])
    try directory.write(Array(json), to: "a.xei")
    let extracted = try Self.item("extract", "-q", "a.xei", "out", in: directory)
    #expect(extracted.errors == "")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.path("out")).sorted()
        == [
          "_--y.txt", "_-x.txt", "attachment-3.txt", "attachment-4.txt", "bc.txt", "dup-2.txt",
          "dup.txt", "evil.txt",
          "file.txt", "hidden.txt", "linebreak.txt", String(repeating: "x", count: 251) + ".txt",
          "z.txt", "ی\u{200c}ی🧑\u{200d}🚀.txt",
        ])
  }

  @Test func urlCannotAddLinesToAShortcut() throws {
    let directory = try TemporaryDirectory()
    let json =
      #"{"NSExtensionItemAttachmentsKey":[{"registeredTypeIdentifiers":["public.url"],"value":"a:b\nIconFile=x"}]}"#
    _ = try directory.file("a.xei", json)
    #expect(try Self.item("extract", "-q", "a.xei", "out", in: directory).status == 0)
    #expect(
      try directory.text("out/attachment-1.url")
        == "[InternetShortcut]\r\nURL=a:b%0AIconFile=x\r\n")
  }

  /// A list of empty lists takes 90 times as much memory as it has bytes.
  @Test func largeItemAsTextIsNotParsed() throws {
    let directory = try TemporaryDirectory()
    let long = String(repeating: "a", count: 8 << 20)
    _ = try directory.file("a.xei", "{\"NSExtensionItemAttributedTitleKey\":\"\(long)\"}")
    let refused = try Self.item("show", "a.xei", in: directory)
    #expect(
      refused.errors == """
        docsource: a.xei: cannot read: larger than 8 MiB, the limit for items as JSON or XML; use \
        --limit=SIZE to allow more

        """)
    #expect(refused.status == 2 && refused.text == "")
    let read = try Self.item("show", "--limit=10M", "a.xei", in: directory)
    #expect(
      read.errors == """
        docsource: a.xei: cannot read share item: without its attachments the item has 1 MiB or more

        """)
  }

  /// A slash and what stands on it are one character.
  @Test(arguments: [
    ("/\u{200d}tmp/\u{200d}.profile", "profile.txt"),
    ("out/\u{200d}../\u{200d}../\u{fe0f}.bashrc", "bashrc.txt"),
    ("..\u{200d}/\u{301}x", "\u{301}x.txt"), (".\u{301}hid", "\u{301}hid.txt"),
    (
      "a" + String(repeating: "\u{301}", count: 200) + ".bash_profile",
      "a" + String(repeating: "\u{301}", count: 120) + ".bash_profile"
    ),
  ])
  func nameOfAnAttachmentStaysInTheDirectory(_ name: String, _ written: String) throws {
    let directory = try TemporaryDirectory()
    let item: [String: Any] = [
      "NSExtensionItemAttachmentsKey": [
        [
          "registeredTypeIdentifiers": ["public.plain-text"], "value": "x", "suggestedName": name,
        ] as [String: Any]
      ]
    ]
    _ = try directory.file(
      "a.xei", String(decoding: try JSONSerialization.data(withJSONObject: item), as: UTF8.self))
    #expect(try Self.item("extract", "-q", "a.xei", "o", in: directory).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path("o"))
    #expect(names.map { Array($0.utf8) } == [Array(written.utf8)], "\(names)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.root).sorted() == [
        "a.xei", "o",
      ])
  }

  /// Names of a megabyte took seconds each.
  @Test func longNameOfAnAttachmentTakesNoTime() throws {
    let directory = try TemporaryDirectory()
    let name = String(repeating: "\u{1f1e6}", count: 80_000)
    _ = try directory.file(
      "a.xei",
      #"{"NSExtensionItemAttachmentsKey":[{"registeredTypeIdentifiers":["public.plain-text"],"value":"x","suggestedName":"\#(name)"}]}"#
    )
    let start = ContinuousClock.now
    #expect(try Self.item("extract", "-q", "a.xei", "o", in: directory).status == 0)
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func manyAttachmentsAreExtractedOnlyIfAskedFor() throws {
    let directory = try TemporaryDirectory()
    let one = #"{"registeredTypeIdentifiers":["public.plain-text"],"value":"a"}"#
    let all = [String](repeating: one, count: 20_001).joined(separator: ",")
    _ = try directory.file("a.xei", "{\"NSExtensionItemAttachmentsKey\":[\(all)]}")
    let refused = try Self.item("extract", "a.xei", "out", in: directory)
    #expect(
      refused.errors == """
        docsource: a.xei: cannot extract: 20001 attachments; use --limit=none to allow more than 20000

        """)
    #expect(refused.status == 2 && refused.text == "")
    let dry = try Self.item("extract", "-n", "--limit=none", "a.xei", "out", in: directory)
    #expect(dry.status == 0 && dry.errors == "")
    #expect(dry.text.split(separator: "\n").count == 20_001)
  }

  /// A sparse file takes no room on the disk, and its size would be that of the memory.
  @Test func largeItemIsRefusedBeforeItIsRead() throws {
    let directory = try TemporaryDirectory()
    truncate(try directory.file("a.xei"), 1 << 30)
    _ = try directory.file("small.xei", #"{"NSExtensionItemAttributedTitleKey":"T"}"#)
    _ = try directory.file("t.target", "[Share Target]\nExec=true\n")
    _ = try directory.file("b.txt")
    let message =
      "docsource: a.xei: cannot read: larger than 64 MiB; use --limit=SIZE to allow more\n"
    for (verb, rest) in [
      (["item", "show"], []), (["item", "apply"], ["b.txt"]), (["item", "extract"], ["out"]),
      (["item", "send", "--to", "./t.target"], []), (["share", "--list"], []),
      (["item", "make", "--text", "a", "-o", "c.xei", "--item-for"], []),
    ] as [([String], [String])] {
      func run(_ words: [String], _ file: String) throws -> Execution {
        let operand = verb.contains("make") ? "mail=\(file)" : file
        return try Execution.run(
          [Docsource.path] + verb + [operand] + rest + words, in: directory.root)
      }
      let refused = try run([], "a.xei")
      #expect(
        refused.errors.hasPrefix(message) && refused.status == 2 && refused.text == "",
        "\(verb) \(refused.errors)")
      let small = try run(["--limit=40"], "small.xei")
      #expect(
        small.errors.hasPrefix(
          "docsource: small.xei: cannot read: larger than 40 bytes; use --limit=SIZE to allow more\n"
        ),
        "\(verb) \(small.errors)")
      for limit in ["41", "1K", "none"] {
        #expect(try !run(["--limit=\(limit)"], "small.xei").errors.contains("larger"))
      }
      let wrong = try run(["--limit=x"], "small.xei")
      #expect(wrong.status == 64)
      #expect(wrong.errors.contains("--limit: 'x' is not a size such as 500K or 2G, or none"))
    }
    let input = try Execution.run(
      ["sh", "-c", "\(Docsource.path) item show < a.xei"], in: directory.root)
    #expect(
      input.errors
        == "docsource: standard input: cannot read: larger than 64 MiB; use --limit=SIZE to allow more\n"
    )
    // Of another name, a large file is one that is shared, whatever it begins with.
    _ = try directory.file("data.json", "{")
    truncate(directory.path("data.json"), 65 << 20)
    let shown = try Self.item("show", "data.json", in: directory)
    #expect(shown.errors == "docsource: data.json: no share item\n" && shown.status == 1)
  }

  @Test func manyAttachmentsAreSynchronizedOnce() throws {
    let directory = try TemporaryDirectory()
    let one = #"{"registeredTypeIdentifiers":["public.plain-text"],"value":"v"}"#
    _ = try directory.file(
      "a.xei",
      #"{"NSExtensionItemAttachmentsKey":[\#(Array(repeating: one, count: 50).joined(separator: ","))]}"#
    )
    let traced = try Execution.run(
      [
        "strace", "-f", "-o", "log", "-e", "trace=fsync,syncfs", Docsource.path, "item", "extract",
        "a.xei", "out",
      ], in: directory.root)
    try #require(traced.status == 0, "\(traced.errors)")
    let calls = try directory.text("log").split(separator: "\n")
    #expect(calls.count(where: { $0.contains("syncfs(") }) == 1)
    // Of the directory, and of the one that it was made in.
    #expect(calls.count(where: { $0.contains("fsync(") }) == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path("out")).count == 50)
    let again = try Self.item("extract", "--force", "-q", "a.xei", "out", in: directory)
    #expect(again.errors == "" && again.status == 0)
  }

  @Test func itemWithoutAttachmentsHasNothingToExtract() throws {
    let directory = try TemporaryDirectory()
    let extracted = try Self.item("extract", Self.fixture("no-fields.xei"), "out", in: directory)
    #expect(extracted.status == 1)
    #expect(access(directory.path("out"), F_OK) != 0)
    #expect(try Self.item("extract", "a.xei", in: directory).status == 64)
  }
}
