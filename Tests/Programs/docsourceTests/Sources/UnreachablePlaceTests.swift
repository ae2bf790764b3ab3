import Foundation
import Glibc
import TestSupport
import Testing

/// What stands beside a file is found however deep the file is, or the reason is reported.
@Suite struct UnreachablePlaceTests {
  /// A directory whose path is longer than the kernel tells of any file.
  private final class DeepPlace {
    let directory: TemporaryDirectory
    private static let script = """
      import os, sys
      for level in range(20):
          name = "d" * 240
          os.mkdir(name)
          os.chdir(name)
      open("doc", "w").close()
      open("._doc", "wb").write(open(sys.argv[2], "rb").read())
      """

    init() throws {
      directory = try TemporaryDirectory()
      let fixture = Fixture.root.appending(path: "Fixtures/AppleDouble/kernel.appledouble").path
      let made = try Execution.run(
        ["python3", "-c", Self.script, "", fixture], in: directory.root)
      try #require(made.status == 0, "\(made.errors)")
    }

    deinit { _ = try? Execution.run(["rm", "-rf", directory.root]) }

    /// Runs the tool down there, where its directory has no path that could be given.
    func run(_ arguments: String...) throws -> Execution {
      let script = "cd \"$1\"; shift; while [ -d d* ]; do cd -P d*; done; exec \"$@\""
      return try Execution.run(
        ["bash", "-c", script, "bash", directory.root, Docsource.path] + arguments)
    }
  }

  private static let names = "x-document-source, com.apple.quarantine"

  @Test func carriersOfADeepFileAreFound() throws {
    let place = try DeepPlace()
    let traced = try place.run("trace", "--no-recent", "doc")
    #expect(traced.text.contains("    ._doc:x-document-source (in another file"))
    #expect(traced.errors == "")
    #expect(traced.status == 0)
    let adopted = try place.run("adopt", "--leave", "doc")
    #expect(adopted.text == "doc: adopted: \(Self.names) (._doc)\n")
    #expect(adopted.errors == "")
    #expect(adopted.status == 0)
    let stripped = try place.run("strip", "doc")
    #expect(
      stripped.text == "doc: removed: user.com.apple.quarantine, user.x-document-source,"
        + " ._doc:x-document-source, ._doc:com.apple.quarantine\n")
    #expect(stripped.errors == "")
    #expect(stripped.status == 0)
    #expect(try place.run("trace", "--no-recent", "doc").status == 1)
  }

  @Test func carriersOfADeepFileAreFoundOnAWalk() throws {
    let place = try DeepPlace()
    let stripped = try Docsource.run("strip", "-r", ".", in: place.directory.root)
    #expect(
      stripped.text.hasSuffix(
        "/doc: removed: ._doc:x-document-source, ._doc:com.apple.quarantine\n"))
    #expect(stripped.errors == "docsource: 1 stripped, 21 unchanged, 0 failed\n")
    #expect(stripped.status == 0)
    let traced = try Docsource.run("trace", "-r", "--no-recent", ".", in: place.directory.root)
    #expect(traced.text == "0 files with marks of origin, 22 without\n")
    #expect(traced.errors == "")
    #expect(traced.status == 1)
  }

  /// Nobody knows by which name the directory itself is to be looked for.
  @Test func directoryWhoseNameIsUnknownIsAFailure() throws {
    let place = try DeepPlace()
    let obstacle = "\"neighboring files\": cannot read: file name too long\n"
    let stripped = try place.run("strip", ".")
    #expect(stripped.text == "")
    #expect(stripped.errors == "docsource: .: cannot remove \(obstacle)")
    #expect(stripped.status == 2)
    let adopted = try place.run("adopt", "-q", ".")
    #expect(adopted.errors == "docsource: .: \(obstacle)")
    #expect(adopted.status == 2)
    let traced = try place.run("trace", "--no-recent", ".")
    #expect(
      traced.text == ".: no mark of origin could be read\n"
        + "  Not read: \(obstacle)")
    #expect(traced.status == 2)
    let walked = try place.run("trace", "-r", "--no-recent", ".")
    #expect(walked.errors == "docsource: .: no mark of origin could be read: \(obstacle)")
    #expect(walked.status == 2)
    let emitted = try place.run("emit", "--apple-double", ".")
    #expect(emitted.errors == "docsource: .: no mark that can be written as an AppleDouble file\n")
  }

  @Test(.enabled(if: geteuid() == 0, "becoming another user needs root"))
  func carriersBelowADirectoryThatMayNotBeSearchedAreFound() throws {
    let directory = try TemporaryDirectory()
    for path in ["", "closed", "closed/a", "closed/a/b"] { mkdir(directory.path(path), 0o755) }
    for path in ["", "closed", "closed/a", "closed/a/b"] { chmod(directory.path(path), 0o755) }
    let here = directory.path("closed/a/b")
    try directory.file("closed/a/b/doc")
    try directory.write(Fixture.bytes("AppleDouble/kernel.appledouble"), to: "closed/a/b/._doc")
    for path in [here, here + "/doc", here + "/._doc"] { chown(path, 65534, 65534) }
    chmod(directory.path("closed"), 0o700)
    let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Docsource.path]
    func run(_ arguments: String...) throws -> Execution {
      try Execution.run(user + arguments, in: here)
    }
    // What may stand in that directory is reported; nobody can look for what is further up.
    let obstacle = "../../__MACOSX: cannot read: permission denied\n"
    let traced = try run("trace", "--no-recent", "doc")
    #expect(traced.text.contains("    ._doc:x-document-source (in another file"))
    #expect(traced.text.hasSuffix("  Not read: \(obstacle)"))
    #expect(traced.status == 2)
    let adopted = try run("adopt", "doc")
    #expect(adopted.text == "doc: adopted: \(Self.names) (._doc)\n")
    #expect(adopted.errors == "docsource: doc: \(obstacle)")
    #expect(adopted.status == 2)
    let stripped = try run("strip", "-r", "-j1", ".")
    #expect(
      stripped.text == "./doc: removed: user.com.apple.quarantine, user.x-document-source\n")
    #expect(
      stripped.errors == "docsource: .: cannot remove ../__MACOSX: cannot read: permission denied\n"
        + "docsource: ./doc: cannot remove \(obstacle)"
        + "docsource: 0 stripped, 0 unchanged, 2 failed\n")
    #expect(stripped.status == 2)
    chmod(directory.path("closed"), 0o755)
  }
}
