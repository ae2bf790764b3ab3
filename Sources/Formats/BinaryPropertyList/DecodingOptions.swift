/// What a reader of binary property lists tolerates, and how much it will take on.
///
/// By default it is strict.
public struct DecodingOptions: Hashable, Sendable {
  /// Whether one byte `00` may follow the trailer.
  ///
  /// Samba stores the bytes of a named stream with a NUL appended.
  public var toleratesTrailingNUL = false

  /// Whether half a surrogate pair is read as U+FFFD, instead of refused.
  ///
  /// CoreFoundation writes a string that was cut inside a pair with the half that is left.
  public var replacesLoneSurrogates = false

  /// Whether the first of equal keys counts, instead of the dictionary being refused.
  ///
  /// CoreFoundation reads such dictionaries this way.
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
  /// A shared container is one object in the bytes, but a value at each of its places in the tree,
  /// and again for each walk over the tree: sixty arrays, each twice in the next, are 282 bytes and
  /// 2^60 values. The index of objects keeps them shared and has no such limit. No known writer
  /// shares containers, so the lists of all of them stay below one value a byte.
  public var expansionLimit = defaultExpansionLimit

  /// Whether 64 characters of text, or bytes of data, count as one more value against
  /// ``expansionLimit``, at each of their places in the tree.
  ///
  /// Every writer of property lists shares equal strings, and so does the tree: a repeated text
  /// takes no more memory. But whoever writes or prints the tree repeats the text at each place:
  /// 44 KB from a stranger can become 420 MB of output.
  public var countsText = false

  /// Makes the strict options.
  public init() {}

  /// The deepest nesting that is ever read or written: four times what real files show.
  public static let maximumDepth = 512

  /// The default of ``expansionLimit``.
  public static let defaultExpansionLimit = 1_000_000
}
