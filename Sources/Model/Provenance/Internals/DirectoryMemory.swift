internal import FileTree
internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// What is known of the directories whose files are looked at one after the other, so that each
/// directory is asked once.
///
/// A directory's names are read when that costs less than to look for each carrier of its files by name:
/// not for one file of a large directory. They count until the directory changes, by its times.
/// Whether an archive's folder is in a directory above is asked once for each directory.
final class DirectoryMemory: Sendable {
  private struct State {
    /// Not a dictionary: to make its type when the program runs takes longer than to look at a file. The last
    /// ones are asked for most.
    var directories: [Directory] = []
    /// Where the path of the file before led to.
    var last: (path: FilePath, place: DirectoryHandle)?
    var isFirst = true
    /// The bytes of listings that the files to be asked for are worth.
    var budget = 0
    var names: DescriptorNames?
    /// The directory that was held open last; as long as it is, no other one gets its identity.
    var held: (identity: FileIdentity, handle: DirectoryHandle)?
    /// A directory that has no carrier, and when that was found, in milliseconds.
    var bare: (path: PathBytes, names: CarrierNames, time: Int)?

    func position(of directory: FileIdentity) -> Int? {
      directories.lastIndex { $0.surroundings.identity == directory }
    }

    /// - Returns: the position of a directory of which nothing is known yet.
    mutating func add(_ directory: FileIdentity, _ version: FileVersion) -> Int {
      if directories.count >= DirectoryMemory.limit { directories = [] }
      directories.append(
        Directory(surroundings: Surroundings(identity: directory, version: version)))
      return directories.count - 1
    }
  }

  /// What is known of one directory.
  private struct Directory {
    var surroundings: Surroundings
    /// The bytes of a listing that the files asked for are worth.
    var credit = 0
    /// Whether a thread makes a change of which it has said that the directory stays known.
    var isChanging = false

    /// What is known, for one more file of the directory, which is open.
    mutating func surroundings(
      of directory: CInt, _ status: stat, _ version: FileVersion, _ budget: inout Int
    ) -> Surroundings {
      // As if it had been asked before the change.
      if isChanging { return surroundings }
      if surroundings.version != version {
        surroundings = Surroundings(identity: surroundings.identity, version: version)
      }
      credit += DirectoryMemory.worth
      // The first file alone is no reason, however small the directory is; that many will come is.
      let size = Int(status.st_size)
      let isWorth = credit > DirectoryMemory.worth && credit >= size
      if surroundings.names == nil, isWorth || size <= budget {
        surroundings.names = CarrierNames(of: directory)
        credit = 0
        if !isWorth { budget -= size }
      }
      return surroundings
    }
  }

  /// A walk needs those of its threads, and of the way down to each.
  private static let limit = 256
  /// About how many bytes of a directory are read in the time that looking for the carriers of one file
  /// by name takes.
  private static let worth = 4096

  /// For so long, in milliseconds, a directory that has no carrier is not asked again for a file that is
  /// only read.
  private static let age = 50

  private let state = Mutex(State())
  private let changes = Mutex(())

  /// - Parameter files: how many files are asked about, at most.
  init(files: Int = 1) { expect(files) }

  /// Says that so many files are asked about, at most.
  func expect(_ files: Int) {
    // One alone is no reason.
    guard files > 1 else { return }
    let (worth, isOver) = files.multipliedReportingOverflow(by: Self.worth)
    state.withLock { $0.budget = isOver ? .max : worth }
  }

  /// How the files are reached that are held one after the other; `nil` for the first, which alone is no
  /// reason to open /proc/self/fd.
  var descriptorNames: DescriptorNames? {
    state.withLock { state in
      if state.isFirst {
        state.isFirst = false
      } else if state.names == nil {
        state.names = DescriptorNames()
      }
      return state.names
    }
  }

  /// The directory that a path leads to, which `open` gives unless the path is that of the file before.
  func place(at path: FilePath, or open: () throws(Errno) -> DirectoryHandle) throws(Errno)
    -> DirectoryHandle
  {
    if let known = state.withLock({ $0.last?.path == path ? $0.last?.place : nil }) { return known }
    let place = try open()
    state.withLock { $0.last = (path, place) }
    return place
  }

  /// Holds a directory open for one of its files; the files that come one after the other share it.
  ///
  /// The corresponding C function is fcntl(2).
  ///
  /// - Parameter directory: an open one, of which `known` is known.
  func hold(_ directory: CInt, _ known: Surroundings) throws(Errno) -> DirectoryHandle {
    try state.withLock { state throws(Errno) in
      if let held = state.held, held.identity == known.identity { return held.handle }
      let handle = try DirectoryHandle(Descriptor.copy(directory))
      state.held = (known.identity, handle)
      return handle
    }
  }

  /// What is known of a directory, beside one of whose files something is looked for now; `nil` if the
  /// directory cannot be asked.
  func surroundings(in directory: CInt) -> Surroundings? {
    guard let asked = Self.status(directory) else { return nil }
    let identity = FileIdentity(asked)
    return state.withLock { state in
      let position = state.position(of: identity) ?? state.add(identity, FileVersion(asked))
      // What was asked before may be older than the change of another thread, which has been noted.
      let isCurrent = state.directories[position].surroundings.version == FileVersion(asked)
      guard let status = isCurrent ? asked : Self.status(directory) else { return nil }
      return state.directories[position].surroundings(
        of: directory, status, FileVersion(status), &state.budget)
    }
  }

