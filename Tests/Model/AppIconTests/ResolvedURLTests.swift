import Testing

@testable import AppIcon

@Suite struct URLReferenceTests {
  /// RFC 3986, sections 5.4.1 and 5.4.2, whole.
  @Test(arguments: [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"),
    ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
    ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"),
    ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
    ("http:g", "http:g"),
  ])
  func examplesOfTheStandardResolveAsItSays(_ reference: String, _ target: String) {
    let base = URLReference("http://a/b/c/d;p?q")
    #expect(URLReference(reference).resolved(against: base).text == target)
  }

  @Test(arguments: [
    ("https://a.example", "icon.png", "https://a.example/icon.png"),
    ("https://a.example?x/y", "icon.png", "https://a.example/icon.png"),
    ("https://a.example/apps/info.json", "icon@2x.png", "https://a.example/apps/icon@2x.png"),
    ("https://a.example/apps/info.json", "//b.example/i.png", "https://b.example/i.png"),
    ("https://a.example/a/../b/info.json", "", "https://a.example/a/../b/info.json"),
  ])
  func sourceIsResolvedAgainstTheURLOfTheList(_ base: String, _ source: String, _ url: String)
    throws
  {
    #expect(try ResolvedURL(source, against: ResolvedURL(base)).text == url)
  }

  @Test func fragmentIsNotKept() throws {
    #expect(try ResolvedURL("https://a.example/i.png#x").text == "https://a.example/i.png")
    let base = try ResolvedURL("https://a.example/info.json")
    #expect(try ResolvedURL("#x", against: base) == base)
  }

  @Test(arguments: [
    (
      "my icon.png",
      "the URL contains a space, control or non-ASCII character at byte 20; percent-encode it"
    ),
    ("data:image/png;base64,AA", "the URL has no host"),
    ("javascript:alert(1)", "the URL has no host"), ("file:///etc/passwd", "the URL has no host"),
    (
      "i\0.png",
      "the URL contains a space, control or non-ASCII character at byte 19; percent-encode it"
    ),
    (String(repeating: "x", count: 2049), "the URL is longer than 2048 bytes"),
    (String(repeating: "x", count: 2040), "the URL is longer than 2048 bytes"),
  ])
  func sourceThatMakesNoURLIsRefusedWithItsReason(_ source: String, _ reason: String) throws {
    let base = try ResolvedURL("https://a.example/x")
    #expect(throws: ResolvedURL.Refusal(reason: reason)) {
      try ResolvedURL(source, against: base)
    }
  }

  @Test func urlOfTheGreatestLengthIsTaken() throws {
    let url = "https://a.example/" + String(repeating: "x", count: 2048 - 18)
    #expect(try ResolvedURL(url).text == url)
    #expect(throws: ResolvedURL.Refusal(reason: "the URL is longer than 2048 bytes")) {
      try ResolvedURL(url + "x")
    }
  }
}
