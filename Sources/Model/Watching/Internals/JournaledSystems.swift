internal import Glibc
internal import LinuxSystem

/// The file systems of files, each asked for once.
final class JournaledSystems {
  private static let limit = 1024

  private var systems: [UInt64: JournaledSystem] = [:]

  /// The file system of an open file.
  func system(of file: CInt, _ version: ContentVersion) -> JournaledSystem? {
    if let system = systems[version.device] { return system }
    if systems.count >= Self.limit { systems = [:] }
    guard let system = JournaledSystem(of: file) else { return nil }
    systems[version.device] = system
    return system
  }

  /// The key of an open file; `nil` if its file system gives none.
  func key(of file: CInt, _ version: ContentVersion) -> FileKey? {
    system(of: file, version).flatMap { FileKey(open: file, on: $0) }
  }
}
