package import LinuxSystem

/// Changes to the attributes of one file, one after the other, that are tried and not made.
///
/// What would stop a change is thrown as the change itself would throw it. Each change is tried as if
/// those before it had been made.
package final class AttributePreflight {
  /// What is known of the room for attributes.
  private enum Room {
    /// Not looked for yet.
    case unasked
    /// The bytes that names and values take; so few have room on every file system that is not full.
    case taken(Int)
    /// What was set so far is set on a stand-in.
    case tried(StandInFile, directory: FilePath)
    /// There is no stand-in. The file system may have room or not.
    case unknown
  }

  /// ext4 with the smallest blocks has a little more for the attributes of a file. Other file
  /// systems have more, or no limit but that of a value.
  private static let ampleRoom = 800

  private let attributes: ExtendedAttributes
  /// The namespaces in which the kernel permits changes.
  private var permitted: Set<ArraySlice<UInt8>> = []
  private var values: [(name: AttributeName, value: [UInt8])] = []
  private var room = Room.unasked

  package init(of file: FileReference) { attributes = ExtendedAttributes(of: file) }

  deinit { if case .tried(let standIn, _) = room { standIn.close() } }

  /// Tries what `ExtendedAttributes.setValue` does.
  package func setValue(_ value: [UInt8], of name: AttributeName) throws(XattrError) {
    let operation = XattrOperation.write(bytes: value.count)
    if value.count > WholeValue.limit {
      throw attributes.failure(operation, name, .argumentListTooLong)
    }
    try ask(operation, name)
    if let errno = tryRoom(value, name) { throw attributes.failure(operation, name, errno) }
  }

  /// Tries what `ExtendedAttributes.removeValue` does.
  package func removeValue(of name: AttributeName) throws(XattrError) {
    try ask(.remove, name)
    if case .tried(let standIn, _) = room { _ = try? standIn.attributes.removeValue(of: name) }
  }

  /// Has the kernel check whether attributes of a namespace may be changed, by removing one that the
  /// file does not have.
  ///
  /// The checks are those of a real change: the kind of the file, permissions and access control
  /// lists, flags, mounts, security modules and what a server says. The file does not change, and an
  /// overlay does not copy it.
  private func ask(_ operation: XattrOperation, _ name: AttributeName) throws(XattrError) {
    // Names there are not free: an unknown one is refused for that.
    guard !name.bytes.starts(with: "system.".utf8), !permitted.contains(name.namespace) else {
      return
    }
    let unique = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }.joined()
    guard let absent = AttributeName(bytes: name.namespace + ("." + unique).utf8) else { return }
    let result = SystemCalls.remove(attributes.file, absent)
    if result < 0 {
      let errno = attributes.errno(result)
      // hfsplus says ENOENT where an attribute is absent.
      guard errno == .noData || errno == .noSuchFile && isThere else {
        throw attributes.failure(operation, name, errno)
      }
    }
    permitted.insert(name.namespace)
  }

  private var isThere: Bool {
    unsafe SystemCalls.list(
      attributes.file, into: UnsafeMutableRawBufferPointer(start: nil, count: 0)) >= 0
  }

  /// - Returns: why a value has no room; `nil` if it has, or if that is unknown.
  private func tryRoom(_ value: [UInt8], _ name: AttributeName) -> Errno? {
    defer { values.append((name, value)) }
    if case .unasked = room { room = roomAtFirst() }
    if case .taken(let bytes) = room {
      // A value that is replaced counts too: the sum only says whether to try.
      let sum = bytes + name.bytes.count + value.count
      room = sum <= Self.ampleRoom ? .taken(sum) : roomOfStandIn()
    }
    guard case .tried(let standIn, let directory) = room else { return nil }
    do throws(XattrError) {
      try standIn.attributes.setValue(value, of: name)
      return nil
    } catch {
      guard [.noSpace, .quotaExceeded].contains(error.errno) else { return nil }
      // On a full disk the stand-in shares the block of the file's attributes, and cannot write into
      // that block as the file can.
      return standIn.copied > 0 && StandInFile.isImpossible(in: directory) ? nil : error.errno
    }
  }

  private func roomAtFirst() -> Room {
    guard let status = try? FileStatus(of: attributes.file) else { return .unknown }
    if status.isOnFullFileSystem { return roomOfStandIn() }
    var sum = 0
    for name in (try? attributes.names()) ?? [] where sum <= Self.ampleRoom {
      let size = unsafe SystemCalls.get(
        attributes.file, name, into: UnsafeMutableRawBufferPointer(start: nil, count: 0))
      sum += name.bytes.count + max(0, size)
    }
    return .taken(sum)
  }

  private func roomOfStandIn() -> Room {
    guard let directory = (try? FileStatus(of: attributes.file))?.directory,
      var standIn = try? StandInFile(in: directory)
    else { return .unknown }
    var isLike = standIn.copyAttributes(of: attributes)
    for (name, value) in values where isLike {
      isLike = (try? standIn.attributes.setValue(value, of: name)) != nil
    }
    guard isLike else {
      standIn.close()
      return .unknown
    }
    return .tried(standIn, directory: directory)
  }
}

