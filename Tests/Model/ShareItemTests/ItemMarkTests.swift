import BinaryPropertyList
import ShareItem
import Testing

/// An item's fields in the attributes of a file.
struct ItemMarkTests {
  private func example() throws -> ShareItem {
    var item = try ShareItem(userInfo: [
      "com.tumblr.tumblr.consumer-key": .string("key"),
      "x-extension-item": .dictionary(["more": .integer(1)]),
    ])
    item.title = "Apple"
    item.contentText = "iPad"
    item.tags = ["apple", "a,b", "ipad"]
    item.sourceURL = "http://user:secret@apple.com/a?b#c"
    item.referrer = Referrer(
      appName: "Example", appStoreID: "1", webURL: "http://me@myservice.com",
      iOSAppURL: "myservice://content")
    item.attachments = [
      try ShareItem.Attachment(.text("x"), types: ["public.html"], mediaType: "text/html")
    ]
    var parts = ShareItem.OwnParts()
    parts.contentText = "own"
    item.setParts(parts, for: .postToTwitter)
    return item
  }

  @Test func keysOfOthersWithAMeaningInTheAttributeAreLeftOut() throws {
    var item = try ShareItem(userInfo: [
      "x-extension-item": .dictionary([
        "x-extension-item": .integer(1), "title": .string("not the title"), "more": .integer(2),
      ])
    ])
    item.referrer = Referrer(appName: "Example")
    let (bytes, losses) = try item.mark()
    #expect(
      losses.map(\.description) == [
        ".x-extension-item.x-extension-item: another value has the same name; left out",
        ".x-extension-item.title: another value has the same name; left out",
      ])
    let kept = try ShareItem(mark: bytes)
    #expect(kept.referrer.appName == "Example")
    #expect(kept.title == nil)
  }

  @Test func keysOfApplicationsKeepTheirPlace() throws {
    var item = try ShareItem(userInfo: [
      "org.example.own": .integer(1),
      "x-extension-item": .dictionary(["org.example.among": .integer(2), "more": .integer(3)]),
    ])
    item.title = "A title"
    let kept = try ShareItem(mark: try item.mark().bytes)
    #expect(
      kept.userInfo.entries.map(\.key) == [
        "NSExtensionItemAttributedTitleKey", "org.example.among", "org.example.own",
        "x-extension-item",
      ])
    #expect(try ShareItem(mark: try kept.mark().bytes) == kept)
  }

  @Test func attributeHasAllButDocumentsAndCredentials() throws {
    let (bytes, losses) = try example().mark()
    #expect(
      try PropertyList(binary: bytes)
        == .dictionary([
          "more": .integer(1),
          "tags": .array([.string("apple"), .string("a,b"), .string("ipad")]),
          "source-url": .string("http://apple.com/a?b#c"), "referrer-name": .string("Example"),
          "referrer-app-store-id": .string("1"),
          "referrer-web-url": .string("http://myservice.com"),
          "referrer-ios-app-url": .string("myservice://content"), "title": .string("Apple"),
          "content-text": .string("iPad"),
          "x-extension-item-activities": .dictionary([
            "com.apple.UIKit.activity.PostToTwitter": .dictionary(["content-text": .string("own")])
          ]), "com.tumblr.tumblr.consumer-key": .string("key"),
        ]))
    #expect(
      losses.map(\.description) == [
        ".x-extension-item.source-url: the user name and password in the URL are left out",
        ".x-extension-item.referrer-web-url: the user name and password in the URL are left out",
      ])
  }

  @Test func attributeIsReadAsItWasWritten() throws {
    var item = try example()
    let copy = try ShareItem(mark: try item.mark().bytes)
    item.attachments = []
    item.userInfo["x-extension-item-activities"] = nil
    item.sourceURL = "http://apple.com/a?b#c"
    item.referrer.webURL = "http://myservice.com"
    #expect(copy.tags == item.tags && copy.title == item.title)
    #expect(copy.contentText == item.contentText && copy.sourceURL == item.sourceURL)
    #expect(copy.referrer == item.referrer)
    #expect(copy.parameters() == TumblrParameters(consumerKey: "key"))
    #expect(copy.values.dictionary("x-extension-item")?["more"] == .integer(1))
    #expect(try ShareItem(mark: try copy.mark().bytes) == copy)
  }

  @Test func itemThatSaysNothingHasNoAttribute() throws {
    var item = ShareItem()
    item.attachments = [.text("a")]
    #expect(try item.mark().bytes.isEmpty)
  }

  @Test func richTextIsWrittenPlain() throws {
    let item = try ShareItem(userInfo: [
      "NSExtensionItemAttributedTitleKey": .data(Array(#"{\rtf1 A\par B}"#.utf8))
    ])
    let (bytes, losses) = try item.mark()
    #expect(try PropertyList(binary: bytes) == .dictionary(["title": .string("A\nB")]))
    #expect(losses.map(\.reason) == [.plainText])
  }

  @Test func keyOfAnApplicationDoesNotReplaceAField() throws {
    let item = try ShareItem(userInfo: [
      "tags": .integer(1), "x-extension-item": .dictionary(["tags": .array([.string("a")])]),
    ])
    let (bytes, losses) = try item.mark()
    #expect(try PropertyList(binary: bytes) == .dictionary(["tags": .array([.string("a")])]))
    #expect(losses.map(\.description) == [".tags: another value has the same name; left out"])
    let alone = try ShareItem(userInfo: ["tags": .array([.string("a")]), "title": .string("b")])
    #expect(try alone.mark().bytes.isEmpty)
    #expect(try alone.mark().losses.map(\.reason) == [.collision, .collision])
  }

  @Test func desktopReadsWhatItHasNamesFor() throws {
    let (notes, losses) = try example().notes()
    #expect(
      notes == [
        DesktopNote(name: "xdg.origin.url", value: "http://apple.com/a?b#c"),
        DesktopNote(name: "xdg.referrer.url", value: "http://myservice.com"),
        DesktopNote(name: "xdg.tags", value: "apple,ipad"),
        DesktopNote(name: "dublincore.title", value: "Apple"),
        DesktopNote(name: "dublincore.description", value: "iPad"),
        DesktopNote(name: "xdg.publisher", value: "Example"),
      ])
    #expect(losses.map(\.reason) == [.credentials, .credentials, .tag("a,b")])
    let more = try example().notes(contentText: .comment, includesMediaType: true).notes
    #expect(more.contains(DesktopNote(name: "xdg.comment", value: "iPad")))
    #expect(more.last == DesktopNote(name: "mime_type", value: "text/html"))
  }

  @Test func notesOfTheDesktopMakeAnItem() {
    var item = ShareItem()
    let notes = [
      ("xdg.origin.url", "https://example.com/a"), ("xdg.referrer.url", "https://example.com"),
      ("xdg.tags", " a, b,,a ,c\t"), ("dublincore.title", "T"), ("xdg.comment", "C"),
      ("xdg.publisher", "P"), ("xdg.creator", "no field"), ("mime_type", "text/plain"),
    ]
    let taken = notes.map { item.set(DesktopNote(name: $0.0, value: $0.1)) }
    #expect(taken == [true, true, true, true, true, true, false, false])
    #expect(item.sourceURL == "https://example.com/a")
    #expect(item.referrer == Referrer(appName: "P", webURL: "https://example.com"))
    #expect(item.tags == ["a", "b", "c"])
    #expect(item.title == "T" && item.contentText == "C")
    let refused = item.set(DesktopNote(name: "xdg.origin.url", value: "no url"))
    #expect(!refused)
    #expect(item.sourceURL == "https://example.com/a")
  }

  @Test(arguments: [
    ("a", true), ("a b", true), ("é", true), ("", false), ("a,b", false), (" a", false),
    ("a ", false), ("a\nb", false), ("\u{7f}", false),
  ])
  func tagsWithCommasAndControlsCannotBeHeld(tag: String, isHeld: Bool) {
    #expect(TagList.canHold(tag) == isHeld)
  }

  @Test(arguments: [
    ("http://u:p@h/a@b", "http://h/a@b"), ("http://u@x@h", "http://h"), ("http://h/a@b", nil),
    ("mailto:a@b", nil), ("app://u@h?x", "app://h?x"), ("//u@h", nil), ("ftp://u@", "ftp://"),
  ])
  func credentialsAreTakenOutOfTheAuthorityOnly(url: String, without: String?) {
    var item = ShareItem()
    item.sourceURL = url
    let (notes, losses) = item.notes()
    let expected = AbsoluteText.hasScheme(url) ? [without ?? url] : []
    #expect(notes.map(\.value) == expected)
    #expect(losses.isEmpty == (without == nil || expected.isEmpty))
  }

  private enum AbsoluteText {
    static func hasScheme(_ text: String) -> Bool { !text.hasPrefix("//") }
  }
}
