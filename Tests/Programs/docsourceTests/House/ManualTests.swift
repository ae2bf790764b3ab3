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

  private static let embedded = [
    "Sources/Programs/docsource/Manual", "Sources/Programs/CommandLineInterface/CompletionScripts",
  ]

  private static func makeDirectory(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  @Test(arguments: embedded) func embeddedTextsAreCurrent(_ folder: String) throws {
    let directory = try TemporaryDirectory()
    let name = try #require(folder.split(separator: "/").last)
    let copied = directory.path(String(name))
    try FileManager.default.copyItem(
      at: Fixture.root.appending(path: folder), to: URL(filePath: copied))
    let written = try Execution.run([Self.integrations.appending(path: "embed-texts").path, copied])
    #expect(written.errors == "")
    #expect(written.status == 0)
    let kept = try String(
      contentsOf: Fixture.root.appending(path: "\(folder).swift"), encoding: .utf8)
    let embedded = try String(contentsOfFile: "\(copied).swift", encoding: .utf8)
    #expect(kept == embedded, "'make docs' is due")
  }

  @Test(arguments: [
    (["a.txt": "a \n"], "a.txt:1: a character that does not show"),
    (["a.txt": "a\n\u{202e}\n"], "a.txt:2: a character that does not show"),
    (["a.txt": "a"], "a.txt: must end with one line end"),
    (["a.txt": "a\n\n# B\nb\n"], "a.txt: '# B\nb' is not a heading with empty lines around"),
    (["a.txt": "# EXIT STATUS\n\n1 b\n"], "a.txt: '1 b' is not an entry of EXIT STATUS"),
    (["a.txt": "# FILES\n\n~/.a b\n"], "a.txt: '~/.a b' is not an entry of FILES"),
    (["a.txt": "a\n", "Shared/b.txt": "b\n"], "no page has b"),
  ])
  func textOfAnotherFormIsNotEmbedded(_ files: [String: String], _ message: String) throws {
    let directory = try TemporaryDirectory()
    try Self.makeDirectory(directory.path("Shared"))
    for (name, text) in files { try directory.file(name, text) }
    let written = try Execution.run([
      Self.integrations.appending(path: "embed-texts").path, directory.root,
    ])
    #expect(written.errors.replacing("\(directory.root)/", with: "") == message + "\n")
    #expect(written.status == 1)
    #expect(!FileManager.default.fileExists(atPath: directory.root + ".swift"))
  }

  @Test func embeddedTextPrintsAsItIs() throws {
    let directory = try TemporaryDirectory()
    try Self.makeDirectory(directory.path("Texts/Shared"))
    try directory.file("Texts/import-all.txt", "\"a\\n\\(b)\"\n\n@both@ @limit@\n")
    try directory.file("Texts/Shared/both.txt", "c\n\n@deep@\n")
    try directory.file("Texts/Shared/deep.txt", "d\n")
    try directory.file("Texts/import.txt", "# A\n")
    try directory.file("Texts/docsource.fish", "_docsource\n  # @verbs@\n")
    let written = try Execution.run([
      Self.integrations.appending(path: "embed-texts").path, directory.path("Texts"),
    ])
    #expect(written.errors == "")
    let text = try String(contentsOfFile: directory.path("Texts.swift"), encoding: .utf8)
    #expect(
      text.hasSuffix(
        #"""

        /// The files in Texts.
        enum Texts {
          static var fish: String { "_@tool@\n@verbs@\n" }
          static var importAll: String { "\"a\\n\\(b)\"\n\n\(Shared.both) @limit@" }
          static var `import`: String { "# A" }

          private enum Shared {
            static var both: String { "c\n\n\(Shared.deep)" }
            static var deep: String { "d" }
          }
        }

        """#))
  }

  @Test func everyVerbAndTopicHasAPage() throws {
    let verbs = try Docsource.run("help", "--list").text.split(separator: "\n")
    let names = verbs.map { "docsource-\($0.split(separator: " ").joined(separator: "-")).1" }
    let topics = [
      "docsource-marks.7", "docsource-sharing.7", "docsource-file-managers.7", "documentsource.3",
    ]
    #expect(
      try Docsource.run("help", "--topics").text
        == zip(["marks", "sharing", "file-managers", "library"], topics)
        .map { "\($0) \($1)\n" }.joined())
    #expect(try Set(Self.pages()) == Set(names + topics + ["docsource.1"]))
    #expect(verbs.contains("icon trust add"))
    let texts = try FileManager.default.contentsOfDirectory(
      atPath: Fixture.root.appending(path: Self.embedded[0]).path
    ).filter { $0 != "Shared" }
    let named =
      verbs.map { $0.replacing(" ", with: "-") } + ["marks", "sharing", "file-managers", "library"]
    #expect(Set(texts).isSubset(of: (named + ["docsource"]).map { "\($0).txt" }))
  }

  @Test func noPageNamesAPageTwice() throws {
    for name in try Self.pages() {
      let page = try String(
        contentsOf: Self.integrations.appending(path: "man/\(name)"), encoding: .utf8)
      let last = try #require(page.components(separatedBy: "\n.SH SEE ALSO\n").dropFirst().last)
      let named = last.split(separator: "\n").map { $0.hasSuffix(",") ? $0.dropLast() : $0 }
      #expect(named.count == Set(named).count, "\(name)")
    }
  }

  @Test func pageOfTheToolBeginsWithTheVerbsOfEveryDay() throws {
    let page = try RenderedPage("docsource.1")
    let titles = page.sections.map(\.title)
    #expect(
      titles.dropFirst().prefix(6) == [
        "NAME", "SYNOPSIS", "DESCRIPTION", "VERBS", "OTHER VERBS", "OPTIONS",
      ])
    #expect(
      titles.dropLast().suffix(4) == ["RENAMED OPTIONS", "NULL IN JSON", "EXAMPLES", "SEE ALSO"])
    let everyday = page.text(below: "VERBS")
    for verb in [
      "tag", "remove", "copy", "watch", "show", "find", "trace", "apps", "adopt", "strip", "open",
      "share",
    ] {
      #expect(everyday.contains("docsource-\(verb)(1)"), "\(verb)")
    }
    #expect(!everyday.contains("docsource-rule(1)"))
  }

  /// The titles at both ends of the first line run into each other, or are cut, unless there is room.
  @Test func firstLineOfEachPageHasRoomForItsTitles() throws {
    for name in try Self.pages() {
      let page = Self.integrations.appending(path: "man/\(name)").path
      let rendered = try Execution.run(
        ["man", "-l", page], environment: ["MANWIDTH": "80", "PAGER": "cat"])
      let line = String(rendered.text.prefix { $0 != "\n" })
      let title = "\(name.dropLast(2).uppercased())(\(name.suffix(1)))"
      #expect(
        line.count <= 80 && line.hasPrefix("\(title) ") && line.hasSuffix(" \(title)"), "\(line)")
    }
  }

  /// The sentences of a page, without what is shown as it is, and without marks of roff.
  private static func sentences(_ page: String) -> [String] {
    var isShown = false
    var text = ""
    for line in page.split(separator: "\n") {
      if line == ".EX" || line == ".EE" { isShown = line == ".EX" }
      if isShown { continue }
      text += line.hasPrefix(".") ? "\n" : "\(line) "
    }
    for (mark, shown) in [
      ("\\fB", ""), ("\\fI", ""), ("\\fR", ""), ("\\-", "-"), ("\\(aq", "'"), ("\\&", ""),
    ] {
      text = text.replacing(mark, with: shown)
    }
    return text.split(separator: "\n").flatMap { $0.components(separatedBy: ". ") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test func noPageHasASentenceTwice() throws {
    for name in try Self.pages() {
      let page = try String(
        contentsOf: Self.integrations.appending(path: "man/\(name)"), encoding: .utf8)
      var seen: Set<String> = []
      for sentence in Self.sentences(page) where sentence.count > 30 {
        #expect(seen.insert(sentence).inserted, "\(name): \(sentence)")
      }
    }
  }

  /// Words that other programs have.
  private static let otherOptions: Set = ["--bind", "--xattrs", "--now", "--preserve"]

  @Test func pagesNameOnlyOptionsThatTheirVerbsHave() throws {
    let verbs = try Docsource.run("help", "--list").text.split(separator: "\n")
    func words(_ verb: Substring) -> [String] {
      verb.split(separator: " ").map { String($0) }
    }
    func options(_ text: String) -> Set<String> {
      Set(text.matches(of: /(?:^|[^\w-])(--[a-z0-9][a-z0-9-]*)/).map { String($0.output.1) })
    }
    for verb in verbs {
      // A page that gathers others says what they have in common.
      let members = verbs.filter { $0 == verb || $0.hasPrefix(verb + " ") }
      var known = Self.otherOptions
      for member in members {
        known.formUnion(
          options(try Execution.run([Docsource.path] + words(member) + ["--help"]).text))
      }
      let page = try Execution.run([Docsource.path, "help", "--man"] + words(verb)).text
      // Some stand on the page only: each below .TP, before what it does.
      let section = page.components(separatedBy: "\n.SH ").first { $0.hasPrefix("OPTIONS\n") }
      for entry in (section ?? "").components(separatedBy: "\n.TP\n").dropFirst() {
        let form = Self.sentences(String(entry.prefix { $0 != "\n" }))
        known.formUnion(options(form.joined(separator: " ")))
      }
      for sentence in Self.sentences(page) {
        // Between quotes, and with the page of another verb, are options of that verb.
        let own = sentence.replacing(/'[^']*'/, with: "")
        let isOfOthers = sentence.contains("(1) with --") || sentence.contains("docsource-")
        let named = options(own).subtracting(known)
        #expect(named.isEmpty || isOfOthers, "\(verb): \(named): \(sentence)")
      }
    }
  }

  /// docsource(1) says which verbs take `-` for standard input.
  @Test func verbsThatReadStandardInputAreThoseOfThePage() throws {
    let page = try RenderedPage("docsource.1").text(below: "COMMAND LINE")
    #expect(
      page.contains(
        "The operand - is standard input for import and for those verbs of plist, item, link and"
          + " rule whose pages say so"))
    for verb in ["tag", "show", "remove", "trace", "share", "open", "icon"] {
      let read = try Execution.run([Docsource.path, verb, "-"], input: Array("x".utf8))
      #expect(read.status != 0, "\(verb)")
    }
  }

  @Test func topicIsShownAsTextToo() throws {
    let text = try Docsource.run("help", "marks").text
    #expect(
      text.hasPrefix(
        "docsource-marks(7): marks of origin: what they say and where they are stored\n\nA mark of")
    )
    #expect(text.contains("\n\nTRUST\n\nA mark is a claim by whoever wrote it,"))
    #expect(text.contains("\n  beside   another file, perhaps"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    #expect(
      try Docsource.run("help", "library").text.contains("\n\n  #include <documentsource.h>\n"))
    let page = try Docsource.run("help", "--man", "library")
    #expect(page.text.contains("\n.TH DOCUMENTSOURCE 3 "))
    #expect(page.status == 0)
  }

  @Test func topicsAreListedWithWhatTheyAreAbout() throws {
    let listed = try Docsource.run("help", "topics")
    #expect(
      listed.text == """
        Topics, which 'docsource help TOPIC' shows:
          marks          marks of origin: what they say and where they are stored
          sharing        share items, rules, activities, links and intents: how they
                         belong together
          file-managers  see source applications in Nautilus, Nemo, Caja, Thunar and
                         Dolphin
          library        read and write which application a file came from

        """)
    #expect(listed.errors == "")
    #expect(listed.status == 0)
    let page = try Docsource.run("help", "--man", "topics")
    #expect(page.errors.hasPrefix("docsource: help: unknown verb 'topics'"))
    #expect(page.status == 64)
  }

  /// Without comments and directives, what ends with a semicolon.
  private static func declarations(_ text: some StringProtocol) -> [String] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.contains("///") }
      .joined(separator: " ").split(separator: ";").map { declaration in
        declaration.split(separator: " ").joined(separator: " ").replacing("( ", with: "(")
      }
  }

  @Test func pageOfTheLibraryHasWhatTheHeaderDeclares() throws {
    let url = Fixture.root.appending(
      path: "Sources/CLibrary/CDocumentSource/include/documentsource.h")
    let header = try String(contentsOf: url, encoding: .utf8)
    let functions = try #require(header.components(separatedBy: "extern \"C\" {\n#endif\n").last)
    let page = try RenderedPage("documentsource.3")
    let shown = page.blocks(below: "FUNCTIONS").flatMap { block in
      Self.declarations(block.joined(separator: "\n"))
    }
    let declared = Self.declarations(functions).filter { $0.contains("(") && !$0.contains("{") }
    #expect(declared.count > 40)
    #expect(shown.sorted() == declared.sorted())
    let statuses = header.matches(of: /(DOCSOURCE_[A-Z_]+) = (\d+),?\n/).prefix { match in
      match.1 != "DOCSOURCE_NO_FOLLOW"
    }
    let rows = page.blocks(below: "STATUS").joined().map { row in
      row.split(separator: " ").prefix(2).joined(separator: " ")
    }
    #expect(rows == statuses.prefix(15).map { "\($0.1) \($0.2)" })
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
        "tag", "remove", "import", "strip", "apps add", "icon trust add", "icon trust list",
        "plist",
        "plist show", "plist encode", "plist check", "completions", "help",
        "link parse", "link check", "link apply",
        "intent list", "intent default set", "intent default remove",
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
    (["powershell"], "no completions for 'powershell'; supported shells: bash, zsh, fish"),
  ])
  func completionsAreForThreeShells(_ shells: [String], _ message: String) throws {
    let execution = try Execution.run([Docsource.path, "completions"] + shells)
    let reference = message.contains("did you mean") ? "" : "; see 'docsource help completions'"
    #expect(execution.errors == "docsource: completions: \(message)\(reference)\n")
    #expect(execution.text == "")
    #expect(execution.status == 64)
  }
}