extension AttributePreflight {
  /// Tries what `ExtendedAttributes.copyAll` does.
  package static func copyAll(from source: FilePath, to target: FilePath) throws(XattrError) {
    let source = ExtendedAttributes(of: .path(source, links: .noFollow))
    let preflight = AttributePreflight(of: .path(target, links: .noFollow))
    let names: [AttributeName]
    do throws(XattrError) {
      names = try source.names()
    } catch  where error.errno == .notSupported {
      // libattr has nothing to copy then.
      return
    }
    var refusals: [XattrError] = []
    for name in names where SystemCalls.isCopied(name) {
      do throws(XattrError) {
        guard let value = try source.value(of: name) else { continue }
        try preflight.setValue(value, of: name)
      } catch {
        refusals.append(error)
      }
    }
    // libattr reports a target without attributes once, after the others.
    let first = refusals.first { $0.errno != .notSupported } ?? refusals.first
    if let first {
      let isOfFile = first.errno == .notSupported
      throw XattrError(
        operation: .copy, path: target, attribute: isOfFile ? nil : first.attribute,
        errno: first.errno, circumstance: first.circumstance)
    }
  }
}

/// A file without a name that stands in for another: what is tried on its attributes changes nothing.
package struct StandInFile {
  /// Larger than what a file system has that keeps all attributes of a file in one place.
  private static let copyLimit = 65536

  private let descriptor: CInt
  package let attributes: ExtendedAttributes
  /// How many bytes of values were copied to it.
  package private(set) var copied = 0

  /// - Throws: `Errno`: not every file system has such files, and the directory must be writable.
  package init(in directory: FilePath) throws(Errno) {
    descriptor = try TemporaryFile.open(in: directory)
    attributes = ExtendedAttributes(of: .descriptor(descriptor, path: directory))
  }

  /// The file is gone then.
  package func close() { TemporaryFile.close(descriptor) }

  /// Gives it the attributes of another file, as some file systems have one place for all of them.
  ///
  /// - Returns: `false` where a user attribute could not be copied. Others, such as access control
  ///   lists and labels, need rights that the user may lack.
  package mutating func copyAttributes(
    of file: ExtendedAttributes, but other: AttributeName? = nil
  ) -> Bool {
    // An access control list among the copies may take the permission to write.
    defer { TemporaryFile.makeWritable(descriptor) }
    for name in (try? file.names()) ?? [] where name != other && copied <= Self.copyLimit {
      do throws(XattrError) {
        guard let value = try file.value(of: name) else { continue }
        copied += value.count
        try attributes.setValue(value, of: name)
      } catch {
        if name.bytes.starts(with: "user.".utf8) { return false }
      }
    }
    return true
  }

  /// Whether not even a few bytes that need a block have room in a directory.
  static func isImpossible(in directory: FilePath) -> Bool {
    guard let name = AttributeName("user.x"), let file = try? StandInFile(in: directory) else {
      return true
    }
    defer { file.close() }
    return (try? file.attributes.setValue([UInt8](repeating: 0, count: 400), of: name)) == nil
  }
}
