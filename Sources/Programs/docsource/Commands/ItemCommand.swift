import CommandLineInterface
import Handoff
import LinuxSystem
import Provenance
import ShareItem
import TextFormats

/// `docsource item`: what an app hands over to another one.
enum ItemCommand: Command {
  static let verb = "item"
  static var members: [any Command.Type] {
    [
      ItemShowCommand.self, ItemMakeCommand.self, ItemApplyCommand.self, ItemExtractCommand.self,
      ItemSendCommand.self, ItemContainerCommand.self,
    ]
  }

  static let declaration = CommandDeclaration(
    name: verb, summary: "read, make and keep share items, which apps hand over", operands: "",
    members: members.map { $0.declaration },
    examples: [
      "docsource item show article.xei", "docsource item apply article.xei article.html",
    ],
    manual: manual)

  private static let manual = ManualText(
    """
    A share item is what an iOS app hands over to another one with a document: a title, a text, tags,
    the URL that the content came from, the app that hands it over (the referrer, with six fields),
    the attachments, and parameters of single applications. The library XExtensionItem defined its
    keys. docsource reads and writes items as property lists, and keeps with a file what an item says
    of it.

    In a file, an item is a binary property list called NAME.xei. Its root is the dictionary userInfo
    of the NSExtensionItem. Values that property lists lack stand as text: a URL as it is, text with
    styles as plain text. Rich text is accepted when reading; the styles are lost. Each attachment
    is a dictionary with registeredTypeIdentifiers, an array of uniform types with the preferred one
    first; either value, text or data, or path, relative to the directory of the item; and perhaps
    suggestedName and mime. XML and JSON property lists are read as well.

    An item is for every activity. What single activities receive in the place of what all of them do
    is in the key x-extension-item-activities, for each activity a dictionary with some of these keys:

      nothing        true if the activity receives nothing
      main           an attachment in the place of the first one of the item
      attachments    attachments in the place of all but the first one
      content-text   a text in the place of that of the item
      subject        a subject in the place of the title
      type           the uniform type that the main attachment is said to have
      thumbnail      thumbnails in the place of those of the item

    ACTIVITY, here and in options, is an identifier such as com.example.App.Share, the name of a
    constant of Apple's (UIActivityTypePostToTwitter, .postToTwitter or postToTwitter), or one of
    these words: airdrop, call, contact, copy, facebook, flickr, mail, map, message, pocket, print,
    reading-list, save, tencent-weibo, twitter, vimeo and weibo. Names and words are written as the
    identifiers that they stand for; in items that are read they count as these.

    The key x-extension-item-thumbnail has small pictures of the content, an array of attachments
    that are PNG or JPEG, of at most \(ShareItem.Thumbnail.sizeLimit >> 10) KiB each, with width and
    height in pixels. docsource does not decode them.

    The main attachment, the first one, decides which share targets an item is offered to, unless a
    target says Match=all; all attachments are then handed over. Nothing is loaded later: documents
    that an iOS app makes when an activity has been chosen are in the item.

    docsource is a Swift package and a set of programs; the library's CocoaPods and Carthage
    packages and its sample app have no counterpart.

    Reading is tolerant: a value of another type than expected counts as missing, and 'item show'
    lists it. Unknown keys are kept and shown. An item of 1 MiB or more without its attachments, or with more
    than \(ShareItem.depthLimit) levels, is refused.

    """,
    exitStatus: [.noSource: ""], sections: [attributes, trust, session],
    seeAlso: ["docsource-link(1)", "docsource-trace(1)", "docsource-marks(7)"])

