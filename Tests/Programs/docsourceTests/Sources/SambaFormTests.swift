import TestSupport
import Testing

/// Samba's stream form and the native one are kept in step.
@Suite struct SambaFormTests {
  private static let native = "user.x-document-source"
  private static let stream = "user.DosStream.x-document-source:$DATA"

  private static func set(_ name: String, _ fixture: String, _ path: String) throws {
    let bytes = try Fixture.bytes(fixture)
    let hexadecimal = "0x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(try Execution.run(["setfattr", "-n", name, "-v", hexadecimal, path]).status == 0)
  }

  private static func value(_ name: String, _ path: String) throws -> [UInt8]? {
    let read = try Execution.run(["getfattr", "-n", name, "--only-values", path])
    return read.status == 0 ? read.output : nil
  }

  private static let value = "Samba/DosStream.x-document-source.value.bin"

  @Test func copyOfAStreamHasNoNUL() throws {
    let directory = try TemporaryDirectory()
    let (from, to) = (try directory.file("from"), try directory.file("to"))
    try Self.set(Self.stream, Self.value, from)
    #expect(try Docsource.run("copy", "-q", from, to).status == 0)
    #expect(try Self.value(Self.native, to) == Fixture.bytes(Self.value).dropLast())
  }

  @Test(arguments: [stream, "user.dosstream.X-Document-Source:$data"])
  func writingUpdatesBothFormsAndTheStreamKeepsItsNUL(_ name: String) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("file")
    try Self.set(name, Self.value, path)
    let shown = try Docsource.run("show", path)
    #expect(shown.text.hasSuffix("  Stored in    \(name)\n"))
    #expect(try Docsource.run("tag", "-q", "--app-name", "Renamed", path).status == 0)
    let native = try #require(try Self.value(Self.native, path))
    #expect(try Self.value(name, path) == native + [0])
    #expect(
      try Docsource.run("show", "--field", "identifier", path).text
        == "com.appliedphasor.working-copy\n")
    #expect(try Docsource.run("show", "--field", "name", path).text == "Renamed\n")
    #expect(
      try Docsource.run("tag", "--app-name", "Renamed", path).text
        == "\(path): unchanged: Renamed (com.appliedphasor.working-copy), directory/filename.ext\n"
    )
    #expect(try Docsource.run("remove", path).status == 0)
    #expect(try Self.value(Self.native, path) == nil)
    #expect(try Self.value(name, path) == nil)
  }

  /// Of these, `trace` shows all and `show` none.
  @Test(arguments: [
    "user.x-document-source:$DATA", "user.X-Document-Source:$data",
    "user.dosstream.x-document-source", "user.user.x-document-source",
  ])
  func formsOfOtherServersAreRemovedToo(_ name: String) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("d/file")
    try Self.set(name, Self.value, path)
    try Self.set("user.x-document-sourcery", Self.value, path)
    let dry = try Docsource.run("remove", "-n", "--json", path)
    #expect(
      dry.text == #"{"file":"\#(path)","outcome":"changed","dryRun":true,"#
        + #""removed":[{"carrier":"\#(name)"}]}"# + "\n")
    #expect(
      try Docsource.run("remove", "d", in: directory.root).errors
        == "docsource: d: files in this directory have marks; use -r to include them\n")
    try Self.set(Self.native, Self.value, path)
    let removed = try Docsource.run("remove", "--json", path)
    #expect(
      removed.text == #"{"file":"\#(path)","outcome":"changed","#
        + #""removed":[{"carrier":"user.x-document-source"},{"carrier":"\#(name)"}]}"# + "\n")
    #expect(removed.status == 0)
    #expect(try Self.value(name, path) == nil)
    #expect(try Self.value(Self.native, path) == nil)
    #expect(try Self.value("user.x-document-sourcery", path) != nil)
    #expect(try Docsource.run("remove", path).text == "\(path): unchanged\n")
  }

  @Test func fileWithoutAStreamGetsNone() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("file")
    #expect(try Docsource.tag(path).status == 0)
    #expect(try Self.value(Self.stream, path) == nil)
  }

  @Test func nativeFormWithATrailingNULKeepsIt() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("file")
    try Self.set(Self.native, "Samba/interop.user.x-document-source.value.bin", path)
    #expect(try Docsource.run("tag", "-q", "--app-name", "Renamed", path).status == 0)
    let value = try #require(try Self.value(Self.native, path))
    #expect(value.suffix(2) == [0xc4, 0])
    #expect(try Docsource.run("show", "--field", "name", path).text == "Renamed\n")
  }

  @Test func emptyStreamThatSambaLeftCountsAsAbsent() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("file")
    let set = ["setfattr", "-n", Self.stream, "-v", "0x00", path]
    #expect(try Execution.run(set).status == 0)
    let shown = try Docsource.run("show", path)
    #expect(
      shown.errors == "docsource: \(path): no document source: the attribute is empty\n")
    #expect(shown.status == 1)
  }

  @Test func streamOutOfStepIsMended() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("file")
    #expect(try Docsource.tag(path).status == 0)
    // Without its NUL, an SMB client would lose the last byte.
    try Self.set(Self.stream, "PropertyLists/four-keys.bplist", path)
    let tagged = try Docsource.tag(path)
    #expect(tagged.text.contains(": tagged: "))
    #expect(
      try Self.value(Self.stream, path) == Fixture.bytes("PropertyLists/four-keys.bplist") + [0])
  }

  /// ext4 holds about 4000 bytes: the native value fits, its copy for Samba does not.
  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func nativeFormIsPutBackWhereTheStreamDoesNotFit() throws {
    let system = try FileSystem(.ext4)
    let path = system.path("file")
    #expect(try Execution.run(["cp", "/etc/hostname", path]).status == 0)
    try Self.set(Self.stream, Self.value, path)
    #expect(try Docsource.tag(path).text.contains(": tagged: "))
    let before = try FileState(path)
    let name = String(repeating: "n", count: 3000)
    let tagged = try Docsource.run("tag", "--app-name", name, path)
    #expect(tagged.status == 2)
    #expect(tagged.errors.contains("cannot write document source: no space for a value of "))
    #expect(try FileState(path) == before)
  }

  /// The stream is nearly as large as a block: the new value fits only where it replaces that first.
  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func formThatShrinksIsWrittenFirst() throws {
    let system = try FileSystem(.ext4)
    let path = system.path("file")
    #expect(try Execution.run(["cp", "/etc/hostname", path]).status == 0)
    let script = """
      import os, plistlib, sys
      value = plistlib.dumps({'name': 'n' * 3600}, fmt=plistlib.FMT_BINARY) + b'\\0'
      os.setxattr(sys.argv[1], '\(Self.stream)', value)
      """
    let set = try Execution.run(["python3", "-c", script, path])
    #expect(set.status == 0, "\(set.errors)")
    let tagged = try Docsource.run(
      "tag", "-q", "--app-name", String(repeating: "m", count: 500), path)
    #expect(tagged.errors == "")
    #expect(tagged.status == 0)
  }

  @Test func streamsThatDifferInCaseAreAllKeptInStepAndRemoved() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("file")
    let other = "user.DOSSTREAM.x-document-source:$DATA"
    for name in [Self.stream, other] { try Self.set(name, Self.value, path) }
    #expect(try Docsource.run("tag", "-q", "--app-name", "Renamed", path).status == 0)
    let native = try #require(try Self.value(Self.native, path))
    #expect(try Self.value(Self.stream, path) == native + [0])
    #expect(try Self.value(other, path) == native + [0])
    #expect(try Docsource.run("remove", path).status == 0)
    #expect(try Docsource.run("show", path).status == 1)
    #expect(try Self.value(other, path) == nil)
  }
}
