import CommandLineInterface
import Glibc
import Xattr

/// A program of ours that does what this executable must not link: XML, the network, images.
///
/// It is looked for beside this executable, then in `../libexec/docsource`, as git keeps its own.
struct CompanionProgram {
  /// It could not be run, or ended by a signal.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let name: String

  init(_ name: String) { self.name = name }

  /// Runs it and returns its standard output; its standard error is ours.
  ///
  /// - Parameter input: what it reads from standard input.
  /// - Returns: what it wrote, and nothing where it failed and has said so.
  func run(_ arguments: [[UInt8]], input: [UInt8]) throws(Failure) -> [UInt8] {
    let program = try path()
    // Two temporary files instead of two pipes: neither side can wait for the other.
    let descriptors = try (input: temporaryFile(), output: temporaryFile())
    defer {
      close(descriptors.input)
      close(descriptors.output)
    }
    try write(input, to: descriptors.input)
    let status = try spawn(program, arguments, descriptors.input, descriptors.output)
    guard status & 0x7f == 0 else {
      throw Failure(description: "\(name) was ended by signal \(status & 0x7f)")
    }
    let exitStatus = status >> 8 & 0xff
    guard exitStatus == 0 || exitStatus == ExitStatus.failed.rawValue else {
      throw Failure(description: "\(name) ended with status \(exitStatus)")
    }
    guard exitStatus == 0 else { return [] }
    return try read(descriptors.output)
  }

  /// The corresponding C function is readlink(2) of /proc/self/exe.
  private func path() throws(Failure) -> FilePath {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let length = unsafe buffer.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return -1 }
      return unsafe readlink(
        "/proc/self/exe", base.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    guard length > 0, let here = buffer[..<length].lastIndex(of: UInt8(ascii: "/")) else {
      throw Failure(description: "\(name) cannot be looked for: \(Errno.current)")
    }
    let directory = buffer[...here]
    for place in ["", "../libexec/docsource/"] {
      guard let path = FilePath(bytes: directory + Array((place + name).utf8)) else { continue }
      if unsafe path.withCString({ unsafe access($0, X_OK) }) == 0 { return path }
    }
    throw Failure(
      description: "\(name) is not installed beside docsource or in ../libexec/docsource")
  }

  private func temporaryFile() throws(Failure) -> CInt {
    var template = Array("/tmp/docsource-XXXXXX\0".utf8)
    let descriptor = unsafe template.withUnsafeMutableBytes { bytes in
      guard let path = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
        return CInt(-1)
      }
      let descriptor = unsafe mkstemp(path)
      if descriptor >= 0 {
        unsafe unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      }
      return descriptor
    }
    guard descriptor >= 0 else {
      throw Failure(description: "no temporary file in /tmp: \(Errno.current)")
    }
    return descriptor
  }

  private func write(_ bytes: [UInt8], to descriptor: CInt) throws(Failure) {
    do throws(Errno) {
      try Descriptor.write(bytes, to: descriptor)
      lseek(descriptor, 0, SEEK_SET)
    } catch {
      throw Failure(description: "\(name) cannot be given its input: \(error)")
    }
  }

  /// The corresponding C functions are posix_spawn(3) and waitpid(2).
  private func spawn(
    _ program: FilePath, _ arguments: [[UInt8]], _ input: CInt, _ output: CInt
  ) throws(Failure) -> CInt {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    let words = ([Array(name.utf8)] + arguments).map { $0.filter { $0 != 0 } + [0] }
    let argv =
      unsafe words.map { word in
        unsafe word.withUnsafeBytes { bytes in
          unsafe bytes.baseAddress.flatMap { unsafe strdup($0.assumingMemoryBound(to: CChar.self)) }
        }
      } + [nil]
    defer {
      for index in unsafe argv.indices { unsafe free(argv[index]) }
    }
    var identifier = pid_t()
    let result = unsafe program.withCString { program in
      unsafe posix_spawn(&identifier, program, &actions, nil, argv, environ)
    }
    guard result == 0 else {
      throw Failure(description: "\(name) cannot be started: \(Errno(rawValue: result))")
    }
    var status: CInt = 0
    while unsafe waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    return status
  }

  private func read(_ descriptor: CInt) throws(Failure) -> [UInt8] {
    lseek(descriptor, 0, SEEK_SET)
    do throws(Errno) {
      if let bytes = try Descriptor.read(descriptor, limit: InputFile.limit) { return bytes }
    } catch {
      throw Failure(description: "\(name)'s output cannot be read: \(error)")
    }
    throw Failure(description: "\(name)'s output is larger than \(InputFile.limit >> 20) MiB")
  }
}
