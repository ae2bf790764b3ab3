import CommandLineInterface
import Glibc
import LinuxSystem
import TextFormats

/// A file, or standard input, to be read whole.
struct InputFile: CustomStringConvertible {
  /// The most bytes that are read: larger input is refused before it fills the memory.
  static let limit = 512 << 20

  /// `nil` is standard input.
  let path: FilePath?

  /// The files that operands name; without any, standard input.
  static func named(_ operands: [[UInt8]]) -> [InputFile] {
    guard !operands.isEmpty else { return [InputFile(path: nil)] }
    return operands.map { operand in
      InputFile(path: operand == [UInt8(ascii: "-")] ? nil : FilePath(bytes: operand))
    }
  }

  /// The name for messages.
  var name: ArraySlice<UInt8> { path?.bytes ?? Array("standard input".utf8)[...] }

  /// The name, escaped for a terminal.
  var description: String { EscapedText(name).description }

  /// Reads the whole file; `nil` after reporting why it cannot be read.
  ///
  /// - Parameter limit: the most bytes that are read; a larger file is not read at all.
  /// - Parameter growth: how many times as much memory as the file has bytes the work on it takes,
  ///   itself included, for which memory is prepared where this is much; 0 where this is not known.
  /// - Parameter remedy: what would help if it has more bytes than `limit`, which follows the message.
  ///
  /// The corresponding C functions are open(2) and read(2).
  func read(
    _ console: Console, limit: Int = InputFile.limit, growth: Int = 0, remedy: String = ""
  ) -> [UInt8]? {
    do throws(Failure) {
      guard let path else { return try Self.read(STDIN_FILENO, limit, growth) }
      let descriptor = try Self.open(path, .anything)
      defer { close(descriptor) }
      return try Self.read(descriptor, limit, growth)
    } catch {
      let help = if case .tooLarge = error { remedy } else { "" }
      console.fail(name, "cannot read: \(error.reason)\(help)")
      return nil
    }
  }

  /// Opens the file to be read in blocks; `nil` after reporting why it cannot be opened.
  ///
  /// The corresponding C function is open(2).
  func blocks(_ expectation: Expectation, _ console: Console) -> InputBlocks? {
    guard let path else {
      guard !Descriptor.isDevice(STDIN_FILENO) else {
        console.fail(name, "cannot read: \(Failure.device.reason)")
        return nil
      }
      return InputBlocks(STDIN_FILENO, isOurs: false)
    }
    let descriptor: CInt
    do throws(Failure) {
      descriptor = try Self.open(path, expectation)
    } catch {
      console.fail(name, "cannot read: \(error.reason)")
      return nil
    }
    let blocks = InputBlocks(descriptor, isOurs: true)
    var status = stat()
    let isKnown = unsafe fstat(descriptor, &status) == 0
    guard expectation == .anything || isKnown && status.st_mode & S_IFMT == S_IFREG else {
      console.fail(name, "cannot read: not a regular file")
      return nil
    }
    return blocks
  }

  /// Which kinds of files are read at the path.
  enum Expectation {
    /// Any kind but a named pipe and a device, since the user named the file.
    case anything
    /// A regular file that is no link, since the user did not name the file: another kind might
    /// never end, or lead elsewhere.
    case plainFile
  }

  /// Opens a file without waiting for the writer of a named pipe, which may never come.
  ///
  /// The pipes of a shell's `<(command)` and `/dev/stdin` are read: these have no name in a file
  /// system, or stand for a descriptor that is open already.
  private static func open(
    _ path: FilePath, _ expectation: Expectation
  ) throws(Failure) -> CInt {
    let links = expectation == .plainFile ? O_NOFOLLOW : 0
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | links
    let descriptor = unsafe path.withCString { unsafe Glibc.open($0, flags) }
    guard descriptor >= 0 else { throw .errno(.current) }
    guard expectation == .anything else { return descriptor }
    guard !Descriptor.isNamedPipe(descriptor) || path.isOfDescriptor else {
      close(descriptor)
      throw .namedPipe
    }
    guard !Descriptor.isDevice(descriptor) else {
      close(descriptor)
      throw .device
    }
    _ = fcntl(descriptor, F_SETFL, 0)
    return descriptor
  }