  private static let attributes = ManualText.Section(
    "ATTRIBUTES OF FILES",
    """
    'item apply' writes these attributes, and 'item show FILE' reads them:

      user.x-extension-item         everything but the attachments and
                                    thumbnails, as a binary property list
      user.xdg.origin.url           the URL of the content
      user.xdg.referrer.url         the web page of the referrer
      user.xdg.tags                 tags, with commas between them
      user.dublincore.title         the title
      user.dublincore.description   the text
      user.xdg.publisher            the name of the referrer

    user.xdg.comment is read as the text, and is written only with --comment, since it is the user's
    own; user.mime_type is read, and written only with --media-type. Tags that contain a comma or a
    control character cannot be in user.xdg.tags; they are kept in user.x-extension-item. User names
    and passwords are removed from URLs. Of what single activities receive, user.x-extension-item has
    the texts, subjects and types. In it, keys of x-extension-item and of applications are side by
    side: an application's key called like a field, such as title or tags, is left out and reported.

    The document source says which application a file came from, user.x-extension-item what the
    sharing app said of the content. Neither is derived from the other, except with --source and
    --from.
    """)

  private static let trust = ManualText.Section(
    "TRUST AND PRIVACY",
    """
    An item is a claim by whoever wrote it. docsource opens no URL of an item and runs nothing that an
    item names. Paths of attachments that lead out of the directory of the item are refused, unless
    --any-path is given.

    'item make --from' leaves out what identifies the user, unless --keep-private is given: user
    names and passwords in URLs, what follows the path of the referrer's web page, and URLs that open
    apps.
    """)

  private static let session = ManualText.Section(
    "EXAMPLE SESSION",
    """
      $ docsource item make --url https://example.com/a --title Apples --tag fruit \\
      > --source-url https://example.com --referrer-name Reader -o apples.xei
      $ docsource item show apples.xei
      apples.xei:
        Title        "Apples"
        Tags         "fruit"
        Source       "https://example.com"
        Referrer     "Reader"
        Attachment   1: "https://example.com/a" (public.url)
      $ touch apples.html
      $ docsource item apply apples.xei apples.html
      apples.html: wrote: user.x-extension-item
      apples.html: wrote: user.xdg.origin.url
      apples.html: wrote: user.xdg.tags
      apples.html: wrote: user.dublincore.title
      apples.html: wrote: user.xdg.publisher
    """)
}

/// `docsource item show`: prints items, and what files say of their content.
enum ItemShowCommand: Command {
  private static let activity = OptionDeclaration(
    "for", value: "ACTIVITY", help: "show what ACTIVITY would receive")

  static let answerOfFailure: [(key: String, value: String)]? = [("item", "null")]
  static let readsStandardInput = true

