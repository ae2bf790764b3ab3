import Testing
import TextFormats

/// What is said of texts that need not follow the grammar of URLs.
@Suite struct AbsoluteURLTests {
  @Test(arguments: [
    ("https://user:pw@h/", "https://h/"), ("https:/user:pw@h/", "https:/h/"),
    (#"https:\\user:pw@h/"#, #"https:\\h/"#), (#"HTTPS:\/user:pw@h\a"#, #"HTTPS:\/h\a"#),
    ("https:user:pw@h/", "https:h/"), ("http:///user@h", "http:///h"),
    (#"https:\\h\user:pw@h"#, #"https:\\h"#), ("https://a@/b@c", "https://c"),
    ("x://user:pw@h/a@b", "x://h/a@b"), ("https://h/a@b", "https://h/a@b"),
    ("mailto:a@b.org", "mailto:a@b.org"), ("x:/a@b", "x:/a@b"),
  ])
  func credentialsGoAsBrowsersReadThem(_ url: String, _ bare: String) {
    #expect(AbsoluteURL.withoutCredentials(url) == bare)
    #expect(AbsoluteURL.hasCredentials(url) == (url != bare))
    #expect(!AbsoluteURL.hasCredentials(bare))
  }

  @Test(arguments: [
    ("see (https://user:pw@h/), <ftp:/a@b>", "see (https://h/), <ftp:/b>"),
    ("https://a b:c@d e", "https://d e"), ("x+y://a@b,https://c@d", "x+y://b,https://d"),
    ("a@b.org: mailto:a@b.org", "a@b.org: mailto:a@b.org"), ("1http://a@b", "1http://b"),
    ("ü:ähttp://a@b", "ü:ähttp://b"), ("", ""), ("@:", "@:"),
  ])
  func credentialsGoFromTexts(_ text: String, _ bare: String) {
    #expect(AbsoluteURL.withoutCredentials(inText: text) == bare)
    #expect(AbsoluteURL.withoutCredentials(inText: bare) == bare)
  }

  @Test(arguments: [#"http:\"#, "a:/", "http:", "@\\", "a://b@"])
  func longTextsTakeNoTime(_ word: String) {
    let text = "https:" + String(repeating: word, count: 100_000) + "@"
    let duration = ContinuousClock().measure {
      _ = AbsoluteURL.withoutCredentials(inText: text)
      _ = AbsoluteURL.withoutCredentials(inText: "(" + text)
    }
    #expect(duration < .seconds(20))
  }

  @Test(arguments: [
    "ssh://-oProxyCommand=x", "ssh://-oProxyCommand=x/", "ssh://-l:x@e.org", "ssh://a@-e",
    "ssh://%2doProxyCommand", "x:\\\\-e", "x:/\\%2De", "ssh://a:b@-c@e",
  ])
  func hyphenBeforeAUserOrHostIsAnOption(_ url: String) {
    #expect(
      AbsoluteURL.openingFlaw(url)?.reason
        == "a user or host in the URL begins with a hyphen, as options do")
  }

  @Test(arguments: [
    ("x: y", 2), ("https://e.org/\n", 14), ("x:\t", 2), ("x:\u{0}", 2), ("\u{7f}", 0), ("x:\r", 2),
  ])
  func blanksAndControlCharactersAreNotOpened(_ url: String, _ position: Int) {
    #expect(
      AbsoluteURL.openingFlaw(url)?.reason
        == "the URL contains a space or control character at byte \(position); percent-encode it")
  }

  @Test(arguments: [
    "ssh://e-x/-oProxyCommand=x", "geo:-1,-2", "x:-a", "x:///-note.md", "x://e/?-a#-b", "x://e?-a",
    "x://a:-b@e", "https://é.example/", "x", "x://",
  ])
  func otherHyphensAreOpened(_ url: String) {
    #expect(AbsoluteURL.openingFlaw(url) == nil)
  }
}
