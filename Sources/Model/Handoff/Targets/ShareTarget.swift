package import Applications
package import LinuxSystem
package import ShareItem
internal import TextFormats

/// A program that takes share items, as its description has it: the share extension of Linux.
///
/// The description is a file `NAME.target` with the syntax of desktop entries:
///
///     [Share Target]
///     Name=Send to the reader
///     Exec=reader-share --quiet
///     Accepts=url;text
///     Rule=SUBQUERY(extensionItems, $i, $i.attachments.@count > 0).@count == 1
///     Options=folder;visibility=public
///     Match=main
///     Validate=reader-share --check
///     Attachments=descriptors
///     ThumbnailSize=64x64
package struct ShareTarget: Sendable {
  /// A kind of content that a target takes.
  package enum Kind: String, CaseIterable, Sendable {
    case text, url, file, image, movie
    case webPage = "web-page"

    /// The type that an attachment of the kind conforms to.
    package var type: String {
      switch self {
      case .text: "public.text"
      case .url: "public.url"
      case .file: "public.file-url"
      case .image: "public.image"
      case .movie: "public.movie"
      case .webPage: "com.apple.active-webpage"
      }
    }
  }

  /// How a target gets the attachments that are files.
  package enum AttachmentForm: String, CaseIterable, Sendable {
    /// By absolute paths.
    case paths
    /// As files that are open for reading, by paths `/dev/fd/N`.
    case descriptors
  }

  /// Which attachments decide whether a target is offered. It receives all of them.
  package enum Match: String, CaseIterable, Sendable {
    /// The main one, the first.
    case main
    /// All of them.
    case all
  }

  /// The rule that decides what the target is offered for.
  package enum Rule: Hashable, Sendable {
    case predicate(String)
    /// A property list: the rule's dictionary, or one that holds it.
    case file(FilePath)
  }

  /// Why a file is no description of a target.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// The name of the file without its ending.
  package let identifier: String
  package let path: FilePath
  package let name: String
  /// The program and its arguments.
  package let command: [String]
  /// Which attachments the kinds and the rule are held against.
  package let match: Match
  /// Fails for what the target would not take.
  package let validation: [String]?
  /// Empty where the target takes everything.
  package let kinds: [Kind]
  package let rule: Rule?
  package let options: [ShareOption]
  package let attachmentForm: AttachmentForm
  /// The size of thumbnails that the target wants; `nil` if it takes all.
  package let thumbnailSize: ShareItem.Thumbnail.Size?
  /// What items have parts for; that of the identifier where nothing else is given.
  package let activity: ActivityType
  /// What the description has that nobody reads, in words that follow its path.
  package let warnings: [String]

  private static let group = "Share Target"
  private static let keys: Set<String> = [
    "Name", "Exec", "Accepts", "Rule", "RuleFile", "Options", "Match", "Validate", "Attachments",
    "ThumbnailSize", "Activity",
  ]

  /// Reads a description.
  ///
  /// - Parameter path: where it stands, for rules beside it.
  /// - Throws: `Failure` in words that follow the path.
  package init(
    _ content: [UInt8], identifier: String, path: FilePath, locale: [String] = []
  ) throws(Failure) {
    let file = KeyFile(content)
    func value(_ key: String) -> String? { file.string(key, in: Self.group) }
    guard let line = value("Exec") else {
      throw Failure(description: "the group [\(Self.group)] has no key Exec")
    }
    command = try Self.words(line, "Exec")
    // An empty check is no check that passes.
    let check = value("Validate") ?? (file.has("Validate", in: Self.group) ? "" : nil)
    validation = if let check { try Self.words(check, "Validate") } else { nil }
    self.identifier = identifier
    self.path = path
    name = locale.lazy.compactMap { value("Name[\($0)]") }.first ?? value("Name") ?? identifier
    var kinds: [Kind] = []
    for word in file.list("Accepts", in: Self.group) {
      guard let kind = Kind(rawValue: word) else {
        let known = Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure(description: "Accepts: unknown kind '\(word)'; known are \(known)")
      }
      kinds.append(kind)
    }
    self.kinds = kinds
    rule = try Self.rule(value("Rule"), value("RuleFile"), path)
    do throws(ShareOption.Failure) {
      options = try ShareOption.all(in: file, group: Self.group, languages: locale)
    } catch {
      throw Failure(description: error.description)
    }
    if let form = value("Attachments") {
      guard let known = AttachmentForm(rawValue: form) else {
        throw Failure(description: "Attachments is neither paths nor descriptors")
      }
      attachmentForm = known
    } else {
      attachmentForm = .paths
    }
    if let word = value("Match") {
      guard let known = Match(rawValue: word) else {
        throw Failure(description: "Match is neither main nor all")
      }
      match = known
    } else {
      match = .main
    }
    if let text = value("ThumbnailSize") {
      guard let size = ShareItem.Thumbnail.Size(text) else {
        throw Failure(description: "ThumbnailSize is not WIDTHxHEIGHT")
      }
      thumbnailSize = size
    } else {
      thumbnailSize = nil
    }
    let named = value("Activity").map { ActivityType(named: $0) }
    guard let activity = named ?? ActivityType(rawValue: identifier) else {
      throw Failure(description: "Activity is not the identifier of an activity")
    }
    self.activity = activity
    warnings = file.unread(
      besides: ShareOption.keys(of: options).merging([Self.group: Self.keys]) { $1 })
  }

  private static func words(_ line: String, _ key: String) throws(Failure) -> [String] {
    let line = ExecLine(line)
    guard let program = line.words.first, !program.isEmpty else {
      throw Failure(description: "\(key) names no program")
    }
    guard line.isClosed else {
      throw Failure(description: "\(key): a quotation mark is not closed")
    }
    return line.words
  }

  private static func rule(
    _ predicate: String?, _ file: String?, _ path: FilePath
  ) throws(Failure) -> Rule? {
    guard let file else { return predicate.map { .predicate($0) } }
    guard predicate == nil else {
      throw Failure(description: "Rule and RuleFile cannot be combined")
    }
    let directory = ReplacedFile(path: path).directory
    return .file(
      file.utf8.first == UInt8(ascii: "/")
        ? FilePath(file) : directory.appending(FilePath(file)))
  }

  /// The words `NAME=VALUE` that the target gets after its arguments, in the order of the
  /// description; options without a value are left out.
  ///
  /// - Throws: `Failure` for a name that the target does not declare, or a value that is none of the
  ///   option's.
  package func arguments(
    _ given: [(name: String, value: String)]
  ) throws(Failure) -> [String] {
    do throws(ShareOption.Failure) {
      return try ShareOption.arguments(given, of: options, owner: "target")
    } catch {
      throw Failure(description: error.description)
    }
  }

  /// Whether every attachment is of a kind that the target takes.
  ///
  /// - Parameter conforms: whether the first type is the second, or a kind of it.
  package func accepts(
    _ attachments: [ShareItem.Attachment], conforms: (String, String) -> Bool
  ) -> Bool {
    kinds.isEmpty
      || attachments.allSatisfy { attachment in
        kinds.contains { kind in
          attachment.typeIdentifiers.contains { type in
            // A file's URL is no URL of the web.
            let isFile = kind == .url && conforms(type, Kind.file.type)
            return conforms(type, kind.type) && !isFile
          }
        }
      }
  }
}

