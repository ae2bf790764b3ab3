package import LinuxSystem

/// The file of the user's reading list: bookmarks as GLib has them, which the desktop reads and writes.
package enum ReadingListFile {
  /// More bytes than any list has.
  private static let limit = 32 << 20

  /// Where the list is; `nil` if nothing says where the user's data are.
  package static func path(in places: BaseDirectories) -> FilePath? {
    places.dataHome?.appending(FilePath("docsource/reading-list.xbel"))
  }

  package static func file(_ path: FilePath) -> UserFile { UserFile(private: path, limit: limit) }
}
