package import Xattr

/// An entry of a directory, by its name there.
package struct DirectoryEntry: Sendable {
  package let kind: TreeEntry.Kind
  package let name: FilePath
}
