import Testing

@testable import AppIcon

@Suite struct SHA256DigestTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func vectorsOfFIPS180HaveTheirDigests(_ text: String, _ digest: String) {
    #expect(SHA256Digest(of: Array(text.utf8)).hexadecimal == digest)
    #expect(SHA256Digest(of: text.utf8.reversed().reversed()).hexadecimal == digest)
  }

  @Test func contentWithoutContiguousStorageHasTheSameDigest() {
    let pieces = [Array("ab".utf8), Array("c".utf8)].joined()
    #expect(SHA256Digest(of: Array(pieces)) == SHA256Digest(of: Array("abc".utf8)))
    #expect(SHA256Digest(of: Array("cba".utf8).reversed()) == SHA256Digest(of: Array("abc".utf8)))
  }

  @Test func hexadecimalTextIsReadBack() {
    let digest = SHA256Digest(of: Array("abc".utf8))
    #expect(SHA256Digest(hexadecimal: digest.hexadecimal) == digest)
    #expect(SHA256Digest(hexadecimal: digest.hexadecimal.dropLast()) == nil)
    #expect(SHA256Digest(hexadecimal: digest.hexadecimal.dropLast(2)) == nil)
    #expect(SHA256Digest(hexadecimal: digest.hexadecimal.uppercased()) == nil)
    #expect(SHA256Digest(hexadecimal: digest.hexadecimal + "00") == nil)
  }
}
