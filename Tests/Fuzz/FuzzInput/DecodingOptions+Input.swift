public import BinaryPropertyList

extension DecodingOptions {
  /// Makes the options that an input asks for by the trailer's first unused byte.
  ///
  /// No reader looks at that byte, so an input is a property list as it is: fixtures are seeds, and
  /// what was found is a fixture. Real lists have 0 there, which chooses the strict options.
  public init(chosenBy input: RawSpan) {
    self.init()
    guard input.byteCount >= 32 else { return }
    let bits = Int(unsafe input.unsafeLoad(fromByteOffset: input.byteCount - 32, as: UInt8.self))
    toleratesTrailingNUL = bits & 1 != 0
    replacesLoneSurrogates = bits & 2 != 0
    keepsFirstOfDuplicateKeys = bits & 4 != 0
    depthLimit = [Self.maximumDepth, 0, 1, 3][bits >> 3 & 3]
    expansionLimit = [Self.defaultExpansionLimit, 0, 1_000, .max][bits >> 5 & 3]
    toleratesFlaws = bits & 128 != 0
  }
}
