internal import CLinux
internal import ForeignFormats
internal import Glibc
internal import LinuxSystem
internal import TextFormats
internal import Xattr

/// The place of a file: its directory, held open, and its name there.
final class FilePlace {
  private let entry: NamedEntry
  /// The last component of the file's path.
  private(set) lazy var name = Array(entry.name.bytes)
  private let status: stat
  /// The number of the mount that nothing beside the file is looked for outside of.
  private let mount: UInt64?
  private let memory: DirectoryMemory?
  private var surroundings: Surroundings?
  private var directory: CInt { entry.directory }

  /// - Parameter memory: has what is known of directories, where other files of them are asked for, too.
  /// - Returns: `nil` if nothing can stand beside the file: it is the root, or has no name.
  /// - Throws: the reason why the place cannot be determined, as if the file is being moved.
  init?(
    of file: HeldFile, in scope: MarkCarrier.Scope = .everywhere,
    with memory: DirectoryMemory? = nil
  ) throws(Errno) {
    guard let entry = try NamedEntry.find(file, with: memory) else { return nil }
    self.entry = entry
    status = file.status
    mount = scope == .oneMount ? try Self.mount(of: entry.directory) : nil
    self.memory = memory
    surroundings = memory?.surroundings(in: entry.directory)
  }

  /// Holds the directory open for as long as the place is used, also after whoever has opened the directory
  /// closes it.
  ///
  /// - Returns: `false` where no more files may be open.
  func keepDirectory() -> Bool {
    entry.keepDirectory { directory in
      guard let memory, let surroundings else { return nil }
      return try? memory.hold(directory, surroundings)
    }
  }

  /// The corresponding C function is statx(2).
  private static func mount(of descriptor: CInt) throws(Errno) -> UInt64 {
    var place = clinux_place()
    let result = unsafe clinux_file_place(descriptor, "", &place)
    guard result == 0 else { throw Errno(rawValue: -result) }
    return place.mount
  }

  /// Whether an open file lies where nothing is to be looked for.
  private func isOutside(_ descriptor: CInt) throws(Errno) -> Bool {
    guard let mount else { return false }
    return try Self.mount(of: descriptor) != mount
  }

  /// The absolute path of the directory, without links; `nil` if the kernel does not tell it, as
  /// one of more than 4095 bytes.
  private(set) lazy var directoryPath: FilePath? = {
    if let path = surroundings?.path { return path }
    let path = FilePath("/proc/self/fd/\(directory)").linkTarget
    guard path?.bytes.first == UInt8(ascii: "/") else { return nil }
    surroundings?.path = path
    keepSurroundings()
    return path
  }()
  /// The components of that path.
  private(set) lazy var folders: [[UInt8]]? = {
    if let folders = surroundings?.folders { return folders }
    let folders = directoryPath?.bytes.split(separator: UInt8(ascii: "/")).map { Array($0) }
    surroundings?.folders = folders
    keepSurroundings()
    return folders
  }()
  /// The file's absolute path, without links; `nil` if that of the directory is unknown.
  var path: FilePath? { directoryPath?.appending(entry.name) }

  private func keepSurroundings() {
    if let surroundings { memory?.keep(surroundings) }
  }

  /// Whether a directory above has the folder of an archive, as it was for a file before; `nil` if that is
  /// not known.
  var hasArchiveAbove: Bool? {
    get { surroundings?.hasArchiveAbove }
    set {
      surroundings?.hasArchiveAbove = newValue
      keepSurroundings()
    }
  }

  /// Whether a file is known to be no carrier and to have none beside it, as far as they have the names of
  /// carriers.
  var isAlone: Bool {
    !isDirectory && surroundings?.haveNoCarrier == true
  }

  /// Whether something beside the file may be a stream, by its name.
  var mayHaveStreams: Bool { surroundings?.names?.haveStreams ?? true }

  /// Whether something beside the file may have a name.
  func mayHave(_ name: [UInt8]) -> Bool { surroundings?.names?.mayHave(name) ?? true }

  /// Whether names may lead to something from this file's directory.
  private func mayLead(_ components: some Collection<[UInt8]>) -> Bool {
    components.first.map(mayHave) ?? true
  }

