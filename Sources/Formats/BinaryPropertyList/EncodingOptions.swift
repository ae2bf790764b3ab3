/// How a binary property list is written.
public struct EncodingOptions: Hashable, Sendable {
  /// In which order the keys of dictionaries are written.
  public var keyOrder: KeyOrder

  /// Makes options.
  public init(keyOrder: KeyOrder = .insertion) {
    self.keyOrder = keyOrder
  }
}

/// In which order the keys of a dictionary are written.
public enum KeyOrder: Hashable, Sendable {
  /// The order in which they were inserted.
  case insertion
  /// The order of their UTF-8, byte by byte: the same for all dictionaries of the same entries.
  case sorted
}

/// Why a value cannot be written as a binary property list, and which one.
public struct EncodingFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let reason: Reason
  /// The keys and positions that lead from the root to the value.
  public let path: [Step]

  /// A step from a container to a value in it.
  public enum Step: Hashable, Sendable {
    /// To the value of a key.
    case key(String)
    /// To the element at a position.
    case index(Int)
  }

  /// The failure in words.
  public var description: String {
    guard !path.isEmpty else { return reason.description }
    let place = path.map { step in
      switch step {
      case .key(let key): "[\"\(key)\"]"
      case .index(let index): "[\(index)]"
      }
    }
    return "\(reason) (at \(place.joined()))"
  }

  /// What keeps a value from being written.
  public struct Reason: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: Hashable {
      case tooDeep, duplicateKey, tooManyObjects
    }

    private let kind: Kind

    /// Containers are nested deeper than ``DecodingOptions/maximumDepth``.
    public static let tooDeep = Self(kind: .tooDeep)
    /// Two pairs of a flat dictionary have the same key.
    public static let duplicateKey = Self(kind: .duplicateKey)
    /// There are more different objects than 2^32 - 1.
    public static let tooManyObjects = Self(kind: .tooManyObjects)

    /// The reason in words.
    public var description: String {
      switch kind {
      case .tooDeep: "containers are nested too deeply"
      case .duplicateKey: "a dictionary key is given twice"
      case .tooManyObjects: "too many objects"
      }
    }
  }
}
