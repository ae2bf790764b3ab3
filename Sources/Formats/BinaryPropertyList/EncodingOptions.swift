/// How a binary property list is written.
public struct EncodingOptions: Hashable, Sendable {
  /// In which order the keys of dictionaries are written.
  public var keyOrder: KeyOrder

  /// Makes options.
  public init(keyOrder: KeyOrder = .insertion) {
    self.keyOrder = keyOrder
  }
}
