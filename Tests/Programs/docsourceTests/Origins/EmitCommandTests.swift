import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource emit` as a user runs it.
@Suite struct EmitCommandTests {
  private static let native = "user.x-document-source"

  private static func emit(
    _ arguments: String..., in directory: TemporaryDirectory
  ) throws -> Execution {
    try Execution.run([Docsource.path, "emit"] + arguments, in: directory.root)
  }

  private static func source() throws -> [UInt8] {
    try Fixture.bytes("PropertyLists/four-keys.bplist")
  }

  private static func marks() throws -> [String: [UInt8]] {
    [
      native: try source(), "user.com.apple.quarantine": try Fixture.bytes("Quarantine/safari"),
      "user.com.apple.FinderInfo": Array("TEXTttxt".utf8) + [UInt8](repeating: 0, count: 24),
      "user.other": [1],
    ]
  }

  @Test func appleDoubleFileIsWrittenAndAdoptedAgain() throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"), try Self.marks())
    chmod(file.path, 0o640)
    let dry = try Self.emit("--apple-double", "-n", "doc", in: directory)
    #expect(dry.text == "doc: would write: ._doc\n")
    #expect(dry.status == 0)
    #expect(access(directory.path("._doc"), F_OK) != 0)
    let emitted = try Self.emit("--apple-double", "doc", in: directory)
    #expect(emitted.text == "doc: wrote: ._doc\n")
    #expect(emitted.errors == "")
    #expect(emitted.status == 0)
    #expect(try FileState(directory.path("._doc")).mode & 0o777 == 0o640)
    #expect(
      try Self.emit("--apple-double", "doc", in: directory).text == "doc: unchanged: ._doc\n")
    _ = try directory.file("doc", "other\n")
    let bare = try TemporaryDirectory()
    let copy = try MarkedFile(bare.file("doc"))
    try bare.write(directory.bytes("._doc"), to: "._doc")
    #expect(try Docsource.run("adopt", "-q", "doc", in: bare.root).status == 0)
    #expect(try copy.all() == Self.marks().filter { $0.key != "user.other" })
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/exiftool"), "needs exiftool"))
  func exiftoolReadsIt() throws {
    let directory = try TemporaryDirectory()
    _ = try MarkedFile(directory.file("doc"), try Self.marks())
    #expect(try Self.emit("--apple-double", "doc", in: directory).status == 0)
    let read = try Execution.run(["exiftool", "-a", "-G1", "-s", "._doc"], in: directory.root)
    #expect(read.text.contains("XAttrQuarantine"), "\(read.text)\(read.errors)")
    #expect(read.text.contains("set at 2020:11:12 12:27:26 by Safari"), "\(read.text)")
    #expect(!read.text.contains("Error"), "\(read.text)")
    #expect(!read.text.contains("Warning"), "\(read.text)")
  }

  @Test func whatAnotherFormHoldsIsWrittenWithoutItsNUL() throws {
    let directory = try TemporaryDirectory()
    let stream = "user.DosStream.x-document-source:$DATA"
    _ = try MarkedFile(directory.file("doc"), [stream: try Self.source() + [0]])
    #expect(try Self.emit("--apple-double", "doc", in: directory).status == 0)
    let raw = try Docsource.run(
      "trace", "--no-recent", "--raw", "._doc:x-document-source", directory.path("doc"))
    #expect(try raw.output == Self.source())
  }

  @Test func fileThatIsThereIsReplacedOnlyWhereAskedAndKeepsTheRest() throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(
      directory.file("doc"), ["user.com.apple.quarantine": Array("0081;;Other;".utf8)])
    var double = try Fixture.bytes("AppleDouble/kernel.appledouble")
    double[3810 + 16] = UInt8(ascii: "t")
    try directory.write(double, to: "._doc")
    let refused = try Self.emit("--apple-double", "doc", in: directory)
    #expect(refused.text == "")
    #expect(refused.status == 2)
    #expect(
      refused.errors
        == "docsource: doc: ._doc already has a different value; use --force to overwrite it\n")
    #expect(try directory.bytes("._doc") == double)
    #expect(
      try Self.emit("--apple-double", "--force", "doc", in: directory).text
        == "doc: wrote: ._doc\n")
    let written = try directory.bytes("._doc")
    #expect(written.suffix(286).elementsEqual(double[3810...]))
    #expect(try Docsource.run("adopt", "-q", "doc", in: directory.root).status == 0)
    let all = try file.all()
    #expect(all["user.com.apple.quarantine"] == Array("0081;;Other;".utf8))
    #expect(try all[Self.native] == Self.source())
  }

  @Test(.enabled(if: geteuid() == 0, "giving files away needs root"))
  func fileOfAnotherUserIsNotReplaced() throws {
    let directory = try TemporaryDirectory()
    _ = try MarkedFile(
      directory.file("doc"), ["user.com.apple.quarantine": Array("0081;;Other;".utf8)])
    try directory.write(Fixture.bytes("AppleDouble/kernel.appledouble"), to: "._doc")
    chown(directory.path("._doc"), 12345, 12345)
    let before = try FileState(directory.path("._doc"))
    let emitted = try Self.emit("--apple-double", "--force", "doc", in: directory)
    #expect(
      emitted.errors == "docsource: doc: cannot write ._doc: the file belongs to"
        + " another user\n")
    #expect(emitted.status == 2)
    #expect(try FileState(directory.path("._doc")) == before)
  }

  @Test func linkInTheWayIsNotWrittenThrough() throws {
    let directory = try TemporaryDirectory()
    _ = try MarkedFile(directory.file("doc"), [Self.native: try Self.source()])
    try directory.file("victim", "mine")
    symlink("victim", directory.path("._doc"))
    for options in [[], ["--force"]] {
      let emitted = try Execution.run(
        [Docsource.path, "emit", "--apple-double"] + options + ["doc"], in: directory.root)
      #expect(emitted.errors == "docsource: doc: cannot write ._doc: file exists\n")
      #expect(emitted.status == 2)
    }
    #expect(try directory.text("victim") == "mine")
  }

  @Test func whatIsNoAppleDoubleFileIsNotReplaced() throws {
    let directory = try TemporaryDirectory()
    _ = try MarkedFile(directory.file("doc"), [Self.native: try Self.source()])
    try directory.file("._doc", "mine")
    let emitted = try Self.emit("--apple-double", "--force", "doc", in: directory)
    #expect(
      emitted.errors == "docsource: doc: cannot write ._doc: the existing file: not an"
        + " AppleDouble file (at byte 0)\n")
    #expect(try directory.text("._doc") == "mine")
  }

  @Test func desktopsAttributesAndZoneAreWritten() throws {
    let directory = try TemporaryDirectory()
    let whereFroms = Array(
      try Fixture.bytes("Samba/DosStream.kMDItemWhereFroms.U+F022.value.bin").dropLast())
    let marks = [
      Self.native: try Self.source(), "user.com.apple.metadata:kMDItemWhereFroms": whereFroms,
    ]
    let file = try MarkedFile(directory.file("doc"), marks)
    let emitted = try Self.emit("--xdg", "--zone", "doc", in: directory)
    let names = [
      "user.xdg.origin.url", "user.xdg.referrer.url", "user.creator", "user.Zone.Identifier",
    ]
    #expect(emitted.text == names.map { "doc: wrote: \($0)\n" }.joined())
    #expect(emitted.errors == "")
    #expect(emitted.status == 0)
    let (url, page) = ("https://example.com/files/report.pdf", "https://example.com/reports/")
    let zone = "[ZoneTransfer]\r\nZoneId=3\r\nReferrerUrl=\(page)\r\nHostUrl=\(url)\r\n"
    let values = [url, page, "com.appliedphasor.working-copy", zone].map { Array($0.utf8) }
    let written = Dictionary(uniqueKeysWithValues: zip(names, values))
    #expect(try file.all() == marks.merging(written) { $1 })
    let again = try Self.emit("--xdg", "--zone", "doc", in: directory)
    #expect(again.text == names.map { "doc: unchanged: \($0)\n" }.joined())
  }

  /// Whoever may write into the directory could have put the file there.
  @Test(.enabled(if: geteuid() == 0, "giving files away needs root"))
  func zoneThatAnotherUserHasPutBesideIsNotWritten() throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"))
    let beside = try directory.file(
      "doc:Zone.Identifier", "[ZoneTransfer]\r\nZoneId=0\r\n")
    #expect(chown(beside, 4711, 4711) == 0)
    #expect(try Self.emit("--zone", "doc", in: directory).text == "")
    #expect(try file.all() == [:])
    #expect(chown(beside, 0, 0) == 0)
    #expect(try Self.emit("--zone", "doc", in: directory).status == 0)
    #expect(
      try file.all()
        == ["user.Zone.Identifier": Array("[ZoneTransfer]\r\nZoneId=0\r\n".utf8)])
  }

  @Test func zoneThatIsThereIsNotWrittenAnew() throws {
    let directory = try TemporaryDirectory()
    let zone = try Fixture.bytes("ZoneIdentifier/utf16.txt")
    let file = try MarkedFile(directory.file("doc"), ["user.Zone.Identifier": zone])
    let emitted = try Self.emit("--zone", "doc", in: directory)
    #expect(emitted.text == "doc: unchanged: user.Zone.Identifier\n")
    #expect(emitted.status == 0)
    #expect(try file.all() == ["user.Zone.Identifier": zone])
  }

  @Test func whatIsThereIsOverwrittenOnlyWhereAsked() throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(
      directory.file("doc"), [Self.native: try Self.source(), "user.creator": Array("Mine".utf8)])
    let refused = try Self.emit("--xdg", "doc", in: directory)
    #expect(
      refused.errors
        == "docsource: doc: user.creator already has a different value; use --force to overwrite it\n"
    )
    #expect(refused.text == "")
    #expect(refused.status == 2)
    #expect(try Self.emit("--xdg", "-qf", "doc", in: directory).status == 0)
    #expect(try file.all()["user.creator"] == Array("com.appliedphasor.working-copy".utf8))
  }

  @Test(arguments: [
    ("--apple-double", "an AppleDouble file"), ("--xdg", "a user.xdg attribute"),
    ("--zone", "a Zone.Identifier"),
  ])
  func fileWithoutSuchMarksIsReported(_ option: String, _ form: String) throws {
    let directory = try TemporaryDirectory()
    try directory.file("doc")
    let emitted = try Self.emit(option, "doc", in: directory)
    #expect(emitted.errors == "docsource: doc: no mark that can be written as \(form)\n")
    #expect(emitted.text == "")
    #expect(emitted.status == 1)
  }

  @Test func eachMarkHasAnObject() throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"), [Self.native: try Self.source()])
    let dry = try Self.emit("--json", "-n", "--apple-double", "--xdg", "doc", in: directory)
    #expect(
      dry.text == """
        {"file":"doc","outcome":"changed","dryRun":true,"carrier":"._doc"}
        {"file":"doc","outcome":"changed","dryRun":true,"carrier":"user.creator"}

        """)
    for outcome in ["changed", "unchanged"] {
      #expect(
        try Self.emit("--json", "--xdg", "doc", in: directory).text
          == #"{"file":"doc","outcome":"\#(outcome)","carrier":"user.creator"}"# + "\n")
    }
    try file.set(Array("Paint".utf8), "user.creator")
    let refused = try Self.emit("--json", "--xdg", "doc", in: directory)
    let error = "user.creator already has a different value; use --force to overwrite it"
    #expect(
      refused.text == #"{"file":"doc","outcome":"failed","carrier":"user.creator","#
        + #""error":"\#(error)"}"# + "\n")
    #expect(refused.errors == "docsource: doc: \(error)\n")
    #expect(refused.status == 2)
    try directory.file("plain")
    let nothing = try Self.emit("--json", "--zone", "plain", in: directory)
    #expect(
      nothing.text == #"{"file":"plain","outcome":"unchanged","#
        + #""reason":"no mark that can be written as a Zone.Identifier"}"# + "\n")
    #expect(nothing.status == 1)
    // A file that cannot be read fails once, in however many forms its marks were to be written.
    let missing = try Self.emit("--json", "--xdg", "--zone", "missing", in: directory)
    let reason = "cannot read marks of origin: no such file or directory"
    #expect(missing.text == #"{"file":"missing","outcome":"failed","error":"\#(reason)"}"# + "\n")
    #expect(missing.errors == "docsource: missing: \(reason)\n")
    #expect(missing.status == 2)
  }

  @Test func formMustBeGiven() throws {
    let emitted = try Docsource.run("emit", "doc")
    #expect(
      emitted.errors == "docsource: emit: give --apple-double, --xdg or --zone;"
        + " see 'docsource help emit'\n")
    #expect(emitted.status == 64)
  }
}
