import BinaryPropertyList
import ShareItem
import Testing

/// What single activities receive, and the names that they go by.
struct ActivityPartsTests {
  private func activity(_ name: String) throws -> ActivityType {
    try #require(ActivityType(named: name))
  }

  @Test(arguments: [
    ("mail", "com.apple.UIKit.activity.Mail"),
    ("UIActivityTypeMail", "com.apple.UIKit.activity.Mail"),
    (".airDrop", "com.apple.UIKit.activity.AirDrop"),
    ("UIActivityType.addToReadingList", "com.apple.UIKit.activity.AddToReadingList"),
    ("UIActivity.ActivityType.markupAsPDF", "com.apple.UIKit.activity.MarkupAsPDF"),
    ("UIActivityTypePostToTencentWeibo", "com.apple.UIKit.activity.TencentWeibo"),
    ("com.apple.UIKit.activity.PostToTencentWeibo", "com.apple.UIKit.activity.TencentWeibo"),
    ("pocket", "com.ideashower.ReadItLaterPro.AddToPocketExtension"),
    ("call", "org.docsource.activity.call"), ("UIActivityTypeCall", "UIActivityTypeCall"),
    ("Mail", "Mail"), (" mail", " mail"), ("com.example.x", "com.example.x"),
  ])
  func namesStandForIdentifiers(name: String, identifier: String) throws {
    #expect(try activity(name).rawValue == identifier)
    // The value itself is any text.
    #expect(ActivityType(rawValue: name)?.rawValue == name)
  }

  @Test func allActivitiesHaveNoName() {
    #expect(ActivityType(named: "") == nil && ActivityType(named: "*") == nil)
    #expect(ActivityType.postToTwitter.isKnown && ActivityType.pocket.isKnown)
    #expect(ActivityType(rawValue: "com.example.x")?.isKnown == false)
    #expect(Set(ActivityType.knownNames).count == ActivityType.knownNames.count)
  }

  @Test func identifiersHaveTheirForm() {
    for text in ["a.b", "com.example.App-1_x.Share"] { #expect(ActivityType.isReverseDNS(text)) }
    for text in ["", "a", ".", "a.", ".a", "a..b", "a b.c", "a.é", "a/b.c", "a.b\n"] {
      #expect(!ActivityType.isReverseDNS(text), "\(text)")
    }
  }

  @Test func partsAreReadAsTheyWereSet() throws {
    let own = ShareItem.OwnParts(
      main: .url("https://e.org"), contentText: "t", additions: [.text("a")], subject: "s",
      type: "public.html", thumbnails: [], receivesNothing: true)
    var item = ShareItem()
    item.setParts(own, for: .mail)
    #expect(try ShareItem(try item.encoded()).parts(for: .mail) == own)
    item.setParts(ShareItem.OwnParts(), for: .mail)
    #expect(item == ShareItem())
  }

  @Test func strangersKeysOfARowAreKept() throws {
    var item = try ShareItem(userInfo: [
      "x-extension-item-activities": .dictionary([
        "UIActivityTypeMail": .dictionary(["more": .integer(1), "subject": .integer(2)])
      ])
    ])
    #expect(item.activities == [.mail])
    var parts = item.parts(for: .mail)
    #expect(parts.subject == nil)
    parts.contentText = "t"
    item.setParts(parts, for: .mail)
    #expect(
      item.userInfo == [
        "x-extension-item-activities": .dictionary([
          "com.apple.UIKit.activity.Mail": .dictionary([
            "content-text": .string("t"), "more": .integer(1), "subject": .integer(2),
          ])
        ])
      ])
  }

