import Applications
import Attribution
import DocumentSource
import FileTree
import Glibc
import Xattr

/// A user whose new files are tagged, with the applications that are known to that user.
///
/// It is for one thread.
final class WatchedUser {
  /// Where a file stands that was written.
  enum Place {
    /// Not where the user wants it to be looked at.
    case elsewhere
    /// There, but by a name that hides it, as editors use until they rename it.
    case hidden
    /// The path for the attribute.
    case watched(path: [UInt8])
  }

  let account: UserAccount
  let directories: [WatchedDirectory]
  let policy: WatchPolicy
  let applications: InstalledApplications
  /// Tells these applications from others.
  let context: Int
  private let globs: WatchGlobs
  private let known: KnownApplications
  /// By the identifiers of applications.
  private var changes: [String: PreparedChange] = [:]

  /// To be called with the user's rights.
  init(
    _ account: UserAccount, _ directories: [WatchedDirectory], _ globs: WatchGlobs,
    _ policy: WatchPolicy, context: Int
  ) {
    self.account = account
    self.directories = directories
    self.globs = globs
    self.policy = policy
    self.context = context
    let places = account.places
    applications = InstalledApplications(places)
    known = KnownApplications(
      ApplicationRegistry(places: places), places: places, locale: MessageLocale { _ in nil })
  }

  /// Where a file stands, by the path that the kernel has for it.
  func place(of path: [UInt8]) -> Place {
    for directory in directories {
      guard let rest = directory.rest(of: path) else { continue }
      var start = rest.startIndex
      while let slash = rest[start...].firstIndex(of: UInt8(ascii: "/")) {
        if Self.isPassedOver(rest[start..<slash]) { return .elsewhere }
        start = slash + 1
      }
      if rest[start] == UInt8(ascii: ".") { return .hidden }
      let path = directory.documentPath(rest)
      return globs.accepts(path[...]) ? .watched(path: path) : .elsewhere
    }
    return .elsewhere
  }

  /// Whether nothing below a directory is a document: it is hidden, a cache's or version control's.
  private static func isPassedOver(_ name: ArraySlice<UInt8>) -> Bool {
    name.first == UInt8(ascii: ".") || name.suffix(4).isText(".git")
      || passedOver.contains { name.isText($0) }
  }

  private static let passedOver: [StaticString] = [
    "cache", "Cache", "caches", "Caches", "__pycache__", "node_modules", "CVS", "RCS", "SCCS",
    "_darcs",
  ]

  /// What is written for an application: what the user's list says of it counts before its desktop
  /// file.
  ///
  /// - Throws: `RefusedValue` for what must not be written.
  func change(
    for application: AttributedApplication
  ) throws(RefusedValue) -> PreparedChange {
    if let change = changes[application.identifier] { return change }
    let listed = FileRights.ofUser(account.user, group: account.group) {
      known.application(application.identifier)
    }
    var change = SourceChange(base: policy == .keep ? .existing : .nothing)
    change.identifier = .set(application.identifier)
    if let name = listed?.name ?? application.name { change.name = .set(name) }
    // One that is not https is not written unasked.
    if let url = listed?.appInfoURL, (try? WritingRules().check(url, for: .appInfoURL)) != nil {
      change.appInfoURL = .set(url)
    }
    let prepared = try PreparedChange(change)
    changes[application.identifier] = prepared
    return prepared
  }
}

extension ArraySlice<UInt8> {
  fileprivate func isText(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { unsafe elementsEqual($0) }
  }
}
