/// The icons that an application's appInfo.json offers: the original's
/// `{"icons": [{"width": 29, "height": 29, "src": "icon.png"}]}`, or a W3C manifest's icons with
/// `sizes`, `type` and `purpose`.
///
/// An entry that cannot be used is skipped with a reason; the others count.
package struct AppInfo: Hashable, Sendable {
  /// Longer text is refused.
  package static let sizeLimit = 64 << 10
  /// The number of icons that are read; further ones are skipped.
  package static let countLimit = 64
  /// An icon declared larger is skipped, as its picture would be refused; in pixels a side.
  package static let sideLimit = 2048

  /// An entry that is not used, and why.
  package struct Skipped: Hashable, Sendable {
    /// The entry's place in the list, from 0.
    package let position: Int
    package let reason: String
  }

  /// Why there is no list of icons at all.
  package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLarge
    /// It is no JSON by RFC 8259. Line and column count from 1, the offset in bytes from 0.
    case syntax(reason: String, line: Int, column: Int, offset: Int)
    case notObject(kind: String)
    case noIcons
    case iconsNotArray(kind: String)

    /// In words that stand alone.
    package var description: String {
      switch self {
      case .tooLarge: "the icon list is larger than \(AppInfo.sizeLimit >> 10) KiB"
      case .syntax(let reason, let line, let column, _):
        "invalid JSON: line \(line), column \(column): \(reason)"
      case .notObject(let kind): "the root is \(kind), not an object"
      case .noIcons: "the key 'icons' is missing"
      case .iconsNotArray(let kind): "'icons' is \(kind), not an array"
      }
    }
  }

  /// In the order of the list.
  package internal(set) var icons: [DeclaredIcon] = []
  package internal(set) var skipped: [Skipped] = []

  /// A list of one icon, for a URL that gave a picture instead of a list.
  init(picture url: ResolvedURL, _ pixels: PixelSize) {
    let (width, height) = (pixels.width, pixels.height)
    icons = [DeclaredIcon(position: 0, width: width, height: height, source: url.text)]
  }

  /// - Throws: `Failure`
  package init(json: [UInt8]) throws(Failure) {
    try AppInfoReader.read(json, into: &self)
  }
}

/// An icon as appInfo.json declares it; nothing of it has been seen yet.
package struct DeclaredIcon: Hashable, Sendable {
  /// The purpose that a W3C manifest declares for an icon.
  package enum Purpose: String, Hashable, Sendable {
    case any
    /// Its edge may be cut away.
    case maskable
  }

  /// The entry's place in the list, from 0.
  package let position: Int
  /// In pixels.
  package let width: Int
  package let height: Int
  /// Relative to the URL where the JSON was in the end.
  package let source: String
  package internal(set) var type: String?
  package internal(set) var purpose = Purpose.any

  /// The shorter side, in pixels.
  package var side: Int { min(width, height) }

  package var isSquare: Bool { width == height }
}

/// The icons of a list in the order in which they suit a size.
///
/// Icons for any purpose come before maskable ones, square before oblong; then the exact size, the
/// smallest larger, the largest smaller. Of equal icons the last declared one comes first.
package struct IconChoice: Sendable {
  /// The number of icons that are tried.
  package static let candidateLimit = 3

  /// In pixels.
  package let pixels: Int
  /// Best first; each file once, where it suits best.
  package let ranked: [DeclaredIcon]
  /// Icons whose file is ranked already.
  package let repeated: [DeclaredIcon]

  private static let few = 32

  package init(_ icons: [DeclaredIcon], pixels: Int) {
    self.pixels = pixels
    let sorted = icons.enumerated().sorted { first, second in
      Self.precedes(first.element, second.element, pixels) ?? (first.offset > second.offset)
    }
    var (ranked, repeated): ([DeclaredIcon], [DeclaredIcon]) = ([], [])
    // To make the type of a set takes longer than to compare a few.
    let areFew = icons.count <= Self.few
    var seen: Set<String> = []
    for (_, icon) in sorted {
      let isNew =
        areFew
        ? !ranked.contains { $0.source == icon.source } : seen.insert(icon.source).inserted
      if isNew { ranked.append(icon) } else { repeated.append(icon) }
    }
    self.ranked = ranked
    self.repeated = repeated
  }

  /// The icons to try, best first.
  package var candidates: [DeclaredIcon] { Array(ranked.prefix(Self.candidateLimit)) }

  /// How an icon suits, in words.
  package func fitness(of icon: DeclaredIcon) -> String {
    let size = "\(icon.width)x\(icon.height)"
    let fit =
      switch icon.side {
      case pixels: "exactly the requested \(pixels) pixels"
      case ..<pixels: "smaller than the requested \(pixels) pixels"
      default: "larger than the requested \(pixels) pixels"
      }
    return "\(size), \(fit)" + (icon.isSquare ? "" : ", not square")
      + (icon.purpose == .maskable ? ", maskable" : "")
  }

  /// Whether one icon suits better than another; `nil` if they are equal.
  private static func precedes(
    _ first: DeclaredIcon, _ second: DeclaredIcon, _ pixels: Int
  ) -> Bool? {
    if first.purpose != second.purpose { return first.purpose == .any }
    if first.isSquare != second.isSquare { return first.isSquare }
    let (firstFits, secondFits) = (first.side >= pixels, second.side >= pixels)
    if firstFits != secondFits { return firstFits }
    guard first.side != second.side else { return nil }
    return (first.side < second.side) == firstFits
  }
}
