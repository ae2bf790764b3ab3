internal import Glibc
package import LinuxSystem
package import Xattr

/// A file or directory met on a walk, while it is visited.
///
/// An entry is valid during the visit only: making a path for every file would take measurable time.
/// A caller that keeps something of an entry asks for its `path` or its `file`.
@safe
package struct TreeEntry: ~Copyable {
  /// Links, FIFOs, sockets and devices are `other`.
  package enum Kind: Sendable {
    case file, directory, other

    /// Returns `nil` if fstatat(2) fails.
    package init?(of path: FilePath, links: Links) {
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

  package let kind: Kind
  /// The attribute that `WalkOptions.attribute` asks for; `nil` if the options name none.
  package let attribute: AttributeReader.Reading?
  /// The entry relative to its directory's descriptor.
  package let place: EntryReference
  private let directoryPath: UnsafeBufferPointer<UInt8>

  /// - Parameter directoryPath: must outlive the entry.
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
  package var file: FileReference {
    .entry(directory: place.directory, name: name, path: path)
  }

  /// The path, which begins with the root's as the caller gave it.
  package var path: FilePath {
    unsafe place.withName { unsafe FilePath(directory: directoryPath, name: $0) }
  }

  package var name: FilePath { unsafe place.withCString { unsafe FilePath(cString: $0) } }

  /// The bytes of the directory's path.
  package var directoryBytes: [UInt8] { unsafe Array(directoryPath) }

  /// Whether the directory's path has these bytes.
  package func isIn(_ directory: [UInt8]) -> Bool {
    unsafe directory.withUnsafeBytes {
      unsafe UnsafeRawBufferPointer(directoryPath).hasSameBytes(as: $0)
    }
  }

  /// Whether the name begins with a period.
  package var isHidden: Bool {
    unsafe place.withName { unsafe $0.first == UInt8(ascii: ".") }
  }

  /// Whether the directory's path or the name has one of these pairs of bytes in it.
  package func hasPair(_ isPair: (UInt8, UInt8) -> Bool) -> Bool {
    func has(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
      var former = UInt8(ascii: "/")
      for index in bytes.indices {
        let byte = unsafe bytes[index]
        if isPair(former, byte) { return true }
        former = byte
      }
      return false
    }
    return unsafe has(directoryPath) || place.withName { unsafe has($0) }
  }

  /// Appends the bytes of the path.
  ///
  /// - Parameter count: how many bytes of the directory's path are left out.
  package func appendPath(to bytes: inout [UInt8], droppingFirst count: Int = 0) {
    if unsafe count < directoryPath.count {
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: directoryPath[count...]))
      FilePath.addSlash(to: &bytes)
    }
    unsafe place.withName { unsafe bytes.append(contentsOf: $0) }
  }
}

/// A directory that could not be walked to its end.
package struct TreeFailure: Error, Sendable {
  package struct Cause: Hashable, Sendable {
    private enum Value { case errno, replaced, moved, ancestor }
    private let value: Value

    /// A system call failed.
    package static let errno = Cause(value: .errno)
    /// The entry was a directory when its name was read, but no longer when it was opened.
    package static let replaced = Cause(value: .replaced)
    /// While its entries were read, the directory or one above it was moved, removed or made
    /// inaccessible. The walk could not reach it again and left out the rest.
    package static let moved = Cause(value: .moved)
    /// A bind mount shows one of the directories above it; walking that would never end.
    package static let ancestor = Cause(value: .ancestor)
  }

  package let path: FilePath
  package let errno: Errno
  package let cause: Cause

  package init(path: FilePath, errno: Errno, cause: Cause = .errno) {
    self.path = path
    self.errno = errno
    self.cause = cause
  }

  /// Words that follow "cannot read the directory: ".
  package var reason: String {
    switch (cause, errno) {
    case (.replaced, _): "another file replaced the directory in the meantime"
    case (.moved, _): "the directory was moved while it was read; its remaining entries are skipped"
    case (.ancestor, _): "the directory is mounted below itself"
    case (_, .tooManyOpenFiles): "too many open files; raise the limit with 'ulimit -n'"
    default: errno.description.lowercased()
    }
  }
}