  @Test func rowOfTheIdentifierCounts() throws {
    let item = try ShareItem(userInfo: [
      "x-extension-item-activities": .dictionary([
        "mail": .dictionary(["subject": .string("word")]),
        "com.apple.UIKit.activity.Mail": .dictionary(["subject": .string("identifier")]),
        "twitter": .dictionary(["subject": .string("t")]),
      ])
    ])
    #expect(item.activities == [.mail, .postToTwitter])
    #expect(item.subject(for: .mail) == "identifier")
    #expect(item.subject(for: .postToTwitter) == "t")
    // A target that is called so receives what is for the activity.
    #expect(item.subject(for: try #require(ActivityType(rawValue: "postToTwitter"))) == "t")
    #expect(item.subject(for: try #require(ActivityType(rawValue: "mail"))) == "word")
    #expect(
      item.flaws.map(\.description) == [
        ".x-extension-item-activities.mail: another row is that of com.apple.UIKit.activity.Mail, too; ignored"
      ])
    let kept = try ShareItem(mark: try item.mark().bytes)
    #expect(kept.values.dictionary("x-extension-item-activities")?.keys.contains("mail") == false)
    var changed = item
    changed.setParts(ShareItem.OwnParts(subject: "new"), for: .mail)
    #expect(changed.values.dictionary("x-extension-item-activities")?.count == 2)
  }

  @Test func flawsOfARowAreReported() throws {
    let picture: PropertyList = .dictionary([
      "registeredTypeIdentifiers": .array([.string("public.png")]), "value": .data([1]),
    ])
    let item = try ShareItem(userInfo: [
      "x-extension-item-activities": .dictionary([
        "a.b": .dictionary([
          "main": .integer(1), "content-text": .integer(1), "subject": .array([]),
          "type": .string(""), "nothing": .string("yes"), "thumbnail": .array([picture]),
        ])
      ]), "x-extension-item-thumbnail": .dictionary([:]),
    ])
    let lead = ".x-extension-item-activities.a.b"
    #expect(
      item.flaws.map(\.description) == [
        ".x-extension-item-thumbnail: not an array; ignored",
        "\(lead).main: an attachment is a dictionary; ignored",
        "\(lead).content-text: not a text; ignored", "\(lead).subject: not a text; ignored",
        "\(lead).type: not a uniform type; ignored", "\(lead).nothing: not a truth value; ignored",
        "\(lead).thumbnail[0]: a thumbnail is a PNG or JPEG picture of at most 512 KiB; ignored",
      ])
    #expect(item.parts(for: try activity("a.b")).receivesNothing == false)
    #expect(item.thumbnails.isEmpty)
  }

  @Test func nothingIsHandedOverWhereTheProviderMakesNothing() throws {
    var source = try ItemSource(.url("https://e.org")) { activity in
      switch activity {
      case .pocket: .url("com.me://extensionsave?url=https%3A%2F%2Fe.org")
      case .postToFacebook: nil
      default: .url("https://e.org")
      }
    }
    source.title = "T"
    source.subject[.mail] = "S"
    source.types[.print] = "public.html"
    #expect(source.subject(for: .mail) == "S")
    #expect(source.subject(for: .postToTwitter) == "T" && source.subject(for: nil) == "T")
    #expect(source.dataTypeIdentifier(for: .print) == "public.html")
    #expect(source.dataTypeIdentifier(for: .mail) == "public.url")
    let item = try ShareItem(
      try source.whole(including: [.pocket, .postToFacebook, .postToTwitter]).encoded())
    for activity in [ActivityType.pocket, .postToFacebook, .postToTwitter, .mail] {
      #expect(item.handover(to: activity) == (try source.handover(to: activity)))
      #expect(item.subject(for: activity) == source.subject(for: activity))
    }
    #expect(item.handover(to: .postToFacebook) == .nothing)
    #expect(item.dataTypeIdentifier(for: .postToFacebook) == nil)
    #expect(item.dataTypeIdentifier(for: .print) == "public.html")
  }

  @Test func passwordsOfTextsThatAreURLsForOneActivityStayHere() throws {
    var item = ShareItem()
    item.attachments = [.text("https://me:secret@e.org")]
    item.setParts(ShareItem.OwnParts(type: "public.url"), for: .postToTwitter)
    let (bare, losses) = item.withoutPrivateParts()
    #expect(bare.attachments == [.text("https://e.org")])
    #expect(
      losses.map(\.description) == [
        ".NSExtensionItemAttachmentsKey[0]: the user name and password in the URL are left out"
      ])
  }

  @Test func passwordsInNamesAndTagsStayHere() throws {
    var item = ShareItem()
    item.referrer.appName = "A https://me:secret@e.org"
    item.tags = ["a@b", "https:/me:secret@e.org"]
    let (bare, losses) = item.withoutPrivateParts()
    #expect(bare.referrer.appName == "A https://e.org")
    #expect(bare.tags == ["a@b", "https:/e.org"])
    let end = "the user name and password in the URL are left out"
    let words = [
      ".x-extension-item.referrer-name: \(end)", ".x-extension-item.tags: \(end)",
    ]
    #expect(losses.map(\.description) == words)
    let mark = try item.mark()
    #expect(mark.losses.map(\.description) == words)
    let copy = try ShareItem(mark: mark.bytes)
    #expect(copy.referrer == bare.referrer && copy.tags == bare.tags)
    let notes = item.notes()
    #expect(notes.losses.map(\.description) == words.reversed())
    #expect(notes.notes.map(\.value) == ["a@b,https:/e.org", "A https://e.org"])
  }

  @Test func fieldsThatNobodyReadsAreLeftOutAndReported() throws {
    let item = try ShareItem(userInfo: [
      "x-extension-item": .dictionary([
        "source-url": .string("secret"), "referrer-name": .data([1]),
        "tags": .array([.string("a"), .integer(1)]), "own": .integer(1),
        "referrer-web-url": .string("https://e.org"),
      ])
    ])
    let words = [
      ".x-extension-item.source-url: not an absolute URL; ignored",
      ".x-extension-item.referrer-name: not a text; ignored",
      ".x-extension-item.tags[1]: not a text; ignored",
    ]
    for (bare, losses) in [item.withoutUnreadFields(), item.withoutPrivateParts()] {
      #expect(losses.map(\.description) == words)
      #expect(
        bare.userInfo["x-extension-item"]
          == .dictionary([
            "tags": .array([.string("a")]), "own": .integer(1),
            "referrer-web-url": .string("https://e.org"),
          ]))
    }
    let other = try ShareItem(userInfo: ["x-extension-item": .string("secret")])
    for (bare, losses) in [other.withoutUnreadFields(), other.withoutPrivateParts()] {
      #expect(losses.map(\.description) == [".x-extension-item: not a dictionary; ignored"])
      #expect(bare.userInfo.isEmpty)
    }
  }

  @Test func tenThousandActivitiesTakeNoTime() throws {
    var table = PropertyList.Dictionary()
    for number in 0..<10_000 {
      table["com.example.a\(number)"] = .dictionary([
        "main": .dictionary([
          "registeredTypeIdentifiers": .array([.string("public.url")]),
          "value": .string("a://b:c@\(number)"),
        ])
      ])
    }
    let item = try ShareItem(userInfo: ["x-extension-item-activities": .dictionary(table)])
    let duration = try ContinuousClock().measure {
      #expect(item.withoutPrivateParts().losses.count == 10_000)
      #expect(item.flaws.isEmpty)
      #expect(try item.mark().losses.count == 10_000)
      for activity in item.activities { _ = item.parts(for: activity) }
      for name in ActivityType.knownNames { _ = item.parts(for: try activity(name)) }
    }
    #expect(duration < .seconds(10))
  }
}

