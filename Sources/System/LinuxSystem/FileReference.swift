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

/// What a call does with a path whose last component is a symbolic link.
public enum Links: Sendable {
  /// It acts on what the link points to, as `getxattr` does.
  case follow
  /// It acts on the link itself, as `lgetxattr` does. Linux stores no `user.` attribute there.
  case noFollow
}

/// A file by its name in an open directory, for as long as both are at hand.
///
/// It has no copy of the name, so that it cannot be kept. A `FileReference` can.
@safe
package struct EntryReference: ~Copyable {
  package let directory: CInt
  private let name: UnsafeBufferPointer<UInt8>

  /// - Parameter name: stays where it is while this is used, as does the NUL behind it.
  package init(directory: CInt, terminatedName name: UnsafeBufferPointer<UInt8>) {
    self.directory = directory
    unsafe self.name = name
  }

  /// Calls `body` with the name as a NUL-terminated C string.
  package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    guard let base = unsafe name.baseAddress else { preconditionFailure("a name has its NUL") }
    return unsafe body(UnsafeRawPointer(base).assumingMemoryBound(to: CChar.self))
  }

  /// Calls `body` with the bytes of the name, without a NUL.
  package func withName<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    unsafe body(name)
  }
}
