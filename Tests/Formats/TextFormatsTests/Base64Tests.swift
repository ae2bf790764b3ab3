import Testing
import TextFormats

/// Base64 by RFC 4648, section 4, and nothing that is merely like it.
@Suite struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func textOfTheRFCIsReadBack(_ plain: String, _ encoded: String) {
    #expect(Base64.bytes(of: Array(encoded.utf8)[...]) == Array(plain.utf8))
    #expect(Base64.text(of: Array(plain.utf8)[...]) == encoded)
  }

  @Test func textFollowsWhatIsThere() {
    for count in 0..<100 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255) }
      var text = Array("data:".utf8)
      Base64.append(bytes[...], to: &text)
      #expect(text.starts(with: "data:".utf8) && text.count == 5 + (count + 2) / 3 * 4)
      #expect(Base64.bytes(of: text[5...]) == bytes)
    }
  }

  @Test func everyDigitIsRead() {
    let bytes = (0..<48).map { UInt8($0 * 5) }
    let text = "AAUKDxQZHiMoLTI3PEFGS1BVWl9kaW5zeH2Ch4yRlpugpaqvtLm+w8jN0tfc4ebr"
    #expect(Base64.text(of: bytes[...]) == text)
    #expect(Base64.bytes(of: Array(text.utf8)[...]) == bytes)
    #expect(Base64.bytes(of: Array("+/+/".utf8)[...]) == [0xfb, 0xff, 0xbf])
  }

  @Test(arguments: [
    "Z", "Zg", "Zg=", "Zg===", "Zm8", "Zm8==", "Zm9v=", "=", "Zg==Zg==", "Z=g=", "Zm 9v", "Zm9v\n",
    "Zm9-", "Zm9_", "Zh==", "Zm9=",
  ])
  func otherTextIsRefused(_ text: String) {
    #expect(Base64.bytes(of: Array(text.utf8)[...]) == nil)
  }
}