  static let verb = "show"
  static let declaration = CommandDeclaration(
    name: "item show", summary: "print share items, and what files say of their content",
    operands: "[FILE...]",
    details: """
      FILE is a share item (.xei, or a binary, XML or JSON property list), or any other file, whose
      attributes are shown. Without FILE, or if FILE is -, an item is read from standard input.
      """,
    options: [activity, Operands.noDereference, BulkChange.json, FileList.option],
    examples: [
      "docsource item show article.xei",
      "docsource item show --for com.apple.UIKit.activity.Mail article.xei",
    ],
    manual: manual)

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let receiver = try ItemActivity.given(by: activity, in: arguments, console)
    let operands = arguments.operands.isEmpty ? [Array("-".utf8)] : arguments.operands
    let links = arguments.has(Operands.noDereference) ? Links.noFollow : .follow
    return operands.reduce(.done) { status, operand in
      guard let input = ItemInput.read(operand, links: links, console) else { return .failed }
      return status.combined(with: show(input, operand, receiver, console))
    }
  }

  private static func show(
    _ input: ItemInput, _ operand: [UInt8], _ receiver: ActivityType?, _ console: Console
  ) -> ExitStatus {
    let name = InputFile.named([operand]).first?.name ?? operand[...]
    if case .marks(let marks, _) = input, marks.isEmpty {
      return lack("no share item", name, console)
    }
    guard let receiver else {
      if console.writesObjects {
        console.write(JSONText.path(name) + members(input))
      } else {
        console.output.writeLine("\(EscapedText(name)):")
        switch input {
        case .item(let item): ItemFormat.write(item, console)
        case .marks(let marks, _): ItemFormat.write(marks, console)
        }
      }
      return isDamaged(input) ? .failed : .done
    }
    switch input.handedOn.handover(to: receiver) {
    case .nothing?: return lack(TargetChoice.nothing, name, console)
    case nil: return lack("no attachment, which is all that this activity receives", name, console)
    case let handover?:
      write(handover, receiver, name, console)
      return .done
    }
  }

  private static func isDamaged(_ input: ItemInput) -> Bool {
    if case .marks(let marks, _) = input { marks.mark != nil && marks.item == nil } else { false }
  }

  private static func lack(
    _ reason: String, _ name: ArraySlice<UInt8>, _ console: Console
  ) -> ExitStatus {
    if console.writesObjects {
      console.write(
        JSONText.path(name) + [("item", "null")] + JSONText.member("reason", reason))
    }
    console.report(name, reason)
    return .noSource
  }

  private static func members(_ input: ItemInput) -> ItemFormat.Members {
    switch input {
    case .item(let item):
      return [("item", JSONText.object(ItemFormat.fields(item)))] + ItemFormat.flaws(item.flaws)
    case .marks(let marks, _):
      var members: ItemFormat.Members = []
      if let item = marks.item {
        members.append(("item", JSONText.object(ItemFormat.fields(item))))
        members += ItemFormat.flaws(item.flaws)
      } else {
        members.append(("item", "null"))
        if let mark = marks.mark { members += JSONText.member("error", OriginText.value(mark)) }
      }
      if let mark = marks.mark {
        members += JSONText.path(mark.carrier.name[...], key: "carrier")
      }
      return members + ItemFormat.notes(marks)
    }
  }

  private static func write(
    _ handover: ItemSource.Handover, _ receiver: ActivityType, _ name: ArraySlice<UInt8>,
    _ console: Console
  ) {
    if console.writesObjects {
      var members = JSONText.path(name) + JSONText.member("activity", receiver.rawValue)
      switch handover {
      case .document(let document): members.append(("document", ItemFormat.object(document)))
      case .item(let item): members.append(("item", JSONText.object(ItemFormat.fields(item))))
      case .nothing: break
      }
      return console.write(members)
    }
    console.output.writeLine("\(EscapedText(name)) for \(EscapedText(receiver.rawValue)):")
    switch handover {
    case .document(let document): console.writeRow("Document", ItemFormat.words(document))
    case .item(let item): ItemFormat.write(item, console)
    case .nothing: break
    }
  }

  private static let manual = ManualText(
    """
    A file is an item if it is called NAME.xei, or is a property list that has one of an item's keys.
    Of any other file, the attributes that docsource-item(1) lists are shown, each with its name. If
    the item in user.x-extension-item and another attribute differ, both are shown.

    With --for, only what ACTIVITY would receive is shown. ACTIVITY is the identifier of a share
    extension or of an activity of iOS, such as com.apple.UIKit.activity.PostToTwitter, or another
    name of an activity, as in docsource-item(1). Message, Mail, Print, CopyToPasteboard, AssignToContact, SaveToCameraRoll, AddToReadingList and AirDrop
    receive the first attachment alone. Of a file that is no item, the item made of its attributes is
    shown.

    With --json, item is an object with title, contentText, tags, sourceURL, referrer, attachments,
    activities, thumbnails, unknownFields (unknown keys of x-extension-item) and parameters, or null; flaws has what was ignored or lost when reading, each with key
    and reason. An attachment has types and one of text, data (in Base64) and path. Of a file that is
    no item, carrier is the attribute with the item, and notes has the other attributes: field, value,
    carrier, and differs if the item says something else. With --for, activity is ACTIVITY, and
    document is the attachment of an activity that receives no item.
    """,
    exitStatus: [
      .noSource:
        "Some file has no share item, nor any of the other attributes, or nothing for ACTIVITY.",
      .failed: "Some file could not be read, or its share item is damaged.",
    ],
    seeAlso: ["docsource-item(1)", "docsource-trace(1)"])
}
