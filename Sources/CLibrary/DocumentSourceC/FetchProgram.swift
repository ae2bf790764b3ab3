internal import CDocumentSource
internal import Glibc
internal import LinuxSystem

/// The program that reaches the network, of which nothing is linked into the library.
enum FetchProgram {
  private static let name = "docsource-fetch"
  /// Beside the library as it is built, for `lib`, and for Debian's `lib/x86_64-linux-gnu`.
  private static let places = ["", "../libexec/docsource/", "../../libexec/docsource/"]

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - output: a file for what it writes to standard output.
  ///   - errors: one for its words.
  /// - Returns: a descriptor of the process, to be closed.
  static func start(
    _ arguments: [String], output: CInt, errors: CInt
  ) throws(Failure) -> CInt {
    let words = ([name] + arguments).map { Array($0.utf8) }
    let program = Program(try path(), words, .detached)
    do throws(Errno) {
      let nothing = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard nothing >= 0 else { throw .current }
      defer { close(nothing) }
      return try program.startWithDescriptor(
        input: .descriptor(nothing), output: .descriptor(output), errors: .descriptor(errors))
    } catch {
      throw Failure(DOCSOURCE_SYSTEM_ERROR, "\(name) cannot be started: \(error)", errno: error)
    }
  }

  private static func path() throws(Failure) -> FilePath {
    let library: FilePath
    do throws(Errno) {
      library = try Program.ownFile()
    } catch {
      throw Failure(DOCSOURCE_SYSTEM_ERROR, "the library's file cannot be told", errno: error)
    }
    guard let path = Program.companion(name, of: library, in: places) else {
      throw Failure(
        DOCSOURCE_NOT_INSTALLED,
        "\(name) is neither beside the library nor in libexec/docsource beside its directory")
    }
    return path
  }
}
