/// How docsource asks docsource-share about applications, and has it start them.
///
/// A request is the words of the command line; a target is an absolute path or a URI, never
/// anything else:
///
///     launch OPTIONS APPLICATION TARGET...
///     applications OPTIONS TARGET...
///     handler SCHEME|TYPE...
///
/// OPTIONS are words with commas between them, or `-`. APPLICATION is the identifier of a desktop
/// entry with its ending, `org.example.editor.desktop`, the absolute path of an entry or of an action
/// of Nemo, or empty for the default application of each target; targets with the same one are handed over together, as a file manager does. Applications
/// get the whole environment of docsource-share, and none of its descriptors.
///
/// The answer is a list of records on standard output, in the order in which things happened. A
/// record is the number of its texts, then the texts, each with a NUL behind it; the first text says
/// what the record is. Texts are bytes: arguments can be names of files.
///
/// | first text | the others | of |
/// |---|---|---|
/// | `targets` | identifier, then the targets that the records behind it are about | `launch` |
/// | `started` | identifier, name, `terminal` or empty, then with `dry-run` the argument vector | `launch` |
/// | `called` | identifier, name, then the URIs that the application gets over the session bus | `launch` |
/// | `portal` | method, target, answer `0` (done), `1` (cancelled) or `2` (failed); with `dry-run` empty | `launch` |
/// | `failed` | target, or empty where it is no single one's; reason in words | all |
/// | `type` | target, its MIME type or `x-scheme-handler/SCHEME`, `TypeConversation.Classes` as a number | `applications` |
/// | `application` | `default`, `recommended`, `fallback` or `other`; identifier, name, icon or empty | `applications` |
/// | `handler` | scheme or type, identifier, name | `handler`, where there is one |
///
/// The exit status is 0, also where records say `failed`.
package enum LaunchConversation {
  package enum Job: String {
    case launch, applications, handler
    /// Writes the words behind it as docsource-share was started with them: what a dry run starts in
    /// the place of a program.
    case words
  }

  package struct Options: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Nothing is started or sent; the records tell exactly what would be.
    package static let dryRun = Options(rawValue: 1)
    /// The portal opens the targets; APPLICATION is empty.
    package static let portal = Options(rawValue: 2)
    /// The portal lets the user choose.
    package static let ask = Options(rawValue: 4)
    /// The application must declare the type of each target, or a general type of it.
    package static let declared = Options(rawValue: 8)
    /// `applications`: those for other types, too, that take files or URIs and stand in menus.
    package static let all = Options(rawValue: 16)

    private static let names: [(Options, String)] = [
      (.dryRun, "dry-run"), (.portal, "portal"), (.ask, "ask"), (.declared, "declared"),
      (.all, "all"),
    ]

    package var word: String {
      let names = Self.names.filter { contains($0.0) }.map(\.1)
      return names.isEmpty ? "-" : names.joined(separator: ",")
    }

    /// - Returns: `nil` where one of the words is unknown.
    package init?(word: String) {
      self = []
      for name in word.split(separator: ",") where name != "-" {
        guard let option = Self.names.first(where: { $0.1 == name })?.0 else { return nil }
        insert(option)
      }
    }
  }

  /// What a record is.
  package enum Kind: String {
    case targets, started, called, portal, failed, type, application, handler
  }

  package struct Record: Hashable, Sendable {
    package let kind: Kind
    /// Without the first.
    package let texts: [[UInt8]]

    package init(_ kind: Kind, _ texts: [[UInt8]]) {
      self.kind = kind
      self.texts = texts
    }

    package init(_ kind: Kind, _ texts: String...) {
      self.init(kind, texts.map { Array($0.utf8) })
    }

    /// A text as characters; empty where the record does not have it.
    package subscript(index: Int) -> String {
      texts.indices.contains(index) ? String(decoding: texts[index], as: UTF8.self) : ""
    }

    package var bytes: [UInt8] {
      let all = [Array("\(texts.count + 1)".utf8), Array(kind.rawValue.utf8)] + texts
      return all.flatMap { $0.filter { $0 != 0 } + [0] }
    }
  }

  /// Reads a whole answer; `nil` for one that does not end with a whole record, or has an unknown
  /// one: the other side has another version, or has ended early.
  package static func records(_ bytes: [UInt8]) -> [Record]? {
    var records: [Record] = []
    var rest = bytes[...]
    func text() -> ArraySlice<UInt8>? {
      guard let end = rest.firstIndex(of: 0) else { return nil }
      defer { rest = rest[(end + 1)...] }
      return rest[..<end]
    }
    while !rest.isEmpty {
      guard let number = text(), let count = Int(String(decoding: number, as: UTF8.self)),
        1...rest.count ~= count
      else { return nil }
      var texts: [[UInt8]] = []
      for _ in 0..<count {
        guard let text = text() else { return nil }
        texts.append(Array(text))
      }
      guard let kind = Kind(rawValue: String(decoding: texts.removeFirst(), as: UTF8.self)) else {
        return nil
      }
      records.append(Record(kind, texts))
    }
    return records
  }
}
