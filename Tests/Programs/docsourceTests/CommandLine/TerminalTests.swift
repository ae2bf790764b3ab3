import Foundation
import TestSupport
import Testing

/// Untrusted text never reaches a terminal raw, and --json carries it exactly.
@Suite struct TerminalTests {
  private static let hostile =
    "a\u{1b}]0;title\u{7}\u{1b}[31m\u{9b}1m\u{202e}gpj\u{2066}\u{200b}\u{200d}\u{feff}\u{ad}\r\nb\u{7f}"

  /// Runs the tool with standard output and error on a terminal of its own.
  private static func onTerminal(_ arguments: [String], in directory: String) throws -> [UInt8] {
    let words = ([Docsource.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
    return try Execution.run(
      ["script", "-qec", words, "/dev/null"], in: directory, environment: ["NO_COLOR": "1"]
    ).output
  }

  private static func expectHarmless(
    _ output: [UInt8], _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let text = try #require(String(validating: output, as: UTF8.self), what)
    let harmful = text.unicodeScalars.filter {
      $0 != "\n" && $0 != "\r"
        && ($0.properties.generalCategory == .control || $0.properties.generalCategory == .format
          || $0.properties.isDefaultIgnorableCodePoint)
    }
    #expect(!text.isEmpty, what, sourceLocation: sourceLocation)
    #expect(harmful.isEmpty, what, sourceLocation: sourceLocation)
    // The terminal turns each line end into CR LF; no other CR may be there.
    #expect(
      !text.replacing("\r\n", with: "").unicodeScalars.contains("\r"), what,
      sourceLocation: sourceLocation)
  }

  @Test func hostileContentIsEscapedInEveryFormForPeople() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    try directory.file("g")
    #expect(
      try Docsource.run("tag", "-q", "--app-name", Self.hostile, "-p", Self.hostile, path).status
        == 0)
    let forms = [
      ["show", "f"], ["show", "f", "g"], ["show", "--field", "name", "f"], ["show", "-r", "."],
      ["tag", "--app-name", "x", "-n", "f"], ["show", "--json", "f"],
      ["tag", "-i", Self.hostile, "f"], ["icon", "--offline", "--explain", "f"],
      ["icon", "--offline", "--explain", "--json", "f"], ["icon", "--install", "f"],
    ]
    for form in forms {
      try Self.expectHarmless(
        Self.onTerminal(form, in: directory.root), "\(form.joined(separator: " "))")
    }
  }

  @Test func xmlSpellsOutWhatATerminalWouldActOn() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    // XML has no form for C0 controls, so those are not in it.
    let name = "a\u{9b}31m\u{202e}\u{200b}\u{e0041}\u{7f}b"
    #expect(try Docsource.run("tag", "-q", "--app-name", name, path).status == 0)
    try Self.expectHarmless(
      Self.onTerminal(["show", "--xml", "f"], in: directory.root).filter { $0 != 0x09 }, "--xml")
    let xml = try Docsource.run("show", "--xml", path).output
    let script = "import plistlib, sys; sys.stdout.write(plistlib.load(sys.stdin.buffer)['name'])"
    let read = try Execution.run(["python3", "-c", script].map { Array($0.utf8) }, input: xml)
    #expect(read.output == Array(name.utf8))
  }

  @Test func hostileFileNamesAndArgumentsAreEscapedInMessages() throws {
    let directory = try TemporaryDirectory()
    let hostile = "x\u{1b}[31m\u{202e}\u{200b}"
    for form in [
      ["show", hostile], ["tag", "--app-name", "x", hostile], ["remove", hostile], [hostile],
      ["show", "--\(hostile)"], ["tag", "-i", hostile, "missing"],
      ["tag", "-u", "https://\(hostile)", "f"], ["tag", "-r", "--root", hostile, "f"],
      ["icon", hostile], ["icon", "https://\(hostile)/"], ["icon", "trust", hostile],
      ["apps", hostile], ["apps", "show", hostile], ["apps", "add", hostile],
      ["apps", "remove", hostile], ["tag", "--app", hostile, "f"], ["doctor", hostile],
      ["icon", "--offline", "--explain", "a.\(hostile)"], ["icon", "trust", "add", hostile],
    ] {
      try Self.expectHarmless(
        Self.onTerminal(form, in: directory.root), "\(form.joined(separator: " "))")
    }
  }

  /// The style of a directory is that of fd.
  @Test func colorsComeOnATerminalAndWhereTheyAreAskedFor() throws {
    let directory = try TemporaryDirectory()
    let script = "mkdir d && touch d/f g && \"$0\" tag -q --app-name x d d/f g"
    #expect(
      try Execution.run(["sh", "-c", script, Docsource.path], in: directory.root).status == 0)
    let (blue, bold, dim, end) = ("\u{1b}[1;34m", "\u{1b}[1m", "\u{1b}[2m", "\u{1b}[0m")
    for (verb, colored, plain) in [
      (["find", "--sort"], "\(blue)d\(end)\n\(blue)d/\(end)f\ng\n", "d\nd/f\ng\n"),
      (["find", "--sort", "./d"], "\(blue)./d\(end)\n\(blue)./d/\(end)f\n", "./d\n./d/f\n"),
      (["show", "g"], "\(bold)g\(end)\n  \(dim)Application\(end)  x\n", "g\n  Application  x\n"),
      (["show", "d/f", "g"], "\(bold)d/f\(end): x\n\(bold)g\(end): x\n", "d/f: x\ng: x\n"),
      (
        ["trace", "--no-recent", "g"],
        "\(bold)g\(end): from \"x\"\n  \(dim)Source\(end)       \"x\"\n    user.x-document-source\n",
        "g: from \"x\"\n  Source       \"x\"\n    user.x-document-source\n"
      ),
    ] as [([String], String, String)] {
      func text(_ options: String...) throws -> String {
        try Execution.run(
          [Docsource.path] + verb + options, in: directory.root,
          environment: ["TERM": "xterm", "NO_COLOR": "1"]
        ).text
      }
      #expect(try text() == plain, "\(verb)")
      #expect(try text("--color=never") == plain, "\(verb)")
      #expect(try text("--color=always") == colored, "\(verb)")
      for (variables, expected) in [
        (["TERM": "xterm", "NO_COLOR": ""], colored), (["TERM": "xterm", "NO_COLOR": "1"], plain),
        (["TERM": "dumb", "NO_COLOR": ""], plain),
      ] as [([String: String], String)] {
        let words = ([Docsource.path] + verb).map { "'\($0)'" }.joined(separator: " ")
        let shown = try Execution.run(
          ["script", "-qec", words, "/dev/null"], in: directory.root, environment: variables)
        #expect(shown.text.replacing("\r\n", with: "\n") == expected, "\(verb) \(variables)")
      }
    }
    for exact in [["find", "-0", "d"], ["find", "--json", "d"], ["show", "--json", "g"]] {
      let text = try Execution.run(
        [Docsource.path] + exact + ["--color=always"], in: directory.root
      ).text
      #expect(!text.isEmpty && !text.contains("\u{1b}"), "\(exact)")
    }
  }

  @Test func jsonAndPipedFieldsAreExact() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    #expect(try Docsource.run("tag", "-q", "--app-name", Self.hostile, path).status == 0)
    let json = try Docsource.run("show", "--json", path).output
    let object = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]
    let name = (object?["source"] as? [String: String])?["name"]
    #expect(name.map { Array($0.utf8) } == Array(Self.hostile.utf8))
    let field = try Docsource.run("show", "--field", "name", "-0", path).output
    #expect(field == Array(Self.hostile.utf8) + [0])
  }
}
