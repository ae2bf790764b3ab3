/// Why bytes are not the mark of origin that they should be, and where.
public struct MarkFailure: Error, Hashable, Sendable {
  /// What is wrong.
  public let reason: Reason
  /// The offset of the byte that is wrong, or of the field or line that is.
  public let offset: Int

  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension MarkFailure: CustomStringConvertible {
  /// The failure in words.
  public var description: String { "\(reason) (at byte \(offset))" }
}
