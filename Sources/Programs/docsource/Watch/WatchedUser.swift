import Applications
import Attribution
import DocumentSource
import FileTree
import ForeignFormats
import Glibc
import LinuxSystem
import Xattr

/// A user whose new files are tagged, with the applications that are known to that user.
///
/// It is for one thread.
final class WatchedUser {
  let account: UserAccount
  let places: WatchedPlaces
  let policy: WatchPolicy
  private(set) var applications: InstalledApplications
  /// Tells these applications from others, another user's and those that there were before.
  let context: Int
  private let caches: MarkedCaches
  private let known: KnownApplications
  private var metainfo: MetainfoFiles
  /// A process may name any number of applications.
  private static let changeLimit = 256
  /// By the identifiers of applications.
  private var changes: [String: PreparedChange] = [:]

  /// To be called with the user's rights.
  ///
  /// - Parameter generation: how often everything was read.
  init(
    _ account: UserAccount, _ directories: [WatchedDirectory], _ globs: WatchGlobs,
    _ policy: WatchPolicy, generation: Int
  ) {
    self.account = account
    places = WatchedPlaces(directories, globs)
    caches = MarkedCaches(account)
    self.policy = policy
    context = generation << UInt32.bitWidth | Int(account.user)
    let base = account.places
    let applications = InstalledApplications(base)
    self.applications = applications
    metainfo = MetainfoFiles(base) { applications.hasEntry($0) }
    known = KnownApplications(
      ApplicationRegistry(places: base), places: base, locale: MessageLocale { _ in nil })
  }

  /// The files that may describe applications without a desktop entry; they are not kept.
  func takeMetainfo() -> MetainfoFiles {
    defer { metainfo = MetainfoFiles([]) }
    return metainfo
  }

  /// Takes what is in them.
  func describe(_ descriptions: [ApplicationDescription]) { applications.describe(descriptions) }

  /// Where a file stands, by the path that the kernel has for it.
  func place(of path: [UInt8]) -> WatchedPlaces.Place {
    places.place(of: path) { caches.contain($0, $1) }
  }

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
    if changes.count >= Self.changeLimit { changes.removeAll(keepingCapacity: true) }
    changes[application.identifier] = prepared
    return prepared
  }
}
