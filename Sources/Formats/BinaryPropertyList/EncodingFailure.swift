/// Why a value cannot be written as a binary property list, and which one.
public struct EncodingFailure: Error, Hashable, Sendable {
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
}

extension EncodingFailure: CustomStringConvertible {
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
}
