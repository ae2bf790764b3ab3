public import Xattr

/// A place that holds attributes of a file in the form of another system.
public struct ForeignCarrier: Sendable {
  /// An attribute by the name that it has where Linux is at home.
  public struct Attribute: Hashable, Sendable {
    public let name: AttributeName
    public let value: [UInt8]

    public init(name: AttributeName, value: [UInt8]) {
      self.name = name
      self.value = value
    }
  }

  public let carrier: MarkCarrier
  public let attributes: [Attribute]
  /// What else it holds, which no attribute of Linux can hold, in words: for that it is kept.
  public let remainder: [String]
  let trust: Trust
  /// When it was last written, in seconds since 1970; `nil` where that cannot be told.
  let modified: Double?
  let removal: Removal

  /// How it goes once its attributes are native.
  enum Removal: Sendable {
    /// It stays: it is not ours to remove.
    case never
    case attribute(AttributeName)
    /// The native attribute takes its place, since it has the same name.
    case replacement
    case file(NeighbourPath)
  }

  /// What an archive holds of a file.
  public init(carrier: MarkCarrier, attributes: [Attribute], remainder: [String] = []) {
    self.init(
      carrier: carrier, attributes: attributes, remainder: remainder, trust: .beside,
      modified: nil, removal: .never)
  }

  init(
    carrier: MarkCarrier, attributes: [Attribute], remainder: [String] = [], trust: Trust,
    modified: Double?, removal: Removal
  ) {
    self.carrier = carrier
    self.attributes = attributes
    self.remainder = remainder
    self.trust = trust
    self.modified = modified
    self.removal = removal
  }
}
