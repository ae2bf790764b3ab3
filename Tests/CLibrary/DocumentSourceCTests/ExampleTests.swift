import Foundation
import Glibc
import TestSupport
import Testing

/// The examples are built, and do what they say.
@Suite(.enabled(if: try SharedLibrary.isExpected)) struct ExampleTests {
  private let directory: TemporaryDirectory
  /// A user of the test's own, on a system without icons.
  private var environment: [String: String] {
    SharedLibrary.environment.merging([
      "HOME": directory.root, "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "",
      "XDG_DATA_DIRS": directory.path("share"),
    ]) { $1 }
  }

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ words: String...) throws -> Execution {
    try Execution.run(words, in: directory.root, environment: environment)
  }

  private func example(_ name: String) throws -> String {
    try SharedLibrary.compile(
      SharedLibrary.source("Integrations/examples/\(name)"), into: directory)
  }

  @Test func exampleInCShowsSourcesWithTheirIcons() throws {
    let program = try example("source.c")
    try directory.file("letter.txt")
    try directory.file("plain.txt")
    #expect(try Docsource.tag(directory.path("letter.txt")).status == 0)

    let made = try run(
      "install", "-D", Fixture.root.appending(path: "Fixtures/Pictures/scaling.png").path,
      directory.path(".config/docsource/icons/com.appliedphasor.working-copy.png"))
    #expect(made.status == 0)
    let shown = try run(program, "letter.txt", "plain.txt", "missing.txt")
    #expect(
      shown.text == """
        letter.txt
          identifier  com.appliedphasor.working-copy
          name        Working Copy
          path        directory/filename.ext
          app info    https://raw.githubusercontent.com/palmin/x-document-source/master/appInfo.json
          carrier     user.x-document-source
          icon        \(directory.path(".config/docsource/icons/com.appliedphasor.working-copy.png"))

        """)
    #expect(
      shown.errors == """
        plain.txt: no document source
        missing.txt: cannot read document source: no such file or directory

        """)
    #expect(shown.status == 1)
  }

  /// An icon that is not there is fetched where the user trusts its host, and only there.
  @Test(arguments: [true, false]) func exampleInCFetchesIconsOfTrustedHosts(_ isTrusted: Bool)
    throws
  {
    let program = try example("source.c")
    for (file, name) in [
      (SharedLibrary.path, SharedLibrary.soname),
      (Fixture.root.appending(path: "Tests/Scripts/stand-in-fetch").path, "docsource-fetch"),
    ] {
      #expect(try run("cp", file, directory.path(name)).status == 0)
    }
    let hosts = ".config/docsource/trusted-hosts"
    #expect(try run("mkdir", "-p", directory.path(".config/docsource")).status == 0)
    try directory.file(hosts, isTrusted ? "icons.example\n" : "other.example\n")
    let path = try directory.file("letter.txt")
    let url = "https://icons.example/appInfo.json"
    #expect(try Docsource.run("tag", "-q", "-i", "a.b", "-u", url, path).status == 0)
    let shown = try Execution.run(
      ["valgrind", "-q", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=definite"]
        + ["--errors-for-leak-kinds=definite,indirect", program, path],
      in: directory.root,
      environment: environment.merging(["LD_LIBRARY_PATH": directory.root]) { $1 })
    #expect(
      shown.text == """
        \(path)
          identifier  a.b
          app info    https://icons.example/appInfo.json
          carrier     user.x-document-source

        """)
    #expect(shown.errors == (isTrusted ? "\(url): it offers no icon\n" : ""))
    #expect(shown.status == 0)
  }

  @Test func exampleInCPlusPlusMarksAndUnmarks() throws {
    let program = try example("source.cpp")
    try directory.file("letter.txt")
    let marked = try run(program, "letter.txt", "org.example.editor", "Editor")
    #expect(
      marked.text == """
        letter.txt: org.example.editor, Editor (user.x-document-source)
        icon: none
        letter.txt: no document source

        """)
    #expect(marked.errors == "")
    #expect(marked.status == 0)
    let missing = try run(program, "missing.txt", "a.b")
    #expect(
      missing.errors
        == "missing.txt: cannot write document source: no such file or directory\n")
    #expect(missing.status == 2)
    let refused = try run(program, "letter.txt", "")
    #expect(
      refused.errors.hasPrefix("letter.txt: cannot write document source: at least one field"))
  }

  @Test func exampleInPythonTagsShowsAndRemoves() throws {
    let example = SharedLibrary.source("Integrations/examples/source.py")
    try directory.file("letter.txt")
    let tagged = try run(example, "tag", "-i", "a.b", "-n", "Ed\u{1b}[31m", "letter.txt")
    #expect(tagged.errors == "")
    #expect(tagged.text == "")
    #expect(tagged.status == 0)
    let shown = try run(example, "show", "letter.txt", "missing.txt")
    #expect(
      shown.text == """
        letter.txt
          identifier    a.b
          name          Ed\\x1b[31m
          carrier       user.x-document-source

        """)
    #expect(
      shown.errors == "missing.txt: cannot read document source: no such file or directory\n")
    #expect(shown.status == 2)
    #expect(try run(example, "remove", "letter.txt").status == 0)
    let removed = try run(example, "show", "letter.txt")
    #expect(removed.errors == "letter.txt: no document source\n")
    #expect(removed.status == 1)
  }
}
