import BinaryPropertyList
import Foundation
import TestSupport
import Testing

@testable import ActivationRule

/// The engine of MATCHES.
@Suite struct TextPatternTests {
  private static let steps = PreparedPredicate.stepLimit

  private func isMatch(
    _ text: String, _ pattern: String, ignoresCase: Bool = false
  ) throws -> Bool? {
    try TextPattern(pattern, ignoresCase: ignoresCase).matches(text, limit: Self.steps).isMatch
  }

  @Test(arguments: [
    ("abc", ["abc"], ["ab", "abcd", "xabc", "ABC", ""]), ("", [""], ["a"]),
    ("a|bc|", ["a", "bc", ""], ["b", "abc"]), ("(a|b)*c", ["c", "abbac"], ["abba", "ac\n"]),
    ("a+b?", ["a", "aaab"], ["", "b", "abb"]), ("a*?b+?", ["b", "aabb"], ["a"]),
    ("a{2}", ["aa"], ["a", "aaa"]), ("a{2,}", ["aa", "aaaa"], ["a"]),
    ("(?:ab){1,3}", ["ab", "ababab"], ["", "abababab"]), ("a{0}b", ["b"], ["ab"]),
    ("(?<name>a)(b)", ["ab"], ["a"]), (".", ["a", "é", "😀"], ["", "ab", "\n", "\u{2028}", "\r"]),
    ("(?s).", ["\n", "a"], ["ab"]), ("a.c(?s:.)d", ["abc\nd"], ["a\nc\nd"]),
    ("[abc]", ["a", "c"], ["d", "", "ab"]), ("[^abc]", ["d", "\n"], ["a", ""]),
    ("[a-c0-9_]", ["b", "5", "_"], ["d", "-"]), ("[]a]", ["]", "a"], ["b"]),
    ("[^]a]", ["b"], ["]", "a"]), ("[a-]", ["a", "-"], ["b"]), ("[-a]", ["-", "a"], ["b"]),
    ("[\\]\\-\\\\]", ["]", "-", "\\"], ["a"]), ("[\\d\\s-]", ["1", " ", "-"], ["a"]),
    ("[^\\d]", ["a"], ["1"]), ("[[a-z]&&[^aeiou]]", ["b"], ["a", "1"]),
    ("[a-z--[aeiou]]", ["b"], ["a", "1"]), ("[a[0-9]b]", ["a", "5", "b"], ["c"]),
    ("[[:alpha:][:digit:]]", ["a", "é", "5"], ["-"]), ("[[:^alpha:]]", ["1"], ["a"]),
    ("[[:alnum:]]+", ["aé5"], ["a-"]), ("[:ab]", [":", "a"], ["c"]),
    ("\\d+", ["123", "٣"], ["12a", ""]), ("\\D", ["a"], ["1"]), ("\\w+", ["aé_1"], ["a-"]),
    ("\\W", ["-", " "], ["a"]), ("\\s\\S", [" a", "\u{a0}a", "\na"], ["aa", "  "]),
    ("\\h\\v", [" \n", "\t\r"], ["\n "]), ("\\p{Lu}\\p{L}", ["Aa", "ÉÉ"], ["aA"]),
    ("\\P{L}", ["1"], ["a"]), ("\\p{Alphabetic}+", ["aé"], ["a1"]),
    ("\\bab\\b.*", ["ab", "ab cd"], ["abc"]), ("a\\Bb", ["ab"], ["a b"]),
    ("a\\b.b", ["a-b"], ["acb"]), ("e\u{301}\\b", ["e\u{301}"], []), ("\\Aa\\z", ["a"], ["a\n"]),
    ("a$\\n?", ["a", "a\n"], ["a\n\n"]), ("a\\Z(?s:.*)", ["a", "a\n", "a\r\n"], ["a\n\n", "ab"]),
    ("^a$", ["a"], ["a\n", "b"]), ("(?m)^a$\\n^b$", ["a\nb"], ["ab"]),
    ("(?m)a$(?s:.)+", ["a\nb", "a\r\nb"], ["ab"]), ("a\\nb\\t\\r\\f", ["a\nb\t\r\u{c}"], []),
    ("\\u0041\\x42\\x{1F600}\\U0001F600\\0101", ["AB😀😀A"], []),
    ("\\ud83d\\ude00", ["😀"], []), ("\\a\\e\\cA", ["\u{7}\u{1b}\u{1}"], []),
    ("\\.\\*\\(\\)\\/", [".*()/"], ["a*()/"]), ("\\Qa.*\\Eb", ["a.*b"], ["axxb"]),
    ("\\Qab\\E+", ["ab", "abbb"], ["abab"]), ("\\Q(", ["("], []),
    ("[\\Q]-\\E]", ["]", "-"], ["a"]),
    ("(?i)aBc", ["ABC", "abc"], []), ("a(?i)b|c", ["aB", "C", "ab"], ["AB"]),
    ("a(?i:b)c", ["aBc"], ["abC"]), ("(?i)a(?-i)b", ["Ab"], ["AB"]), ("(?i)[a-c]+", ["AbC"], ["d"]),
    ("(?i)[^a]", ["b"], ["A", "a"]), ("(?i)é", ["É"], ["e"]), ("(?i)[é]", ["É"], ["e"]),
    ("(?i)k", ["\u{212a}"], []), ("(?i)ß", ["ß", "ẞ"], ["ss"]), ("(?i)i", ["I"], ["\u{131}"]),
    ("(?i)\\p{Lu}", ["a", "A"], ["1"]), ("(?x) a b # c\n c", ["abc"], ["a b"]),
    ("(?x)[a b]\\ ", ["a ", "b "], ["  "]), ("a(?#b)c", ["ac"], ["abc"]), ("()*a", ["a"], [""]),
    ("(a*)*", ["", "aaa"], ["b"]), ("(|a)+", ["", "aa"], ["b"]), ("(^|a)*", ["aa"], ["b"]),
    ("a(?#x)+", ["a", "aa"], ["", "a+"]), ("^*a", ["a"], [""]), ("a\\Q\\E+", ["aa"], ["a+"]),
    ("\\y\\E\\c", ["yEc"], ["c"]), ("[a&-c]", ["b", "&"], ["-"]), ("(?i)[A&&a]", [], ["a", "A"]),
    ("(?i)[k]", ["\u{212a}", "K"], ["l"]), ("(?x)a{2 }", ["aa"], ["a"]),
    // A carriage return and its line feed are one character to `.`, and two to all else.
    ("(?s).", ["\r\n", "\r", "\n"], ["\n\r", "\r\r\n", "\r\r"]),
    ("(?s)..", ["\r\r\n", "\n\r", "a\r\n"], ["\r\n"]), ("(?s:(\\v|.)?)", ["\r\n", "\r"], ["\n\r"]),
    ("(?s)\\r.", ["\r\n", "\r\r\n"], ["\r\n\r"]), ("(?s).*\\n", ["\n", "a\n"], ["\r\n"]),
    ("(?s)[^a]{2}", ["\r\n"], ["\n"]), ("\\v\\v", ["\r\n"], ["\r"]),
    ("public\\.(png|jpeg)", ["public.png"], ["public-png", "public.pngx"]),
    (
      "https?://([^/.]+\\.)*example\\.com(/.*)?", ["http://a.b.example.com/c"],
      ["http://example.org"]
    ),
  ])
  func wholeTextsMatch(pattern: String, matching: [String], other: [String]) throws {
    for text in matching { #expect(try isMatch(text, pattern) == true, "\(text)") }
    for text in other { #expect(try isMatch(text, pattern) == false, "\(text)") }
  }

  @Test(arguments: [
    ("(a", "expected ')' at character 3"), ("a)", "unexpected ')' at character 2"),
    ("*a", "nothing to repeat at character 1"), ("a**", "nothing to repeat at character 3"),
    ("a{", "expected a number at character 3"), ("a{,2}", "expected a number at character 3"),
    ("a{2", "expected '}' at character 4"),
    ("a{3,2}", "the bounds are in the wrong order at character 6"),
    ("{", "unexpected '{' at character 1"), ("}", "unexpected '}' at character 1"),
    ("[a", "expected ']' at character 3"), ("[]", "expected ']' at character 3"),
    ("[b-a]", "the range is in the wrong order at character 4"),
    ("[a-\\d]", "a set ends no range at character 5"), ("[[:a", "expected ']' at character 5"),
    ("a\\", "expected a character after '\\' at character 3"),

    ("\\x", "expected digits of base 16 at character 3"),
    ("\\u12", "expected digits of base 16 at character 5"),
    ("\\x{110000}", "no character at character 11"),

    ("\\x{41", "expected '}' at character 6"), ("\\08", "expected digits of base 8 at character 3"),
    ("\\p", "expected a property in braces at character 3"),
    ("(?<>a)", "expected a name and '>' at character 4"),
    ("(?y)", "expected a flag at character 3"),
    ("(?i", "expected ')' at character 4"), ("(?#", "expected ')' at character 4"),
    ("(?", "expected ')' at character 3"),
    ("(\\Qa)", "expected ')' at character 6"),
    ("\\b+a", "nothing to repeat at character 3"),
    ("\\b{2}a", "unexpected '{' at character 3"),
    ("\\A*a", "nothing to repeat at character 3"),
    ("(?)a", "expected a flag at character 3"),
    ("[a--]", "expected a set after the operator at character 5"),
    ("[^--a]", "expected a set before the operator at character 5"),
    ("[a&&]", "expected a set after the operator at character 5"),
    ("[&&a]", "expected a set before the operator at character 4"),
    ("[--a]", "expected a set before the operator at character 4"),
    ("a{16777216}", "the number is too large at character 10"),
    ("(?<=a*)b", "a lookbehind without a longest length at character 8"),
    ("(a)\\2", "the pattern has no group 2 at character 6"),
    ("(?<n>a)(?<n>b)", "the pattern has two groups <n> at character 13"),
    ("\\k<n>", "no group <n> at character 6"),
    ("(?=a)*", "nothing to repeat at character 6"),
    ("[&-z]", "the range is in the wrong order at character 4"),
    ("a**\\1", "nothing to repeat at character 3"),
  ])
  func whatIsNoPatternIsRefusedAtItsPlace(pattern: String, reason: String) {
    #expect(throws: TextPattern.Failure.malformed(reason)) {
      try TextPattern(pattern, ignoresCase: false)
    }
  }

  @Test(arguments: [
    ("(a)\\1", "a backreference"), ("(?<a>b)\\k<a>", "a backreference"), ("(?=a)", "a lookahead"),
    ("(?!a)", "a lookahead"), ("(?<=a)", "a lookbehind"), ("(?<!a)", "a lookbehind"),
    ("(?>a)", "an atomic group"), ("a*+", "a possessive repetition"),
    ("a{1,2}+", "a possessive repetition"), ("\\X", "\\X"), ("\\R", "\\R"),
    ("[\\N{A}]", "\\N"),
    ("\\p{Greek}", "the property \\p{Greek}"), ("[[:graph:]]", "the set [:graph:]"),
    ("(?w)a", "the flag w"), ("\\ud800", "half of a surrogate pair"),
    ("[[a-z]-[b]]", "- between sets"), ("[[a-z]&[b]]", "& between sets"),
    ("(a{1000}){11}", "patterns of more than 10000 steps"),
    ("((((a{99}){99}){99}){99}){99}", "patterns of more than 10000 steps"),

    ("(?:(?:^){9999}){9999}", "patterns of more than 10000 steps"),
    (String(repeating: "(", count: 65), "more than 64 groups in each other"),
    (String(repeating: "[", count: 65), "more than 64 sets in each other"),
    (String(repeating: "a", count: 65537), "a pattern of more than 64 KiB"),
  ])
  func whatThisEngineLacksIsNamed(pattern: String, what: String) {
    #expect(throws: TextPattern.Failure.unsupported(what)) {
      try TextPattern(pattern, ignoresCase: false)
    }
  }

