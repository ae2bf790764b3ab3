import Foundation
import TestSupport
import Testing

/// The manual pages and completions that are kept in the sources, and those that the tool writes.
@Suite struct ManualTests {
  private static let integrations = Fixture.root.appending(path: "Sources/Integrations")

  /// The pages in the sources.
  private static func pages() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: integrations.appending(path: "man").path)
      .sorted()
  }

  @Test func keptPagesAndCompletionsAreCurrent() throws {
    let directory = try TemporaryDirectory()
    let written = try Execution.run([
      Self.integrations.appending(path: "write-documentation").path, Docsource.path,
      directory.root,
    ])
    #expect(written.text == "")
    #expect(written.errors == "")
    #expect(written.status == 0)
    for part in ["man", "completions"] {
      let difference = try Execution.run([
        "diff", "-r", Self.integrations.appending(path: part).path, directory.path(part),
      ])
      #expect(difference.text == "", "'make docs' is due")
      #expect(difference.status == 0, "'make docs' is due")
    }
  }

  @Test func everyVerbHasAPage() throws {
    let verbs = try Docsource.run("help", "--list").text.split(separator: "\n")
    let names = verbs.map { "docsource-\($0.split(separator: " ").joined(separator: "-")).1" }
    #expect(try Set(Self.pages()) == Set(names + ["docsource.1"]))
    #expect(verbs.contains("icon trust add"))
  }

  @Test func everyPageRendersWithoutAWarning() throws {
    for name in try Self.pages() {
      let page = Self.integrations.appending(path: "man/\(name)").path
      for command in [
        ["man", "--warnings", "-l", page], ["man", "--warnings=all", "-Tutf8", "-l", page],
        ["mandoc", "-T", "lint", page], ["mandoc", "-T", "lint", "-W", "style", page],
      ] {
        let rendered = try Execution.run(command, environment: ["MANWIDTH": "80", "PAGER": "cat"])
        #expect(rendered.errors == "", "\(command)")
        #expect(rendered.status == 0, "\(command)")
        if command[0] == "mandoc" { #expect(rendered.text == "", "\(command)") }
      }
      let indexed = try Execution.run(["lexgrog", page])
      #expect(indexed.text.contains("\"\(name.dropLast(2)) - "), "\(name)")
    }
  }

  @Test func statusesOfAPageAreThoseOfItsVerb() throws {
    let verbs = try Docsource.run("help", "--list").text.split(separator: "\n").map(String.init)
    var withoutOne: Set<String> = []
    for verb in verbs {
      let words = verb.split(separator: " ").map(String.init)
      let page = try Execution.run([Docsource.path, "help", "--man"] + words).text
      #expect(!page.contains("No failure, but some file has no document source."), "\(verb)")
      if !page.contains("\n.TP\n\\fB1\\fR\n") { withoutOne.insert(verb) }
    }
    #expect(
      withoutOne == [
        "tag", "import", "strip", "apps add", "icon trust add", "icon trust list", "plist",
        "plist show", "plist encode", "plist check", "completions", "help",
      ])
  }

  @Test func renderedPageShowsOptionsAsTheyAreTyped() throws {
    let page = Self.integrations.appending(path: "man/docsource-plist-encode.1").path
    let rendered = try Execution.run(
      ["man", "-l", page], environment: ["MANWIDTH": "80", "MAN_KEEP_FORMATTING": ""])
    for line in [
      "       docsource plist encode [OPTIONS] [FILE]", "       -o, --output=FILE",
      "              Write to FILE, or - for standard output.",
      "         docsource show --xml notes.txt | docsource plist encode -o source.plist",
    ] {
      #expect(rendered.text.contains("\n\(line)\n"), "\(line)")
    }
  }

  @Test func pageIsPrintedForTheWordsOfAVerb() throws {
    let page = try Docsource.run("help", "--man", "icon", "trust")
    #expect(page.text.contains("\n.TH DOCSOURCE\\-ICON\\-TRUST 1 "))
    #expect(page.errors == "")
    #expect(page.status == 0)
    #expect(
      try Docsource.run("help", "--man", "shwo").errors
        == "docsource: help: unknown verb 'shwo'; did you mean 'show'?\n")
    #expect(
      try Docsource.run("help", "--list", "--man").errors
        == "docsource: help: --list cannot be combined with anything else;"
        + " see 'docsource help help'\n"
    )
  }

  @Test(arguments: [
    ([], "give one shell: bash, zsh, fish"), (["bash", "zsh"], "give one shell: bash, zsh, fish"),
    (["bahs"], "no completions for 'bahs'; did you mean 'bash'?"),
    (["csh"], "no completions for 'csh'; did you mean 'zsh'?"),
    (["powershell"], "no completions for 'powershell'; shells are bash, zsh, fish"),
  ])
  func completionsAreForThreeShells(_ shells: [String], _ message: String) throws {
    let execution = try Execution.run([Docsource.path, "completions"] + shells)
    let reference = message.contains("did you mean") ? "" : "; see 'docsource help completions'"
    #expect(execution.errors == "docsource: completions: \(message)\(reference)\n")
    #expect(execution.text == "")
    #expect(execution.status == 64)
  }
}
