import Glibc
import TestSupport
import Testing

@testable import FileTree

@Suite struct GlobTests {
  private static func matches(
    _ pattern: String, _ text: [UInt8], _ letterCase: Glob.LetterCase = .kept
  ) throws -> Bool {
    try Glob(Array(pattern.utf8), letterCase: letterCase).matches(text[...])
  }

  @Test(arguments: [
    ("", "", true), ("", "a", false), ("a", "a", true), ("a", "b", false), ("a", "ab", false),
    ("*", "", true), ("*", ".a/b", true), ("**", "a", true), ("?", "", false), ("?", "é", true),
    ("??", "é", false), ("a*", "a", true), ("*a", "ba", true), ("*ab", "aab", true),
    ("a*b*c", "axbxbxc", true), ("a*b*c", "axbxb", false), ("*.txt", "x.txt.gz", false),
    ("[abc]", "b", true), ("[abc]", "d", false), ("[a-c]", "b", true), ("[!a-c]", "b", false),
    ("[^a-c]", "d", true), ("[]]", "]", true), ("[!]]", "]", false), ("[]-a]", "_", true),
    ("[a-]", "-", true), ("[-a]", "-", true), ("[c-a]", "b", false), ("[!c-a]", "b", true),
    ("[\\]]", "]", true), ("[\\a-\\c]", "b", true), ("[a\\-c]", "b", false), ("[[:]", ":", true),
    ("[é-ï]", "è", false), ("[é-ï]", "ê", true), ("\\*", "*", true), ("\\*", "a", false),
    ("\\\\", "\\", true), ("\\é", "é", true), ("😀*", "😀😀", true), ("[^a]", "😀", true),
    ("com.*.editor", "com.example.a.editor", true),
  ])
  func patternMatchesTheWholeText(_ pattern: String, _ text: String, _ expected: Bool) throws {
    #expect(try Self.matches(pattern, Array(text.utf8)) == expected)
  }

  @Test(arguments: [
    ("README*", "readme.txt", true), ("[a-c]", "B", true), ("[A-C]", "b", true),
    ("ÄÖ", "äö", true), ("straße", "STRASSE", false), ("σ", "ς", true), ("K", "\u{212a}", true),
    ("[!a]", "A", false), ("ı", "I", true), ("a", "é", false),
  ])
  func caseIsIgnoredWhereAskedFor(_ pattern: String, _ text: String, _ expected: Bool) throws {
    #expect(try Self.matches(pattern, Array(text.utf8), .ignored) == expected)
  }

  @Test func bytesThatAreNotUTF8AreOneCharacterEach() throws {
    // A cut character, a surrogate, an overlong slash, and one beyond Unicode.
    for bytes: [UInt8] in [
      [0xff], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf4, 0x90, 0x80, 0x80],
    ] {
      let marks = String(repeating: "?", count: bytes.count)
      #expect(try Self.matches(marks, bytes), "\(bytes)")
      #expect(try !Self.matches(marks + "?", bytes), "\(bytes)")
      #expect(try Glob(bytes).matches(bytes[...]), "\(bytes)")
    }
    #expect(try Self.matches("?a?", [0xe2, 0x61, 0xe2]))
    #expect(try !Self.matches("\u{ff}", [0xff]))
  }

  @Test(arguments: [
    ("[", GlobFlaw(.unclosedBracket, at: 0)), ("ab[!", GlobFlaw(.unclosedBracket, at: 2)),
    ("[]", GlobFlaw(.unclosedBracket, at: 0)), ("[a-", GlobFlaw(.unclosedBracket, at: 0)),
    ("[\\", GlobFlaw(.unclosedBracket, at: 0)), ("a\\", GlobFlaw(.nothingEscaped, at: 1)),
    ("[[:alpha:]]", GlobFlaw(.namedClass, at: 1)), ("[a[=x=]]", GlobFlaw(.namedClass, at: 2)),
  ])
  func patternThatMeansNothingIsRefused(_ pattern: String, _ flaw: GlobFlaw) {
    #expect(throws: flaw) { try Glob(Array(pattern.utf8)) }
  }

  /// Would take longer than the universe has if each star were tried with each other.
  @Test func manyStarsTakeNoLongerThanPatternTimesText() throws {
    let pattern = String(repeating: "*a", count: 200) + "*b"
    #expect(try !Self.matches(pattern, [UInt8](repeating: UInt8(ascii: "a"), count: 5000)))
  }

  /// Each try after a star fails only at its end; trying them all takes millions of steps.
  @Test func triesThatFailLateAreNotMadeOneByOne() throws {
    let marks = String(repeating: "?", count: 1880)
    let text = [UInt8](repeating: UInt8(ascii: "x"), count: 3800)
    let glob = try Glob(Array("*\(marks)y\(marks)".utf8))
    var (matchCount, other) = (0, text)
    other[1800] = UInt8(ascii: "y")
    let time = Patience.processorTime {
      for _ in 0..<50 {
        matchCount += glob.matches(text[...]) ? 1 : 0
        matchCount += glob.matches(other[...]) ? 1 : 0
      }
    }
    #expect(matchCount == 0)
    #expect(time < .seconds(20))
    other[1919] = UInt8(ascii: "y")
    let matches = glob.matches(other[...])
    #expect(matches)
    let all = try Glob(Array("*\(marks)*".utf8)).matches(text[...])
    let more = try Glob(Array("*\(marks)\(marks)\(marks)*".utf8)).matches(text[...])
    #expect(all)
    #expect(!more)
  }

  @Test func answersAreThoseOfFnmatch() throws {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix(state: seed)
    let characters = Array("aabbc*?[]!^-/.\\".utf8)
    var compared = (all: 0, matching: 0)
    while compared.all < 20000 {
      let pattern = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        characters.randomElement(using: &random) ?? 0
      }
      // In a class, "[." without its end is not defined; for glibc it matches nothing.
      let isUndefined = pattern.drop { $0 != UInt8(ascii: "[") }.dropFirst()
        .split(separator: UInt8(ascii: "["), omittingEmptySubsequences: false).dropFirst()
        .contains { $0.first == UInt8(ascii: ".") }
      guard !isUndefined, let glob = try? Glob(pattern) else { continue }
      for _ in 0..<4 {
        let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in
          Array("abc/.]-[\\!^".utf8).randomElement(using: &random) ?? 0
        }
        let theirs =
          fnmatch(
            String(decoding: pattern, as: UTF8.self), String(decoding: text, as: UTF8.self), 0) == 0
        try #require(
          glob.matches(text[...]) == theirs && glob.matchesByStates(text[...]) == theirs,
          "seed \(seed): \(String(decoding: pattern, as: UTF8.self)) on \(text)")
        compared.all += 1
        compared.matching += theirs ? 1 : 0
      }
    }
    #expect(compared.matching > 500, "seed \(seed)")
  }
}
