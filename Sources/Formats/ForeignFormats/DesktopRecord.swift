/// What a desktop has recorded of a file, which it knows by its path.
public struct DesktopRecord: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    /// KDE's activities: an application's uses.
    case use(RecentUse)
    /// The document portal: what an application in a sandbox may do with the file, such as `read` and
    /// `write`.
    case grant(application: String, permissions: [String])
    /// The index of desktop search: the program and the device that the content named when it was last
    /// changed at a time, in whole seconds since 1970-01-01T00:00:00Z.
    case indexed(program: String?, device: String?, modified: Int64)
  }

  /// The path of the database that has the record.
  public let database: [UInt8]
  /// The absolute path of the file; with a slash after it, all that is below that directory.
  public let path: [UInt8]
  public let content: Content

  public init(database: [UInt8], path: [UInt8], content: Content) {
    self.database = database
    self.path = path
    self.content = content
  }

  /// The application that has used the file, or may do so; empty if none is named.
  package var application: String {
    switch content {
    case .use(let use): use.application
    case .grant(let application, _): application
    case .indexed: ""
    }
  }
}

/// The records of desktops, to be asked for those of a file.
package struct DesktopRecords: Sendable {
  private var byPath: [[UInt8]: [DesktopRecord]] = [:]

  package init(_ records: [DesktopRecord]) {
    for record in records { byPath[record.path, default: []].append(record) }
  }

  /// The records of a file, those of its own path first.
  package func records(of file: DownloadedFile) -> [DesktopRecord] {
    var found = byPath[file.path] ?? []
    var rest = file.path[...]
    while !byPath.isEmpty, let slash = rest.lastIndex(of: UInt8(ascii: "/")) {
      found += byPath[Array(rest[...slash])] ?? []
      rest = rest[..<slash]
    }
    return found.filter { record in
      // What the index has of an earlier content says nothing of this one.
      guard case .indexed(_, _, let modified) = record.content else { return true }
      return Double(modified) == file.modified.rounded(.down)
    }
  }
}

extension PortalDocuments {
  /// What applications in sandboxes may do with files, by the permissions' names in their order.
  ///
  /// - Parameter wanted: `nil` for all files.
  package func records(of wanted: [DownloadedFile]?, database: [UInt8]) -> [DesktopRecord] {
    documents.values.flatMap { document -> [DesktopRecord] in
      let path = document.path + (document.isDirectory ? [UInt8(ascii: "/")] : [])
      let isWanted =
        wanted?.contains { document.isDirectory ? $0.path.starts(with: path) : $0.path == path }
      guard isWanted ?? true else { return [] }
      return document.permissions.map { application, permissions in
        DesktopRecord(
          database: database, path: path,
          content: .grant(application: application, permissions: permissions.sorted()))
      }
    }
    .sorted { one, two in
      one.path == two.path
        ? one.application < two.application : one.path.lexicographicallyPrecedes(two.path)
    }
  }
}
