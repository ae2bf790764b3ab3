internal import Applications
internal import LinuxSystem

/// The icons that AppStream's catalogs and flatpak's remotes bring of applications, installed or not.
struct CatalogIcons {
  private static let roots = [
    "var/lib/swcatalog/icons", "var/cache/swcatalog/icons", "usr/share/swcatalog/icons",
    "var/lib/app-info/icons", "var/cache/app-info/icons", "usr/share/app-info/icons",
  ]

  let places: BaseDirectories

  /// The icon whose size suits best: exact, then the smallest larger, then the largest smaller.
  func match(_ identifier: FileName, pixels: Int) -> (path: FilePath, pixels: Int)? {
    let found = origins.flatMap { origin in
      InstalledDirectory(path: origin).names.compactMap { name -> (path: FilePath, pixels: Int)? in
        guard let pixels = Self.pixels(name) else { return nil }
        let directory = origin.appending(FilePath(name))
        return Self.icon(identifier.text, in: directory).map { ($0, pixels) }
      }
    }
    let larger = found.filter { $0.pixels >= pixels }
    return larger.min { $0.pixels < $1.pixels } ?? found.max { $0.pixels < $1.pixels }
  }

  /// Directories that have one directory for each size.
  private var origins: [FilePath] {
    let catalogs = Self.roots.flatMap { Self.below(places.system($0)) }
    let remotes = places.flatpakInstallations.flatMap { installation in
      Self.below(installation.appending(FilePath("appstream"))).flatMap(Self.below)
        .map { $0.appending(FilePath("active/icons")) }
    }
    return catalogs + remotes
  }

  private static func below(_ directory: FilePath) -> [FilePath] {
    InstalledDirectory(path: directory).names.map { directory.appending(FilePath($0)) }
  }

  /// `64x64` or `64x64@2`, in pixels.
  private static func pixels(_ name: String) -> Int? {
    let parts = name.split(separator: "@", omittingEmptySubsequences: false)
    let sides = parts[0].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    let scale = parts.count == 2 ? Int(parts[1]) : parts.count == 1 ? 1 : nil
    guard sides.count == 2, let side = sides[0], side == sides[1], 1...1024 ~= side, let scale,
      1...8 ~= scale
    else { return nil }
    return side * scale
  }

  /// The file has the application's name, or as Debian does it, that of the package before it.
  private static func icon(_ identifier: String, in directory: FilePath) -> FilePath? {
    let plain = directory.appending(FilePath("\(identifier).png"))
    if InstalledFile(path: plain).exists { return plain }
    let name = InstalledDirectory(path: directory).names
      .first { $0.hasSuffix("_\(identifier).png") }
    return name.map { directory.appending(FilePath($0)) }
  }
}
