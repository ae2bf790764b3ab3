import Testing

@testable import LinuxSystem

@Suite struct FileNameTests {
  @Test(arguments: [
    ("org.example.App", true), ("a", true), ("ä b", true),
    (String(repeating: "x", count: 200), true),
    ("", false), (".", false), ("..", false), (".hidden", false), ("a/b", false), ("/etc", false),
    ("a\0b", false), ("a\nb", false), ("a\u{7f}", false),
    (String(repeating: "x", count: 201), false),
  ])
  func wordOfAStrangerIsAFileNameOnlyIfItIsHarmless(_ word: String, _ isName: Bool) {
    #expect((FileName(word) != nil) == isName)
  }
}
