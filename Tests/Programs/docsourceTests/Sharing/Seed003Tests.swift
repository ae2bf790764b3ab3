import Foundation
import TestSupport
import Testing

/// Rows of the document source that differ from the original.
@Suite struct Seed003Tests {
  @Test func seed003_1_attributeHasThePrefixOfLinux() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("a")
    #expect(try Docsource.run("tag", "-q", "-i", "a.b", file).status == 0)
    let names = try Execution.run(["getfattr", "--absolute-names", file]).text
      .split(separator: "\n").dropFirst()
    #expect(names == ["user.x-document-source"])
    #expect(
      try ManualWords.of("marks").contains(
        "On Apple's systems the attribute is called x-document-source: on Linux, attributes of users begin with user."
      ))
  }

  @Test func seed003_15_pathBelowTheRootHasNoSlashAtItsBeginning() throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: directory.path("root/a"), withIntermediateDirectories: true)
    let file = try directory.file("root/a/b.md")
    let tagged = try Docsource.run(
      "tag", "-q", "-i", "a.b", "--root", directory.path("root"), file)
    #expect(tagged.status == 0 && tagged.errors == "")
    #expect(try Docsource.run("show", "--field", "path", file).text == "a/b.md\n")
    #expect(
      try ManualWords.of("tag").contains(
        "without a slash at the beginning (a/b.md), which the code of the original has"))
  }

  @Test func seed003_23_attributeIsWrittenByVerbsAndLibraries() throws {
    #expect(
      try ManualWords.of("marks").contains(
        "writes the attribute when it grants another app access; here, docsource-tag(1), docsource-watch(1), the C library and its Python and Swift interfaces write it."
      ))
  }

  @Test func seed003_25_nameIsAllThatPeopleSee() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("a")
    _ = try Docsource.run("tag", "-q", "-i", "a.b", "--app-name", "Name", file)
    #expect(try Docsource.run("show", "--field", "name", file).text == "Name\n")
    #expect(
      try ManualWords.of("marks").contains(
        "Linux has no containers of apps, so name is all that people see."))
  }
}
