internal import CLinux
internal import Glibc

/// A path as Linux has it: bytes without NUL, in no particular encoding.
///
/// A `String` cannot hold every file name, since a name need not be UTF-8.
public struct FilePath: Hashable, Sendable {
  /// The bytes and one NUL after them, ready for a system call.
  @usableFromInline var terminated: [UInt8]

  /// Makes a path of bytes, or `nil` if there is a NUL among them.
  public init?(bytes: [UInt8]) { self.init(bytes: bytes[...]) }

  /// Makes a path of bytes, or `nil` if there is a NUL among them.
  public init?(bytes: ArraySlice<UInt8>) {
    guard let path = unsafe bytes.withUnsafeBufferPointer({ unsafe FilePath(bytes: $0) }) else {
      return nil
    }
    self = path
  }

  /// Makes a path of bytes, or `nil` if there is a NUL among them.
  package init?(bytes: UnsafeBufferPointer<UInt8>) {
    if let start = bytes.baseAddress, unsafe memchr(start, 0, bytes.count) != nil { return nil }
    // An array that a closure fills takes longer to make.
    terminated = []
    terminated.reserveCapacity(bytes.count + 1)
    unsafe terminated.append(contentsOf: bytes)
    terminated.append(0)
  }

  /// Makes a path of a string's UTF-8 up to its first NUL.
  public init(_ string: String) {
    terminated = Array(string.utf8.prefix { $0 != 0 }) + [0]
  }

  /// Copies a C string.
  public init(cString: UnsafePointer<CChar>) {
    terminated = unsafe Array(UnsafeRawBufferPointer(start: cString, count: strlen(cString) + 1))
  }

  /// The bytes, without a NUL.
  public var bytes: ArraySlice<UInt8> { terminated.dropLast() }

  /// The last component's bytes; for `/` and the empty path, all of it.
  public var lastComponent: ArraySlice<UInt8> {
    var end = terminated.count - 1
    while end > 1, terminated[end - 1] == UInt8(ascii: "/") { end -= 1 }
    var start = max(0, end - 1)
    while start > 0, terminated[start - 1] != UInt8(ascii: "/") { start -= 1 }
    return terminated[start..<end]
  }

  /// The path of an entry below this one. A slash is put between unless one is there.
  public func appending(_ component: FilePath) -> FilePath {
    var joined = [UInt8]()
    joined.reserveCapacity(terminated.count + component.terminated.count)
    joined.append(contentsOf: bytes)
    Self.addSlash(to: &joined)
    joined.append(contentsOf: component.terminated)
    return FilePath(terminated: joined)
  }

  /// Whether the bytes of this path come before those of the other.
  ///
  /// The corresponding C function is strcmp(3).
  package func precedes(_ other: FilePath) -> Bool {
    unsafe withCString { path in unsafe other.withCString { unsafe strcmp(path, $0) < 0 } }
  }

