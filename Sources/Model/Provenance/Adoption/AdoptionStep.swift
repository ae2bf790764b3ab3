public import Xattr

/// What became of one carrier.
public struct AdoptionStep: Sendable {
  public let carrier: MarkCarrier
  /// The attributes that were written, or would be.
  public internal(set) var written: [AttributeName] = []
  /// Those that the file has with another value, where nobody has said which counts: they stay as
  /// they are, and so does the carrier.
  public internal(set) var contradicted: [AttributeName] = []
  /// Those of the carrier that gave way to the file's own.
  public internal(set) var overruled: [AttributeName] = []
  /// What the carrier is kept for, in words.
  public internal(set) var remainder: [String] = []
  /// Whether the carrier is a file of another user, of whom nothing is taken.
  public internal(set) var isForeign = false
  /// What went wrong, in words; the carrier is kept then.
  public internal(set) var failures: [String] = []
  /// Whether the carrier is gone, or would be.
  public internal(set) var isRemoved = false

  /// Whether anything was done, or would be.
  public var isChange: Bool { !written.isEmpty || isRemoved }

  init(_ carrier: MarkCarrier) { self.carrier = carrier }
}
