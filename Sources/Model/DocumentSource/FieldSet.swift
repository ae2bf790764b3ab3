extension DocumentSource {
  /// Some of the four fields.
  public struct FieldSet: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public init(_ fields: some Sequence<Field>) {
      self.init(rawValue: fields.reduce(0) { $0 | Self.bit(of: $1) })
    }

    public static let all = FieldSet(Field.allCases)

    public func contains(_ field: Field) -> Bool { rawValue & Self.bit(of: field) != 0 }

    private static func bit(of field: Field) -> UInt8 {
      switch field {
      case .identifier: 1
      case .name: 2
      case .path: 4
      case .appInfoURL: 8
      }
    }
  }
}
