import Foundation
import TestSupport
import Testing

/// What a verb's manual page says, in one line.
enum ManualWords {
  static func of(_ words: String...) throws -> String {
    let page = try Execution.run([Docsource.path, "help", "--man"] + words)
    #expect(page.status == 0, "\(page.errors)")
    let shown = try Execution.run(
      ["man", "-l", "-"], environment: ["MANWIDTH": "2000", "LC_ALL": "C.UTF-8"],
      input: page.output)
    return shown.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

/// Rows of Pocket's helper for host apps, and of its links.
@Suite struct Seed001Tests {
  private static func link(_ words: String..., input: String = "") throws -> Execution {
    try Execution.run([Docsource.path, "link"] + words, input: Array(input.utf8))
  }

  private static let hint = "see 'docsource help link make'"

  @Test func parameterThatIsGivenTwiceIsRefused() throws {
    for more in [
      ["--parameter", "url=https://evil"], ["--parameter", "a=1", "--parameter", "a=2"],
      ["--attribution", "x", "--parameter", "attribution_detail=y"],
    ] {
      let run = try Execution.run(
        [Docsource.path, "link", "make", "--app", "a.b", "--url", "https://e.com"] + more)
      #expect(run.errors.contains("is given twice"), "\(run.errors)")
      #expect(run.status == 64)
    }
  }

  @Test func seed001_8_templateIsNoLinkButLenientReadsIt() throws {
    let template = "com.app.name://extensionsave?tweet_id=TWEET_ID&url=URL_ENCODED_URL"
    let strict = try Self.link("parse", template)
    #expect(strict.status == 2 && strict.text == "")
    #expect(
      strict.errors
        == "docsource: \(template): error invalid-url at byte 51: the value of 'url' is not an absolute http or https URL\n"
    )
    let lenient = try Self.link("parse", "--lenient", template)
    #expect(
      lenient.text
        == "app_name  \"com.app.name\"\ntweet_id  \"TWEET_ID\"\nurl       \"URL_ENCODED_URL\"\n")
    #expect(lenient.errors == "" && lenient.status == 0)
    #expect(
      try ManualWords.of("link").contains(
        "whose values are TWEET_ID and URL_ENCODED_URL, is not a link"))
  }

  @Test func seed001_12_hostAppIsMandatory() throws {
    for (words, message) in [
      (["make", "--url", "https://e.org"], "--app is missing: it becomes the scheme of the link"),
      (["make"], "--app is missing: it becomes the scheme of the link"),
      (["make", "--app", "com.a"], "--url is missing"),
      (
        ["make", "--app", "", "--url", "https://e.org"],
        "--app: \"\" cannot be the scheme of a URL: it is empty"
      ),
    ] {
      let run = try Execution.run([Docsource.path, "link"] + words)
      #expect(run.errors == "docsource: link make: \(message); \(Self.hint)\n")
      #expect(run.status == 64 && run.text == "")
    }
    // Of a file, it may be the marks that say too little.
    let directory = try TemporaryDirectory()
    _ = try directory.file("a")
    let marks = try Execution.run(
      [Docsource.path, "link", "make", "--from", "a"], in: directory.root)
    #expect(
      marks.errors
        == "docsource: a: cannot make a link: no mark names the app by an identifier that can be the scheme of a URL\n"
    )
    #expect(marks.status == 1)
  }

  @Test(arguments: [
    ("com.a b", "it contains \" \", and"), ("com.a_b.c", "it contains \"_\", and"),
    ("com.ä", "it contains \"ä\", and"), ("com.a\u{1b}[31m", #"it contains "\x1b", and"#),
    ("1app", "a scheme begins with a letter from A to Z"), ("é", "a scheme begins with"),
    ("a:b", "it contains \":\", and"), ("com.e\u{301}", "it contains \"\u{301}\", and"),
  ])
  func seed001_13_appThatIsNoSchemeIsShownWithWhy(_ app: String, _ reason: String) throws {
    let run = try Self.link("make", "--app", app, "--url", "https://e.org")
    #expect(run.status == 64 && run.text == "")
    #expect(run.errors.hasPrefix("docsource: link make: --app: \""), "\(run.errors)")
    #expect(run.errors.contains(" cannot be the scheme of a URL: \(reason)"), "\(run.errors)")
    #expect(!run.errors.contains("mark ") && !run.errors.contains("\u{1b}"))
  }

  @Test func seed001_13_wrongValuesAreShownWithTheirOption() throws {
    for (words, message, status) in [
      (
        ["--app", "com.a", "--url", "ftp://e.org"],
        "--url \"ftp://e.org\": error invalid-url: the value of 'url' is not an absolute http or https URL",
        2
      ),
      (
        ["--app", "HTTP", "--url", "https://e.org"],
        "--app \"HTTP\": error reserved-scheme: the scheme belongs to the web or the system, not to an app",
        2
      ),
      (
        ["--app", "reader", "--url", "https://e.org"],
        "--app \"reader\": warning not-reverse-dns: the scheme is not an identifier like com.example.app",
        0
      ),
      (
        ["--app", "com.a", "--url", "https://e.org", "--tweet-id", "x"],
        "--tweet-id \"x\": warning bad-tweet-id: the value of 'tweet_id' is not a number of 1 to 20 digits",
        0
      ),
    ] as [([String], String, Int32)] {
      let run = try Execution.run([Docsource.path, "link", "make"] + words)
      #expect(run.errors == "docsource: \(message)\n")
      #expect(run.status == status && run.text.isEmpty == (status == 2))
    }
    let long = try Self.link(
      "make", "--app", "com.a", "--url", "https://e.org/" + String(repeating: "a", count: 9000))
    #expect(
      long.errors
        == "docsource: the link: error too-large: a link has at most 8192 bytes and 64 parameters\n"
    )
    #expect(long.status == 2)
  }

  @Test func seed001_21_parseWarnsAsCheckDoes() throws {
    let loose = "com.ideashower.ReadItLaterPro://extensionsave?tweet_id=123&url=http://google.com"
    let parsed = try Self.link("parse", loose)
    #expect(
      parsed.errors
        == "docsource: \(loose): warning unescaped-reserved at byte 67: the value has characters of a URL that are not escaped; it may have been cut at '&'\n"
    )
    #expect(parsed.errors == (try Self.link("check", loose)).errors)
    #expect(parsed.text.hasSuffix("url       \"http://google.com\"\n") && parsed.status == 0)
    #expect(try Self.link("parse", "com.a://extensionsave?url=http%3A%2F%2Fe.org").errors == "")
  }

  @Test func seed001_22_helperSaysWhichActivityItIsFor() throws {
    let activity = "com.ideashower.ReadItLaterPro.AddToPocketExtension"
    let can = try Self.link("can", activity)
    #expect(can.text == "\(activity): understands attributed links\n")
    #expect(can.errors == "" && can.status == 0)
    for other in ["com.apple.UIKit.activity.Mail", activity.lowercased(), activity + " ", "", "*"] {
      let cannot = try Self.link("can", "-q", other)
      #expect(cannot.text == "" && cannot.errors == "" && cannot.status == 1, "\(other)")
    }
    let both = try Self.link("can", "--json", activity, "a\u{1b}")
    #expect(
      both.text
        == #"{"activity":"\#(activity)","canUse":true}"# + "\n"
        + #"{"activity":"a\u001b","canUse":false}"# + "\n")
    #expect(both.status == 1)
    let app = try Self.link("can", "--json", "--app", "com.ideashower.ReadItLaterPro")
    #expect(app.text == #"{"app":"com.ideashower.ReadItLaterPro","canUse":true}"# + "\n")
    #expect(app.status == 0)
    let unknown = try Self.link("can", "-q", "--app", "com.ideashower")
    #expect(
      unknown.errors
        == "docsource: link can: --app: no known application 'com.ideashower';"
        + " 'docsource apps list' lists all\n"
    )
    #expect(unknown.text == "" && unknown.status == 64)
    for (url, reason) in [
      (
        "https://e.org/a b",
        "the URL contains a space, control or non-ASCII character at byte 15; percent-encode it"
      ),
      ("https://e.org/\"", "the URL contains '\"' at byte 14; percent-encode it"),
    ] {
      let made = try Self.link("make", "--app", "com.example.reader", "--url", url)
      #expect(
        made.errors == "docsource: link make: --url: \(reason); see 'docsource help link make'\n")
      #expect(made.text == "" && made.status == 64)
    }
    let none = try Self.link("can")
    #expect(
      none.errors == "docsource: link can: no activity given; see 'docsource help link can'\n")
    #expect(none.status == 64)
  }

  @Test func seed001_24_linkIsMadeInOneStep() throws {
    let made = try Self.link("make", "--app", "com.a", "--url", "https://e.org/")
    #expect(made.text == "com.a://extensionsave?url=https%3A%2F%2Fe.org%2F\n" && made.status == 0)
    #expect(try ManualWords.of("link").contains("Here, a link is made at once."))
  }

  @Test func seed001_25_pocketIsClosedAndTheLinkIsAFormat() throws {
    #expect(
      try ManualWords.of("link").contains(
        "Pocket was shut down in July 2025, so nothing acts on these links any more"))
  }

  /// `activityViewController:itemForActivityType:` of the original's example.
  @Test func seed001_23_pocketReceivesTheLinkAndOthersThePlainURL() throws {
    let directory = try TemporaryDirectory()
    func item(_ words: String...) throws -> Execution {
      try Execution.run([Docsource.path, "item"] + words, in: directory.root)
    }
    let link = "com.me.app://extensionsave?url=https%3A%2F%2Fexample.com%2Fa"
    let made = try item(
      "make", "--url", "https://example.com/a", "--url-for", "pocket=\(link)", "-o", "m.xei")
    #expect(made.errors == "" && made.status == 0)
    for (activity, url) in [
      ("pocket", link), ("com.ideashower.ReadItLaterPro.AddToPocketExtension", link),
      ("com.example.other", "https://example.com/a"), ("mail", "https://example.com/a"),
    ] {
      let shown = try item("show", "--for", activity, "m.xei")
      #expect(shown.text.contains(" \"\(url)\" (public.url)\n"), "\(activity): \(shown.text)")
    }
    #expect(try Self.link("can", "com.ideashower.ReadItLaterPro.AddToPocketExtension").status == 0)
  }
}
