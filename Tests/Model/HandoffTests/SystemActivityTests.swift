import Handoff
import ShareItem
import TestSupport
import Testing

/// The system's activities: their names, and what they accept.
@Suite struct SystemActivityTests {
  private static let types = "sharing/data/activity_types.tsv"
  private static let tables = "sharing/data/activity_datatypes.tsv"

  @Test(.enabled(if: SharedReference.exists(types)))
  func allTypesOfTheReferenceAreKnownByTheirNames() throws {
    let rows = try SharedReference.rows(Self.types).filter { $0["objc_constant"]?.isEmpty == false }
    #expect(rows.count == 20)
    for row in rows {
      let activity = try #require(SystemActivity(row["raw_value"] ?? ""))
      #expect(activity.type.rawValue == row["raw_value"])
      for name in [row["objc_constant"], row["swift_name"], activity.name.rawValue] {
        #expect(SystemActivity(name ?? "") == activity, "\(name ?? "")")
      }
      if let category = row["category"], ["share", "action"].contains(category) {
        #expect(activity.category.rawValue == category)
      }
    }
    // Telephone calls and maps are ours.
    #expect(SystemActivity.all.count == 22)
    #expect(Set(SystemActivity.all.map(\.name)).count == 22)
    #expect(Set(SystemActivity.all.map(\.type)).count == 22)
  }

  @Test func wrongIdentifierOfTencentWeiboIsTakenAndNeverGiven() throws {
    let wrong = try #require(SystemActivity("com.apple.UIKit.activity.PostToTencentWeibo"))
    #expect(wrong.type.rawValue == "com.apple.UIKit.activity.TencentWeibo")
    #expect(wrong.type == .postToTencentWeibo)
    #expect(wrong == SystemActivity("UIActivityTypePostToTencentWeibo"))
    #expect(wrong == SystemActivity("tencent-weibo"))
    #expect(SystemActivity("UIActivityTypeTencentWeibo") == nil)
    #expect(SystemActivity("com.apple.UIKit.activity.Nothing") == nil)
    #expect(SystemActivity("Mail") == nil && SystemActivity("") == nil)
  }

  @Test(.enabled(if: SharedReference.exists(tables)))
  func historicTableIsThatOfTheArticle() throws {
    let columns: [(String, ActivityKinds)] = [
      ("nshipster_String", .string), ("nshipster_AttributedString", .attributed),
      ("nshipster_Data", .data), ("nshipster_Image", .image), ("nshipster_Asset", .asset),
    ]
    let rows = try SharedReference.rows(Self.tables)
    #expect(rows.count == 14)
    for row in rows {
      let name = row["activity"] ?? ""
      let activity = try #require(
        SystemActivity("UIActivityType" + name)
          ?? SystemActivity(
            "com.apple.UIKit.activity." + name))
      for (column, kind) in columns {
        let isAccepted = row[column]?.hasPrefix("Y") == true
        #expect(activity.canPerform([kind], by: .nshipster) == isAccepted, "\(name) \(column)")
      }
      let takesURL = row["nshipster_URL"]?.hasPrefix("Y") == true
      #expect(activity.canPerform([.url], by: .nshipster) == takesURL, "\(name)")
    }
  }

  private static let page = ActivityKinds.url("https://example.com")
  private static let picture: ActivityKinds = [.file, .image]
  private static let film: ActivityKinds = [.file, .movie]

  /// Which of text, web page, file, picture, film, untyped and typed data each takes.
  @Test(arguments: [
    ("facebook", "tpfif.."), ("mail", "t.fif.d"), ("message", "tpfif.d"),
    ("copy", "tpfif.."), ("print", "..fifd."), ("contact", "...i..."),
    ("reading-list", ".p....."), ("flickr", "...i..."), ("vimeo", "....f.."),
    ("save", "..fifd."), ("airdrop", "tpfif.."), ("call", "t......"),
    ("map", "t......"), ("share-play", "......."),
  ])
  func applesTableDecides(_ word: String, _ marks: String) throws {
    let activity = try #require(SystemActivity(word))
    let things: [ActivityKinds] = [
      .string, Self.page, .file, Self.picture, Self.film, .data, .typedData,
    ]
    let accepted = things.map { activity.canPerform([$0]) ? "y" : "." }.joined()
    #expect(accepted == String(marks.map { $0 == "." ? "." : "y" }))
  }

  @Test func everyThingMustBeAccepted() throws {
    let mail = try #require(SystemActivity("mail"))
    #expect(!mail.canPerform([]))
    #expect(mail.canPerform([.string, Self.picture]))
    #expect(!mail.canPerform([.string, Self.page]))
    #expect(mail.canPerform([.string, Self.page], by: .nshipster))
    let list = try #require(SystemActivity("reading-list"))
    #expect(!list.canPerform([ActivityKinds.url("ftp://example.com")]))
    #expect(!list.canPerform([Self.page, Self.picture]))
  }

  @Test func kindsOfURLsAreThoseOfTheirSchemes() {
    #expect(ActivityKinds.url("HTTPS://example.com") == [.url, .webURL])
    #expect(ActivityKinds.url("sms:1") == [.url, .smsURL])
    #expect(ActivityKinds.url("tel:1") == [.url, .telURL])
    #expect(ActivityKinds.url("maps:?q=a") == [.url, .mapURL])
    #expect(ActivityKinds.url("ftp://example.com") == .url)
    #expect(ActivityKinds([.url, .webURL, .file, .image]).words == "URLs, files")
  }
}
