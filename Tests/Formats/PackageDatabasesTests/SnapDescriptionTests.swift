import PackageDatabases
import Testing

@Suite struct SnapDescriptionTests {
  @Test(
    arguments: [
      ("name: core20\nversion: '20240111'\n", "core20", "20240111"),
      ("version: 1.0 # of today\nname:\t\"a b\"\r\n", "a b", "1.0"),
      ("apps:\n  name: x\n  version: 2\nname: y", "y", nil), ("name:\nversion: ''\n", nil, nil),
      ("name: a\nname: b\n", "a", nil), ("", nil, nil), ("version: 1#2 \t\n", nil, "1#2"),
    ] as [(String, String?, String?)])
  func linesOfTheFirstLevelAreRead(_ content: String, _ name: String?, _ version: String?) {
    let description = SnapDescription(Array(content.utf8))
    #expect(description.name == name)
    #expect(description.version == version)
  }
}
