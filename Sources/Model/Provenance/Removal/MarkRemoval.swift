/// What was removed of one file's marks.
public struct MarkRemoval: Sendable {
  /// What could not be removed.
  public struct Failure: Hashable, Sendable {
    /// As in `MarkCarrier.name`.
    public let carrier: [UInt8]
    /// Why, in words.
    public let reason: String
  }

  /// The carriers that are gone, or would be, as in `MarkCarrier.name`.
  public internal(set) var removed: [[UInt8]] = []
  public internal(set) var failures: [Failure] = []

  mutating func fail(_ carrier: [UInt8], _ reason: String) {
    failures.append(Failure(carrier: carrier, reason: reason))
  }
}
