import FileTree
import Glibc
import LinuxSystem

/// A program of others that is used where it is installed, found in `PATH`.
struct InstalledProgram {
  private let name: String
  private let path: FilePath

  /// - Returns: `nil` where it is not installed. Directories that are not absolute do not count.
  init?(_ name: String) {
    guard let value = unsafe getenv("PATH") else { return nil }
    let directories = unsafe FilePath(cString: value).bytes.split(separator: UInt8(ascii: ":"))
    for directory in directories where directory.first == UInt8(ascii: "/") {
      guard let path = FilePath(bytes: directory)?.appending(FilePath(name)) else { continue }
      if unsafe path.withCString({ unsafe access($0, X_OK) }) == 0,
        TreeEntry.Kind(of: path, links: .follow) == .file
      {
        self.name = name
        self.path = path
        return
      }
    }
    return nil
  }

  /// Starts it; its standard error is ours.
  func start(
    _ arguments: [[UInt8]], input: [UInt8] = [], output: ChildProcess.Destination = .kept
  ) throws(ChildProcess.Failure) -> ChildProcess {
    try ChildProcess(path, name: name, arguments, input: input, output: output)
  }
}
