import Foundation
import Testing

@testable import CommandLineInterface

@Suite struct SharedConsoleTests {
  private static func temporaryFile() throws -> CInt {
    var template = Array("/tmp/console-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    try #require(descriptor >= 0)
    unlink(template)
    return descriptor
  }

  private static func text(_ descriptor: CInt) throws -> String {
    lseek(descriptor, 0, SEEK_SET)
    let data = try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readToEnd()
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  /// Data and words go to one file, as by `2>&1`, so that a torn record would show.
  @Test func recordsAndWordsOfSeveralThreadsStayWhole() throws {
    let descriptor = try Self.temporaryFile()
    let console = Console(
      tool: "t", output: OutputStream(descriptor: descriptor),
      errors: OutputStream(descriptor: descriptor))
    console.output.writeLine("first")
    let shared = SharedConsole(console)
    let (threads, records) = (4, 3000)
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      let console = shared.forThisThread()
      for record in 0..<records {
        for part in 0..<8 { console.output.write("\(thread).\(record).\(part) ") }
        console.output.write("end", end: UInt8(ascii: "\n"))
        console.output.endRecord()
        if record % 100 == 0 { console.report(Array("p".utf8)[...], "\(thread).\(record)") }
      }
      console.output.flush()
    }
    #expect(console.finish(.done) == .done)
    let lines = try Self.text(descriptor).split(separator: "\n")
    var expected: Set<String> = ["first"]
    for thread in 0..<threads {
      for record in 0..<records {
        expected.insert((0..<8).map { "\(thread).\(record).\($0) " }.joined() + "end")
        if record % 100 == 0 { expected.insert("t: p: \(thread).\(record)") }
      }
    }
    #expect(lines.first == "first")
    #expect(lines.count == expected.count)
    #expect(Set(lines.map(String.init)) == expected)
    // What a thread wrote before its words stands before them.
    for thread in 0..<threads {
      let words = try #require(lines.firstIndex(of: "t: p: \(thread).100"))
      #expect(lines[..<words].contains { $0.hasPrefix("\(thread).100.0 ") })
    }
  }

  @Test func failureOnAFileIsAnObjectAsWellWhereTheVerbPrintsObjects() throws {
    let (output, errors) = (try Self.temporaryFile(), try Self.temporaryFile())
    let console = Console(
      tool: "t", output: OutputStream(descriptor: output), errors: OutputStream(descriptor: errors))
    console.fail(Array("p".utf8)[...], "cannot read")
    console.objects = ObjectForm(failure: ["source": .null], end: 0)
    console.fail([0x70, 0xff], "cannot \u{1b} read")
    let other = SharedConsole(console).forThisThread()
    other.fail(Array("q".utf8)[...], "cannot read")
    #expect(console.finish(.done) == .done)
    #expect(
      try Self.text(output)
        == "{\"file\":\"p\u{fffd}\",\"fileBase64\":\"cP8=\",\"source\":null,"
        + "\"error\":\"cannot \\u001b read\"}\0"
        + "{\"file\":\"q\",\"source\":null,\"error\":\"cannot read\"}\0")
    #expect(
      try Self.text(errors)
        == "t: p: cannot read\nt: p\\xff: cannot \\x1b read\nt: q: cannot read\n")
  }

  @Test func failureOfOneThreadIsEverybodys() throws {
    let full = open("/dev/full", O_WRONLY)
    let errors = try Self.temporaryFile()
    let console = Console(
      tool: "t", output: OutputStream(descriptor: full), errors: OutputStream(descriptor: errors))
    let other = SharedConsole(console).forThisThread()
    other.output.write("x", end: 10)
    other.output.flush()
    #expect(console.output.failure == OutputStream.Failure(errno: ENOSPC))
    #expect(console.finish(.done) == .failed)
    #expect(
      try Self.text(errors) == "t: cannot write to standard output: No space left on device\n")
    close(full)
  }

  @Test func heldWordsComeWhereTheyArePassedOn() throws {
    let descriptor = try Self.temporaryFile()
    let console = Console(
      tool: "t", output: OutputStream(descriptor: descriptor),
      errors: OutputStream(descriptor: descriptor))
    let shared = SharedConsole(console)
    let transcripts = ["one", "two"].map { name in
      let held = HeldConsole(shared)
      held.console.output.writeLine("\(name): data")
      held.console.report(Array("p".utf8)[...], name)
      held.console.output.writeLine("\(name): more")
      return held.finish()
    }
    console.output.writeLine("first")
    for transcript in transcripts.reversed() { console.passOn(transcript) }
    #expect(console.finish(.done) == .done)
    #expect(
      try Self.text(descriptor) == """
        first
        two: data
        t: p: two
        two: more
        one: data
        t: p: one
        one: more

        """)
  }
}
