public import LinuxSystem

/// The icon that there is without the network.
public enum IconAnswer: Hashable, Sendable {
  /// A PNG or SVG that the user has put there for the identifier.
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
}
