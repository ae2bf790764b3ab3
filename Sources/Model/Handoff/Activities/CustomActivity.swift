package import Applications
package import LinuxSystem
package import ShareItem
internal import TextFormats

/// An activity of the user's own, as its description has it.
///
/// The description is a file `NAME.activity` with the syntax of desktop entries:
///
///     [Activity]
///     Title=Mustachify
///     Type-Id=com.example.Mustachify
///     Category=action
///     Accepts=url
///     Extensions=jpg;png
///     Options=style=handlebar
///     Exec=mustachify %u
///     Returns=url
package struct CustomActivity: Sendable {
  /// Why a file is no description of an activity.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// What the program writes to standard output.
  package enum Returns: String, CaseIterable, Sendable {
    case nothing, text, url, file, item
  }

  /// The name of the file without its ending.
  package let identifier: String
  package let path: FilePath
  package let type: ActivityType
  package let title: String
  package let category: SystemActivity.Category
  package let icon: String?
  package let returns: Returns
  /// The predicate of an activation rule.
  package let activation: String?
  /// What the user can set for one hand-over.
  package let options: [ShareOption]
  /// What the description has that nobody reads, in words that follow its path.
  package let warnings: [String]
  private let accepted: ActivityKinds
  private let extensions: [String]
  private let mediaTypes: [String]
  private let command: String

  private static let group = "Activity"
  private static let keys: Set<String> = [
    "Title", "Type-Id", "Category", "Accepts", "Extensions", "MimeType", "Activation", "Icon",
    "Options", "Exec", "Returns",
  ]
  private static let kinds: [(String, ActivityKinds)] = [
    ("string", .string), ("attributed", .attributed), ("url", .url), ("file-url", .file),
    ("data", .data), ("image", .image), ("asset", .asset),
  ]

  /// Reads a description.
  ///
  /// - Throws: `Failure` in words that follow the path.
  package init(
    _ content: [UInt8], identifier: String, path: FilePath, locale: MessageLocale
  ) throws(Failure) {
    let file = KeyFile(content)
    func value(_ key: String) -> String? { file.string(key, in: Self.group) }
    guard let command = value("Exec"), case let line = ExecLine(command),
      let program = line.words.first, !program.isEmpty
    else { throw Failure(description: "the group [\(Self.group)] has no key Exec with a program") }
    guard line.isClosed else { throw Failure(description: "Exec: a quotation mark is not closed") }
    self.command = command
    self.identifier = identifier
    self.path = path
    guard let type = ActivityType(rawValue: value("Type-Id") ?? identifier) else {
      throw Failure(description: "Type-Id is not the identifier of an activity")
    }
    self.type = type
    title = locale.text("Title", value) ?? identifier
    let word = value("Category") ?? SystemActivity.Category.action.rawValue
    guard let category = SystemActivity.Category(rawValue: word) else {
      throw Failure(description: "Category is neither action nor share")
    }
    self.category = category
    icon = value("Icon")
    guard let returns = Returns(rawValue: value("Returns") ?? Returns.nothing.rawValue) else {
      let known = Returns.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(description: "Returns is none of \(known)")
    }
    self.returns = returns
    activation = value("Activation")
    var accepted: ActivityKinds = []
    for word in file.list("Accepts", in: Self.group) {
      guard let kind = Self.kinds.first(where: { $0.0 == word })?.1 else {
        let known = Self.kinds.map(\.0).joined(separator: ", ")
        throw Failure(description: "Accepts: unknown kind '\(word)'; known are \(known)")
      }
      accepted.insert(kind)
    }
    self.accepted =
      accepted.isEmpty ? Self.kinds.reduce(into: []) { $0.insert($1.1) } : accepted
    do throws(ShareOption.Failure) {
      options = try ShareOption.all(in: file, group: Self.group, languages: locale.languages)
    } catch {
      throw Failure(description: error.description)
    }
    extensions = file.list("Extensions", in: Self.group).map { $0.lowercased() }
    mediaTypes = file.list("MimeType", in: Self.group)
    warnings = file.unread(
      besides: ShareOption.keys(of: options).merging([Self.group: Self.keys]) { $1 })
  }

  /// The positions of the things that the activity takes; it can be performed where there is one.
  package func taken(of things: [SharedThing]) -> [Int] {
    things.indices.filter { index in
      let thing = things[index]
      guard !thing.kinds.isDisjoint(with: accepted) else { return false }
      guard mediaTypes.isEmpty || matchesMediaType(thing.mediaType ?? "", mediaTypes) else {
        return false
      }
      let address = thing.target.map { String(decoding: $0, as: UTF8.self) }
      return extensions.isEmpty
        || address.flatMap(Self.pathExtension).map(extensions.contains) ?? false
    }
  }

  /// What follows the last period of a path's last part, in lower case; of a URL without its
  /// query and fragment.
  static func pathExtension(_ address: String) -> String? {
    var path = address.utf8[...]
    if path.first != UInt8(ascii: "/") {
      path = path.prefix { !"?#".utf8.contains($0) }
    }
    guard let name = path.split(separator: UInt8(ascii: "/")).last,
      let period = name.lastIndex(of: UInt8(ascii: ".")), period > name.startIndex
    else { return nil }
    return String(decoding: name[name.index(after: period)...], as: UTF8.self).lowercased()
  }

  /// The program and its arguments: `%f` and `%u` stand for the first thing that was taken, `%F` and
  /// `%U` for all, the former for files only.
  ///
  /// - Parameters:
  ///   - files: absolute paths.
  ///   - urls: of all things that are files or URLs, in their order.
  package func words(files: [String], urls: [String]) -> [String] {
    ExecLine(command) { code in
      switch code {
      case "f": Array(files.prefix(1))
      case "F": files
      case "u": Array(urls.prefix(1))
      case "U": urls
      default: []
      }
    }.words
  }
}

/// Whether a media type is in a list, which may have `image/*`.
func matchesMediaType(_ type: String, _ list: [String]) -> Bool {
  list.contains { known in
    if known == "all/all" || known == "all/allfiles" || known == type { return true }
    return known.hasSuffix("/*") && type.hasPrefix(known.dropLast())
  }
}

extension CustomActivity {
  /// Those that are installed, `docsource/activities` below the directories for data, the user's own
  /// first: in the order of their identifiers, after the directories that cannot be read; of several
  /// with one identifier the first counts.
  package static func all(
    in places: BaseDirectories, locale: MessageLocale
  ) -> [Result<CustomActivity, DescriptionFlaw>] {
    DescriptionFiles(below: "docsource/activities", in: places, ending: ".activity").read {
      try CustomActivity($0, identifier: $1, path: $2, locale: locale)
    }
  }
}
