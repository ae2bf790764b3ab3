/// A place where marks would stand, but that cannot be read.
public struct CarrierFlaw: Hashable, Sendable {
  /// Why it cannot be read.
  public enum Cause: Hashable, Sendable {
    /// It is not what its name says.
    case malformed(MarkFailure)
    /// The system refused, in words.
    case unreadable(String)
  }

  /// As in `MarkCarrier.name`.
  public let name: [UInt8]
  public let cause: Cause

  public init(name: [UInt8], cause: Cause) {
    self.name = name
    self.cause = cause
  }
}

extension CarrierFlaw: CustomStringConvertible {
  /// Why, in words that follow the name.
  public var description: String {
    switch cause {
    case .malformed(let failure): failure.description
    case .unreadable(let reason): "cannot read: \(reason)"
    }
  }
}
