/// Why bytes are not a PNG that can be shown, and where.
public struct PictureFailure: Error, Hashable, Sendable {
  /// What is wrong.
  public let reason: Reason
  /// The offset of the byte that is wrong; for damage that libpng finds, how far it had read.
  public let offset: Int

  init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension PictureFailure: CustomStringConvertible {
  /// The failure in words.
  public var description: String { "\(reason) (at byte \(offset))" }
}
