internal import Glibc

extension FilePath {
  /// What a symbolic link holds; `nil` where it is none, or cannot be read.
  ///
  /// The corresponding C function is readlink(2).
  package var linkTarget: FilePath? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      count = unsafe withCString { path in
        unsafe start.withMemoryRebound(to: CChar.self, capacity: buffer.count) { text in
          unsafe max(0, readlink(path, text, buffer.count))
        }
      }
    }
    return bytes.isEmpty ? nil : FilePath(bytes: bytes)
  }

  /// The absolute path without links, `.` or `..`; `nil` where nothing is there.
  ///
  /// The corresponding C function is realpath(3).
  package var realPath: FilePath? {
    unsafe withCString { path in
      guard let real = unsafe realpath(path, nil) else { return nil }
      defer { unsafe free(real) }
      return unsafe FilePath(cString: real)
    }
  }
}
