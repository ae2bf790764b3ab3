package import TextFormats

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
/// of Nemo, or empty for the default application of each target; targets with the same one are handed
/// over together, as a file manager does. Applications get the whole environment of docsource-share,
/// and none of its descriptors.
///
/// The answer is a list of records on standard output, in the order in which things happened. A
/// record is a message; its first field is the record's kind. Fields are bytes: arguments can be
/// names of files. The exit status is 0, also if there are records of failures.
package enum DesktopProtocol {
  package enum Job: String {
    case launch, applications, handler
    /// Writes the words after it as docsource-share was started with them: what a dry run starts in
    /// the place of a program.
    case words
  }

  package struct Options: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Nothing is started or sent; the records say exactly what would be.
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

    /// - Returns: `nil` if one of the words is unknown.
    package init?(word: String) {
      self = []
      for name in word.split(separator: ",") where name != "-" {
        guard let option = Self.names.first(where: { $0.1 == name })?.0 else { return nil }
        insert(option)
      }
    }
  }

  /// An application of the desktop.
  package struct Application: Hashable, Sendable {
    /// Of its desktop entry, without `.desktop`.
    package let identifier: String
    package let name: String

    package init(identifier: String, name: String) {
      self.identifier = Self.shortened(identifier)
      self.name = name
    }

    /// The identifier of an entry as docsource has it everywhere.
    package static func shortened(_ identifier: String) -> String {
      identifier.hasSuffix(ending) ? String(identifier.dropLast(ending.count)) : identifier
    }

    /// The identifier of an entry as the desktop has it.
    package static func entry(_ identifier: String) -> String {
      identifier.hasSuffix(ending) ? identifier : identifier + ending
    }

    private static let ending = ".desktop"
  }

  /// What an application is to a type, the best first.
  package enum Role: String, CaseIterable, Comparable, Sendable {
    case standard = "default"
    case recommended, fallback, other

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    package static func < (one: Role, other: Role) -> Bool { one.rank < other.rank }
  }

  /// What a portal says of a request.
  package enum PortalAnswer: UInt8, Sendable {
    case done, cancelled, failed
  }

  /// What became of a launch, or would.
  package enum Outcome: Hashable, Sendable {
    /// - Parameter arguments: of the program, with `dryRun` only.
    case started(Application, targets: [[UInt8]], isInTerminal: Bool, arguments: [[UInt8]])
    /// - Parameter uris: what the application gets over the session bus, with `dryRun` only.
    case called(Application, targets: [[UInt8]], uris: [[UInt8]])
    /// - Parameter answer: `nil` with `dryRun`.
    case portal(method: String, target: [UInt8], answer: PortalAnswer?)
    /// - Parameter targets: empty if the launch has failed as a whole.
    case failed(targets: [[UInt8]], reason: String)
  }

  package enum Record: Hashable, Sendable {
    case outcome(Outcome)
    /// The MIME type of a target, or `x-scheme-handler/SCHEME`.
    case type(target: [UInt8], String, MIMEClasses)
    /// An application that opens all targets.
    case application(Application, Role, icon: String)
    /// The default application of a scheme or type.
    case handler(of: String, Application)
    /// The words with which docsource-share was started.
    case words([[UInt8]])

    private var fields: [[UInt8]] {
      func application(_ kind: String, _ application: Application) -> [[UInt8]] {
        [kind, application.identifier, application.name].map { Array($0.utf8) }
      }
      func counted(_ list: [[UInt8]]) -> [[UInt8]] { [Array("\(list.count)".utf8)] + list }
      switch self {
      case .outcome(.started(let one, let targets, let isInTerminal, let arguments)):
        return application("started", one) + [Array((isInTerminal ? "terminal" : "").utf8)]
          + counted(targets) + arguments
      case .outcome(.called(let one, let targets, let uris)):
        return application("called", one) + counted(targets) + uris
      case .outcome(.portal(let method, let target, let answer)):
        return [Array("portal".utf8), Array(method.utf8), target]
          + [Array((answer.map { "\($0.rawValue)" } ?? "").utf8)]
      case .outcome(.failed(let targets, let reason)):
        return [Array("failed".utf8), Array(reason.utf8)] + targets
      case .type(let target, let type, let classes):
        return [Array("type".utf8), target, Array(type.utf8), Array("\(classes.rawValue)".utf8)]
      case .application(let one, let role, let icon):
        return application("application", one) + [role.rawValue, icon].map { Array($0.utf8) }
      case .handler(let key, let one):
        return application("handler", one) + [Array(key.utf8)]
      case .words(let words): return [Array("words".utf8)] + words
      }
    }

    package var bytes: [UInt8] { CompanionMessage(fields).bytes }

    /// `nil` for what is no record.
    fileprivate init?(_ message: CompanionMessage) {
      let texts = message.fields
      func text(_ index: Int) -> String { message.text(index) }
      /// A list with its number before it, and what follows.
      func list(at start: Int) -> (list: [[UInt8]], rest: [[UInt8]])? {
        guard let count = Int(text(start)), 0...(texts.count - start - 1) ~= count else {
          return nil
        }
        let end = start + 1 + count
        return (Array(texts[(start + 1)..<end]), Array(texts[end...]))
      }
      var application: Application { Application(identifier: text(1), name: text(2)) }
      switch (texts.isEmpty ? "" : text(0), texts.count) {
      case ("started", 5...):
        guard let (targets, arguments) = list(at: 4) else { return nil }
        self = .outcome(
          .started(
            application, targets: targets, isInTerminal: !texts[3].isEmpty, arguments: arguments))
      case ("called", 4...):
        guard let (targets, uris) = list(at: 3) else { return nil }
        self = .outcome(.called(application, targets: targets, uris: uris))
      case ("portal", 4):
        let answer = texts[3].isEmpty ? nil : UInt8(text(3)).flatMap(PortalAnswer.init) ?? .failed
        self = .outcome(.portal(method: text(1), target: texts[2], answer: answer))
      case ("failed", 2...):
        self = .outcome(.failed(targets: Array(texts.dropFirst(2)), reason: text(1)))
      case ("type", 4):
        guard let classes = UInt8(text(3)) else { return nil }
        self = .type(target: texts[1], text(2), MIMEClasses(rawValue: classes))
      case ("application", 5):
        guard let role = Role(rawValue: text(3)) else { return nil }
        self = .application(application, role, icon: text(4))
      case ("handler", 4): self = .handler(of: text(3), application)
      case ("words", _): self = .words(Array(texts.dropFirst()))
      default: return nil
      }
    }
  }

  /// Reads a whole answer; `nil` for one that does not end with a whole record, or has an unknown
  /// one: the other side has another version, or has ended early.
  package static func records(_ bytes: [UInt8]) -> [Record]? {
    guard let messages = try? CompanionMessage.all(in: bytes) else { return nil }
    let records = messages.compactMap { Record($0) }
    return records.count == messages.count ? records : nil
  }
}