  /// Whether a path may lead to something from this file's directory, whatever that is: the cheapest question,
  /// which takes half the time of opening what is missing.
  ///
  /// The corresponding C function is fstatat(2).
  ///
  /// - Parameter path: without NUL; empty afterwards, with its memory.
  func mayBeThere(_ path: inout [UInt8]) -> Bool {
    path.append(0)
    var status = stat()
    let result = unsafe path.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { preconditionFailure("a path has its NUL") }
      return unsafe fstatat(
        directory, base.assumingMemoryBound(to: CChar.self), &status, AT_SYMLINK_NOFOLLOW)
    }
    let mayBe = result == 0 || !Self.isAbsence(.current)
    path.removeAll(keepingCapacity: true)
    return mayBe
  }

  /// Device and inode as Samba writes them: eight bytes each, the lowest first.
  var sambaIdentifier: [UInt8] {
    [UInt64(status.st_dev), UInt64(status.st_ino)].flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }
  }

  var isDirectory: Bool { status.st_mode & S_IFMT == S_IFDIR }

  /// Calls `body` with the directory that names lead to from this file's; no link is followed.
  ///
  /// - Returns: `nil` if there is no such directory.
  func withDirectory<Result>(
    _ components: ArraySlice<[UInt8]>, _ body: (CInt) throws(Errno) -> Result?
  ) throws(Errno) -> Result? {
    guard mayLead(components) else { return nil }
    var here = directory
    var isOurs = false
    defer { if isOurs { close(here) } }
    for component in Self.steps(components) {
      guard let name = FilePath(bytes: component) else { return nil }
      let next = unsafe name.withCString { unsafe clinux_directory_step(here, $0) }
      if isOurs { close(here) }
      isOurs = next >= 0
      here = next
      guard next >= 0 else {
        let errno = Errno(rawValue: -next)
        if Self.isAbsence(errno) { return nil }
        throw errno
      }
    }
    return try body(here)
  }

  /// The names with those that lead upwards put before the next one: `..` is no link, so that one
  /// call goes all the way. Names that lead upwards alone stay as they are.
  private static func steps(_ components: ArraySlice<[UInt8]>) -> [[UInt8]] {
    let rest = components.drop { $0 == PossibleCarriers.up }
    guard rest.startIndex > components.startIndex, !rest.isEmpty else { return Array(components) }
    let first = components[...rest.startIndex].joined(separator: "/".utf8)
    return [Array(first)] + rest.dropFirst()
  }

  /// Opens a file by the names that lead to it from this file's directory; no link is followed.
  ///
  /// - Returns: `nil` if there is no regular file.
  func neighbour(_ components: [[UInt8]]) throws(Errno) -> NeighbourFile? {
    guard mayLead(components) else { return nil }
    return try withDirectory(components.dropLast()) { (here) throws(Errno) -> NeighbourFile? in
      do throws(Errno) {
        let file = try Self.open(components.last, in: here)
        guard let neighbour = NeighbourFile(file), try !isOutside(file) else { return nil }
        return neighbour
      } catch  where Self.isAbsence(error) {
        return nil
      }
    }
  }

  /// Calls `body` with a file by the names that lead to it from this file's directory.
  ///
  /// - Returns: `nil` if there is no directory that may have the file.
  func withNeighbour<Result>(
    _ components: [[UInt8]], _ body: (FileReference) -> Result
  ) throws(Errno) -> Result? {
    try withDirectory(components.dropLast()) { directory in
      guard let name = components.last.flatMap({ FilePath(bytes: $0) }) else { return nil }
      return body(.entry(directory: directory, name: name, path: name))
    }
  }

  /// Opens an AppleDouble file and reads its head.
  ///
  /// - Returns: `nil` if there is no regular file.
  /// - Throws: `Errno`, and `MarkFailure` where it is none of these files.
  func appleDouble(
    _ components: [[UInt8]]
  ) throws -> (file: NeighbourFile, content: AppleDouble)? {
    guard let file = try neighbour(components) else { return nil }
    return (file, try AppleDouble(head: file.readHead(), length: file.length))
  }

  private static func open(_ name: [UInt8]?, in directory: CInt) throws(Errno) -> CInt {
    guard let name = name.flatMap({ FilePath(bytes: $0) }) else { throw .noSuchFile }
    return try Descriptor.open(name, in: directory, followsLink: false)
  }

  /// File systems of Windows answer EINVAL to a colon in a name; a socket answers ENXIO.
  private static func isAbsence(_ errno: Errno) -> Bool {
    [ENOENT, ENOTDIR, ELOOP, EINVAL, ENAMETOOLONG, ENXIO].contains(errno.rawValue)
  }

  /// Whether an open file is this one, as its streams are where ntfs-3g shows them as files.
  func isSame(_ neighbour: NeighbourFile) -> Bool { neighbour.status.isSameFile(as: status) }

  /// How far a mark is to be trusted that stands in another file.
  func trust(_ neighbour: NeighbourFile) -> Trust {
    let owner = neighbour.status.st_uid
    return owner == status.st_uid || owner == 0 || owner == geteuid() ? .beside : .foreign
  }

  /// Removes a file beside this one, unless another file has its name by now; then the directories
  /// on the way to it that are empty and have no other use.
  func remove(_ path: NeighbourPath) throws(Errno) -> FileReplacement.Removal {
    let removal = try withDirectory(path.components.dropLast()) {
      (directory) throws(Errno) -> FileReplacement.Removal? in
      guard let name = path.components.last.flatMap({ FilePath(bytes: $0) }) else { return nil }
      return try changing(directory) { () throws(Errno) in
        // A stream of NTFS is the file itself, and has no other name.
        try FileReplacement(of: name, in: directory)
          .remove(path.version, mayMove: !path.version.isOf(status))
      }
    }
    guard removal == .done else { return removal ?? .changed }
    // The list says nothing that the files do not.
    try? updateNetatalkIndex(of: path.components)
    guard let firstFolder = path.firstFolder else { return .done }
    for end in (firstFolder + 1..<path.components.count).reversed() {
      guard try removeFolder(path.components[..<end]) else { break }
    }
    return .done
  }

  private func changing<Result>(
    _ directory: CInt, _ body: () throws(Errno) -> Result
  ) throws(Errno) -> Result {
    guard let memory else { return try body() }
    return try memory.changing(directory, body)
  }

  /// - Returns: whether the directory was empty and is gone.
  private func removeFolder(_ components: ArraySlice<[UInt8]>) throws(Errno) -> Bool {
    let removed = try withDirectory(components.dropLast()) { (directory) throws(Errno) -> Bool? in
      guard let name = components.last.flatMap({ FilePath(bytes: $0) }) else { return false }
      return unsafe name.withCString { unsafe unlinkat(directory, $0, AT_REMOVEDIR) } == 0
    }
    return removed ?? false
  }

  /// Puts a file beside this one at once: others see what was there before, or all of it.
  ///
  /// It has the owner, the permissions and the attributes of the one that it replaces. A new one gets
  /// this file's permissions, and its owner where that can be.
  ///
  /// - Parameter former: what is replaced; `nil` if nothing is there.
  /// - Throws: EEXIST where something else is there by now.
  ///
  /// The corresponding C functions are those of `FileReplacement`.
  func write(
    _ bytes: [UInt8], to path: [[UInt8]], replacing former: NeighbourFile?
  ) throws(Errno) {
    let isDone = try withDirectory(path.dropLast()) { (directory) throws(Errno) -> Bool? in
      guard let last = path.last, let name = FilePath(bytes: last) else {
        throw .invalidArgument
      }
      let write = { [self] () throws(Errno) in
        try FileReplacement(of: name, in: directory).put(
          bytes, expecting: former.map { .version($0.version) } ?? .nothing
        ) { (file) throws(Errno) in
          if let former {
            try former.keepRights(on: file)
          } else {
            _ = fchown(file, status.st_uid, status.st_gid)
            fchmod(file, status.st_mode & 0o666)
          }
        }
      }
      // A new name changes what is known of the directory.
      if former == nil { try write() } else { try changing(directory, write) }
      return true
    }
    guard isDone != nil else { throw .noSuchFile }
  }
}

