public import BinaryPropertyList

extension PropertyList {
  /// Claims that it is the same when it is written as text and read again.
  public func claimRoundTrip(
    writing write: (PropertyList, @escaping ([UInt8]) -> Void) throws -> Void,
    reading read: ([UInt8]) throws -> PropertyList
  ) {
    // Compared by their encodings: a NaN is no value's equal.
    guard let encoded = try? binary() else { return }
    var text: [UInt8] = []
    do {
      try write(self) { text += $0 }
    } catch {
      claim(false, "it cannot be written: \(error)")
    }
    let again = try? read(text)
    claim(again.flatMap { try? $0.binary() } == encoded, "something is lost on the way")
  }
}
