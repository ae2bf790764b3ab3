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

  /// After several files without an attribute, a file is asked for its attributes' names first.
  @Test func fileAfterManyWithoutASourceIsShownAsEver() throws {
    let bare = names.indices.filter { $0 % 2 == 1 }.map { names[$0] }
    let program = """
      import os, sys
      value = os.getxattr(sys.argv[1], sys.argv[3])
      os.setxattr(sys.argv[2], "user.DosStream." + sys.argv[3][5:] + ":$DATA", value)
      os.setxattr(sys.argv[4], sys.argv[3], b"damaged")
      os.setxattr(sys.argv[5], "user.other", b"x")
      """
    let marking = try Execution.run(
      ["python3", "-c", program, names[0], bare[20], "user.x-document-source", bare[30], bare[40]],
      in: directory.path("."))
    try #require(marking.status == 0, "\(marking.errors)")
    try directory.file("d/f")
    let operands = bare[..<50] + ["d", "missing", names[2]] + bare[50...]
    let shown = try Execution.run([Docsource.path, "show"] + operands, in: directory.path("."))
    #expect(shown.text == "\(bare[20]): org.example.editor\n\(names[2]): org.example.editor\n")
    let lines = shown.errors.split(separator: "\n")
    let others = lines.filter { !$0.hasSuffix(": no document source") }
    let alone = try [bare[30], "d", "missing"].map { name in
      try Execution.run([Docsource.path, "show", name], in: directory.path(".")).errors
    }
    #expect(others.map { $0 + "\n" } == alone)
    #expect(shown.errors.contains("docsource: \(bare[40]): no document source\n"))
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
