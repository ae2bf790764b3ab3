import DatabaseSnapshot
import Glibc
import Testing

/// A database that is open for reading.
final class OpenDatabase {
  let files: DatabaseFiles

  init(_ path: String) throws {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    files = DatabaseFiles(
      writer: "the test", path: Array(path.utf8), database: file,
      try #require(DatabaseFiles.Version(of: file)))
  }

  deinit { for descriptor in files.descriptors { close(descriptor) } }
}
