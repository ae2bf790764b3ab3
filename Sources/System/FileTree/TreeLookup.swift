internal import CLinux
internal import Glibc
package import LinuxSystem

/// Finds files below a directory by untrusted paths.
///
/// No link is followed, neither on the way nor at the end of a path, and by default no path leads out
/// of the directory. A file is reached relative to its directory's descriptor, so that swapping a
/// component of the path for a link cannot redirect the caller.
///
/// The corresponding C function is openat2(2), or on kernels without it openat(2) for each
/// component.
package final class TreeLookup {
  /// Where paths may lead.
  package enum Bounds: Sendable {
    case tree
    /// Absolute paths and `..` are allowed.
    case anywhere
  }

  /// How directories are opened.
  package enum Route: Sendable {
    /// By openat2(2), in one call.
    case kernel
    case components
  }

  /// Why a path leads to no file that can carry attributes.
  package enum Refusal: Error, Hashable, Sendable {
    case empty, absolute, upwards, missing, linkOnTheWay, link, special
    case errno(Errno)

    fileprivate init(_ errno: Errno) {
      self =
        switch errno {
        case .noSuchFile: .missing
        case .tooManySymbolicLinks: .linkOnTheWay
        default: .errno(errno)
        }
    }

    /// Words that follow the path.
    package var reason: String {
      switch self {
      case .empty: "the path is empty"
      case .absolute: "the path is absolute"
      case .upwards: "the path contains '..'"
      case .missing: "no such file or directory"
      case .linkOnTheWay:
        "a directory in the path is a symbolic link, which docsource does not follow"
      case .link: "the file is a symbolic link, which docsource does not follow"
      case .special: "Linux stores user attributes only on regular files and directories"
      case .errno(let errno): errno.description.lowercased()
      }
    }
  }

  fileprivate let root: FilePath
  fileprivate let bounds: Bounds
  fileprivate private(set) var route: Route
  fileprivate let origin: DirectoryHandle
  /// The directory of the previous file, and its path; most files stand in the same one.
  private var latest: DirectoryHandle?
  private var latestPath: ArraySlice<UInt8> = []

  /// - Parameter root: a directory or a link to one.
  package init(
    below root: FilePath, bounds: Bounds = .tree, route: Route = .kernel
  ) throws(TreeFailure) {
    self.root = root
    self.bounds = bounds
    self.route = route
    do throws(Errno) {
      origin = try DirectoryHandle(unsafe root.withCString { unsafe clinux_directory_reach($0) })
    } catch {
      throw TreeFailure(path: root, errno: error)
    }
  }

  fileprivate init(_ root: FilePath, _ bounds: Bounds, _ route: Route, _ origin: DirectoryHandle) {
    self.root = root
    self.bounds = bounds
    self.route = route
    self.origin = origin
  }

  /// Finds a regular file or directory.
  ///
  /// - Returns: the file relative to its directory, which stays open until the next call.
  package func file(at path: FilePath) throws(Refusal) -> FileReference {
    try find(path).reference
  }

  /// Finds a regular file or directory, and keeps its directory open.
  package func find(_ path: FilePath) throws(Refusal) -> FoundFile {
    let place = try place(of: path)
    return FoundFile(
      identity: try place.identity(of: path),
      reference: place.reference(path, shownAs: shown(path)),
      directory: place.directory)
  }

  /// Finds the directory of a file, and does not look at the file. For many files, this takes less than `find`.
  package func place(of path: FilePath) throws(Refusal) -> FoundPlace {
    let count = path.bytes.count
    if let latest, let start = startOfName(path) {
      return FoundPlace(directory: latest, name: nil, start: start)
    }
    let components = try components(of: path)
    guard let last = components.last else {
      let directory = try directory(path.bytes, components)
      return FoundPlace(directory: directory, name: FilePath("."), start: 0)
    }
    let directory = try directory(path.bytes[..<last.startIndex], components.dropLast())
    if last.endIndex == count {
      return FoundPlace(directory: directory, name: nil, start: last.startIndex)
    }
    // A name with a slash after it would follow a link.
    guard let name = FilePath(bytes: last) else { throw .empty }
    return FoundPlace(directory: directory, name: name, start: 0)
  }

  /// Where the name begins in the path of a file of the same directory as the previous one; `nil` if
  /// a closer look is needed.
  private func startOfName(_ path: FilePath) -> Int? {
    let length = latestPath.count
    return unsafe path.bytes.withUnsafeBytes { path -> Int? in
      guard path.count > length, unsafe path[length] != UInt8(ascii: "."),
        let start = path.baseAddress,
        unsafe memchr(start + length, CInt(UInt8(ascii: "/")), path.count - length) == nil
      else { return nil }
      return unsafe latestPath.withUnsafeBytes { latest -> Int? in
        guard let other = latest.baseAddress, length > 0 else { return 0 }
        return unsafe latest[length - 1] == UInt8(ascii: "/") && memcmp(start, other, length) == 0
          ? length : nil
      }
    }
  }

  /// The path of a file for messages.
  package func shown(_ path: FilePath) -> FilePath {
    let isHere = root.bytes.elementsEqual([UInt8(ascii: ".")])
    return isHere || isAbsolute(path.bytes) ? path : root.appending(path)
  }

  private func isAbsolute(_ path: ArraySlice<UInt8>) -> Bool { path.first == UInt8(ascii: "/") }

  private func components(of path: FilePath) throws(Refusal) -> [ArraySlice<UInt8>] {
    guard !path.bytes.isEmpty else { throw .empty }
    let components = path.bytes.split(separator: UInt8(ascii: "/")).filter {
      !$0.elementsEqual([UInt8(ascii: ".")])
    }
    if bounds == .tree {
      if isAbsolute(path.bytes) { throw .absolute }
      if components.contains(where: { $0.elementsEqual("..".utf8) }) { throw .upwards }
    }
    return components
  }

  /// Opens the directory that components lead to.
  ///
  /// - Parameter path: the path that was split into the components.
  private func directory(
    _ path: ArraySlice<UInt8>, _ components: [ArraySlice<UInt8>]
  ) throws(Refusal) -> DirectoryHandle {
    if let latest, latestPath.elementsEqual(path) { return latest }
    let lead = isAbsolute(path) ? [UInt8(ascii: "/")] : []
    let joined = lead + components.joined(separator: [UInt8(ascii: "/")])
    var found = origin
    do throws(Errno) {
      if !joined.isEmpty, let whole = try locate(joined) {
        found = whole
      } else {
        for name in (lead.isEmpty ? [] : [lead[...]]) + components {
          found = try step(from: found, to: name)
        }
      }
    } catch {
      throw Refusal(error)
    }
    (latest, latestPath) = (found, path)
    return found
  }

  /// Opens a directory in one call; `nil` if the kernel cannot, as for paths beyond `PATH_MAX`.
  private func locate(_ path: [UInt8]) throws(Errno) -> DirectoryHandle? {
    guard route == .kernel, path.count < PATH_MAX, let path = FilePath(bytes: path) else {
      return nil
    }
    let limit = bounds == .tree ? clinux_bounds.beneath : .anywhere
    let result = unsafe path.withCString {
      unsafe clinux_directory_locate(origin.descriptor, $0, limit)
    }
    if result == -ENOSYS || result == -EPERM {
      route = .components
      return nil
    }
    return try DirectoryHandle(result)
  }

  private func step(
    from directory: DirectoryHandle, to name: ArraySlice<UInt8>
  ) throws(Errno) -> DirectoryHandle {
    guard let name = FilePath(bytes: name) else { throw .invalidArgument }
    let result = unsafe name.withCString {
      unsafe clinux_directory_step(directory.descriptor, $0)
    }
    return try DirectoryHandle(result)
  }
}

