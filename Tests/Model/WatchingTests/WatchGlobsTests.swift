import Testing

@testable import Watching

/// The patterns by which users choose the files that are tagged.
@Suite struct WatchGlobsTests {
  private static func accepts(_ path: String, _ include: [String], _ exclude: [String]) throws
    -> Bool
  {
    try WatchGlobs(include: include, exclude: exclude).accepts(Array(path.utf8)[...])
  }

  @Test func everythingIsAcceptedWithoutPatterns() throws {
    #expect(try Self.accepts("drafts/letter.odt", [], []))
  }

  @Test func onlyWhatIsIncludedIsAccepted() throws {
    #expect(try Self.accepts("drafts/letter.odt", ["*.txt", "*.odt"], []))
    #expect(try !Self.accepts("drafts/letter.ods", ["*.txt", "*.odt"], []))
  }

  @Test func whatIsExcludedIsNotAcceptedThoughIncluded() throws {
    #expect(try !Self.accepts("drafts/letter.odt", [], ["*.odt"]))
    #expect(try !Self.accepts("drafts/letter.odt", ["*.odt"], ["letter*"]))
    #expect(try Self.accepts("drafts/note.odt", ["*.odt"], ["letter*"]))
  }

  @Test func patternWithASlashIsOfThePath() throws {
    #expect(try !Self.accepts("drafts/letter.odt", [], ["drafts/*"]))
    #expect(try Self.accepts("letters/letter.odt", [], ["drafts/*"]))
    #expect(try !Self.accepts("Documents/letter.odt", [], ["./Documents/letter.odt"]))
    #expect(try !Self.accepts("letter.odt", [], ["./letter.odt"]))
    #expect(try Self.accepts("drafts/letter.odt", [], ["./letter.odt"]))
  }

  @Test(arguments: [
    ("Documents/secret", false), ("Documents/secret/", false), ("secret", false),
    ("secret/", false),
    ("./Documents/secret//", false), ("*/secret", false), ("Documents", false), ("s?cret/", false),
    ("ecret", true), ("Documents/ecret", true), ("Documents/secret/a", true), ("secret/b", true),
  ])
  func patternOfADirectoryIsOfAllBelow(_ pattern: String, _ isAccepted: Bool) throws {
    for path in ["Documents/secret/letter", "Documents/secret/b/c"] {
      #expect(try Self.accepts(path, [], [pattern]) == isAccepted)
      #expect(try Self.accepts(path, [pattern], []) != isAccepted)
    }
  }

  @Test func patternWithASlashAtItsEndIsOfNoFile() throws {
    for pattern in ["Documents/secret", "secret"] {
      #expect(try !Self.accepts("Documents/secret", [], [pattern]))
      #expect(try Self.accepts("Documents/secret", [], [pattern + "/"]))
    }
  }
}
