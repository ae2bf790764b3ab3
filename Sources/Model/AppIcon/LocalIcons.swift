internal import Applications
internal import Glibc
package import LinuxSystem

/// Finds an icon without the network: the user's own choice, the cache, the desktop's icon for the
/// application, a catalog's, one for any document.
package struct LocalIcons: Sendable {
  private static let genericNames = ["x-office-document", "text-x-generic"]

  package let places: BaseDirectories
  /// In seconds since 1970-01-01T00:00:00Z.
  package let now: Int64

  package init(places: BaseDirectories, now: Int64) {
    self.places = places
    self.now = now
  }

  /// Finds the icon, stopping at the first origin that has one.
  ///
  /// - Parameters:
  ///   - explaining: goes on to the other origins, to say of each why it lost.
  ///   - rendered: whether to pass over pictures that have yet to be scaled and cut; for a second try,
  ///     after that has failed.
  package func find(
    _ request: IconRequest, explaining: Bool = false, onlyRendered rendered: Bool = false
  ) -> Report {
    var report = Report()
    let themes = IconThemes(places)
    for origin in Consideration.Origin.allCases {
      let isDecided = report.answer != .none
      guard !isDecided || explaining else { break }
      report.origin = origin
      switch origin {
      case .override: findOverride(request, &report)
      case .remote:
        RemoteIcons(places: places, now: now, onlyRendered: rendered).find(request, &report)
        if isDecided { report.forgetRemote() }
      case .theme: findTheme(request, themes, &report)
      case .catalog: findCatalog(request, &report)
      case .generic: findNamed(Self.genericNames, request, themes, &report) { .generic($0) }
      }
    }
    return report
  }

  private func findOverride(_ request: IconRequest, _ report: inout Report) {
    guard let name = name(request, &report) else { return }
    guard let home = places.configHome else {
      return report.lose(name.text, BaseDirectories.Home.configuration.absence)
    }
    let base = home.appending(FilePath("docsource/icons"))
    if let path = IconTheme.path(of: name, in: [base]) {
      return report.win(.override(path), "\(path)", "chosen by the user")
    }
    report.lose("\(base.appending(FilePath(name.text)))", "no PNG or SVG of this name")
  }

  private func findTheme(_ request: IconRequest, _ themes: IconThemes, _ report: inout Report) {
    guard let name = name(request, &report) else { return }
    let entries = DesktopEntries(places)
    guard let entry = entries.match(name) else {
      report.lose("\(name.text).desktop", "no such application is installed")
      // Without an application, a single word could be any of the theme's own icons.
      if name.text.utf8.contains(UInt8(ascii: ".")) {
        findNamed([name.text], request, themes, &report) { .theme($0) }
      }
      return
    }
    if let icon = entry.icon, icon.utf8.first == UInt8(ascii: "/") {
      let file = InstalledFile(path: FilePath(icon))
      if IconTheme.extensions.contains(where: { icon.hasSuffix(".\($0)") }), file.exists {
        return report.win(.theme(file.path), icon, "named in \(entry.path)")
      }
      report.lose(icon, "named in \(entry.path), but not a readable PNG or SVG")
    } else if entry.icon == nil {
      report.lose("\(entry.path)", "the desktop file names no icon")
    }
    let named = entry.icon.flatMap { $0.utf8.contains(UInt8(ascii: "/")) ? nil : Self.stem($0) }
    findNamed([named, name.text].compactMap(\.self), request, themes, &report) { .theme($0) }
  }

  private func findCatalog(_ request: IconRequest, _ report: inout Report) {
    guard let name = name(request, &report) else { return }
    guard
      let match = CatalogIcons(places: places).match(name, pixels: request.rendering.size.pixels)
    else { return report.lose(name.text, "no catalog has an icon of this application") }
    let reason = "icon of \(match.pixels) pixels from a catalog"
    report.win(.catalog(match.path), "\(match.path)", reason)
  }

  /// Looks for an icon in the themes by several names; the first that is found wins.
  private func findNamed(
    _ names: [String], _ request: IconRequest, _ themes: IconThemes, _ report: inout Report,
    answer: (FilePath) -> Icon
  ) {
    for (position, name) in names.enumerated() where !names[..<position].contains(name) {
      guard let file = FileName(name) else {
        report.lose(name, "not a valid file name")
        continue
      }
      if let match = themes.match(file, size: request.rendering.size) {
        return report.win(answer(match.path), "\(match.path)", match.reason)
      }
      report.lose(name, "no such icon in the themes: \(themes.names)")
    }
  }

  /// The identifier as a file's name; where there is none, `nil` after adding the reason.
  private func name(_ request: IconRequest, _ report: inout Report) -> FileName? {
    guard let identifier = request.identifier else {
      report.lose("", "no identifier is known")
      return nil
    }
    guard let name = FileName(identifier) else {
      report.lose(identifier, "the identifier is not a valid file name")
      return nil
    }
    return name
  }

  /// Some desktop entries name their icons with an extension, which the specification forbids.
  private static func stem(_ icon: String) -> String {
    for suffix in IconTheme.extensions + ["xpm"] where icon.hasSuffix(".\(suffix)") {
      return String(icon.dropLast(suffix.count + 1))
    }
    return icon
  }

  /// An icon that can be had without the network.
  package enum Icon: Hashable, Sendable {
    /// A PNG or SVG that the user has chosen for the identifier.
    case override(FilePath)
    /// A finished PNG in the cache.
    case cached(FilePath)
    /// The picture at a URL is in the cache and has only to be scaled and cut.
    case rendering(ResolvedURL)
    /// The application's own icon: a PNG or SVG of a theme, or one that its desktop entry names.
    case theme(FilePath)
    /// A PNG of an AppStream catalog or a flatpak remote.
    case catalog(FilePath)
    /// A PNG or SVG that stands for any document.
    case generic(FilePath)
    case none

    /// The icon's origin; `nil` if there is no finished icon.
    package var origin: Consideration.Origin? {
      switch self {
      case .override: .override
      case .cached: .remote
      case .theme: .theme
      case .catalog: .catalog
      case .generic: .generic
      case .rendering, .none: nil
      }
    }

    /// The icon's file; `nil` if there is no finished icon.
    package var path: FilePath? {
      switch self {
      case .override(let path), .cached(let path), .theme(let path), .catalog(let path),
        .generic(let path):
        path
      case .rendering, .none: nil
      }
    }
  }

  /// What was found for a request.
  package struct Report: Sendable {
    package private(set) var answer = Icon.none
    /// The URL to fetch for an icon, or a better one; `nil` if fetching would not help, or has
    /// been tried too recently.
    package internal(set) var wouldFetch: ResolvedURL?
    /// The URLs that the answer comes from and about which the server should be asked whether they
    /// have changed.
    package internal(set) var stale: [ResolvedURL] = []
    /// Of a remote icon: the shorter side of the picture it is made from, in pixels.
    package internal(set) var side: Int?
    /// In order; those after the winner only where an explanation was asked for.
    package private(set) var considerations: [Consideration] = []
    /// The origin that is being asked.
    fileprivate var origin = Consideration.Origin.override

    mutating func lose(_ subject: String, _ reason: String) {
      considerations.append(
        Consideration(origin: origin, subject: subject, won: false, reason: reason))
    }

    mutating func win(_ answer: Icon, _ subject: String, _ reason: String) {
      guard self.answer == .none else {
        return lose(subject, "\(reason); an icon found earlier is used")
      }
      self.answer = answer
      considerations.append(
        Consideration(origin: origin, subject: subject, won: true, reason: reason))
    }

    /// Forgets what concerns a remote icon, where an earlier origin has the icon.
    fileprivate mutating func forgetRemote() { (wouldFetch, stale, side) = (nil, [], nil) }
  }
}

