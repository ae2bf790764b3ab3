internal import CDocumentSource
internal import CLinux
internal import Glibc
internal import LinuxSystem

/// The program that reaches the network, of which nothing is linked into the library.
enum FetchProgram {
  private static let name = "docsource-fetch"
  /// Beside the library as it is built, for `lib`, and for Debian's `lib/x86_64-linux-gnu`.
  private static let places = ["", "../libexec/docsource/", "../../libexec/docsource/"]

  /// Starts it.
  ///
  /// - Parameters:
  ///   - output: a file for what it writes to standard output.
  ///   - errors: one for its words.
  /// - Returns: a descriptor of the process, to be closed.
  static func start(
    _ arguments: [String], output: CInt, errors: CInt
  ) throws(Failure) -> CInt {
    let program = try path()
    let words = [name] + arguments
    let text = words.flatMap { $0.utf8 + [0] }
    var starts = [0]
    for word in words.dropLast() { starts.append((starts.last ?? 0) + word.utf8.count + 1) }
    let process = unsafe program.withCString { program in
      unsafe text.withUnsafeBytes { text in
        let base = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self)
        let argv = unsafe starts.map { start in unsafe base.map { unsafe $0 + start } } + [nil]
        return unsafe argv.withUnsafeBufferPointer { argv in
          unsafe argv.baseAddress.map { unsafe clinux_program_start(program, $0, output, errors) }
        }
      }
    }
    guard let process, process >= 0 else {
      let errno = Errno(rawValue: -(process ?? -EINVAL))
      throw Failure(DOCSOURCE_SYSTEM_ERROR, "\(name) cannot be started: \(errno)", errno: errno)
    }
    return process
  }

  private static func path() throws(Failure) -> FilePath {
    var buffer = [CChar](repeating: 0, count: clinux_path_max)
    let result = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe clinux_own_file($0) }
    }
    guard result == 0 else {
      let errno = Errno(rawValue: -(result ?? -EINVAL))
      throw Failure(DOCSOURCE_SYSTEM_ERROR, "the library's file cannot be told", errno: errno)
    }
    let file = unsafe buffer.withUnsafeBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe FilePath(cString: $0) }
    }
    let directory = file.map { $0.bytes.dropLast($0.lastComponent.count) } ?? []
    for place in places {
      guard let path = FilePath(bytes: directory + Array((place + name).utf8)) else { continue }
      if unsafe path.withCString({ unsafe access($0, X_OK) }) == 0 { return path }
    }
    throw Failure(
      DOCSOURCE_NOT_INSTALLED,
      "\(name) is neither beside the library nor in libexec/docsource beside its directory")
  }
}
