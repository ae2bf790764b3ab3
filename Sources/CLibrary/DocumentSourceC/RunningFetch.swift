internal import CDocumentSource
internal import CLinux
internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// A fetch under way or over, as C holds it: `docsource_fetch`.
final class RunningFetch: Sendable {
  private enum Ending {
    /// 128 and the number where a signal ended it.
    case status(CInt)
    /// The host has waited for any child, or ignores SIGCHLD, and so has taken the status.
    case taken
  }

  private struct State: ~Copyable {
    var isCancelled = false
    /// `nil` until the end has been told.
    var ending: Ending?
    /// What was written to standard output.
    var picture = CText()
    /// What was said; `nil` where that is nothing.
    var words: String?
  }

  /// No more of what the program writes is taken; a picture of 1024 pixels has 4 MiB.
  private static let limit = 16 << 20

  /// Of the process, for poll(2).
  let descriptor: CInt
  private let output: CInt
  private let errors: CInt
  /// A process that was forked off has the descriptors, but the program is not its to end.
  private let owner = getpid()
  private let state = Mutex(State())

  /// Starts fetching the icon that is listed at a URL.
  init(_ url: String, _ drawing: IconDrawing, _ options: CallOptions) throws(Failure) {
    var words = ["icon", url] + drawing.words + ["--trusted"]
    if options.contains(.offline) { words.append("--offline") }
    if options.contains(.refresh) { words.append("--refresh") }
    let output = try Self.memory()
    do throws(Failure) {
      let errors = try Self.memory()
      do throws(Failure) {
        descriptor = try FetchProgram.start(words, output: output, errors: errors)
      } catch {
        close(errors)
        throw error
      }
      self.errors = errors
    } catch {
      close(output)
      throw error
    }
    self.output = output
  }

  deinit {
    if getpid() == owner {
      state.withLock { state in
        guard state.ending == nil else { return }
        clinux_process_kill(descriptor)
        state.ending = Self.ending(of: descriptor, waits: true)
      }
    }
    for descriptor in [descriptor, output, errors] { close(descriptor) }
  }

  func cancel() {
    guard getpid() == owner else { return }
    state.withLock { state in
      guard state.ending == nil else { return }
      state.isCancelled = true
      clinux_process_kill(descriptor)
    }
  }

  /// - Throws: `Failure` for anything but an icon in the cache or as a picture.
  func result() throws(Failure) {
    guard getpid() == owner else {
      throw .argument("the fetch belongs to the process that this one was forked from")
    }
    let (ending, isCancelled, hasPicture, words) = state.withLock { state in
      if state.ending == nil, let ending = Self.ending(of: descriptor, waits: false) {
        state.ending = ending
        state.picture = CText(bytes: Self.content(of: output)[...])
        state.words = Self.words(Self.content(of: errors))
      }
      return (state.ending, state.isCancelled, state.picture.count > 0, state.words)
    }
    switch ending {
    case nil: throw Failure(DOCSOURCE_RUNNING, "docsource-fetch has not ended yet")
    case .status(0): return
    case .status(1): throw Failure(DOCSOURCE_NO_ICON, words ?? "no icon")
    case .status(128 + SIGKILL) where isCancelled, .taken where isCancelled:
      throw Failure(DOCSOURCE_CANCELLED, "cancelled")
    case .status(let status):
      throw Failure(
        DOCSOURCE_FETCH_FAILED, words ?? "docsource-fetch ended with status \(status)")
    case .taken:
      // It says why where there is no icon.
      if !hasPicture, let words { throw Failure(DOCSOURCE_FETCH_FAILED, words) }
    }
  }

  /// The PNG that the server forbids keeping, once `result` has told of it; empty where there is
  /// none.
  func picture() -> UnsafeRawBufferPointer {
    // A lock gives out no pointers.
    let (address, count) = state.withLock { state in
      unsafe (UInt(bitPattern: state.picture.start), state.picture.count)
    }
    guard count > 0 else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
    return unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count)
  }

  /// What it said; its own name in front is not the caller's.
  private static func words(_ said: [UInt8]) -> String? {
    let text = String(decoding: said, as: UTF8.self)
    let lines = text.split(separator: "\n").map { line in
      line.hasPrefix("docsource: ") ? line.dropFirst("docsource: ".count) : line
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// How the process ended; `nil` while it runs.
  private static func ending(of process: CInt, waits: Bool) -> Ending? {
    var status: CInt = 0
    switch unsafe clinux_process_ending(process, waits ? 1 : 0, &status) {
    case 0: return nil
    case 1: return .status(status)
    default: return .taken
    }
  }

  private static func memory() throws(Failure) -> CInt {
    let descriptor = unsafe clinux_file_memory("docsource-fetch")
    guard descriptor >= 0 else {
      let errno = Errno(rawValue: -descriptor)
      throw Failure(DOCSOURCE_SYSTEM_ERROR, "no file in memory: \(errno)", errno: errno)
    }
    return descriptor
  }

  /// A file from its begin; empty where it cannot be read or is too large.
  private static func content(of file: CInt) -> [UInt8] {
    guard lseek(file, 0, SEEK_SET) == 0 else { return [] }
    do throws(Errno) {
      return try Descriptor.read(file, limit: limit) ?? []
    } catch {
      return []
    }
  }
}
