import Foundation
import TestSupport
import Testing

/// The rows of XExtensionItem, and those of share extensions and of UIActivityViewController that
/// concern share items, by their numbers (seeds-rows.md).
@Suite struct Seed000Tests {
  /// A user with targets of the test's own.
  private struct Place {
    private let place: ShareCommandTests.Place

    init() throws { place = try ShareCommandTests.Place() }

    var directory: TemporaryDirectory { place.directory }

    func file(_ path: String, _ content: String) throws {
      _ = try place.file(path, content)
    }

    func picture(_ name: String) throws { _ = try place.picture(name) }

    /// A target whose program is a script of the shell.
    func target(_ name: String, _ script: String, _ keys: String = "") throws {
      try file("\(name)-program", "\(script)\n")
      try file(
        "home/docsource/targets/\(name).target",
        "[Share Target]\nName=The \(name)\nExec=sh \(directory.path("\(name)-program"))\n\(keys)\n")
    }

    /// A target that writes the item that it gets to a file of its name, `NAME.got`.
    func keeper(_ name: String, _ keys: String = "") throws {
      try target(name, "cat > \(directory.path("\(name).got"))", keys)
    }

    /// What a keeper got, as `item show` prints it.
    func got(_ name: String) throws -> String {
      let shown = try run("item", "show", "-", input: try directory.bytes("\(name).got"))
      #expect(shown.status == 0, "\(shown.errors)")
      return shown.text.split(separator: "\n").dropFirst().map { "\($0)\n" }.joined()
    }

    func run(_ words: String..., input: [UInt8] = []) throws -> Execution {
      try run(words, input: input)
    }

    func run(_ words: [String], input: [UInt8] = []) throws -> Execution {
      try Execution.run(
        [Docsource.path] + words, in: directory.root, environment: place.world.environment,
        input: input)
    }

    func make(_ words: String..., errors: String = "") throws {
      let made = try run(["item", "make"] + words)
      #expect(made.errors == errors)
      #expect(made.status == 0)
    }

    /// Programs for mailto: and https:.
    func addApplications() throws {
      try place.world.program("app")
      try place.world.entry(
        "org.example.app",
        "Name=App\nExec=app %u\nMimeType=x-scheme-handler/mailto;x-scheme-handler/https;")
      try place.world.updateDatabases()
    }
  }

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
    let place = try Place()
    try place.picture("pic.png")
    try place.file("home/docsource/targets/r.plist", Self.webURLRule)
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
      #expect(sent.errors == "" && sent.status == 0, "\(name)")
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
    try place.file("a.txt", "words\n")
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
    let place = try Place()
    try place.picture("pic.png")
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
    let place = try Place()
    try place.picture("pic.png")
    try place.make("--file", "pic.png", "--type", "public.image", "-o", "m.xei")
    #expect(
      try place.run("item", "show", "m.xei").text.contains("(public.image, public.file-url)"))
    #expect(try Self.manual("item", "make").contains("replaces the first; given more than once"))
  }

  @Test func seed000_9_dataComeFromStandardInput() throws {
    let place = try Place()
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
      let second = try place.run(["item", "make", "--text", "a"] + words, input: data)
      #expect(second.status == 64)
      #expect(
        second.errors
          == "docsource: item make: \(words[0]): only --file can be standard input; write ./- for a file of that name; see 'docsource help item make'\n"
      )
    }
    try place.file("-", "x")
    try place.make("--file", "./-", "--type", "public.data", "-o", "m.xei")
    #expect(try place.run("item", "show", "m.xei").text.contains("called \"-\""))
  }

  @Test func seed000_10_unknownTypeCausesAWarning() throws {
    let place = try Place()
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
    let place = try Place()
    try place.picture("pic.png")
    try place.make("--text", "other", "--attach", "text:more", "--title", "O", "-o", "o.xei")
    try place.file("sub/.keep", "")
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
      #expect(sent.errors == "" && sent.status == 0, "\(name)")
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
        "--url-for and --text-for: 'com.apple.UIKit.activity.Mail' receives one main document"
      ),
      (
        ["--text-for", "a.b=x", "--text-for", "a.b=y"],
        "--text-for: 'a.b' receives one main document"
      ), (["--url-for", "a.b=x"], "--url-for: 'x' is not an absolute URL"),
      (
        ["--url-for", "=x:y"], "--url-for: '=x:y' is invalid; expected ACTIVITY=URL"
      ), (["--text-for", "*=x"], "--text-for: '*' is not the identifier of an activity"),
      (["--item-for", "a.b="], "--item-for: no file given"),
    ] {
      let wrong = try place.run(["item", "make", "--text", "a"] + words)
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
    #expect(try Self.manual("item").contains("Nothing is loaded later: documents that an iOS app"))
    let place = try Place()
    try place.make("--text", "a", "--text-for", "com.example.a=b", "-o", "m.xei")
    let whole = try place.run("item", "show", "m.xei").text
    #expect(whole.contains("\"a\"") && whole.contains("com.example.a: \"b\""))
  }

  @Test func seed000_15_constantsStandForIdentifiers() throws {
    let place = try Place()
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
    try place.file(
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
    let place = try Place()
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
        ["item", verb, "--for", "xyzzy-plugh", "m.xei"] + (verb == "extract" ? ["out"] : []))
      #expect(
        shown.errors
          == "docsource: warning: --for: no activity 'xyzzy-plugh' is known; \(words)\n")
      #expect(shown.status == 0)
    }
  }

  @Test func seed000_16_constantOfMailReceivesTheDocumentAlone() throws {
    let place = try Place()
    try place.make("--text", "a", "--title", "T", "--attach", "text:b", "-o", "m.xei")
    for name in ["UIActivityTypeMail", ".mail", "mail", "com.apple.UIKit.activity.Mail"] {
      let shown = try place.run("item", "show", "--for", name, "m.xei")
      #expect(
        shown.text == """
          m.xei for com.apple.UIKit.activity.Mail:
            Document     "a" (public.plain-text)

          """)
      #expect(shown.errors == "")
    }
  }

  @Test func seed000_18_contentCanBeHadAsSeveralTypes() throws {
    let place = try Place()
    try place.keeper("page", "Accepts=text")
    try place.make(
      "--text", "<p>a", "--type", "public.html", "--type", "public.plain-text", "-o", "m.xei")
    #expect(
      try place.run("item", "show", "m.xei").text.contains(
        "\"<p>a\" (public.html, public.plain-text)"))
    #expect(try place.run("item", "send", "--to", "page", "m.xei").status == 0)
    #expect(
      try Self.manual("item", "make").contains(
        "the same content can be had as each of the types, the preferred one first."))
  }
}
