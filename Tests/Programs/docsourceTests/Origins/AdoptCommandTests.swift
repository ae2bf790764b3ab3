import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource adopt` as a user runs it.
@Suite struct AdoptCommandTests {
  private static let native = "user.x-document-source"
  private static let stream = "user.DosStream.x-document-source:$DATA"

  private static func adopt(
    _ arguments: String..., in directory: TemporaryDirectory
  ) throws -> Execution {
    try Execution.run([Docsource.path, "adopt"] + arguments, in: directory.root)
  }

  private static func double(_ name: String) throws -> [UInt8] {
    try Fixture.bytes("AppleDouble/\(name).appledouble")
  }

  private static func source() throws -> [UInt8] {
    try Fixture.bytes("PropertyLists/four-keys.bplist")
  }

  /// The fixture of xnu with another value in the place of the source.
  private static func otherDouble() throws -> [UInt8] {
    try changed(try double("kernel"))
  }

  /// With the application's name in another letter case.
  private static func changed(_ bytes: [UInt8]) throws -> [UInt8] {
    var bytes = bytes
    let name = Array("Working Copy".utf8)
    let start = try #require(
      bytes.indices.first { bytes[$0...].starts(with: name) })
    bytes[start] = UInt8(ascii: "w")
    return bytes
  }

  private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The last byte of a value in UTF-16 is half of a character, not the NUL that Samba adds.
  @Test(arguments: [[], [0xff, 0xfe]], ["user.Zone.Identifier", "doc:Zone.Identifier"])
  func zoneInUTF16StaysWhole(_ mark: [UInt8], _ place: String) throws {
    let directory = try TemporaryDirectory()
    try directory.file("doc")
    let file = try MarkedFile(directory.path("doc"))
    let text = "[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=https://h.example.org/x\r\n"
    let zone = mark + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    if place == "doc:Zone.Identifier" {
      try directory.write(zone, to: place)
    } else {
      try file.set(zone, place)
    }
    for _ in 0..<2 {
      let adopted = try Self.adopt("doc", in: directory)
      #expect(adopted.errors == "")
      #expect(try file.all() == ["user.Zone.Identifier": zone])
    }
    #expect(!Self.exists(directory.path("doc:Zone.Identifier")))
  }

  @Test(arguments: ["._doc", "__MACOSX/._doc", "../__MACOSX/here/._doc"])
  func appleDoubleFileBecomesAttributesAndGoes(_ place: String) throws {
    let directory = try TemporaryDirectory()
    let here = directory.path("here")
    mkdir(here, 0o755)
    for folder in ["__MACOSX", "__MACOSX/here", "here/__MACOSX"] {
      mkdir(directory.path(folder), 0o755)
    }
    let file = try MarkedFile(directory.file("here/doc"))
    try directory.write(Self.double("stream2adouble"), to: "here/\(place)")
    let names = "x-document-source, com.apple.quarantine, com.apple.metadata:kMDItemWhereFroms"
    let dry = try Docsource.run("adopt", "-n", "doc", in: here)
    #expect(dry.text == "doc: would adopt: \(names) (\(place))\n")
    #expect(dry.errors == "")
    #expect(dry.status == 0)
    #expect(try file.all() == [:])
    let adopted = try Docsource.run("adopt", "doc", in: here)
    #expect(adopted.text == "doc: adopted: \(names) (\(place))\n")
    #expect(adopted.errors == "")
    #expect(adopted.status == 0)
    #expect(
      try file.all() == [
        Self.native: Self.source(),
        "user.com.apple.quarantine": Fixture.bytes("Quarantine/safari"),
        "user.com.apple.metadata:kMDItemWhereFroms": Array(
          Fixture.bytes("Samba/DosStream.kMDItemWhereFroms.U+F022.value.bin").dropLast()),
      ])
    #expect(!Self.exists("\(here)/\(place)"))
    // A folder that is empty goes too, but for one that was empty before.
    #expect(Self.exists("\(here)/__MACOSX") == (place != "__MACOSX/._doc"))
    #expect(Self.exists(directory.path("__MACOSX")) == !place.hasPrefix(".."))
    let again = try Docsource.run("adopt", "doc", in: here)
    #expect(again.text == "doc: unchanged\n")
    #expect(again.status == 0)
  }

  @Test func finderInformationBecomesTheAttributeThatMacsShow() throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"))
    try directory.write(Self.double("finder-info-only"), to: "._doc")
    #expect(
      try Self.adopt("doc", in: directory).text == "doc: adopted: com.apple.FinderInfo (._doc)\n")
    #expect(
      try file.all() == [
        "user.com.apple.FinderInfo": Array("TEXTttxt".utf8) + [UInt8](repeating: 0, count: 24)
      ])
  }

  @Test func eachAdoptedFileHasAnObject() throws {
    let directory = try TemporaryDirectory()
    try directory.file("doc")
    try directory.write(Self.double("empty-value"), to: "._doc")
    let steps =
      #""steps":[{"carrier":"._doc","form":"appleDouble","isRemoved":true,"#
      + #""written":[{"carrier":"user.com.example.empty"},"#
      + #"{"carrier":"user.com.apple.quarantine"}]}]}"# + "\n"
    let dry = try Self.adopt("--json", "-n", "doc", in: directory)
    #expect(dry.text == #"{"file":"doc","outcome":"changed","dryRun":true,"# + steps)
    let adopted = try Self.adopt("--json", "-r", ".", in: directory)
    #expect(
      adopted.text == #"{"file":".","outcome":"unchanged"}"# + "\n"
        + #"{"file":"./doc","outcome":"changed","# + steps)
    #expect(adopted.errors == "docsource: 1 changed, 1 unchanged, 0 failed\n")
    #expect(adopted.status == 0)
    let again = try Self.adopt("--json", "doc", in: directory)
    #expect(again.text == #"{"file":"doc","outcome":"unchanged"}"# + "\n")
  }

  @Test func objectTellsWhatContradictsTheFileAndWhatIsInferred() throws {
    let directory = try TemporaryDirectory()
    try directory.file("doc")
    try directory.write(Self.otherDouble(), to: "._doc")
    #expect(try Self.adopt("-q", "doc", in: directory).status == 0)
    try directory.write(Self.double("kernel"), to: "._doc")
    let kept = try Self.adopt("--json", "doc", in: directory)
    #expect(
      kept.text == #"{"file":"doc","outcome":"unchanged","steps":[{"carrier":"._doc","#
        + #""form":"appleDouble","contradicted":[{"carrier":"user.x-document-source"}]}]}"# + "\n")
    #expect(kept.errors.hasPrefix("docsource: doc: kept ._doc: different value of "))
    #expect(kept.status == 1)
    _ = try MarkedFile(directory.file("made"), ["user.creator": Array("Paint".utf8)])
    #expect(
      try Self.adopt("--json", "-n", "--infer", "made", in: directory).text
        == #"{"file":"made","outcome":"changed","dryRun":true,"source":{"name":"Paint"}}"# + "\n")
    #expect(
      try Self.adopt("--json", "--infer", "made", in: directory).text
        == #"{"file":"made","outcome":"changed","source":{"name":"Paint"}}"# + "\n")
  }

  @Test func directoryHasItsAppleDoubleFileBesideIt() throws {
    let directory = try TemporaryDirectory()
    mkdir(directory.path("folder"), 0o755)
    try directory.write(Self.double("kernel"), to: "._folder")
    #expect(
      try Self.adopt("folder", in: directory).text
        == "folder: adopted: x-document-source, com.apple.quarantine (._folder)\n")
    #expect(try MarkedFile(directory.path("folder")).all()[Self.native] == Self.source())
  }

  @Test func valueWithoutAByteBecomesAnEmptyAttribute() throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"))
    try directory.write(Self.double("empty-value"), to: "._doc")
    #expect(
      try Self.adopt("doc", in: directory).text
        == "doc: adopted: com.example.empty, com.apple.quarantine (._doc)\n")
    #expect(try file.all()["user.com.example.empty"] == [])
    #expect(!Self.exists(directory.path("._doc")))
  }

  /// The last entry of the fixture is its resource fork; one byte of that is changed.
  @Test func fileWithAResourceForkIsKept() throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"))
    var double = try Self.double("kernel")
    double[3810 + 16] = UInt8(ascii: "t")
    try directory.write(double, to: "._doc")
    let adopted = try Self.adopt("doc", in: directory)
    #expect(adopted.text == "doc: adopted: x-document-source, com.apple.quarantine (._doc)\n")
    #expect(
      adopted.errors == "docsource: doc: kept ._doc: it holds a resource fork (286 bytes)\n")
    #expect(adopted.status == 0)
    #expect(try file.all()[Self.native] == Self.source())
    #expect(try directory.bytes("._doc") == double)
  }

  /// Each changes the fixture of the kernel at an offset; what is understood is adopted.
  @Test(
    arguments: [
      (
        4096, [UInt8](repeating: 120, count: 100_000), 2,
        "content outside its entries (100000 bytes)"
      ),
      (4096, [0], 2, "content outside its entries (1 byte)"),
      // The Finder information ends before the attributes.
      (34, [0, 0, 0, 32], 0, "content outside its entries (3728 bytes)"),
      // It has another type.
      (29, [10], 0, "an entry of type 10 (3760 bytes)"),
      // There is one attribute less.
      (118, [0, 1], 1, "content outside its entries (3416 bytes)"),
      // The list of attributes has another name.
      (87, [120], 0, "other Finder information (3728 bytes)"),
      (161, [1], 2, "flags of an attribute, com.apple.quarantine"),
      // In the blank resource fork, where no text stands.
      (3910, [1], 2, "a resource fork (286 bytes)"),
    ] as [(Int, [UInt8], Int, String)])
  func appleDoubleFileWithMoreThanIsUnderstoodIsKept(
    _ position: Int, _ bytes: [UInt8], _ count: Int, _ remainder: String
  ) throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"))
    var double = try Self.double("kernel")
    double.replaceSubrange(position..<min(position + bytes.count, double.count), with: bytes)
    try directory.write(double, to: "._doc")
    let names = ["x-document-source", "com.apple.quarantine"].prefix(count)
    for words in ["would adopt", "adopted"] {
      let dry = words == "adopted" ? [] : ["--dry-run"]
      let adopted = try Execution.run(
        [Docsource.path, "adopt"] + dry + ["doc"], in: directory.root)
      let done = "doc: \(words): \(names.joined(separator: ", ")) (._doc)\n"
      #expect(adopted.text == (names.isEmpty ? "" : done))
      #expect(adopted.errors == "docsource: doc: kept ._doc: it holds \(remainder)\n")
      #expect(adopted.status == 0)
    }
    #expect(try file.all().keys.sorted() == names.map { "user.\($0)" }.sorted())
    #expect(try directory.bytes("._doc") == double)
  }

  @Test(arguments: [
    ("not-apple-double", "not an AppleDouble file (at byte 0)"),
    ("", "the file is truncated (at byte 0)"),
  ])
  func whatIsNotUnderstoodIsKept(_ content: String, _ words: String) throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"))
    try directory.file("._doc", content)
    let adopted = try Self.adopt("doc", in: directory)
    #expect(adopted.text == "doc: unchanged\n")
    #expect(adopted.errors == "docsource: doc: kept ._doc: \(words)\n")
    #expect(adopted.status == 0)
    #expect(try file.all() == [:])
    #expect(try directory.text("._doc") == content)
  }

  /// By such a name an overlay directs lookups elsewhere.
  @Test(arguments: ["overlay.redirects", "virtfs.uid.of.you", "rsync.%stat.other"])
  func namesThatDirectFileSystemsAreNotTakenFromUntrustedInput(_ name: String) throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"))
    var double = try Self.double("empty-value")
    double.replaceSubrange(131..<148, with: name.utf8)
    try directory.write(double, to: "._doc")
    let adopted = try Self.adopt("doc", in: directory)
    #expect(adopted.text == "doc: adopted: com.apple.quarantine (._doc)\n")
    #expect(
      adopted.errors == "docsource: doc: kept ._doc: it holds an attribute with a reserved or"
        + " invalid name, \(name)\n")
    #expect(try file.all().keys.sorted() == ["user.com.apple.quarantine"])
  }

  @Test func linksAreNotFollowedToAppleDoubleFiles() throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"))
    try directory.write(Self.double("kernel"), to: "elsewhere")
    symlink("elsewhere", directory.path("._doc"))
    #expect(try Self.adopt("doc", in: directory).text == "doc: unchanged\n")
    #expect(try file.all() == [:])
  }

  @Test(.enabled(if: geteuid() == 0, "giving files away needs root"))
  func nothingIsTakenFromAFileOfAnotherUser() throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"))
    try directory.write(Self.double("kernel"), to: "._doc")
    chown(directory.path("._doc"), 12345, 12345)
    let adopted = try Self.adopt("doc", in: directory)
    #expect(adopted.text == "")
    #expect(adopted.errors == "docsource: doc: kept ._doc: owned by another user\n")
    #expect(try file.all() == [:])
    #expect(Self.exists(directory.path("._doc")))
  }

  /// Without an option nobody decides, and nothing is lost.
  @Test(arguments: [
    (nil, 1, "w", true), ("native", 0, "w", false), ("dotbar", 0, "W", false),
    ("mostrecent", 0, "W", false), ("mostrecent-old", 0, "w", false),
  ])
  func contradictionIsDecidedByTheOptionOrLeft(
    _ keep: String?, _ status: Int32, _ letter: Character, _ isKept: Bool
  ) throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"))
    try directory.write(Self.otherDouble(), to: "._doc")
    #expect(try Self.adopt("-q", "doc", in: directory).status == 0)
    try directory.write(Self.double("kernel"), to: "._doc")
    let older = keep == "mostrecent-old" ? "._doc" : "doc"
    #expect(try Execution.run(["touch", "-d", "2001-01-01", directory.path(older)]).status == 0)
    let options = keep.map { ["--keep", String($0.prefix { $0 != "-" })] } ?? []
    let adopted = try Execution.run(
      [Docsource.path, "adopt"] + options + ["doc"], in: directory.root)
    let value = try #require(try file.all()[Self.native])
    let name = String(decoding: value, as: UTF8.self).firstMatch(of: /.orking Copy/)?.output
    #expect(name?.first == letter)
    #expect(Self.exists(directory.path("._doc")) == isKept)
    #expect(adopted.status == status)
    let words =
      "docsource: doc: kept ._doc: different value of x-document-source;"
      + " use --keep=dotbar or --keep=native to choose a value\n"
    #expect(adopted.errors == (isKept ? words : ""))
    let done =
      letter == "W"
      ? "doc: adopted: x-document-source (._doc)\n"
      : "doc: removed: ._doc, discarding a different value of x-document-source\n"
    #expect(adopted.text == (isKept ? "" : done))
  }

  @Test func whatGivesWayIsReported() throws {
    let directory = try TemporaryDirectory()
    _ = try MarkedFile(directory.file("doc"), [Self.native: try Self.source()])
    try directory.write(Self.otherDouble(), to: "._doc")
    let adopted = try Self.adopt("--keep=native", "doc", in: directory)
    #expect(
      adopted.text
        == "doc: adopted: com.apple.quarantine (._doc), discarding a different value of x-document-source\n"
    )
    try directory.write(Self.double("kernel"), to: "._doc")
    let removed = try Self.adopt("--keep=native", "doc", in: directory)
    #expect(removed.text == "doc: removed: ._doc, which holds nothing new\n")
    #expect(removed.errors == "")
    #expect(removed.status == 0)
  }

  /// The same again, as the manual advises, must not take the value of one for the file's own.
  @Test(arguments: ["dotbar", "mostrecent"], [[], ["--dry-run"], ["--leave"]])
  func twoCarriersThatContradictEachOtherAreNotDecidedByTheOption(
    _ keep: String, _ options: [String]
  ) throws {
    let directory = try TemporaryDirectory()
    let stored = try Self.source() + [0]
    let file = try MarkedFile(directory.file("doc"), [Self.stream: stored])
    let double = try Self.otherDouble()
    try directory.write(double, to: "._doc")
    let errors = [Self.stream, "._doc"].map { place in
      "docsource: doc: kept \(place): another carrier has a different value of x-document-source;"
        + " remove one of the carriers, or use --keep=native\n"
    }.joined()
    let verb = options == ["--dry-run"] ? "would adopt" : "adopted"
    for isFirst in [true, false] {
      let adopted = try Execution.run(
        [Docsource.path, "adopt", "--keep=\(keep)"] + options + ["doc"], in: directory.root)
      let isReported = isFirst || verb == "would adopt"
      #expect(adopted.text == (isReported ? "doc: \(verb): com.apple.quarantine (._doc)\n" : ""))
      #expect(adopted.errors == errors)
      #expect(adopted.status == 1)
      let all = try file.all()
      #expect(all[Self.native] == nil)
      #expect(all[Self.stream] == stored)
      #expect(try directory.bytes("._doc") == double)
    }
  }

  /// One that agrees with the file does not decide against the other, or the next run would take the
  /// value of the one that is left.
  @Test(arguments: ["dotbar", "mostrecent"])
  func carrierThatAgreesWithTheFileStaysBesideOneThatDoesNot(_ keep: String) throws {
    let directory = try TemporaryDirectory()
    let other = try Self.changed(Self.source()) + [0]
    let marks = [Self.native: try Self.source(), Self.stream: other]
    let file = try MarkedFile(directory.file("doc"), marks)
    try directory.write(Self.double("kernel"), to: "._doc")
    let errors = [Self.stream, "._doc"].map { place in
      "docsource: doc: kept \(place): another carrier has a different value of x-document-source;"
        + " remove one of the carriers, or use --keep=native\n"
    }.joined()
    for _ in 0..<2 {
      let adopted = try Self.adopt("-q", "--keep=\(keep)", "doc", in: directory)
      #expect(adopted.errors == errors)
      #expect(adopted.status == 1)
      #expect(try file.all().filter { marks.keys.contains($0.key) } == marks)
      #expect(try directory.bytes("._doc") == Self.double("kernel"))
    }
  }

  /// It is what a write that did not fit leaves, whatever the carrier.
  @Test(arguments: ["dotbar", "native"]) func emptyMarkIsNotTaken(_ keep: String) throws {
    let directory = try TemporaryDirectory()
    let zone = ["user.Zone.Identifier": Array("[ZoneTransfer]".utf8)]
    let file = try MarkedFile(directory.file("doc"), zone)
    try directory.file("doc:Zone.Identifier", "")
    let adopted = try Self.adopt("--keep=\(keep)", "doc", in: directory)
    #expect(adopted.text == "doc: removed: doc:Zone.Identifier, which holds nothing new\n")
    #expect(adopted.errors == "")
    #expect(adopted.status == 0)
    #expect(try file.all() == zone)
    #expect(!Self.exists(directory.path("doc:Zone.Identifier")))
  }

  @Test func nativeValueThatIsNotMendedSaysTheSame() throws {
    let directory = try TemporaryDirectory()
    let value = try Self.source() + [0]
    let marks = [Self.native: value, Self.stream: value]
    let file = try MarkedFile(directory.file("doc"), marks)
    let adopted = try Self.adopt("--leave", "doc", in: directory)
    #expect(adopted.errors == "")
    #expect(adopted.status == 0)
    #expect(try file.all() == marks)
  }

  @Test func firstOfTwoCarriersCountsWhereTheFileDoes() throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"), [Self.stream: try Self.source() + [0]])
    try directory.write(Self.otherDouble(), to: "._doc")
    let adopted = try Self.adopt("--keep=native", "doc", in: directory)
    #expect(
      adopted.text == "doc: adopted: x-document-source (\(Self.stream))\n"
        + "doc: adopted: com.apple.quarantine (._doc), discarding a different value of x-document-source\n"
    )
    #expect(adopted.errors == "")
    #expect(adopted.status == 0)
    #expect(try file.all()[Self.native] == Self.source())
    #expect(!Self.exists(directory.path("._doc")))
  }

  /// What a client of Samba wrote is compared with the native value, and never overwritten by it.
  @Test(arguments: [[], ["--dry-run"]])
  func streamThatSaysSomethingElseStaysAsItIs(_ options: [String]) throws {
    let directory = try TemporaryDirectory()
    let theirs = try Self.changed(Self.source()) + [0]
    let marks = [Self.native: try Self.source() + [0], Self.stream: theirs]
    let file = try MarkedFile(directory.file("doc"), marks)
    let kept =
      "docsource: doc: kept \(Self.stream): different value of x-document-source;"
      + " use --keep=dotbar or --keep=native to choose a value\n"
    let verb = options.isEmpty ? "adopted" : "would adopt"
    for isFirst in [true, false] {
      let adopted = try Execution.run(
        [Docsource.path, "adopt"] + options + ["doc"], in: directory.root)
      let isReported = isFirst || !options.isEmpty
      #expect(
        adopted.text == (isReported ? "doc: \(verb): x-document-source (\(Self.native))\n" : ""))
      #expect(adopted.errors == kept)
      #expect(adopted.status == 1)
      let native = options.isEmpty ? try Self.source() : marks[Self.native]
      #expect(try file.all() == [Self.native: native, Self.stream: theirs])
    }
  }

  /// No value is written that the next run would change again.
  @Test(
    arguments: [
      "user.com.apple.quarantine", "user.DosStream.com.apple.quarantine:$DATA",
      ".AppleDouble/doc::EA::com.apple.quarantine",
    ], [1, 2, 3])
  func valueWithNULsIsAdoptedOnce(_ place: String, _ count: Int) throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"))
    let text = Array("0081;5fad2a2e;Safari;".utf8)
    let value = text + [UInt8](repeating: 0, count: count)
    if place.hasPrefix("user.") {
      try file.set(value, place)
    } else {
      mkdir(directory.path(".AppleDouble"), 0o755)
      try directory.write(value, to: place)
    }
    let isStream = place.hasPrefix("user.DosStream.")
    let left = count - (isStream ? 1 : 0)
    let native = text + [UInt8](repeating: 0, count: left == 1 ? 0 : left)
    let isDone = place != "user.com.apple.quarantine" || count == 1
    let first = try Self.adopt("doc", in: directory)
    #expect(
      first.text
        == (isDone ? "doc: adopted: com.apple.quarantine (\(place))\n" : "doc: unchanged\n"))
    #expect(try file.all() == ["user.com.apple.quarantine": native])
    let second = try Self.adopt("doc", in: directory)
    #expect(second.text == "doc: unchanged\n")
    #expect(try file.all() == ["user.com.apple.quarantine": native])
  }

  @Test(arguments: [
    "._doc", "__MACOSX/._doc", "doc:Zone.Identifier",
    ".AppleDouble/doc::EA::x-document-source",
  ])
  func carrierWithAttributesOfItsOwnIsKept(_ place: String) throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"))
    for folder in [".AppleDouble", "__MACOSX"] { mkdir(directory.path(folder), 0o755) }
    let isDouble = place.hasSuffix("._doc")
    try directory.write(isDouble ? Self.double("kernel") : Self.source(), to: place)
    let carrier = try MarkedFile(
      directory.path(place),
      [
        "user.note": Array("precious".utf8), "user.a, b": [1], "user.DOSATTRIB": [2],
        "user.xdg.origin.url": [3],
      ])
    let before = try (directory.bytes(place), carrier.all())
    let name = place == "doc:Zone.Identifier" ? "Zone.Identifier" : "x-document-source"
    let names = isDouble ? "x-document-source, com.apple.quarantine" : name
    let adopted = try Self.adopt("doc", in: directory)
    #expect(adopted.text == "doc: adopted: \(names) (\(place))\n")
    #expect(
      adopted.errors == "docsource: doc: kept \(place): it holds attributes of its own:"
        + " \"user.a, b\", user.note\n")
    #expect(adopted.status == 0)
    #expect(try directory.bytes(place) == before.0)
    #expect(try carrier.all() == before.1)
    #expect(try file.all().count == (isDouble ? 2 : 1))
  }

  /// Samba puts one on every file, and a mark says where the carrier itself came from.
  @Test func carrierWithWhatAnyFileHasGoes() throws {
    let directory = try TemporaryDirectory()
    try directory.file("doc")
    try directory.write(Self.double("kernel"), to: "._doc")
    _ = try MarkedFile(
      directory.path("._doc"), ["user.DOSATTRIB": [2], "user.xdg.origin.url": [3]])
    #expect(try Self.adopt("doc", in: directory).errors == "")
    #expect(!Self.exists(directory.path("._doc")))
  }

  @Test func streamThatIsInStepStaysSo() throws {
    let directory = try TemporaryDirectory()
    let source = try Self.source()
    let file = try MarkedFile(
      directory.file("doc"), [Self.native: source + [0], Self.stream: source + [0]])
    try directory.write(Self.otherDouble(), to: "._doc")
    let adopted = try Self.adopt("--keep=dotbar", "--leave", "doc", in: directory)
    #expect(adopted.errors == "")
    let all = try file.all()
    let native = try #require(all[Self.native])
    #expect(native != source)
    #expect(all[Self.stream] == native + [0])
  }

  @Test(arguments: ["default", "interop", "native", "plain", "stream"])
  func everyFormOfSambaBecomesNative(_ share: String) throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc.txt"))
    let dump = String(decoding: try Fixture.bytes("Samba/getfattr-\(share)-doc.txt"), as: UTF8.self)
    let restored = try Execution.run(
      ["setfattr", "--restore=-"], in: directory.root,
      input: Array(dump.replacing("../smb/share/\(share)/doc.txt", with: "doc.txt").utf8))
    #expect(restored.status == 0, "\(restored.errors)")
    let adopted = try Self.adopt("doc.txt", in: directory)
    #expect(adopted.errors == "")
    #expect(adopted.status == 0)
    let all = try file.all()
    #expect(all[Self.native] == (try Self.source()))
    #expect(all["user.com.apple.quarantine"] == (try Fixture.bytes("Quarantine/safari")))
    #expect(
      all["user.com.apple.metadata:kMDItemWhereFroms"]
        == Array(
          try Fixture.bytes("Samba/DosStream.kMDItemWhereFroms.U+F022.value.bin").dropLast()))
    #expect(
      all["user.Zone.Identifier"]
        == Array(try Fixture.bytes("Samba/DosStream.Zone.Identifier.value.bin").dropLast()))
    // What is no mark is Samba's affair, and stays.
    let left = all.keys.filter { $0.hasPrefix("user.DosStream.") }
    let others = ["user.DosStream.AFP_AfpInfo:$DATA", "user.DosStream.empty:$DATA"]
    #expect(Set(left).isSubset(of: others), "\(left)")
  }

  @Test func leaveKeepsTheOtherFormsInStep() throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"), [Self.stream: try Self.source() + [0]])
    try directory.write(Self.double("kernel"), to: "._doc")
    let adopted = try Self.adopt("--leave", "doc", in: directory)
    #expect(
      adopted.text == "doc: adopted: x-document-source (\(Self.stream))\n"
        + "doc: adopted: com.apple.quarantine (._doc)\n")
    let all = try file.all()
    #expect(try all[Self.native] == Self.source())
    #expect(try all[Self.stream] == Self.source() + [0])
    #expect(Self.exists(directory.path("._doc")))
    #expect(try Self.adopt("--leave", "doc", in: directory).text == "")
  }

  @Test func emptyStreamThatSambaLeftIsNotTaken() throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"), [Self.stream: [0]])
    #expect(try Self.adopt("doc", in: directory).text == "doc: unchanged\n")
    #expect(try file.all() == [Self.stream: [0]])
  }

  @Test func filesOfNTFSAndNetatalkBecomeAttributes() throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"))
    let zone = try Fixture.bytes("ZoneIdentifier/browser.txt")
    try directory.write(zone, to: "doc\u{f03a}Zone.Identifier")
    mkdir(directory.path(".AppleDouble"), 0o755)
    try directory.write(Self.source(), to: ".AppleDouble/doc::EA::x-document-source")
    let adopted = try Self.adopt("doc", in: directory)
    #expect(
      adopted.text == "doc: adopted: Zone.Identifier (doc\\u{f03a}Zone.Identifier)\n"
        + "doc: adopted: x-document-source (.AppleDouble/doc::EA::x-document-source)\n")
    #expect(try file.all() == ["user.Zone.Identifier": zone, Self.native: Self.source()])
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.root).sorted()
    #expect(left == [".AppleDouble", "doc"])
  }

  /// Netatalk's list names what is there, and goes with the last of it.
  @Test func listOfNetatalkIsKeptInStep() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("doc")
    mkdir(directory.path(".AppleDouble"), 0o755)
    func entry(_ name: String) -> [UInt8] { [0, 0, 0, 1] + Array(name.utf8) + [0] }
    let head = Array("adEA".utf8) + [0, 1, 0]
    let other = entry("org.example.other")
    let all = head + [2] + entry("x-document-source") + other
    try directory.write(all, to: ".AppleDouble/doc::EA")
    try directory.write(Self.source(), to: ".AppleDouble/doc::EA::x-document-source")
    #expect(try Docsource.run("adopt", file).status == 0)
    #expect(try directory.bytes(".AppleDouble/doc::EA") == head + [1] + other)

    try directory.write(head + [1] + entry("com.apple.quarantine"), to: ".AppleDouble/doc::EA")
    try directory.write([1], to: ".AppleDouble/doc::EA::com.apple.quarantine")
    #expect(try Docsource.run("strip", file).status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.path(".AppleDouble")) == [])
  }

  @Test(arguments: [
    (["user.creator": "org.example.editor"], "org.example.editor"),
    (["user.creator": "Paint"], "Paint"),
    (["user.com.apple.quarantine": "0083;5fad2a2e;Safari;"], "Safari"),
  ])
  func applicationIsInferredWhereAsked(_ marks: [String: String], _ summary: String) throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"), marks.mapValues { Array($0.utf8) })
    #expect(try Self.adopt("doc", in: directory).text == "doc: unchanged\n")
    #expect(
      try Self.adopt("-n", "--infer", "doc", in: directory).text == "doc: would infer: \(summary)\n"
    )
    #expect(try file.all()[Self.native] == nil)
    #expect(try Self.adopt("--infer", "doc", in: directory).text == "doc: inferred: \(summary)\n")
    #expect(try Docsource.run("show", file.path).text.contains(summary))
    #expect(try Self.adopt("--infer", "doc", in: directory).text == "doc: unchanged\n")
  }

  @Test func directoryBelowWhichOnlyInferenceIsPossibleNeedsRecursion() throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(
      directory.file("d/doc"), ["user.creator": Array("Paint".utf8)])
    #expect(try Self.adopt("d", in: directory).text == "d: unchanged\n")
    for options in [["--infer"], ["-n", "--infer"]] {
      let refused = try Execution.run(
        [Docsource.path, "adopt"] + options + ["d"], in: directory.root)
      #expect(refused.text == "")
      #expect(
        refused.errors
          == "docsource: d: files in this directory have marks; use -r to include them\n")
      #expect(refused.status == 2)
    }
    #expect(try file.all()[Self.native] == nil)
    #expect(
      try Self.adopt("-r", "--infer", "d", in: directory).text == "d/doc: inferred: Paint\n")
    #expect(try Self.adopt("--infer", "d", in: directory).text == "d: unchanged\n")
  }

  /// One attribute is taken in, another contradicts the file.
  @Test func fileThatIsChangedInPartCountsAsChanged() throws {
    let directory = try TemporaryDirectory()
    let quarantine = Array("0083;5fad2a2e;Other;".utf8)
    for name in ["a", "b"] {
      _ = try MarkedFile(directory.file(name), ["user.com.apple.quarantine": quarantine])
      try directory.write(Self.double("empty-value"), to: "._" + name)
    }
    try directory.file("c")
    try directory.write(Self.double("empty-value"), to: "._c")
    func run(_ arguments: String...) throws -> Execution {
      try Execution.run([Docsource.path, "adopt", "-r"] + arguments + ["."], in: directory.root)
    }
    let dry = try run("-n")
    #expect(
      dry.errors.hasSuffix("docsource: 3 would be changed, 1 unchanged, 0 failed\n"),
      "\(dry.errors)")
    #expect(dry.status == 1)
    let adopted = try run()
    #expect(adopted.text.contains("./a: adopted: com.example.empty (._a)\n"), "\(adopted.text)")
    #expect(
      adopted.errors.hasSuffix("docsource: 3 changed, 1 unchanged, 0 failed\n"),
      "\(adopted.errors)")
    #expect(adopted.status == 1)
    let again = try run("-q")
    #expect(again.status == 1)
    #expect(try run().errors.hasSuffix("docsource: 0 changed, 4 unchanged, 0 failed\n"))
  }

  /// A report counts Netatalk's marks last, and adopting them comes first.
  @Test func whatADryRunInfersIsWhatIsInferred() throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"))
    try directory.write(Self.double("empty-value"), to: "._doc")
    mkdir(directory.path(".AppleDouble"), 0o755)
    let place = ".AppleDouble/doc::EA::com.apple.quarantine"
    try directory.write(Array("0083;5fad2a2e;Chrome;".utf8), to: place)
    let dry = try Self.adopt("-n", "--infer", "doc", in: directory)
    #expect(dry.text.hasSuffix("doc: would infer: Chrome\n"), "\(dry.text)")
    let adopted = try Self.adopt("--infer", "doc", in: directory)
    #expect(adopted.text.hasSuffix("doc: inferred: Chrome\n"), "\(adopted.text)")
    #expect(try file.all().count == 3)
  }

  @Test func namesThatCouldBeTakenForOursAreQuoted() throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"))
    var double = try Self.double("empty-value")
    double.replaceSubrange(131..<148, with: "com.a, but not b ".utf8)
    try directory.write(double, to: "._doc")
    #expect(
      try Self.adopt("doc", in: directory).text
        == "doc: adopted: \"com.a, but not b \", com.apple.quarantine (._doc)\n")
    #expect(try file.all().count == 2)
    try file.set([1, 0], "user.DosStream.com.apple.(x):$DATA")
    #expect(
      try Self.adopt("doc", in: directory).text
        == "doc: adopted: \"com.apple.(x)\" (\"user.DosStream.com.apple.(x):$DATA\")\n")
  }

  @Test func sourceThatIsTakenInIsNotInferred() throws {
    let directory = try TemporaryDirectory()
    try directory.file("doc")
    try directory.write(Self.double("kernel"), to: "._doc")
    let dry = try Self.adopt("-n", "--infer", "doc", in: directory)
    #expect(dry.text == "doc: would adopt: x-document-source, com.apple.quarantine (._doc)\n")
    #expect(try Self.adopt("-q", "--infer", "doc", in: directory).text == "")
    #expect(
      try Docsource.run("show", "--field", "name", directory.path("doc")).text == "Working Copy\n")
  }

  @Test func treeIsWorkedOnWithoutItsCarriers() throws {
    let directory = try TemporaryDirectory()
    for folder in ["tree", "tree/a", "tree/__MACOSX", "tree/__MACOSX/a"] {
      mkdir(directory.path(folder), 0o755)
    }
    for name in ["one", "two"] {
      try directory.file("tree/a/\(name)")
      try directory.write(Self.double("kernel"), to: "tree/__MACOSX/a/._\(name)")
    }
    // Nothing that it belongs to is there.
    try directory.write(Self.double("kernel"), to: "tree/._gone")
    let adopted = try Self.adopt("-r", "tree", in: directory)
    let lines = adopted.text.split(separator: "\n").sorted()
    #expect(
      lines
        == ["one", "two"].map {
          "tree/a/\($0): adopted: x-document-source, com.apple.quarantine (../__MACOSX/a/._\($0))"
        })
    #expect(
      adopted.errors == """
        docsource: tree/._gone: kept ._gone: the file it belongs to is missing
        docsource: 2 changed, 3 unchanged, 0 failed

        """)
    #expect(adopted.status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.path("tree")).sorted() == [
        "._gone", "a",
      ])
  }

  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func carrierStaysWhereTheFileSystemStoresNoAttributes() throws {
    let system = try FileSystem(.ramfs)
    #expect(try Execution.run(["touch", system.path("doc")]).status == 0)
    try Data(Self.double("kernel")).write(to: URL(filePath: system.path("._doc")))
    let adopted = try Docsource.run("adopt", "doc", in: system.root)
    let reason = "this file system does not store user attributes"
    #expect(
      adopted.errors
        == ["x-document-source", "com.apple.quarantine"].map {
          "docsource: doc: kept ._doc: cannot write user.\($0): \(reason)\n"
        }.joined())
    #expect(adopted.text == "")
    #expect(adopted.status == 2)
    #expect(Self.exists(system.path("._doc")))
  }

  /// 4024 bytes are all there is on ext4.
  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func carrierStaysWhereThereIsNoRoomForAllOfIt() throws {
    let system = try FileSystem(.ext4)
    #expect(try Execution.run(["touch", system.path("doc")]).status == 0)
    let file = try MarkedFile(
      system.path("doc"), ["user.large": [UInt8](repeating: 1, count: 3800)])
    try Data(Self.double("kernel")).write(to: URL(filePath: system.path("._doc")))
    let adopted = try Docsource.run("adopt", "doc", in: system.root)
    #expect(adopted.text == "doc: adopted: com.apple.quarantine (._doc)\n")
    #expect(
      adopted.errors.hasPrefix(
        "docsource: doc: kept ._doc: cannot write user.x-document-source: no space for a value"))
    #expect(adopted.status == 2)
    #expect(Self.exists(system.path("._doc")))
    #expect(try file.all()["user.com.apple.quarantine"] == Fixture.bytes("Quarantine/safari"))
  }

  @Test func wrongChoiceIsReported() throws {
    let adopted = try Docsource.run("adopt", "--keep=natve", "doc")
    #expect(
      adopted.errors == "docsource: adopt: --keep: invalid value 'natve'; did you mean 'native'?\n")
    #expect(adopted.status == 64)
  }
}
