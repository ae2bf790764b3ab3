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

extension CarrierFlaw {
  /// What reading a file beside has thrown.
  init(name: [UInt8], _ error: any Error) {
    let cause =
      (error as? MarkFailure).map { Cause.malformed($0) } ?? .unreadable("\(error)".lowercased())
    self.init(name: name, cause: cause)
  }

  /// Whether there is a file, though not what its name says.
  var isThere: Bool {
    if case .malformed = cause { true } else { false }
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
