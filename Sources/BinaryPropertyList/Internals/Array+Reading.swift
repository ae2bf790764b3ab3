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
  /// Hands the UTF-8 to `body`; the property behind it is unsafe only for types with padding.
  @inline(__always)
  func readingUTF8<Result: ~Copyable, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(utf8Span.span.bytes)
  }
}
