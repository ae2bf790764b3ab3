internal import CLinux
internal import Glibc
internal import LinuxSystem
internal import Xattr

/// What was read of a directory and not handed out yet, in records as getdents64(2) writes them.
struct Listing {
  /// An entry, valid until the next is asked for.
  struct Record {
    /// One of the `DT_` constants.
    let type: CInt
    /// Where its name stands, with one NUL behind it.
    fileprivate let name: Range<Int>
    /// Whether its name begins with a period.
    let isHidden: Bool
  }

  /// Of struct linux_dirent64: d_ino, d_off, d_reclen, d_type, d_name.
  private enum Offset {
    static let position = 8
    static let length = 16
    static let type = 18
    static let name = 19
  }

  /// As readdir(3) has it; about a thousand entries.
  static let bufferSize = 32768
  /// The longest record: a name of 255 bytes and its NUL, rounded up.
  private static let longestRecord = 280

  private var records: [UInt8]
  private var next = 0
  private var end = 0
  /// Where the directory's own position is after the entry handed out last.
  private var position: Int64 = 0
  /// Whether the directory may have more than the records.
  private var mayContinue = true

  /// - Parameter buffer: an earlier listing's, to be used again.
  init(buffer: [UInt8]?) { records = buffer ?? Self.newBuffer }

  /// A part of another's records.
  private init(records: [UInt8], position: Int64, mayContinue: Bool) {
    self.records = records
    self.position = position
    self.mayContinue = mayContinue
    end = records.count
  }

  private static var newBuffer: [UInt8] { [UInt8](repeating: 0, count: bufferSize) }

  /// Returns the next entry but `.` and `..`, `nil` at the end; reads where none is left.
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

  /// The number of the entry's inode. Of a mount point it is that of the directory below the mount.
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
        isHidden: bytes[start + Offset.name] == UInt8(ascii: "."))
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

  /// Copies the entry's name.
  func name(of record: Record) -> FilePath {
    FilePath(terminated: records[record.name.lowerBound...record.name.upperBound])
  }

  /// What the entry is, whose directory has a descriptor.
  @inline(__always)
  func kind(of record: Record, in directory: CInt) -> TreeEntry.Kind {
    switch record.type {
    case CInt(DT_REG): .file
    case CInt(DT_DIR): .directory
    // Some file systems leave it to fstatat(2).
    case CInt(DT_UNKNOWN): TreeEntry.Kind(directory, name(of: record), .noFollow) ?? .other
    default: .other
    }
  }

  /// Calls `body` with the entry, whose directory has a descriptor and a path, unless it lacks an
  /// attribute that it must have.
  ///
  /// It changes nothing: a listing that may change need not be retained meanwhile.
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

  /// Takes the latter half of what is left, by an estimate of the work, for another worker.
  ///
  /// Whoever has the latter half also reads on in the directory; this listing ends with its half.
  ///
  /// - Returns: `nil` where too little is left.
  mutating func split() -> Listing? {
    let isLongest = mayContinue && end > 0 && end > Self.bufferSize - Self.longestRecord
    var total = isLongest ? Self.directoryWork : 0
    var start = next
    while start < end {
      total += work(at: start)
      start += length(at: start)
    }
    guard total >= Self.directoryWork else { return nil }
    var kept = 0
    start = next
    while start < end {
      kept += work(at: start)
      if kept > total / 2 { break }
      start += length(at: start)
    }
    let half = Listing(
      records: Array(records[start..<end]), position: position, mayContinue: mayContinue)
    end = start
    mayContinue = false
    return half
  }

  /// How many files make as much work as a directory, and are worth a second thread.
  private static let directoryWork = 64

  private func work(at start: Int) -> Int {
    switch type(at: start) {
    case CInt(DT_DIR), CInt(DT_UNKNOWN): isDots(nameRange(start)) ? 0 : Self.directoryWork
    default: 1
    }
  }

  /// Gives the buffer up until `resume`, keeping no more than must be kept.
  mutating func suspend() -> [UInt8]? {
    // Reading goes on at `position`, unless that is another worker's part.
    let rest = mayContinue ? [] : Array(records[next..<end])
    let buffer = takeBuffer()
    records = rest
    next = 0
    end = rest.count
    return buffer
  }

  /// Goes on with another descriptor of the same directory; where that fails, this is the end.
  ///
  /// - Parameter buffer: an earlier listing's, to be used again.
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

  /// The buffer, for another listing.
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

  /// The name, without its NUL. Records are padded to eight bytes, so the NUL is one of the last
  /// eight; what stands behind it is left from earlier.
  @inline(__always)
  private static func nameRange(
    _ record: Range<Int>, _ bytes: UnsafeRawBufferPointer
  ) -> Range<Int> {
    let (name, last) = (record.lowerBound + Offset.name, record.upperBound - 8)
    var word = unsafe UInt64(
      littleEndian: bytes.loadUnaligned(fromByteOffset: last, as: UInt64.self))
    // What stands before the name is no end of it.
    if last < name { word |= ~(.max << UInt64(8 * (name - last))) }
    // The lowest bit that is set is the highest of the first byte that is zero.
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

/// An attribute that a worker reads of what it visits.
struct AskedAttribute {
  let reader: AttributeReader
  /// Whether what lacks it is left out.
  let isRequired: Bool

  init(_ request: WalkOptions.Attribute) {
    reader = AttributeReader(request.name)
    isRequired = request.absent == .leftOut
  }
}
