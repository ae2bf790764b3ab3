internal import CLinux
internal import Glibc
internal import LinuxSystem

/// The file systems of which a journal reports which of their files are run as programs.
///
/// Nobody is asked but the kernel: a file system of FUSE, or on a server, may never answer, and says of
/// its files what its owner wants.
final class ReportedPrograms {
  enum Standing {
    /// All programs of the file system that were run have been reported.
    case reported
    /// They are from now on. What a process did before it was seen running one does not count.
    case new
    /// They are not, and nothing is to be asked of the file.
    case foreign
  }

  private struct Local: Hashable {
    let number: UInt64
    let device: String
  }

  private struct Subvolume: Equatable {
    let mount: UInt64
    let device: FileDevice
  }

  private static let subvolumeLimit = 64

  private let journal: WriteJournal
  private let systems: JournaledSystems
  /// Has something urgent when mounts have changed.
  private let list: CInt
  private var mounts: Set<Local> = []
  private var devices: Set<FileDevice> = []
  /// Each subvolume of btrfs has a device of its own, which no mount has.
  private var subvolumes: [Subvolume] = []

  init(_ journal: WriteJournal, _ systems: JournaledSystems) {
    self.journal = journal
    self.systems = systems
    list = unsafe Mount.list.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC) }
  }

  deinit { if list >= 0 { close(list) } }

  /// Includes all that are mounted and kept by the kernel.
  func includeMounted() {
    let all = Mount.all().filter { if case .another = $0.keeper { false } else { true } }
    let mounts = Set(all.map { Local(number: $0.number, device: $0.device) })
    guard mounts != self.mounts else { return }
    // A device's number may be that of another file system by now.
    (self.mounts, devices, subvolumes) = (mounts, [], [])
    systems.mountsChanged()
    for mount in all {
      let place = unsafe mount.point.withCString { unsafe clinux_file_touch(AT_FDCWD, $0, 1) }
      guard place >= 0 else { continue }
      defer { close(place) }
      var status = clinux_status()
      // What is mounted over another mount hides that.
      guard unsafe clinux_file_glance(place, &status) == 0, status.mount == mount.number else {
        continue
      }
      if (try? journal.addPrograms(open: place)) != nil {
        devices.insert(FileDevice(status))
        systems.include(place)
      }
    }
  }

  /// Whether each of some open files is a regular one, or a directory, on a file system that answers at any time.
  func mayOpen(_ files: [CInt]) -> [Bool] {
    includeChanges()
    return files.map { file in
      var status = clinux_status()
      guard unsafe clinux_file_glance(file, &status) == 0,
        [S_IFREG, S_IFDIR].contains(status.mode & S_IFMT)
      else { return false }
      return standing(of: file, status) != .foreign
    }
  }

  /// Includes the file system of an open file.
  func standing(of file: CInt) -> Standing {
    includeChanges()
    var status = clinux_status()
    guard unsafe clinux_file_glance(file, &status) == 0 else { return .foreign }
    return standing(of: file, status)
  }

  /// Includes what has been mounted until now. Open files keep their mounts, so that others get the numbers of
  /// these only later.
  private func includeChanges() {
    var changes = pollfd(fd: list, events: Int16(POLLPRI), revents: 0)
    if unsafe poll(&changes, 1, 0) > 0 { includeMounted() }
  }

  private func standing(of file: CInt, _ status: clinux_status) -> Standing {
    let device = FileDevice(status)
    let subvolume = Subvolume(mount: status.mount, device: device)
    guard !devices.contains(device), !subvolumes.contains(subvolume) else { return .reported }
    // The mounts of other namespaces have other numbers.
    guard mounts.contains(where: { $0.number == status.mount || $0.device == device.text }),
      (try? journal.addPrograms(open: file)) != nil
    else { return .foreign }
    systems.include(file)
    if subvolumes.count == Self.subvolumeLimit { subvolumes.removeFirst() }
    subvolumes.append(subvolume)
    return .new
  }
}
