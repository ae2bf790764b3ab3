/// What an application's appInfo.json offers: the original's
/// `{"icons": [{"width": 29, "height": 29, "src": "icon.png"}]}`, or a W3C manifest's icons with
/// `sizes`, `type` and `purpose`.
///
/// An entry that cannot be used is skipped with a reason; the others count.
public struct AppInfo: Hashable, Sendable {
  /// Longer text is refused.
  public static let sizeLimit = 64 << 10
  /// Icons behind so many are skipped.
  public static let countLimit = 64
  /// An icon declared larger is skipped, as its picture would be refused; in pixels a side.
  public static let sideLimit = 2048

  /// An entry that is not used, and why.
  public struct Skipped: Hashable, Sendable {
    /// The entry's place in the list, from 0.
    public let position: Int
    public let reason: String
  }

  /// Why there is no list of icons at all.
  public enum Failure: Error, Hashable, Sendable {
    /// It is longer than 64 KiB.
    case tooLarge
    /// It is no JSON by RFC 8259. Line and column count from 1, the offset in bytes from 0.
    case syntax(reason: String, line: Int, column: Int, offset: Int)
    /// The root is something else than an object.
    case notObject(kind: String)
    /// The root has no key `icons`.
    case noIcons
    /// The value of `icons` is something else than an array.
    case iconsNotArray(kind: String)
  }

  /// In the order of the list.
  public internal(set) var icons: [DeclaredIcon] = []
  public internal(set) var skipped: [Skipped] = []

  /// A list of one picture that is there in a list's place.
  init(picture url: ResolvedURL, _ pixels: PixelSize) {
    icons = [
      DeclaredIcon(position: 0, width: pixels.width, height: pixels.height, source: url.text)
    ]
  }

  /// - Throws: `Failure`
  public init(json: [UInt8]) throws(Failure) {
    try AppInfoReader.read(json, into: &self)
  }
}

extension AppInfo.Failure: CustomStringConvertible {
  /// In words that stand alone.
  public var description: String {
    switch self {
    case .tooLarge: "it is longer than \(AppInfo.sizeLimit >> 10) KiB"
    case .syntax(let reason, let line, let column, _):
      "it is no JSON: line \(line), column \(column): \(reason)"
    case .notObject(let kind): "its root is \(kind), not an object"
    case .noIcons: "it has no key 'icons'"
    case .iconsNotArray(let kind): "its 'icons' is \(kind), not an array"
    }
  }
}
