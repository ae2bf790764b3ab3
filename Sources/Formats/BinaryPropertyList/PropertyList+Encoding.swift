extension PropertyList {
  /// Writes a binary property list, the same bytes for the same value.
  ///
  /// Objects stand in CoreFoundation's order and widths; equal scalars, strings and data are
  /// written once.
  ///
  /// - Throws: ``EncodingFailure`` for containers nested deeper than
  ///   ``DecodingOptions/maximumDepth``.
  public func binary(
    options: EncodingOptions = EncodingOptions()
  ) throws(EncodingFailure) -> [UInt8] {
    try ObjectWriter.bytes(of: self, options: options)
  }
}
