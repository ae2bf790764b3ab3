import Testing

@testable import CommandLineInterface

@Suite struct SpellingTests {
  private static let words = [
    "tag", "show", "remove", "help", "identifier", "name", "app-info-url",
  ]

  @Test(arguments: [
    ("shwo", "show"), ("sow", "show"), ("taag", "tag"), ("rm", nil), ("rem", "remove"),
    ("idnetifier", "identifier"), ("identifer", "identifier"), ("NAME", "name"),
    ("url", "app-info-url"), ("xyzzy", nil),
    ("", nil), (String(repeating: "a", count: 100_000), nil),
  ])
  func nearestWordIsFoundIfItIsNear(_ typed: String, _ meant: String?) {
    #expect(Spelling.nearest(to: typed, among: Self.words) == meant)
  }
}
