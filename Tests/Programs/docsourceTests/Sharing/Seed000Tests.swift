import Foundation
import Glibc
import TestSupport
import Testing

/// The rows of XExtensionItem, and those of share extensions and of UIActivityViewController that
/// concern share items, by their numbers (seeds-rows.md).
@Suite struct Seed000Tests {
  /// The words of a manual page, with one space between them.
  private static func manual(_ words: String...) throws -> String {
    let page = try Execution.run([Docsource.path, "help", "--man"] + words).text
    return page.replacing("\\-", with: "-").replacing("\\(aq", with: "'")
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static let webURLRule = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>NSExtension</key><dict><key>NSExtensionAttributes</key><dict>
    <key>NSExtensionActivationRule</key><dict>
    <key>NSExtensionActivationSupportsWebURLWithMaxCount</key><integer>1</integer>
    </dict></dict></dict></dict></plist>
    """

  // XExtensionItem

  @Test func seed000_1_mainAttachmentDecidesAndAllAreHandedOver() throws {
    let place = try DesktopWorld()
    _ = try place.picture("pic.png")
    _ = try place.file("home/docsource/targets/r.plist", Self.webURLRule)
    let one = "SUBQUERY(extensionItems, $i, $i.attachments.@count == 1).@count == 1"
    let three = "SUBQUERY(extensionItems, $i, $i.attachments.@count == 3).@count == 1"
    try place.keeper("kind", "Accepts=url")
    try place.keeper("rule", "RuleFile=r.plist")
    try place.keeper("one", "Rule=\(one)\nMatch=main")
    try place.keeper("all-kind", "Accepts=url\nMatch=all")
    try place.keeper("all-rule", "RuleFile=r.plist\nMatch=all")
    try place.keeper("all-three", "Rule=\(three)\nMatch=all")
    try place.keeper("three", "Rule=\(three)")
    try place.make(
      "--url", "https://e.com/a", "--attach", "pic.png", "--attach", "text:hi", "-o", "m.xei")
    let all = """
        Attachment   1: "https://e.com/a" (public.url)
        Attachment   2: file "\(place.directory.path("pic.png"))" (public.png, public.file-url), called "pic.png"
        Attachment   3: "hi" (public.plain-text)

      """
    for name in ["kind", "rule", "one", "all-three"] {
      let sent = try place.run("item", "send", "--to", name, "m.xei")
      let report = "docsource: m.xei: hands over: \(place.directory.path("pic.png"))\n"
      #expect(sent.errors == report && sent.status == 0, "\(name)")
      #expect(try place.got(name) == all, "\(name)")
      try FileManager.default.removeItem(atPath: place.directory.path("\(name).got"))
      let shared = try place.run("share", "--to", name, "m.xei")
      #expect(shared.errors == "" && shared.status == 0, "\(name)")
      #expect(try place.got(name) == all, "\(name)")
    }
    for (name, reason) in [
      ("all-kind", "the target accepts only url"),
      ("all-rule", "the rule of the target does not match the item"),
      ("three", "the rule of the target does not match the item"),
    ] {
      let refused = try place.run("item", "send", "--to", name, "m.xei")
      #expect(refused.errors == "docsource: m.xei: cannot hand over: \(reason)\n")
      #expect(refused.status == 2)
    }
    let listed = try place.run("item", "send", "--list", "m.xei")
    #expect(
      listed.text == "all-three\tThe all-three\nkind\tThe kind\none\tThe one\nrule\tThe rule\n")
    let offered = try place.run("share", "--list", "m.xei").text.split(separator: "\n").map {
      String($0.prefix { $0 != "\t" })
    }
    #expect(Array(offered.prefix(4)) == ["all-three", "one", "rule", "kind"])
    #expect(!offered.contains("all-kind") && !offered.contains("three"))
    // Files that the user names are all main ones.
    try place.keeper("text", "Accepts=text")
    _ = try place.file("a.txt", "words\n")
    let several = try place.run("share", "--list", "a.txt", "pic.png")
    #expect(!several.text.contains("text\tThe text"))
    #expect(try place.run("share", "--list", "a.txt").text.contains("text\tThe text"))
    #expect(try Self.manual("item", "send").contains("With Match=main, the default, the main"))
    try place.keeper("wrong", "Match=first")
    let wrong = try place.run("item", "send", "--to", "wrong", "m.xei")
    #expect(wrong.errors.hasSuffix("wrong.target: Match is neither main nor all\n"))
    #expect(wrong.status == 2)
  }

  @Test func seed000_4_fileHasTheTypeOfItsContentAndThatOfItsURL() throws {
    let place = try DesktopWorld()
    _ = try place.picture("pic.png")
    try place.make("--file", "pic.png", "-o", "m.xei")
    #expect(
      try place.run("item", "show", "m.xei").text
        == "m.xei:\n  Attachment   1: file \"pic.png\" (public.png, public.file-url), called \"pic.png\"\n"
    )
    #expect(
      try Self.manual("item", "make").contains(
        "A file has the uniform type of its content, such as public.png, and public.file-url."))
  }

  @Test func seed000_7_pictureHasTheGivenType() throws {
    let place = try DesktopWorld()
    _ = try place.picture("pic.png")
    try place.make("--file", "pic.png", "--type", "public.image", "-o", "m.xei")
    #expect(
      try place.run("item", "show", "m.xei").text.contains("(public.image, public.file-url)"))
    #expect(
      try Self.manual("item", "make").contains("replaces the first; if it is given several times"))
  }

  @Test func seed000_9_dataComeFromStandardInput() throws {
    let place = try DesktopWorld()
    let data: [UInt8] = [0, 255, 10]
    let made = try place.run(
      "item", "make", "--file", "-", "--type", "public.data", input: data)
    #expect(made.errors == "" && made.status == 0)
    let shown = try place.run("item", "show", "--json", input: made.output)
    #expect(
      shown.text == #"""
        {"file":"standard input","item":{"attachments":[{"types":["public.data"],"data":"AP8K"}]}}

        """#)
    let untyped = try place.run("item", "make", "--file", "-", input: data)
    #expect(untyped.status == 64 && untyped.output.isEmpty)
    #expect(
      untyped.errors
        == "docsource: item make: --file: standard input needs --type, such as --type public.data; see 'docsource help item make'\n"
    )
    for words in [
      ["--attach", "-"], ["--attach-for", "mail=-"], ["--file-for", "mail=-"],
      ["--item-for", "mail=-"], ["--thumbnail", "-"], ["--thumbnail-for", "mail=-"],
    ] {
      let second = try place.run(
        [Docsource.path, "item", "make", "--text", "a"] + words, input: data)
      #expect(second.status == 64)
      #expect(
        second.errors
          == "docsource: item make: \(words[0]): only --file can be standard input; write ./- for a file of that name; see 'docsource help item make'\n"
      )
    }
    _ = try place.file("-", "x")
    try place.make("--file", "./-", "--type", "public.data", "-o", "m.xei")
    #expect(try place.run("item", "show", "m.xei").text.contains("called \"-\""))
  }

  @Test func seed000_10_unknownTypeCausesAWarning() throws {
    let place = try DesktopWorld()
    try place.make(
      "--text", "a", "--type", "bo\u{1b}gus", "--type-for", "mail=x", "-o", "m.xei",
      errors: """
        docsource: warning: --type: 'bo\\x1bgus' is not a uniform type such as public.png or com.example.format
        docsource: warning: --type-for: 'x' is not a uniform type such as public.png or com.example.format

        """)
    for type in ["com.example.own", "public.png", "org.example.a_b"] {
      try place.make("--text", "a", "--type", type, "-o", "m.xei")
      #expect(try place.run("item", "show", "m.xei").text.contains("(\(type))"))
    }
    #expect(
      try place.run("item", "make", "--text", "a", "--type-for", "mail=").errors
        == "docsource: item make: --type-for: a uniform type cannot be empty; see 'docsource help item make'\n"
    )
    #expect(
      try Self.manual("item", "make").contains("A type that is neither known nor in the form"))
  }

  @Test func seed000_11_activityReceivesAMainDocumentOfItsOwn() throws {
    let place = try DesktopWorld()
    _ = try place.picture("pic.png")
    try place.make("--text", "other", "--attach", "text:more", "--title", "O", "-o", "o.xei")
    _ = try place.file("sub/.keep", "")
    try FileManager.default.moveItem(
      atPath: place.directory.path("o.xei"), toPath: place.directory.path("sub/o.xei"))
    try place.keeper("pocket", "Activity=pocket\nAccepts=url")
    try place.keeper("text", "Activity=com.example.text")
    try place.keeper("file", "Activity=com.example.file")
    try place.keeper("item", "Activity=com.example.item")
    try place.keeper("plain", "Accepts=text")
    try place.make(
      "--text", "all", "--attach", "text:too", "--url-for",
      "pocket=com.me://extensionsave?url=https%3A%2F%2Fe.org", "--text-for", "com.example.text=own",
      "--file-for", "com.example.file=pic.png", "--item-for", "com.example.item=sub/o.xei",
      "--attach-for", "com.example.text=text:b", "-o", "m.xei")
    for (name, text) in [
      (
        "pocket",
        """
          Attachment   1: "com.me://extensionsave?url=https%3A%2F%2Fe.org" (public.url)
          Attachment   2: "too" (public.plain-text)

        """
      ),
      (
        "text",
        """
          Attachment   1: "own" (public.plain-text)
          Attachment   2: "b" (public.plain-text)

        """
      ),
      (
        "file",
        """
          Attachment   1: file "\(place.directory.path("pic.png"))" (public.png, public.file-url), called "pic.png"
          Attachment   2: "too" (public.plain-text)

        """
      ),
      (
        "item",
        """
          Title        "O"
          Attachment   1: "other" (public.plain-text)
          Attachment   2: "more" (public.plain-text)

        """
      ),
      (
        "plain",
        """
          Attachment   1: "all" (public.plain-text)
          Attachment   2: "too" (public.plain-text)

        """
      ),
    ] {
      let sent = try place.run("item", "send", "--to", name, "m.xei")
      let report = "docsource: m.xei: hands over: \(place.directory.path("pic.png"))\n"
      #expect(sent.errors == (name == "file" ? report : "") && sent.status == 0, "\(name)")
      #expect(try place.got(name) == text, "\(name)")
      try FileManager.default.removeItem(atPath: place.directory.path("\(name).got"))
      #expect(try place.run("share", "--to", name, "m.xei").status == 0, "\(name)")
      #expect(try place.got(name) == text, "\(name)")
    }
    #expect(
      try place.run("item", "show", "m.xei").text == """
        m.xei:
          Attachment   1: "all" (public.plain-text)
          Attachment   2: "too" (public.plain-text)
          Activity     com.ideashower.ReadItLaterPro.AddToPocketExtension: "com.me://extensionsave?url=https%3A%2F%2Fe.org" (public.url)
          Activity     com.example.text: "own" (public.plain-text), 1 attachment more
          Activity     com.example.file: file "pic.png" (public.png, public.file-url), called "pic.png"
          Activity     com.example.item: "other" (public.plain-text), 1 attachment more, subject "O"

        """)
    let json = try place.run("item", "show", "--json", "--for", "com.example.text", "m.xei")
    #expect(
      json.text == #"""
        {"file":"m.xei","activity":"com.example.text","item":{"attachments":[{"types":["public.plain-text"],"text":"own"},{"types":["public.plain-text"],"text":"b"}]}}

        """#)
    for (words, reason) in [
      (
        ["--url-for", "mail=https://a", "--text-for", "UIActivityTypeMail=b"],
        "--url-for and --text-for: 'com.apple.UIKit.activity.Mail' receives one main attachment"
      ),
      (
        ["--text-for", "a.b=x", "--text-for", "a.b=y"],
        "--text-for: 'a.b' receives one main attachment"
      ), (["--url-for", "a.b=x"], "--url-for: 'x' is not an absolute URL"),
      (
        ["--url-for", "=x:y"], "--url-for: '=x:y' is invalid; expected ACTIVITY=URL"
      ), (["--text-for", "*=x"], "--text-for: '*' is not the identifier of an activity"),
      (["--item-for", "a.b="], "--item-for: no file given"),
    ] {
      let wrong = try place.run([Docsource.path, "item", "make", "--text", "a"] + words)
      #expect(
        wrong.errors == "docsource: item make: \(reason); see 'docsource help item make'\n")
      #expect(wrong.status == 64)
    }
    for (file, reason) in [
      ("pic.png", "no share item"), ("no.xei", "cannot read: no such file or directory"),
    ] {
      let wrong = try place.run("item", "make", "--text", "a", "--item-for", "a.b=\(file)")
      #expect(wrong.errors == "docsource: \(file): \(reason)\n")
      #expect(wrong.status == 2)
    }
  }

  @Test func seed000_12_nothingIsLoadedLater() throws {
    #expect(try Self.manual("item").contains("an item here is complete from the start."))
    let place = try DesktopWorld()
    try place.make("--text", "a", "--text-for", "com.example.a=b", "-o", "m.xei")
    let whole = try place.run("item", "show", "m.xei").text
    #expect(whole.contains("\"a\"") && whole.contains("com.example.a: \"b\""))
  }

  @Test func seed000_15_constantsStandForIdentifiers() throws {
    let place = try DesktopWorld()
    for name in [
      "com.apple.UIKit.activity.PostToTwitter", "UIActivityTypePostToTwitter", ".postToTwitter",
      "postToTwitter", "UIActivityType.postToTwitter", "UIActivity.ActivityType.postToTwitter",
      "twitter",
    ] {
      try place.make(
        "--text", "a", "--content-for", "\(name)=C", "--attach-for", "\(name)=text:b", "-o", "m.xei"
      )
      #expect(
        try place.run("item", "show", "m.xei").text == """
          m.xei:
            Attachment   1: "a" (public.plain-text)
            Activity     com.apple.UIKit.activity.PostToTwitter: text "C", 1 attachment more

          """, "\(name)")
    }
    try place.make("--text", "a", "--text-for", "pocket=b", "-o", "m.xei")
    #expect(
      try place.run("item", "show", "m.xei").text.contains(
        "com.ideashower.ReadItLaterPro.AddToPocketExtension: \"b\""))
    // In what others have written, too.
    _ = try place.file(
      "other.xei",
      #"""
      {"NSExtensionItemAttachmentsKey":[{"registeredTypeIdentifiers":["public.plain-text"],"value":"a"}],
      "x-extension-item-activities":{"UIActivityTypePostToTwitter":{"content-text":"T"},
      ".mail":{"subject":"S"},"twitter":{"content-text":"second"}}}
      """#)
    #expect(
      try place.run("item", "show", "--json", "other.xei").text == #"""
        {"file":"other.xei","item":{"attachments":[{"types":["public.plain-text"],"text":"a"}],"activities":{"com.apple.UIKit.activity.PostToTwitter":{"contentText":"T"},"com.apple.UIKit.activity.Mail":{"subject":"S"}}},"flaws":[{"key":".x-extension-item-activities.twitter","reason":"another row is that of com.apple.UIKit.activity.PostToTwitter, too; ignored"}]}

        """#)
    let own = try place.run("item", "show", "--for", "twitter", "other.xei")
    #expect(own.text.contains("  Text         \"T\"\n"))
  }

  @Test func seed000_15_unknownActivityCausesAWarning() throws {
    let place = try DesktopWorld()
    try place.keeper("reader")
    for option in ["--attach-for", "--content-for", "--text-for", "--subject-for"] {
      let value = option == "--attach-for" ? "text:x" : "x"
      try place.make(
        "--text", "a", option, "UIActivityTypeMial=\(value)", "-o", "m.xei",
        errors:
          "docsource: warning: \(option): no activity 'UIActivityTypeMial' is known; did you mean 'UIActivityTypeMail'?\n"
      )
      // A target, and an identifier.
      try place.make("--text", "a", option, "reader=\(value)", "-o", "m.xei")
      try place.make("--text", "a", option, "a.b=\(value)", "-o", "m.xei")
    }
    let words = "identifiers are like com.example.App.Share, names like mail and UIActivityTypeMail"
    for verb in ["show", "extract"] {
      let shown = try place.run(
        [Docsource.path, "item", verb, "--for", "xyzzy-plugh", "m.xei"]
          + (verb == "extract" ? ["out"] : []))
      #expect(
        shown.errors
          == "docsource: warning: --for: no activity 'xyzzy-plugh' is known; \(words)\n")
      #expect(shown.status == 0)
    }
  }

  @Test func seed000_16_constantOfMailReceivesTheDocumentAlone() throws {
    let place = try DesktopWorld()
    try place.make("--text", "a", "--title", "T", "--attach", "text:b", "-o", "m.xei")
    for name in ["UIActivityTypeMail", ".mail", "mail", "com.apple.UIKit.activity.Mail"] {
      let shown = try place.run("item", "show", "--for", name, "m.xei")
      #expect(
        shown.text == """
          m.xei for com.apple.UIKit.activity.Mail:
            Attachment   "a" (public.plain-text)

          """)
      #expect(shown.errors == "")
    }
  }

  @Test func seed000_18_contentCanBeHadAsSeveralTypes() throws {
    let place = try DesktopWorld()
    try place.keeper("page", "Accepts=text")
    try place.make(
      "--text", "<p>a", "--type", "public.html", "--type", "public.plain-text", "-o", "m.xei")
    #expect(
      try place.run("item", "show", "m.xei").text.contains(
        "\"<p>a\" (public.html, public.plain-text)"))
    #expect(try place.run("item", "send", "--to", "page", "m.xei").status == 0)
    #expect(
      try Self.manual("item", "make").contains(
        "the content is offered as each of the types, the preferred one first."))
  }

  @Test func seed000_21_textIsPlain() throws {
    let place = try DesktopWorld()
    try place.make("--text", "a", "--content", "{\\rtf1 x}", "-o", "m.xei")
    #expect(
      try place.run("item", "show", "m.xei").text.contains("  Text         \"{\\\\rtf1 x}\"\n"))
    #expect(
      try Self.manual("item").contains(
        "Rich text is accepted when an item is read, but its styles are lost."))
    #expect(
      try Self.manual("item", "make").contains("is plain text, without styles."))
  }

  @Test func seed000_23_textsOfActivitiesAreKeptWithAFile() throws {
    let place = try DesktopWorld()
    _ = try place.file("a.txt", "x")
    _ = try place.picture("pic.png")
    try place.make(
      "--text", "a", "--content-for", "twitter=T", "--subject-for", "mail=S", "--type-for",
      "mail=public.html", "--nothing-for", "facebook", "-o", "m.xei")
    let applied = try place.run("item", "apply", "m.xei", "a.txt")
    #expect(applied.text == "a.txt: wrote: user.x-extension-item\n")
    #expect(applied.errors == "" && applied.status == 0)
    #expect(
      try place.run("item", "show", "a.txt").text == """
        a.txt:
          Activity     com.apple.UIKit.activity.PostToFacebook: nothing
          Activity     com.apple.UIKit.activity.PostToTwitter: text "T"
          Activity     com.apple.UIKit.activity.Mail: subject "S", type public.html
            user.x-extension-item

        """)
    #expect(try place.run("item", "apply", "m.xei", "a.txt").text.hasPrefix("a.txt: unchanged"))
    try place.make(
      "--text", "a", "--attach", "text:b", "--attach", "text:c", "--attach-for", "twitter=text:d",
      "--text-for", "a.b=e", "--thumbnail", "pic.png", "--thumbnail-for", "a.b=pic.png", "-o",
      "m.xei")
    let lost = try place.run("item", "apply", "m.xei", "a.txt")
    let activities = ".x-extension-item-activities"
    #expect(
      lost.errors == """
        docsource: m.xei: warning: .NSExtensionItemAttachmentsKey: 2 attachments are left out
        docsource: m.xei: warning: .x-extension-item-thumbnail: the thumbnail is left out
        docsource: m.xei: warning: \(activities).a.b.main: the attachment is left out
        docsource: m.xei: warning: \(activities).a.b.thumbnail: the thumbnail is left out
        docsource: m.xei: warning: \(activities).com.apple.UIKit.activity.PostToTwitter.attachments: the attachment is left out
        docsource: the item says nothing that can be written

        """)
    #expect(lost.status == 1)
    #expect(
      try Self.manual("item", "apply").contains(
        "subjects and types for single activities are kept.")
    )
    #expect(
      try Self.manual("item").contains(
        "For individual activities, user.x-extension-item keeps only text, subject and type."))
  }

  @Test func seed000_24_thumbnailIsHandedOver() throws {
    let place = try DesktopWorld()
    _ = try place.picture("pic.png")
    _ = try place.file("no.png", "not a picture")
    try place.keeper("paths")
    try place.target(
      "open",
      """
      exec python3 -c 'import plistlib, sys
      path = plistlib.loads(sys.stdin.buffer.read())["x-extension-item-thumbnail"][0]["path"]
      print(path[:8], open(path, "rb").read(4), file=sys.stderr)'
      """, "Attachments=descriptors")
    try place.make("--text", "a", "--thumbnail", "pic.png", "-o", "m.xei")
    let thumbnail = "  Thumbnail    file \"pic.png\" (public.png), 13x7\n"
    #expect(try place.run("item", "show", "m.xei").text.hasSuffix(thumbnail))
    let sent = try place.run("item", "send", "--to", "paths", "m.xei")
    let report = "docsource: m.xei: hands over: \(place.directory.path("pic.png"))\n"
    #expect(sent.errors == report && sent.status == 0)
    let absolute = thumbnail.replacing("pic.png", with: place.directory.path("pic.png"))
    #expect(try place.got("paths").hasSuffix(absolute))
    let shared = try place.run("share", "--to", "open", "m.xei")
    #expect(shared.errors == "/dev/fd/ b'\\x89PNG'\n")
    #expect(
      try place.run("item", "show", "--json", "m.xei").text.hasSuffix(
        #""thumbnails":[{"types":["public.png"],"path":"pic.png","width":13,"height":7}]}}"# + "\n"
      ))
    try place.make("--text", "a", "--thumbnail", "pic.png", "--embed", "-o", "m.xei")
    #expect(try place.run("item", "show", "m.xei").text.contains(" bytes (public.png), 13x7\n"))
    for (file, reason) in [
      ("no.png", "cannot attach: a thumbnail is a PNG or JPEG picture of at most 512 KiB"),
      ("gone.png", "cannot attach: no such file or directory"),
      (".", "cannot attach: a thumbnail is a PNG or JPEG picture of at most 512 KiB"),
    ] {
      let wrong = try place.run("item", "make", "--text", "a", "--thumbnail", file)
      #expect(wrong.errors == "docsource: \(file): \(reason)\n")
      #expect(wrong.status == 2 && wrong.output.isEmpty)
    }
    // What others have written leads nowhere else, and is a picture.
    for (path, reason) in [
      ("/etc/passwd", "the path is absolute; use --any-path to allow it"),
      ("../pic.png", "the path contains '..'; use --any-path to allow it"),
      ("no.png", "a thumbnail is a PNG or JPEG picture of at most 512 KiB"),
    ] {
      _ = try place.file(
        "bad.xei",
        #"{"NSExtensionItemAttachmentsKey":[{"registeredTypeIdentifiers":["public.plain-text"],"value":"a"}],"x-extension-item-thumbnail":[{"registeredTypeIdentifiers":["public.png"],"path":"\#(path)"}]}"#
      )
      let refused = try place.run("item", "send", "--to", "paths", "bad.xei")
      #expect(
        refused.errors
          == "docsource: bad.xei: cannot hand over: thumbnail 1: \"\(path)\": \(reason)\n")
      #expect(refused.status == 2)
    }
  }

  @Test func seed000_25_thumbnailIsChosenBySizeAndActivity() throws {
    let place = try DesktopWorld()
    for (name, size) in [("small", 16), ("middle", 64), ("large", 256), ("own", 8)] {
      _ = try place.file("\(name).png", "")
      try place.directory.write(Self.head(ofSize: size), to: "\(name).png")
    }
    try place.keeper("all")
    for size in ["1x1", "17x2", "64x64", "65x64", "999x999"] {
      try place.keeper("t\(size)", "ThumbnailSize=\(size)")
    }
    try place.keeper("special", "ThumbnailSize=64x64\nActivity=com.example.special")
    try place.make(
      "--text", "a", "--thumbnail", "large.png", "--thumbnail", "small.png", "--thumbnail",
      "middle.png", "--thumbnail-for", "com.example.special=own.png", "-o", "m.xei")
    for (name, sizes) in [
      ("all", ["256x256", "16x16", "64x64"]), ("t1x1", ["16x16"]), ("t17x2", ["64x64"]),
      ("t64x64", ["64x64"]), ("t65x64", ["256x256"]), ("t999x999", ["256x256"]),
      ("special", ["8x8"]),
    ] {
      #expect(try place.run("item", "send", "--to", name, "m.xei").status == 0)
      let got = try place.got(name).split(separator: "\n").filter { $0.hasPrefix("  Thumbnail") }
      #expect(got.map { $0.split(separator: " ").last.map(String.init) } == sizes, "\(name)")
    }
    try place.keeper("wrong", "ThumbnailSize=0x3")
    #expect(
      try place.run("item", "send", "--to", "wrong", "m.xei").errors.hasSuffix(
        "wrong.target: ThumbnailSize is not WIDTHxHEIGHT\n"))
    #expect(
      try Self.manual("item", "send").contains("the smallest that is at least as wide and as high"))
  }

  /// The head of a PNG picture of so many pixels on each side.
  private static func head(ofSize size: Int) -> [UInt8] {
    let number = [
      UInt8(size >> 24), UInt8(size >> 16 & 255), UInt8(size >> 8 & 255), UInt8(size & 255),
    ]
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8)
      + number
      + number
  }

  @Test func seed000_34_35_urlsThatOpenAppsStayHere() throws {
    let place = try DesktopWorld()
    try place.keeper("keep")
    try place.make(
      "--text", "a", "--referrer-ios-app-url", "i://x", "--referrer-android-app-url", "d://x",
      "-o", "m.xei")
    let sent = try place.run("item", "send", "--to", "keep", "m.xei")
    let lead = "docsource: m.xei: .x-extension-item.referrer-"
    let end = "-app-url: the URL that opens an app is left out\n"
    #expect(sent.errors == lead + "ios" + end + lead + "android" + end)
    #expect(try place.got("keep") == "  Attachment   1: \"a\" (public.plain-text)\n")
    let kept = try place.run("share", "--keep-private", "--to", "keep", "m.xei")
    #expect(kept.errors == "")
    #expect(try place.got("keep").contains("  Android URL  \"d://x\"\n"))
    #expect(try Self.manual("item", "make").contains("The URLs for iOS and Android open apps,"))
  }

  @Test func seed000_39_applicationsKeyCalledLikeAFieldIsLeftOutOfAttributes() throws {
    let place = try DesktopWorld()
    _ = try place.file("a.txt", "x")
    try place.make("--text", "a", "--title", "T", "--custom", "title=mine", "-o", "m.xei")
    let applied = try place.run("item", "apply", "m.xei", "a.txt")
    #expect(
      applied.errors
        == "docsource: m.xei: warning: .title: another value has the same name; left out\n")
    #expect(applied.status == 0)
    #expect(
      try Self.manual("item").contains("a key of an application that has the name of a field,"))
  }

  @Test func seed000_42_unknownFieldsAreShown() throws {
    let place = try DesktopWorld()
    _ = try place.file(
      "m.xei", #"{"x-extension-item":{"tags":["t"],"more":{"a":[1]},"\u001b[2J":"\u202e"}}"#)
    #expect(
      try place.run("item", "show", "--json", "m.xei").text
        == #"{"file":"m.xei","item":{"tags":["t"],"unknownFields":{"more":{"a":[1]},"\u001b[2J":"\u202e"}}}"#
        + "\n")
    let text = try place.run("item", "show", "m.xei").text
    #expect(text.contains("  Unknown      more: {\"a\":[1]}\n"))
    #expect(!text.unicodeScalars.contains { $0.value == 0x1b || $0.value == 0x202e })
  }

  @Test func seed000_46_typesOfPostsAreChecked() throws {
    let place = try DesktopWorld()
    let key = "com.tumblr.tumblr.requested-post-type"
    for number in 0...6 {
      try place.make("--text", "a", "--custom", "\(key)=\(number)", "-o", "m.xei")
    }
    for value in ["7", "-1", "quote", "1.5", "true", "[1]"] {
      try place.make(
        "--text", "a", "--custom", "\(key)=\(value)", "-o", "m.xei",
        errors:
          "docsource: warning: --custom: '\(value)' is no type of post, a number from 0 to 6\n")
    }
    #expect(
      try Self.manual("item", "make").contains(
        "0 for any type of post, 1 for text, 2 quote, 3 chat, 4 link, 5 photo and 6 video;"))
  }

  @Test func seed000_47_packagesOfIOSHaveNoCounterpart() throws {
    #expect(
      try Self.manual("item").contains(
        "CocoaPods and Carthage packages and its sample app have no counterpart here."))
  }

  // Share extensions

  @Test func seed002_27_targetsCheckRefuses() throws {
    let place = try DesktopWorld()
    try place.make("--text", "a", "-o", "m.xei")
    try place.target("refuse", "touch started", "Validate=sh -c \"echo too long >&2; exit 1\"")
    try place.target("broken", "touch started", "Validate=sh -c \"exit 3\"")
    let reason = "the target refuses the item (its check Validate ended with status 1)"
    let sent = try place.run("item", "send", "--json", "--to", "refuse", "m.xei")
    #expect(
      sent.text
        == #"{"file":"m.xei","target":"refuse","outcome":"refused","error":"\#(reason)"}"# + "\n")
    #expect(sent.errors == "too long\ndocsource: m.xei: cannot hand over: \(reason)\n")
    #expect(sent.status == 2)
    let shared = try place.run("share", "--json", "--to", "refuse", "m.xei")
    #expect(
      shared.text
        == #"{"file":"m.xei","target":"refuse","kind":"target","name":"The refuse","activity":"refuse","outcome":"refused","completed":false,"error":"\#(reason)"}"#
        + "\n")
    #expect(
      shared.errors == "too long\ndocsource: m.xei: cannot hand over to The refuse: \(reason)\n")
    #expect(shared.status == 2)
    let broken = try place.run("item", "send", "--json", "--to", "broken", "m.xei")
    #expect(
      broken.text.contains(
        #""outcome":"failed","error":"the check Validate of the target failed (status 3)""#))
    #expect(!FileManager.default.fileExists(atPath: place.directory.path("started")))
    #expect(
      try Self.manual("item", "send").contains(
        "status 0 means that the target accepts the item, 1 that it refuses it,"))
  }

  @Test func seed002_37_settingsAreABinaryPropertyList() throws {
    let place = try DesktopWorld()
    let group = "group.com.example.app"
    let set = try place.run("item", "container", "--set", "user=ann", "--set", "count=3", group)
    #expect(set.text == "" && set.errors == "" && set.status == 0)
    #expect(
      try place.run("item", "container", "--settings", group).text
        == #"{"user":"ann","count":3}"# + "\n")
    let list = "home/app-groups/\(group)/Settings.plist"
    #expect(try place.directory.bytes(list).starts(with: "bplist00".utf8))
    #expect(try place.run("item", "container", "--unset", "user", group).status == 0)
    #expect(
      try place.run("item", "container", "--settings", group).text == #"{"count":3}"# + "\n")
  }

  @Test func seed002_38_filesAreInTheContainer() throws {
    let place = try DesktopWorld()
    let group = "group.com.example.app"
    let path = try place.run("item", "container", "--create", group)
    let directory = place.directory.path("home/app-groups/\(group)")
    #expect(path.text == "\(directory)\n" && path.status == 0)
    // An app writes a file there, a target reads it.
    try Data("hello".utf8).write(to: URL(filePath: directory + "/demo.txt"))
    try place.target("read", "cat \"$('\(Docsource.path)' item container \(group))/demo.txt\" >&2")
    try place.make("--text", "a", "-o", "m.xei")
    #expect(try place.run("item", "send", "--to", "read", "m.xei").errors == "hello")
  }

  // UIActivityViewController

  @Test func seed004_22_clipboardAndPrintersTakeNoObjectsOfIOS() throws {
    #expect(
      try Self.manual("share").contains(
        "Colours and dictionaries, which Apple's clipboard accepts, and print renderers"))
    let place = try DesktopWorld()
    try place.make("--text", "a", "-o", "m.xei")
    let print = try place.run("share", "--to", "print", "m.xei")
    #expect(print.status == 2)
  }

  @Test func seed004_23_activityReceivesAnotherText() throws {
    let place = try DesktopWorld()
    try place.addApplications()
    func posted(_ words: String...) throws -> String {
      try place.make("--text", "base", "-o", "m.xei")
      let made = try place.run(
        [Docsource.path, "item", "make", "--text", "base"] + words + ["-o", "m.xei"])
      #expect(made.errors == "" && made.status == 0)
      let dry = try place.run("share", "--to", "twitter", "-n", "m.xei")
      #expect(dry.errors == "" && dry.status == 0)
      return dry.text
    }
    func post(_ text: String) -> String {
      "would run: app https://x.com/intent/tweet?text=\(text)\n"
    }
    #expect(try posted("--text-for", "twitter=Retweet this!") == post("Retweet%20this%21"))
    #expect(try posted("--content-for", "twitter=Retweet this!") == post("Retweet%20this%21"))
    #expect(try posted("--content", "all") == post("all%0D%0Abase"))
    #expect(
      try posted("--content-for", "twitter=a", "--text-for", "twitter=b") == post("a%0D%0Ab"))
    #expect(try posted("--content-for", "mail=a") == post("base"))
    _ = try posted("--content-for", "twitter=a")
    let given = try place.run("share", "--to", "twitter", "-n", "--text", "given", "m.xei")
    #expect(given.text == post("given%0D%0Abase"))
    let json = try place.run("share", "--to", "twitter", "-n", "--json", "m.xei")
    #expect(json.text.contains(#""arguments":["app","https://x.com/intent/tweet?text=a"]"#))
    #expect(
      try Self.manual("share").contains(
        "has a separate text for the chosen activity, that text is used instead."))
  }

  @Test func seed004_24_activityReceivesNothing() throws {
    let place = try DesktopWorld()
    try place.keeper("one", "Activity=com.example.one")
    try place.keeper("two")
    _ = try place.file(
      "home/docsource/activities/own.activity",
      "[Activity]\nTitle=Own\nType-Id=com.example.own\nExec=app %U\n")
    try place.make(
      "--url", "https://e.org/a", "--nothing-for", "com.example.one", "--nothing-for", "twitter",
      "--nothing-for", "com.example.own", "--nothing-for", "UIActivityTypeMail", "-o", "m.xei")
    let listed = try place.run("share", "--list", "m.xei").text
    for word in ["one", "twitter", "own", "mail"] {
      #expect(!listed.contains("\(word)\t"), "\(word)")
      let reason = "the item has nothing for this activity"
      let explained = try place.run("share", "--explain", "m.xei").text
      #expect(explained.contains { _ in true })
      let reported = explained.split(separator: "\n").first { $0.hasPrefix("\(word)\t") }
      #expect(reported?.hasSuffix("\tdoes not fit: \(reason)") == true, "\(word)")
      let shared = try place.run("share", "--to", word, "m.xei")
      #expect(shared.errors.hasSuffix(": \(reason)\n"))
      #expect(shared.status == 2)
    }
    #expect(listed.contains("two\tThe two\n") && listed.contains("facebook\t"))
    #expect(
      try place.run("item", "send", "--list", "--json", "m.xei").text == #"""
        {"target":"one","name":"The one","takes":false,"reason":"the item has nothing for this activity"}
        {"target":"two","name":"The two","takes":true}

        """#)
    let sent = try place.run("item", "send", "--to", "one", "m.xei")
    #expect(
      sent.errors == "docsource: m.xei: cannot hand over: the item has nothing for this activity\n")
    #expect(sent.status == 2)
    let shown = try place.run("item", "show", "--json", "--for", "mail", "m.xei")
    #expect(
      shown.text
        == #"{"file":"m.xei","item":null,"reason":"the item has nothing for this activity"}"# + "\n"
    )
    #expect(shown.status == 1)
    let extracted = try place.run("item", "extract", "--for", "mail", "m.xei", "out")
    #expect(extracted.errors == "docsource: m.xei: no attachment\n")
    #expect(extracted.status == 1)
    let wrong = try place.run(
      "item", "make", "--text", "a", "--nothing-for", "a.b", "--text-for", "a.b=c")
    #expect(
      wrong.errors
        == "docsource: item make: --text-for and --nothing-for: 'a.b' receives one main attachment; see 'docsource help item make'\n"
    )
  }

  @Test func seed004_25_mailHasASubjectOfItsOwn() throws {
    let place = try DesktopWorld()
    try place.addApplications()
    try place.keeper("other", "Activity=com.example.other")
    try place.make(
      "--text", "a", "--title", "T", "--subject-for", "mail=For mail", "--subject-for",
      "com.example.other=O", "-o", "m.xei")
    let mail = try place.run("share", "--to", "mail", "-n", "m.xei")
    #expect(mail.text == "would run: app mailto:?subject=For%20mail&body=a\n")
    let given = try place.run("share", "--to", "mail", "--subject", "G", "-n", "m.xei")
    #expect(given.text == "would run: app mailto:?subject=G&body=a\n")
    #expect(try place.run("item", "send", "--to", "other", "m.xei").status == 0)
    #expect(try place.got("other").hasPrefix("  Title        \"O\"\n"))
    try place.make("--text", "a", "--title", "T", "-o", "m.xei")
    let title = try place.run("share", "--to", "mail", "-n", "m.xei")
    #expect(title.text == "would run: app mailto:?subject=T&body=a\n")
  }

  @Test func seed004_26_documentHasATypeForEachActivity() throws {
    let place = try DesktopWorld()
    try place.keeper("html", "Activity=com.example.html")
    try place.keeper("plain", "Accepts=url")
    try place.make("--text", "<p>", "--type-for", "com.example.html=public.html", "-o", "m.xei")
    #expect(try place.run("item", "send", "--to", "html", "m.xei").status == 0)
    #expect(
      try place.got("html") == "  Attachment   1: \"<p>\" (public.html, public.plain-text)\n")
    #expect(
      try place.run("item", "show", "--for", "a.b", "m.xei").text
        == "m.xei for a.b:\n  Attachment   1: \"<p>\" (public.plain-text)\n")
  }

  @Test func seed004_27_thumbnailIsForEachActivity() throws {
    let place = try DesktopWorld()
    _ = try place.picture("pic.png")
    try place.make("--text", "a", "--thumbnail-for", "com.example.a=pic.png", "-o", "m.xei")
    #expect(
      try place.run("item", "show", "--for", "com.example.a", "m.xei").text.contains("  Thumbnail"))
    #expect(
      !(try place.run("item", "show", "--for", "com.example.b", "m.xei").text.contains("Thumb")))
  }

  // What is not of one row

  @Test func documentsOfSingleActivitiesArePrivateToo() throws {
    let place = try DesktopWorld()
    try place.keeper("a", "Activity=com.example.a")
    try place.make(
      "--url", "https://me:secret@e.org/", "--url-for", "com.example.a=https://you:secret@e.org/a",
      "--attach-for", "com.example.a=url:https://you:secret@e.org/b", "-o", "m.xei")
    for words in [["item", "send"], ["share"]] {
      let sent = try place.run([Docsource.path] + words + ["--to", "a", "m.xei"])
      let lead = ".x-extension-item-activities.com.example.a"
      let end = "the user name and password in the URL are left out"
      #expect(
        sent.errors == """
          docsource: m.xei: .NSExtensionItemAttachmentsKey[0]: \(end)
          docsource: m.xei: \(lead).main: \(end)
          docsource: m.xei: \(lead).attachments[0]: \(end)

          """)
      #expect(
        try place.got("a") == """
            Attachment   1: "https://e.org/a" (public.url)
            Attachment   2: "https://e.org/b" (public.url)

          """)
    }
  }

  @Test func filesOfSingleActivitiesLieBelowTheItem() throws {
    let place = try DesktopWorld()
    try place.keeper("a", "Activity=com.example.a")
    _ = try place.file(
      "home/docsource/activities/own.activity",
      "[Activity]\nTitle=Own\nType-Id=com.example.a\nExec=sh -c cat\n")
    for key in ["main", "attachments"] {
      let document = #"{"registeredTypeIdentifiers":["public.data"],"path":"/etc/passwd"}"#
      let value = key == "main" ? document : "[\(document)]"
      _ = try place.file(
        "bad.xei",
        #"{"NSExtensionItemAttachmentsKey":[{"registeredTypeIdentifiers":["public.plain-text"],"value":"a"}],"x-extension-item-activities":{"com.example.a":{"\#(key)":\#(value)}}}"#
      )
      for words in [
        ["item", "send", "--to", "a"], ["share", "--to", "a"], ["share", "--to", "own"],
      ] {
        let refused = try place.run([Docsource.path] + words + ["bad.xei"])
        #expect(
          refused.errors.contains(
            "\"/etc/passwd\": the path is absolute; use --any-path to allow it\n"),
          "\(words) \(refused.errors)")
        #expect(refused.status == 2)
      }
    }
  }

  @Test func dryHandOverIsAnObject() throws {
    let place = try DesktopWorld()
    try place.keeper("a")
    try place.make("--text", "x", "--title", "T", "-o", "m.xei")
    let dry = try place.run("item", "send", "-n", "--json", "--to", "a", "m.xei")
    #expect(
      dry.text == #"""
        {"file":"m.xei","target":"a","outcome":"done","dryRun":true,"item":{"title":"T","attachments":[{"types":["public.plain-text"],"text":"x"}]}}

        """#)
    #expect(dry.errors == "" && dry.status == 0)
    #expect(!FileManager.default.fileExists(atPath: place.directory.path("a.got")))
  }

  @Test func unknownApplicationIsAWrongCommandLine() throws {
    let place = try DesktopWorld()
    try place.make("--text", "x", "-o", "m.xei")
    for words in [
      ["item", "make", "--text", "a", "--referrer-app", "no.such.app"],
      ["item", "send", "--to", "no.such.app", "m.xei"], ["share", "--to", "no.such.app", "m.xei"],
    ] {
      let wrong = try place.run([Docsource.path] + words)
      #expect(wrong.status == 64, "\(words)")
      #expect(wrong.errors.contains("'no.such.app'"))
    }
  }

  /// What counts as missing when it is read is not handed over either.
  @Test func malformedPartsReachNoTarget() throws {
    let place = try DesktopWorld()
    try place.keeper("keep")
    try place.keeper("url", "Accepts=url")
    let secret = "https://user:pw@e.org/"
    let types = #""registeredTypeIdentifiers":["public.url"]"#
    for item in [
      #""NSExtensionItemAttachmentsKey":[{\#(types),"path":"/etc/passwd","value":"x"}]"#,
      #""NSExtensionItemAttachmentsKey":{\#(types),"value":"\#(secret)"}"#,
      #""x-extension-item":{"source-url":["\#(secret)"],"referrer-ios-app-url":{"a":"\#(secret)"}}"#,
      #""x-extension-item":[{"source-url":"\#(secret)"}]"#,
    ] {
      _ = try place.file("m.xei", #"{"NSExtensionItemAttributedTitleKey":"t",\#(item)}"#)
      let sent = try place.run("item", "send", "--to", "keep", "m.xei")
      #expect(sent.status == 0, "\(sent.errors)")
      #expect(try place.got("keep") == "  Title        \"t\"\n", "\(item)")
      // Nothing is no document of a kind.
      #expect(
        try place.run("item", "send", "--to", "url", "m.xei").errors.hasSuffix(
          "docsource: m.xei: cannot hand over: the item has no attachment\n"))
    }
    for type in ["Public.URL", "public.file-url"] {
      _ = try place.file(
        "m.xei",
        #"{"NSExtensionItemAttachmentsKey":[{"registeredTypeIdentifiers":["\#(type)"],"value":" \#(secret)"}]}"#
      )
      _ = try place.run("item", "send", "--to", "keep", "m.xei")
      #expect(
        try place.got("keep") == "  Attachment   1: \"https://e.org/\" (\(type))\n", "\(type)")
    }
  }

  @Test func rowThatIsNoneDoesNotHideAnother() throws {
    let place = try DesktopWorld()
    try place.keeper("keep", "Activity=mail")
    for nothing in ["true", "1"] {
      _ = try place.file(
        "m.xei",
        #"{"NSExtensionItemAttributedTitleKey":"t","x-extension-item-activities":"#
          + #"{"com.apple.UIKit.activity.Mail":1,"mail":{"nothing":\#(nothing)}}}"#)
      let sent = try place.run("item", "send", "--to", "keep", "m.xei")
      #expect(
        sent.errors
          == "docsource: m.xei: cannot hand over: the item has nothing for this activity\n")
      #expect(sent.status == 2)
    }
  }

  @Test func pipeThatIsCalledLikeAnItemIsRefused() throws {
    let place = try DesktopWorld()
    #expect(mkfifo(place.directory.path("f.xei"), 0o600) == 0)
    for words in [["show", "f.xei"], ["make", "--text", "x", "--item-for", "mail=f.xei", "-n"]] {
      let read = try Execution.run(
        [Docsource.path, "item"] + words, in: place.directory.root)
      #expect(read.errors == "docsource: f.xei: cannot read share item: not a regular file\n")
      #expect(read.status == 2)
    }
  }
}

extension DesktopWorld {
  /// A target that writes the item that it gets to a file of its name, `NAME.got`.
  fileprivate func keeper(_ name: String, _ keys: String = "") throws {
    try target(name, "cat > \(directory.path("\(name).got"))", keys)
  }

  /// What a keeper got, as `item show` prints it.
  fileprivate func got(_ name: String) throws -> String {
    let shown = try run("item", "show", "-", input: try directory.bytes("\(name).got"))
    #expect(shown.status == 0, "\(shown.errors)")
    return shown.text.split(separator: "\n").dropFirst().map { "\($0)\n" }.joined()
  }

  fileprivate func make(_ words: String..., errors: String = "") throws {
    let made = try run([Docsource.path, "item", "make"] + words)
    #expect(made.errors == errors)
    #expect(made.status == 0)
  }

  /// Programs for mailto: and https:.
  fileprivate func addApplications() throws {
    try program("app")
    try entry(
      "org.example.app",
      "Name=App\nExec=app %u\nMimeType=x-scheme-handler/mailto;x-scheme-handler/https;")
    try updateDatabases()
  }
}
