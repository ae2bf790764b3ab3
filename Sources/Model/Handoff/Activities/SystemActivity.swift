package import ShareItem

/// What a thing to be shared is: one thing is of several kinds, a picture's path of three.
package struct ActivityKinds: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let string = ActivityKinds(rawValue: 1)
  /// Text with formats.
  package static let attributed = ActivityKinds(rawValue: 2)
  /// A URL that is none of a file.
  package static let url = ActivityKinds(rawValue: 4)
  /// A URL of http or https.
  package static let webURL = ActivityKinds(rawValue: 8)
  package static let smsURL = ActivityKinds(rawValue: 16)
  package static let telURL = ActivityKinds(rawValue: 32)
  /// A URL of geo or maps.
  package static let mapURL = ActivityKinds(rawValue: 64)
  package static let file = ActivityKinds(rawValue: 128)
  package static let data = ActivityKinds(rawValue: 256)
  /// Data of which the type is known.
  package static let typedData = ActivityKinds(rawValue: 512)
  package static let image = ActivityKinds(rawValue: 1024)
  /// A film, in a file or as data.
  package static let movie = ActivityKinds(rawValue: 2048)
  /// A picture or film of the user's collection.
  package static let asset = ActivityKinds(rawValue: 4096)

  /// The kinds of a URL.
  package static func url(_ text: String) -> ActivityKinds {
    switch text.prefix(while: { $0 != ":" }).lowercased() {
    case "http", "https": [.url, .webURL]
    case "sms": [.url, .smsURL]
    case "tel": [.url, .telURL]
    case "geo", "maps": [.url, .mapURL]
    default: .url
    }
  }

  fileprivate static let names: [(ActivityKinds, String)] = [
    (.string, "text"), (.attributed, "formatted text"), (.url, "URLs"), (.webURL, "web pages"),
    (.smsURL, "sms: URLs"), (.telURL, "tel: URLs"), (.mapURL, "geo: URLs"), (.file, "files"),
    (.data, "data"), (.image, "pictures"), (.movie, "films"),
    (.asset, "pictures and films of your collection"),
  ]

  /// The kinds in words, those that are part of another one left out.
  package var words: String {
    let parts: [(ActivityKinds, ActivityKinds)] = [
      ([.url], [.webURL, .smsURL, .telURL, .mapURL]), ([.file], [.image, .movie, .asset]),
    ]
    let named = parts.reduce(self) { named, part in
      named.isSuperset(of: part.0) ? named.subtracting(part.1) : named
    }
    return Self.names.filter { named.contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}

/// Which table says what activities accept.
package enum ActivityTable: String, CaseIterable, Sendable {
  /// Apple's documentation, and for what only Linux has our own rows.
  case apple
  /// The table of NSHipster's article of 2014, which differs from it.
  case nshipster
}

/// One of the activities that a system offers by itself: those of iOS, and telephone calls and maps,
/// which apps of iOS reach by URLs.
package struct SystemActivity: Hashable, Sendable {
  package enum Category: String, Sendable { case share, action }

  /// What the user calls it.
  package enum Name: String, CaseIterable, Sendable {
    case mail, message, call, map, copy, save
    case readingList = "reading-list"
    case print, contact
    case airDrop = "airdrop"
    case twitter, facebook, weibo
    case tencentWeibo = "tencent-weibo"
    case flickr, vimeo
    case openInIBooks = "open-in-ibooks"
    case markupAsPDF = "markup-as-pdf"
    case sharePlay = "share-play"
    case inviteWithLink = "invite-with-link"
    case copyLink = "copy-link"
    case addToHomeScreen = "add-to-home-screen"
  }

  package let name: Name
  package let type: ActivityType
  package let title: String
  /// Of freedesktop.org's icon naming.
  package let icon: String
  package let category: Category
  private let kinds: [ActivityTable: ActivityKinds]
  /// Why nothing of this kind can be done on Linux.
  package let unavailability: String?

  /// Whether it posts to a service that takes nothing from programs any more. Such an activity is known
  /// by its name, but not listed.
  package var isOfClosedService: Bool { [.tencentWeibo, .flickr, .vimeo].contains(name) }

  private init(
    _ name: Name, _ type: String, _ title: String, _ icon: String, _ category: Category,
    apple: ActivityKinds = [], nshipster: ActivityKinds = [], unavailable reason: String? = nil
  ) {
    self.name = name
    let identifier = type.utf8.contains(0x2e) ? type : "com.apple.UIKit.activity." + type
    // A name is never empty.
    self.type = ActivityType(rawValue: identifier) ?? .mail
    self.title = title
    self.icon = icon
    self.category = category
    kinds = [.apple: apple, .nshipster: nshipster]
    unavailability = reason
  }

  /// Whether the types of files count for what is done with them, not only for what is accepted.
  var needsTypes: Bool {
    switch name {
    case .save, .print, .contact: true
    case .mail, .message, .call, .map, .copy, .readingList, .airDrop, .twitter, .facebook, .weibo,
      .tencentWeibo, .flickr, .vimeo, .openInIBooks, .markupAsPDF, .sharePlay, .inviteWithLink,
      .copyLink, .addToHomeScreen:
      false
    }
  }

  /// Whether every thing is of a kind that the activity accepts, and there is one.
  package func canPerform(_ things: [ActivityKinds], by table: ActivityTable = .apple) -> Bool {
    let accepted = accepted(by: table)
    return !things.isEmpty && things.allSatisfy { !$0.isDisjoint(with: accepted) }
  }

  package func accepted(by table: ActivityTable = .apple) -> ActivityKinds { kinds[table] ?? [] }

  /// The activity that a word means: the user's word, the identifier, or the name of Apple's constant
  /// in Objective-C or Swift.
  package init?(_ word: String) {
    guard let type = ActivityType(named: word),
      let found = Self.all.first(where: { $0.type == type })
    else { return nil }
    self = found
  }

  private static let posts: ActivityKinds = [.string, .attributed, .image, .url, .file]
  private static let iOSOnly = "exists only on Apple's systems"

  package static let all: [SystemActivity] =
    [
      SystemActivity(
        .mail, "Mail", "Mail", "mail-send", .share, apple: [.string, .image, .file, .typedData],
        nshipster: [.string, .attributed, .url, .file]),
      SystemActivity(
        .message, "Message", "Message", "mail-message-new", .share,
        apple: [.string, .attributed, .url, .smsURL, .image, .file, .typedData],
        nshipster: [.string, .attributed, .url, .smsURL, .data, .asset]),
      SystemActivity(
        .call, "org.docsource.activity.call", "Call", "call-start", .action,
        apple: [.telURL, .string], nshipster: [.telURL, .string]),
      SystemActivity(
        .map, "org.docsource.activity.map", "Show on Map", "mark-location", .action,
        apple: [.mapURL, .string], nshipster: [.mapURL, .string]),
      SystemActivity(
        .copy, "CopyToPasteboard", "Copy", "edit-copy", .action,
        apple: [.string, .image, .url, .file], nshipster: [.string, .image, .url, .file]),
      SystemActivity(
        .save, "SaveToCameraRoll", "Save", "document-save", .action,
        apple: [.image, .movie, .file, .data], nshipster: [.url, .file, .image]),
      SystemActivity(
        .readingList, "AddToReadingList", "Add to Reading List", "bookmark-new", .action,
        apple: .webURL, nshipster: [.url, .file]),
      SystemActivity(
        .print, "Print", "Print", "document-print", .action, apple: [.image, .data, .file],
        nshipster: [.data, .image]),
      SystemActivity(
        .contact, "AssignToContact", "Assign to Contact", "contact-new", .action, apple: .image,
        nshipster: .image),
      SystemActivity(
        .airDrop, "AirDrop", "Send by Bluetooth", "bluetooth", .action,
        apple: [.string, .attributed, .image, .url, .file],
        nshipster: [.string, .attributed, .url, .file, .image, .asset]),
      SystemActivity(
        .twitter, "PostToTwitter", "Post to X (Twitter)", "applications-internet", .share,
        apple: posts, nshipster: posts),
      SystemActivity(
        .facebook, "PostToFacebook", "Post to Facebook", "applications-internet", .share,
        apple: posts, nshipster: posts),
      SystemActivity(
        .weibo, "PostToWeibo", "Post to Weibo", "applications-internet", .share, apple: posts,
        nshipster: posts.union(.asset)),
      SystemActivity(
        .tencentWeibo, "TencentWeibo", "Post to Tencent Weibo", "applications-internet", .share,
        apple: posts, nshipster: posts.union(.asset), unavailable: "the service closed in 2020"),
      SystemActivity(
        .flickr, "PostToFlickr", "Post to Flickr", "applications-internet", .share, apple: .image,
        nshipster: [.url, .file, .data, .image, .asset],
        unavailable: "Flickr has no page that takes files from other programs"),
      SystemActivity(
        .vimeo, "PostToVimeo", "Post to Vimeo", "applications-internet", .share, apple: .movie,
        nshipster: [.url, .file, .data, .asset],
        unavailable: "Vimeo has no page that takes files from other programs"),
    ]
    + ([
      (.openInIBooks, "OpenInIBooks", "Open in iBooks"),
      (.markupAsPDF, "MarkupAsPDF", "Markup as PDF"), (.sharePlay, "SharePlay", "SharePlay"),
      (.inviteWithLink, "CollaborationInviteWithLink", "Invite with Link"),
      (.copyLink, "CollaborationCopyLink", "Copy Link"),
      (.addToHomeScreen, "AddToHomeScreen", "Add to Home Screen"),
    ] as [(Name, String, String)]).map {
      SystemActivity($0.0, $0.1, $0.2, "", .action, unavailable: iOSOnly)
    }
}
