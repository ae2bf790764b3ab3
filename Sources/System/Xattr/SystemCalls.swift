internal import CXattr
internal import Glibc
internal import LinuxSystem

/// The only caller of the shim.
///
/// Each function returns the count or a negated errno.
enum SystemCalls {
  @inline(__always)
  static func get<File: Reachable & ~Copyable>(
    _ file: borrowing File, _ name: AttributeName, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    unsafe name.withCString { name in
      unsafe file.withShim { unsafe cxattr_get($0, name, buffer.baseAddress, buffer.count) }
    }
  }

  @inline(__always)
  static func set<File: Reachable & ~Copyable>(
    _ file: borrowing File, _ name: AttributeName, to value: UnsafeRawBufferPointer,
    _ mode: WriteMode = .createOrReplace
  ) -> Int {
    unsafe name.withCString { name in
      unsafe file.withShim {
        Int(unsafe cxattr_set($0, name, value.baseAddress, value.count, mode.shim))
      }
    }
  }

  @inline(__always)
  static func list<File: Reachable & ~Copyable>(
    _ file: borrowing File, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    let names = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
    return unsafe file.withShim { unsafe cxattr_list($0, names, buffer.count) }
  }

  static func remove<File: Reachable & ~Copyable>(
    _ file: borrowing File, _ name: AttributeName
  ) -> Int {
    unsafe name.withCString { name in
      unsafe file.withShim { Int(unsafe cxattr_remove($0, name)) }
    }
  }

  static var haveEntries: Bool { cxattr_best_route() == .kernel }

  static func observe(_ file: FileReference) -> FileCircumstance {
    let kind = unsafe file.withShim { unsafe cxattr_observe($0) }
    return switch cxattr_kind(rawValue: cxattr_kind.RawValue(max(kind, 0))) {
    case .link: .link
    case .special: .special
    case .immutable: .immutable
    case .append_only: .appendOnly
    case .sticky: .stickyDirectory
    case .regular, nil: .ordinary
    }
  }

  /// The result of copying, and the name of the attribute that failed first.
  struct CopyOutcome {
    let result: Int
    let attribute: AttributeName?

    /// - Parameter call: writes the name and its NUL into the buffer.
    init(_ call: (_ attribute: UnsafeMutablePointer<CChar>) -> CInt) {
      var result: CInt = -EIO
      let name = unsafe [UInt8](unsafeUninitializedCapacity: cxattr_name_size) { buffer, count in
        guard let base = buffer.baseAddress else { return }
        unsafe base.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
          result = unsafe call($0)
          count = result < 0 ? unsafe strlen($0) : 0
        }
      }
      self.result = Int(result)
      attribute = AttributeName(bytes: name[...])
    }
  }

  /// Whether the rules of `/etc/xattr.conf` let an attribute be copied.
  static func isCopied(_ name: AttributeName) -> Bool {
    unsafe name.withCString { unsafe cxattr_is_copied($0) } != 0
  }

  static func copyAll(from source: FilePath, to target: FilePath) -> CopyOutcome {
    unsafe CopyOutcome { attribute in
      unsafe source.withCString { source in
        unsafe target.withCString { unsafe cxattr_copy(source, $0, attribute) }
      }
    }
  }

  static func copyAll(
    from source: CInt, _ sourcePath: FilePath, to target: CInt, _ targetPath: FilePath,
    onlyOfUser: Bool
  ) -> CopyOutcome {
    unsafe CopyOutcome { attribute in
      unsafe sourcePath.withCString { sourcePath in
        unsafe targetPath.withCString {
          unsafe cxattr_fcopy(sourcePath, source, $0, target, onlyOfUser ? 0 : 1, attribute)
        }
      }
    }
  }
}

/// A file that the shim can reach.
protocol Reachable: ~Copyable {
  /// Calls `body` with the file as the shim takes it.
  borrowing func withShim<Result>(_ body: (cxattr_file) -> Result) -> Result
}

