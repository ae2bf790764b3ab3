internal import Glibc

/// A file of the user's settings, which several processes may change at the same time.
public struct UserFile: Sendable {
  /// Why the file cannot be read or written.
  public struct Failure: Error, Hashable, Sendable {
    /// `nil` if there is no place for the file.
    public let path: FilePath?
    /// In words that follow the path.
    public let reason: String

    package init(path: FilePath?, reason: String) {
      self.path = path
      self.reason = reason
    }

    /// - Parameter operation: what was tried, in words that follow "cannot".
    init(_ operation: String, _ path: FilePath, _ errno: Errno) {
      self.init(path: path, reason: "cannot \(operation): \(errno.description.lowercased())")
    }
  }

  /// More than anybody writes by hand; in bytes.
  package static let limit = 1 << 20

  package let path: FilePath
  /// The permissions of a new file.
  private var mode: UInt32 = 0o644
  private var limit = Self.limit

  /// A file anywhere, for this user alone.
  ///
  /// - Parameter limit: the most bytes that it may have.
  package init(private path: FilePath, limit: Int) {
    self.path = path
    self.limit = limit
    mode = 0o600
  }

  /// The file `$XDG_CONFIG_HOME/docsource/NAME`.
  ///
  /// - Throws: `Failure` where there is no home for configuration.
  package init(_ name: String, in places: BaseDirectories) throws(Failure) {
    try self.init(configuration: "docsource/\(name)", places)
  }

  /// The file `$XDG_CONFIG_HOME/PATH`, which others may use, too.
  ///
  /// - Throws: `Failure` where there is no home for configuration.
  package init(configuration name: String, _ places: BaseDirectories) throws(Failure) {
    guard let home = places.configHome else {
      throw Failure(path: nil, reason: BaseDirectories.Home.configuration.absence)
    }
    path = home.appending(FilePath(name))
  }

  /// The whole content; `nil` if there is no file, or an empty one, as a link that leads nowhere
  /// may become when the power is cut. A FIFO in its place does not block.
  package func content() throws(Failure) -> [UInt8]? {
    let file: CInt
    do throws(Errno) {
      file = try Descriptor.open(path)
    } catch .noSuchFile {
      return nil
    } catch {
      throw Failure("read", path, error)
    }
    defer { close(file) }
    do throws(Errno) {
      if let content = try Descriptor.read(file, limit: limit) {
        return content.isEmpty ? nil : content
      }
    } catch {
      throw Failure("read", path, error)
    }
    throw tooLarge
  }

  /// Replaces the content atomically: readers see the old or the new, whatever ends this process.
  /// Processes that change files of the same directory wait for each other.
  ///
  /// The corresponding C functions are flock(2) and rename(2).
  ///
  /// - Parameter change: takes the content, `nil` if there is no file, and returns the new one,
  ///   `nil` to write nothing.
  package func edit(_ change: ([UInt8]?) throws(Failure) -> [UInt8]?) throws(Failure) {
    let file = ReplacedFile(path: path)
    do throws(Errno) {
      try file.makeDirectories()
    } catch {
      throw Failure("create the directory", file.directory, error)
    }
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let directory = unsafe file.directory.withCString { unsafe open($0, flags) }
    guard directory >= 0 else { throw Failure("open", file.directory, .current) }
    // Closing it gives the lock up.
    defer { close(directory) }
    do throws(Errno) {
      _ = try Descriptor.retrying { Int(flock(directory, LOCK_EX)) }
    } catch {
      throw Failure("lock", file.directory, error)
    }
    // Of processes that were killed while they wrote: who writes has the lock.
    for name in InstalledDirectory(path: file.directory).names
    where TemporaryName.matches(Array(name.utf8)[...]) {
      unsafe unlinkat(directory, name, 0)
    }
    guard let changed = try change(try content()) else { return }
    guard changed.count <= limit else { throw tooLarge }
    do throws(Errno) {
      try file.replace(with: changed, mode: mode)
    } catch {
      throw Failure("write", path, error)
    }
  }

  private var tooLarge: Failure {
    Failure(path: path, reason: "the file is larger than \(limit >> 20) MiB")
  }
}
