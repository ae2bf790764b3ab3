internal import Glibc
public import LinuxSystem
package import Xattr

/// A file or directory met on a walk, while it is visited.
///
/// It cannot be kept: making a path for each of many files would be seen in the time. Whoever wants
/// to keep it asks for its `path` or its `file`.
@safe
public struct TreeEntry: ~Copyable {
  /// What an entry is; links, FIFOs, sockets and devices are `other`.
  public enum Kind: Sendable {
    case file, directory, other

    /// The kind of a file, or `nil` where it cannot be told. The C function is fstatat(2).
    public init?(of path: FilePath, links: Links) {
      self.init(AT_FDCWD, path, links)
    }

    init?(_ directory: CInt, _ name: FilePath, _ links: Links) {
      var status = stat()
      let flags = links == .follow ? 0 : AT_SYMLINK_NOFOLLOW
      let result = unsafe name.withCString { unsafe fstatat(directory, $0, &status, flags) }
      guard result == 0 else { return nil }
      switch status.st_mode & S_IFMT {
      case S_IFREG: self = .file
      case S_IFDIR: self = .directory
      default: self = .other
      }
    }
  }

  public let kind: Kind
  /// What the walk has read of the attribute that it was to read; `nil` where there is none.
  package let attribute: AttributeReader.Reading?
  /// The entry relative to its directory's descriptor.
  package let place: EntryReference
  private let directoryPath: UnsafeBufferPointer<UInt8>

  /// - Parameter directoryPath: stays where it is while this is used.
  init(
    kind: Kind, attribute: AttributeReader.Reading?, place: consuming EntryReference,
    directoryPath: UnsafeBufferPointer<UInt8>
  ) {
    self.kind = kind
    self.attribute = attribute
    self.place = place
    unsafe self.directoryPath = directoryPath
  }

  /// The entry relative to its directory's descriptor, which is open during the visit only.
  public var file: FileReference {
    .entry(directory: place.directory, name: name, path: path)
  }

  /// The path from where the walk began, for messages.
  public var path: FilePath {
    unsafe place.withName { unsafe FilePath(directory: directoryPath, name: $0) }
  }

  /// The last component of the path.
  public var name: FilePath { unsafe place.withCString { unsafe FilePath(cString: $0) } }

  /// Appends the bytes of the path.
  ///
  /// - Parameter count: how many bytes are left out of those before the name.
  package func appendPath(to bytes: inout [UInt8], droppingFirst count: Int = 0) {
    if unsafe count < directoryPath.count {
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: directoryPath[count...]))
      FilePath.addSlash(to: &bytes)
    }
    unsafe place.withName { unsafe bytes.append(contentsOf: $0) }
  }
}

/// A directory that could not be walked, or not to its end.
public struct TreeFailure: Error, Sendable {
  /// What stood in the way.
  public struct Cause: Hashable, Sendable {
    private enum Value { case errno, replaced, moved, ancestor }
    private let value: Value

    /// A system call failed.
    public static let errno = Cause(value: .errno)
    /// What was a directory when its name was read no longer was when it was opened.
    public static let replaced = Cause(value: .replaced)
    /// While its entries were read it, or a directory above it, was moved or removed or closed to
    /// us, and it could not be reached again; the rest of what is below it was passed over.
    public static let moved = Cause(value: .moved)
    /// It is one of the directories above it, by a bind mount; walking it would never end.
    public static let ancestor = Cause(value: .ancestor)
  }

  public let path: FilePath
  public let errno: Errno
  public let cause: Cause

  init(path: FilePath, errno: Errno, cause: Cause = .errno) {
    self.path = path
    self.errno = errno
    self.cause = cause
  }

  /// Why, in words that follow "cannot read the directory: ".
  public var reason: String {
    switch (cause, errno) {
    case (.replaced, _): "it was replaced by something else meanwhile"
    case (.moved, _): "it was moved while it was read, so the rest is left out"
    case (.ancestor, _): "it is mounted below itself"
    case (_, .tooManyOpenFiles): "too many open files; raise the limit with 'ulimit -n'"
    default: errno.description.lowercased()
    }
  }
}
