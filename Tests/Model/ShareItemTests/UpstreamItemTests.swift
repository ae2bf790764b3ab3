import BinaryPropertyList
import ShareItem
import Synchronization
import Testing

/// The tests of XExtensionItem 0.9.5 by their numbers and names, for the types here.
///
/// Numbers 1, 4, 6, 8, 9 and 11 make a source of nothing, which has no expression in Swift: the
/// command line refuses it (`ItemMakeTests`). 36 asks an installed application for its name, which the
/// command line does.
struct UpstreamItemTests {
  private func item(
    _ source: ItemSource, for activity: ActivityType = .postToFacebook
  ) throws -> ShareItem {
    guard case .item(let item) = try source.handover(to: activity) else {
      Issue.record("no item")
      return ShareItem()
    }
    return item
  }

  private let picture = ItemContent.file(path: "/pictures/mountain.png", type: "public.png")

  @Test("2 testURLInitializerWillCreateExtensionItemWithURLAttachment")
  func urlBecomesAnAttachmentOfItsType() throws {
    let item = try item(ItemSource(.url("http://tumblr.com")))
    #expect(item.attachments == [.url("http://tumblr.com")])
    #expect(item.attachments[0].typeIdentifiers == ["public.url"])
  }

  @Test("3 testURLInitializerWillCreateExtensionItemWithFileURLAttachment")
  func fileBecomesAnAttachmentOfItsOwnType() throws {
    let attachment = try item(ItemSource(picture)).attachments[0]
    #expect(attachment.content == .path("/pictures/mountain.png"))
    #expect(attachment.typeIdentifiers == ["public.png", "public.file-url"])
  }

  @Test("5 testStringInitializerWillCreateExtensionItemWithStringAttachment")
  func textBecomesAnAttachmentOfItsType() throws {
    let attachment = try item(ItemSource(.text("foo"))).attachments[0]
    #expect(attachment.content == .text("foo"))
    #expect(attachment.typeIdentifiers == ["public.plain-text"])
  }

  @Test("7 testImageInitializerWillCreateExtensionItemWithImageAttachment")
  func imageBecomesAnAttachmentOfItsType() throws {
    let attachment = try item(ItemSource(.image([1, 2]))).attachments[0]
    #expect(attachment.content == .data([1, 2]))
    #expect(attachment.typeIdentifiers == ["public.image"])
  }

  @Test("9 testDataInitializerThrowsIfTypeIdentifierIsNil")
  func dataWithoutTypeIsRefused() {
    #expect(throws: ItemFailure.self) { try ItemSource(.data([1])) }
    #expect(throws: ItemFailure.self) { try ItemSource(.data([1]), type: "") }
  }

  @Test("10 testDataInitializerWillCreateExtensionItemWithDataAttachment")
  func dataKeepTheirType() throws {
    let attachment = try item(ItemSource(.data([1, 2]), type: "public.png")).attachments[0]
    #expect(attachment.content == .data([1, 2]))
    #expect(attachment.typeIdentifiers == ["public.png"])
  }

  @Test("12 testPlaceholderInitializerReturnsDifferentItemsBasedOnActivityType")
  func providerMakesTheDocumentOfTheActivity() throws {
    let source = try ItemSource.text { .text($0 == .postToTwitter ? "bar" : "foo") }
    let twitter = try item(source, for: .postToTwitter).attachments
    let facebook = try item(source, for: .postToFacebook).attachments
    #expect(twitter == [.text("bar")])
    #expect(facebook == [.text("foo")])
  }

  @Test("13 testPlaceholderProvidedTypeIdentifierIsReturnedAsDataTypeIdentifier")
  func declaredTypeIsReportedOfData() throws {
    let source = try ItemSource(.text("foo"), type: "public.video")
    #expect(source.dataTypeIdentifier(for: nil) == "public.video")
  }

  @Test(
    "14-17 testPlaceholderTypeIdentifierIsInferredFrom{URL,FileURL,String,Image}",
    arguments: zip(
      [
        ItemContent.url("http://tumblr.com"),
        .file(path: "/pictures/mountain.png", type: "public.png"), .text("foo"), .image([1]),
      ], ["public.url", "public.png", "public.plain-text", "public.image"]))
  func typeIsInferredFromThePlaceholder(content: ItemContent, type: String) throws {
    #expect(try ItemSource(content).dataTypeIdentifier(for: nil) == type)
  }

