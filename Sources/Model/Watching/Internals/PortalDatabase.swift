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

  /// The identifier of the only application that may write a file; `nil` if there are several, or none.
  ///
  /// - Parameters:
  ///   - path: on the host, without links.
  ///   - isBarred: whether a path must not be followed, since nobody may answer there.
  mutating func writer(of path: [UInt8], isBarred: ([UInt8]) -> Bool) -> String? {
    guard let file, !isBarred(Array(file.bytes)) else { return nil }
    read(file)
    var writers = files[path] ?? []
    var rest = path[...]
    while !directories.isEmpty, let slash = rest.lastIndex(of: UInt8(ascii: "/")), slash > 0 {
      rest = rest[..<slash]
      writers.formUnion(directories[Array(rest)] ?? [])
    }
    return writers.count == 1 ? writers.first : nil
  }

  private mutating func read(_ file: FilePath) {
    let start = Clock.milliseconds
    guard start >= nextTime else { return }
    let now = FileFingerprint(file)
    guard now != fingerprint else { return }
    defer { nextTime = start + (Clock.milliseconds - start) * Self.share }
    // If the file changes while it is read, it is read again.
    fingerprint = now
    (files, directories) = ([:], [:])
    guard let bytes = InstalledFile(path: file).content(limit: PortalDocuments.limit),
      let table = try? PortalDocuments(bytes)
    else { return }
    for document in table.documents.values {
      if document.isDirectory {
        directories[document.path, default: []].formUnion(document.writers)
      } else {
        files[document.path, default: []].formUnion(document.writers)
      }
    }
  }
}
