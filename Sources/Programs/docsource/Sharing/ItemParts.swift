import CommandLineInterface
import Handoff
import LinuxSystem
import Provenance
import ShareItem
import TextFormats
import UniformType

/// An activity that an option names.
enum ItemActivity {
  /// - Throws: `UsageError` for what is no identifier.
  static func given(
    by option: OptionDeclaration, in arguments: Arguments, _ console: Console
  ) throws(UsageError) -> ActivityType? {
    guard let text = try arguments.text(option) else { return nil }
    return try named(text, option, console)
  }

  /// The activity that a name stands for. An identifier that nothing is known of is taken, with a
  /// warning unless it has the form of one.
  static func named(
    _ text: String, _ option: OptionDeclaration, _ console: Console
  ) throws(UsageError) -> ActivityType {
    guard let activity = ActivityType(named: text) else {
      throw UsageError(
        "--\(option.long): '\(EscapedText(text))' is not the identifier of an activity")
    }
    if !activity.isKnown, !ActivityType.isReverseDNS(activity.rawValue),
      !ofTargets.contains(activity)
    {
      let near = Spelling.nearest(to: text, among: ActivityType.knownNames)
      let hint =
        near.map { "did you mean '\($0)'?" }
        ?? "identifiers are like com.example.App.Share, names like mail and UIActivityTypeMail"
      console.say(
        "warning: --\(option.long): no activity '\(EscapedText(text))' is known; \(hint)")
    }
    return activity
  }

  /// The activities that share targets here receive things for, read once.
  private static let ofTargets = Set(
    ShareTargets(in: BaseDirectories.current()).all().compactMap { try? $0.get().activity })
}

/// The options for what identifies the user and is handed over nevertheless.
enum PrivatePartsOptions {
  private static let comment = OptionDeclaration(
    "with-comment", help: "also hand over your comment on the file")
  private static let wholeURL = OptionDeclaration(
    "whole-url", help: "keep query and fragment in source URLs")

  static let all = [comment, wholeURL]

  /// The same, for what an item takes of a file.
  static let ofMarks = [
    OptionDeclaration("with-comment", help: "with --from: keep the comment on FILE"),
    OptionDeclaration("whole-url", help: "with --from: keep query and fragment in source URLs"),
  ]

  static func given(in arguments: Arguments) -> ItemInput.Kept {
    var parts: ShareItem.PrivateParts = []
    if arguments.has(comment) { parts.insert(.comment) }
    if arguments.has(wholeURL) { parts.insert(.wholeURLs) }
    return .parts(parts)
  }
}

/// The options for what single activities receive in the place of what all of them do, and for
/// thumbnails.
enum ItemParts {
  private static let urlFor = OptionDeclaration(
    "url-for", value: "ACTIVITY=URL", repeats: true,
    help: "hand over URL to one activity; repeatable")
  private static let textFor = OptionDeclaration(
    "text-for", value: "ACTIVITY=TEXT", repeats: true,
    help: "hand over TEXT to one activity; repeatable")
  private static let fileFor = OptionDeclaration(
    "file-for", value: "ACTIVITY=FILE", repeats: true,
    help: "hand over FILE to one activity; repeatable")
  private static let itemFor = OptionDeclaration(
    "item-for", value: "ACTIVITY=ITEM", repeats: true,
    help: "hand over what is in ITEM to one activity; repeatable")
  private static let nothingFor = OptionDeclaration(
    "nothing-for", value: "ACTIVITY", repeats: true,
    help: "hand over nothing to one activity; repeatable")
  private static let typeFor = OptionDeclaration(
    "type-for", value: "ACTIVITY=TYPE", repeats: true,
    help: "set the type for one activity; repeatable")
  private static let attachFor = OptionDeclaration(
    "attach-for", value: "ACTIVITY=ATTACHMENT", repeats: true,
    help: "attach for one activity only; repeatable")
  private static let contentFor = OptionDeclaration(
    "content-for", value: "ACTIVITY=TEXT", repeats: true,
    help: "set the text for one activity; repeatable")
  private static let subjectFor = OptionDeclaration(
    "subject-for", value: "ACTIVITY=TEXT", repeats: true,
    help: "set the subject for one activity; repeatable")
  private static let thumbnail = OptionDeclaration(
    "thumbnail", value: "FILE", repeats: true, help: "add a small picture; repeatable")
  private static let thumbnailFor = OptionDeclaration(
    "thumbnail-for", value: "ACTIVITY=FILE", repeats: true,
    help: "add a small picture for one activity; repeatable")

  static let options = [
    urlFor, textFor, fileFor, itemFor, nothingFor, typeFor, attachFor, contentFor, subjectFor,
    thumbnail, thumbnailFor,
  ]

