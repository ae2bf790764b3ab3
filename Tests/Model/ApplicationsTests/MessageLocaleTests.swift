import Testing

@testable import Applications

@Suite struct MessageLocaleTests {
  @Test(arguments: [
    (["LANG": "de_AT.UTF-8"], ["de_AT", "de"]), (["LANG": "de"], ["de"]),
    (["LANG": "sr_YU.UTF-8@Latn"], ["sr_YU@Latn", "sr_YU", "sr@Latn", "sr"]),
    (["LANG": "sr@Latn"], ["sr@Latn", "sr"]),
    (["LANG": "de_DE", "LC_MESSAGES": "fr_FR"], ["fr_FR", "fr"]),
    (["LANG": "de_DE", "LC_MESSAGES": "fr_FR", "LC_ALL": "C.UTF-8"], []),
    (["LANG": "de_DE", "LC_ALL": ""], ["de_DE", "de"]), (["LANG": "POSIX"], []), ([:], []),
    (["LANG": "@"], []), (["LANG": "_.@"], []),
  ])
  func languagesGoFromTheNearestToTheWidest(_ variables: [String: String], _ names: [String]) {
    #expect(MessageLocale { variables[$0] }.languages == names)
  }
}