/// An open regular file that may hold marks of another.
final class NeighbourFile {
  fileprivate let status: stat
  private let descriptor: CInt
  /// The first bytes, once they have been read.
  private var head: [UInt8] = []

  /// Takes the descriptor over; `nil` if it is no regular file's.
  init?(_ descriptor: CInt) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.status = status
  }

  deinit { close(descriptor) }

  var length: Int { Int(status.st_size) }
  /// When the content was last changed, in seconds since 1970.
  var modified: Double { status.modified }
  var version: FileVersion { FileVersion(status) }

  /// Gives a file that replaces this one its owner, attributes and permissions: whoever could not read
  /// this one cannot read that either.
  fileprivate func keepRights(on file: CInt) throws(Errno) {
    try ReplacedFile.keepOwner(of: status, on: file)
    try ExtendedAttributes.keep(of: descriptor, on: file)
    guard fchmod(file, status.st_mode & 0o777) == 0 else { throw .current }
  }

  /// Attributes of the file itself that somebody has given it, in words; `nil` if it has none.
  ///
  /// Removing the file would lose them. Rights do not count, nor what the kernel or Samba puts on any
  /// file, and of marks only those that are to be kept.
  func ownContent(
    keeping keeps: (MarkKind) -> Bool = { _ in false }
  ) throws(Errno) -> String? {
    do throws(XattrError) {
      let reference = FileReference.descriptor(descriptor, path: FilePath(""))
      let names = try ExtendedAttributes(of: reference).names().filter { name in
        ForeignAttributeName(name)?.kind.map(keeps) != false
          && !Self.usualNames.contains { name.bytes.starts(with: $0.utf8) }
      }.sorted { $0.precedes($1) }
      if names.isEmpty { return nil }
      let words = names.map { EscapedText(word: Array($0.bytes)).description }
      return "attributes of its own: \(words.joined(separator: ", "))"
    } catch  where error.errno == .notSupported || error.errno == .invalidArgument {
      return nil
    } catch {
      throw error.errno
    }
  }

  private static let usualNames = [
    "security.", "system.", "btrfs.", "trusted.overlay.", "user.DOSATTRIB", "user.SAMBA_PAI",
  ]

  /// The first bytes, as many as an AppleDouble file may need to be understood.
  fileprivate func readHead() throws(Errno) -> [UInt8] {
    head = try bytes(0..<min(length, AppleDouble.headLimit))
    return head
  }

  /// The bytes of a range, fewer where the file ends before. Retries EINTR.
  ///
  /// The corresponding C function is pread(2).
  func bytes(_ range: Range<Int>) throws(Errno) -> [UInt8] {
    if range.upperBound <= head.count { return Array(head[range]) }
    var bytes: [UInt8] = []
    while bytes.count < range.count {
      var block = [UInt8](repeating: 0, count: min(1 << 16, range.count - bytes.count))
      let offset = off_t(range.lowerBound + bytes.count)
      let count = try Descriptor.retrying {
        unsafe block.withUnsafeMutableBytes {
          unsafe pread(descriptor, $0.baseAddress, $0.count, offset)
        }
      }
      if count == 0 { break }
      bytes += block.prefix(count)
    }
    return bytes
  }
}

