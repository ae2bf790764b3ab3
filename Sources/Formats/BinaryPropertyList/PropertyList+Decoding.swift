extension PropertyList {
  /// Reads a binary property list.
  ///
  /// - Throws: ``DecodingFailure`` for bytes that are damaged, hostile, or no property list.
  ///   Nothing else happens with any input: time and memory are linear in its size.
  public init(
    binary bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) {
    let index = try ObjectIndex(of: bytes, options: options)
    self = try TreeBuilder.value(of: index.trailer.root, in: index, bytes, options: options)
  }

  /// Reads a binary property list.
  public init(
    binary bytes: [UInt8], options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) {
    self = try bytes.reading { bytes throws(DecodingFailure) in
      try PropertyList(binary: bytes, options: options)
    }
  }
}

extension ObjectTable {
  /// The value of an object and all that is in it.
  ///
  /// - Throws: ``DecodingFailure`` when shared containers expand to too many values, the only
  ///   failure left; ``DecodingOptions/expansionLimit`` is the one of its options that counts.
  public func propertyList(
    _ object: Int, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) -> PropertyList {
    try bytes.reading { bytes throws(DecodingFailure) in
      try TreeBuilder.value(of: object, in: index, bytes, options: options)
    }
  }
}
