import Glibc

/// What must not change about a file when its attribute does or does not: everything else.
package struct FileState: Equatable {
  package var content: [UInt8]
  package var mode: mode_t
  package var size: off_t
  package var links: nlink_t
  package var modified: [Int]
  /// The attributes, by `getfattr`, except those named.
  package var attributes: String

  package init(_ path: String, except names: [String] = []) throws {
    var status = stat()
    lstat(path, &status)
    mode = status.st_mode
    size = status.st_size
    links = status.st_nlink
    modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    let isFile = status.st_mode & S_IFMT == S_IFREG
    content = isFile ? try Execution.run(["cat", path]).output : []
    let dump = try Execution.run(["getfattr", "-h", "-d", "-m", "-", "-e", "hex", path]).text
    attributes = dump.split(separator: "\n").filter { line in
      !names.contains { line.hasPrefix($0 + "=") }
    }.joined(separator: "\n")
  }
}
