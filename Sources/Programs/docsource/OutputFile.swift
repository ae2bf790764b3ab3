import CommandLineInterface
import Glibc
import LinuxSystem
import Xattr

/// A file to write a result to.
struct OutputFile {
  static let option = OptionDeclaration(
    "output", short: "o", value: "FILE", help: "write to FILE, or - for standard output")

  /// What is written, in parts; the same each time.
  typealias Content = (_ write: ([UInt8]) throws(Errno) -> Void) throws(Errno) -> Void

  private let path: FilePath
  private let entry: DirectoryEntry

  /// Writes to the file that an option names, or to standard output where it names none or `-`;
  /// reports why a file cannot be written.
  static func write(_ bytes: [UInt8], to target: [UInt8]?, _ console: Console) -> ExitStatus {
    write(to: target, console) { (write) throws(Errno) in try write(bytes) }
  }

  static func write(to target: [UInt8]?, _ console: Console, _ content: Content) -> ExitStatus {
    guard let target, target != [UInt8(ascii: "-")], let path = FilePath(bytes: target) else {
      // Nobody needs the rest of what cannot be written.
      try? content { (bytes) throws(Errno) in
        console.output.write(bytes)
        if console.output.failure != nil { throw .inputOutput }
      }
      return .done
    }
    guard let reason = failure(ofWriting: content, to: path) else { return .done }
    console.report(target[...], "cannot write: \(reason)")
    return .failed
  }

  /// Writes to a file; why it cannot be written, `nil` if it was.
  static func failure(ofWriting bytes: [UInt8], to path: FilePath) -> String? {
    failure(ofWriting: { (write) throws(Errno) in try write(bytes) }, to: path)
  }

  private static func failure(ofWriting content: Content, to path: FilePath) -> String? {
    do throws(Errno) {
      try OutputFile(path: path, entry: ReplacedFile(path: path).entry()).replace(with: content)
      return nil
    } catch .noSuchDevice {
      return "a named pipe or a socket; use - to write to standard output"
    } catch {
      return error.description.lowercased()
    }
  }

  /// Writes the file anew, or in the place of the one that is there: readers see the old content or
  /// the new, whatever ends this process. Owner, mode and attributes of an existing file stay.
  ///
  /// A named pipe is refused, since its reader may never come; the pipes of a shell's `>(command)`
  /// and `/dev/stdout` are written to. Written to in place, as by a shell's `>`, are: anything else
  /// but a regular file, a file with several names, the target of a symbolic link, and a file that
  /// cannot be replaced, for instance in a directory without write permission. Room is reserved
  /// before any content is overwritten, where the file system can, so that a full disk leaves the
  /// old content. A file that may not be written is not replaced either.
  ///
  /// The corresponding C functions are open(2), rename(2), fsync(2), fallocate(2) and ftruncate(2).
  private func replace(with content: Content) throws(Errno) {
    let named: stat
    do throws(Errno) {
      named = try entry.status()
    } catch .noSuchFile {
      return try put(content, mode: 0o666)
    }
    let old = try entry.open(O_NONBLOCK | O_NOCTTY, mode: 0o666)
    defer { close(old) }
    guard !Descriptor.isNamedPipe(old) || path.isOfDescriptor else { throw .noSuchDevice }
    _ = fcntl(old, F_SETFL, 0)
    var status = stat()
    guard unsafe fstat(old, &status) == 0 else { throw .current }
    // A link leads to another file than the path names.
    if status.isSameFile(as: named), status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
      try replace(old, status, with: content)
    {
      return
    }
    try overwrite(old, with: content)
  }

  /// - Returns: `false` where it has to be overwritten instead.
  private func replace(_ old: CInt, _ status: stat, with content: Content) throws(Errno) -> Bool {
    do throws(Errno) {
      // Nobody reads there what the old file did not let them.
      try put(content, mode: 0o600) { (new) throws(Errno) in
        try ReplacedFile.keepOwner(of: status, on: new)
        try ExtendedAttributes.keep(of: old, on: new)
        fchmod(new, status.st_mode & 0o777)
      }
      return true
    } catch .noSpace {
      throw .noSpace
    } catch .quotaExceeded {
      throw .quotaExceeded
    } catch .inputOutput {
      throw .inputOutput
    } catch {
      return false
    }
  }

  private func put(
    _ content: Content, mode: UInt32,
    carrying carry: (_ file: CInt) throws(Errno) -> Void = { _ in }
  ) throws(Errno) {
    try entry.put([], mode: mode) { (new) throws(Errno) in
      try content { (bytes) throws(Errno) in try Descriptor.write(bytes, to: new) }
      try carry(new)
    }
  }

  private func overwrite(_ descriptor: CInt, with content: Content) throws(Errno) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .current }
    guard status.st_mode & S_IFMT == S_IFREG else {
      return try content { (bytes) throws(Errno) in try Descriptor.write(bytes, to: descriptor) }
    }
    // Whole, for its length.
    var bytes: [UInt8] = []
    try content { (part) throws(Errno) in bytes += part }
    do throws(Errno) {
      try Descriptor.reserve(bytes.count, in: descriptor)
    } catch {
      ftruncate(descriptor, status.st_size)
      throw error
    }
    try Descriptor.write(bytes, to: descriptor)
    guard ftruncate(descriptor, off_t(bytes.count)) == 0 else { throw .current }
    try Descriptor.sync(descriptor)
  }
}
