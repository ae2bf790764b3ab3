import FileTree
import Glibc
import LinuxSystem

/// What the command line asks for.
struct Options {
  var root = FilePath(".")
  var walk = WalkOptions()
  var workers = 2
  /// Whether the walk without blocks is to be used.
  var isSequential = false
  /// Whether each entry's path is written.
  var lists = false
  /// Whether descriptors are counted at each entry.
  var countsDescriptors = false
  /// After how many entries the walk is to be cancelled.
  var limit: Int?

  init?(_ arguments: [String]) {
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      switch argument {
      case "--sequential": isSequential = true
      case "--list": lists = true
      case "--descriptors": countsDescriptors = true
      case "--no-hidden": walk.hidden = .leftOut
      case "--no-version-control": walk.versionControl = .leftOut
      case "--no-objects": walk.versionControl = .walkedWithoutObjects
      case "--gitignore": walk.ignoreFiles = .heeded
      case "--exclude":
        guard let pattern = rest.popFirst(), let made = try? IgnorePattern(Array(pattern.utf8))
        else { return nil }
        walk.excluded.append(made)
      case "--one-file-system": walk.mounts = .leftOut
      case "--workers":
        guard let number = rest.popFirst().flatMap({ Int($0) }) else { return nil }
        workers = number
      case "--max-depth":
        guard let number = rest.popFirst().flatMap({ Int($0) }) else { return nil }
        walk.maximumDepth = number
      case "--limit":
        guard let number = rest.popFirst().flatMap({ Int($0) }) else { return nil }
        limit = number
        walk.cancellation = WalkCancellation()
      default:
        guard rest.isEmpty else { return nil }
        root = FilePath(argument)
      }
    }
  }
}
