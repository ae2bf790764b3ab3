internal import CArchive
package import ForeignFormats
package import LinuxSystem
internal import Xattr

/// Finds the attributes of files in a zip or tar, with libarchive.
///
/// In a zip, macOS keeps them as AppleDouble files below `__MACOSX`; in a tar, `bsdtar` and GNU tar
/// keep them in pax headers (`LIBARCHIVE.xattr.`, `SCHILY.xattr.`), and macOS's tar as AppleDouble
/// files `._name`. Nothing is extracted, and memory is bounded by the limits here.
///
/// To reach what follows a large file in a compressed tar, that file has to be unpacked, which can
/// take minutes for a few KiB. A limit therefore applies to the time and to the number of unpacked
/// bytes, counted over all filters of an archive that was compressed more than once.
@safe
package struct ArchiveReader {
  /// The most bytes of attributes, with their names and the files' paths, that are taken from one
  /// archive.
  package static let attributeLimit = 64 << 20
  /// The most files, damaged ones included, that are taken from one archive: there is memory for
  /// them and for the answer.
  package static let fileLimit = 400_000
  /// The most entries that are read.
  package static let entryLimit = 2_000_000
  /// A larger AppleDouble file is not read: its resource fork would have to be kept anyway.
  package static let appleDoubleLimit = 1 << 20

  private let archive: OpaquePointer
  private let meter: WorkMeter
  /// The findings in the current entry.
  private var found = ArchivedAttributes()
  /// How many files and flaws were found.
  private var findings = 0
  private var size = 0
  /// How many unpacked bytes were counted.
  private var counted = 0

  private init(_ archive: OpaquePointer, _ meter: WorkMeter) {
    unsafe self.archive = archive
    self.meter = meter
  }

  /// Reads an archive that stands in memory, whole.
  ///
  /// - Returns: what was found; where the archive is damaged, or takes more work, up to there, and
  ///   why it ends.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, within limit: WorkLimit = .standard
  ) -> (found: ArchivedAttributes, failure: ArchiveFailure?) {
    var all = ArchivedAttributes()
    let failure = unsafe read(bytes, within: limit) { found in
      all.files += found.files
      all.flaws += found.flaws
    }
    return (all, failure)
  }

  /// Reads an archive that stands in memory.
  ///
  /// Supports zip and all kinds of tar, compressed with gzip, bzip2, xz, lzma, zstd, lz4 or compress.
  ///
  /// Time is measured between calls of libarchive. A single call may take any time, so the kernel
  /// may have to end the process: findings are therefore passed on as they are found.
  ///
  /// - Parameters:
  ///   - limit: how many bytes are unpacked, and how long the reading takes.
  ///   - take: gets what each entry holds, where it holds anything.
  /// - Returns: the reason why reading ends before the archive does.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, within limit: WorkLimit,
    _ take: (ArchivedAttributes) throws(ArchiveFailure) -> Void
  ) -> ArchiveFailure? {
    guard let archive = unsafe archive_read_new() else {
      return ArchiveFailure(description: "out of memory")
    }
    defer { unsafe archive_read_free(archive) }
    // For a compression that this libarchive was built without, it would start a program, which the
    // sandbox forbids.
    _ = unsafe archive_read_support_filter_gzip(archive)
    _ = unsafe archive_read_support_filter_bzip2(archive)
    _ = unsafe archive_read_support_filter_xz(archive)
    _ = unsafe archive_read_support_filter_lzma(archive)
    _ = unsafe archive_read_support_filter_zstd(archive)
    _ = unsafe archive_read_support_filter_lz4(archive)
    _ = unsafe archive_read_support_filter_compress(archive)
    _ = unsafe archive_read_support_format_tar(archive)
    _ = unsafe archive_read_support_format_zip(archive)
    var reader = unsafe ArchiveReader(archive, WorkMeter(limit))
    do throws(ArchiveFailure) {
      try reader.check(
        unsafe archive_read_open_memory(archive, bytes.baseAddress, bytes.count))
      try reader.readEntries(take)
      return nil
    } catch {
      return error
    }
  }

  /// Reads the Info.plists of the bundles in an archive that stands in memory. Nothing else of a zip
  /// is unpacked.
  package static func readBundleLists(
    _ bytes: UnsafeRawBufferPointer, within limit: WorkLimit
  ) throws(ArchiveFailure) -> BundleLists {
    guard let archive = unsafe archive_read_new() else {
      throw ArchiveFailure(description: "out of memory")
    }
    defer { unsafe archive_read_free(archive) }
    _ = unsafe archive_read_support_format_zip(archive)
    var reader = unsafe ArchiveReader(archive, WorkMeter(limit))
    try reader.check(unsafe archive_read_open_memory(archive, bytes.baseAddress, bytes.count))
    var lists = BundleLists()
    for _ in 0..<entryLimit {
      var entry: OpaquePointer?
      let result = unsafe archive_read_next_header(archive, &entry)
      if result == ARCHIVE_EOF { return lists }
      try reader.check(result)
      if let entry = unsafe entry, let name = unsafe archive_entry_pathname(entry) {
        let path = unsafe Array(FilePath(cString: name).bytes)
        if BundleLists.isList(path[...]) {
          guard let content = try reader.content() else {
            throw ArchiveFailure(description: "an Info.plist is larger than 1 MiB")
          }
          guard lists.add(path, content) else {
            throw ArchiveFailure(
              description: "the archive has more than \(BundleLists.countLimit) bundles or"
                + " \(BundleLists.sizeLimit >> 20) MiB of their Info.plists")
          }
        }
      }
      try reader.passOver()
    }
    throw ArchiveFailure(description: "the archive has more than \(entryLimit) entries")
  }

  private func check(_ result: CInt) throws(ArchiveFailure) {
    if result >= ARCHIVE_WARN { return }
    let words = unsafe archive_error_string(archive).map { unsafe String(cString: $0) }
    throw ArchiveFailure(description: words ?? "the archive is damaged")
  }

  private mutating func readEntries(
    _ take: (ArchivedAttributes) throws(ArchiveFailure) -> Void
  ) throws(ArchiveFailure) {
    for _ in 0..<Self.entryLimit {
      var entry: OpaquePointer?
      let result = unsafe archive_read_next_header(archive, &entry)
      if result == ARCHIVE_EOF { return }
      try check(result)
      if let entry = unsafe entry {
        // Whatever ends the entry, what was found in it is handed over.
        let outcome = Result { () throws(ArchiveFailure) in unsafe try read(entry) }
        let found = self.found
        self.found = ArchivedAttributes()
        findings += found.files.count + found.flaws.count
        if !found.files.isEmpty || !found.flaws.isEmpty { try take(found) }
        try outcome.get()
      }
      try passOver()
    }
    throw ArchiveFailure(description: "the archive has more than \(Self.entryLimit) entries")
  }

  private var isCompressed: Bool {
    unsafe archive_filter_code(archive, 0) != ARCHIVE_FILTER_NONE
  }

  private var isZip: Bool {
    unsafe archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_ZIP
  }

  /// Passes over what is left of the current entry. In what is compressed as a whole, the next
  /// header could take any time otherwise: libarchive unpacks all that stands before it.
  private mutating func passOver() throws(ArchiveFailure) {
    try countUnpacked(0)
    while isCompressed {
      var (block, length, offset): (UnsafeRawPointer?, Int, la_int64_t) = (nil, 0, 0)
      let result = unsafe archive_read_data_block(archive, &block, &length, &offset)
      // A flaw of the entry alone is none of the archive.
      if result == ARCHIVE_FATAL { try check(result) }
      guard result == ARCHIVE_OK else { return }
      try countUnpacked(length)
    }
  }

  /// How many bytes all filters together have given. The last one is the file itself.
  private var unpacked: Int {
    (0..<max(0, unsafe archive_filter_count(archive) - 1)).reduce(0) { sum, filter in
      sum + Int(max(0, unsafe archive_filter_bytes(archive, filter)))
    }
  }

  /// Counts what was unpacked.
  ///
  /// - Parameter content: how many bytes of an entry were read; a zip compresses each by itself.
  private mutating func countUnpacked(_ content: Int) throws(ArchiveFailure) {
    let unpacked = unpacked
    let bytes = (isZip ? content : 0) + max(0, unpacked - counted)
    counted = max(counted, unpacked)
    do throws(WorkLimit.Excess) {
      try meter.count(bytes)
    } catch {
      throw ArchiveFailure(description: error.description, excess: error)
    }
  }

  private mutating func read(_ entry: OpaquePointer) throws(ArchiveFailure) {
    // Names in damaged zips that are no text are `nil` here.
    guard let name = unsafe archive_entry_pathname(entry) else { return }
    let path = unsafe FilePath(cString: name)
    try unsafe readHeader(entry, path)
    guard let target = Self.target(of: path.bytes),
      unsafe archive_entry_filetype(entry) == 0o100000
    else { return }
    try readAppleDouble(path, target)
  }

  /// Counts one more file, or one more flaw.
  private mutating func count(_ bytes: Int) throws(ArchiveFailure) {
    guard findings + found.files.count + found.flaws.count < Self.fileLimit else {
      throw ArchiveFailure(
        description: "the archive has more than \(Self.fileLimit) files with attributes")
    }
    size += bytes
    if size > Self.attributeLimit {
      throw ArchiveFailure(
        description: "the archive has more than \(Self.attributeLimit >> 20) MiB of attributes")
    }
  }

  /// The attributes in a pax header. Other namespaces than the user's are for extracting as root.
  private mutating func readHeader(
    _ entry: OpaquePointer, _ path: FilePath
  ) throws(ArchiveFailure) {
    unsafe archive_entry_xattr_reset(entry)
    var attributes = ForeignAttributes()
    while true {
      var (name, value): (UnsafePointer<CChar>?, UnsafeRawPointer?) = (nil, nil)
      var length = 0
      guard unsafe archive_entry_xattr_next(entry, &name, &value, &length) == ARCHIVE_OK else {
        break
      }
      guard let name = unsafe name,
        let mac = unsafe Self.macName(Array(FilePath(cString: name).bytes))
      else { continue }
      let bytes = unsafe UnsafeRawBufferPointer(start: value, count: length)
      attributes.add(mac, length: length) { unsafe Array(bytes) }
    }
    try add(attributes, in: path, of: path.bytes, .archive)
  }

  private mutating func readAppleDouble(
    _ path: FilePath, _ target: [UInt8]
  ) throws(ArchiveFailure) {
    guard let bytes = try content() else {
      return try add("the entry is larger than \(Self.appleDoubleLimit >> 20) MiB", path)
    }
    var attributes = ForeignAttributes()
    do throws(MarkFailure) {
      attributes.add(try AppleDouble(bytes)) { Array(bytes[$0]) }
    } catch {
      // In a tar, a name like `._name` does not make an AppleDouble file.
      guard path.bytes.starts(with: Self.folder) else { return }
      return try add(error.description, path)
    }
    try add(attributes, in: path, of: target[...], .macArchive)
  }

  private mutating func add(_ reason: String, _ path: FilePath) throws(ArchiveFailure) {
    try count(path.bytes.count)
    found.flaws.append((Array(path.bytes), reason))
  }

  private mutating func add(
    _ attributes: ForeignAttributes, in path: FilePath, of target: ArraySlice<UInt8>,
    _ place: ArchivedAttributes.Place
  ) throws(ArchiveFailure) {
    guard !attributes.attributes.isEmpty || !attributes.remainder.isEmpty,
      let file = FilePath(bytes: target)
    else { return }
    let names = attributes.attributes.reduce(0) { $0 + $1.name.bytes.count }
    let words = attributes.remainder.reduce(0) { $0 + $1.utf8.count }
    try count(path.bytes.count + attributes.size + names + words)
    found.files.append(
      ArchivedAttributes.File(
        path: file, place: place, entry: Array(path.bytes), attributes: attributes.attributes,
        remainder: attributes.remainder))
  }

  /// The content of the current entry; `nil` if there is too much.
  private mutating func content() throws(ArchiveFailure) -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      var result = 0
      let block = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        result = unsafe archive_read_data(archive, buffer.baseAddress, buffer.count)
        count = max(0, result)
      }
      if result < 0 { try check(CInt(clamping: result)) }
      if block.isEmpty { return bytes }
      try countUnpacked(block.count)
      bytes += block
      guard bytes.count <= Self.appleDoubleLimit else { return nil }
    }
  }

  /// Where zips have AppleDouble files.
  private static let folder = Array("__MACOSX/".utf8)

  /// The path of the file that an AppleDouble file belongs to: `a/b` of `__MACOSX/a/._b` and of
  /// `a/._b`.
  ///
  /// - Returns: `nil` for a path that does not name an AppleDouble file.
  private static func target(of path: ArraySlice<UInt8>) -> [UInt8]? {
    let below = path.starts(with: folder) ? path.dropFirst(folder.count) : path
    let slash = UInt8(ascii: "/")
    let start = below.lastIndex(of: slash).map { $0 + 1 } ?? below.startIndex
    let name = below[start...]
    guard name.starts(with: "._".utf8), name.count > 2 else { return nil }
    return Array(below[..<start]) + name.dropFirst(2)
  }

  /// The name in a pax header without a namespace: Linux's tars write `user.NAME`, those of macOS `NAME`.
  ///
  /// - Returns: `nil` for other namespaces of Linux.
  private static func macName(_ name: [UInt8]) -> [UInt8]? {
    let user = Array("user.".utf8)
    if name.starts(with: user) { return Array(name.dropFirst(user.count)) }
    let isMac = name.starts(with: "com.apple.".utf8) || name.elementsEqual("x-document-source".utf8)
    return isMac ? name : nil
  }
}

/// The reason why an archive cannot be read to its end.
package struct ArchiveFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
  /// The limit that reading on would exceed, where that is the reason.
  package var excess: WorkLimit.Excess?

  package init(description: String, excess: WorkLimit.Excess? = nil) {
    self.description = description
    self.excess = excess
  }
}
