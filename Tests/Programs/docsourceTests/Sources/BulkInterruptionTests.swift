import Foundation
import Glibc
import TestSupport
import Testing

/// Signals and terminals while a tree is worked on, at moments that the tests choose: the tool
/// waits for a full pipe.
@Suite struct BulkInterruptionTests {
  private static let program = Fixture.root.appending(path: "Tests/Scripts/at-full-pipe").path
  private static let count = 12_000

  /// Where many files are made and removed soon.
  private static func tree() throws -> TemporaryDirectory {
    let directory =
      try access("/dev/shm", W_OK) == 0 ? TemporaryDirectory(in: "/dev/shm") : TemporaryDirectory()
    let script = """
      import os, sys
      for d in range(12):
          os.makedirs('tree/%d' % d)
          for n in range(1000): os.mknod('tree/%d/document with a name %d' % (d, n))
      """
    let made = try Execution.run(["python3", "-c", script], in: directory.root)
    try #require(made.status == 0)
    return directory
  }

  private static func run(
    _ steps: String..., command: [String], in directory: TemporaryDirectory, term: String = "xterm"
  ) throws -> Execution {
    try Execution.run(
      [program] + steps + command, in: directory.root, environment: ["TERM": term])
  }

  private static func shown(_ directory: TemporaryDirectory) throws -> Set<Substring> {
    let shown = try Docsource.run("show", "-r", "tree", in: directory.root)
    return Set(shown.text.split(separator: "\n").map { $0.prefix { $0 != ":" } })
  }

  @Test(arguments: [
    ("INT", SIGINT, "1"), ("INT", SIGINT, "2"), ("TERM", SIGTERM, "2"), ("HUP", SIGHUP, "2"),
  ])
  func signalEndsTheWorkBetweenTwoFilesAndSaysHowFarItCame(
    _ name: String, _ signal: CInt, _ threads: String
  ) throws {
    let directory = try Self.tree()
    let tagged = try Self.run(
      "\(name),drain", command: [Docsource.path, "tag", "-rj", threads, "--app-name", "x", "tree"],
      in: directory)
    let lines = tagged.text.split(separator: "\n")
    let number = "\(lines.count / 1000),\(String(1000 + lines.count % 1000).dropFirst())"
    #expect(lines.count > 1000)
    #expect(lines.count < Self.count)
    #expect(
      tagged.errors == "docsource: interrupted: \(number) files done"
        + " (\(number) tagged, 0 unchanged, 0 failed), the rest are unchanged\n")
    #expect(tagged.status == 128 + signal)
    #expect(try Set(lines.map { $0.prefix { $0 != ":" } }) == Self.shown(directory))
    let removed = try Self.run(
      "\(name),drain", command: [Docsource.path, "remove", "-rj", threads, "tree"], in: directory)
    // There may be too few to fill the pipe by the time; then nothing stops it.
    let left = try Self.shown(directory).count
    #expect(removed.text.split(separator: "\n").count == lines.count - left)
    #expect(removed.status == 128 + signal)
  }

  @Test(arguments: [("INT,INT", SIGINT), ("INT,TERM", SIGTERM), ("TERM,INT", SIGINT)])
  func secondSignalEndsItAtOnce(_ steps: String, _ signal: CInt) throws {
    let directory = try Self.tree()
    let tagged = try Self.run(
      steps, command: [Docsource.path, "tag", "-r", "--app-name", "x", "tree"], in: directory)
    #expect(tagged.text == "")
    #expect(tagged.errors == "")
    #expect(tagged.status == 128 + signal)
  }

  @Test func ignoredSignalStaysIgnored() throws {
    let directory = try Self.tree()
    let script = "trap '' INT; exec \"$0\" tag -r --app-name x tree"
    let tagged = try Self.run(
      "INT,drain", command: ["sh", "-c", script, Docsource.path], in: directory)
    #expect(tagged.text.split(separator: "\n").count == Self.count)
    #expect(tagged.errors == "docsource: 12,000 tagged, 0 unchanged, 0 failed\n")
    #expect(tagged.status == 0)
  }

  @Test func callingShellSeesTheSignal() throws {
    let directory = try Self.tree()
    let script = """
      import os, signal, subprocess, sys
      tagging = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
      tagging.stdout.read(1)
      tagging.send_signal(signal.SIGINT)
      tagging.stdout.read()
      sys.exit(0 if tagging.wait() == -signal.SIGINT else 1)
      """
    let tagged = try Execution.run(
      ["python3", "-c", script, Docsource.path, "tag", "-r", "--app-name", "x", "tree"],
      in: directory.root)
    #expect(tagged.status == 0)
  }

  @Test func progressStandsOnATerminalAfterASecondAndIsGoneAtTheEnd() throws {
    let directory = try Self.tree()
    let tagged = try Self.run(
      "--terminal", "wait,drain",
      command: [Docsource.path, "tag", "-r", "--app-name", "x", "tree", "missing"], in: directory)
    #expect(tagged.text.split(separator: "\n").count == Self.count)
    let parts = tagged.errors.components(separatedBy: "\r\u{1b}[K")
    let shown = parts.filter { part in
      part.wholeMatch(of: /tagging [0-9,]+ files, [0-9,]+\/s  tree\/[0-9]+\/docu[a-z 0-9]*…?/)
        != nil
        || part.wholeMatch(of: /tagging 12,001 files, [0-9,]+\/s  missing/) != nil
    }
    #expect(!shown.isEmpty)
    #expect(shown.allSatisfy { $0.count < 60 })
    #expect(parts.first == "")
    #expect(parts.last?.hasSuffix("1 failed\r\n") == true)
    #expect(
      parts.filter { !shown.contains($0) }.joined()
        == "docsource: missing: cannot write document source: no such file or directory"
        + "\r\ndocsource: 12,000 tagged, 0 unchanged, 1 failed\r\n")
    #expect(tagged.status == 2)
    let dumb = try Self.run(
      "--terminal", "wait,drain", command: [Docsource.path, "remove", "-r", "tree"],
      in: directory, term: "dumb")
    #expect(dumb.errors == "docsource: 12,000 removed, 13 unchanged, 0 failed\r\n")
    #expect(dumb.status == 0)
  }

  @Test func importShowsItsProgressOnATerminal() throws {
    let directory = try Self.tree()
    let script = """
      for d in range(12):
          for n in range(1000):
              print('{"file":"tree/%d/document with a name %d","source":{"name":"x"}}' % (d, n))
      """
    try directory.write(
      Execution.run(["python3", "-c", script], in: directory.root).output, to: "manifest")
    for (options, label, done) in [(["-n"], "comparing", "dry run: "), ([], "importing", "")] {
      let imported = try Self.run(
        "--terminal", "wait,drain", command: [Docsource.path, "import", "manifest"] + options,
        in: directory)
      #expect(imported.text.split(separator: "\n").count == Self.count)
      let parts = imported.errors.components(separatedBy: "\r\u{1b}[K")
      #expect(parts.count > 2)
      #expect(parts.first == "")
      #expect(parts.last == "docsource: manifest: \(done)12,000 added\r\n")
      #expect(parts.dropFirst().dropLast().allSatisfy { $0.isEmpty || $0.hasPrefix(label) })
      #expect(imported.status == 0)
    }
  }
}
