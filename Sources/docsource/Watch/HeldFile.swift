import Attribution
import Glibc
import Xattr

/// A file that is looked at once more, since many programs write a file by another name than it
/// gets: what it is called then goes into the attribute.
struct HeldFile {
  /// Open for reading; it is ours to close.
  let file: CInt
  let user: UInt32
  let application: AttributedApplication
  let writer: Int32
  /// The path when it was looked at last.
  var path: [UInt8]
  /// The value that was written; `nil` where nothing was, since the name was hidden.
  var documentPath: String?
  /// When it is looked at, in milliseconds.
  var due: Int
  /// How often it still is.
  var turns: Int

  /// It for messages.
  var reference: FileReference { .descriptor(file, path: filePath) }
  var filePath: FilePath { FilePath(bytes: path) ?? FilePath("") }
}
