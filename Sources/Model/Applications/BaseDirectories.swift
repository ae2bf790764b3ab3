internal import Glibc
public import LinuxSystem

/// Where a user's files and the system's lie, by the XDG Base Directory Specification.
///
/// A value that is empty or no absolute path counts as not set.
public struct BaseDirectories: Sendable {
  /// `XDG_CACHE_HOME`, else `~/.cache`; `nil` without a home.
  public var cacheHome: FilePath?
  /// `XDG_CONFIG_HOME`, else `~/.config`; `nil` without a home.
  public var configHome: FilePath?
  /// `XDG_DATA_HOME`, else `~/.local/share`; `nil` without a home.
  public var dataHome: FilePath?
  /// `XDG_DATA_DIRS`, else `/usr/local/share` and `/usr/share`.
  public var systemData: [FilePath]
  public var home: FilePath?
  /// What the paths of the system are relative to: `/`, but for tests.
  public var systemRoot: FilePath

  /// - Parameter variable: gives the bytes of an environment variable, or `nil`.
  public init(systemRoot: FilePath = FilePath("/"), variable: (String) -> [UInt8]?) {
    func place(_ name: String) -> FilePath? { variable(name).flatMap { Self.absolute($0[...]) } }
    let home = place("HOME")
    func below(_ path: String) -> FilePath? { home.map { $0.appending(FilePath(path)) } }
    self.home = home
    self.systemRoot = systemRoot
    cacheHome = place("XDG_CACHE_HOME") ?? below(".cache")
    configHome = place("XDG_CONFIG_HOME") ?? below(".config")
    dataHome = place("XDG_DATA_HOME") ?? below(".local/share")
    let listed = (variable("XDG_DATA_DIRS") ?? []).split(separator: UInt8(ascii: ":"))
      .compactMap(Self.absolute)
    systemData =
      listed.isEmpty
      ? ["usr/local/share", "usr/share"].map { systemRoot.appending(FilePath($0)) } : listed
  }

  /// The places of this process's user. The corresponding C function is getenv(3).
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

  /// Where flatpak keeps what it installed.
  package var flatpakInstallations: [FilePath] {
    [dataHome.map { $0.appending(FilePath("flatpak")) }, system("var/lib/flatpak")]
      .compactMap(\.self)
  }

  /// Where applications and icons are looked for, the user's first; what flatpak and snap export is
  /// among them even where the session does not say so.
  package var dataDirectories: [FilePath] {
    let exports =
      flatpakInstallations.map { $0.appending(FilePath("exports/share")) }
      + [system("var/lib/snapd/desktop")]
    var seen: Set<FilePath> = []
    return ([dataHome].compactMap(\.self) + systemData + exports).filter {
      seen.insert($0).inserted
    }
  }
}

/// The language in which a user wants to be told things.
public struct MessageLocale: Sendable {
  /// How the Desktop Entry Specification names it in keys, from the nearest to the widest:
  /// `sr_YU@Latn`, `sr_YU`, `sr@Latn`, `sr`. None for the locale C.
  let languages: [String]

  /// By the value of `LC_ALL`, else `LC_MESSAGES`, else `LANG`: `de_AT.UTF-8@euro`. The specification
  /// knows no list of languages as gettext's `LANGUAGE` is.
  ///
  /// - Parameter variable: gives an environment variable, or `nil`.
  public init(variable: (String) -> String?) {
    let value = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty }
    let parts = (value ?? "").split(separator: "@", maxSplits: 1)
    let place = (parts.first ?? "").prefix { $0 != "." }
    let language = place.prefix { $0 != "_" }
    guard !language.isEmpty, language != "C", language != "POSIX" else {
      languages = []
      return
    }
    let modifier = parts.count > 1 ? "@\(parts[1])" : ""
    var names: [String] = []
    for name in ["\(place)\(modifier)", "\(place)", "\(language)\(modifier)", "\(language)"]
    where !names.contains(name) {
      names.append(name)
    }
    languages = names
  }

  /// That of this process's user. The corresponding C function is getenv(3).
  public static func current() -> MessageLocale {
    MessageLocale { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
  }
}