/// Small pictures.
struct ThumbnailTests {
  private typealias Thumbnail = ShareItem.Thumbnail

  private static let png: [UInt8] =
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8)
    + [0, 0, 1, 0, 0, 0, 0, 2]
  /// With a segment before the frame.
  private static let jpeg: [UInt8] = [
    0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc2, 0, 11, 8, 0, 3, 1, 4, 1, 1, 0x11, 0,
  ]

  @Test func sizesAreReadFromTheHead() {
    #expect(Thumbnail.Size(ofPicture: Self.png) == Thumbnail.Size(width: 256, height: 2))
    #expect(Thumbnail.Size(ofPicture: Self.jpeg) == Thumbnail.Size(width: 260, height: 3))
    for end in 0..<Self.png.count {
      #expect(Thumbnail.Size(ofPicture: Array(Self.png[..<end])) == nil)
    }
    // The frame has all that is wanted before its end.
    for end in 0..<17 { #expect(Thumbnail.Size(ofPicture: Array(Self.jpeg[..<end])) == nil) }
    #expect(Thumbnail.Size(ofPicture: [0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xc0]) == nil)
    #expect(Thumbnail.Size(ofPicture: Array("GIF89a".utf8)) == nil)
    let large = Array(Self.png[..<16]) + [255, 255, 255, 255, 0, 0, 0, 1]
    #expect(Thumbnail.Size(ofPicture: large) == nil)
  }

  @Test(arguments: [
    "", "x", "1x", "x1", "0x1", "1x0", "-1x1", "+1x1", "1x1x1", "1 x1", "1X1", "65537x1",
    "99999999999999999999x1", "١x1",
  ])
  func whatIsNoSizeIsRefused(text: String) { #expect(Thumbnail.Size(text) == nil) }

  @Test func onlySmallPicturesAreThumbnails() throws {
    let size = Thumbnail.Size("256x2")
    let made = try Thumbnail(.data(Self.png), format: .png, size: size)
    var item = ShareItem()
    item.thumbnails = [made, try Thumbnail(.path("a.jpg"), format: .jpeg, size: nil)]
    #expect(try ShareItem(try item.encoded()).thumbnails == item.thumbnails)
    #expect(item.thumbnails[0].size == size)
    let padding = [UInt8](repeating: 0, count: Thumbnail.sizeLimit - Self.png.count)
    _ = try Thumbnail(.data(Self.png + padding), format: .png, size: nil)
    for content: ShareItem.Attachment.Content in [
      .text("a"), .data([]), .data([0x89, 0x50, 0x4e]), .data(Self.png + padding + [0]),
    ] {
      #expect {
        try Thumbnail(content, format: .png, size: nil)
      } throws: { error in
        (error as? ItemFailure)?.reason == .thumbnail
      }
    }
  }

  @Test func oneThatIsLargeEnoughIsBest() throws {
    func thumbnail(_ size: String) throws -> Thumbnail {
      try Thumbnail(.path(size), format: .png, size: Thumbnail.Size(size))
    }
    let all = try ["none", "8x8", "64x32", "32x64", "100x100"].map(thumbnail)
    func best(_ size: String) throws -> String? {
      guard
        case .path(let path)? = Thumbnail.best(of: all, for: try #require(Thumbnail.Size(size)))?
          .attachment.content
      else { return nil }
      return path
    }
    #expect(try best("1x1") == "8x8")
    #expect(try best("9x9") == "64x32")
    #expect(try best("9x40") == "32x64")
    #expect(try best("65x65") == "100x100")
    #expect(try best("101x1") == "100x100")
    let size = try #require(Thumbnail.Size("1x1"))
    #expect(Thumbnail.best(of: [], for: size) == nil)
    #expect(Thumbnail.best(of: [all[0]], for: size) == all[0])
  }
}
