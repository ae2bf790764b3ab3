import Foundation
import ShareItem
import TestSupport
import Testing

struct AttributedLinkTests {
  typealias Parameter = AttributedLink.Parameter

  private static let app = "com.ideashower.ReadItLaterPro"
  private static let article = "http://www.hodinkee.com/blog/hodinkee-apple-watch-review"
  private static let escaped =
    "http%3A%2F%2Fwww.hodinkee.com%2Fblog%2Fhodinkee-apple-watch-review"

  // The nine of the helper for Pocket.

  @Test("testCheckIfCanUseExtensionHostAppHelper")
  func onlyTheActivityOfPocketUnderstandsLinks() {
    #expect(AttributedLink.canUse("com.ideashower.ReadItLaterPro.AddToPocketExtension"))
    #expect(!AttributedLink.canUse("com.apple.UIKit.activity.PostToTwitter"))
    #expect(!AttributedLink.canUse("com.ideashower.readitlaterpro.AddToPocketExtension"))
  }

  @Test("testCreatingExtensionHostAppURL")
  func urlOrParametersMakeTheSameLink() throws {
    let expected = "\(Self.app)://extensionsave?tweet_id=123456&url=\(Self.escaped)"
    let tweet = Parameter(name: "tweet_id", value: "123456")
    let ofURL = try AttributedLink(app: Self.app, url: Self.article, parameters: [tweet])
    let ofParameters = try AttributedLink(
      app: Self.app, parameters: [tweet, Parameter(name: "url", value: Self.article)])
    #expect(ofURL.text == expected)
    #expect(ofParameters == ofURL)
    #expect(throws: AttributedLink.Failure.self) {
      try AttributedLink(app: "", url: Self.article)
    }
    #expect(throws: AttributedLink.Failure.self) { try AttributedLink(app: Self.app) }
  }

  @Test("testCheckIfURLIsExtensionHostAppURL")
  func linkIsRecognised() {
    let link = "\(Self.app)3://extensionsave?tweet_id=123456&url=\(Self.escaped)"
    #expect(AttributedLink(lenient: link) != nil)
    #expect(LinkCheck(link).isValid)
    #expect(AttributedLink(lenient: Self.article) == nil)
    #expect(!LinkCheck(Self.article).isValid)
  }

  /// Upstream expects the app without the 3, so that its test cannot pass.
  @Test("testParsingExtensionHostAppURL")
  func linkIsParsed() {
    let link = "\(Self.app)3://extensionsave?tweet_id=123456&url=\(Self.escaped)"
    let expected = [
      Parameter(name: "app_name", value: Self.app + "3"),
      Parameter(name: "tweet_id", value: "123456"), Parameter(name: "url", value: Self.article),
    ]
    #expect(AttributedLink(lenient: link)?.parametersWithApp == expected)
    #expect(LinkCheck(link).link?.parametersWithApp == expected)
  }

  // What the original leaves open.

  @Test func urlOverridesTheParameter() throws {
    let link = try AttributedLink(
      app: "a.b", url: "http://new", parameters: [Parameter(name: "url", value: "http://old")])
    #expect(link.url == "http://new")
    #expect(link.parameters.count == 1)
  }

  @Test(arguments: ["com.foo_bar", "1app", "", "a b", "é.b", "a:b"])
  func appsThatAreNoSchemeAreRefused(app: String) {
    #expect(throws: AttributedLink.Failure.self) {
      try AttributedLink(app: app, url: "http://h")
    }
  }

  @Test func valuesThatWouldNotComeBackAreRefused() {
    for parameter in [
      Parameter(name: "a\0", value: ""), Parameter(name: "a", value: "\0"),
      Parameter(name: "app_name", value: "other"),
    ] {
      #expect(throws: AttributedLink.Failure.self) {
        try AttributedLink(app: "a.b", url: "http://h", parameters: [parameter])
      }
    }
  }

  @Test func namesThatDifferInTheirBytesAreTwo() throws {
    let link = try AttributedLink(
      app: "a.b", url: "http://h",
      parameters: [
        Parameter(name: "é", value: "1"), Parameter(name: "e\u{301}", value: "2"),
        Parameter(name: "Z", value: "3"),
      ])
    #expect(link.text == "a.b://extensionsave?Z=3&e%CC%81=2&url=http%3A%2F%2Fh&%C3%A9=1")
  }

  @Test func tweetHasAnAddressWhereItsNumberIsOne() throws {
    let good = AttributedLink(lenient: "a.b://extensionsave?tweet_id=123&url=http%3A%2F%2Fh")
    #expect(good?.tweetURL == "https://twitter.com/i/web/status/123")
    let bad = AttributedLink(lenient: "a.b://extensionsave?tweet_id=1/2&url=http%3A%2F%2Fh")
    #expect(bad?.tweetURL == nil)
  }

  @Test func parametersComeBack() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var texts = RandomTexts(seed: seed)
    for _ in 0..<2000 {
      let parameters = (0..<Int.random(in: 0..<5, using: &texts.random)).map { _ in
        Parameter(name: texts.next(), value: texts.next())
      }.filter { $0.name != "app_name" }
      let link = try AttributedLink(app: "a.B", url: texts.next(), parameters: parameters)
      let check = LinkCheck(link.text, urls: .anyText)
      try #require(check.link == link, "seed \(seed): \(link.text)")
      try #require(AttributedLink(lenient: link.text) == link, "seed \(seed): \(link.text)")
      try #require(check.link?.text == link.text, "seed \(seed)")
    }
  }
}