  @Test("18 testTextReturnedForSystemActivityThatCannotHandleExtensionItem")
  func mailReceivesTheBareText() throws {
    var source = try ItemSource(.text("Foo"))
    source.additions[nil] = [try ItemSource.Addition(.url("http://apple.com"))]
    #expect(try source.handover(to: .mail) == .document(.text("Foo")))
  }

  @Test("19 testExtensionItemReturnedForSystemActivityThatCanHandleExtensionItem")
  func twitterReceivesAnItem() throws {
    #expect(try item(ItemSource(.text("Foo")), for: .postToTwitter).attachments.count == 1)
  }

  @Test("20 testExtensionItemReturnedForNonSystemExtension")
  func extensionsReceiveAnItem() throws {
    let activity = try #require(ActivityType(rawValue: "com.irace.me.SomeExtension"))
    #expect(try item(ItemSource(.text("Foo")), for: activity).attachments.count == 1)
  }

  @Test("21 testTitle")
  func titleArrives() throws {
    var source = try ItemSource(.text(""))
    source.title = "Foo"
    #expect(try item(source).title == "Foo")
  }

  @Test("22 testTitleReturnedForSubject")
  func titleIsTheSubject() throws {
    var source = try ItemSource(.text(""))
    source.title = "Foo"
    #expect(source.subject(for: .mail) == "Foo")
  }

  @Test("23 testAttributedContentText")
  func contentTextArrives() throws {
    var source = try ItemSource(.text(""))
    source.contentText[nil] = "Foo"
    #expect(try item(source).contentText == "Foo")
  }

  @Test("24 testSeparateAttributedContentTextValueForTwitter")
  func contentTextOfOneActivityIsItsOwn() throws {
    var source = try ItemSource(.text(""))
    source.contentText[nil] = "Foo"
    source.contentText[.postToTwitter] = "Bar"
    #expect(try item(source, for: .postToFacebook).contentText == "Foo")
    #expect(try item(source, for: .postToTwitter).contentText == "Bar")
  }

  @Test("25 testAttributedContentForActivityTypeClearedByPassingNil")
  func clearingContentTextConcernsOneRow() throws {
    var source = try ItemSource(.text(""))
    source.contentText[nil] = "Foo"
    source.contentText[.postToTwitter] = "Bar"
    source.contentText[nil] = nil
    #expect(try item(source, for: .postToFacebook).contentText == nil)
    #expect(try item(source, for: .postToTwitter).contentText == "Bar")
    source.contentText[.postToTwitter] = nil
    #expect(try item(source, for: .postToFacebook).contentText == nil)
    #expect(try item(source, for: .postToTwitter).contentText == nil)
  }

  @Test("26 testAttachments")
  func mainDocumentComesFirst() throws {
    var source = try ItemSource(.url("http://tumblr.com"))
    source.additions[nil] = [
      try ItemSource.Addition(.url("http://apple.com")), try ItemSource.Addition(.text("foo")),
    ]
    let expected: [ShareItem.Attachment] = [
      .url("http://tumblr.com"), .url("http://apple.com"), .text("foo"),
    ]
    #expect(try item(source).attachments == expected)
  }

  @Test(
    "27-30 testItemProviderCreatedFrom{URL,FileURL,String,Image}AdditionalAttachment",
    arguments: zip(
      [
        ItemContent.url("http://apple.com"), .file(path: "mountain.png", type: "public.png"),
        .text("foo"), .image([1]),
      ],
      [["public.url"], ["public.png", "public.file-url"], ["public.plain-text"], ["public.image"]]))
  func additionsTellTheirTypes(content: ItemContent, types: [String]) throws {
    var source = try ItemSource(.url("http://tumblr.com"))
    source.additions[nil] = [try ItemSource.Addition(content)]
    #expect(try item(source).attachments[1].typeIdentifiers == types)
  }

  @Test("31 testSeparateAdditionalAttachmentsForTwitter")
  func additionsOfOneActivityAreItsOwn() throws {
    var source = try ItemSource(.url("http://tumblr.com"))
    source.additions[nil] = [try ItemSource.Addition(.text("foo"))]
    source.additions[.postToTwitter] = [try ItemSource.Addition(.text("bar"))]
    let main = ShareItem.Attachment.url("http://tumblr.com")
    #expect(try item(source, for: .postToFacebook).attachments == [main, .text("foo")])
    #expect(try item(source, for: .postToTwitter).attachments == [main, .text("bar")])
  }

