internal import CLinux
internal import Glibc

/// The file systems of files, each asked for once.
final class JournaledSystems {
  private static let limit = 1024

  private var systems: [FileDevice: clinux_system] = [:]

  /// The file system of an open file, one of O_PATH included, by its device.
  func system(of file: CInt, _ device: FileDevice) -> clinux_system? {
    if let system = systems[device] { return system }
    if systems.count >= Self.limit { systems = [:] }
    var system = clinux_system()
    guard unsafe clinux_system_of(file, &system) == 0 else { return nil }
    systems[device] = system
    return system
  }
}
