internal import Glibc
public import LinuxSystem

/// The extended attributes of one file.
///
/// ```swift
/// let attributes = ExtendedAttributes(of: .path(FilePath("notes.txt")))
/// let value = try attributes.value(of: name)  // [UInt8]?, nil when absent
/// ```
///
/// Nothing is cached: each call reads or changes the file as it is at that time.
public struct ExtendedAttributes: Sendable {
  public let file: FileReference

  public init(of file: FileReference) { self.file = file }

  /// Returns the value of an attribute, or `nil` when the file has none by that name.
  ///
  /// An empty value is `[]`. A value that grows while it is read is still read whole.
  ///
  /// The corresponding C functions are `getxattr`, `lgetxattr`, `fgetxattr` and `getxattrat`.
  public func value(of name: AttributeName) throws(XattrError) -> [UInt8]? {
    do throws(Errno) {
      return try unsafe WholeValue.read { unsafe SystemCalls.get(file, name, into: $0) }
    } catch .noData {
      return nil
    } catch {
      throw failure(.read, name, error)
    }
  }

  /// Calls `body` with the value of an attribute; `false` when the file has none by that name.
  ///
  /// A value of usual size is kept on the stack, so that reading it allocates nothing.
  package func withValue(
    of name: AttributeName, _ body: (Span<UInt8>) -> Void
  ) throws(XattrError) -> Bool {
    do throws(Errno) {
      try unsafe WholeValue.withValue(
        { unsafe body(Span(_unsafeBytes: $0)) },
        { unsafe SystemCalls.get(file, name, into: $0) })
      return true
    } catch .noData {
      return false
    } catch {
      throw failure(.read, name, error)
    }
  }

  /// Calls `body` with the value of an attribute of a directory's entry.
  ///
  /// - Returns: whether the file has an attribute by that name; `nil` if it cannot be read.
  package static func read(
    _ name: AttributeName, of file: borrowing EntryReference, _ body: (Span<UInt8>) -> Void
  ) -> Bool? {
    // Nothing is thrown, since most files have no such attribute.
    let result = unsafe WholeValue.tryOnce {
      unsafe body(Span(_unsafeBytes: $0))
    } call: {
      unsafe SystemCalls.get(file, name, into: $0)
    }
    if result >= 0 { return true }
    if result == -Int(Errno.noData.rawValue) { return false }
    guard result == -Int(Errno.outOfRange.rawValue) else { return nil }
    do throws(Errno) {
      let value = try unsafe WholeValue.read { unsafe SystemCalls.get(file, name, into: $0) }
      body(value.span)
      return true
    } catch {
      return error == .noData ? false : nil
    }
  }

  /// Sets an attribute in one step: another reader sees the old value or the new one.
  ///
  /// Content, times and other attributes of the file stay as they are, except the time of status
  /// change. The corresponding C functions are `setxattr`, `lsetxattr`, `fsetxattr`, `setxattrat`.
  public func setValue(
    _ value: [UInt8], of name: AttributeName, mode: WriteMode = .createOrReplace
  ) throws(XattrError) {
    let result = unsafe value.withUnsafeBytes { unsafe SystemCalls.set(file, name, to: $0, mode) }
    if result < 0 { throw failure(.write(bytes: value.count), name, errno(result)) }
  }

  /// Sets an attribute; `false` after a failure, whose reason is not looked for.
  package func set(
    _ name: AttributeName, to value: [UInt8], mode: WriteMode = .createOrReplace
  ) -> Bool {
    unsafe value.withUnsafeBytes { unsafe SystemCalls.set(file, name, to: $0, mode) } >= 0
  }

  /// Gives a directory's entry an attribute that it does not have; `false` if it has it, or after another
  /// failure, whose reason is not looked for.
  package static func create(
    _ name: AttributeName, as value: [UInt8], of file: borrowing EntryReference
  ) -> Bool {
    unsafe value.withUnsafeBytes { unsafe SystemCalls.set(file, name, to: $0, .create) } >= 0
  }

