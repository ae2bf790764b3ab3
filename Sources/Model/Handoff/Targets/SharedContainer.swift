package import BinaryPropertyList
internal import Glibc
package import LinuxSystem

/// The directory that an app and its share targets have in common: the app-group container of iOS.
///
/// There is no sandbox: the directory is for the user alone, and every program of the user can use
/// it. Files in it are replaced atomically, and programs that change them wait for each other.
package struct SharedContainer: Sendable {
  /// Why a container cannot be used.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// `nil` if there is no place for the container.
    package let path: FilePath?
    /// In words that follow the path.
    package let reason: String

    package var description: String { path.map { "\($0): \(reason)" } ?? reason }
  }

  /// The most bytes of a file that is read or written whole.
  package static let fileLimit = 64 << 20

  package let group: String
  package let path: FilePath

  /// Finds the place of a container, which need not exist.
  ///
  /// - Parameter group: begins with `group.`.
  /// - Throws: `Failure` for a name that is none of a group, and where there is no home for data.
  package init(_ group: String, in places: BaseDirectories) throws(Failure) {
    guard group.hasPrefix("group."), group.utf8.count > 6, let name = FileName(group),
      !group.split(separator: ".", omittingEmptySubsequences: false).contains("")
    else {
      throw Failure(
        path: nil,
        reason: "a group is called group.NAME, such as group.com.example.app, without slashes")
    }
    guard let home = places.dataHome else {
      throw Failure(path: nil, reason: BaseDirectories.Home.data.absence)
    }
    self.group = group
    path = home.appending(FilePath("app-groups")).appending(FilePath(name.text))
  }

  /// Makes the directory, for the user alone. One that is there must be the user's own, and no link;
  /// rights of others are taken away.
  ///
  /// The corresponding C functions are mkdir(2), open(2) with O_NOFOLLOW and fchmod(2).
  package func create() throws(Failure) {
    do throws(Errno) {
      try path.makeDirectories()
    } catch {
      throw failure("create", error)
    }
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let directory = unsafe path.withCString { unsafe open($0, flags) }
    guard directory >= 0 else { throw failure("open", .current) }
    defer { close(directory) }
    var status = stat()
    guard unsafe fstat(directory, &status) == 0 else { throw failure("open", .current) }
    guard status.st_uid == geteuid() else {
      throw Failure(path: path, reason: Self.foreign)
    }
    if status.st_mode & 0o077 != 0, fchmod(directory, 0o700) != 0 {
      throw failure("protect", .current)
    }
  }

  /// Refuses what `create` would: a link, or a directory of another user. There need be no directory.
  package func check() throws(Failure) {
    let status: FileStatus
    do throws(Errno) {
      status = try FileStatus(path, links: .noFollow)
    } catch .noSuchFile {
      return
    } catch {
      throw failure("open", error)
    }
    guard status.kind == .directory else {
      throw failure("open", .notDirectory)
    }
    guard status.owner == geteuid() else {
      throw Failure(path: path, reason: Self.foreign)
    }
  }

  private static let foreign = "the directory belongs to another user"

  private func failure(_ operation: String, _ errno: Errno) -> Failure {
    Failure(path: path, reason: "cannot \(operation): \(errno.description.lowercased())")
  }

  private func file(_ name: String) throws(Failure) -> UserFile {
    guard let name = FileName(name) else {
      throw Failure(path: path, reason: "'\(name)' cannot be the name of a file")
    }
    return UserFile(private: path.appending(FilePath(name.text)), limit: Self.fileLimit)
  }

  /// The content of a file; `nil` if there is none, or an empty one.
  package func content(of name: String) throws(Failure) -> [UInt8]? {
    try check()
    let file = try file(name)
    do throws(UserFile.Failure) {
      return try file.content()
    } catch {
      throw Failure(path: error.path, reason: error.reason)
    }
  }

  /// Replaces the content of a file. Readers see the old content or the new; writers of any file of the
  /// container wait for each other.
  ///
  /// - Parameter change: takes the content, `nil` if there is no file, and returns the new one;
  ///   `nil` to write nothing.
  package func edit(
    _ name: String, _ change: ([UInt8]?) throws(Failure) -> [UInt8]?
  ) throws(Failure) {
    try create()
    let file = try file(name)
    var refusal: Failure?
    do throws(UserFile.Failure) {
      try file.edit { content in
        do throws(Failure) {
          return try change(content)
        } catch {
          refusal = error
          return nil
        }
      }
    } catch {
      throw Failure(path: error.path, reason: error.reason)
    }
    if let refusal { throw refusal }
  }

  // Settings.

  /// Where settings stand in the container.
  package static let settingsName = "Settings.plist"

  /// The settings that the app and its targets share; empty where none are kept.
  package func settings() throws(Failure) -> PropertyList.Dictionary {
    try Self.settings(in: try content(of: Self.settingsName), path)
  }

  /// Changes settings: what another program changes meanwhile is not lost.
  package func editSettings(
    _ change: (inout PropertyList.Dictionary) -> Void
  ) throws(Failure) {
    try edit(Self.settingsName) { content throws(Failure) in
      let former = try Self.settings(in: content, path)
      var settings = former
      change(&settings)
      guard settings != former else { return nil }
      do throws(EncodingFailure) {
        return try PropertyList.dictionary(settings).binary()
      } catch {
        throw Failure(path: path, reason: "cannot write settings: \(error)")
      }
    }
  }

  private static func settings(
    in content: [UInt8]?, _ path: FilePath
  ) throws(Failure) -> PropertyList.Dictionary {
    guard let content else { return PropertyList.Dictionary() }
    let file = path.appending(FilePath(settingsName))
    do throws(DecodingFailure) {
      if case .dictionary(let settings) = try PropertyList(binary: content) { return settings }
    } catch {
      throw Failure(path: file, reason: "cannot read settings: \(error)")
    }
    throw Failure(path: file, reason: "cannot read settings: not a dictionary")
  }
}
