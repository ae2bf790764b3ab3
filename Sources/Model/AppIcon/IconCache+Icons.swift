internal import Glibc
public import LinuxSystem

extension IconCache {
  /// The last chunk of every PNG, which is missing where a file was cut short.
  private static let end: [UInt8] = [
    0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
  ]

  /// The path of a finished icon; `nil` where there is none. One that is cut short is removed;
  /// another counts as used.
  ///
  /// - Throws: `IconCacheError` where a directory of the cache is not ours alone.
  public func icon(_ key: RenderingKey) throws(IconCacheError) -> FilePath? {
    let name = Self.name(key)
    guard let directory = try icons(.reading), let (file, status) = directory.file(name) else {
      return nil
    }
    defer { close(file) }
    var tail = [UInt8](repeating: 0, count: Self.end.count)
    let offset = status.st_size - off_t(tail.count)
    let count = unsafe tail.withUnsafeMutableBytes { tail in
      unsafe pread(file, tail.baseAddress, tail.count, max(0, offset))
    }
    guard count == tail.count, tail == Self.end else {
      directory.remove(name)
      return nil
    }
    directory.touch(file, status)
    return directory.path.appending(FilePath(name))
  }

  /// Keeps a finished icon and returns its path.
  public func store(
    _ png: [UInt8], as key: RenderingKey
  ) throws(IconCacheError) -> FilePath {
    let name = Self.name(key)
    guard let directory = try icons(.writing) else {
      throw IconCacheError(path, .errno(.noSuchFile))
    }
    try directory.replace(name, with: png)
    return directory.path.appending(FilePath(name))
  }

  private static func name(_ key: RenderingKey) -> String { key.digest.hexadecimal + ".png" }
}
