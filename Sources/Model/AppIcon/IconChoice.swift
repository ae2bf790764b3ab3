/// The icons of a list in the order in which they suit a size.
///
/// What may be used whole comes before what is meant to be cut, square before oblong; then the exact
/// size, the smallest larger, the largest smaller. Of equals the last declared counts.
public struct IconChoice: Sendable {
  /// So many are tried.
  public static let candidateLimit = 3

  /// In pixels.
  public let pixels: Int
  /// Best first; each file once, where it suits best.
  public let ranked: [DeclaredIcon]
  /// Icons whose file is ranked already.
  public let repeated: [DeclaredIcon]

  public init(_ icons: [DeclaredIcon], pixels: Int) {
    self.pixels = pixels
    let sorted = icons.enumerated().sorted { first, second in
      Self.precedes(first.element, second.element, pixels) ?? (first.offset > second.offset)
    }
    var (ranked, repeated): ([DeclaredIcon], [DeclaredIcon]) = ([], [])
    var seen: Set<String> = []
    for (_, icon) in sorted {
      if seen.insert(icon.source).inserted { ranked.append(icon) } else { repeated.append(icon) }
    }
    self.ranked = ranked
    self.repeated = repeated
  }

  /// What is tried, best first.
  public var candidates: [DeclaredIcon] { Array(ranked.prefix(Self.candidateLimit)) }

  /// How an icon suits, in words.
  public func fitness(of icon: DeclaredIcon) -> String {
    let size = "\(icon.width)x\(icon.height)"
    let fit =
      switch icon.side {
      case pixels: "exactly the \(pixels) pixels asked for"
      case ..<pixels: "smaller than the \(pixels) pixels asked for"
      default: "larger than the \(pixels) pixels asked for"
      }
    return
      ([size, fit] + (icon.isSquare ? [] : ["not square"])
      + (icon.purpose == .maskable ? ["meant to be cut"] : [])).joined(separator: ", ")
  }

  /// Whether one icon suits better than another; `nil` where they are equal.
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