extension FileReference: Reachable {
  @inline(__always)
  func withShim<Result>(_ body: (cxattr_file) -> Result) -> Result {
    switch self {
    case .path(let path, let links):
      unsafe path.withCString {
        unsafe body(
          cxattr_file(directory: AT_FDCWD, path: $0, links: links.shim, route: .path, held: -1))
      }
    case .descriptor(let descriptor, _):
      unsafe body(
        cxattr_file(directory: descriptor, path: nil, links: .follow, route: .descriptor, held: -1))
    case .entry(let directory, let name, _, let links):
      unsafe name.withCString {
        unsafe body(
          cxattr_file(
            directory: directory, path: $0, links: links.shim, route: cxattr_best_route(), held: -1)
        )
      }
    case .held(let file):
      if file.hasPath {
        unsafe body(
          cxattr_file(
            directory: file.names?.directory ?? AT_FDCWD, path: nil, links: .follow, route: .held,
            held: file.descriptor))
      } else {
        unsafe body(
          cxattr_file(
            directory: file.descriptor, path: nil, links: .follow, route: .descriptor, held: -1))
      }
    }
  }
}

extension EntryReference: Reachable {
  /// The entry itself, never a link's target.
  @inline(__always)
  borrowing func withShim<Result>(_ body: (cxattr_file) -> Result) -> Result {
    let directory = directory
    return unsafe withCString {
      unsafe body(
        cxattr_file(
          directory: directory, path: $0, links: .nofollow, route: cxattr_best_route(), held: -1))
    }
  }
}

extension Links {
  fileprivate var shim: cxattr_links { self == .follow ? .follow : .nofollow }
}

extension WriteMode {
  fileprivate var shim: cxattr_mode {
    switch self {
    case .createOrReplace: .create_or_replace
    case .create: .create
    case .replace: .replace
    }
  }
}

/// Reads a value of unknown size whole, even if it grows between two calls.
///
/// The system call is a parameter, so that a growing value can be tested without a race.
enum WholeValue {
  /// Most values, ours among them, fit and take one system call.
  static let firstTry = 1024
  /// No value or list is longer on Linux (`XATTR_SIZE_MAX`, `XATTR_LIST_MAX` of linux/limits.h).
  static let limit = 65536
  /// How often a value may outgrow a fresh buffer before reading fails: even once takes a file
  /// system that disregards the limit.
  static let rounds = 8

  /// - Parameter call: fills the buffer and returns the count, or a negated errno; returns the size
  ///   if the buffer is empty.
  static func read(
    _ call: (UnsafeMutableRawBufferPointer) -> Int
  ) throws(Errno) -> [UInt8] {
    var value: [UInt8] = []
    try unsafe withValue({ unsafe value = [UInt8]($0) }, call)
    return value
  }

  /// Calls `body` with the value that `call` reads, as in `read`.
  static func withValue(
    _ body: (UnsafeRawBufferPointer) -> Void, _ call: (UnsafeMutableRawBufferPointer) -> Int
  ) throws(Errno) {
    let result = unsafe tryOnce(body, call: call)
    if result >= 0 { return }
    guard result == -Int(Errno.outOfRange.rawValue) else { throw Errno(rawValue: CInt(-result)) }
    unsafe try readLarge(call).withUnsafeBytes(body)
  }

  /// Calls `body` with the value if it has the usual size.
  ///
  /// - Returns: the result of `call`.
  @inline(__always)
  static func tryOnce(
    _ body: (UnsafeRawBufferPointer) -> Void, call: (UnsafeMutableRawBufferPointer) -> Int
  ) -> Int {
    unsafe withUnsafeTemporaryAllocation(byteCount: firstTry, alignment: 16) { buffer in
      let result = unsafe call(buffer)
      if result >= 0 { unsafe body(UnsafeRawBufferPointer(rebasing: buffer[..<result])) }
      return result
    }
  }

  private static func readLarge(
    _ call: (UnsafeMutableRawBufferPointer) -> Int
  ) throws(Errno) -> [UInt8] {
    var capacity = limit
    for _ in 0..<rounds {
      var result = 0
      let value = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        result = unsafe call(UnsafeMutableRawBufferPointer(buffer))
        count = max(result, 0)
      }
      if result >= 0 { return value }
      guard result == -Int(Errno.outOfRange.rawValue) else {
        throw Errno(rawValue: CInt(-result))
      }
      let size = unsafe call(UnsafeMutableRawBufferPointer(start: nil, count: 0))
      guard size >= 0 else { throw Errno(rawValue: CInt(-size)) }
      capacity = max(size, capacity) * 2
    }
    throw .outOfRange
  }
}
