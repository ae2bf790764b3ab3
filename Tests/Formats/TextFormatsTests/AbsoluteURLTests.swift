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
}
