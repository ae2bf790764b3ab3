import BinaryPropertyList
import Foundation
import ShareItem

extension Report {
  /// (d): a share item of ten attachments, read with all its fields; and one of ten thousand.
  mutating func addShareItem() throws {
    let bytes = try Self.item(attachments: 10).encoded()
    let data = Data(bytes)
    let times = Stopwatch.best(
      rounds: 40,
      [
        Work(2000) { sink(unfailing { () throws in Self.fields(try ShareItem(bytes)) }) },
        Work(200) { Coders.decode(CodableItem.self, data) },
      ])
    let large = try Self.item(attachments: 10_000).encoded()
    let whole = Stopwatch.best(
      rounds: 10,
      [Work(1) { sink(unfailing { () throws in Self.fields(try ShareItem(large)) }) }])
    print("(d) a share item of ten attachments, \(bytes.count) bytes")
    compare("d a ShareItem, all fields", times[0], with: "PLD", times[1], goal: 5)
    compare("d 10,000 attachments, all fields", whole[0], with: "50 ms", 50e6, goal: 1)
  }

  private static func item(attachments count: Int) throws -> ShareItem {
    var item = ShareItem()
    item.title = "A title"
    item.contentText = "What is to be said"
    item.tags = ["one", "two", "three"]
    item.sourceURL = "https://example.com/article"
    item.referrer = Referrer(
      appName: "Example", appStoreID: "12345", googlePlayID: "org.example",
      webURL: "https://example.com/1", iOSAppURL: "example://1", androidAppURL: "example://1")
    item.attachments = try (0..<count).map { number in
      try ShareItem.Attachment(
        .text("https://example.com/\(number)"), types: ["public.url"],
        suggestedName: "name \(number)")
    }
    return item
  }

  private static func fields(_ item: ShareItem) -> Int {
    [item.title, item.contentText, item.sourceURL].compactMap(\.self).count
      + (item.tags?.count ?? 0) + (item.referrer.isEmpty ? 0 : 1) + item.attachments.count
  }
}

/// The same item for Codable.
private struct CodableItem: Decodable {
  struct Generic: Decodable {
    var tags: [String]
    var sourceURL, name, store, play, web, ios, android: String

    enum CodingKeys: String, CodingKey {
      case tags
      case sourceURL = "source-url"
      case name = "referrer-name"
      case store = "referrer-app-store-id"
      case play = "referrer-google-play-id"
      case web = "referrer-web-url"
      case ios = "referrer-ios-app-url"
      case android = "referrer-android-app-url"
    }
  }

  struct Attachment: Decodable {
    var registeredTypeIdentifiers: [String]
    var value: String
    var suggestedName: String
  }

  var title, text: String
  var generic: Generic
  var attachments: [Attachment]

  enum CodingKeys: String, CodingKey {
    case title = "NSExtensionItemAttributedTitleKey"
    case text = "NSExtensionItemAttributedContentTextKey"
    case generic = "x-extension-item"
    case attachments = "NSExtensionItemAttachmentsKey"
  }
}
