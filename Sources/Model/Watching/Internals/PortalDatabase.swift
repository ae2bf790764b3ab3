internal import ForeignFormats
internal import LinuxSystem

/// Which applications in sandboxes may write a user's documents, as the document portal's database
/// says, which is read again when it has changed.
///
/// To be used on one thread, with the user's rights.
struct PortalDatabase {
  /// Reading takes a twentieth of the time at most: an application in a sandbox may have documents
  /// noted as fast as the portal can.
  private static let share = 20

  private let file: FilePath?
  private var table: PortalDocuments?
  private var fingerprint: FileFingerprint?
  /// When the database may be read again, in milliseconds.
  private var nextTime = 0
  /// The applications that may write, by the paths of files.
  private var files: [[UInt8]: Set<String>] = [:]
  /// The same by the paths of directories that were handed over with all that is in them.
  private var directories: [[UInt8]: Set<String>] = [:]

  /// - Parameter places: the user's.
  init(_ places: BaseDirectories) {
    file = places.dataHome?.appending(FilePath("flatpak/db/documents"))
  }

  /// The identifiers of the applications that may write a file.
  ///
  /// - Parameters:
  ///   - path: on the host, without links.
  ///   - isBarred: whether a path must not be followed, since nobody may answer there.
  mutating func writers(of path: [UInt8], isBarred: ([UInt8]) -> Bool) -> Set<String> {
    guard read(isBarred) else { return [] }
    var writers = files[path] ?? []
    var rest = path[...]
    while !directories.isEmpty, let slash = rest.lastIndex(of: UInt8(ascii: "/")), slash > 0 {
      rest = rest[..<slash]
      writers.formUnion(directories[Array(rest)] ?? [])
    }
    return writers
  }

  /// Where a document is on the host.
  enum Place: Equatable {
    case path([UInt8])
    /// The database does not have the document: it is not persistent, or not noted yet.
    case unknown
    /// The application may not write the document, or the file is no document.
    case none
  }

  /// The place on the host of a document, as `PortalDocuments.hostPath` says, if an application may
  /// write the document: a sandbox may mount one document by another one's name.
  ///
  /// - Parameter application: its identifier; that of a snap is the snap's name, `_` and its own.
  mutating func place(
    of identifier: String, _ names: [ArraySlice<UInt8>], for application: String,
    isBarred: ([UInt8]) -> Bool
  ) -> Place {
    guard read(isBarred) else { return .none }
    guard let document = table?.documents[identifier] else { return .unknown }
    let snap = application.split(separator: "_").first.map { "snap.\($0)" } ?? ""
    guard document.writers.contains(application) || document.writers.contains(snap) else {
      return .none
    }
    return table?.hostPath(of: identifier, names).map { .path($0) } ?? .none
  }

  /// - Returns: whether the database may be used.
  private mutating func read(_ isBarred: ([UInt8]) -> Bool) -> Bool {
    guard let file, !isBarred(Array(file.bytes)) else { return false }
    let start = Clock.milliseconds
    let now = start >= nextTime ? FileFingerprint(file) : fingerprint
    if now != fingerprint {
      // If the file changes while it is read, it is read again.
      fingerprint = now
      read(file)
      nextTime = start + (Clock.milliseconds - start) * Self.share
    }
    return true
  }

  private mutating func read(_ file: FilePath) {
    (files, directories, table) = ([:], [:], nil)
    guard let bytes = InstalledFile(path: file).content(limit: PortalDocuments.limit),
      let table = try? PortalDocuments(bytes)
    else { return }
    self.table = table
    for document in table.documents.values {
      if document.isDirectory {
        directories[document.path, default: []].formUnion(document.writers)
      } else {
        files[document.path, default: []].formUnion(document.writers)
      }
    }
  }
}