extension stat {
  /// When the content was last changed, in seconds since 1970.
  var modified: Double { Double(st_mtim.tv_sec) + Double(st_mtim.tv_nsec) / 1e9 }
}

extension Trust {
  /// Why a foreign file is left as it is, in words.
  static let refusal = "the file belongs to another user"
}

extension FileReplacement.Removal {
  /// Why the file is not gone, in words.
  var obstacle: String? {
    switch self {
    case .done: nil
    case .changed: "another program changed the carrier in the meantime"
    case .kept(let name):
      "other programs changed the carrier in the meantime; one version is now named \(name)"
    }
  }
}

/// A file beside another, by the names that lead to it, as it was when it was read.
struct NeighbourPath: Sendable {
  let components: [[UInt8]]
  let version: FileVersion
  /// The index of the first of the directories that have no use once they are empty.
  let firstFolder: Int?
}

extension FilePlace {
  /// Finds out whether a file could be put beside this one, and changes nothing.
  ///
  /// - Throws: `Errno` as `write` does.
  func preflightWriting(
    _ bytes: [UInt8], to path: [[UInt8]], replacing former: NeighbourFile?
  ) throws(Errno) {
    let isDone = try withDirectory(path.dropLast()) { (directory) throws(Errno) -> Bool? in
      guard let last = path.last, let name = FilePath(bytes: last) else {
        throw .invalidArgument
      }
      try FileReplacement(of: name, in: directory).preflight(bytes)
      return true
    }
    guard isDone != nil else { throw .noSuchFile }
    if former != nil { try preflightRemoval(of: path) }
  }

  /// Finds out whether a file beside this one could be removed, or replaced, and changes nothing.
  ///
  /// rmdir(2) of a file that is no directory fails with ENOTDIR, but only after the kernel has made
  /// the checks of unlink(2) and rename(2): the rights to the directory, its sticky bit, flags of
  /// both, and the mount.
  ///
  /// - Throws: `Errno` as `remove` and `write` do.
  func preflightRemoval(of components: [[UInt8]]) throws(Errno) {
    let refusal = try withDirectory(components.dropLast()) { (directory) throws(Errno) -> Errno? in
      guard let name = components.last.flatMap({ FilePath(bytes: $0) }) else { return nil }
      let result = unsafe name.withCString { unsafe unlinkat(directory, $0, AT_REMOVEDIR) }
      let errno = Errno.current
      return result == 0 || errno == .notDirectory || errno == .noSuchFile ? nil : errno
    }
    if let refusal { throw refusal }
  }
}
