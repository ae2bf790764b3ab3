/// A string that equals another only when their UTF-8 is the same.
struct ExactText: Hashable {
  let value: String

  init(_ value: String) {
    self.value = value
  }

  static func == (one: ExactText, other: ExactText) -> Bool {
    guard one.value.utf8.count == other.value.utf8.count else { return false }
    return unsafe one.value.utf8Span.span.bytes.holds(other.value.utf8Span.span.bytes, at: 0)
  }

  func hash(into hasher: inout Hasher) {
    unsafe value.utf8Span.span.bytes.withUnsafeBytes { bytes in
      hasher.combine(bytes.count)
      unsafe hasher.combine(bytes: bytes)
    }
  }
}