  /// The positions of paths in the order of their bytes.
  ///
  /// Positions are sorted over one copy of all bytes: sorting what holds the paths would count
  /// references at each comparison, which takes ten times as long.
  ///
  /// The corresponding C function is strcmp(3).
  package static func order(of paths: some Sequence<FilePath>) -> [Int] {
    var bytes: [UInt8] = []
    var starts: [Int] = []
    for path in paths {
      starts.append(bytes.count)
      bytes.append(contentsOf: path.terminated)
    }
    return unsafe bytes.withUnsafeBytes { bytes in
      unsafe starts.withUnsafeBufferPointer { starts in
        // Without a path there is nothing to compare.
        guard let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
          return []
        }
        return starts.indices.sorted {
          unsafe strcmp(base + starts[$0], base + starts[$1]) < 0
        }
      }
    }
  }

  /// Puts a slash after a directory's path unless one is there, or nothing is.
  package static func addSlash(to bytes: inout [UInt8]) {
    let slash = UInt8(ascii: "/")
    if let last = bytes.last, last != slash { bytes.append(slash) }
  }

  private init(terminated: [UInt8]) { self.terminated = terminated }

  /// Copies bytes that end with the only NUL among them.
  package init(terminated bytes: ArraySlice<UInt8>) { terminated = Array(bytes) }

  /// Copies the path of a directory and a name in it. Neither has a NUL.
  package init(directory: UnsafeBufferPointer<UInt8>, name: UnsafeBufferPointer<UInt8>) {
    var terminated = [UInt8]()
    terminated.reserveCapacity(directory.count + name.count + 2)
    unsafe terminated.append(contentsOf: directory)
    Self.addSlash(to: &terminated)
    unsafe terminated.append(contentsOf: name)
    terminated.append(0)
    self.terminated = terminated
  }

  /// Becomes the path of an entry below the directory its first `count` bytes name, in the memory
  /// it has.
  package mutating func replace(after count: Int, with component: FilePath) {
    terminated.removeLast(terminated.count - count)
    Self.addSlash(to: &terminated)
    terminated.append(contentsOf: component.terminated)
  }

  /// What stands between two positions, but for the slash.
  package func component(after start: Int, upTo end: Int) -> FilePath {
    FilePath(terminated: terminated[start..<end].drop { $0 == UInt8(ascii: "/") } + [0])
  }

  /// The path of the first bytes.
  package func prefix(_ count: Int) -> FilePath {
    FilePath(terminated: terminated[..<count] + [0])
  }

  /// Calls `body` with the first bytes.
  package func withBytes<Result>(
    _ count: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    unsafe terminated.withUnsafeBufferPointer { bytes in
      unsafe body(UnsafeBufferPointer(rebasing: bytes[..<count]))
    }
  }

  /// Calls `body` with the path as a NUL-terminated C string.
  @inlinable public func withCString<Result, Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe terminated.withUnsafeBufferPointer { bytes throws(Failure) in
      // The array holds its NUL, so it has a base address.
      guard let base = bytes.baseAddress else { preconditionFailure("a path has its NUL") }
      return unsafe try body(UnsafeRawPointer(base).assumingMemoryBound(to: CChar.self))
    }
  }
}

extension FilePath: CustomStringConvertible {
  /// The path as text; bytes that are not UTF-8 become U+FFFD.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

// The file system, as far as paths alone lead into it.
extension FilePath {
  /// What a symbolic link holds; `nil` if it is none, or cannot be read.
  ///
  /// The corresponding C function is readlink(2).
  package var linkTarget: FilePath? { try? linkTarget(in: AT_FDCWD) }

  /// What a symbolic link holds, by a path that begins in a directory.
  ///
  /// The corresponding C function is readlinkat(2).
  package func linkTarget(in directory: CInt) throws(Errno) -> FilePath {
    var errno = Errno.invalidArgument
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      count = unsafe withCString { path in
        unsafe start.withMemoryRebound(to: CChar.self, capacity: buffer.count) { text in
          let count = unsafe readlinkat(directory, path, text, buffer.count)
          if count < 0 { errno = .current }
          return max(0, count)
        }
      }
    }
    guard !bytes.isEmpty, let target = FilePath(bytes: bytes) else { throw errno }
    return target
  }

  /// The absolute path without links, `.` or `..`; `nil` if nothing is there.
  ///
  /// The corresponding C function is realpath(3).
  package var realPath: FilePath? {
    unsafe withCString { path in
      guard let real = unsafe realpath(path, nil) else { return nil }
      defer { unsafe free(real) }
      return unsafe FilePath(cString: real)
    }
  }

  /// Whether the path is one of those that stand for an open descriptor of the process that uses
  /// it: `/dev/stdin`, `/dev/fd/3`.
  package var isOfDescriptor: Bool {
    let streams = ["/dev/stdin", "/dev/stdout", "/dev/stderr"]
    return ["/dev/fd/", "/proc/self/fd/"].contains { bytes.starts(with: $0.utf8) }
      || streams.contains { bytes.elementsEqual($0.utf8) }
  }

