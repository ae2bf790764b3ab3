package import LinuxSystem

/// An entry of a directory, by its name there.
package struct DirectoryEntry: Sendable {
  package let kind: TreeEntry.Kind
  package let name: FilePath
  /// The number of its inode. Of a mount point it is that of the directory below the mount.
  package let inode: UInt64
}