/// Where a lookup's path leads: an entry of a directory, which stays open as long as this is kept.
package struct FoundPlace: Sendable {
  fileprivate let directory: DirectoryHandle
  /// The name, where it is not the end of the path.
  fileprivate let name: FilePath?
  /// Where the name begins in the path.
  fileprivate let start: Int

  /// The open directory, among those that are kept.
  package var directoryIdentity: ObjectIdentifier { ObjectIdentifier(directory) }

  /// Whether the directory's file system gives each file an inode number of its own, and creates an attribute
  /// only where there is none, as ext4, xfs, btrfs and tmpfs do. Servers and FUSE need not.
  ///
  /// The corresponding C function is fstatfs(2).
  package var isOnLocalFileSystem: Bool {
    var system = clinux_system()
    guard unsafe clinux_system_of(directory.descriptor, &system) == 0 else { return false }
    return [0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994].contains(system.magic)
  }

  /// The file, which is within reach as long as this is kept.
  ///
  /// - Parameters:
  ///   - path: the one that was looked up.
  ///   - shown: the path for messages.
  package func reference(_ path: FilePath, shownAs shown: FilePath) -> FileReference {
    let name = name ?? FilePath(bytes: path.bytes[start...]) ?? FilePath(".")
    return .entry(directory: directory.descriptor, name: name, path: shown)
  }

  /// Calls `body` with the file. Not generic, since what is generic is not specialized across modules.
  ///
  /// - Parameter path: the one that was looked up.
  package func withEntry(
    of path: FilePath, _ body: (borrowing EntryReference) -> Bool
  ) -> Bool {
    unsafe (name ?? path).bytes.withUnsafeBufferPointer { bytes in
      unsafe body(
        EntryReference(
          directory: directory.descriptor,
          terminatedName: UnsafeBufferPointer(rebasing: bytes[start...])))
    }
  }

  /// Looks at the file, and refuses what is neither a regular file nor a directory.
  ///
  /// The corresponding C function is fstatat(2).
  ///
  /// - Parameter path: the one that was looked up.
  package func identity(of path: FilePath) throws(TreeLookup.Refusal) -> FileIdentity {
    var status = stat()
    let result = unsafe (name ?? path).withCString {
      unsafe fstatat(directory.descriptor, $0 + start, &status, AT_SYMLINK_NOFOLLOW)
    }
    guard result == 0 else { throw TreeLookup.Refusal(.current) }
    switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFDIR:
      return FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    case S_IFLNK: throw .link
    default: throw .special
    }
  }
}

/// A file that a lookup has found, in a directory that stays open as long as this is kept.
package struct FoundFile: Sendable {
  package let identity: FileIdentity
  package let reference: FileReference
  fileprivate let directory: DirectoryHandle
}

/// Gives each of several threads a lookup of its own below the same directory.
package struct SharedLookup: Sendable {
  private let root: FilePath
  private let bounds: TreeLookup.Bounds
  private let route: TreeLookup.Route
  private let origin: DirectoryHandle

  package init(_ lookup: TreeLookup) {
    root = lookup.root
    bounds = lookup.bounds
    route = lookup.route
    origin = lookup.origin
  }

  package func forThisThread() -> TreeLookup { TreeLookup(root, bounds, route, origin) }
}
