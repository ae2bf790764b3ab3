internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// The inodes of the regular files and directories in a directory, by their names: to read the directory
/// takes less time than to ask for each name.
///
/// They are what the directory says: for a mount point, the inode under the mount.
struct InodeTable: Sendable {
  private let device: UInt64
  private var names: [UInt8] = []
  /// Where each name begins, and the end of the last one.
  private var starts: [Int] = [0]
  private var inodes: [UInt64] = []
  /// The numbers of the entries, counted from 1, at or after the places of their hashes; 0 where there is none.
  private var slots: [UInt32]

  /// Reads a directory.
  ///
  /// - Parameter limit: how many entries it may have.
  /// - Returns: `nil` if it has more, or cannot be read.
  fileprivate init?(of directory: DirectoryHandle, _ identity: FileIdentity, limit: Int) {
    device = identity.device
    slots = []
    do throws(Errno) {
      let open = try DirectoryHandle(directory.descriptor, FilePath("."), flags: 0)
      var listing = Listing(buffer: nil)
      var count = 0
      while let record = try listing.nextRecord(open.descriptor) {
        count += 1
        guard count <= limit else { return nil }
        guard record.type == CInt(DT_REG) || record.type == CInt(DT_DIR) else { continue }
        names.append(contentsOf: listing.nameBytes(of: record))
        starts.append(names.count)
        inodes.append(listing.inode(of: record))
      }
    } catch {
      return nil
    }
    // At most half of the slots are taken, so that the next free one is near.
    var size = 2
    while size < 2 * inodes.count + 1 { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
    for entry in inodes.indices { insert(entry) }
  }

  private mutating func insert(_ entry: Int) {
    var slot = unsafe names.withUnsafeBytes { names in
      unsafe Self.hash(UnsafeRawBufferPointer(rebasing: names[starts[entry]..<starts[entry + 1]]))
    }
    slot &= slots.count - 1
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = UInt32(entry + 1)
  }

  /// The file that a name leads to.
  func identity(of name: UnsafeRawBufferPointer) -> FileIdentity? {
    unsafe names.withUnsafeBytes { names in
      var slot = unsafe Self.hash(name) & (slots.count - 1)
      while slots[slot] != 0 {
        let entry = Int(slots[slot]) - 1
        let other = unsafe UnsafeRawBufferPointer(
          rebasing: names[starts[entry]..<starts[entry + 1]])
        if unsafe name.hasSameBytes(as: other) {
          return FileIdentity(device: device, inode: inodes[entry])
        }
        slot = (slot + 1) & (slots.count - 1)
      }
      return nil
    }
  }

  /// Its seed is a secret, so that nobody can choose names of one hash.
  private static func hash(_ name: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    unsafe hasher.combine(bytes: name)
    return hasher.finalize()
  }
}

/// The tables of the directories in which several threads look up files.
final class SharedInodes: Sendable {
  private struct Known {
    let directory: FileIdentity
    /// `nil` while a thread reads the directory, if it has more entries than `limit`, or cannot be read.
    var table: InodeTable?
    var limit: Int
  }

  /// Several threads that follow a list of files are in few directories at a time.
  private static let limit = 4
  /// The most entries of a directory that is read.
  private static let entryLimit = 1 << 15

  private let tables = Mutex<[Known]>([])

  /// - Parameter limit: how many entries of the directory may be read.
  /// - Returns: `nil` if it has more, or another thread reads it.
  func table(of directory: DirectoryHandle, limit: Int) -> InodeTable? {
    guard let identity = try? directory.identity() else { return nil }
    let limit = min(limit, Self.entryLimit)
    let (known, reads) = tables.withLock { tables -> (InodeTable?, Bool) in
      if let position = tables.lastIndex(where: { $0.directory == identity }) {
        // To read a large directory in vain costs less if that is not done often.
        guard tables[position].table == nil, limit >= tables[position].limit * 4 else {
          return (tables[position].table, false)
        }
        tables[position].limit = limit
      } else {
        guard limit > 0 else { return (nil, false) }
        if tables.count == Self.limit { tables.removeFirst() }
        tables.append(Known(directory: identity, limit: limit))
      }
      return (nil, true)
    }
    // The others need not wait.
    guard reads, let table = InodeTable(of: directory, identity, limit: limit) else {
      return known
    }
    tables.withLock { tables in
      guard let position = tables.lastIndex(where: { $0.directory == identity }) else { return }
      tables[position].table = table
    }
    return table
  }
}
