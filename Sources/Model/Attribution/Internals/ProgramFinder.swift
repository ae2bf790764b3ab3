internal import Applications
internal import Glibc
internal import LinuxSystem

/// Where the programs lie that `Exec` lines name.
struct ProgramFinder {
  /// A program's file.
  struct Found: Hashable {
    /// As it is named, and where links lead.
    let paths: Set<String>
    /// The directory of a program that is a script and has one of its own: what it runs is there.
    let ownDirectory: String?
  }

  private let directories: [FilePath]

  /// - Parameter places: the programs of their home count too.
  init(_ places: BaseDirectories) {
    let system = [
      "usr/local/bin", "usr/bin", "bin", "usr/local/sbin", "usr/sbin", "sbin", "usr/games",
      "usr/local/games", "snap/bin",
    ]
    directories =
      [places.home.map { $0.appending(FilePath(".local/bin")) }].compactMap(\.self)
      + system.map { places.systemRoot.appending(FilePath($0)) }
  }

  /// The program of a name or an absolute path; `nil` where there is none.
  func find(_ name: String) -> Found? {
    if name.hasPrefix("/") { return found(FilePath(name)) }
    guard !name.contains("/") else { return nil }
    return directories.lazy.compactMap { found($0.appending(FilePath(name))) }.first
  }

  /// The corresponding C functions are access(2) and realpath(3).
  private func found(_ path: FilePath) -> Found? {
    guard InstalledFile(path: path).exists,
      unsafe path.withCString({ unsafe access($0, X_OK) }) == 0
    else { return nil }
    let real = unsafe path.withCString { path -> FilePath? in
      guard let real = unsafe realpath(path, nil) else { return nil }
      defer { unsafe free(real) }
      return unsafe FilePath(cString: real)
    }
    let target = real ?? path
    return Found(
      paths: [path.description, target.description], ownDirectory: ownDirectory(of: target))
  }

  private func ownDirectory(of path: FilePath) -> String? {
    let directory = path.bytes[..<path.lastComponent.startIndex].dropLast()
    // Those that everybody's programs are in.
    let shared = Set(["bin", "sbin", "games", "libexec", "lib", "share"])
    guard let name = directory.split(separator: UInt8(ascii: "/")).last,
      !shared.contains(String(decoding: name, as: UTF8.self)), isScript(path)
    else { return nil }
    return String(decoding: directory, as: UTF8.self)
  }

  private func isScript(_ path: FilePath) -> Bool {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let file = unsafe path.withCString { unsafe open($0, flags) }
    guard file >= 0 else { return false }
    defer { close(file) }
    var start: UInt16 = 0
    return unsafe pread(file, &start, 2, 0) == 2
      && start == UInt16(UInt8(ascii: "#")) | UInt16(UInt8(ascii: "!")) << 8
  }
}