  private enum Failure: Error {
    case errno(Errno)
    case namedPipe
    case device
    case tooLarge(limit: Int)

    var reason: String {
      switch self {
      case .errno(let errno): errno.description.lowercased()
      case .namedPipe: "a named pipe; use - to read it as standard input"
      case .device: "a device, which may have no end"
      case .tooLarge(let limit): "larger than \(WorkLimit.text(of: limit))"
      }
    }
  }

  private static func read(
    _ descriptor: CInt, _ limit: Int, _ growth: Int
  ) throws(Failure) -> [UInt8] {
    if growth > 0, let size = Descriptor.size(of: descriptor), size >= 1 << 20, size <= limit {
      Memory.expect(growth * size)
    }
    do throws(Errno) {
      if let bytes = try Descriptor.read(descriptor, limit: limit) { return bytes }
    } catch {
      throw .errno(error)
    }
    throw .tooLarge(limit: limit)
  }
}

/// An open file, or standard input, that is read block by block.
final class InputBlocks {
  private let descriptor: CInt
  private let isOurs: Bool

  /// - Parameter isOurs: whether the descriptor is closed at the end of this object's life.
  fileprivate init(_ descriptor: CInt, isOurs: Bool) {
    self.descriptor = descriptor
    self.isOurs = isOurs
  }

  deinit {
    if isOurs { close(descriptor) }
  }

  /// Enough work for several threads, and little enough for the cache of a processor; of a pipe, what is there.
  private static let blockCount = 1 << 18

  /// Returns the next bytes, none at the end.
  func next() throws(Errno) -> [UInt8] {
    try Descriptor.readBlock(descriptor, most: Self.blockCount)
  }
}

/// `--limit`: another limit of bytes, or none of any kind.
extension WorkLimit {
  /// - Parameter help: what is done up to SIZE.
  static func option(_ help: String) -> OptionDeclaration {
    OptionDeclaration("limit", value: "SIZE", help: "\(help) (default: 256M; none: no limit)")
  }

  /// - Throws: `UsageError` where the value of the option is neither a size nor `none`.
  static func given(
    by option: OptionDeclaration, in arguments: Arguments
  ) throws(UsageError) -> WorkLimit {
    guard let text = try arguments.text(option) else { return .standard }
    if text == "none" { return .none }
    return WorkLimit(bytes: try bytes(text, of: option), seconds: standard.seconds)
  }

  /// - Throws: `UsageError` for what is no size.
  static func bytes(_ text: String, of option: OptionDeclaration) throws(UsageError) -> Int {
    guard let bytes = bytes(text) else {
      throw UsageError(
        "--\(option.long): '\(EscapedText(text))' is not a size such as 500K or 2G, or none")
    }
    return bytes
  }

  private static func bytes(_ text: String) -> Int? {
    let shift =
      switch text.utf8.last {
      case UInt8(ascii: "K"): 10
      case UInt8(ascii: "M"): 20
      case UInt8(ascii: "G"): 30
      case UInt8(ascii: "T"): 40
      default: 0
      }
    let digits = text.utf8.dropLast(shift == 0 ? 0 : 1)
    guard digits.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(Substring(digits)), number > 0
    else { return nil }
    let bytes = number.multipliedReportingOverflow(by: 1 << shift)
    return bytes.overflow ? nil : bytes.partialValue
  }
}

extension WorkLimit.Excess {
  /// What would help, which follows the message.
  var remedy: String {
    switch self {
    case .bytes: "; use --limit=SIZE to allow more"
    case .seconds: "; use --limit=none to allow more"
    }
  }
}
