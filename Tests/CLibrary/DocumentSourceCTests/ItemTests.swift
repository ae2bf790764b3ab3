import Foundation
import Glibc
import TestSupport
import Testing

/// Share items through the C library and the Python module.
@Suite(.enabled(if: try SharedLibrary.isExpected)) struct ItemTests {
  private static func applied(_ directory: TemporaryDirectory) throws {
    _ = try directory.file("marked")
    let item = Fixture.root.appending(path: "Fixtures/Sharing/Items/whole.xei").path
    #expect(
      try Docsource.run("item", "apply", "-q", item, "marked", in: directory.root).status == 0)
  }

  @Test func programReadsEveryField() throws {
    let directory = try TemporaryDirectory()
    let program = try SharedLibrary.compile(SharedLibrary.program("items.c"), into: directory)
    let parsed = try Execution.run(
      [program], in: directory.root, environment: SharedLibrary.environment,
      input: try Fixture.bytes("Sharing/Items/whole.xei"))
    #expect(parsed.errors == "")
    #expect(
      parsed.text == """
        0 A title
        1 What is said
        with it
        2 https://example.com/a?b=c#d
        3 Example
        4 1
        5 org.example
        6 https://user:secret@example.com/page
        7 example://page
        8 example://page
        tag one
        tag two, three
        tag vier
        attachment public.url 21 - -
        attachment public.plain-text 9 - note
        attachment public.png 8 - picture.png
        attachment com.adobe.pdf 0 report.pdf -

        """)
    try Self.applied(directory)
    _ = try directory.file("plain")
    let damaged = try directory.file("damaged")
    #expect(
      try Execution.run(["setfattr", "-n", "user.x-extension-item", "-v", "no list", damaged])
        .status == 0)
    let read = try Execution.run(
      [program, "marked", "plain", "missing", "damaged"], in: directory.root,
      environment: SharedLibrary.environment)
    #expect(
      read.text == """
        0 A title
        1 What is said
        with it
        2 https://example.com/a?b=c#d
        3 Example
        4 1
        5 org.example
        6 https://example.com/page
        7 example://page
        8 example://page
        tag one
        tag two, three
        tag vier
        1 no share item
        3 cannot read marks of origin: no such file or directory
        2 cannot read share item: not a well-formed binary property list: not a binary property list (at byte 0)

        """)
    let bad = try Execution.run(
      [program], in: directory.root, environment: SharedLibrary.environment,
      input: Array("bplist00".utf8))
    #expect(bad.text.hasPrefix("cannot read share item: not a well-formed binary property list: "))
  }

  @Test func moduleReadsEveryField() throws {
    let directory = try TemporaryDirectory()
    try Self.applied(directory)
    _ = try directory.file("plain")
    let program = """
      import sys, documentsource
      print(documentsource.item("plain"))
      item = documentsource.item("marked")
      print(item.title, item.tags, item.referrer_google_play_id, item.attachments)
      with open(sys.argv[1], "rb") as file:
          item = documentsource.parse_item(file.read())
      print(item.source_url, [a.types for a in item.attachments])
      print([a.content for a in item.attachments], item.attachments[3].path)
      try:
          documentsource.parse_item(b"no list")
      except documentsource.Error as error:
          print(error.status.name, error.offset)
      """
    let module = Fixture.root.appending(path: "Sources/Integrations/python").path
    let run = try Execution.run(
      [
        "python3", "-c", program,
        Fixture.root.appending(path: "Fixtures/Sharing/Items/whole.xei").path,
      ], in: directory.root,
      environment: SharedLibrary.environment.merging(["PYTHONPATH": module]) { $1 })
    #expect(run.errors == "")
    #expect(
      run.text == """
        None
        A title ('one', 'two, three', 'vier') org.example ()
        https://example.com/a?b=c#d [('public.url',), ('public.plain-text',), ('public.png',), ('com.adobe.pdf', 'public.file-url')]
        [b'https://example.com/a', b'some text', b'\\x89PNG\\r\\n\\x1a\\n', None] report.pdf
        DAMAGED 0

        """)
  }
}
