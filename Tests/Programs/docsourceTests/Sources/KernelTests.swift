import Foundation
import TestSupport
import Testing

/// Recursive work goes on where the kernel has no *xattrat calls; without /proc nothing begins.
@Suite struct KernelTests {
  /// The Swift runtime would abort.
  @Test(
    .enabled(if: FileSystem.mayMount, "unmounting needs root"),
    arguments: [["--version"], ["show", "f"], ["tag", "-i", "a.b", "f"]])
  func missingProcIsReported(_ arguments: [String]) throws {
    let script = "umount -l /proc && exec \"$@\""
    let ended = try Execution.run(
      ["unshare", "-m", "sh", "-c", script, "sh", Docsource.path] + arguments)
    #expect(ended.text == "")
    #expect(ended.errors == "docsource needs /proc, which is not mounted or cannot be read\n")
    #expect(ended.status == 2)
  }

  @Test(arguments: ["ENOSYS", "EPERM"])
  func recursionWorksWithoutTheNewCalls(_ errno: String) throws {
    let directory = try TemporaryDirectory()
    let script = "mkdir -p tree/sub && touch tree/a tree/sub/b && ln -s a tree/link"
    #expect(try Execution.run(["sh", "-c", script], in: directory.root).status == 0)
    let filter = Fixture.root.appending(path: "Tests/Scripts/without-xattrat").path
    let run = { (arguments: [String]) in
      try Execution.run([filter, errno, Docsource.path] + arguments, in: directory.root)
    }
    let tagged = try run(["tag", "-r", "-i", "a.b", "tree"])
    #expect(
      tagged.text.split(separator: "\n").sorted() == [
        "tree/a: tagged: a.b", "tree/sub/b: tagged: a.b",
      ])
    #expect(tagged.errors == "docsource: 2 tagged, 0 unchanged, 0 failed\n")
    #expect(tagged.status == 0)
    let shown = try run(["show", "-r", "tree"])
    #expect(shown.text.split(separator: "\n").sorted() == ["tree/a: a.b", "tree/sub/b: a.b"])
    #expect(try run(["remove", "-rq", "tree"]).status == 0)
    #expect(try run(["show", "-r", "tree"]).status == 1)
  }

  /// smbd holds leases on files that clients have open; opening one would fail or break it.
  @Test func fileUnderALeaseIsReadWithoutTheNewCalls() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("tree")
    #expect(try Execution.run(["rm", path]).status == 0)
    #expect(try Execution.run(["mkdir", path]).status == 0)
    let script = """
      import fcntl, os, subprocess, sys
      file = sys.argv[1] + '/f'
      open(file, 'w').close()
      subprocess.check_call([sys.argv[4], 'tag', '-q', '--app-name', 'x', file])
      held = os.open(file, os.O_RDWR)
      fcntl.fcntl(held, fcntl.F_SETLEASE, fcntl.F_WRLCK)
      sys.exit(subprocess.call(sys.argv[2:4] + [sys.argv[4], 'show', '-r', sys.argv[1]]))
      """
    let filter = Fixture.root.appending(path: "Tests/Scripts/without-xattrat").path
    let execution = try Execution.run(
      ["python3", "-c", script, path, filter, "ENOSYS", Docsource.path])
    #expect(execution.text == "\(path)/f: x\n")
    #expect(execution.errors == "")
    #expect(execution.status == 0)
  }
}
