import BinaryPropertyList
import Foundation
import ShareItem
import TestSupport
import Testing

/// The vectors of the authors, which are not in this repository.
enum SharingVectors {
  static let directory = Fixture.root.deletingLastPathComponent()
    .appending(path: "shared/reference/sharing/data")

  static func exist(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: directory.appending(path: name).path)
  }

  static func json(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: directory.appending(path: name))
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }
}

@Suite(.enabled(if: SharingVectors.exist("pocket_vectors.json"), "needs ../shared"))
struct PocketVectorTests {
  private let vectors: [String: Any]

  init() throws { vectors = try SharingVectors.json("pocket_vectors.json") }

  @Test func constantsAreTheirs() throws {
    let constants = try #require(vectors["constants"] as? [String: Any])
    #expect(constants["activityType"] as? String == AttributedLink.activityType)
    let names = try #require(constants["parameters"] as? [String: String])
    #expect(
      Set(names.values) == [
        AttributedLink.Name.url, AttributedLink.Name.tweetIdentifier,
        AttributedLink.Name.attribution, AttributedLink.Name.app,
      ])
  }

  @Test func everyTextIsEscapedAsTheirs() throws {
    let ascii = try #require(vectors["encode_ascii"] as? [String: String])
    #expect(ascii.count == 127)
    for (code, expected) in ascii {
      let scalar = try #require(UInt32(code.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init))
      #expect(LinkForm.encoded(String(Character(scalar))) == expected, "\(code)")
    }
    let rows = try #require(vectors["encode"] as? [[String: String]])
    #expect(rows.count == 18)
    for row in rows { #expect(LinkForm.encoded(row["input"] ?? "") == row["output"]) }
  }

  @Test func everyTextIsReadAsTheirs() throws {
    let rows = try #require(vectors["decode"] as? [[String: Any]])
    #expect(rows.count == 16)
    for row in rows {
      let input = try #require(row["input"] as? String)
      #expect(LinkForm.decoded(input) == row["output"] as? String, "\(input)")
    }
  }

  @Test func everyUpstreamTestHolds() throws {
    let rows = try #require(vectors["upstream_tests"] as? [[String: Any]])
    #expect(rows.count == 9)
    for row in rows {
      let input = row["input"] as? String ?? ""
      switch row["op"] as? String {
      case "canUse": #expect(AttributedLink.canUse(input) == row["expect"] as? Bool)
      case "recognise":
        #expect((AttributedLink(lenient: input) != nil) == row["expect"] as? Bool)
      case "parse":
        guard var expected = row["expect"] as? [String: String] else {
          #expect(AttributedLink(lenient: input) == nil)
          continue
        }
        // The note of the row: the test of the original is wrong.
        expected["app_name"] = "com.ideashower.ReadItLaterPro3"
        let parsed = try #require(AttributedLink(lenient: input)).parametersWithApp
        #expect(Dictionary(uniqueKeysWithValues: parsed.map { ($0.name, $0.value) }) == expected)
      default:
        let parameters = (row["parameters"] as? [String: String] ?? [:])
          .map { AttributedLink.Parameter(name: $0.key, value: $0.value) }
        let link = try? AttributedLink(
          app: row["app"] as? String ?? "", url: row["url"] as? String, parameters: parameters)
        #expect((link == nil) == (row["expect"] is NSNull))
        guard let link else { continue }
        #expect(link.app == "com.ideashower.ReadItLaterPro")
        #expect(link.text.contains("tweet_id=123456"))
        #expect(
          link.text.contains(
            "url=http%3A%2F%2Fwww.hodinkee.com%2Fblog%2Fhodinkee-apple-watch-review"))
      }
    }
  }

  @Test func everyRowOfTheMatrixHasItsVerdicts() throws {
    let rows = try #require(vectors["recognition_matrix"] as? [[String: Any]])
    #expect(rows.count == 31)
    for row in rows {
      let url = try #require(row["url"] as? String)
      #expect((AttributedLink(lenient: url) != nil) == (row["original_rule"] as? String == "YES"))
      let strict = try #require(row["strict"] as? String)
      // The value of `url` is checked apart: "x" and "a" are none.
      let codes = LinkCheck(url).findings.map(\.code).filter { $0 != .invalidURL }
      let errors = codes.filter { $0.severity == .error }
      #expect(errors.isEmpty == strict.hasPrefix("ok"), "\(url): \(codes)")
      for word in strict.split(separator: " ") {
        guard let code = LinkFinding.Code(rawValue: String(word)), code != .invalidURL else {
          continue
        }
        #expect(codes.contains(code), "\(url)")
      }
    }
  }
}