struct LinkCheckTests {
  private static let rows: [(link: String, findings: String)] = {
    guard let bytes = try? Fixture.bytes("Sharing/Links/check.tsv") else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
      return (String(parts[0]), String(parts[1]))
    }
  }()

  @Test func everyFlawIsFoundAtItsByte() {
    #expect(Self.rows.count == 54)
    for row in Self.rows {
      let found = LinkCheck(row.link).findings.map { "\($0.code.rawValue)@\($0.offset)" }
      #expect(found.joined(separator: " ") == row.findings, "\(row.link)")
    }
  }

  @Test func everyCodeIsInTheTable() {
    let all = Self.rows.map(\.findings).joined(separator: " ")
    for code in LinkFinding.Code.allCases where code != .tooLarge {
      #expect(all.contains(code.rawValue + "@"), "\(code)")
    }
  }

  @Test func onlyErrorsMakeALinkUnusable() {
    for row in Self.rows {
      let check = LinkCheck(row.link)
      #expect(check.isValid == check.findings.allSatisfy { $0.severity == .warning })
    }
  }

  @Test func largeLinksAreRefused() {
    let lead = "a.b://extensionsave?url=http%3A%2F%2Fh"
    func codes(_ text: String) -> [String] {
      LinkCheck(text).findings.map { "\($0.code.rawValue)@\($0.offset)" }
    }
    #expect(codes(lead + String(repeating: "x", count: 8192 - lead.utf8.count)) == [])
    #expect(
      codes(lead + String(repeating: "x", count: 8193 - lead.utf8.count)) == ["too-large@8192"])
    let pairs = (1...63).map { "&k\($0)=v" }.joined()
    #expect(codes(lead + pairs) == [])
    #expect(codes(lead + pairs + "&k=v") == ["too-large@\((lead + pairs).utf8.count + 1)"])
  }

  @Test func otherSchemesAreAllowedOnRequest() {
    let mail = "a.b://extensionsave?url=mailto%3Aa%40b"
    #expect(!LinkCheck(mail).isValid)
    #expect(LinkCheck(mail, urls: .anyScheme).isValid)
    #expect(!LinkCheck("a.b://extensionsave?url=mailto%3A", urls: .anyScheme).isValid)
    #expect(!LinkCheck("a.b://extensionsave?url=x", urls: .anyScheme).isValid)
    #expect(LinkCheck("a.b://extensionsave?url=x", urls: .anyText).isValid)
  }

  @Test func bytesThatAreNoUTF8AreFound() {
    let check = LinkCheck(Array("a.b://extensionsave?url=http%3A%2F%2Fh".utf8) + [0xff])
    #expect(
      check.findings.map(\.description) == [
        "error bad-utf8 at byte 38: the decoded bytes are not UTF-8",
        "error illegal-character at byte 38: a URL cannot have this character; percent-encode it",
      ])
  }

  @Test func caseOfTheAppIsKept() {
    let link = "com.Example.App://extensionsave?url=http%3A%2F%2Fh"
    #expect(LinkCheck(link).link?.app == "com.Example.App")
    #expect(LinkCheck(link).link?.text == link)
  }

  @Test func linkIsBroughtIntoItsCanonicalForm() {
    let check = LinkCheck("a.b://EXTENSIONSAVE/?url=http:%2f%2Fh%2fa%20b&&attribution_detail=%41")
    #expect(check.link?.text == "a.b://extensionsave?attribution_detail=A&url=http%3A%2F%2Fh%2Fa+b")
  }
}

