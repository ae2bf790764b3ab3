internal import CLinux

/// What tells a file from others that have had its number, and what it holds from what it held before, also
/// after a restart. `FileVersion` is for the time of one run.
///
/// Times are in nanoseconds since 1970-01-01T00:00:00Z.
package struct ContentVersion: Hashable, Sendable {
  package let inode: UInt64
  /// When the file was made, which nobody can set; `nil` if the file system does not record that.
  package let born: Int64?
  /// In bytes.
  package let size: UInt64
  /// When its content was last changed, or what somebody has set with utimensat(2).
  package let modified: Int64
  /// When anything of it was last changed: content, names, mode, owner, attributes. Nobody can set that.
  package let changed: Int64
  /// The number of its file system.
  package let device: UInt64

  /// The corresponding C function is statx(2).
  ///
  /// - Parameter descriptor: an open file, one of O_PATH included.
  package init(descriptor: Int32) throws(Errno) {
    var version = clinux_version()
    let result = unsafe clinux_file_version(descriptor, &version)
    guard result == 0 else { throw Errno(rawValue: -result) }
    inode = version.inode
    born = version.has_born == 1 ? version.born : nil
    size = version.size
    modified = version.modified
    changed = version.changed
    device = version.device
  }

  package init(
    inode: UInt64, born: Int64?, size: UInt64, modified: Int64, changed: Int64, device: UInt64 = 0
  ) {
    self.inode = inode
    self.born = born
    self.size = size
    self.modified = modified
    self.changed = changed
    self.device = device
  }
}