  /// Removes an attribute and returns whether the file had it.
  ///
  /// The corresponding C functions are `removexattr`, `lremovexattr`, `fremovexattr` and
  /// `removexattrat`.
  @discardableResult
  public func removeValue(of name: AttributeName) throws(XattrError) -> Bool {
    let result = SystemCalls.remove(file, name)
    if result >= 0 { return true }
    let error = errno(result)
    if error == .noData { return false }
    throw failure(.remove, name, error)
  }

  /// Removes an attribute of a directory's entry; `false` if there is none, or after a failure, whose reason
  /// is not looked for.
  package static func remove(_ name: AttributeName, of file: borrowing EntryReference) -> Bool {
    SystemCalls.remove(file, name) >= 0
  }

  /// Returns the names of the attributes the caller may see, in the file system's order.
  ///
  /// Names outside of the namespaces of xattr(7), which a FUSE file system may list, are left out.
  ///
  /// The corresponding C functions are `listxattr`, `llistxattr`, `flistxattr` and `listxattrat`.
  public func names() throws(XattrError) -> [AttributeName] {
    try names { _ in true }
  }

  /// As many attributes as most files have that have any.
  private static let usualCount = 4

  /// Returns the names that fulfil a condition; the others cost no memory.
  package func names(where isWanted: (RawSpan) -> Bool) throws(XattrError) -> [AttributeName] {
    var names: [AttributeName] = []
    func add(_ list: UnsafeRawBufferPointer) {
      if unsafe !list.isEmpty { names.reserveCapacity(Self.usualCount) }
      unsafe Self.forEachName(in: list) { name in
        if unsafe isWanted(name.bytes), let name = unsafe AttributeName(bytes: name) {
          names.append(name)
        }
      }
    }
    do throws(Errno) {
      try unsafe WholeValue.withValue(add) { unsafe SystemCalls.list(file, into: $0) }
      return names
    } catch {
      throw failure(.list, nil, error)
    }
  }

  /// Whether any name fulfils a condition; `nil` if the names cannot be listed, or the list is
  /// longer than usual.
  package func hasName(where isWanted: (RawSpan) -> Bool) -> Bool? {
    var hasName = false
    let result = unsafe WholeValue.tryOnce { list in
      unsafe Self.forEachName(in: list) { name in
        hasName = unsafe hasName || isWanted(name.bytes)
      }
    } call: {
      unsafe SystemCalls.list(file, into: $0)
    }
    return result >= 0 ? hasName : nil
  }

  /// Calls `body` with each name that the kernel lists.
  ///
  /// - Returns: `false` where the names cannot be listed, or the list is longer than usual.
  package static func forEachName(
    of file: borrowing EntryReference, _ body: (RawSpan) -> Void
  ) -> Bool {
    unsafe withNames(of: file) { list in
      unsafe forEachName(in: list) { unsafe body($0.bytes) }
    } != nil
  }

  /// Whether the kernel has calls for the attributes of directories' entries (Linux 6.13): without them, each
  /// opens the file.
  package static var areReadByEntry: Bool { SystemCalls.haveEntries }

  /// Calls `body` with the names as the kernel lists them, each followed by a NUL.
  ///
  /// - Returns: the result of `body`; `nil` if the names cannot be listed, or the list is longer than
  ///   usual.
  package static func withNames<Result>(
    of file: borrowing EntryReference, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    var outcome: Result?
    _ = unsafe WholeValue.tryOnce {
      unsafe outcome = body($0)
    } call: {
      unsafe SystemCalls.list(file, into: $0)
    }
    return outcome
  }

  /// - Parameter list: names, each followed by a NUL.
  @inline(__always)
  private static func forEachName(
    in list: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    var start = 0
    while start < list.count, let base = list.baseAddress {
      let name = unsafe (base + start).assumingMemoryBound(to: CChar.self)
      let count = unsafe strnlen(name, list.count - start)
      unsafe body(UnsafeRawBufferPointer(start: name, count: count))
      start += count + 1
    }
  }

  /// Copies all attributes of one file to another by the rules of `/etc/xattr.conf`.
  ///
  /// Attributes that the rules skip, and those that hold permissions, are left alone. Every other
  /// attribute is tried; the first failure is thrown, with its attribute's name where it has one.
  /// Links are not followed.
  ///
  /// The corresponding C function is `attr_copy_file` of libattr.
  public static func copyAll(from source: FilePath, to target: FilePath) throws(XattrError) {
    try ExtendedAttributes(of: .path(target, links: .noFollow))
      .check(SystemCalls.copyAll(from: source, to: target))
  }

