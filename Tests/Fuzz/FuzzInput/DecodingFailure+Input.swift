public import BinaryPropertyList

extension DecodingFailure {
  /// Claims that the failure lies in an input, or at its end where that is what is wrong.
  public func claimInside(_ input: RawSpan) {
    claim(0...input.byteCount ~= offset, "\(self) is outside of \(input.byteCount) bytes")
  }
}
