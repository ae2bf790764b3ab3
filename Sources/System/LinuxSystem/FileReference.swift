/// How a file is reached.
public enum FileReference: Sendable {
  /// By a path from the working directory or the root.
  case path(FilePath, links: Links = .follow)
  /// By an open descriptor; `path` serves messages only. O_PATH descriptors do not do.
  case descriptor(CInt, path: FilePath)
  /// By a name relative to an open directory, so that nobody can swap a component in between.
  /// `path` serves messages only.
  case entry(directory: CInt, name: FilePath, path: FilePath, links: Links = .noFollow)

  /// The path for messages.
  public var path: FilePath {
    switch self {
    case .path(let path, _), .descriptor(_, let path), .entry(_, _, let path, _): path
    }
  }
}
