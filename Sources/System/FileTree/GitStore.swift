public import LinuxSystem

/// Git's objects and index, where no walk goes that leaves version control out.
public enum GitStore {
  /// Whether a path leads to the objects or the index of a repository or worktree.
  public static func contains(_ path: FilePath) -> Bool {
    let name = path.lastComponent
    guard name.elementsEqual("objects".utf8) || name.elementsEqual("index".utf8),
      let kind = TreeEntry.Kind(of: path, links: .noFollow),
      mayBeCalled(name, isDirectory: kind == .directory)
    else { return false }
    let directory = path.prefix(name.startIndex > 1 ? name.startIndex - 1 : name.startIndex)
    return isRepository(directory) {
      TreeEntry.Kind(of: directory.appending(FilePath($0)), links: .noFollow) != nil
    }
  }

  static func mayBeCalled(_ name: ArraySlice<UInt8>, isDirectory: Bool) -> Bool {
    name.elementsEqual((isDirectory ? "objects" : "index").utf8)
  }

  /// Whether a directory is where Git keeps a repository or worktree: one called .git, one in
  /// .git/modules or .git/worktrees, or a bare repository.
  ///
  /// - Parameter has: whether the directory has an entry of a name.
  static func isRepository(_ directory: FilePath, has: (String) -> Bool) -> Bool {
    if directory.lastComponent.elementsEqual(".git".utf8) { return true }
    return has("HEAD") && (has("refs") || has("commondir"))
  }
}
