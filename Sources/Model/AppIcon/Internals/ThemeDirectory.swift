internal import Applications

/// A directory of an icon theme, and for which sizes its icons are drawn.
struct ThemeDirectory: Hashable {
  enum Kind: Hashable {
    case fixed
    case scalable(minimum: Int, maximum: Int)
    case threshold(Int)
  }

  /// Relative to the theme's directory.
  let name: String
  let size: Int
  let scale: Int
  let kind: Kind

  /// Reads the directory's group in a theme's index.
  ///
  /// - Returns: `nil` where it has no size or its name leads out of the theme.
  init?(_ name: String, in index: KeyFile) {
    let components = name.split(separator: "/", omittingEmptySubsequences: false)
    guard components.allSatisfy({ FileName($0) != nil }), let size = index.number("Size", in: name)
    else { return nil }
    self.name = name
    self.size = size
    scale = max(1, index.number("Scale", in: name) ?? 1)
    switch index.value("Type", in: name) {
    case "Fixed": kind = .fixed
    case "Scalable":
      kind = .scalable(
        minimum: index.number("MinSize", in: name) ?? size,
        maximum: index.number("MaxSize", in: name) ?? size)
    default: kind = .threshold(index.number("Threshold", in: name) ?? 2)
    }
  }

  private var sizes: ClosedRange<Int> {
    switch kind {
    case .fixed: size...size
    case .scalable(let minimum, let maximum): minimum...max(minimum, maximum)
    case .threshold(let threshold): (size - threshold)...(size + threshold)
    }
  }

  /// DirectoryMatchesSize of the Icon Theme Specification.
  func matches(size: Int, scale: Int) -> Bool { self.scale == scale && sizes ~= size }

  /// DirectorySizeDistance of the Icon Theme Specification, in pixels.
  ///
  /// Its text measures threshold directories by MinSize and MaxSize, which they do not have; here
  /// as in GTK it is by the threshold.
  func distance(size: Int, scale: Int) -> Int {
    let pixels = size * scale
    if pixels < sizes.lowerBound * self.scale { return sizes.lowerBound * self.scale - pixels }
    return max(0, pixels - sizes.upperBound * self.scale)
  }
}
