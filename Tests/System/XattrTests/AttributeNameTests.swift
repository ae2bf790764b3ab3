import Testing

@testable import Xattr

@Suite struct AttributeNameTests {
  @Test(arguments: [
    "user.x-document-source", "user.DosStream.x-document-source:$DATA", "trusted.a", "security.a",
    "system.posix_acl_access", "osx.x-document-source",
    "user." + String(repeating: "a", count: 250),
  ])
  func nameInANamespaceIsAccepted(_ name: String) throws {
    #expect(try #require(AttributeName(name)).description == name)
  }

  @Test(arguments: [
    "", "user", "user.", "x-document-source", "com.apple.quarantine", "user.a\0b",
    "user." + String(repeating: "a", count: 251),
  ])
  func nameThatLinuxRefusesCannotBeMade(_ name: String) {
    #expect(AttributeName(name) == nil)
  }

  @Test func nameOfBytesNeedNotBeUTF8() throws {
    let bytes = Array("user.".utf8) + [0xff, 0xfe]
    let name = try #require(AttributeName(bytes: bytes[...]))
    #expect(Array(name.bytes) == bytes)
  }
}