/// How docsource has docsource-share hand things over: a message on standard input is answered by one
/// on standard output. Its texts can be anybody's private ones, and the arguments of a program are
/// not.
package enum HandoffProtocol {
  package enum Job: String {
    /// Lets the portal write a mail: `to`, `cc`, `bcc`, `subject`, `body` or `attach`, and the value
    /// of each. The answer is a record `portal` or `failed` of `DesktopProtocol`.
    case mail
    /// Adds a web page to a list: URL, title, description and MIME type, the second and third perhaps
    /// empty, then the list as XBEL, or an empty one. The answer is the new list; status 2 with words
    /// on standard error if the list cannot be read.
    case bookmark
    /// Reads such a list. The answer is the URL, title and description of each page, perhaps empty.
    case bookmarks
    /// Removes a page from a list: its URL, then the list. The answer is the new list.
    case removal
  }

  /// More bytes than a list of bookmarks and the texts of a mail have.
  package static let messageLimit = 64 << 20

  /// A request of texts and perhaps a list. A NUL in a text is left out: GLib has none in texts.
  package static func request(_ texts: [[UInt8]], list: [UInt8]? = nil) -> CompanionMessage {
    CompanionMessage(texts.map { $0.filter { $0 != 0 } } + (list.map { [$0] } ?? []))
  }
}
