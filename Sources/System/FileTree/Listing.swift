internal import CLinux
internal import Glibc
package import LinuxSystem
internal import Xattr

/// The entries of a directory that were read but not handed out yet, as records of getdents64(2).
struct Listing {
  /// An entry, valid until the next one is read.
  struct Record {
    /// One of the `DT_` constants.
    let type: CInt
    /// The position of the name, which a NUL follows.
    fileprivate let name: Range<Int>
    /// The first byte of the name.
    let initial: UInt8

    /// Whether the name begins with a period.
    @inline(__always) var isHidden: Bool { initial == UInt8(ascii: ".") }

    /// Whether the name may be one that a program for version control uses, by a first look.
    @inline(__always) var mayBeVersionControl: Bool {
      switch initial {
      case UInt8(ascii: "."), UInt8(ascii: "C"), UInt8(ascii: "_"): true
      // objects, index
      case UInt8(ascii: "o"): name.count == 7
      case UInt8(ascii: "i"): name.count == 5
      default: false
      }
    }
  }

  /// Offsets in struct linux_dirent64: d_ino, d_off, d_reclen, d_type, d_name.
  private enum Offset {
    static let position = 8
    static let length = 16
    static let type = 18
    static let name = 19
  }

  /// The size that readdir(3) uses; about a thousand entries.
  static let bufferSize = 32768
  /// The longest record: a name of 255 bytes and its NUL, rounded up.
  private static let longestRecord = 280

  private var records: [UInt8]
  private var next = 0
  private var end = 0
  /// The position in the directory after the entry that was handed out last.
  private var position: Int64 = 0
  /// Whether the directory may have more entries than the records.
  private var mayContinue = true

  /// - Parameter buffer: the buffer of an earlier listing, for reuse.
  init(buffer: [UInt8]?) { records = buffer ?? Self.newBuffer }

  /// Takes over a part of another listing's records.
  private init(records: [UInt8], position: Int64, mayContinue: Bool) {
    self.records = records
    self.position = position
    self.mayContinue = mayContinue
    end = records.count
  }

  private static var newBuffer: [UInt8] { [UInt8](repeating: 0, count: bufferSize) }

  /// Returns the next entry other than `.` and `..`, or `nil` at the end; reads more as needed.
  @inline(__always)
  mutating func nextRecord(_ directory: CInt) throws(Errno) -> Record? {
    while true {
      if next >= end {
        guard mayContinue else { return nil }
        try fill(directory)
        if next >= end { return nil }
      }
      let record = takeRecord()
      if !record.isHidden || !isDots(record.name) { return record }
    }
  }

  /// Reads the first entries.
  ///
  /// - Returns: whether they are those of a bare repository of Git, as Git tells one. It has few
  ///   entries, so that a large directory is not searched.
  mutating func beginsRepository(_ directory: CInt) throws(Errno) -> Bool {
    try fill(directory)
    guard end < Self.bufferSize / 4 else { return false }
    var found = 0
    var start = next
    while start < end {
      let name = nameRange(start)
      if name.count == 4 || name.count == 7,
        Self.repository.contains(where: { records[name].elementsEqual($0.utf8) })
      {
        found += 1
      }
      start += length(at: start)
    }
    return found == Self.repository.count
  }

  private static let repository = ["HEAD", "refs", "objects"]

  /// The inode of an entry; for a mount point, that of the directory under the mount.
  func inode(of record: Record) -> UInt64 {
    number(at: record.name.lowerBound - Offset.name, as: UInt64.self)
  }

  @inline(__always)
  private mutating func takeRecord() -> Record {
    let start = next
    let end = start + length(at: start)
    next = end
    position = number(at: start + Offset.position, as: Int64.self)
    return unsafe records.withUnsafeBytes { bytes in
      unsafe Record(
        type: CInt(bytes[start + Offset.type]), name: Self.nameRange(start..<end, bytes),
        initial: bytes[start + Offset.name])
    }
  }