  /// Copies all attributes of one open file to another by the rules of `/etc/xattr.conf`.
  ///
  /// The corresponding C function is `attr_copy_fd` of libattr; the paths serve messages only.
  public static func copyAll(
    from source: CInt, at sourcePath: FilePath, to target: CInt, at targetPath: FilePath
  ) throws(XattrError) {
    try ExtendedAttributes(of: .descriptor(target, path: targetPath))
      .check(
        SystemCalls.copyAll(from: source, sourcePath, to: target, targetPath, onlyOfUser: false))
  }

  /// As `copyAll`, but only the attributes of the namespace `user`: of the others, which root may
  /// write, some give rights to whoever runs the copy, such as `security.capability`.
  package static func copyOfUser(
    from source: CInt, at sourcePath: FilePath, to target: CInt, at targetPath: FilePath
  ) throws(XattrError) {
    try ExtendedAttributes(of: .descriptor(target, path: targetPath))
      .check(
        SystemCalls.copyAll(from: source, sourcePath, to: target, targetPath, onlyOfUser: true))
  }

  /// Attributes that describe content: a write removes them, or the kernel makes them anew.
  private static let namesOfContent = [
    "security.capability", "security.evm", "security.ima",
  ].compactMap { AttributeName($0) }

  /// Gives a file that replaces another the other's attributes, access control lists among them;
  /// those that it inherited from its directory are removed. Both are open.
  package static func keep(of former: CInt, on file: CInt) throws(Errno) {
    let former = ExtendedAttributes(of: .descriptor(former, path: FilePath("")))
    let attributes = ExtendedAttributes(of: .descriptor(file, path: FilePath("")))
    do throws(XattrError) {
      let names = try former.names().filter { !namesOfContent.contains($0) }
      for name in try attributes.names()
      where !names.contains(name) && !namesOfContent.contains(name) {
        try attributes.removeValue(of: name)
      }
      for name in names {
        guard let value = try former.value(of: name), try attributes.value(of: name) != value else {
          continue
        }
        try attributes.setValue(value, of: name)
      }
    } catch {
      // A file system without attributes has none to keep.
      if error.errno != .notSupported { throw error.errno }
    }
  }

  private func check(_ outcome: SystemCalls.CopyOutcome) throws(XattrError) {
    if outcome.result < 0 { throw failure(.copy, outcome.attribute, errno(outcome.result)) }
  }

  func errno(_ result: Int) -> Errno { Errno(rawValue: CInt(-result)) }

  func failure(
    _ operation: XattrOperation, _ name: AttributeName?, _ errno: Errno
  ) -> XattrError {
    XattrError(
      operation: operation, path: file.path, attribute: name, errno: errno,
      circumstance: .observed(at: file, after: errno))
  }
}

extension FileReference {
  /// The same file, held open from now on: all attributes are those of one file then.
  ///
  /// The corresponding C function is openat(2).
  public func held() throws(XattrError) -> HeldFile { try held(by: nil) }

  /// - Parameter names: for one of many files.
  package func held(
    by names: @autoclosure () -> DescriptorNames?
  ) throws(XattrError) -> HeldFile {
    if case .held(let file) = self { return file }
    do throws(Errno) {
      return try HeldFile(self, by: names())
    } catch {
      throw XattrError(
        operation: .list, path: path, attribute: nil, errno: error,
        circumstance: .observed(at: self, after: error))
    }
  }
}

/// Whether setting may create or replace an attribute: the flags of setxattr(2).
public enum WriteMode: Sendable {
  case createOrReplace
  /// Fails with EEXIST when the attribute exists.
  case create
  /// Fails with ENODATA when the attribute does not exist.
  case replace
}

