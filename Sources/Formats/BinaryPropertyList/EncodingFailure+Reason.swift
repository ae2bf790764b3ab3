extension EncodingFailure {
  /// What keeps a value from being written.
  public struct Reason: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: Hashable {
      case tooDeep, duplicateKey, bufferTooSmall, tooManyObjects
    }

    private let kind: Kind

    /// Containers are nested deeper than ``DecodingOptions/maximumDepth``.
    public static let tooDeep = Self(kind: .tooDeep)
    /// Two pairs of a flat dictionary have the same key.
    public static let duplicateKey = Self(kind: .duplicateKey)
    /// The property list is longer than the buffer it is to fill.
    public static let bufferTooSmall = Self(kind: .bufferTooSmall)
    /// There are more different objects than 2^32 - 1.
    public static let tooManyObjects = Self(kind: .tooManyObjects)

    /// The reason in words.
    public var description: String {
      switch kind {
      case .tooDeep: "containers are nested too deep"
      case .duplicateKey: "a dictionary key is given twice"
      case .bufferTooSmall: "the buffer is too small"
      case .tooManyObjects: "there are too many objects"
      }
    }
  }
}
