internal import CXattr
internal import Glibc
internal import LinuxSystem

/// The one place that calls the shim: a reference and a name become the right C function.
///
/// Each returns the count or a negated errno.
enum SystemCalls {
  static func get(
    _ file: FileReference, _ name: AttributeName, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    unsafe name.withCString { name in
      switch file {
      case .path(let path, let links):
        unsafe path.withCString {
          unsafe cxattr_get($0, name, buffer.baseAddress, buffer.count, links.shim)
        }
      case .descriptor(let descriptor, _):
        unsafe cxattr_fget(descriptor, name, buffer.baseAddress, buffer.count)
      case .entry(let directory, let entry, _, let links):
        unsafe entry.withCString {
          unsafe cxattr_getat(
            directory, $0, name, buffer.baseAddress, buffer.count, links.shim, cxattr_best_route())
        }
      }
    }
  }

  static func get(
    _ file: borrowing EntryReference, _ name: AttributeName,
    into buffer: UnsafeMutableRawBufferPointer, _ route: cxattr_route = cxattr_best_route()
  ) -> Int {
    unsafe name.withCString { name in
      unsafe file.withCString { entry in
        unsafe cxattr_getat(
          file.directory, entry, name, buffer.baseAddress, buffer.count, .nofollow, route)
      }
    }
  }

  static func set(
    _ file: FileReference, _ name: AttributeName, to value: UnsafeRawBufferPointer,
    _ mode: WriteMode
  ) -> Int {
    Int(
      unsafe name.withCString { name in
        switch file {
        case .path(let path, let links):
          unsafe path.withCString {
            unsafe cxattr_set($0, name, value.baseAddress, value.count, mode.shim, links.shim)
          }
        case .descriptor(let descriptor, _):
          unsafe cxattr_fset(descriptor, name, value.baseAddress, value.count, mode.shim)
        case .entry(let directory, let entry, _, let links):
          unsafe entry.withCString {
            unsafe cxattr_setat(
              directory, $0, name, value.baseAddress, value.count, mode.shim, links.shim,
              cxattr_best_route())
          }
        }
      })
  }

  static func set(
    _ file: borrowing EntryReference, _ name: AttributeName, to value: UnsafeRawBufferPointer
  ) -> Int {
    unsafe name.withCString { name in
      unsafe file.withCString { entry in
        Int(
          unsafe cxattr_setat(
            file.directory, entry, name, value.baseAddress, value.count, .create_or_replace,
            .nofollow, cxattr_best_route()))
      }
    }
  }

  static func list(
    _ file: borrowing EntryReference, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    unsafe file.withCString { entry in
      unsafe cxattr_listat(
        file.directory, entry, buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
        buffer.count, .nofollow, cxattr_best_route())
    }
  }

  static func list(_ file: FileReference, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let names = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
    return switch file {
    case .path(let path, let links):
      unsafe path.withCString { unsafe cxattr_list($0, names, buffer.count, links.shim) }
    case .descriptor(let descriptor, _):
      unsafe cxattr_flist(descriptor, names, buffer.count)
    case .entry(let directory, let entry, _, let links):
      unsafe entry.withCString {
        unsafe cxattr_listat(directory, $0, names, buffer.count, links.shim, cxattr_best_route())
      }
    }
  }

  static func remove(_ file: FileReference, _ name: AttributeName) -> Int {
    Int(
      unsafe name.withCString { name in
        switch file {
        case .path(let path, let links):
          unsafe path.withCString { unsafe cxattr_remove($0, name, links.shim) }
        case .descriptor(let descriptor, _):
          unsafe cxattr_fremove(descriptor, name)
        case .entry(let directory, let entry, _, let links):
          unsafe entry.withCString {
            unsafe cxattr_removeat(directory, $0, name, links.shim, cxattr_best_route())
          }
        }
      })
  }

  static func observe(_ file: FileReference) -> FileCircumstance {
    let kind =
      switch file {
      case .path(let path, let links):
        unsafe path.withCString { unsafe cxattr_observe(AT_FDCWD, $0, links.shim) }
      case .descriptor(let descriptor, _):
        unsafe cxattr_observe(descriptor, "", .follow)
      case .entry(let directory, let entry, _, let links):
        unsafe entry.withCString { unsafe cxattr_observe(directory, $0, links.shim) }
      }
    return switch cxattr_kind(rawValue: cxattr_kind.RawValue(max(kind, 0))) {
    case .link: .link
    case .special: .special
    case .immutable: .immutable
    case .append_only: .appendOnly
    case .sticky: .stickyDirectory
    case .regular, nil: .ordinary
    }
  }

  /// What became of copying, and the name of the attribute that failed first.
  struct CopyOutcome {
    let result: Int
    let attribute: AttributeName?

    /// - Parameter call: puts the name, with its NUL, into the buffer.
    init(_ call: (_ attribute: UnsafeMutablePointer<CChar>) -> CInt) {
      var result: CInt = -EIO
      let name = unsafe [UInt8](unsafeUninitializedCapacity: cxattr_name_size) { buffer, count in
        guard let base = buffer.baseAddress else { return }
        unsafe base.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
          result = unsafe call($0)
          count = result < 0 ? unsafe strlen($0) : 0
        }
      }
      self.result = Int(result)
      attribute = AttributeName(bytes: name[...])
    }
  }

  static func copyAll(from source: FilePath, to target: FilePath) -> CopyOutcome {
    unsafe CopyOutcome { attribute in
      unsafe source.withCString { source in
        unsafe target.withCString { unsafe cxattr_copy(source, $0, attribute) }
      }
    }
  }

  static func copyAll(
    from source: CInt, _ sourcePath: FilePath, to target: CInt, _ targetPath: FilePath
  ) -> CopyOutcome {
    unsafe CopyOutcome { attribute in
      unsafe sourcePath.withCString { sourcePath in
        unsafe targetPath.withCString {
          unsafe cxattr_fcopy(sourcePath, source, $0, target, attribute)
        }
      }
    }
  }
}

extension Links {
  fileprivate var shim: cxattr_links {
    switch self {
    case .follow: .follow
    case .noFollow: .nofollow
    }
  }
}

extension WriteMode {
  fileprivate var shim: cxattr_mode {
    switch self {
    case .createOrReplace: .create_or_replace
    case .create: .create
    case .replace: .replace
    }
  }
}