/// Links against what others make of them.
struct LinkOracleTests {
  /// The function that the original calls, from Swift's Foundation.
  private struct CoreFoundation {
    private typealias Create =
      @convention(c) (OpaquePointer?, UnsafePointer<UInt8>?, Int, UInt32, Bool) -> OpaquePointer?
    private typealias Length = @convention(c) (OpaquePointer) -> Int
    /// The range is a structure of two words, which are passed as two are.
    private typealias Bytes =
      @convention(c) (
        OpaquePointer, Int, Int, UInt32, UInt8, Bool, UnsafeMutablePointer<UInt8>?, Int,
        UnsafeMutablePointer<Int>?
      ) -> Int
    private typealias Release = @convention(c) (OpaquePointer) -> Void
    private typealias Add =
      @convention(c) (OpaquePointer?, OpaquePointer, OpaquePointer?, OpaquePointer?, UInt32) ->
      OpaquePointer?
    private typealias Replace =
      @convention(c) (OpaquePointer?, OpaquePointer, OpaquePointer?, UInt32) -> OpaquePointer?

    private static let utf8: UInt32 = 0x0800_0100
    private let create: Create
    private let length: Length
    private let bytes: Bytes
    private let release: Release
    private let add: Add
    private let replace: Replace

    init?() {
      guard let image = dlopen("libFoundation.so", RTLD_LAZY),
        let create = dlsym(image, "CFStringCreateWithBytes"),
        let length = dlsym(image, "CFStringGetLength"),
        let bytes = dlsym(image, "CFStringGetBytes"), let release = dlsym(image, "CFRelease"),
        let add = dlsym(image, "CFURLCreateStringByAddingPercentEscapes"),
        let replace = dlsym(image, "CFURLCreateStringByReplacingPercentEscapesUsingEncoding")
      else { return nil }
      self.create = unsafeBitCast(create, to: Create.self)
      self.length = unsafeBitCast(length, to: Length.self)
      self.bytes = unsafeBitCast(bytes, to: Bytes.self)
      self.release = unsafeBitCast(release, to: Release.self)
      self.add = unsafeBitCast(add, to: Add.self)
      self.replace = unsafeBitCast(replace, to: Replace.self)
    }

    private func string(_ text: String) -> OpaquePointer? {
      let utf8 = Array(text.utf8)
      return create(nil, utf8, utf8.count, Self.utf8, false)
    }

    private func text(_ string: OpaquePointer) -> String {
      let units = length(string)
      var count = 0
      _ = bytes(string, 0, units, Self.utf8, 0, false, nil, 0, &count)
      var buffer = [UInt8](repeating: 0, count: count)
      _ = bytes(string, 0, units, Self.utf8, 0, false, &buffer, count, &count)
      return String(decoding: buffer, as: UTF8.self)
    }

    func encoded(_ text: String) -> String? {
      guard let text = string(text), let space = string(" "),
        let legal = string("\n\r:/=,!$&'()*+;[]@#?%")
      else { return nil }
      defer { for string in [text, space, legal] { release(string) } }
      guard let result = add(nil, text, space, legal, Self.utf8) else { return nil }
      defer { release(result) }
      return self.text(result).replacing(" ", with: "+")
    }