/// Reads one attribute of many files into one buffer, so that reading allocates nothing. A reader
/// belongs to one thread.
@safe
package final class AttributeReader {
  @safe
  package enum Reading {
    case absent
    /// The value, valid until the next read.
    case value(UnsafeRawBufferPointer)
    /// The kernel refuses, or the value exceeds the buffer: `ExtendedAttributes` finds out more.
    case unknown
  }

  private let name: AttributeName
  private let buffer: UnsafeMutableRawBufferPointer

  package init(_ name: AttributeName) {
    self.name = name
    unsafe buffer = .allocate(byteCount: WholeValue.firstTry, alignment: 16)
  }

  deinit { unsafe buffer.deallocate() }

  /// Reads the attribute of the entry itself, never of a link's target, as `getxattrat`.
  package func read(_ file: borrowing EntryReference) -> Reading {
    let result = unsafe SystemCalls.get(file, name, into: buffer)
    if result >= 0 {
      return unsafe .value(UnsafeRawBufferPointer(rebasing: buffer[..<result]))
    }
    return result == -Int(Errno.noData.rawValue) ? .absent : .unknown
  }
}

/// The full name of an extended attribute, namespace included: `user.x-document-source`.
///
/// Linux takes only names in a namespace it knows and answers ENOTSUP for others, EINVAL for a
/// namespace with nothing after it and ERANGE above 255 bytes (xattr(7)). Such names cannot be
/// made here.
public struct AttributeName: Hashable, Sendable, CustomStringConvertible {
  /// The name's bytes and a NUL.
  private let terminated: [UInt8]

  /// The longest name in bytes, `XATTR_NAME_MAX` of linux/limits.h.
  public static let maximumLength = 255

  /// The namespaces of xattr(7), and `osx.`, in which the hfsplus driver shows a Mac's attributes.
  static let namespaces: [StaticString] = ["user.", "trusted.", "security.", "system.", "osx."]

  /// Returns `nil` if Linux could not store an attribute of that name.
  public init?(_ name: String) { self.init(bytes: Array(name.utf8)[...]) }

  /// Makes a name of bytes, as in the kernel's list of names.
  public init?(bytes: ArraySlice<UInt8>) {
    guard let name = unsafe bytes.withUnsafeBytes({ unsafe AttributeName(bytes: $0) }) else {
      return nil
    }
    self = name
  }

  /// Makes a name of bytes, as in the kernel's list of names.
  package init?(bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, bytes.count <= Self.maximumLength,
      unsafe memchr(start, 0, bytes.count) == nil,
      Self.namespaces.contains(where: { unsafe bytes.begin(with: $0) })
    else { return nil }
    var terminated: [UInt8] = []
    terminated.reserveCapacity(bytes.count + 1)
    unsafe terminated.append(contentsOf: bytes)
    terminated.append(0)
    self.terminated = terminated
  }

  /// Whether a name is of a namespace in which others than the system store attributes: `user.`, and `osx.`
  /// of a Mac's file system. Other names may look like one.
  package static func mayBeUsers(_ name: RawSpan) -> Bool {
    guard name.byteCount > 0 else { return false }
    let first = unsafe name.unsafeLoad(as: UInt8.self)
    return first == UInt8(ascii: "u") || first == UInt8(ascii: "o")
  }

  /// The part before the first period, as `user`.
  var namespace: ArraySlice<UInt8> { bytes.prefix { $0 != UInt8(ascii: ".") } }

  /// Whether only administrators may write the attribute, whoever owns the file (xattr(7)).
  var isForAdministrators: Bool {
    ["trusted.", "security."].contains { bytes.starts(with: $0.utf8) }
  }

  /// The name without its NUL.
  public var bytes: ArraySlice<UInt8> { terminated.dropLast() }

  /// Whether the bytes of this name come before those of the other.
  ///
  /// The corresponding C function is strcmp(3).
  package func precedes(_ other: AttributeName) -> Bool {
    unsafe withCString { name in unsafe other.withCString { unsafe strcmp(name, $0) < 0 } }
  }

  /// Calls `body` with the name as a NUL-terminated C string.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    unsafe terminated.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { preconditionFailure("a name has its NUL") }
      return unsafe body(base.assumingMemoryBound(to: CChar.self))
    }
  }

  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension UnsafeRawBufferPointer {
  /// Whether there are more bytes than those of a text, and these come first.
  fileprivate func begin(with text: StaticString) -> Bool {
    guard let start = baseAddress, count > text.utf8CodeUnitCount else { return false }
    return unsafe memcmp(start, text.utf8Start, text.utf8CodeUnitCount) == 0
  }
}