/// The application whose icon is asked for, and how the icon is to look.
package struct IconRequest: Sendable {
  /// The application's, as the document source has it.
  package let identifier: String?
  /// The URL of its appInfo.json, as the document source has it.
  package let appInfoURL: String?
  package let rendering: IconRendering

  package init(identifier: String? = nil, appInfoURL: String? = nil, _ rendering: IconRendering) {
    self.identifier = identifier
    self.appInfoURL = appInfoURL
    self.rendering = rendering
  }
}

/// A place or picture that was considered on the way to an icon, and what became of it.
package struct Consideration: Hashable, Sendable {
  /// Where icons come from, in the order in which they are asked.
  package enum Origin: String, CaseIterable, Sendable {
    case override
    case remote
    case theme
    case catalog
    case generic
  }

  package let origin: Origin
  /// A URL, a path or a name; untrusted text.
  package let subject: String
  package let won: Bool
  /// Why it won or lost, in words that follow the subject.
  package let reason: String
}

/// The icons that AppStream's catalogs and flatpak's remotes hold, whether or not the application
/// is installed.
private struct CatalogIcons {
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
    return InstalledDirectory(path: directory).names.first { $0.hasSuffix("_\(identifier).png") }
      .map { directory.appending(FilePath($0)) }
  }
}
