package import CompanionProtocol
package import TextFormats

/// Why the desktop could not be asked, in words that stand alone.
package struct DesktopFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// What opens files and URLs, and what these are.
package struct DesktopListing {
  /// An application that opens all of them.
  package struct Entry {
    package let application: DesktopProtocol.Application
    package let role: DesktopProtocol.Role
    /// A name or path; empty if the application has none.
    package let icon: String
  }

  package struct Kind {
    /// The MIME type, or `x-scheme-handler/SCHEME`.
    package let mediaType: String
    /// The general types that it is a kind of.
    package let classes: MIMEClasses
  }

  /// By targets.
  package private(set) var kinds: [[UInt8]: Kind] = [:]
  /// The best first.
  package private(set) var applications: [Entry] = []
  /// What could not be looked at, and why.
  package private(set) var failures: [(target: [UInt8], reason: String)] = []

  package init() {}

  package init(_ records: [DesktopProtocol.Record]) {
    for record in records {
      switch record {
      case .type(let target, let type, let classes):
        kinds[target] = kinds[target] ?? Kind(mediaType: type, classes: classes)
      case .application(let application, let role, let icon):
        applications.append(Entry(application: application, role: role, icon: icon))
      case .outcome(.failed(let targets, let reason)):
        failures += (targets.isEmpty ? [[]] : targets).map { ($0, reason) }
      case .outcome, .handler, .words: continue
      }
    }
  }
}

/// A page of the web that the user has kept.
package struct Bookmark: Hashable, Sendable {
  package let url: String
  /// Empty if it has none, as the description.
  package let title: String
  package let description: String

  package init(url: String, title: String, description: String) {
    self.url = url
    self.title = title
    self.description = description
  }
}

/// The desktop as a program without its libraries sees it: its applications, portals and lists.
///
/// Targets are absolute paths and URIs.
package protocol DesktopClient: Sendable {
  typealias Application = DesktopProtocol.Application
  typealias LaunchOptions = DesktopProtocol.Options
  typealias LaunchOutcome = DesktopProtocol.Outcome

  /// Whether this process is in a sandbox, from which only a portal reaches the applications of the
  /// user: flatpak's or snap's.
  var isSandboxed: Bool { get }

  /// The applications that open all targets, and the kinds of these.
  ///
  /// - Parameter others: whether those for other types count, too, that take files or URIs.
  func applications(
    for targets: [[UInt8]], others: Bool
  ) throws(DesktopFailure) -> DesktopListing

  /// The default applications of schemes and MIME types, without those that have none.
  func handlers(of keys: [String]) throws(DesktopFailure) -> [String: Application]

  /// Has applications open targets.
  ///
  /// - Parameter application: the identifier of a desktop entry, with or without `.desktop`, or the
  ///   absolute path of one; `nil` for the default application of each target.
  func launch(
    _ application: String?, _ targets: [[UInt8]], _ options: LaunchOptions
  ) throws(DesktopFailure) -> [LaunchOutcome]

  /// Lets the portal write a mail.
  ///
  /// - Parameter fields: `to`, `cc`, `bcc`, `subject`, `body` or `attach`, and the value of each.
  func compose(
    mail fields: [(name: String, value: [UInt8])]
  ) throws(DesktopFailure) -> [LaunchOutcome]

  /// The pages in a list, as XBEL.
  func bookmarks(in list: [UInt8]) throws(DesktopFailure) -> [Bookmark]

  /// The list with a page more.
  ///
  /// - Parameter list: empty for a new one.
  func adding(_ page: Bookmark, to list: [UInt8]) throws(DesktopFailure) -> [UInt8]

  /// The list without a page.
  func removing(url: String, from list: [UInt8]) throws(DesktopFailure) -> [UInt8]
}
