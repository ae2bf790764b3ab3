/// What became of one mark, or one file of marks, that was to be written.
public struct EmissionStep: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable {
    /// It was written, or would be.
    case written
    /// It is there and says the same.
    case unchanged
    /// Something else is there.
    case refused
    /// It could not be written, in words.
    case failed(String)
  }

  /// The attribute's full name, or the name of the file beside the document.
  public let target: [UInt8]
  public let outcome: Outcome
}