  @Test(arguments: [
    "(a*)*b", "(a|aa)+$b", "((((a*)*)*)*)*b", "(a?){500}a{500}b", "(a+)+(a+)+(a+)+b",
    "(.*)(.*)(.*)(.*)(.*)(.*)b", "((a{1,15}){1,15}){1,15}b", "([a-z]+[a-z]*)+b", "(?i)(é|a)*b",
    "()()()()(){9999}((){9999}){9999}b", "(\\w|a|[a-c]|\\p{L})*b",
  ])
  func patternsThatTakeOthersForeverTakeLinearTime(pattern: String) throws {
    let compiled = try TextPattern(pattern, ignoresCase: false)
    let text = String(repeating: "a", count: 1000)
    let clock = ContinuousClock()
    var answer: (isMatch: Bool?, steps: Int) = (nil, 0)
    let time = clock.measure { answer = compiled.matches(text, limit: Self.steps) }
    // Ended by the number of steps at the latest.
    #expect(answer.isMatch != true)
    #expect(answer.steps <= Self.steps + 400_000)
    #expect(time < .seconds(60), "\(time)")
  }

  @Test func workIsLinearInTheLengthOfTheText() throws {
    let pattern = try TextPattern("(a|aa)*(a*)*b", ignoresCase: false)
    let steps = [1000, 2000, 4000].map { count in
      let answer = pattern.matches(String(repeating: "a", count: count), limit: Self.steps)
      #expect(answer.isMatch == false)
      return answer.steps
    }
    #expect(steps[1] < 2 * steps[0] + 100)
    #expect(steps[2] < 2 * steps[1] + 100)
  }

