/// Why bytes are not a binary property list that can be read, and where.
public struct DecodingFailure: Error, Hashable, Sendable {
  /// What is wrong.
  public let reason: Reason
  /// The offset of the byte that is wrong, or of the object that is.
  public let offset: Int

  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension DecodingFailure: CustomStringConvertible {
  /// The failure in words.
  public var description: String { "\(reason) (at byte \(offset))" }
}
