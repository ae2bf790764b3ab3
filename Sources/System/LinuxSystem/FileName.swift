/// Untrusted text that is safe to use as the name of a file.
package struct FileName: Hashable {
  /// Leaves room for an extension in the 255 bytes of a name.
  package static let limit = 200

  package let text: String

  /// - Returns: `nil` where the word is empty, longer than 200 bytes, begins with a dot, or has a
  ///   slash or a control character.
  package init?(_ text: some StringProtocol) {
    guard 1...Self.limit ~= text.utf8.count, text.utf8.first != UInt8(ascii: "."),
      text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") })
    else { return nil }
    self.text = String(text)
  }
}
