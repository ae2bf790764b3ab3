import Applications
import CommandLineInterface
import Glibc
import LinuxSystem
import TextFormats

/// Where the service tells of itself: that it runs, and what it has counted.
struct WatchStatusFile {
  /// Made by systemd for the service; see `RuntimeDirectory` in systemd.exec(5).
  private static let path = FilePath("/run/docsource/watch.json")
  private static let limit = 1 << 16

  private let file = ReplacedFile(path: path)

  /// - Returns: `nil` where no directory was made for this process: it is not the service, which
  ///   may run beside it.
  init?() {
    guard let made = unsafe getenv("RUNTIME_DIRECTORY"),
      unsafe FilePath(cString: made).appending(FilePath("watch.json")) == Self.path
    else { return nil }
  }

  func write(_ tally: WatchTally, users: Int) {
    let members = [("process", "\(getpid())"), ("users", "\(users)")] + tally.members
    // Without it the service runs as well.
    try? file.replace(with: Array((JSONText.object(members) + "\n").utf8))
  }

  func remove() { _ = unsafe file.path.withCString { unsafe unlink($0) } }

  /// What a running service has said; `nil` where none runs.
  static func read() -> String? {
    guard let content = InstalledFile(path: path).content(limit: limit),
      let text = String(validating: content, as: UTF8.self),
      let process = text.split(separator: ",").first?.split(separator: ":").last
        .flatMap({ Int32($0) }),
      kill(process, 0) == 0 || errno == EPERM
    else { return nil }
    return String(text.prefix { $0 != "\n" })
  }
}
