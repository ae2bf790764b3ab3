extension [UInt8] {
  /// Hands the bytes to `body`; the property behind it is unsafe only for types with padding.
  @inline(__always)
  func reading<Result: ~Copyable, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(span.bytes)
  }
}

extension String {
  /// Hands the UTF-8 to `body`.
  ///
  /// `utf8Span` serves as well, but is two calls into the library where this is none.
  @inline(__always)
  func readingUTF8<Result>(_ body: (RawSpan) -> Result) -> Result {
    let result = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      unsafe body(RawSpan(_unsafeElements: bytes))
    }
    if let result { return result }
    // Only a string bridged from Objective-C has no such storage.
    return unsafe body(utf8Span.span.bytes)
  }
}
