internal import CLinux
internal import Glibc
internal import LinuxSystem

/// The marks on the file systems or mounts that watched directories are in, and whose they are.
struct WatchMarks {
  /// What a mark is on.
  enum Key: Hashable {
    /// By the number of the device.
    case fileSystem(String)
    /// By the number of the mount.
    case mount(UInt64)
  }

  /// Why nothing is marked.
  enum Refusal: Error {
    /// It is in no mount of this process, or one that may not answer.
    case place
    case errno(Errno)
  }

  private let extent: FileEvents.Extent
  private var mounts: [UInt64: Mount] = [:]
  private var users: [Key: Set<UInt32>] = [:]

  init(_ extent: FileEvents.Extent) { self.extent = extent }

  /// Takes the present mounts, and forgets the marks on what is gone.
  mutating func update(_ all: [Mount]) {
    mounts = Dictionary(all.map { ($0.number, $0) }) { $1 }
    let keys = Set(all.map(key))
    users = users.filter { keys.contains($0.key) }
  }

  /// The users for whom something was marked that is marked no more, though as much is mounted as before:
  /// another file system has got the number of one that was unmounted.
  func users(thatMiss marked: Set<Key>) -> Set<UInt32> {
    users.reduce(into: []) { missing, entry in
      if !marked.contains(entry.key) { missing.formUnion(entry.value) }
    }
  }

  /// Marks what an open file is in for a user. The file may be any: who has opened it is not believed.
  ///
  /// - Returns: `nil` if it is on a file system without documents.
  mutating func add(
    _ file: CInt, for user: UInt32, _ events: FileEvents
  ) throws(Refusal) -> Key? {
    guard let mount = mount(of: file) else { throw .place }
    switch mount.keeper {
    case .another: throw .place
    case .kernelWithoutDocuments: return nil
    case .kernel: break
    }
    do throws(Errno) {
      try events.add(open: file, extent)
    } catch {
      throw .errno(error)
    }
    let key = key(mount)
    users[key, default: []].insert(user)
    return key
  }

  /// A user needs a mark no more.
  ///
  /// - Returns: whether nobody does.
  mutating func release(_ key: Key, by user: UInt32) -> Bool {
    users[key]?.remove(user)
    return users[key]?.isEmpty == true
  }

  /// Removes the mark on what an open file is in, unless somebody needs it.
  mutating func remove(_ file: CInt, _ events: FileEvents) {
    guard let mount = mount(of: file), users[key(mount)]?.isEmpty == true else { return }
    users[key(mount)] = nil
    events.remove(open: file, extent)
  }

  private func key(_ mount: Mount) -> Key {
    extent == .mount ? .mount(mount.number) : .fileSystem(mount.device)
  }

  /// Asks no server.
  private mutating func mount(of file: CInt) -> Mount? {
    var status = clinux_status()
    guard unsafe clinux_file_glance(file, &status) == 0 else { return nil }
    if mounts[status.mount] == nil { update(Mount.all()) }
    return mounts[status.mount]
  }
}
