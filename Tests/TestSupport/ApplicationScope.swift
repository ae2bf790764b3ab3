import Foundation
import Glibc

/// A control group of a test's own that looks like a unit of systemd's for an application.
package final class ApplicationScope {
  private static let root: String? = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"].first {
    FileManager.default.fileExists(atPath: "\($0)/cgroup.procs")
      && FileManager.default.isWritableFile(atPath: "\($0)/cgroup.procs")
  }

  /// Whether control groups of version 2 can be made here: only root may, and not in all containers.
  package static let mayMake: Bool = {
    guard let root else { return false }
    let trial = "\(root)/docsource-trial-\(getpid())"
    return mkdir(trial, 0o755) == 0 && rmdir(trial) == 0
  }()

  /// The directory of the group.
  package let path: String
  private let parent: String

  package init(_ name: String) throws {
    parent = "\(Self.root ?? "")/docsource-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    path = "\(parent)/\(name)"
    for directory in [parent, path] where mkdir(directory, 0o755) != 0 {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
  }

  /// Puts a process into it.
  package func add(_ process: pid_t) throws {
    try Data("\(process)".utf8).write(to: URL(filePath: "\(path)/cgroup.procs"))
  }

  /// Groups go when their processes have ended, which a test waits for.
  deinit {
    for _ in 0..<100 {
      if rmdir(path) == 0 || errno == ENOENT { break }
      usleep(10_000)
    }
    rmdir(parent)
  }
}
