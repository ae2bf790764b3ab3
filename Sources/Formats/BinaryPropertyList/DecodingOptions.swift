/// What a reader of binary property lists tolerates, and how much it will take on.
///
/// By default it is strict.
public struct DecodingOptions: Hashable, Sendable {
  /// Whether one byte `00` may follow the trailer.
  ///
  /// Samba stores the bytes of a named stream with one behind them.
  public var toleratesTrailingNUL = false

  /// Whether half a surrogate pair is read as U+FFFD, instead of refused.
  ///
  /// CoreFoundation writes strings cut inside a pair as they are.
  public var replacesLoneSurrogates = false

  /// Whether the first of equal keys counts, instead of their being refused.
  ///
  /// CoreFoundation reads such dictionaries so.
  public var keepsFirstOfDuplicateKeys = false

  /// How deep containers may be nested; a scalar has depth 0.
  ///
  /// A limit above ``maximumDepth`` counts as that: releasing or comparing a tree of values uses
  /// stack for each level.
  public var depthLimit = maximumDepth {
    didSet { depthLimit = min(depthLimit, Self.maximumDepth) }
  }

  /// How many values a tree may have beyond one for each byte that was read.
  ///
  /// A container that is shared is one object in the bytes, but a value at each place of the tree,
  /// and to whoever walks the tree: sixty arrays, each twice in the next, are 282 bytes and 2^60
  /// values. The index of objects, which shares them, has no such limit. No known writer shares
  /// containers, so none needs more than the bytes allow.
  public var expansionLimit = defaultExpansionLimit

  /// Whether 64 characters of text, or bytes of data, count as one more value against
  /// ``expansionLimit``, at each place where they stand.
  ///
  /// A tree shares the text of a shared string, and every writer of property lists shares equal
  /// strings, so it takes no more memory. Whoever writes or prints the tree meets the text at each
  /// place all the same: 44 KB from a stranger can be 420 MB of output.
  public var countsText = false

  /// Makes the strict options.
  public init() {}

  /// The deepest nesting that is ever read or written: four times what real files show.
  public static let maximumDepth = 512

  /// The values of a tree that sharing may add unless told otherwise.
  public static let defaultExpansionLimit = 1_000_000
}
