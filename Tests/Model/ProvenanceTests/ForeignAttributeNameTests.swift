import Provenance
import Testing
import Xattr

/// Names of other systems' attributes on Linux.
@Suite struct ForeignAttributeNameTests {
  private static func form(_ attribute: String) throws -> ForeignAttributeName {
    let name = try #require(AttributeName(attribute))
    return try #require(ForeignAttributeName(name))
  }

  @Test(
    arguments: [
      ("user.x-document-source", .plain, "x-document-source", .documentSource),
      ("user.com.apple.quarantine", .plain, "com.apple.quarantine", .quarantine),
      ("user.COM.apple.quarantine", .plain, "COM.apple.quarantine", nil),
      (
        "osx.com.apple.metadata:kMDItemWhereFroms", .hfsplus,
        "com.apple.metadata:kMDItemWhereFroms",
        .whereFroms
      ),
      (
        "user.DosStream.x-document-source:$DATA", .sambaStream, "x-document-source", .documentSource
      ),
      (
        "user.dosstream.X-Document-SOURCE:$data", .sambaStream, "X-Document-SOURCE", .documentSource
      ),
      ("user.DosStream.x-document-source", .sambaStream, "x-document-source", .documentSource),
      ("user.x-document-source:$DATA", .sambaStream, "x-document-source", .documentSource),
      (
        "user.DosStream.com.apple.metadata\u{f022}kMDItemWhereFroms:$DATA", .sambaStream,
        "com.apple.metadata:kMDItemWhereFroms", .whereFroms
      ),
      (
        "user.DosStream.a\u{f001}\u{f01f}\u{f020}\u{f021}\u{f022}\u{f023}\u{f024}:$DATA",
        .sambaStream,
        "a\u{1}\u{1f}\"*:<>", nil
      ),
      (
        "user.DosStream.\u{f025}\u{f026}\u{f027}\u{f028}\u{f000}:$DATA", .sambaStream,
        "?\\|\u{f028}\u{f000}", nil
      ),
      ("user.xdg.origin.url", .plain, "xdg.origin.url", .originURL),
      ("user.user.xdg.origin.url", .doubled, "xdg.origin.url", .originURL),
      ("user.user.other", .plain, "user.other", nil),
      ("user.dublincore.title", .plain, "dublincore.title", .note("dublincore.title")),
      ("user.Zone.Identifier", .plain, "Zone.Identifier", .zoneIdentifier),
      ("user.DOSATTRIB", .plain, "DOSATTRIB", nil),
    ] as [(String, ForeignAttributeName.Style, String, MarkKind?)])
  func nameOfTheOtherSystemIsFound(
    _ attribute: String, _ style: ForeignAttributeName.Style, _ name: String, _ kind: MarkKind?
  ) throws {
    let form = try Self.form(attribute)
    #expect(form.style == style)
    #expect(String(decoding: form.name, as: UTF8.self) == name)
    #expect(form.kind == kind)
  }

  @Test func namespacesOfTheSystemHaveNone() throws {
    for name in ["security.selinux", "system.posix_acl_access", "trusted.x-document-source"] {
      let attribute = try #require(AttributeName(name))
      #expect(ForeignAttributeName(attribute) == nil)
    }
  }

  @Test func nativeFormHasTheUsualSpellingAndNoNUL() throws {
    let form = try Self.form("user.dosstream.X-Document-Source:$DATA")
    #expect(form.nativeName == AttributeName("user.x-document-source"))
    #expect(form.nativeValue([1, 2, 0]) == [1, 2])
    let plain = try Self.form("user.other")
    #expect(plain.nativeName == AttributeName("user.other"))
    #expect(plain.nativeValue([1, 0]) == [1, 0])
  }

  /// Of several NULs one would go each time.
  @Test(arguments: [
    ("user.com.apple.quarantine", "0081;;\0", "0081;;"),
    ("user.com.apple.quarantine", "0081;;\0\0", "0081;;\0\0"),
    ("user.xdg.origin.url", "u\0", "u"), ("user.creator", "\0\0", "\0\0"),
    ("user.mime_type", "\0", "\0"), ("user.Zone.Identifier", "[Z]\0\0", "[Z]\0\0"),
    ("user.Zone.Identifier", "[\0Z\0\0", "[\0Z\0"),
  ])
  func valueWithoutItsNULStaysAsItIs(_ name: String, _ value: String, _ expected: String) throws {
    let form = try Self.form(name)
    let native = form.nativeValue(Array(value.utf8))
    #expect(native == Array(expected.utf8))
    #expect(form.nativeValue(native) == native)
  }
}
