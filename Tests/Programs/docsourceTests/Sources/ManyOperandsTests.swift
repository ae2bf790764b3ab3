import TestSupport
import Testing

/// Many files named on one command line are read on several threads; what is printed stands in the order
/// of the files all the same.
@Suite struct ManyOperandsTests {
  private let directory: TemporaryDirectory
  /// The even ones have a document source.
  private let names = (0..<2500).map { "file \(10_000 + $0)" }

  init() throws {
    directory = try TemporaryDirectory()
    for name in names { try directory.file(name) }
    let even = names.indices.filter { $0.isMultiple(of: 2) }.map { names[$0] }
    let tagging = try Execution.run(
      [Docsource.path, "tag", "-q", "-i", "org.example.editor"] + even, in: directory.path("."))
    try #require(tagging.status == 0)
  }

  @Test func linesStandInTheOrderOfTheFiles() throws {
    let shown = try Execution.run([Docsource.path, "show"] + names, in: directory.path("."))
    #expect(shown.status == 1)
    let (even, odd) = (names.indices.filter { $0 % 2 == 0 }, names.indices.filter { $0 % 2 == 1 })
    #expect(shown.text == even.map { "\(names[$0]): org.example.editor\n" }.joined())
    #expect(
      shown.errors == odd.map { "docsource: \(names[$0]): no document source\n" }.joined())
  }

  @Test func dataAndWordsInOneFileKeepTheirOrder() throws {
    let command = "exec \"$0\" show \"$@\" 2>&1"
    let shown = try Execution.run(
      ["sh", "-c", command, Docsource.path] + names, in: directory.path("."))
    #expect(shown.status == 1 && shown.errors.isEmpty)
    let lines = names.indices.map { index in
      index % 2 == 0
        ? "\(names[index]): org.example.editor\n"
        : "docsource: \(names[index]): no document source\n"
    }
    #expect(shown.text == lines.joined())
  }

  @Test func othersMarksArePointedTo() throws {
    let program = """
      import os, sys
      os.setxattr(sys.argv[1], "user.com.apple.quarantine", b"0083;5f6e3c00;Safari;")
      """
    let odd = try #require(names.last)
    let marking = try Execution.run(["python3", "-c", program, odd], in: directory.path("."))
    try #require(marking.status == 0)
    // Beside the one before the last but one, in the form of ntfs-3g.
    let other = names[names.count - 3]
    try directory.file(other + ":Zone.Identifier", "[ZoneTransfer]\r\nZoneId=3\r\n")
    let shown = try Execution.run([Docsource.path, "show"] + names, in: directory.path("."))
    let hinted = shown.errors.split(separator: "\n").filter { $0.contains("trace") }
    #expect(
      hinted
        == [other, odd].map { name in
          "docsource: \(name): no document source; 'docsource trace' shows its other marks"
        })
  }

  @Test func outputThatCannotBeWrittenEndsTheWork() throws {
    let command = "exec \"$0\" show \"$@\" >/dev/full 2>errors; "
    let shown = try Execution.run(
      ["sh", "-c", command, Docsource.path] + names, in: directory.path("."))
    #expect(shown.status == 2)
    let last = try directory.text("errors").split(separator: "\n").last
    #expect(last == "docsource: cannot write to standard output: No space left on device")
  }
}
