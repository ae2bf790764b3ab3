internal import Applications
internal import DocumentSource
internal import FileTree
internal import ForeignFormats
internal import Glibc
internal import LinuxSystem
internal import Xattr

/// A user whose new files are tagged, with the applications that are known to that user.
///
/// To be used on one thread.
final class WatchedUser {
  let account: UserAccount
  let places: WatchedPlaces
  let policy: WatchPolicy
  /// Which applications' files the user wants to have tagged.
  let filter: ApplicationFilter
  private(set) var applications: InstalledApplications
  /// A number for these applications, other than those of other users and of earlier readings.
  let context: Int
  private let caches: MarkedCaches
  private var portal: PortalDatabase
  private var portalWrites = RecentPortalWrites()
  private let known: KnownApplications
  private var metainfo: MetainfoFiles
  /// Changes are dropped beyond this number, since a process may name any number of applications.
  private static let changeLimit = 256
  /// By the identifiers of applications.
  private var changes: [String: PreparedChange] = [:]
  /// What was written last: most files come from one program after the other.
  private var last: (identifier: String, change: PreparedChange, dependsOnPath: Bool)?

  /// How long reading the user's applications may take of the processor, in milliseconds.
  private static let applicationBudget = 2000

  /// Reads the user's applications; to be called with the user's rights.
  ///
  /// - Parameter generation: how often users have been read.
  init(
    _ account: UserAccount, _ directories: [WatchedDirectory], _ globs: WatchGlobs,
    _ policy: WatchPolicy, _ filter: ApplicationFilter = ApplicationFilter(), generation: Int
  ) {
    self.filter = filter
    self.account = account
    places = WatchedPlaces(directories: directories, globs: globs)
    caches = MarkedCaches(account)
    portal = PortalDatabase(account.places)
    self.policy = policy
    context = generation << UInt32.bitWidth | Int(account.user)
    let base = account.places
    let applications = InstalledApplications(base, budget: Self.applicationBudget)
    self.applications = applications
    metainfo = MetainfoFiles(base) { applications.hasEntry($0) }
    known = KnownApplications(
      ApplicationRegistry(places: base), places: base, locale: MessageLocale { _ in nil })
  }

  /// Takes what was seen on the portal's mount.
  func note(_ write: PortalWrite) { portalWrites.note(write) }

  /// The place on the host of a document that an application may write; see
  /// `PortalDatabase.place`.
  func place(
    ofDocument identifier: String, _ names: [ArraySlice<UInt8>], for application: String,
    isBarred: ([UInt8]) -> Bool
  ) -> PortalDatabase.Place {
    portal.place(of: identifier, names, for: application, isBarred: isBarred)
  }

  /// The application that a document portal has written a file for, by the file's path: who was seen
  /// to write the document, or the only one who may; of a document that the database does not have,
  /// who alone was seen to write one of this name.
  func attribution(
    ofPortalAt path: [UInt8], isBarred: ([UInt8]) -> Bool
  ) -> Attribution {
    func likely() -> String? {
      let writers = portal.writers(of: path, isBarred: isBarred)
      guard !writers.isEmpty else { return portalWrites.takeUnknown(path) }
      return writers.count == 1 ? writers.first : nil
    }
    guard let identifier = portalWrites.take(path) ?? likely() else {
      return .none(.plain(.portal))
    }
    return .ofSandbox(identifier, among: applications)
  }

  /// Hands over the metainfo files of applications that have no desktop entry.
  func takeMetainfo() -> MetainfoFiles {
    defer { metainfo = MetainfoFiles([]) }
    return metainfo
  }

  /// Takes what such files say.
  func describe(_ descriptions: [ApplicationDescription]) {
    applications.describe(descriptions)
    last = nil
  }

  /// See ``InstalledApplications/product(of:at:)``.
  func product(
    of application: ApplicationDescription, at path: [UInt8]
  ) -> InstalledApplications.Product {
    if let last, last.identifier == application.identifier, !last.dependsOnPath {
      return .application(application)
    }
    return applications.product(of: application, at: path)
  }

  /// Where a file is, by its path without links.
  func place(of path: HashedPath) -> WatchedPlaces.Place {
    places.place(of: path.bytes) { _, first in caches.contain(path.directory, first) }
  }

  /// Whether documents may be in a directory, by its path without links.
  func mayHoldDocuments(_ directory: [UInt8]) -> Bool {
    places.mayHoldDocuments(directory) { caches.contain(PathKey($0), $1) }
  }

  /// The change that writes an application: the user's list of applications comes before the
  /// desktop file.
  ///
  /// - Throws: `RefusedValue` for a value that must not be written.
  func change(
    for application: ApplicationDescription
  ) throws(RefusedValue) -> PreparedChange {
    if let last, last.identifier == application.identifier { return last.change }
    let change = try knownChange(for: application)
    last = (application.identifier, change, applications.dependsOnPath(application))
    return change
  }

  private func knownChange(
    for application: ApplicationDescription
  ) throws(RefusedValue) -> PreparedChange {
    if let change = changes[application.identifier] { return change }
    let listed = FileRights.ofUser(account.user, group: account.group) {
      known.application(application.identifier)
    }
    var change = SourceChange(base: policy == .keep ? .existing : .nothing)
    change.watchMark = .write
    change.identifier = .set(application.identifier)
    if let name = listed?.name ?? application.name { change.name = .set(name) }
    // A URL that is not https is only written where somebody asks for that.
    if let url = listed?.appInfoURL, (try? WritingRules().check(url, for: .appInfoURL)) != nil {
      change.appInfoURL = .set(url)
    }
    let prepared = try PreparedChange(change)
    if changes.count >= Self.changeLimit { changes.removeAll(keepingCapacity: true) }
    changes[application.identifier] = prepared
    return prepared
  }
}
