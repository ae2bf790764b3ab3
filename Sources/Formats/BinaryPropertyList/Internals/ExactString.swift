/// A string that equals another only when their UTF-8 is the same.
struct ExactString: Hashable {
  let value: String

  init(_ value: String) {
    self.value = value
  }

  static func == (one: ExactString, other: ExactString) -> Bool {
    one.value.hasSameBytes(as: other.value)
  }

  func hash(into hasher: inout Hasher) {
    value.readingUTF8 { bytes in
      hasher.combine(bytes.byteCount)
      unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
  }
}

extension String {
  /// Whether both strings have the same UTF-8; `==` would also equate canonical equivalents.
  func hasSameBytes(as other: String) -> Bool {
    readingUTF8 { one in
      other.readingUTF8 { two in
        one.hasSameBytes(as: two)
      }
    }
  }
}
