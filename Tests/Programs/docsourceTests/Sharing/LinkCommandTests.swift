import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource link` as a user runs it.
@Suite struct LinkCommandTests {
  private static let link =
    "com.example.reader://extensionsave?attribution_detail=x&tweet_id=12&url=https%3A%2F%2Fexample.com%2Fa"

  private static func link(
    _ arguments: String..., in directory: TemporaryDirectory, input: String = ""
  ) throws -> Execution {
    try Execution.run(
      [Docsource.path, "link"] + arguments, in: directory.root, input: Array(input.utf8))
  }

  @Test func linkIsMadeParsedAndChecked() throws {
    let directory = try TemporaryDirectory()
    let made = try Self.link(
      "make", "--app", "com.example.reader", "--url", "https://example.com/a", "--tweet-id", "12",
      "--attribution", "x", in: directory)
    #expect(made.text == Self.link + "\n")
    #expect(made.errors == "")
    #expect(
      try Self.link("parse", Self.link, in: directory).text == """
        app_name            "com.example.reader"
        attribution_detail  "x"
        tweet_id            "12"
        url                 "https://example.com/a"

        """)
    #expect(
      try Self.link("parse", "--json", "-", in: directory, input: made.text).text == #"""
        {"link":"\#(Self.link)","app":"com.example.reader","parameters":{"attribution_detail":"x","tweet_id":"12","url":"https://example.com/a"},"canonical":"\#(Self.link)"}

        """#)
    #expect(try Self.link("check", Self.link, in: directory).text == "\(Self.link): valid\n")
  }

  @Test func findingsHaveTheirBytes() throws {
    let directory = try TemporaryDirectory()
    let bad = "reader://ExtensionSave?url=%zz&url=b"
    let checked = try Self.link("check", bad, in: directory)
    #expect(checked.text == "")
    #expect(checked.status == 2)
    #expect(
      checked.errors == """
        docsource: \(bad): warning not-reverse-dns at byte 0: the scheme is not an identifier like com.example.app
        docsource: \(bad): warning host-case at byte 9: the host is not in lower case
        docsource: \(bad): error bad-percent-escape at byte 27: '%' must be followed by two hexadecimal digits
        docsource: \(bad): error duplicate-key at byte 31: the parameter is given twice
        docsource: \(bad): error invalid-url at byte 35: the value of 'url' is not an absolute http or https URL

        """)
    let json = try Self.link(
      "check", "--json", "a.b://extensionsave?url=http%3A%2F%2Fh#", in: directory)
    #expect(
      json.text == #"""
        {"link":"a.b://extensionsave?url=http%3A%2F%2Fh#","valid":false,"findings":[{"code":"fragment-present","severity":"error","offset":38,"message":"a fragment begins with '#'"}]}

        """#)
    let quiet = try Self.link(
      "check", "-q", "foo://extensionsave?url=http%3A%2F%2Fh", in: directory)
    #expect(quiet.errors == "" && quiet.text == "" && quiet.status == 0)
  }

  @Test func strictRefusesWhatLenientReads() throws {
    let directory = try TemporaryDirectory()
    let loose = "foo://other?url=x&url=y&bad=%zz"
    let strict = try Self.link("parse", "--json", loose, in: directory)
    #expect(strict.status == 2)
    #expect(strict.text.contains("\"code\":\"wrong-host\""))
    let lenient = try Self.link("parse", "--lenient", loose, in: directory)
    #expect(lenient.text == "app_name  \"foo\"\nurl       \"y\"\n")
    let none = try Self.link("parse", "--lenient", "https://example.com/?url=x", in: directory)
    #expect(none.status == 2)
    #expect(none.errors == "docsource: https://example.com/?url=x: not an attributed link\n")
  }

  @Test func linkIsKeptWithAFileAndMadeAgain() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("a.html")
    let applied = try Self.link("apply", "--source", Self.link, "a.html", in: directory)
    #expect(
      applied.text == """
        a.html: wrote: user.x-extension-item
        a.html: wrote: user.xdg.origin.url
        a.html: wrote: user.xdg.publisher
        a.html: wrote: user.x-document-source

        """)
    let url = try Execution.run(["getfattr", "--only-values", "-n", "user.xdg.origin.url", file])
    #expect(url.text == "https://example.com/a")
    #expect(
      try Docsource.run("show", "--field", "identifier", "a.html", in: directory.root).text
        == "com.example.reader\n")
    #expect(try Self.link("make", "--from", "a.html", in: directory).text == Self.link + "\n")
    _ = try directory.file("b.html")
    #expect(try Self.link("apply", "-q", "--tweet", Self.link, "b.html", in: directory).status == 0)
    let referrer = try Execution.run(
      ["getfattr", "--only-values", "-n", "user.xdg.referrer.url", directory.path("b.html")])
    #expect(referrer.text == "https://twitter.com/i/web/status/12")
    let other = Self.link.replacing("com.example.reader", with: "com.example.other")
    let refused = try Self.link("apply", "--source", other, "a.html", in: directory)
    #expect(refused.status == 2)
    #expect(
      try Docsource.run("show", "--field", "identifier", "a.html", in: directory.root).text
        == "com.example.reader\n")
  }

  @Test func fileThatSaysTooLittleMakesNoLink() throws {
    let directory = try TemporaryDirectory()
    _ = try directory.file("a")
    let made = try Self.link("make", "--from", "a", in: directory)
    #expect(made.status == 1)
    #expect(made.text == "")
    #expect(
      try Self.link("make", "--from", "a", "--app", "a.b", in: directory).errors
        == "docsource: a: cannot make a link: the link has no URL\n")
  }

  @Test func programOfTheSchemeReceivesTheLinkAsItWasMade() throws {
    let directory = try TemporaryDirectory()
    let made = try Execution.run([
      Docsource.path, "link", "make", "--app", "org.example.reader", "--url",
      "https://example.com/ä?x=1&y=2%203", "--attribution", "it's %41",
    ])
    let program = try directory.file("program", "printf '%s\\n' \"$1\" >new && mv new received\n")
    _ = try directory.file(
      "data/applications/reader.desktop",
      """
      [Desktop Entry]
      Type=Application
      Name=Reader
      Path=\(directory.root)
      Exec=sh \(program) %u
      MimeType=x-scheme-handler/org.example.reader;

      """)
    _ = try directory.file(
      "config/mimeapps.list",
      "[Default Applications]\nx-scheme-handler/org.example.reader=reader.desktop\n")
    let opened = try Execution.run(
      ["gio", "open", String(made.text.dropLast())], in: directory.root,
      environment: [
        "XDG_DATA_HOME": directory.path("data"), "XDG_CONFIG_HOME": directory.path("config"),
      ])
    #expect(opened.status == 0, "\(opened.errors)")
    for _ in 0..<500 where !FileManager.default.fileExists(atPath: directory.path("received")) {
      usleep(20_000)
    }
    #expect(try directory.text("received") == made.text)
  }

  @Test func linksThatWouldBeRefusedAreNotMade() throws {
    let directory = try TemporaryDirectory()
    let mail = ["make", "--app", "a.b", "--url", "mailto:x@y"]
    let refused = try Execution.run([Docsource.path, "link"] + mail, in: directory.root)
    #expect(refused.status == 2 && refused.text == "")
    let allowed = try Execution.run(
      [Docsource.path, "link"] + mail + ["--any-url"], in: directory.root)
    #expect(allowed.text == "a.b://extensionsave?url=mailto%3Ax%40y\n")
    for arguments in [
      ["make"], ["make", "--app", "a b", "--url", "http://h"], ["make", "--app", "a.b"],
      ["make", "--app", "a.b", "--url", "http://h", "--parameter", "x"], ["parse"], ["check"],
      ["apply", Self.link], ["make", "x"],
    ] {
      let run = try Execution.run([Docsource.path, "link"] + arguments, in: directory.root)
      #expect(run.status == 64, "\(arguments): \(run.errors)")
    }
  }
}
