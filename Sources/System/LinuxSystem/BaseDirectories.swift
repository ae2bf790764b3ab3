internal import Glibc

/// The directories of a user's files and the system's, by the XDG Base Directory Specification.
///
/// A variable that is empty or holds no absolute path counts as not set.
public struct BaseDirectories: Sendable {
  /// A directory for one kind of a user's files, by the variable that names it.
  package enum Home: String {
    case cache = "XDG_CACHE_HOME"
    case configuration = "XDG_CONFIG_HOME"
    case data = "XDG_DATA_HOME"

    /// Why a user has none, in words that stand alone.
    package var absence: String { "neither \(rawValue) nor HOME is set to an absolute path" }
  }

  /// `XDG_CACHE_HOME`, else `~/.cache`; `nil` without a home.
  public var cacheHome: FilePath?
  /// `XDG_CONFIG_HOME`, else `~/.config`; `nil` without a home.
  public var configHome: FilePath?
  /// `XDG_DATA_HOME`, else `~/.local/share`; `nil` without a home.
  public var dataHome: FilePath?
  /// `XDG_RUNTIME_DIR`, for files that are removed when the user's session ends; `nil` without.
  public var runtimeDirectory: FilePath?
  /// `XDG_DATA_DIRS`, else `/usr/local/share` and `/usr/share`.
  public var systemData: [FilePath]
  public var home: FilePath?
  /// The directory that the system's paths are relative to: `/`, except in tests.
  public var systemRoot: FilePath

  /// - Parameter variable: returns the bytes of an environment variable, or `nil`.
  public init(systemRoot: FilePath = FilePath("/"), variable: (String) -> [UInt8]?) {
    func place(_ name: String) -> FilePath? { variable(name).flatMap { Self.absolute($0[...]) } }
    let home = place("HOME")
    func below(_ path: String) -> FilePath? { home.map { $0.appending(FilePath(path)) } }
    self.home = home
    self.systemRoot = systemRoot
    cacheHome = place(Home.cache.rawValue) ?? below(".cache")
    configHome = place(Home.configuration.rawValue) ?? below(".config")
    dataHome = place(Home.data.rawValue) ?? below(".local/share")
    runtimeDirectory = place("XDG_RUNTIME_DIR")
    let listed = (variable("XDG_DATA_DIRS") ?? []).split(separator: UInt8(ascii: ":"))
      .compactMap(Self.absolute)
    systemData =
      listed.isEmpty
      ? ["usr/local/share", "usr/share"].map { systemRoot.appending(FilePath($0)) } : listed
  }

  /// The variables of the environment that ``current`` reads, but for `XDG_RUNTIME_DIR`, by which a
  /// program would find the user's session bus.
  public static let variables = [
    "HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS",
  ]

  /// The directories of the user of this process. The corresponding C function is getenv(3).
  public static func current() -> BaseDirectories {
    BaseDirectories { name in
      guard let value = unsafe getenv(name) else { return nil }
      return unsafe Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }
  }

  private static func absolute(_ bytes: ArraySlice<UInt8>) -> FilePath? {
    bytes.first == UInt8(ascii: "/") ? FilePath(bytes: bytes) : nil
  }

  package func system(_ path: String) -> FilePath { systemRoot.appending(FilePath(path)) }

  /// The directories that flatpak installs into.
  package var flatpakInstallations: [FilePath] {
    [dataHome.map { $0.appending(FilePath("flatpak")) }, system("var/lib/flatpak")]
      .compactMap(\.self)
  }

  /// The directories with data of `XDG_DATA_HOME` and `XDG_DATA_DIRS`, the user's first.
  package var homeAndSystemData: [FilePath] { [dataHome].compactMap(\.self) + systemData }

  /// The directories to search for applications and icons, the user's first. Those that flatpak and
  /// snap export are included even where the session's variables do not name them.
  package var dataDirectories: [FilePath] {
    let exports =
      flatpakInstallations.map { $0.appending(FilePath("exports/share")) }
      + [system("var/lib/snapd/desktop")]
    // A set of a handful takes a tenth of a millisecond: its type is made when the program runs.
    return (homeAndSystemData + exports).reduce(into: []) { known, directory in
      if !known.contains(directory) { known.append(directory) }
    }
  }
}