    func decoded(_ text: String) -> String? {
      guard let text = string(text.replacing("+", with: " ")), let none = string("") else {
        return nil
      }
      defer { for string in [text, none] { release(string) } }
      guard let result = replace(nil, text, none, Self.utf8) else { return nil }
      defer { release(result) }
      return self.text(result)
    }
  }

  @Test func coreFoundationEscapesTheSame() throws {
    let oracle = try #require(CoreFoundation())
    let seed = UInt64.random(in: 0 ... .max)
    var texts = RandomTexts(seed: seed)
    for _ in 0..<10_000 {
      let text = texts.next()
      try #require(
        oracle.encoded(text)?.utf8.elementsEqual(LinkForm.encoded(text).utf8) == true,
        "seed \(seed): \(text.debugDescription)")
    }
  }

  @Test func coreFoundationReadsTheSame() throws {
    let oracle = try #require(CoreFoundation())
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix(state: seed)
    let pieces = [
      "a", "+", "%", "%2", "%zz", "%41", "%C3%A9", "%c3", "%A9", "%ED%A0%80", "%F0%9F%98%80", "é",
      "%25", "%00", "%f4%90%80%80", "%2B",
    ]
    for _ in 0..<10_000 {
      let text = (0..<Int.random(in: 0..<6, using: &random)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &random)]
      }.joined()
      let ours = LinkForm.decoded(text).map { Array($0.utf8) }
      let theirs = oracle.decoded(text).map { Array($0.utf8) }
      // Of bytes that are no UTF-8 it makes U+FFFD now and then; a pair with them is dropped here.
      let isMended = theirs.map { String(decoding: $0, as: UTF8.self).contains("\u{fffd}") }
      try #require(
        isMended == true ? ours == nil : ours == theirs, "seed \(seed): \(text)")
    }
  }

  @Test func pythonReadsTheSamePairs() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var texts = RandomTexts(seed: seed)
    var links = (try String(decoding: Fixture.bytes("Sharing/Links/check.tsv"), as: UTF8.self))
      .split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
      .filter { LinkCheck($0).isValid }
    for _ in 0..<500 {
      let parameters = (0..<3).map { _ in
        AttributedLink.Parameter(name: texts.next(), value: texts.next())
      }.filter { $0.name != "app_name" }
      links.append(
        try AttributedLink(app: "a.b", url: "http://h", parameters: parameters).text)
    }
    let program = """
      import json, sys, urllib.parse
      for line in sys.stdin:
          query = line.rstrip("\\n").split("?", 1)[1]
          pairs = urllib.parse.parse_qsl(query, keep_blank_values=True, encoding="utf-8")
          print(json.dumps(sorted([k.encode().hex(), v.encode().hex()] for k, v in pairs)))
      """
    let run = try Execution.run(
      ["python3", "-c", program], input: Array((links.joined(separator: "\n") + "\n").utf8))
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.text.split(separator: "\n")
    try #require(lines.count == links.count)
    for (link, line) in zip(links, lines) {
      let pairs = try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [[String]])
      let check = LinkCheck(link, urls: .anyText)
      let ours = try #require(check.link, "seed \(seed): \(link)").parameters.map {
        [Self.hexadecimal($0.name), Self.hexadecimal($0.value)]
      }
      #expect(ours.sorted { $0[0] < $1[0] } == pairs.sorted { $0[0] < $1[0] }, "\(link)")
    }
  }

  private static func hexadecimal(_ text: String) -> String {
    text.utf8.map { String(format: "%02x", $0) }.joined()
  }
}

/// Random texts without NUL, of all that links have to escape and of characters from everywhere.
struct RandomTexts {
  var random: SplitMix
  private static let common = Array(
    "aZ0-._~ +%&=?/:#[]@!$'()*,;\"<>\\^`{|}\n\r\té日😀".unicodeScalars)

  init(seed: UInt64) { random = SplitMix(state: seed) }

  mutating func next() -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0..<12, using: &random) {
      if Bool.random(using: &random) {
        text.append(Self.common[Int.random(in: 0..<Self.common.count, using: &random)])
      } else if let scalar = Unicode.Scalar(UInt32.random(in: 1..<0x11_0000, using: &random)) {
        text.append(scalar)
      }
    }
    return String(text)
  }
}