  /// Sets what the options give.
  ///
  /// - Returns: `false` after reporting which file cannot be attached.
  static func set(
    _ item: inout ShareItem, _ arguments: Arguments, _ files: AttachedFiles, _ console: Console
  ) throws(UsageError) -> Bool {
    // Which option has given an activity its main document, or nothing.
    var givers: [ActivityType: OptionDeclaration] = [:]
    func claim(_ name: String, _ option: OptionDeclaration) throws(UsageError) -> ActivityType {
      let activity = try ItemActivity.named(name, option, console)
      if let other = givers.updateValue(option, forKey: activity) {
        let options = "--\(other.long)" + (other.long == option.long ? "" : " and --\(option.long)")
        throw UsageError(
          "\(options): '\(EscapedText(activity.rawValue))' receives one main attachment")
      }
      return activity
    }
    for option in [urlFor, textFor, fileFor, itemFor] {
      for (name, value) in try arguments.pairs(option) {
        let activity = try claim(name, option)
        var parts = item.parts(for: activity)
        guard try setMain(of: &parts, value, option, files, console) else { return false }
        parts.receivesNothing = false
        item.setParts(parts, for: activity)
      }
    }
    for name in arguments.values(nothingFor) {
      let activity = try claim(try AttachedFiles.text(name, nothingFor), nothingFor)
      item.setParts(ShareItem.OwnParts(receivesNothing: true), for: activity)
    }
    func texts(
      _ option: OptionDeclaration, _ part: WritableKeyPath<ShareItem.OwnParts, String?>
    ) throws(UsageError) {
      for (name, bytes) in try arguments.pairs(option) {
        let activity = try ItemActivity.named(name, option, console)
        var parts = item.parts(for: activity)
        parts[keyPath: part] = try AttachedFiles.text(bytes, option)
        item.setParts(parts, for: activity)
      }
    }
    try texts(contentFor, \.contentText)
    try texts(subjectFor, \.subject)
    for (_, bytes) in try arguments.pairs(typeFor) {
      try AttachmentType.check(try AttachedFiles.text(bytes, typeFor), typeFor, console)
    }
    try texts(typeFor, \.type)
    for (name, rest) in try arguments.pairs(attachFor) {
      let activity = try ItemActivity.named(name, attachFor, console)
      guard let attachment = try files.attachment(rest, attachFor, console) else { return false }
      var parts = item.parts(for: activity)
      parts.additions = (parts.additions ?? []) + [attachment]
      item.setParts(parts, for: activity)
    }
    return try setThumbnails(&item, arguments, files, console)
  }

  private static func setMain(
    of parts: inout ShareItem.OwnParts, _ value: [UInt8], _ option: OptionDeclaration,
    _ files: AttachedFiles, _ console: Console
  ) throws(UsageError) -> Bool {
    switch option.long {
    case urlFor.long:
      let url = try AttachedFiles.text(value, option)
      try ItemMakeCommand.requireURL(url, option)
      parts.main = .url(url)
    case textFor.long: parts.main = .text(try AttachedFiles.text(value, option))
    case fileFor.long:
      parts.main = try files.file(value, option, [], console)
    default:
      guard let given = try files.item(value, option, console) else { return false }
      let attachments = given.attachments
      guard let main = attachments.first else {
        console.report(value[...], "no attachment")
        return false
      }
      parts.main = main
      if attachments.count > 1 { parts.additions = Array(attachments.dropFirst()) }
      if let text = given.contentText { parts.contentText = text }
      if let title = given.title { parts.subject = title }
      if !given.thumbnails.isEmpty { parts.thumbnails = given.thumbnails }
    }
    return parts.main != nil
  }

  private static func setThumbnails(
    _ item: inout ShareItem, _ arguments: Arguments, _ files: AttachedFiles, _ console: Console
  ) throws(UsageError) -> Bool {
    var thumbnails: [ShareItem.Thumbnail] = []
    for value in arguments.values(thumbnail) {
      guard let made = try files.thumbnail(value, thumbnail, console) else { return false }
      thumbnails.append(made)
    }
    if !thumbnails.isEmpty { item.thumbnails = thumbnails }
    for (name, value) in try arguments.pairs(thumbnailFor) {
      let activity = try ItemActivity.named(name, thumbnailFor, console)
      guard let made = try files.thumbnail(value, thumbnailFor, console) else { return false }
      var parts = item.parts(for: activity)
      parts.thumbnails = (parts.thumbnails ?? []) + [made]
      item.setParts(parts, for: activity)
    }
    return true
  }
}
