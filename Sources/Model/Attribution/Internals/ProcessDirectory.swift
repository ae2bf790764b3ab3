internal import Glibc
internal import LinuxSystem

/// The open directory /proc/PID of a process. What is read through it is of that process even where
/// its number has been given to another since.
final class ProcessDirectory {
  private let descriptor: CInt

  /// - Returns: `nil` where there is no such process.
  init?(_ proc: FilePath, _ process: Int32) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let path = proc.appending(FilePath("\(process)"))
    descriptor = unsafe path.withCString { unsafe Glibc.open($0, flags) }
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// The content of a file, cut off at `limit` bytes; empty where it cannot be read.
  func content(_ name: String, limit: Int) -> [UInt8] {
    let file = open(name)
    guard file >= 0 else { return [] }
    defer { close(file) }
    return Self.content(file, limit: limit)
  }

  /// A file that processes of users have put there: nothing but a regular one, and no link.
  func foreignContent(_ name: String, limit: Int) -> [UInt8] {
    let file = unsafe openat(descriptor, name, Self.flags | O_NOFOLLOW)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= limit
    else { return [] }
    return Self.content(file, limit: limit)
  }

  /// Opens a file; a negative number where it cannot be.
  func open(_ name: String) -> CInt { unsafe openat(descriptor, name, Self.flags) }

  // A FIFO does not block, and a terminal does not become ours.
  private static let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY

  static func content(_ file: CInt, limit: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    // Not `Descriptor`'s blocks of 64 KiB: most of these files have some hundred bytes.
    let block = 4096
    while bytes.count < limit {
      var count = 0
      let more = unsafe [UInt8](unsafeUninitializedCapacity: min(block, limit - bytes.count)) {
        buffer, filled in
        count = unsafe read(file, buffer.baseAddress, buffer.count)
        filled = max(0, count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes = bytes.isEmpty ? more : bytes + more
    }
    return bytes
  }

  /// What a link holds; `nil` where there is none. The corresponding C function is readlinkat(2).
  func link(_ name: String) -> [UInt8]? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      count = unsafe start.withMemoryRebound(to: CChar.self, capacity: buffer.count) { text in
        unsafe max(0, readlinkat(descriptor, name, text, buffer.count))
      }
    }
    return bytes.isEmpty ? nil : bytes
  }
}