  /// Whether a file that is no link is known to have nothing beside it, in the directory of the file before.
  ///
  /// A mark that came in the last `age` milliseconds may be missed, so that this is no answer for whoever
  /// changes files.
  ///
  /// The corresponding C functions are fstat(2) and fstatat(2).
  func isAlone(_ path: FilePath) -> Bool {
    let last = path.lastComponent
    let directory = PathBytes(path.bytes[..<last.startIndex])
    let now = Clock.milliseconds
    let isInBare = state.withLock { state in
      guard let bare = state.bare, now - bare.time < Self.age,
        bare.path == directory
      else { return false }
      return bare.names.isFile(last)
    }
    if isInBare { return true }
    let place = state.withLock { state in
      state.last.flatMap { PathBytes($0.path.bytes) == directory ? $0.place : nil }
    }
    guard let place, let names = bare(place.descriptor, \.names) ?? nil else { return false }
    state.withLock { $0.bare = (directory, names, now) }
    var file = stat()
    let result = unsafe path.withCString { unsafe lstat($0, &file) }
    return result == 0 && file.st_mode & S_IFMT == S_IFREG
  }

  /// Which directory it is of which is known that nothing beside its files may be a carrier now; `nil` of
  /// others.
  func bareDirectory(_ directory: CInt) -> FileIdentity? { bare(directory) { $0.identity } }

  /// What is known of a directory of which that is known.
  ///
  /// The corresponding C function is fstat(2).
  func bare<Part>(_ directory: CInt, _ part: (Surroundings) -> Part) -> Part? {
    guard let status = Self.status(directory) else { return nil }
    return state.withLock { state in
      guard let position = state.position(of: FileIdentity(status)),
        state.directories[position].surroundings.version == FileVersion(status),
        state.directories[position].surroundings.haveNoCarrier
      else { return nil }
      return part(state.directories[position].surroundings)
    }
  }

  /// Keeps what was found out about a directory, unless that has changed since.
  func keep(_ found: Surroundings) {
    state.withLock { state in
      guard let position = state.position(of: found.identity),
        state.directories[position].surroundings.version == found.version
      else { return }
      state.directories[position].surroundings.path = found.path
      state.directories[position].surroundings.folders = found.folders
      state.directories[position].surroundings.hasArchiveAbove = found.hasArchiveAbove
    }
  }

  /// Makes a change to a directory, after which it has no other names than before: the change leaves it
  /// known. One thread at a time does, since a change by another one would look like that of another
  /// program; others may ask meanwhile.
  func changing<Result>(
    _ directory: CInt, _ body: () throws(Errno) -> Result
  ) throws(Errno) -> Result {
    var outcome: Swift.Result<Result, Errno>?
    changes.withLock { _ in
      let changed = Self.status(directory).flatMap { begin($0) }
      outcome = Swift.Result { () throws(Errno) in try body() }
      if let changed { end(changed, Self.status(directory)) }
    }
    guard let outcome else { preconditionFailure("the change was made") }
    return try outcome.get()
  }

  /// - Returns: the directory, if it is known as it is.
  private func begin(_ status: stat) -> FileIdentity? {
    let identity = FileIdentity(status)
    return state.withLock { state in
      guard let position = state.position(of: identity),
        state.directories[position].surroundings.version == FileVersion(status)
      else { return nil }
      state.directories[position].isChanging = true
      return identity
    }
  }

  private func end(_ changed: FileIdentity, _ status: stat?) {
    state.withLock { state in
      // It may have been forgotten meanwhile, and asked again.
      guard let position = state.position(of: changed), state.directories[position].isChanging
      else { return }
      state.directories[position].isChanging = false
      guard let status else { return }
      state.directories[position].surroundings.version = FileVersion(status)
    }
  }

  private static func status(_ directory: CInt) -> stat? {
    var status = stat()
    return unsafe fstat(directory, &status) == 0 ? status : nil
  }
}

/// What is known of what stands beside the files of a directory.
struct Surroundings: Sendable {
  fileprivate let identity: FileIdentity
  fileprivate(set) var version: FileVersion
  /// `nil` if they are not known.
  fileprivate(set) var names: CarrierNames?
  /// The absolute path of the directory, without links.
  var path: FilePath?
  /// The components of that path.
  var folders: [[UInt8]]?
  /// Whether a directory above has the folder of an archive.
  var hasArchiveAbove: Bool?

  /// Whether it is known that nothing in the directory, nor in an archive's folder above, may be a carrier,
  /// as far as carriers have names of their own.
  var haveNoCarrier: Bool { hasArchiveAbove == false && names?.isEmpty == true }

  fileprivate init(identity: FileIdentity, version: FileVersion) {
    self.identity = identity
    self.version = version
  }
}

extension FileIdentity {
  fileprivate init(_ status: stat) {
    self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}
