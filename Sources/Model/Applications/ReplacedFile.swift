internal import Glibc
package import LinuxSystem

/// A file of the user's that is put there at once: readers see the old content, or the new.
package struct ReplacedFile {
  package let path: FilePath

  package init(path: FilePath) { self.path = path }

  /// What the path is below; itself for a bare name.
  private static func parent(_ path: FilePath) -> FilePath {
    let directory = path.bytes[..<path.lastComponent.startIndex]
    return FilePath(bytes: directory.isEmpty ? [UInt8(ascii: ".")] : directory) ?? path
  }

  package var directory: FilePath { Self.parent(path) }

  /// Makes the directories that the file needs, for the user alone, as the XDG Base Directory
  /// Specification has it.
  package func makeDirectories() throws(Errno) { try directory.makeDirectories() }

  /// Where links lead, even if nothing is there yet; a path that is no link itself.
  private static func target(of path: FilePath) -> FilePath {
    var target = path
    // As many as the kernel follows.
    for _ in 0..<40 {
      guard let link = target.linkTarget else { break }
      let isAbsolute = link.bytes.first == UInt8(ascii: "/")
      target = isAbsolute ? link : parent(target).appending(link)
    }
    return target
  }

  /// Writes the content to a new file and renames it. Where the path is a link, as those who keep
  /// their settings elsewhere have it, the file it leads to is replaced, or made.
  ///
  /// The corresponding C function is rename(2).
  ///
  /// - Parameters:
  ///   - mode: of a new file; one that is there keeps its own.
  ///   - carry: gives the new file what else of an old one is to stay.
  package func replace(
    with bytes: [UInt8], mode: UInt32 = 0o644,
    carrying carry: (_ file: CInt, _ path: FilePath) throws(Errno) -> Void = { _, _ in }
  ) throws(Errno) {
    var status = stat()
    let isThere = unsafe path.withCString { unsafe stat($0, &status) } == 0
    let real = Self.target(of: path)
    let temporary = Self.parent(real).appending(FilePath(TemporaryName.make()))
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    // Nobody reads there what the old file did not let them.
    let file = unsafe temporary.withCString { unsafe open($0, flags, isThere ? 0o600 : mode) }
    guard file >= 0 else { throw .current }
    do throws(Errno) {
      defer { close(file) }
      try Descriptor.write(bytes, to: file)
      if isThere {
        try carry(file, temporary)
        fchmod(file, status.st_mode & 0o777)
      }
      let result = unsafe temporary.withCString { temporary in
        unsafe real.withCString { unsafe rename(temporary, $0) }
      }
      guard result == 0 else { throw .current }
    } catch {
      _ = unsafe temporary.withCString { unsafe unlink($0) }
      throw error
    }
  }
}
