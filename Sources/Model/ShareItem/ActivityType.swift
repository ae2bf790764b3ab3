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