  @Test func textThatTakesTooManyStepsHasNoVerdict() throws {
    let pattern = try TextPattern("(a?){3000}b", ignoresCase: false)
    let answer = pattern.matches(String(repeating: "a", count: 100_000), limit: Self.steps)
    #expect(answer.isMatch == nil)
    #expect(answer.steps > Self.steps)
    #expect(answer.steps < Self.steps + 100_000)
  }

  @Test func patternsOfAPredicateHaveALimitTogether() throws {
    let one = #""a" MATCHES "a{9000}""#
    let few = try RulePredicate(Array(repeating: one, count: 5).joined(separator: " OR "))
    let many = try RulePredicate(Array(repeating: one, count: 2000).joined(separator: " OR "))
    let content = try PreparedContent(SharedContent([["public.text"]]))
    #expect(try !PreparedPredicate(few).matches(content))
    let error = #expect(throws: EvaluationError.self) {
      try PreparedPredicate(many).matches(content)
    }
    #expect(
      error?.reason == """
        MATCHES with patterns of more than 10000 steps is valid, but not evaluated here
        """)
  }

  @Test(arguments: [
    ("'a.c' MATCHES 'a\\\\..'", true), ("'abc' MATCHES 'ab'", false),
    ("'ABC' MATCHES 'abc'", false), ("'ABC' MATCHES[c] 'abc'", true),
    ("'ébc' MATCHES[d] 'e.c'", true), ("'É' MATCHES[cd] '[e]'", true), ("'e' MATCHES[d] 'é'", true),
    ("NULL MATCHES 'a*'", false), ("NOT NULL MATCHES 'a*'", true),
    ("ANY {'a', 'bb'} MATCHES 'b+'", true), ("ALL {'a', 'bb'} MATCHES '.+'", true),
    ("NONE {'a', 'bb'} MATCHES 'c'", true), ("'ab' MATCHES lowercase('A') ", false),
    ("'a' MATCHES lowercase('A')", true),
    (
      "ANY extensionItems[0].attachments[0].registeredTypeIdentifiers MATCHES 'public\\\\..*'", true
    ),
    (
      "SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a, ANY $a.registeredTypeIdentifiers"
        + " MATCHES 'public\\\\.(png|text)').@count == 1).@count == 1", true
    ),
  ])
  func predicateMatches(text: String, verdict: Bool) throws {
    let predicate = try RulePredicate(text)
    let content = try PreparedContent(SharedContent([["public.text"]]))
    #expect(try PreparedPredicate(predicate).matches(content) == verdict)
    #expect(PreparedRule(.predicate(predicate)).explain(content).isTrue == verdict)
    #expect(try RulePredicate(predicate.description) == predicate)
  }

  @Test func flawsOfPatternsAreFound() throws {
    func findings(_ text: String) -> [String] {
      FoundRule(in: .string(text))?.findings().map { "\($0.name): \($0.message)" } ?? []
    }
    let item = "extensionItems[0].attributedTitle MATCHES "
    #expect(
      findings(item + #""(a)\\1""#) == [
        "W-not-evaluated: MATCHES with a backreference is valid, but not evaluated here"
      ])
    #expect(
      findings(item + #""(a""#).first
        == "E-pattern: the pattern of MATCHES is not a regular expression: expected ')' at character 3"
    )
    #expect(!findings(item + #""a+""#).contains { $0.contains("pattern") })
    let content = try PreparedContent(SharedContent([["public.text"]]))
    for (text, reason) in [
      (
        "'a' MATCHES '(a'",
        "the pattern of MATCHES is not a regular expression: expected ')' at character 3"
      ),
      ("'a' MATCHES 1", "cannot compare a text with a number as texts"),
      (
        "1 == 1 OR 'a' MATCHES '(?=a)'",
        "MATCHES with a lookahead is valid, but not evaluated here"
      ),
      (
        "'a' MATCHES lowercase('(?=A)')",
        "MATCHES with a lookahead is valid, but not evaluated here"
      ),
    ] {
      let error = #expect(throws: EvaluationError.self) {
        try PreparedPredicate(RulePredicate(text)).matches(content)
      }
      #expect(error?.reason == reason)
    }
  }

  @Test func changedPatternsNeverTrap() throws {
    let words = [
      "(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "^", "$", "\\", "\\Q", "\\E", "\\d", "\\b",
      "-",
      "&&", "--", "[:", ":]", "alpha", "a", "b", "é", "1", ",", "{2,3}", "(?i", "(?x)", "(?:", "#",
      " ",
      "\\p{L}", "\\u0061", "\\x{", "^", ".", "\n", "😀", "(?<", ">", "=", "\\0", "\\c",
    ]
    var random = SplitMix(state: UInt64.random(in: 0...(.max)))
    let seed = random.state
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 1...10, using: &random)).map { _ in
        words.randomElement(using: &random) ?? ""
      }.joined()
      guard let pattern = try? TextPattern(text, ignoresCase: random.next() & 1 == 0) else {
        continue
      }
      for subject in ["", "a", "ab\n1", "é😀\r\n", text] {
        let answer = pattern.matches(subject, limit: 100_000)
        #expect(answer.isMatch != nil || answer.steps > 100_000, "\(seed)")
      }
    }
  }

  // Against Python, whose syntax is the same in what is generated here.

  private struct Row: Codable {
    let pattern: String
    let ignoresCase: Bool
    let texts: [String]
  }

  private struct Generator {
    var random: SplitMix

    private static let letters = ["a", "b", "A", "1", "_", "-", " ", "\\n", "é", "É"]

    mutating func pick<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &random)]
    }

    mutating func pattern(_ depth: Int) -> String {
      switch Int.random(in: 0...(depth == 0 ? 5 : 11), using: &random) {
      case 0, 1, 2: return pick(Self.letters)
      case 3: return pick([".", "\\d", "\\w", "\\s", "\\D", "\\W", "\\S", "a", "b"])
      case 4: return set()
      case 5: return pick(["^", "$", "\\b", "\\A", "(?:)", "a"])
      case 6, 7: return pattern(depth - 1) + pattern(depth - 1)
      case 8: return "(\(pattern(depth - 1))|\(pattern(depth - 1)))"
      case 9:
        return pick(["(?i:", "(?s:", "(?:", "(", "(?-i:"]) + pattern(depth - 1) + ")"
      default:
        let repetition = pick([
          "*", "+", "?", "{2}", "{1,2}", "{0,2}", "{1,}", "*?", "+?", "??", "{1,3}?",
        ])
        return "(?:\(pattern(depth - 1)))\(repetition)"
      }
    }

    private mutating func set() -> String {
      let items = [
        "a", "b", "a-c", "A-C", "0-9", "\\d", "\\w", "\\s", "_", "\\n", "é", "\\-", "\\W",
      ]
      return "[" + pick(["", "^"])
        + (0..<Int.random(in: 1...3, using: &random)).map { _ in pick(items) }.joined() + "]"
    }

    mutating func text() -> String {
      let letters = ["a", "b", "A", "B", "1", "_", "-", " ", "\n", "é", "É", "c"]
      return (0..<Int.random(in: 0...5, using: &random)).map { _ in pick(letters) }.joined()
    }
  }

  @Test func verdictsAreThoseOfPython() throws {
    let seed = UInt64.random(in: 0...(.max))
    var generator = Generator(random: SplitMix(state: seed))
    var rows: [Row] = []
    for _ in 0..<4000 {
      rows.append(
        Row(
          pattern: generator.pattern(4), ignoresCase: generator.random.next() & 3 == 0,
          texts: (0..<12).map { _ in generator.text() }))
    }
    let script = """
      import json, re, sys
      answer = []
      for row in json.load(sys.stdin):
          pattern = re.compile(row["pattern"], re.IGNORECASE if row["ignoresCase"] else 0)
          answer.append([pattern.fullmatch(text) is not None for text in row["texts"]])
      json.dump(answer, sys.stdout)
      """
    let found = try Execution.run(
      ["python3", "-W", "ignore", "-c", script].map { Array($0.utf8) },
      input: Array(JSONEncoder().encode(rows)))
    try #require(found.status == 0, "\(found.errors)")
    let verdicts = try JSONDecoder().decode([[Bool]].self, from: Data(found.output))
    var matches = 0
    for (row, verdicts) in zip(rows, verdicts) {
      let pattern = try TextPattern(row.pattern, ignoresCase: row.ignoresCase)
      for (text, verdict) in zip(row.texts, verdicts) {
        let own = pattern.matches(text, limit: Self.steps).isMatch
        #expect(own == verdict, "\(row) on \(text.debugDescription), seed \(seed)")
        if own == true { matches += 1 }
      }
    }
    #expect(matches > 2000, "seed \(seed)")
  }
}
