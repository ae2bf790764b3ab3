import Foundation
import TestSupport
import Testing

/// Recursive work goes on where the kernel has no *xattrat calls.
@Suite struct KernelTests {
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
    #expect(tagged.errors == "" && tagged.status == 0)
    let shown = try run(["show", "-r", "tree"])
    #expect(shown.text.split(separator: "\n").sorted() == ["tree/a: a.b", "tree/sub/b: a.b"])
    #expect(try run(["remove", "-rq", "tree"]).status == 0)
    #expect(try run(["show", "-r", "tree"]).status == 1)
  }
}
