import Glibc
import LinuxSystem

/// A program of ours that does what this executable must not link: XML, archives, the network, images.
///
/// It is looked for beside this executable, then in `../libexec/docsource`, as git keeps its own.
struct CompanionProgram {
  private let name: String

  init(_ name: String) { self.name = name }

  /// Starts it; its standard error is ours unless that is kept.
  func start(
    _ arguments: [[UInt8]], input: [UInt8] = [], errors: ChildProcess.Destination = .ours
  ) throws(ChildProcess.Failure) -> ChildProcess {
    try ChildProcess(try path(), name: name, arguments, input: input, errors: errors)
  }

  /// Starts it with an open file as its standard input.
  func start(
    _ arguments: [[UInt8]], reading input: CInt
  ) throws(ChildProcess.Failure) -> ChildProcess {
    try ChildProcess(try path(), name: name, arguments, reading: input)
  }

  /// The corresponding C function is readlink(2) of /proc/self/exe.
  private func path() throws(ChildProcess.Failure) -> FilePath {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let length = unsafe buffer.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return -1 }
      return unsafe readlink(
        "/proc/self/exe", base.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    guard length > 0, let here = buffer[..<length].lastIndex(of: UInt8(ascii: "/")) else {
      throw ChildProcess.Failure(description: "\(name) cannot be looked for: \(Errno.current)")
    }
    let directory = buffer[...here]
    for place in ["", "../libexec/docsource/"] {
      guard let path = FilePath(bytes: directory + Array((place + name).utf8)) else { continue }
      if unsafe path.withCString({ unsafe access($0, X_OK) }) == 0 { return path }
    }
    throw ChildProcess.Failure(
      description: "\(name) is not installed beside docsource or in ../libexec/docsource")
  }
}