  @Test("32 testAdditionalAttachmentsForActivityTypeClearedByPassingNil")
  func clearingAdditionsConcernsOneRow() throws {
    var source = try ItemSource(.url("http://tumblr.com"))
    source.additions[nil] = [try ItemSource.Addition(.text("foo"))]
    source.additions[.postToTwitter] = [try ItemSource.Addition(.text("bar"))]
    source.additions[nil] = nil
    #expect(try item(source, for: .postToFacebook).attachments.count == 1)
    #expect(try item(source, for: .postToTwitter).attachments.count == 2)
  }

  @Test("33 testTags")
  func tagsKeepTheirOrder() throws {
    var source = try ItemSource(.text(""))
    source.tags = ["foo", "bar", "baz"]
    #expect(try item(source).tags == ["foo", "bar", "baz"])
  }

  @Test("34 testSourceURL")
  func sourceURLArrives() throws {
    var source = try ItemSource(.text(""))
    source.sourceURL = "http://tumblr.com"
    #expect(try item(source).sourceURL == "http://tumblr.com")
  }

  @Test("35 testReferrer")
  func allSixFieldsOfTheReferrerArrive() throws {
    let referrer = Referrer(
      appName: "Tumblr", appStoreID: "12345", googlePlayID: "54321",
      webURL: "http://bryan.io/a94kan4", iOSAppURL: "tumblr://a94kan4",
      androidAppURL: "tumblr://a94kan4")
    var source = try ItemSource(.text(""))
    source.referrer = referrer
    #expect(try item(source).referrer == referrer)
    // Upstream compares two of the six, and takes absent ones for different.
    for field in Referrer.Field.allCases {
      var other = referrer
      other[field] = nil
      #expect(other != referrer)
    }
    #expect(Referrer() == Referrer())
  }

  @Test("37 testThumbnailProvider")
  func thumbnailIsThatOfTheActivity() throws {
    var source = try ItemSource(.text(""))
    source.thumbnail = { size, activity in
      [UInt8(size.0), UInt8(size.1), activity == .mail ? 1 : 2]
    }
    #expect(source.thumbnail(for: .mail, size: (3, 4)) == [3, 4, 1])
    #expect(source.thumbnail(for: .postToFacebook, size: (5, 6)) == [5, 6, 2])
  }

  @Test("38 testThumbnailProviderDoesNotThrowIfNoThumbnailBlock")
  func noThumbnailWithoutProvider() throws {
    #expect(try ItemSource(.text("")).thumbnail(for: .mail, size: (1, 1)) == nil)
  }

  @Test("39 testUserInfo")
  func keysOfTheHostArrive() throws {
    var source = try ItemSource(.text(""))
    source.userInfo = ["foo": .string("bar"), "one": .integer(1)]
    let arrived = try item(source).userInfo
    #expect(arrived["foo"] == .string("bar"))
    #expect(arrived["one"] == .integer(1))
  }

  @Test("40 testCustomParameters")
  func customParametersArrive() throws {
    let parameters = TumblrParameters(
      urlPathComponent: "want-this", postType: .link, consumerKey: "key")
    var source = try ItemSource(.text(""))
    try source.add(parameters)
    #expect(try item(source).parameters() == parameters)
  }

  @Test("41 testUserInfoAndCustomParameters")
  func keysOfTheHostAndCustomParametersArriveTogether() throws {
    let parameters = TumblrParameters(urlPathComponent: "want-this")
    var source = try ItemSource(.text(""))
    try source.add(parameters)
    source.userInfo = ["foo": .string("bar")]
    let item = try item(source)
    #expect(item.userInfo["foo"] == .string("bar"))
    #expect(item.parameters() == parameters)
  }

  @Test(
    "42 testTypeSafety",
    arguments: [
      ["x-extension-item": .array([])],
      [
        "x-extension-item": .dictionary([
          "source-url": .string(""), "tags": .dictionary([:]), "referrer-name": .array([]),
          "referrer-app-store-id": .array([]), "referrer-google-play-id": .array([]),
          "referrer-web-url": .array([]), "referrer-ios-app-url": .array([]),
          "referrer-android-app-url": .array([]),
        ])
      ],
    ] as [PropertyList.Dictionary])
  func wrongTypesAreAsIfAbsent(userInfo: PropertyList.Dictionary) throws {
    let item = try ShareItem(userInfo: userInfo)
    #expect(item.tags == nil)
    #expect(item.sourceURL == nil)
    #expect(item.referrer == Referrer())
    #expect(item.title == nil && item.contentText == nil && item.attachments.isEmpty)
  }