  private mutating func fill(_ directory: CInt) throws(Errno) {
    if records.count < Self.bufferSize { records = Self.newBuffer }
    let count = unsafe records.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("a buffer is never empty") }
      return unsafe clinux_directory_read(directory, base, buffer.count)
    }
    next = 0
    end = max(0, count)
    if count <= 0 { mayContinue = false }
    if count < 0 { throw Errno(rawValue: CInt(-count)) }
  }

  func name(of record: Record) -> FilePath {
    FilePath(terminated: records[record.name.lowerBound...record.name.upperBound])
  }

  /// The bytes of an entry's name.
  func nameBytes(of record: Record) -> ArraySlice<UInt8> { records[record.name] }

  /// Calls `body` with the name of each entry that is left, and whether the directory says that the entry is
  /// a regular file.
  mutating func forEachName(
    _ directory: CInt, _ body: (_ name: ArraySlice<UInt8>, _ isFile: Bool) -> Void
  ) throws(Errno) {
    while let record = try nextRecord(directory) {
      body(nameBytes(of: record), record.type == CInt(DT_REG))
    }
  }

  /// - Parameter directory: the descriptor of the listed directory.
  @inline(__always)
  func kind(of record: Record, in directory: CInt) -> TreeEntry.Kind {
    switch record.type {
    case CInt(DT_REG): .file
    case CInt(DT_DIR): .directory
    // Some file systems leave the kind to fstatat(2).
    case CInt(DT_UNKNOWN): TreeEntry.Kind(directory, name(of: record), .noFollow) ?? .other
    default: .other
    }
  }

  /// Calls `body` with an entry, unless the entry lacks a required attribute.
  ///
  /// `mutating` although nothing changes: exclusive access saves retaining the records meanwhile.
  @inline(__always)
  mutating func withEntry(
    _ record: Record, _ kind: TreeEntry.Kind, in directory: CInt,
    at path: UnsafeBufferPointer<UInt8>, _ attribute: AskedAttribute?,
    _ body: (borrowing TreeEntry) -> Void
  ) {
    unsafe records.withUnsafeMutableBufferPointer { records in
      let name = unsafe UnsafeBufferPointer(rebasing: records[record.name])
      let place = unsafe EntryReference(directory: directory, terminatedName: name)
      let reading = attribute?.reader.read(place)
      if case .absent = reading, attribute?.isRequired == true { return }
      unsafe body(TreeEntry(kind: kind, attribute: reading, place: place, directoryPath: path))
    }
  }

  /// Splits off the latter half of the remaining work, by estimate, for another worker.
  ///
  /// The latter half goes on reading the directory; this listing ends after its own half.
  ///
  /// - Returns: `nil` if too little work is left.
  mutating func split() -> Listing? {
    let isLongest = mayContinue && end > 0 && end > Self.bufferSize - Self.longestRecord
    var total = isLongest ? Self.directoryWork : 0
    var start = next
    while start < end {
      total += work(at: start)
      start += length(at: start)
    }
    guard total >= Self.directoryWork else { return nil }
    // Some work is kept, or idle workers would pass the last directory on for ever.
    var kept = 0
    start = next
    while start < end {
      let work = work(at: start)
      if kept > 0, kept + work > total / 2 { break }
      kept += work
      start += length(at: start)
    }
    guard total - kept >= Self.directoryWork / 2 else { return nil }
    let half = Listing(
      records: Array(records[start..<end]), position: position, mayContinue: mayContinue)
    end = start
    mayContinue = false
    return half
  }

  /// The number of files that make as much work as a directory, and are worth a second thread.
  private static let directoryWork = 64

  private func work(at start: Int) -> Int {
    switch type(at: start) {
    case CInt(DT_DIR), CInt(DT_UNKNOWN): isDots(nameRange(start)) ? 0 : Self.directoryWork
    default: 1
    }
  }

  /// Gives up the buffer until `resume` and keeps only the records that cannot be read again.
  mutating func suspend() -> [UInt8]? {
    // Reading resumes at `position`, unless another worker reads the rest.
    let rest = mayContinue ? [] : Array(records[next..<end])
    let buffer = takeBuffer()
    records = rest
    next = 0
    end = rest.count
    return buffer
  }

  /// Continues with another descriptor of the same directory; a failure ends the listing.
  ///
  /// - Parameter buffer: the buffer of an earlier listing, for reuse.
  mutating func resume(_ directory: DirectoryHandle, buffer: [UInt8]?) throws(Errno) {
    guard mayContinue else { return }
    records = buffer ?? Self.newBuffer
    do throws(Errno) {
      try directory.seek(to: position)
    } catch {
      mayContinue = false
      throw error
    }
  }

  /// Returns the buffer for another listing.
  consuming func takeBuffer() -> [UInt8]? { records.count == Self.bufferSize ? records : nil }

  private func length(at start: Int) -> Int {
    let length = Int(number(at: start + Offset.length, as: UInt16.self))
    precondition(length > Offset.name && start + length <= end, "the kernel writes whole records")
    return length
  }

  private func type(at start: Int) -> CInt { CInt(records[start + Offset.type]) }

  private func nameRange(_ start: Int) -> Range<Int> {
    let record = start..<start + length(at: start)
    return unsafe records.withUnsafeBytes { unsafe Self.nameRange(record, $0) }
  }

  /// The position of the name without its NUL. Records are padded to eight bytes, so that the NUL is
  /// among the last eight; the bytes after the NUL are undefined.
  @inline(__always)
  private static func nameRange(
    _ record: Range<Int>, _ bytes: UnsafeRawBufferPointer
  ) -> Range<Int> {
    let (name, last) = (record.lowerBound + Offset.name, record.upperBound - 8)
    var word = unsafe UInt64(
      littleEndian: bytes.loadUnaligned(fromByteOffset: last, as: UInt64.self))
    // A zero before the name does not end the name.
    if last < name { word |= ~(.max << UInt64(8 * (name - last))) }
    // The lowest bit set is the highest bit of the first zero byte.
    let zeros = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    precondition(zeros != 0, "the kernel ends names with a NUL")
    return name..<last + zeros.trailingZeroBitCount / 8
  }

  private func isDots(_ name: Range<Int>) -> Bool {
    let dot = UInt8(ascii: ".")
    guard name.count <= 2, records[name.lowerBound] == dot else { return false }
    return name.count == 1 || records[name.lowerBound + 1] == dot
  }

  private func number<Number: BitwiseCopyable>(at offset: Int, as type: Number.Type) -> Number {
    precondition(offset + MemoryLayout<Number>.size <= end)
    return unsafe records.withUnsafeBytes { bytes in
      unsafe bytes.loadUnaligned(fromByteOffset: offset, as: type)
    }
  }
}

