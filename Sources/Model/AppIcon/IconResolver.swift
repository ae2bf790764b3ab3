public import Applications
internal import Glibc
internal import LinuxSystem

/// Finds an icon without the network: the user's own choice, the cache, the desktop's icon for the
/// application, a catalog's, one for any document.
public struct IconResolver: Sendable {
  private static let genericNames = ["x-office-document", "text-x-generic"]

  public let places: BaseDirectories
  /// In seconds since 1970-01-01T00:00:00Z.
  public let now: Int64

  public init(places: BaseDirectories, now: Int64) {
    self.places = places
    self.now = now
  }

  /// Finds the icon, stopping at the first origin that has one.
  ///
  /// - Parameters:
  ///   - explaining: goes on to the others, to say of each why it lost.
  ///   - rendered: whether a picture that has yet to be scaled and cut loses, as it is to where that
  ///     has failed.
  public func resolve(
    _ request: IconRequest, explaining: Bool = false, onlyRendered rendered: Bool = false
  ) -> IconResolution {
    var resolution = IconResolution()
    let themes = IconThemes(places)
    for origin in Consideration.Origin.allCases {
      guard resolution.answer == .none || explaining else { break }
      var round = Round(origin: origin, hasWinner: resolution.answer != .none)
      switch origin {
      case .override: findOverride(request, &round)
      case .remote:
        let icons = RemoteIcons(places: places, now: now, onlyRendered: rendered)
        icons.find(request, &round)
      case .theme: findTheme(request, themes, &round)
      case .catalog: findCatalog(request, &round)
      case .generic: findGeneric(request, themes, &round)
      }
      resolution.considerations += round.considerations
      guard resolution.answer == .none else { continue }
      resolution.answer = round.answer
      if origin == .remote {
        resolution.wouldFetch = round.wouldFetch
        resolution.stale = round.stale
        resolution.side = round.side
      }
    }
    return resolution
  }

  private func findOverride(_ request: IconRequest, _ round: inout Round) {
    guard let name = name(request, &round) else { return }
    guard let home = places.configHome else {
      return round.lose(name.text, "there is no home for configuration")
    }
    let base = home.appending(FilePath("docsource/icons"))
    for suffix in IconTheme.extensions {
      let path = base.appending(FilePath("\(name.text).\(suffix)"))
      if InstalledFile(path: path).exists {
        return round.win(.override(path), "\(path)", "the user has chosen it")
      }
    }
    round.lose("\(base.appending(FilePath(name.text)))", "no PNG or SVG of that name")
  }

  private func findTheme(
    _ request: IconRequest, _ themes: IconThemes, _ round: inout Round
  ) {
    guard let name = name(request, &round) else { return }
    let entries = DesktopEntries(places)
    guard let entry = entries.match(name) else {
      round.lose("\(name.text).desktop", "no such application is installed")
      // Without an application, a single word could be any of the theme's own icons.
      if name.text.utf8.contains(UInt8(ascii: ".")) {
        find([name.text], request, themes, &round) { .theme($0) }
      }
      return
    }
    if let icon = entry.icon, icon.utf8.first == UInt8(ascii: "/") {
      let file = InstalledFile(path: FilePath(icon))
      let isShown = IconTheme.extensions.contains { icon.hasSuffix(".\($0)") }
      if isShown, file.exists {
        return round.win(.theme(file.path), icon, "\(entry.path) names it")
      }
      round.lose(icon, "\(entry.path) names it, but it is no PNG or SVG that can be read")
    } else if entry.icon == nil {
      round.lose("\(entry.path)", "it names no icon")
    }
    let named = entry.icon.flatMap { $0.utf8.contains(UInt8(ascii: "/")) ? nil : Self.stem($0) }
    find([named, name.text].compactMap(\.self), request, themes, &round) { .theme($0) }
  }

  private func findCatalog(_ request: IconRequest, _ round: inout Round) {
    guard let name = name(request, &round) else { return }
    guard
      let match = CatalogIcons(places: places).match(name, pixels: request.size.pixels)
    else { return round.lose(name.text, "no catalog has an icon of it") }
    let reason = "a catalog's icon of \(match.pixels) pixels"
    round.win(.catalog(match.path), "\(match.path)", reason)
  }

  private func findGeneric(
    _ request: IconRequest, _ themes: IconThemes, _ round: inout Round
  ) {
    find(Self.genericNames, request, themes, &round) { .generic($0) }
  }

  /// Looks for icons by their names in the theme, the first that is there.
  private func find(
    _ names: [String], _ request: IconRequest, _ themes: IconThemes, _ round: inout Round,
    answer: (FilePath) -> IconAnswer
  ) {
    for (position, name) in names.enumerated() where !names[..<position].contains(name) {
      guard let file = FileName(name) else {
        round.lose(name, "it is not fit to be a file's name")
        continue
      }
      if let match = themes.match(file, size: request.size) {
        return round.win(answer(match.path), "\(match.path)", match.reason)
      }
      round.lose(name, "no such icon in the themes: \(themes.names)")
    }
  }

  /// The identifier as a file's name; `nil` after saying why there is none.
  private func name(_ request: IconRequest, _ round: inout Round) -> FileName? {
    guard let identifier = request.identifier else {
      round.lose("", "no identifier is known")
      return nil
    }
    guard let name = FileName(identifier) else {
      round.lose(identifier, "the identifier is not fit to be a file's name")
      return nil
    }
    return name
  }

  /// Some desktop entries name their icons with an extension, which is not to be there.
  private static func stem(_ icon: String) -> String {
    for suffix in IconTheme.extensions + ["xpm"] where icon.hasSuffix(".\(suffix)") {
      return String(icon.dropLast(suffix.count + 1))
    }
    return icon
  }
}