  private static let right = TypedValues([
    "string": .string("foo"), "number": .integer(7), "url": .string("http://tumblr.com"),
    "dictionary": .dictionary(["a": .integer(1)]), "array": .array([.integer(1)]),
    "data": .data([1]),
  ])
  private static let wrong = TypedValues([
    "string": .integer(1), "number": .string("1"), "url": .integer(1), "dictionary": .integer(1),
    "array": .integer(1), "data": .integer(1),
  ])

  @Test("43, 44 testString, testStringReturnsNilForWrongType")
  func stringIsAString() {
    #expect(Self.right.string("string") == "foo")
    #expect(Self.wrong.string("string") == nil)
  }

  @Test("45, 46 testNumber, testNumberReturnsNilForWrongType")
  func numberIsANumber() {
    #expect(Self.right.number("number") == 7)
    #expect(Self.right.unsignedInteger("number") == 7)
    #expect(Self.wrong.number("number") == nil)
    #expect(Self.wrong.unsignedInteger("number") == nil)
  }

  @Test("47, 48 testURL, testURLReturnsNilForWrongType")
  func urlIsATextWithAScheme() {
    #expect(Self.right.url("url") == "http://tumblr.com")
    #expect(Self.right.url("string") == nil)
    #expect(Self.wrong.url("url") == nil)
  }

  @Test("49, 50 testDictionary, testDictionaryReturnsNilForWrongType")
  func dictionaryIsADictionary() {
    #expect(Self.right.dictionary("dictionary") == ["a": .integer(1)])
    #expect(Self.wrong.dictionary("dictionary") == nil)
  }

  @Test("51, 52 testArray, testArrayReturnsNilForWrongType")
  func arrayIsAnArray() {
    #expect(Self.right.array("array") == [.integer(1)])
    #expect(Self.wrong.array("array") == nil)
  }

  @Test("53, 54 testData, testDataReturnsNilForWrongType")
  func dataAreData() {
    #expect(Self.right.data("data") == [1])
    #expect(Self.wrong.data("data") == nil)
  }
}

/// What XExtensionItem's documentation says and its tests do not ask.
struct ItemSourceTests {
  private final class Count: Sendable {
    private let value = Mutex(0)
    var current: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
  }

  @Test func providersAreCalledForTheChosenActivityOnly() throws {
    let (main, common, own) = (Count(), Count(), Count())
    var source = try ItemSource.url { activity in
      main.add()
      return .url("https://example.com/" + activity.rawValue)
    }
    source.additions[nil] = [
      try ItemSource.Addition(type: "public.png") {
        common.add()
        return .data([1])
      }
    ]
    source.additions[.postToTwitter] = [
      try ItemSource.Addition(type: "public.png") {
        own.add()
        return .data([2])
      }
    ]
    #expect(try source.placeholderDocument() == .url("http://example.com"))
    #expect(source.dataTypeIdentifier(for: .postToTwitter) == "public.url")
    #expect([main, common, own].map(\.current) == [0, 0, 0])
    guard case .item(let item) = try source.handover(to: .postToTwitter) else {
      Issue.record("no item")
      return
    }
    #expect([main, common, own].map(\.current) == [1, 0, 1])
    #expect(item.attachments.last?.content == .data([2]))
    // An activity that takes no item needs no additions.
    _ = try source.handover(to: .mail)
    #expect([main, common, own].map(\.current) == [2, 0, 1])
  }

  @Test func mainDocumentOfAnotherClassHasItsOwnType() throws {
    let source = try ItemSource(.text(""), type: "public.html") { activity in
      switch activity {
      case .postToTwitter: .url("https://example.com")
      case .postToFlickr: .data([1])
      default: .text("<p>")
      }
    }
    func types(_ activity: ActivityType) throws -> [String]? {
      guard case .item(let item) = try source.handover(to: activity) else { return nil }
      return item.attachments.first?.typeIdentifiers
    }
    #expect(try types(.postToTwitter) == ["public.url"])
    // Data tell no type: the declared one stays, as it does for a text.
    #expect(try types(.postToFlickr) == ["public.html"])
    #expect(try types(.postToFacebook) == ["public.html"])
  }