@Suite(.enabled(if: SharingVectors.exist("xei_vectors.json"), "needs ../shared"))
struct ItemVectorTests {
  @Test func everyVectorIsReadAndKept() throws {
    let vectors = try #require(
      try SharingVectors.json("xei_vectors.json")["vectors"] as? [[String: Any]])
    #expect(vectors.count == 4)
    for vector in vectors {
      let hexadecimal = Array(try #require(vector["hex"] as? String).utf8)
      let bytes = stride(from: 0, to: hexadecimal.count, by: 2).compactMap {
        UInt8(String(decoding: hexadecimal[$0..<($0 + 2)], as: UTF8.self), radix: 16)
      }
      let item = try ShareItem(bytes)
      let expected = try #require(vector["plist"] as? NSDictionary)
      let written = try item.encoded()
      let plist = try PropertyListSerialization.propertyList(from: Data(written), format: nil)
      #expect(plist as? NSDictionary == expected)
      switch vector["name"] as? String {
      case "readme-example": readmeExample(item)
      case "minimal-tags-source":
        #expect(item.tags == ["a", "b"] && item.sourceURL == "http://tumblr.com")
      default:
        #expect(item.tags == nil && item.sourceURL == nil && item.referrer == Referrer())
        #expect(!item.flaws.isEmpty)
      }
    }
  }

  private func readmeExample(_ item: ShareItem) {
    #expect(item.tags == ["apple", "ipad", "ios"])
    #expect(item.sourceURL == "http://apple.com")
    #expect(
      item.referrer
        == Referrer(
          appName: "XExtensionItem Example", appStoreID: "12345", googlePlayID: "12345",
          webURL: "http://myservice.com/a94ks0583k", iOSAppURL: "myservice://content/a94ks0583k",
          androidAppURL: "myservice://content/a94ks0583k"))
    #expect(
      item.parameters()
        == TumblrParameters(
          urlPathComponent: "want-this-for-xmas", postType: .link,
          consumerKey: "YOUR_CONSUMER_KEY_HERE"))
    #expect(item.title == "Apple")
    #expect(item.contentText == "iPad Air 2. Change is in the air")
    #expect(item.attachments == [.url("http://apple.com/ipad-air-2/"), .text("String of text")])
    #expect(item.flaws.isEmpty)
  }
}

/// Items as other programs read and write them.
struct ItemExchangeTests {
  private static let names = ["whole", "rich-title", "wrong-types", "activities", "no-fields"]

  @Test(arguments: names)
  func othersReadWhatIsWritten(name: String) throws {
    let directory = try TemporaryDirectory()
    let bytes = try ShareItem(Fixture.bytes("Sharing/Items/\(name).xei")).encoded()
    try directory.write(bytes, to: "item.xei")
    let original = Fixture.root.appending(path: "Fixtures/Sharing/Items/\(name).xei").path
    let compare = """
      import plistlib, sys
      a, b = (plistlib.load(open(p, "rb")) for p in sys.argv[1:])
      sys.exit(a != b)
      """
    let python = try Execution.run([
      "python3", "-c", compare, directory.path("item.xei"), original,
    ])
    #expect(python.status == 0, "\(python.errors)")
    let plistutil = try Execution.run(
      [
        "plistutil", "-i", directory.path("item.xei"), "-o", directory.path("out.plist"), "-f",
        "xml",
      ])
    #expect(plistutil.status == 0, "\(plistutil.errors)")
    let xml = try Execution.run(["python3", "-c", compare, directory.path("out.plist"), original])
    #expect(xml.status == 0, "\(xml.errors)")
  }

  @Test func fixtureSaysAllItsFields() throws {
    let item = try ShareItem(Fixture.bytes("Sharing/Items/whole.xei"))
    #expect(item.tags == ["one", "two, three", "vier"])
    #expect(item.sourceURL == "https://example.com/a?b=c#d")
    #expect(item.referrer.googlePlayID == "org.example")
    #expect(item.title == "A title" && item.contentText == "What is said\nwith it")
    #expect(item.parameters(TumblrParameters.self).postType == .link)
    #expect(
      item.attachments.map(\.typeIdentifiers) == [
        ["public.url"], ["public.plain-text"], ["public.png"],
        ["com.adobe.pdf", "public.file-url"],
      ])
    #expect(item.attachments.map(\.suggestedName) == [nil, "note", "picture.png", nil])
    #expect(item.attachments[3].content == .path("report.pdf"))
    #expect(item.flaws.isEmpty)
    #expect(try ShareItem(Fixture.bytes("Sharing/Items/rich-title.xei")).title == "café ’")
    #expect(throws: ItemFailure.self) {
      try ShareItem(Fixture.bytes("Sharing/Items/array.xei"))
    }
  }
}
