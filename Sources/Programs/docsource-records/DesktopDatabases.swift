import DatabaseSnapshot
import DesktopHistory
import ForeignFormats
import Glibc
import LinuxSystem

/// The databases in which the user's desktop records what applications do with files.
struct DesktopDatabases {
  /// That of KDE's activities.
  private var activities: DatabaseFiles?
  /// That of the document portal, which is read already, but not understood.
  private var documents: (path: FilePath, bytes: [UInt8])?
  /// Those of desktop search: the addresses of files, and the graphs of documents and of pictures.
  private var index: (addresses: DatabaseFiles, graphs: [DatabaseFiles])?
  /// Those that cannot be opened or read, by their paths, and why.
  private(set) var failures: [(path: [UInt8], reason: String, isMomentary: Bool)] = []

  var descriptors: [CInt] {
    let databases =
      [activities].compactMap(\.self) + (index.map { [$0.addresses] + $0.graphs } ?? [])
    return databases.flatMap(\.descriptors)
  }

  /// As Tracker 3 and localsearch name the files of graphs.
  private static let graphs = ["Documents", "Pictures"].map {
    "http%3A%2F%2Ftracker.api.gnome.org%2Fontology%2Fv3%2Ftracker%23\($0).db"
  }

  init(_ directories: BaseDirectories) {
    let data = directories.dataHome
    activities = data.flatMap {
      open($0.appending(FilePath("kactivitymanagerd/resources/database")), of: "KDE's activities")
    }
    if let path = data?.appending(FilePath("flatpak/db/documents")) {
      do throws(UserFileFailure) {
        documents = try UserFile.content(path, limit: PortalDocuments.limit).map { (path, $0) }
      } catch {
        failures.append((Array(path.bytes), error.reason, false))
      }
    }
    if let search = directories.cacheHome?.appending(FilePath("tracker3/files")),
      let addresses = open(search.appending(FilePath("meta.db")), of: "desktop search")
    {
      let graphs = Self.graphs.compactMap {
        open(search.appending(FilePath($0)), of: "desktop search")
      }
      index = (addresses, graphs)
    }
  }

  private mutating func open(_ path: FilePath, of writer: String) -> DatabaseFiles? {
    do throws(UserFileFailure) {
      return try UserFile.database(path, of: writer)
    } catch {
      failures.append((Array(path.bytes), error.reason, false))
      return nil
    }
  }

  /// What the databases have of files; `nil` for all files.
  ///
  /// - Parameter deadline: when reading is given up, in milliseconds of `Clock`.
  mutating func records(of wanted: [DownloadedFile]?, deadline: Int) -> [DesktopRecord] {
    var records: [DesktopRecord] = []
    if let activities {
      records += read(activities.path) { () throws(DatabaseFailure) in
        try ActivityDatabase.uses(of: wanted, in: activities, deadline: deadline)
      }
    }
    if let documents { records += read(documents.path, documents.bytes, wanted) }
    if let index {
      records += read(index.addresses.path) { () throws(DatabaseFailure) in
        try SearchIndex.contents(
          of: wanted, addresses: index.addresses, graphs: index.graphs, deadline: deadline)
      }
    }
    return records
  }

  private mutating func read(
    _ path: [UInt8], _ read: () throws(DatabaseFailure) -> [DesktopRecord]
  ) -> [DesktopRecord] {
    do throws(DatabaseFailure) {
      return try read()
    } catch {
      failures.append((path, error.description, error.isMomentary))
      return []
    }
  }

  private mutating func read(
    _ path: FilePath, _ bytes: [UInt8], _ wanted: [DownloadedFile]?
  ) -> [DesktopRecord] {
    do throws(PortalDocuments.Failure) {
      return try PortalDocuments(bytes).records(of: wanted, database: Array(path.bytes))
    } catch {
      failures.append((Array(path.bytes), error.description, false))
      return []
    }
  }
}
