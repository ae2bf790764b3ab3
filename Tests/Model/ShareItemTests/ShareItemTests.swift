import BinaryPropertyList
import ShareItem
import TestSupport
import Testing

struct ShareItemTests {
  @Test func unknownKeysStayAsTheyAre() throws {
    let strange: PropertyList = .array([
      .date(secondsSinceReferenceDate: .infinity), .float(1.5), .uid(7), .data([0, 255]),
      .dictionary(["é": .null, "e\u{301}": .set([.integer(1)])]),
    ])
    var item = try ShareItem(userInfo: [
      "com.apple.UIKit.NSExtensionItemUserInfoIsContentManagedKey": .integer(0),
      "strange": strange, "x-extension-item": .dictionary(["more": strange]),
      "NSExtensionItemAttachmentsKey": .array([
        .dictionary([
          "registeredTypeIdentifiers": .array([.string("public.data")]), "value": .data([1]),
          "mime": .integer(3), "further": strange,
        ])
      ]),
    ])
    item.tags = ["a"]
    item.title = "t"
    item.attachments = item.attachments
    #expect(item.userInfo["strange"] == strange)
    #expect(
      item.userInfo["x-extension-item"]
        == .dictionary(["more": strange, "tags": .array([.string("a")])]))
    let attachment = try #require(item.attachments.first)
    #expect(attachment.mediaType == nil)
    #expect(attachment.others == ["mime": .integer(3), "further": strange])
    item.tags = nil
    #expect(item.userInfo["x-extension-item"] == .dictionary(["more": strange]))
  }

  @Test func dictionaryOfFieldsGoesWithItsLastField() {
    var item = ShareItem()
    item.sourceURL = "https://example.com"
    item.sourceURL = nil
    #expect(item.userInfo.isEmpty)
  }

  @Test func flawsTellWhatIsPassedOver() throws {
    let rich = Array(#"{\rtf1\ansi\ansicpg1252 caf\'e9}"#.utf8)
    let item = try ShareItem(userInfo: [
      "NSExtensionItemAttributedTitleKey": .data(rich),
      "NSExtensionItemAttributedContentTextKey": .data([1]),
      "x-extension-item": .dictionary([
        "tags": .array([.string("a"), .integer(1)]), "source-url": .string("no url"),
        "referrer-name": .integer(1), "referrer-web-url": .string("http://a"),
      ]),
      "NSExtensionItemAttachmentsKey": .array([
        .integer(1), .dictionary([:]),
        .dictionary(["registeredTypeIdentifiers": .array([.string("a")])]),
        .dictionary([
          "registeredTypeIdentifiers": .array([.string("a")]), "value": .string(""),
          "path": .string("p"),
        ]), .dictionary(["registeredTypeIdentifiers": .array([]), "value": .string("")]),
        .dictionary([
          "registeredTypeIdentifiers": .array([.string("a")]), "value": .string("v"),
        ]),
      ]),
      "x-extension-item-activities": .dictionary(["*": .dictionary([:])]),
    ])
    #expect(item.title == "café")
    #expect(item.contentText == nil)
    #expect(item.tags == ["a"])
    #expect(item.attachments.map(\.content) == [.text("v")])
    let attachments = "NSExtensionItemAttachmentsKey"
    #expect(
      item.flaws.map(\.description) == [
        ".NSExtensionItemAttributedTitleKey: rich text; only its plain text is read",
        ".NSExtensionItemAttributedContentTextKey: not a text; ignored",
        ".x-extension-item.tags[1]: not a text; ignored",
        ".x-extension-item.source-url: not an absolute URL; ignored",
        ".x-extension-item.referrer-name: not a text; ignored",
        ".\(attachments)[0]: an attachment is a dictionary; ignored",
        ".\(attachments)[1]: the type of an attachment is not known; ignored",
        ".\(attachments)[2]: an attachment has either a value, text or data, or a path; ignored",
        ".\(attachments)[3]: an attachment has either a value, text or data, or a path; ignored",
        ".\(attachments)[4]: the type of an attachment is not known; ignored",
        ".x-extension-item-activities.*: not an activity's dictionary; ignored",
      ])
  }

  @Test func mediaTypesAreThoseOfRFC6838() throws {
    let long = String(repeating: "a", count: 127)
    let types: [(String, Bool)] = [
      ("image/png", true), ("application/vnd.example.a+json", true), ("x-a/1!#$&-^_.+", true),
      ("text/plain;charset=utf-8", true), ("text/plain ;\t a=\"b; c\"; d=e", true),
      ("\(long)/\(long)", true), ("\(long)a/b", false), ("a/\(long)a", false),
      ("image/png\r\nEMAIL:evil@example.org", false), ("image/png\n", false), ("", false),
      ("image", false), ("/png", false), ("image/", false), ("image/-png", false),
      ("image/*", false), (" image/png", false), ("image/png ", false), ("image/png/a", false),
      ("image/ü", false), ("image/png\u{0}", false), ("image/png;", false), ("a/b; c", false),
      ("a/b;c=", false), ("a/b;c=\"d", false), ("a/b;c=\"\r\n\"", false), ("a/b;c=d e", false),
      ("a/b;c=\"\\\"\"", false), ("a/b;c=ü", false),
    ]
    for (type, isValid) in types {
      var set = ShareItem.Attachment.text("x")
      set.mediaType = type
      #expect(set.mediaType == (isValid ? type : nil), "\(type)")
      let made = try ShareItem.Attachment(.text("x"), types: ["a"], mediaType: type)
      #expect(made.mediaType == set.mediaType)
      #expect(
        ShareItem.Attachment.file("x", type: nil, mediaType: type).mediaType == made.mediaType)
      let item = try ShareItem(userInfo: [
        "NSExtensionItemAttachmentsKey": .array([
          .dictionary([
            "registeredTypeIdentifiers": .array([.string("a")]), "value": .string("x"),
            "mime": .string(type),
          ])
        ])
      ])
      #expect(item.attachments.map(\.mediaType) == [made.mediaType])
      #expect(
        item.flaws.map(\.description)
          == (isValid
            ? [] : [".NSExtensionItemAttachmentsKey[0].mime: not a media type; ignored"]))
      #expect(
        item.notes(includesMediaType: true).notes.map(\.value) == (isValid ? [type] : []))
    }
  }

  @Test func itemInAFileIsForEveryActivity() throws {
    let own = try #require(ActivityType(rawValue: "com.example.App.Share"))
    var source = try ItemSource(.url("https://example.com"))
    source.contentText[nil] = "all"
    source.contentText[own] = "own"
    source.additions[nil] = [try ItemSource.Addition(.text("a"))]
    source.additions[.postToTwitter] = []
    let item = try ShareItem(try source.whole().encoded())
    #expect(item.activities == [.postToTwitter, own])
    for activity in [ActivityType.postToFacebook, .postToTwitter, own, .mail] {
      #expect(item.handover(to: activity) == (try source.handover(to: activity)))
    }
    guard case .item(let received)? = item.handover(to: own) else { return }
    #expect(received.contentText == "own")
    #expect(received.userInfo["x-extension-item-activities"] == nil)
    #expect(ShareItem().handover(to: .mail) == nil)
  }

  // Limits.

  @Test func bytesThatAreNoItemAreRefused() throws {
    #expect {
      try ShareItem(Array("no list".utf8))
    } throws: { error in
      (error as? ItemFailure)?.description
        == "not a well-formed binary property list: not a binary property list (at byte 0)"
    }
    let array = try PropertyList.array([]).binary()
    #expect(throws: ItemFailure.self) { try ShareItem(array) }
  }

  @Test func anItemOfAMebibyteIsRefused() throws {
    let large: PropertyList.Dictionary = ["k": .data([UInt8](repeating: 0, count: 1 << 20))]
    let bytes = try PropertyList.dictionary(large).binary()
    #expect {
      try ShareItem(bytes)
    } throws: { error in
      (error as? ItemFailure)?.reason == .tooLarge
    }
    #expect {
      try ShareItem(userInfo: large)
    } throws: { error in
      (error as? ItemFailure)?.reason == .tooLarge
    }
    var item = ShareItem()
    item.userInfo = large
    #expect {
      try item.encoded()
    } throws: { error in
      (error as? ItemFailure)?.reason == .tooLarge
    }
    // The list around the data has 63 bytes.
    let fitting: PropertyList.Dictionary = [
      "k": .data([UInt8](repeating: 0, count: (1 << 20) - 64))
    ]
    let fits = try ShareItem(userInfo: fitting).encoded()
    #expect(fits.count == (1 << 20) - 1)
    #expect(try ShareItem(fits).userInfo == fitting)
  }

  @Test func attachmentsDoNotCountForTheLimit() throws {
    var item = ShareItem()
    item.attachments = [
      try ShareItem.Attachment(.data([UInt8](repeating: 1, count: 3 << 20)), types: ["public.data"])
    ]
    #expect(try ShareItem(try item.encoded()) == item)
  }

  @Test(arguments: [129, 512, 513])
  func deepItemsAreRefused(depth: Int) throws {
    // The dictionary is one level, the text none.
    var deep = PropertyList.string("x")
    for _ in 0..<(depth - 1) { deep = .array([deep]) }
    let userInfo: PropertyList.Dictionary = ["k": deep]
    #expect {
      try ShareItem(userInfo: userInfo)
    } throws: { error in
      (error as? ItemFailure)?.reason == .tooDeep
    }
    if depth <= 512 {
      let bytes = try PropertyList.dictionary(userInfo).binary()
      #expect {
        try ShareItem(bytes)
      } throws: { error in
        (error as? ItemFailure)?.reason == .tooDeep
      }
    }
    var item = ShareItem()
    item.userInfo = ["NSExtensionItemAttachmentsKey": .array([deep])]
    #expect {
      try item.encoded()
    } throws: { error in
      (error as? ItemFailure)?.reason == .tooDeep
    }
  }

  @Test func itemOfTheGreatestDepthIsReadAndWritten() throws {
    var deep = PropertyList.string("x")
    for _ in 0..<127 { deep = .array([deep]) }
    let item = try ShareItem(userInfo: ["k": deep])
    #expect(try ShareItem(try item.encoded()) == item)
  }

  @Test(
    arguments: [
      (.null, "null"), (.set([]), "a set"), (.orderedSet([]), "a set"), (.uid(1), "a UID"),
      (.wideInteger(1 << 70), "an integer of more than 64 bits"),
    ] as [(PropertyList, String)])
  func whatOthersCannotReadIsRefusedWithItsPlace(value: PropertyList, kind: String) throws {
    let item = try ShareItem(userInfo: [
      "a": .dictionary(["b": .array([.string(""), .array([.integer(1), value])])])
    ])
    #expect {
      try item.encoded()
    } throws: { error in
      (error as? ItemFailure)?.description
        == "\(kind) cannot be handed over, since other programs do not read it (at .a.b[1][1])"
    }
  }

  @Test func tenThousandAttachmentsTakeNoTime() throws {
    var item = ShareItem()
    item.attachments = (0..<10_000).map { .url("https://example.com/\($0)") }
    let bytes = try item.encoded()
    // Ten times the fifty milliseconds of the release build, whatever else the machine does.
    var count = 0
    let duration = try Patience.processorTime { count = try ShareItem(bytes).attachments.count }
    #expect(count == 10_000)
    #expect(duration < .milliseconds(500))
  }

  // Laws.

  private struct Values {
    var random: SplitMix

    mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    mutating func text() -> String {
      let letters = Array("aé日😀\u{301}\"\\\n,:%")
      return String((0..<number(8)).map { _ in letters[number(letters.count)] })
    }

    mutating func value(_ depth: Int) -> PropertyList {
      switch number(depth > 3 ? 6 : 8) {
      case 0: .boolean(number(2) == 0)
      case 1: .integer(Int64(bitPattern: random.next()))
      case 2: .real(Double(bitPattern: random.next()))
      case 3: .date(secondsSinceReferenceDate: Double(number(1000)))
      case 4: .data((0..<number(20)).map { UInt8($0) })
      case 5: .string(text())
      case 6: .array((0..<number(4)).map { _ in value(depth + 1) })
      default: .dictionary(dictionary(depth + 1))
      }
    }

    mutating func dictionary(_ depth: Int) -> PropertyList.Dictionary {
      PropertyList.Dictionary((0..<number(4)).map { _ in (text(), value(depth)) }) { _, new in new }
    }

    mutating func item() throws -> ShareItem {
      var item = try ShareItem(userInfo: dictionary(0))
      if number(2) == 0 { item.title = text() }
      if number(2) == 0 { item.contentText = text() }
      if number(2) == 0 { item.tags = (0..<number(4)).map { _ in text() } }
      if number(2) == 0 { item.sourceURL = "https://example.com/" + text() }
      for field in Referrer.Field.allCases where number(2) == 0 {
        item.referrer[field] = field.isURL ? "app:" + text() : text()
      }
      item.attachments = try (0..<number(4)).map { position in
        try ShareItem.Attachment(
          [.text(text()), .data([UInt8(position)]), .path("p" + text())][number(3)],
          types: ["public.data"], suggestedName: number(2) == 0 ? text() : nil)
      }
      return item
    }
  }

  @Test func everyItemIsReadAsItWasWritten() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var values = Values(random: SplitMix(state: seed))
    for _ in 0..<2000 {
      let item = try values.item()
      let copy = try ShareItem(try item.encoded())
      try #require(copy == item, "seed \(seed)")
      try #require(copy.attachments == item.attachments, "seed \(seed)")
      try #require(copy.flaws == item.flaws, "seed \(seed)")
    }
  }
}
