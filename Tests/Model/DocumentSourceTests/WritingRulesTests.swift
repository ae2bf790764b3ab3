import Testing

@testable import DocumentSource

@Suite struct WritingRulesTests {
  @Test(arguments: [
    "https://example.com", "https://example.com/a/b.json?x=1&y=%20#z", "HTTPS://EXAMPLE.COM:443/",
    "https://user@example.com/", "https://[2001:db8::1]:8443/a", "https://xn--nxasmq6b/",
  ])
  func absoluteHTTPSURLIsAccepted(_ url: String) throws {
    try WritingRules().check(url, for: .appInfoURL)
  }

  @Test(arguments: [
    ("", "it is not an absolute URL like https://example.com/appInfo.json"),
    ("appInfo.json", "it is not an absolute URL like https://example.com/appInfo.json"),
    ("//example.com/a", "it is not an absolute URL like https://example.com/appInfo.json"),
    ("1https://example.com/", "it is not an absolute URL like https://example.com/appInfo.json"),
    ("https:", "the URL has no host"), ("https:example.com", "the URL has no host"),
    ("https:///a", "the URL has no host"), ("https://:443/a", "the URL has no host"),
    ("https://user@/a", "the URL has no host"),
    ("https://example.com:https/", "the port of the URL is not a number"),
    (
      "https://exa mple.com/",
      "the URL contains a space, control or non-ASCII character at byte 11; percent-encode it"
    ),
    (
      "https://example.com/ä",
      "the URL contains a space, control or non-ASCII character at byte 20; percent-encode it"
    ),
    (
      "https://example.com/\n",
      "the URL contains a space, control or non-ASCII character at byte 20; percent-encode it"
    ),
    ("https://example.com/<a>", "the URL contains '<' at byte 20; percent-encode it"),
    (
      "https://example.com/%2",
      "the URL contains '%' without two hexadecimal digits at byte 20"
    ),
    (
      "https://example.com/%zz",
      "the URL contains '%' without two hexadecimal digits at byte 20"
    ),
    ("file:///etc/passwd", "the URL has no host"),
    ("javascript:alert(1)", "the URL has no host"),
    ("https://a\0b/", "contains a NUL character"),
    ("https://[::1", "the '[' in the URL is not closed"),
    ("https://[::1]x/", "the URL contains text between the host and the port"),
    ("https://[example]/", "the brackets in the URL do not contain an IPv6 address"),
    ("https://h]x/", "the host of the URL contains an invalid character"),
    ("https://ex[ample.com/", "the host of the URL contains an invalid character"),
    ("https://a@b@c/", "the host of the URL contains an invalid character"),
    ("https://a#f#g", "the URL contains more than one '#'"),
    ("https://a/[b", "the URL contains a bracket at byte 10; percent-encode it"),
  ])
  func otherURLIsRefusedWithItsReason(_ url: String, _ reason: String) {
    #expect(throws: RefusedValue(.appInfoURL, reason)) {
      try WritingRules().check(url, for: .appInfoURL)
    }
  }

  @Test func otherSchemeIsRefusedWithWhatWouldAllowIt() {
    #expect(throws: RefusedValue(.appInfoURL, "the scheme 'http' is not https", remedy: .anyScheme))
    {
      try WritingRules().check("http://example.com/", for: .appInfoURL)
    }
  }

  @Test func otherSchemeIsAcceptedWhenAskedFor() throws {
    try WritingRules(schemes: .any).check("http://localhost:8080/a", for: .appInfoURL)
    #expect(throws: RefusedValue(.appInfoURL, "the URL has no host")) {
      try WritingRules(schemes: .any).check("file:///etc/passwd", for: .appInfoURL)
    }
  }

  @Test(arguments: DocumentSource.Field.allCases)
  func nulIsRefusedEverywhere(_ field: DocumentSource.Field) {
    #expect(throws: RefusedValue(field, "contains a NUL character")) {
      try WritingRules().check("a\0b", for: field)
    }
  }

  @Test(arguments: [
    ("com.example.app", true), ("com.appliedphasor.working-copy", true), ("a.b", true),
    ("org.gnome.TextEditor_1", true), ("editor", false), ("", false), ("com.", false),
    (".com", false), ("com..app", false), ("com.ex ample", false), ("com.exämple", false),
  ])
  func identifierThatIsNotReverseDNSIsDoubtful(_ identifier: String, _ isReverseDNS: Bool) {
    let doubt = WritingRules().doubt(about: identifier, for: .identifier)
    #expect(
      doubt
        == (isReverseDNS
          ? nil : "identifier '\(identifier)' is not in reverse-DNS form like com.example.app"))
    #expect(WritingRules().doubt(about: identifier, for: .name) == nil)
  }
}
