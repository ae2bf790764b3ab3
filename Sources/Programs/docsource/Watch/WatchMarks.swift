import Attribution
import Glibc
import LinuxSystem

/// The file systems or mounts that watched directories are in, marked to be told of.
struct WatchMarks {
  /// The types of file systems that have no documents: what is in them are devices, which it would
  /// do something to open, and what the kernel tells.
  private static let passedOver: Set<String> = [
    "autofs", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "debugfs", "devpts",
    "devtmpfs", "efivarfs", "fusectl", "hugetlbfs", "mqueue", "nsfs", "proc", "pstore",
    "rpc_pipefs", "securityfs", "selinuxfs", "sysfs", "tracefs",
  ]

  private let extent: FileEvents.Extent
  private var marked: Set<[UInt8]> = []

  init(_ extent: FileEvents.Extent) { self.extent = extent }

  /// Marks what the directories are in and what is mounted below them, and takes other marks away.
  ///
  /// - Returns: what cannot be marked, with the reason.
  mutating func update(
    _ directories: [WatchedDirectory], _ events: FileEvents
  ) -> [(path: FilePath, errno: Errno)] {
    var wanted = Set(directories.map(\.path))
    for mount in Mount.all() where !Self.passedOver.contains(mount.type) {
      let point = Array(mount.point.bytes)
      if directories.contains(where: { $0.rest(of: point) != nil }) { wanted.insert(point) }
    }
    for path in marked.subtracting(wanted) {
      // What is not mounted any more has no mark either.
      _ = try? events.remove(WatchedDirectory.filePath(path), extent)
    }
    marked = []
    var failed: [(path: FilePath, errno: Errno)] = []
    // Also those that are marked: the one that was taken away may have been of their file system.
    for path in wanted.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      do throws(Errno) {
        try events.add(WatchedDirectory.filePath(path), extent)
        marked.insert(path)
      } catch {
        failed.append((WatchedDirectory.filePath(path), error))
      }
    }
    return failed
  }
}
