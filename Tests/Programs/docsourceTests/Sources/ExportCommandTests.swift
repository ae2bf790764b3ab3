import Foundation
import TestSupport
import Testing

/// Manifests of trees, to the byte.
@Suite struct ExportCommandTests {
  /// The line of a file with the source `{"name": "x"}`.
  private static func line(_ path: String) -> String {
    "{\"file\":\"\(path)\",\"source\":{\"name\":\"x\"},\"value\":"
      + "\"YnBsaXN0MDDRAQJUbmFtZVF4CAsQAAAAAAAAAQEAAAAAAAAAAwAAAAAAAAAAAAAAAAAAABI=\"}\n"
  }

  /// Everything below `top` is tagged, and so is `top` itself.
  private static func tree() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let script = """
      mkdir -p top/a top/.hidden top/.git/objects top/a/CVS other &&
      touch top/b top/a.txt top/a/f top/.hidden/h top/.git/g top/.git/objects/o top/a/CVS/Root other/o
      touch top/untagged && ln -s ../other top/link && ln -s b top/file && mkfifo top/fifo
      "$0" tag -rq --hidden --app-name x top other && "$0" tag -q --app-name x top top/a && "$0" remove -q top/untagged
      """
    let made = try Execution.run(["sh", "-c", script, Docsource.path], in: directory.root)
    #expect(made.errors == "")
    #expect(made.status == 0)
    return directory
  }

  @Test func filesAndDirectoriesAreListedByPathWithoutVersionControl() throws {
    let directory = try Self.tree()
    let all = [".", ".hidden/h", "a", "a.txt", "a/f", "b"]
    for operands in [["top"], ["top/"], ["./other/../top"], ["--root", "top", "top", "top/a"]] {
      let exported = try Execution.run(
        [Docsource.path, "export"] + operands, in: directory.root)
      #expect(exported.text == all.map(Self.line).joined(), "\(operands)")
      #expect(exported.errors == "")
      #expect(exported.status == 0)
    }
    let here = try Docsource.run("export", in: directory.path("top"))
    #expect(here.text == all.map(Self.line).joined())
    #expect(here.status == 0)
    let link = try Docsource.run("export", "top/link", in: directory.root)
    #expect(link.text == Self.line("o"))
  }

  @Test func pathsOfSeveralOperandsLeadFromTheWorkingDirectoryOrTheRoot() throws {
    let directory = try Self.tree()
    let several = try Docsource.run("export", "top/b", "other", in: directory.root)
    #expect(several.text == ["other/o", "top/b"].map(Self.line).joined())
    let one = try Docsource.run("export", "top/a/f", in: directory.root)
    #expect(one.text == Self.line("top/a/f"))
    let root = try Docsource.run("export", "--root", "top", "top/a", in: directory.root)
    #expect(root.text == ["a", "a/f"].map(Self.line).joined())
    let outside = try Docsource.run("export", "--root", "top", "other", "top/b", in: directory.root)
    #expect(outside.text == Self.line("b"))
    #expect(outside.status == 2)
    #expect(
      outside.errors == "docsource: other: "
        + "not below the directory to which paths are relative; use --root\n")
    let git = try Docsource.run("export", "top/.git", in: directory.root)
    #expect(git.text == Self.line("g"))
  }

  @Test func dumpIsWrittenInTheSameOrder() throws {
    let directory = try Self.tree()
    let exported = try Docsource.run("export", "--format", "getfattr", "top/a", in: directory.root)
    let value = "YnBsaXN0MDDRAQJUbmFtZVF4CAsQAAAAAAAAAQEAAAAAAAAAAwAAAAAAAAAAAAAAAAAAABI="
    #expect(
      exported.text == """
        # file: .
        user.x-document-source=0s\(value)

        # file: f
        user.x-document-source=0s\(value)


        """)
    #expect(exported.errors == "")
    #expect(exported.status == 0)
  }

  @Test func fileIsWrittenInsteadOfStandardOutput() throws {
    let directory = try Self.tree()
    try directory.file("out", String(repeating: "old", count: 1000))
    let exported = try Docsource.run("export", "-o", "out", "top/a", in: directory.root)
    #expect(exported.text == "")
    #expect(exported.errors == "")
    #expect(exported.status == 0)
    #expect(try directory.text("out") == [".", "f"].map(Self.line).joined())
    let output = try Docsource.run("export", "-o", "-", "top/a", in: directory.root)
    #expect(output.text == [".", "f"].map(Self.line).joined())
    let failed = try Docsource.run("export", "-o", "none/out", "top/a", in: directory.root)
    #expect(failed.errors == "docsource: none/out: cannot write: no such file or directory\n")
    #expect(failed.status == 2)
  }

  @Test func treeWithoutSourcesIsStatusOneAndAnEmptyManifest() throws {
    let directory = try TemporaryDirectory()
    try directory.file("f")
    try directory.file("out", "old")
    let exported = try Docsource.run("export", "-o", "out", in: directory.root)
    #expect(exported.errors == "docsource: no document source found\n")
    #expect(exported.text == "")
    #expect(exported.status == 1)
    #expect(try directory.text("out") == "")
  }

  @Test func damagedAndEmptyValuesAreExportedAndSambasFormWithoutItsNUL() throws {
    let directory = try TemporaryDirectory()
    for (name, attribute, value) in [
      ("damaged", "x-document-source", "0x0102"), ("empty", "x-document-source", ""),
      ("stream", "DosStream.x-document-source:$DATA", "0x4100"),
      ("void", "DosStream.x-document-source:$DATA", "0x00"),
    ] {
      let set = ["setfattr", "-n", "user.\(attribute)", "-v", value, try directory.file(name)]
      #expect(try Execution.run(set).status == 0)
    }
    let exported = try Docsource.run("export", in: directory.root)
    #expect(
      exported.text == """
        {"file":"damaged","value":"AQI="}
        {"file":"empty","value":""}
        {"file":"stream","value":"QQ=="}

        """)
    #expect(exported.errors == "")
    #expect(exported.status == 0)
  }

  @Test(.enabled(if: geteuid() == 0, "becoming another user needs root"))
  func whatCannotBeReadIsReportedAndTheRestExported() throws {
    let directory = try TemporaryDirectory(in: "/var/tmp/docsource-tests")
    chmod(directory.root, 0o755)
    let script = """
      mkdir closed && touch a secret closed/f && "$0" tag -q --app-name x a secret closed closed/f &&
      chmod 600 secret && chmod 700 closed
      """
    let made = try Execution.run(["sh", "-c", script, Docsource.path], in: directory.root)
    #expect(made.status == 0)
    let exported = try Execution.run(
      ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Docsource.path, "export"],
      in: directory.root)
    #expect(exported.text == Self.line("a"))
    #expect(
      exported.errors.contains("docsource: ./secret: cannot read document source: permission"))
    #expect(exported.errors.contains("docsource: ./closed: cannot read directory: permission"))
    #expect(exported.status == 2)
  }

  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func otherFileSystemsAreLeftOutOnRequest() throws {
    let system = try FileSystem(.tmpfs)
    let script = """
      touch "$1/f" && "$0" tag -q --app-name x "$1" "$1/f"
      """
    #expect(try Execution.run(["sh", "-c", script, Docsource.path, system.root]).status == 0)
    let above = (system.root as NSString).deletingLastPathComponent
    let all = try Docsource.run("export", above)
    #expect(all.text == ["mounted", "mounted/f"].map(Self.line).joined())
    let one = try Docsource.run("export", "-x", above)
    #expect(one.text == "")
  }

  @Test func missingRootIsAWrongCommandLine() throws {
    let exported = try Docsource.run("export", "--root", "/nonexistent")
    #expect(
      exported.errors == "docsource: export: --root: '/nonexistent' is not an accessible "
        + "directory; see 'docsource help export'\n")
    #expect(exported.status == 64)
  }

  @Test func manifestIsNotEmptiedWhereNothingCouldBeRead() throws {
    let directory = try Self.tree()
    #expect(try Docsource.run("export", "-o", "m", "top", in: directory.root).status == 0)
    let manifest = try directory.text("m")
    #expect(manifest.hasPrefix("{"))
    let failed = try Docsource.run("export", "-o", "m", "typo", in: directory.root)
    #expect(
      failed.errors
        == "docsource: typo: no such file, or a directory of the path is not searchable\n"
        + "docsource: m: not written because nothing was found\n")
    #expect(failed.text == "")
    #expect(failed.status == 2)
    #expect(try directory.text("m") == manifest)
    let none = try Docsource.run("export", "-o", "m", "top/untagged", in: directory.root)
    #expect(none.errors == "docsource: no document source found\n")
    #expect(none.status == 1)
    #expect(try directory.text("m") == "")
  }

  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func fileSystemWithoutAttributesHasNothingToExport() throws {
    let system = try FileSystem(.ramfs)
    #expect(try Execution.run(["touch", "\(system.root)/f"]).status == 0)
    let exported = try Docsource.run("export", system.root)
    #expect(exported.errors == "docsource: no document source found\n")
    #expect(exported.text == "")
    #expect(exported.status == 1)
  }

  /// The names begin with that of a directory that is left out.
  @Test(.enabled(if: geteuid() == 0, "becoming another user needs root"))
  func unreadableDirectoriesBesideThoseLeftOutAreReported() throws {
    let directory = try TemporaryDirectory(in: "/var/tmp/docsource-tests")
    chmod(directory.root, 0o755)
    let script = "mkdir .git && for i in 1 2 3 4 5 6 7 8; do mkdir .git$i; chmod 700 .git$i; done"
    #expect(try Execution.run(["sh", "-c", script], in: directory.root).status == 0)
    let exported = try Execution.run(
      ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Docsource.path, "export"],
      in: directory.root)
    let reported = exported.errors.split(separator: "\n").filter { $0.contains("read directory:") }
    #expect(
      reported.sorted()
        == (1...8).map { "docsource: ./.git\($0): cannot read directory: permission denied" })
    #expect(exported.status == 2)
  }

  /// Whichever of the two is ahead.
  @Test func filesThatAreRemovedMeanwhileAreNoFailure() throws {
    let directory = try TemporaryDirectory()
    let script = """
      mkdir tree && (cd tree && seq 4000 | xargs touch) &&
      { "$0" export tree & find tree -type f -delete; wait $!; }
      """
    let exported = try Execution.run(["sh", "-c", script, Docsource.path], in: directory.root)
    #expect(exported.errors == "docsource: no document source found\n")
    #expect(exported.text == "")
    #expect(exported.status == 1)
  }
}
