// These are names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import AppIcon
public import CDocumentSource
internal import Glibc
internal import LinuxSystem
internal import Synchronization

@c @implementation public func docsource_fetch_start(
  _ appInfoURL: UnsafePointer<CChar>?, _ points: Double, _ scale: Double, _ options: UInt32,
  _ fetch: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe fetch?.pointee = nil
  return unsafe Call.perform(error) { () throws(Failure) in
    let options = try CallOptions(
      options, among: IconRendering.options.union([.offline, .refresh]))
    guard !options.isSuperset(of: [.offline, .refresh]) else {
      throw .argument("DOCSOURCE_OFFLINE and DOCSOURCE_REFRESH exclude each other")
    }
    let drawing = try IconRendering(points: points, scale: scale, options)
    guard let url = unsafe try Argument.text(appInfoURL, "app_info_url") else {
      throw .argument("no URL is given")
    }
    guard let fetch = unsafe fetch else { throw .argument("no pointer to the handle is given") }
    unsafe fetch.pointee = Handle.make(try RunningFetch(url, drawing, options))
  }
}

@c @implementation public func docsource_fetch_descriptor(_ fetch: OpaquePointer?) -> CInt {
  unsafe Handle<RunningFetch>.object(fetch)?.process.rawValue ?? -1
}

@c @implementation public func docsource_fetch_result(
  _ fetch: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.perform(error) { () throws(Failure) in
    guard let fetch = unsafe Handle<RunningFetch>.object(fetch) else {
      throw .argument("no fetch is given")
    }
    try fetch.result()
  }
}

@c @implementation public func docsource_fetch_picture(
  _ fetch: OpaquePointer?, _ size: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
  let picture = unsafe Handle<RunningFetch>.object(fetch)?.picture()
  unsafe size?.pointee = picture?.count ?? 0
  return unsafe picture?.baseAddress
}

@c @implementation public func docsource_fetch_cancel(_ fetch: OpaquePointer?) {
  unsafe Handle<RunningFetch>.object(fetch)?.cancel()
}

@c @implementation public func docsource_fetch_free(_ fetch: OpaquePointer?) {
  unsafe Handle<RunningFetch>.free(fetch)
}

/// A fetch under way or over, as C holds it: `docsource_fetch`.
final class RunningFetch: Sendable {
  private struct State: ~Copyable {
    var isCancelled = false
    /// `nil` until the end has been reported.
    var ending: ProcessDescriptor.Ending?
    /// What was written to standard output.
    var picture = CText()
    /// What was said; `nil` if that is nothing.
    var words: String?
  }

  let process: ProcessDescriptor
  private let output: MemoryFile
  private let errors: MemoryFile
  /// A process that was forked off has the descriptors, but the program is not its to end.
  private let owner = getpid()
  private let state = Mutex(State())

  /// Starts fetching the icon that is listed at a URL.
  init(_ url: String, _ drawing: IconRendering, _ options: CallOptions) throws(Failure) {
    var words = ["icon", url] + drawing.arguments + ["--trusted"]
    if options.contains(.offline) { words.append("--offline") }
    if options.contains(.refresh) { words.append("--refresh") }
    do throws(Errno) {
      output = try MemoryFile()
      errors = try MemoryFile()
    } catch {
      throw Failure(
        DOCSOURCE_SYSTEM_ERROR, "cannot create a file in memory: \(error)", errno: error)
    }
    process = try Companion.fetch.start(
      words, output: .descriptor(output.descriptor), errors: .descriptor(errors.descriptor))
  }

  deinit {
    if getpid() == owner {
      state.withLock { state in
        guard state.ending == nil else { return }
        process.kill()
        state.ending = process.ending(waits: true)
      }
    }
    close(process.rawValue)
  }

  func cancel() {
    guard getpid() == owner else { return }
    state.withLock { state in
      guard state.ending == nil else { return }
      state.isCancelled = true
      process.kill()
    }
  }

  /// - Throws: `Failure` for anything but an icon in the cache or as a picture.
  func result() throws(Failure) {
    guard getpid() == owner else {
      throw .argument("the fetch belongs to the process from which this process was forked")
    }
    let (ending, isCancelled, hasPicture, words) = state.withLock { state in
      if state.ending == nil, let ending = process.ending(waits: false) {
        state.ending = ending
        state.picture = CText(bytes: output.answer[...])
        state.words = Self.words(errors.answer)
      }
      return (state.ending, state.isCancelled, state.picture.count > 0, state.words)
    }
    switch ending {
    case nil: throw Failure(DOCSOURCE_RUNNING, "docsource-fetch is still running")
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

  /// The PNG that the server forbids keeping, once `result` has reported it; empty if there is
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
}
