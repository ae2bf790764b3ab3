internal import DatabaseSnapshot
internal import Glibc
internal import LinuxSystem

/// The files of rpm's database.
enum RpmFiles {
  private static let places = ["usr/lib/sysimage/rpm", "var/lib/rpm"].map { FilePath($0) }
  private static let name = "rpmdb.sqlite"

  /// Opens the database; `nil` if there is none that counts.
  static func open(below root: FilePath, of owners: Set<UInt32>) -> DatabaseFiles? {
    for place in places {
      guard let directory = DatabaseDirectory(root.appending(place), of: owners),
        let database = directory.opened(name)
      else { continue }
      guard let version = DatabaseFiles.Version(of: database) else {
        close(database)
        continue
      }
      return DatabaseFiles(
        writer: "rpm", path: Array(directory.path.appending(FilePath(name)).bytes),
        database: database, version, log: directory.opened(name + "-wal") ?? -1,
        journal: directory.opened(name + "-journal") ?? -1)
    }
    return nil
  }
}