  @Test func laterPartsOverrideEarlierOnes() throws {
    var source = try ItemSource(.text("main"))
    try source.add(AnyParameters(["a": .integer(1), "b": .integer(1)]))
    try source.add(AnyParameters(["b": .integer(2), "c": .integer(2)]))
    source.userInfo = [
      "c": .integer(3), "x-extension-item": .dictionary(["source-url": .string("host:a")]),
      "NSExtensionItemAttributedTitleKey": .string("host's"),
    ]
    guard case .item(let passed) = try source.handover(to: .postToTwitter) else { return }
    #expect(passed.userInfo["a"] == .integer(1))
    #expect(passed.userInfo["b"] == .integer(2))
    #expect(passed.userInfo["c"] == .integer(3))
    // Without a field of its own the host's value passes.
    #expect(passed.sourceURL == "host:a")
    #expect(passed.title == "host's")
    source.tags = ["t"]
    source.title = "own"
    guard case .item(let overridden) = try source.handover(to: .postToTwitter) else { return }
    #expect(overridden.sourceURL == nil)
    #expect(overridden.tags == ["t"])
    #expect(overridden.title == "own")
  }

  @Test func itemWithoutFieldsHasNoDictionaryOfThem() throws {
    let item = try ItemSource(.text("a")).whole()
    #expect(Array(item.userInfo.keys) == ["NSExtensionItemAttachmentsKey"])
  }

  @Test func additionWithoutTypeIsRefused() {
    #expect(throws: ItemFailure.self) { try ItemSource.Addition(.data([1])) }
    #expect(throws: ItemFailure.self) {
      try ItemSource.Addition(.file(path: "a", type: nil))
    }
  }

  @Test func keysOfAllItemsAreNoCustomParameters() throws {
    struct Bad: CustomParameters {
      let dictionary: PropertyList.Dictionary
      init(_ userInfo: PropertyList.Dictionary) { dictionary = userInfo }
    }
    var source = try ItemSource(.text("a"))
    for key in ["x-extension-item", "x-extension-item-more", "NSExtensionItemAttachmentsKey"] {
      #expect(throws: ItemFailure.self) { try source.add(Bad([key: .integer(1)])) }
    }
  }

  @Test func anActivityIsNotCalledAsAllOfThem() {
    #expect(ActivityType(rawValue: "*") == nil)
    #expect(ActivityType(rawValue: "") == nil)
  }

  @Test func bareOnesAreTheEightOfTheOriginal() {
    let bare: [ActivityType] = [
      .message, .mail, .print, .copyToPasteboard, .assignToContact, .saveToCameraRoll,
      .addToReadingList, .airDrop,
    ]
    #expect(bare.allSatisfy { !$0.acceptsItem })
    let others = [
      "com.apple.UIKit.activity.OpenInIBooks", "com.apple.UIKit.activity.TencentWeibo", "a.b",
    ]
    for other in others { #expect(ActivityType(rawValue: other)?.acceptsItem == true) }
  }

  @Test func parametersOfTumblrKeepTheLaw() {
    let all: [PropertyList.Dictionary] = [
      [:], ["com.tumblr.tumblr.requested-post-type": .integer(0)],
      [
        "com.tumblr.tumblr.custom-url-path": .string("p"),
        "com.tumblr.tumblr.requested-post-type": .integer(6),
        "com.tumblr.tumblr.consumer-key": .string("k"),
      ],
    ]
    for dictionary in all {
      var more = dictionary
      more["other.key"] = .integer(1)
      #expect(TumblrParameters(more).dictionary == dictionary)
      let parameters = TumblrParameters(dictionary)
      #expect(TumblrParameters(parameters.dictionary) == parameters)
    }
    // Upstream reads a missing number as NSNotFound, and writes that.
    #expect(TumblrParameters([:]).postType == nil)
    for number in [-1, 7, Int64.max] {
      #expect(
        TumblrParameters(["com.tumblr.tumblr.requested-post-type": .integer(number)]).postType
          == nil)
    }
    let given = TumblrParameters(urlPathComponent: "p", consumerKey: "k")
    #expect(given.urlPathComponent == "p" && given.consumerKey == "k")
  }

  @Test func parametersOfAnyKindKeepTheLaw() {
    let dictionary: PropertyList.Dictionary = ["a": .integer(1), "b.c": .array([.data([1])])]
    #expect(AnyParameters(dictionary).dictionary == dictionary)
    var more = dictionary
    more["x-extension-item"] = .dictionary([:])
    #expect(AnyParameters(more).dictionary == dictionary)
  }
}
