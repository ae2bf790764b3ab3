import Attribution
import Glibc
import LinuxSystem

/// A file that is looked at later: one that was written among many, or for the second time, since
/// many programs write a file by another name than it gets. What it is called then goes into the
/// attribute.
struct HeldFile {
  /// Open for reading; it is ours to close.
  let file: CInt
  /// Among whose applications the writer was found.
  let user: UInt32
  let application: AttributedApplication
  let writer: Int32
  /// The path when it was looked at last; empty where it was not yet.
  var path: [UInt8] = []
  /// The path in the attribute; `nil` where none was written, since the name was hidden.
  var documentPath: String?
  /// When it is looked at, in milliseconds.
  var due = 0
  /// How often it still is.
  var turns = 1

  init(
    _ file: CInt, _ user: WatchedUser, _ application: AttributedApplication, _ writer: Writer
  ) {
    self.file = file
    self.user = user.account.user
    self.application = application
    self.writer = writer.identifier
  }

  var isNew: Bool { path.isEmpty }
  /// It for messages.
  var reference: FileReference { .descriptor(file, path: filePath) }
  var filePath: FilePath { FilePath(bytes: path) ?? FilePath("") }
}
