package import LinuxSystem

/// The user's reading list: bookmarks as GLib has them, which the desktop reads and writes.
package struct ReadingList {
  /// More bytes than any list has.
  private static let limit = 16 << 20

  package let path: FilePath
  private let desktop: any DesktopClient

  /// `nil` if nothing says where the user's data are.
  package init?(in places: BaseDirectories, _ desktop: any DesktopClient) {
    guard let home = places.dataHome else { return nil }
    path = home.appending(FilePath("docsource/reading-list.xbel"))
    self.desktop = desktop
  }

  private var file: UserFile { UserFile(private: path, limit: Self.limit) }

  /// Checks that no list is empty for what stands in its place.
  ///
  /// - Throws: `UserFile.Failure` for a link that leads nowhere, and for a FIFO or another thing.
  private func check() throws(UserFile.Failure) {
    guard (try? FileStatus(path, links: .noFollow)) != nil else { return }
    guard let status = try? FileStatus(path, links: .follow) else {
      throw UserFile.Failure(path: path, reason: "cannot read: the link leads nowhere")
    }
    guard status.kind == .file else {
      throw UserFile.Failure(path: path, reason: "cannot read: not a regular file")
    }
  }

  /// Asks the desktop.
  private func asked<T>(_ work: () throws(DesktopFailure) -> T) throws(UserFile.Failure) -> T {
    do throws(DesktopFailure) {
      return try work()
    } catch {
      throw UserFile.Failure(path: path, reason: error.description)
    }
  }

  /// Changes the list, or in a dry run only tries to.
  ///
  /// - Parameter change: gives the new list; `nil` if there is nothing to change.
  private func edit(
    isDry: Bool, _ change: ([UInt8]?) throws(UserFile.Failure) -> [UInt8]?
  ) throws(UserFile.Failure) {
    if isDry {
      _ = try change(try file.content())
    } else {
      try file.edit { content throws(UserFile.Failure) in try change(content) }
    }
  }

  package func pages() throws(UserFile.Failure) -> [Bookmark] {
    try check()
    return try pages(of: try file.content() ?? [])
  }

  private func pages(of list: [UInt8]) throws(UserFile.Failure) -> [Bookmark] {
    try asked { () throws(DesktopFailure) in try desktop.bookmarks(in: list) }
  }

  /// Adds pages.
  ///
  /// - Returns: the list as it is then.
  func add(_ pages: [Bookmark], isDry: Bool) throws(UserFile.Failure) -> [UInt8] {
    try check()
    var changed: [UInt8] = []
    try edit(isDry: isDry) { list throws(UserFile.Failure) in
      changed = try asked { () throws(DesktopFailure) in
        var list = list ?? []
        for page in pages {
          let page = Bookmark(
            url: page.url, title: Self.inXML(page.title), description: Self.inXML(page.description))
          list = try desktop.adding(page, to: list)
        }
        return list
      }
      return changed
    }
    return changed
  }

  /// A text without what XML 1.0 has no characters for, not even as references: GLib writes
  /// `&#x1;`, with which other programs read none of the list.
  private static func inXML(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isText = scalar.value >= 0x20 || ["\t", "\n", "\r"].contains(scalar)
      if isText, scalar.value & 0xfffe != 0xfffe || scalar.value > 0xffff { scalars.append(scalar) }
    }
    return String(scalars)
  }

  /// Removes pages.
  ///
  /// - Returns: the URLs of those that were in the list.
  package func remove(
    _ urls: [[UInt8]], isDry: Bool
  ) throws(UserFile.Failure) -> Set<[UInt8]> {
    try check()
    var removed: Set<[UInt8]> = []
    try edit(isDry: isDry) { list throws(UserFile.Failure) in
      guard var list else { return nil }
      removed = Set(try pages(of: list).map { Array($0.url.utf8) }).intersection(urls)
      guard !removed.isEmpty else { return nil }
      try asked { () throws(DesktopFailure) in
        for url in removed.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
          list = try desktop.removing(url: String(decoding: url, as: UTF8.self), from: list)
        }
      }
      return list
    }
    return removed
  }
}
