internal import Glibc
package import Xattr

/// A directory being read, from its opening until `close`.
@safe
package struct OpenDirectory {
  package let path: FilePath
  package let descriptor: CInt
  private let stream: OpaquePointer

  /// Opens a directory relative to another, as openat(2).
  package init(_ parent: CInt, _ name: FilePath, path: FilePath, flags: CInt) throws(TreeFailure) {
    let all = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | flags
    let descriptor = unsafe name.withCString { unsafe openat(parent, $0, all) }
    guard descriptor >= 0 else { throw TreeFailure(path: path, errno: .current) }
    guard let stream = unsafe fdopendir(descriptor) else {
      let errno = Errno.current
      Glibc.close(descriptor)
      throw TreeFailure(path: path, errno: errno)
    }
    self.path = path
    self.descriptor = descriptor
    unsafe self.stream = stream
  }

  package func close() { unsafe closedir(stream) }

  /// Reads the next entry that is neither `.` nor `..`; `nil` at the end.
  ///
  /// A failure to read ends the directory: readdir(3) would give the same error for ever.
  package func next() throws(TreeFailure) -> TreeEntry? {
    while true {
      Glibc.errno = 0
      guard let entry = unsafe readdir(stream) else {
        let errno = Errno.current
        if errno.rawValue == 0 { return nil }
        throw TreeFailure(path: path, errno: errno)
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe FilePath(cString: $0)
        }
      }
      if name.bytes.elementsEqual(".".utf8) || name.bytes.elementsEqual("..".utf8) { continue }
      return TreeEntry(
        kind: unsafe kind(CInt(entry.pointee.d_type), name),
        file: .entry(directory: descriptor, name: name, path: path.appending(name)))
    }
  }

  /// Some file systems leave the type to fstatat(2).
  private func kind(_ type: CInt, _ name: FilePath) -> TreeEntry.Kind {
    switch type {
    case CInt(DT_REG): .file
    case CInt(DT_DIR): .directory
    case CInt(DT_UNKNOWN): TreeEntry.Kind(descriptor, name, .noFollow) ?? .other
    default: .other
    }
  }
}
