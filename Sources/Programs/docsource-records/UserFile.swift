import DatabaseSnapshot
import Glibc
import LinuxSystem

/// Why a file of this user cannot be opened.
struct UserFileFailure: Error {
  let reason: String

  fileprivate init(_ error: Errno) { reason = "\(error)".lowercased() }

  fileprivate init(_ reason: String) { self.reason = reason }
}

/// Opens files that belong to this user.
enum UserFile {
  /// Opens a regular file of this user.
  ///
  /// - Returns: -1 if there is none.
  static func open(_ path: FilePath) throws(UserFileFailure) -> CInt {
    // To open a device does something.
    guard InstalledFile(path: path).exists else { return -1 }
    let descriptor: CInt
    do throws(Errno) {
      descriptor = try Descriptor.open(path, keepsAccessTime: true)
    } catch {
      switch error {
      // Another user's, or a directory of another user.
      case .noSuchFile, .notDirectory, .permissionDenied, .notPermitted: return -1
      default: throw UserFileFailure(error)
      }
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid()
    else {
      close(descriptor)
      return -1
    }
    return descriptor
  }

  /// The content of a regular file of this user; `nil` if there is none.
  ///
  /// - Parameter limit: in bytes.
  static func content(_ path: FilePath, limit: Int) throws(UserFileFailure) -> [UInt8]? {
    let file = try open(path)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let bytes: [UInt8]?
    do throws(Errno) {
      bytes = try Descriptor.read(file, limit: limit)
    } catch {
      throw UserFileFailure(error)
    }
    guard let bytes else { throw UserFileFailure("larger than \(limit >> 20) MiB") }
    return bytes
  }

  /// Opens a database of SQLite with what belongs to it.
  ///
  /// - Parameter writer: the program that writes it.
  /// - Returns: `nil` if there is none of this user.
  static func database(
    _ path: FilePath, of writer: String
  ) throws(UserFileFailure) -> DatabaseFiles? {
    let database = try open(path)
    guard database >= 0 else { return nil }
    guard let version = DatabaseFiles.Version(of: database) else {
      close(database)
      throw UserFileFailure("cannot read its status")
    }
    func other(_ suffix: String) throws(UserFileFailure) -> CInt {
      try open(FilePath(bytes: Array(path.bytes) + Array(suffix.utf8)) ?? path)
    }
    return DatabaseFiles(
      writer: writer, path: Array(path.bytes), database: database, version,
      log: try other("-wal"), journal: try other("-journal"))
  }
}
