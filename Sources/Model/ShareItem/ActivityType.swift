/// What an item is handed over to: a share extension, or one of the system's own activities.
public struct ActivityType: RawRepresentable, Hashable, Sendable {
  /// The identifier, `com.apple.UIKit.activity.Mail`.
  public let rawValue: String

  /// What stands for all activities where a table has no row of their own.
  static let catchAll = "*"

  /// `nil` for no text and for `*`, which stands for all activities.
  public init?(rawValue: String) {
    guard !rawValue.isEmpty, rawValue != Self.catchAll else { return nil }
    self.rawValue = rawValue
  }

  private init(system name: String) { rawValue = "com.apple.UIKit.activity." + name }

  public static let message = ActivityType(system: "Message")
  public static let mail = ActivityType(system: "Mail")
  public static let print = ActivityType(system: "Print")
  public static let copyToPasteboard = ActivityType(system: "CopyToPasteboard")
  public static let assignToContact = ActivityType(system: "AssignToContact")
  public static let saveToCameraRoll = ActivityType(system: "SaveToCameraRoll")
  public static let addToReadingList = ActivityType(system: "AddToReadingList")
  public static let airDrop = ActivityType(system: "AirDrop")
  public static let postToTwitter = ActivityType(system: "PostToTwitter")
  public static let postToVimeo = ActivityType(system: "PostToVimeo")
  public static let postToWeibo = ActivityType(system: "PostToWeibo")
  /// Without the word that the others have.
  public static let postToTencentWeibo = ActivityType(system: "TencentWeibo")
  public static let postToFacebook = ActivityType(system: "PostToFacebook")
  public static let postToFlickr = ActivityType(system: "PostToFlickr")

  private static let bareOnes: Set<ActivityType> = [
    message, mail, print, copyToPasteboard, assignToContact, saveToCameraRoll, addToReadingList,
    airDrop,
  ]

  /// Whether the activity receives an item, rather than the main document alone. Whatever is not
  /// known does: all share extensions.
  public var acceptsItem: Bool { !Self.bareOnes.contains(self) }
}

// The names by which an activity is called besides its identifier.
extension ActivityType {
  /// The extension of Pocket.
  public static let pocket = ActivityType(known: AttributedLink.activityType)

  private init(known identifier: String) { rawValue = identifier }

  /// The words of docsource, and the names of Apple's constants without what all of them begin with;
  /// `nil` if Apple has no constant.
  private static let names: [(word: String, constant: String?, activity: ActivityType)] =
    [
      ("mail", "Mail", mail), ("message", "Message", message),
      ("copy", "CopyToPasteboard", copyToPasteboard),
      ("save", "SaveToCameraRoll", saveToCameraRoll),
      ("reading-list", "AddToReadingList", addToReadingList), ("print", "Print", print),
      ("contact", "AssignToContact", assignToContact), ("airdrop", "AirDrop", airDrop),
      ("twitter", "PostToTwitter", postToTwitter), ("facebook", "PostToFacebook", postToFacebook),
      ("weibo", "PostToWeibo", postToWeibo),
      // The constant has the word that the identifier lacks.
      ("tencent-weibo", "PostToTencentWeibo", postToTencentWeibo),
      ("flickr", "PostToFlickr", postToFlickr), ("vimeo", "PostToVimeo", postToVimeo),
      ("call", nil, ActivityType(known: "org.docsource.activity.call")),
      ("map", nil, ActivityType(known: "org.docsource.activity.map")), ("pocket", nil, pocket),
    ]
    + [
      ("open-in-ibooks", "OpenInIBooks"), ("markup-as-pdf", "MarkupAsPDF"),
      ("share-play", "SharePlay"), ("invite-with-link", "CollaborationInviteWithLink"),
      ("copy-link", "CollaborationCopyLink"), ("add-to-home-screen", "AddToHomeScreen"),
    ].map { ($0.0, $0.1, ActivityType(system: $0.1)) }

  /// What constants of Objective-C begin with.
  private static let constantLead = "UIActivityType"

  private static let activitiesByName: [String: ActivityType] = {
    var table: [String: ActivityType] = [
      // As much code has it, by the pattern of the others.
      "com.apple.UIKit.activity.PostToTencentWeibo": postToTencentWeibo
    ]
    for (word, constant, activity) in names {
      table[word] = activity
      table[activity.rawValue] = activity
      guard let constant else { continue }
      let member = constant.prefix(1).lowercased() + constant.dropFirst()
      for name in [
        constantLead + constant, member, "." + member, constantLead + "." + member,
        "UIActivity.ActivityType." + member,
      ] {
        table[name] = activity
      }
    }
    return table
  }()

  /// The names that activities are known by in Objective-C, and docsource's words.
  public static var knownNames: [String] {
    names.map(\.word) + names.compactMap { $0.constant.map { constantLead + $0 } }
  }

  /// The activity that a name stands for: an identifier, the name of Apple's constant in Objective-C
  /// (`UIActivityTypePostToTwitter`) or Swift (`.postToTwitter`, `postToTwitter`), or a word of
  /// docsource (`twitter`). Any other name is an identifier.
  ///
  /// - Returns: `nil` for no text and for `*`, which stands for all activities.
  public init?(named name: String) {
    guard let activity = Self.activitiesByName[name] ?? ActivityType(rawValue: name) else {
      return nil
    }
    self = activity
  }

  /// Whether the identifier is one of a system's activities or of Pocket.
  public var isKnown: Bool { Self.activitiesByName[rawValue] != nil }

  /// Whether a text has the form of an identifier, `com.example.App.Share`: two names or more of
  /// letters, digits, hyphens and underscores, with periods between them.
  public static func isReverseDNS(_ text: String) -> Bool {
    let labels = text.utf8.split(separator: 0x2e, omittingEmptySubsequences: false)
    return labels.count > 1
      && labels.allSatisfy { label in
        !label.isEmpty
          && label.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: true
            default: false
            }
          }
      }
  }

  /// The identifier that the activity is known by, where its own is another name for it.
  var canonical: ActivityType { Self.activitiesByName[rawValue] ?? self }
}

/// A value for all activities, and others for single ones.
public struct PerActivity<Value: Sendable>: Sendable {
  /// For the activities that have none of their own.
  private var forAll: Value?
  private var forOne: [ActivityType: Value] = [:]

  public init() {}

  /// The value that was set for an activity, `nil` for all of them; setting `nil` removes that value,
  /// and no other.
  public subscript(activity: ActivityType?) -> Value? {
    get { activity.map { forOne[$0] } ?? forAll }
    set {
      if let activity { forOne[activity] = newValue } else { forAll = newValue }
    }
  }

  /// The value that counts for an activity: its own, else that for all.
  public func value(for activity: ActivityType) -> Value? { forOne[activity] ?? forAll }

  /// The activities that have values of their own, in the order of their identifiers.
  var activities: [ActivityType] {
    forOne.keys.sorted { $0.rawValue.utf8.lexicographicallyPrecedes($1.rawValue.utf8) }
  }
}

extension PerActivity: Equatable where Value: Equatable {}
extension PerActivity: Hashable where Value: Hashable {}