/// An attribute that a worker reads of each entry before visiting it.
struct AskedAttribute {
  let reader: AttributeReader
  /// Whether entries without the attribute are left out.
  let isRequired: Bool

  init(_ request: WalkOptions.Attribute) {
    reader = AttributeReader(request.name)
    isRequired = request.absent == .leftOut
  }
}

/// A directory whose entries are read one by one.
package final class OpenDirectory {
  package let path: FilePath
  private var handle: DirectoryHandle?
  private var listing = Listing(buffer: nil)

  /// Opens a directory relative to another, as openat(2).
  package init(_ parent: CInt, _ name: FilePath, path: FilePath, flags: CInt) throws(TreeFailure) {
    self.path = path
    do throws(Errno) {
      handle = try DirectoryHandle(parent, name, flags: flags)
    } catch {
      throw TreeFailure(path: path, errno: error)
    }
  }

  /// The open descriptor; `nil` once it is closed.
  package var descriptor: CInt? { handle?.descriptor }

  /// Closes the directory; `next` then returns `nil`.
  package func close() { handle = nil }

  /// Calls `body` with the name of each entry that is left, but for `.` and `..`, and whether the
  /// directory says that the entry is a regular file.
  ///
  /// The C function is getdents64(2).
  package func forEachName(
    _ body: (_ name: ArraySlice<UInt8>, _ isFile: Bool) -> Void
  ) throws(Errno) {
    guard let handle else { return }
    try listing.forEachName(handle.descriptor, body)
  }

  /// Reads the next entry that is neither `.` nor `..`; `nil` at the end.
  ///
  /// After a failure no more entries are read. The C function is getdents64(2).
  package func next() throws(TreeFailure) -> DirectoryEntry? {
    guard let handle else { return nil }
    do throws(Errno) {
      guard let record = try listing.nextRecord(handle.descriptor) else { return nil }
      return DirectoryEntry(
        kind: listing.kind(of: record, in: handle.descriptor), name: listing.name(of: record),
        inode: listing.inode(of: record))
    } catch {
      throw TreeFailure(path: path, errno: error)
    }
  }
}

/// An entry of a directory that was read.
package struct DirectoryEntry: Sendable {
  package let kind: TreeEntry.Kind
  package let name: FilePath
  /// For a mount point, the inode of the directory under the mount.
  package let inode: UInt64
}

/// The descriptor of an open directory, closed with the last reference to it.
package final class DirectoryHandle: Sendable {
  package let descriptor: CInt

  /// Opens a directory relative to another, as openat(2).
  convenience init(_ parent: CInt, _ name: FilePath, flags: CInt) throws(Errno) {
    try self.init(unsafe name.withCString { unsafe clinux_directory_open(parent, $0, flags) })
  }

  /// Takes ownership of an open descriptor; throws where `result` is a negated errno.
  package init(_ result: CInt) throws(Errno) {
    descriptor = result
    if descriptor < 0 { throw Errno(rawValue: -descriptor) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The corresponding C function is fstat(2).
  func identity() throws(Errno) -> FileIdentity {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .current }
    return FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  /// The directory's identity, and the mount that it was reached in.
  ///
  /// The corresponding C function is statx(2).
  func place() throws(Errno) -> (identity: FileIdentity, mount: MountIdentity) {
    try unsafe Self.place(of: "", in: descriptor)
  }

  /// The mount of an entry, where something is mounted on its name of that.
  static func mount(of name: FilePath, in directory: CInt) throws(Errno) -> MountIdentity {
    try unsafe name.withCString { name throws(Errno) in
      try unsafe place(of: name, in: directory).mount
    }
  }

  private static func place(
    of name: UnsafePointer<CChar>, in directory: CInt
  ) throws(Errno) -> (identity: FileIdentity, mount: MountIdentity) {
    var place = clinux_place()
    let result = unsafe clinux_file_place(directory, name, &place)
    guard result == 0 else { throw Errno(rawValue: -result) }
    return (
      FileIdentity(device: place.device, inode: place.inode),
      MountIdentity(device: place.device, number: place.mount)
    )
  }

  /// Moves to where another descriptor of the directory stopped, as lseek(2).
  func seek(to position: Int64) throws(Errno) {
    if lseek(descriptor, off_t(position), SEEK_SET) < 0 { throw .current }
  }
}

/// Identifies a file or directory while it exists, whatever paths lead to it.
package struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  package let inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}

/// Identifies the mount of a file system while something in it is open.
struct MountIdentity: Hashable, Sendable {
  /// Subvolumes of one mount have devices of their own.
  let device: UInt64
  /// Bind mounts of one device have numbers of their own; 0 where the kernel, before Linux 5.8, does
  /// not tell.
  let number: UInt64
}