  /// Makes the directory and those above it that are missing, for the user alone, and waits until the
  /// disk has them.
  ///
  /// The corresponding C functions are mkdir(2) and fsync(2).
  package func makeDirectories(mode: UInt32 = 0o700) throws(Errno) {
    let slash = UInt8(ascii: "/")
    var parent = FilePath(bytes.first == slash ? "/" : ".")
    for end in bytes.indices
    where end > bytes.startIndex && bytes[end] == slash || end == bytes.endIndex - 1 {
      guard let ancestor = FilePath(bytes: bytes[...end]) else { continue }
      if unsafe ancestor.withCString({ unsafe mkdir($0, mode) }) == 0 {
        try parent.syncDirectory()
      } else {
        guard errno == EEXIST || ancestor.isDirectory else { throw .current }
      }
      parent = ancestor
    }
  }

  /// One that may not be read cannot be synced either.
  private func syncDirectory() throws(Errno) {
    let directory = unsafe withCString { unsafe clinux_directory_open(AT_FDCWD, $0, 0) }
    guard directory >= 0 else { return }
    defer { close(directory) }
    try Descriptor.sync(directory)
  }

  /// What exists may not be made anew even where that says EACCES or EROFS, which stays in errno.
  private var isDirectory: Bool {
    let errno = Glibc.errno
    defer { Glibc.errno = errno }
    var status = stat()
    return unsafe withCString { unsafe stat($0, &status) } == 0
      && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// How a file is reached.
public enum FileReference: Sendable {
  /// By a path from the working directory or the root.
  case path(FilePath, links: Links = .follow)
  /// By an open descriptor, which must not be opened with O_PATH; `path` is only for messages.
  case descriptor(CInt, path: FilePath)
  /// By a name relative to an open directory, so that no other process can replace a component of
  /// the path in the meantime. `path` is only for messages.
  case entry(directory: CInt, name: FilePath, path: FilePath, links: Links = .noFollow)
  /// By a file that is held open, so the file stays the same even if its path changes.
  case held(HeldFile)

  /// The path for messages.
  public var path: FilePath {
    switch self {
    case .path(let path, _), .descriptor(_, let path), .entry(_, _, let path, _): path
    case .held(let file): file.reference.path
    }
  }
}

/// What a call does with a path whose last component is a symbolic link.
public enum Links: Sendable {
  /// The call acts on the target of the link, like `getxattr`.
  case follow
  /// The call acts on the link itself, like `lgetxattr`. Linux stores no `user.` attributes there.
  case noFollow
}

/// A file by its name in an open directory, for as long as both are at hand.
///
/// It has no copy of the name, so that it cannot be kept. A `FileReference` can.
@safe
@usableFromInline package struct EntryReference: ~Copyable {
  @usableFromInline package let directory: CInt
  @usableFromInline let name: UnsafeBufferPointer<UInt8>

  /// - Parameter name: stays where it is while this is used, as does the NUL after it.
  @inlinable package init(directory: CInt, terminatedName name: UnsafeBufferPointer<UInt8>) {
    self.directory = directory
    unsafe self.name = name
  }

  /// Calls `body` with the name as a NUL-terminated C string.
  @inlinable package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    guard let base = unsafe name.baseAddress else { preconditionFailure("a name has its NUL") }
    return unsafe body(UnsafeRawPointer(base).assumingMemoryBound(to: CChar.self))
  }

  /// Calls `body` with the bytes of the name, without a NUL.
  @inlinable package func withName<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result
  {
    unsafe body(name)
  }
}

/// Untrusted text that is safe to use as the name of a file.
package struct FileName: Hashable {
  /// Leaves room for an extension in the 255 bytes of a name.
  package static let limit = 200

  package let text: String

  /// - Returns: `nil` if the word is empty, longer than 200 bytes, begins with a dot, or has a
  ///   slash or a control character.
  package init?(_ text: String) {
    guard 1...Self.limit ~= text.utf8.count, text.utf8.first != UInt8(ascii: "."),
      text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") })
    else { return nil }
    self.text = text
  }

  package init?(_ text: Substring) { self.init(String(text)) }
}