/// The descriptions of targets that are installed: `docsource/targets` below the directories for data,
/// the user's own first.
package struct ShareTargets {
  private static let ending = ".target"

  private static let directory = "docsource/targets"

  private let places: BaseDirectories

  package init(in places: BaseDirectories) { self.places = places }

  /// A description, or what is wrong with the file.
  package typealias Entry = Result<ShareTarget, DescriptionFlaw>

  /// All of them in the order of their identifiers, after the directories that cannot be read; of
  /// several with one identifier the first counts.
  ///
  /// - Parameter locale: the languages of names, the user's if none are given.
  package func all(
    locale: [String] = MessageLocale.current().languages
  ) -> [Entry] {
    DescriptionFiles(below: Self.directory, in: places, ending: Self.ending).read {
      try ShareTarget($0, identifier: $1, path: $2, locale: locale)
    }
  }

  /// A target by its identifier; `nil` if none has it.
  package func target(
    _ identifier: String, locale: [String] = MessageLocale.current().languages
  ) -> Entry? {
    guard let name = FileName(identifier) else { return nil }
    for data in places.homeAndSystemData {
      let path = data.appending(FilePath(Self.directory))
        .appending(FilePath(name.text + Self.ending))
      if InstalledFile(path: path).exists {
        return Self.read(path, identifier: identifier, locale)
      }
    }
    return nil
  }

  /// A target by the path of its description.
  package static func read(
    _ path: FilePath, identifier: String? = nil,
    _ locale: [String] = MessageLocale.current().languages
  ) -> Entry {
    let name = String(decoding: path.lastComponent, as: UTF8.self)
    let own = name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : name
    return DescriptionFiles.read(path) {
      try ShareTarget($0, identifier: identifier ?? own, path: path, locale: locale)
    }
  }
}
