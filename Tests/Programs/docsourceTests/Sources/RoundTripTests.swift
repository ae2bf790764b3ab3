import Glibc
import TestSupport
import Testing

/// Tag, show and remove on every file system that people keep documents on.
@Suite(.enabled(if: FileSystem.mayMount, "mounting needs root"))
struct RoundTripTests {
  private static let attribute = "user.x-document-source"

  @Test(arguments: [FileSystem.Kind.ext4, .xfs, .btrfs, .tmpfs], [false, true])
  func taggedShownAndRemoved(_ kind: FileSystem.Kind, isDirectory: Bool) throws {
    let system = try FileSystem(kind)
    let path = system.path("document")
    if isDirectory {
      mkdir(path, 0o750)
    } else {
      #expect(try Execution.run(["sh", "-c", "echo content > '\(path)'"]).status == 0)
    }
    #expect(try Execution.run(["setfattr", "-n", "user.other", "-v", "kept", path]).status == 0)
    #expect(try Execution.run(["touch", "-d", "2001-02-03T04:05:06.789", path]).status == 0)
    let before = try FileState(path, except: [Self.attribute])

    let tagged = try Docsource.tag(path)
    #expect(
      tagged.text
        == "\(path): tagged: Working Copy (com.appliedphasor.working-copy), directory/filename.ext\n"
    )
    #expect(tagged.errors == "")
    #expect(tagged.status == 0)
    #expect(
      try Execution.run(["getfattr", "-n", Self.attribute, "--only-values", path]).output
        == Fixture.bytes("PropertyLists/four-keys.bplist"))

    let shown = try Docsource.run("show", path)
    #expect(
      shown.text == """
        \(path)
          Application  Working Copy
          Identifier   com.appliedphasor.working-copy
          Document     directory/filename.ext
          App info     https://raw.githubusercontent.com/palmin/x-document-source/master/appInfo.json

        """)
    #expect(shown.errors == "")
    #expect(shown.status == 0)

    #expect(try FileState(path, except: [Self.attribute]) == before)
    let removed = try Docsource.run("remove", path)
    #expect(removed.text == "\(path): removed\n")
    #expect(removed.errors == "")
    #expect(removed.status == 0)
    #expect(try FileState(path) == before)

    let absent = try Docsource.run("show", path)
    #expect(absent.text == "")
    #expect(absent.status == 1)
    let hint = isDirectory ? "; -r shows the files in this directory" : ""
    #expect(absent.errors == "docsource: \(path): no document source\(hint)\n")
    let again = try Docsource.run("remove", path)
    #expect(again.text == "\(path): unchanged\n")
    #expect(again.status == 0)
    #expect(again.errors == "")
  }
}
