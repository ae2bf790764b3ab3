internal import Glibc
internal import LinuxSystem
internal import Xattr

/// What all workers of a walk go by.
struct WalkPlan: Sendable {
  let options: WalkOptions
  /// The root's file system.
  let device: UInt64
  /// How many directories a worker keeps open besides the first of its share.
  let openDirectories: Int

  init(_ options: WalkOptions, device: UInt64, workers: Int) {
    self.options = options
    self.device = device
    openDirectories = Self.openDirectories(workers: workers)
  }

  /// Half of what the process may open goes to the walk. A worker needs two more: the first of its
  /// share, and one that is just being opened.
  private static func openDirectories(workers: Int) -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return most
    }
    let half = Int(min(limit.rlim_cur, 1 << 20)) / 2
    return max(least, min(most, half / max(1, workers) - 2))
  }

  /// Deeper trees than this are rare; reopening a directory costs about as much as opening it.
  private static let most = 16
  /// A directory and the one that is opened relative to it.
  private static let least = 2

  /// Whether what is in a directory is part of the walk.
  func walks(_ identity: FileIdentity) -> Bool {
    options.mounts == .walked || identity.device == device
  }
}
