import Foundation
import TestSupport
import Testing

/// What docsource gives to its companions, and what it takes of their words: untrusted input may have
/// taken them over.
@Suite struct CompanionTests {
  /// Says something that a terminal would obey, and what it has got.
  private static let takenOver = """
    #!/bin/sh
    printf 'docsource: \\033]0;owned\\007\\n' >&2
    [ -t 2 ] && echo 'it has the terminal' >&2
    env | grep -v '^PWD=' >&2
    exit 2
    """

  /// A directory with the tool, a file `x`, a list of recently used files, and something else in the place
  /// of a companion.
  private static func place(_ companion: String) throws -> TemporaryDirectory {
    let place = try TemporaryDirectory()
    try place.file("x")
    try place.file("recently-used.xbel", "<xbel/>")
    let text = try place.file("text", takenOver + "\n")
    let path = place.path("bin/docsource")
    try FileManager.default.createDirectory(
      atPath: place.path("bin"), withIntermediateDirectories: true)
    try FileManager.default.linkItem(atPath: Docsource.path, toPath: path)
    // By a process of its own; see `IconHome.script`.
    let made = try Execution.run(["install", "-m", "755", text, "\(path)-\(companion)"])
    #expect(made.status == 0)
    return place
  }

  @Test(arguments: [
    ("archive", "adopt --archive x .", 2), ("xml", "trace --no-records --no-embedded x", 2),
    // Without the network there is the theme's icon.
    ("fetch", "icon https://icons.example/appInfo.json", 0),
  ])
  func wordsOfACompanionAreEscapedAndItHasNoTerminal(
    _ name: String, _ words: String, _ status: Int32
  ) throws {
    let place = try Self.place(name)
    let line = "docsource: \\x1b]0;owned\\x07"
    let environment = [
      "SECRET": "1", "HOME": place.root, "XDG_CACHE_HOME": place.root, "XDG_DATA_HOME": place.root,
    ]
    let run = try Execution.run(
      [place.path("bin/docsource")] + words.split(separator: " ").map(String.init),
      in: place.root, environment: environment)
    #expect(run.errors.split(separator: "\n").first.map(String.init) == line)
    #expect(!run.errors.contains("SECRET"))
    #expect(run.status == status)
    let shown = try Execution.run(
      ["script", "-qec", "bin/docsource \(words)", "/dev/null"], in: place.root,
      environment: environment)
    #expect(shown.text.hasPrefix(line + "\r\n"))
    #expect(!shown.text.contains("it has the terminal"))
  }

  /// They need no variables.
  @Test(arguments: [
    ("archive", "adopt --archive x .", ""),
    ("xml", "trace --no-records --no-embedded x", "docsource: x: no mark of origin\n"),
  ])
  func companionThatReadsUntrustedInputGetsNoVariables(
    _ name: String, _ words: String, _ rest: String
  ) throws {
    let place = try Self.place(name)
    let run = try Execution.run(
      [place.path("bin/docsource")] + words.split(separator: " ").map(String.init),
      in: place.root,
      environment: [
        "SECRET": "1", "LD_LIBRARY_PATH": "/nonexistent", "XDG_DATA_HOME": place.root,
      ])
    #expect(run.errors == "docsource: \\x1b]0;owned\\x07\n" + rest)
    #expect(run.text == "")
    #expect(run.status == 2)
  }
}
