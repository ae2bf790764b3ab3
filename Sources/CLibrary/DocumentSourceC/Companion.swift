internal import AppIcon
internal import CDocumentSource
internal import CLinux
internal import Glibc
internal import LinuxSystem

/// A program beside the library, which does what nothing is linked into the library for.
enum Companion: String {
  /// The one that reaches the network.
  case fetch = "docsource-fetch"
  /// The one that reads XML.
  case xml = "docsource-xml"

  /// Beside the library as it is built, for `lib`, and for Debian's `lib/x86_64-linux-gnu`.
  private static let places = ["", "../libexec/docsource/", "../../libexec/docsource/"]

  private var variables: [String] { self == .fetch ? FetchEnvironment.variables : [] }

  /// Starts the program.
  ///
  /// - Returns: a descriptor of its process, to be closed.
  func start(
    _ arguments: [String], input: Program.Stream = .null, output: Program.Stream,
    errors: Program.Stream = .null
  ) throws(Failure) -> ProcessDescriptor {
    let words = ([rawValue] + arguments).map { Array($0.utf8) }
    let program = Program(try path(), words, .detached, variables: variables)
    do throws(Errno) {
      return try program.startWithDescriptor(input: input, output: output, errors: errors)
    } catch {
      throw Failure(DOCSOURCE_SYSTEM_ERROR, "cannot start \(rawValue): \(error)", errno: error)
    }
  }

  private func path() throws(Failure) -> FilePath {
    let library: FilePath
    do throws(Errno) {
      library = try Program.ownFile()
    } catch {
      throw Failure(
        DOCSOURCE_SYSTEM_ERROR, "cannot determine the path of the library", errno: error)
    }
    guard let path = Program.companion(rawValue, of: library, in: Self.places) else {
      throw Failure(
        DOCSOURCE_NOT_INSTALLED,
        "\(rawValue) is neither beside the library nor in libexec/docsource of its prefix")
    }
    return path
  }

  /// Gives an XML property list as a binary one; `nil` if it cannot be read, for whatever reason.
  ///
  /// The program limits its own memory and processor time.
  @Sendable static func binary(_ list: [UInt8]) -> [UInt8]? {
    do {
      let input = try MemoryFile(list)
      let output = try MemoryFile()
      let process = try xml.start(
        ["property-list"], input: .descriptor(input.descriptor),
        output: .descriptor(output.descriptor))
      defer { close(process.rawValue) }
      // `taken` where the host waits for all of its children.
      switch process.ending(waits: true) {
      case .status(0), .taken: return output.content
      default: return nil
      }
    } catch {
      return nil
    }
  }
}

/// A file in memory that a program reads, or writes to.
final class MemoryFile: Sendable {
  /// No more of what the program writes is taken; a picture of 1024 pixels has 4 MiB.
  private static let limit = 16 << 20

  let descriptor: CInt

  /// - Parameter content: what the program reads.
  init(_ content: [UInt8] = []) throws(Failure) {
    descriptor = unsafe clinux_file_memory("docsource")
    do throws(Errno) {
      guard descriptor >= 0 else { throw Errno(rawValue: -descriptor) }
      try Descriptor.write(content, to: descriptor)
      lseek(descriptor, 0, SEEK_SET)
    } catch {
      throw Failure(
        DOCSOURCE_SYSTEM_ERROR, "cannot create a file in memory: \(error)", errno: error)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The whole content; empty where the file cannot be read or is too large.
  var content: [UInt8] {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { return [] }
    return (try? Descriptor.read(descriptor, limit: Self.limit)) ?? []
  }
}
