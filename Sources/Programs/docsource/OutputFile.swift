import CommandLineInterface
import Glibc
import LinuxSystem
import Xattr

/// A file to write a result to.
struct OutputFile {
  static let option = OptionDeclaration(
    "output", short: "o", value: "FILE", help: "write to FILE, or - for standard output")

  private let path: FilePath
  private let entry: DirectoryEntry

  /// Writes to the file that an option names, or to standard output where it names none or `-`;
  /// reports why a file cannot be written.
  static func write(_ bytes: [UInt8], to target: [UInt8]?, _ console: Console) -> ExitStatus {
    guard let target, target != [UInt8(ascii: "-")], let path = FilePath(bytes: target) else {
      console.output.write(bytes)
      return .done
    }
    guard let reason = failure(ofWriting: bytes, to: path) else { return .done }
    console.report(target[...], "cannot write: \(reason)")
    return .failed
  }

  /// Writes to a file; why it cannot be written, `nil` if it was.
  static func failure(ofWriting bytes: [UInt8], to path: FilePath) -> String? {
    do throws(Errno) {
      try OutputFile(path: path, entry: ReplacedFile(path: path).entry()).replace(with: bytes)
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
  private func replace(with bytes: [UInt8]) throws(Errno) {
    let named: stat
    do throws(Errno) {
      named = try entry.status()
    } catch .noSuchFile {
      return try entry.put(bytes, mode: 0o666)
    }
    let old = try entry.open(O_NONBLOCK | O_NOCTTY, mode: 0o666)
    defer { close(old) }
    guard !Descriptor.isNamedPipe(old) || path.isOfDescriptor else { throw .noSuchDevice }
    _ = fcntl(old, F_SETFL, 0)
    var status = stat()
    guard unsafe fstat(old, &status) == 0 else { throw .current }
    // A link leads to another file than the path names.
    if status.isSameFile(as: named), status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
      try replace(old, status, with: bytes)
    {
      return
    }
    try overwrite(old, with: bytes)
  }

  /// - Returns: `false` where it has to be overwritten instead.
  private func replace(_ old: CInt, _ status: stat, with bytes: [UInt8]) throws(Errno) -> Bool {
    do throws(Errno) {
      // Nobody reads there what the old file did not let them.
      try entry.put(bytes, mode: 0o600) { (new) throws(Errno) in
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

  private func overwrite(_ descriptor: CInt, with bytes: [UInt8]) throws(Errno) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .current }
    guard status.st_mode & S_IFMT == S_IFREG else {
      return try Descriptor.write(bytes, to: descriptor)
    }
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
