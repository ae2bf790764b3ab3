import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource strip` as a user runs it.
@Suite struct StripCommandTests {
  private static let marks: [String: [UInt8]] = [
    "user.x-document-source": Array("x".utf8), "user.com.apple.quarantine": Array("0081;;".utf8),
    "user.DosStream.com.apple.quarantine:$DATA": [0], "user.xdg.origin.url": Array("u".utf8),
    "user.Zone.Identifier": [], "user.mime_type": Array("text/plain".utf8),
    "user.creator": Array("Paint".utf8), "user.dublincore.title": Array("t".utf8),
    "user.com.apple.lastuseddate#PS": [UInt8](repeating: 0, count: 16),
  ]

  private static func strip(
    _ arguments: String..., in directory: TemporaryDirectory
  ) throws -> Execution {
    try Execution.run([Docsource.path, "strip"] + arguments, in: directory.root)
  }

  @Test(arguments: ["strip", "remove", "adopt"])
  func directoryWithMarksBelowNeedsRecursion(_ verb: String) throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("d/deep/doc")
    try directory.file("none/doc")
    if verb == "adopt" {
      try directory.write(
        try Fixture.bytes("AppleDouble/kernel.appledouble"), to: "d/deep/._doc")
    } else {
      #expect(try Docsource.tag(file).status == 0)
    }
    let before = try FileState(file)
    for options in [[], ["-n"]] {
      let refused = try Execution.run(
        [Docsource.path, verb] + options + ["d"], in: directory.root)
      let reason = "files in this directory have marks; use -r to include them"
      #expect(refused.text == "")
      #expect(refused.errors == "docsource: d: \(reason)\n")
      #expect(refused.status == 2)
      let object = try Execution.run(
        [Docsource.path, verb, "--json"] + options + ["d"], in: directory.root)
      #expect(object.text == #"{"file":"d","outcome":"failed","error":"\#(reason)"}"# + "\n")
      #expect(object.status == 2)
    }
    #expect(try FileState(file) == before)
    let empty = try Execution.run([Docsource.path, verb, "none"], in: directory.root)
    #expect(empty.text == "none: unchanged\n")
    #expect(empty.status == 0)
    #expect(try Execution.run([Docsource.path, verb, "-rq", "d"], in: directory.root).status == 0)
    #expect(try FileState(file) != before)
  }

  @Test func onlyMarksOfTheChosenKindGo() throws {
    let directory = try TemporaryDirectory()
    let script = """
      echo x > f && "$0" tag -q -i a.b f && setfattr -n user.xdg.origin.url -v https://e.org f &&
      setfattr -n user.mime_type -v text/plain f
      """
    #expect(
      try Execution.run(["sh", "-c", script, Docsource.path], in: directory.root).status == 0)
    func strip(_ words: String...) throws -> Execution {
      try Execution.run([Docsource.path, "strip", "-n"] + words + ["f"], in: directory.root)
    }
    #expect(try strip("--only=source").text == "f: would remove: user.x-document-source\n")
    #expect(
      try strip("--only", "download", "--only", "type").text
        == "f: would remove: user.mime_type, user.xdg.origin.url\n")
    #expect(try strip("--only=zone").text == "f: unchanged\n")
    let both = try strip("--only=source", "--keep=type")
    #expect(
      both.errors
        == "docsource: strip: --keep and --only cannot be combined; see 'docsource help strip'\n")
    #expect(both.status == 64)
    let wrong = try strip("--only=sourse")
    #expect(
      wrong.errors == "docsource: strip: --only: invalid value 'sourse'; did you mean 'source'?\n")
  }

  /// What it removes is what was asked for: the mark of the directory.
  @Test func removalFromADirectoryReportsMarksBelow() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("d/deep/doc")
    for path in [file, directory.path("d")] { #expect(try Docsource.tag(path).status == 0) }
    let before = try FileState(file)
    let note = "docsource: d: files in this directory have marks; use -r to include them\n"
    let dry = try Docsource.run("remove", "-n", "d", in: directory.root)
    #expect(dry.text == "d: would remove\n" && dry.errors == note && dry.status == 0)
    let removed = try Docsource.run("remove", "--json", "d", in: directory.root)
    #expect(
      removed.text == #"{"file":"d","outcome":"changed","#
        + #""removed":[{"carrier":"user.x-document-source"}]}"# + "\n")
    #expect(removed.errors == note)
    #expect(removed.status == 0)
    #expect(try FileState(file) == before)
    let refused = try Docsource.run("remove", "d", in: directory.root)
    #expect(refused.text == "" && refused.errors == note && refused.status == 2)
  }

  @Test(.enabled(if: FileSystem.mayMount, "changing the user needs root"))
  func closedDirectoryIsOneError() throws {
    let system = try FileSystem(.tmpfs)
    let script = """
      cp "$0" docsource && mkdir -p tree/closed && touch tree/f tree/closed/g &&
      chown -R 65534 tree && chmod 0 tree/closed
      """
    #expect(try Execution.run(["sh", "-c", script, Docsource.path], in: system.root).status == 0)
    let user = ["setpriv", "--reuid", "65534", "--clear-groups", "./docsource"]
    for words in [
      ["remove", "tree/closed"], ["remove", "-rq", "tree"], ["strip", "-rq", "tree"],
      ["adopt", "-rq", "tree"], ["show", "-rq", "tree"], ["trace", "-r", "--no-records", "tree"],
      ["find", "tree/closed"], ["find", "tree"],
    ] {
      let failed = try Execution.run(user + words, in: system.root)
      #expect(
        failed.errors == "docsource: tree/closed: cannot read directory: permission denied\n",
        "\(words)")
      #expect(failed.status == 2, "\(words)")
    }
    let counted = try Execution.run(user + ["remove", "-r", "tree"], in: system.root)
    #expect(
      counted.errors == """
        docsource: tree/closed: cannot read directory: permission denied
        docsource: 0 removed, 2 unchanged, 1 failed

        """)
  }

  /// What the directory itself has does not hide what is below.
  @Test(arguments: ["strip", "adopt"])
  func directoryWithItsOwnMarkNeedsRecursionToo(_ verb: String) throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("d/deep/doc")
    let name = "user.x-document-source"
    let (done, carrier): (String, String)
    if verb == "adopt" {
      for place in ["._d", "d/deep/._doc"] {
        try directory.write(try Fixture.bytes("AppleDouble/kernel.appledouble"), to: place)
      }
      (done, carrier) = ("adopt", "._d")
    } else {
      for path in ["d", "d/deep/doc"] {
        #expect(try Docsource.tag(directory.path(path)).status == 0)
      }
      (done, carrier) = ("remove", name)
    }
    let before = try FileState(file)
    func run(_ arguments: String...) throws -> Execution {
      try Execution.run([Docsource.path, verb] + arguments, in: directory.root)
    }
    let reason = "files in this directory have marks; use -r to include them"
    let dry = try run("-n", "d")
    #expect(dry.text.hasPrefix("d: would \(done)"), "\(dry.text)")
    #expect(dry.errors == "docsource: d: \(reason)\n")
    #expect(dry.status == 2)
    let object = try run("-n", "--json", "d")
    let objects = object.text.split(separator: "\n")
    #expect(objects.count == 2)
    #expect(objects[0].hasPrefix(#"{"file":"d","outcome":"changed","dryRun":true,"#))
    #expect(objects[0].contains(#"{"carrier":"\#(carrier)""#), "\(objects[0])")
    #expect(objects[1] == #"{"file":"d","outcome":"failed","error":"\#(reason)"}"#)
    let real = try run("d")
    #expect(real.text.hasPrefix(verb == "adopt" ? "d: adopted: " : "d: removed"), "\(real.text)")
    #expect(real.errors == "docsource: d: \(reason)\n")
    #expect(real.status == 2)
    #expect(try FileState(file) == before)
    #expect(try run("d").text == "")
    #expect(try run("-rq", "d").status == 0)
    let after = try run("d")
    #expect(after.text == "d: unchanged\n")
    #expect(after.status == 0)
  }

  @Test func everyMarkGoesAndNothingElse() throws {
    let directory = try TemporaryDirectory()
    let other = ["user.other": [1], "user.DosStream.foo:$DATA": [0]] as [String: [UInt8]]
    let file = try MarkedFile(directory.file("doc"), Self.marks.merging(other) { $1 })
    let names = Self.marks.keys.sorted().joined(separator: ", ")
    let before = try FileState(file.path)
    let dry = try Self.strip("--dry-run", "doc", in: directory)
    #expect(dry.text == "doc: would remove: \(names)\n")
    #expect(dry.status == 0)
    #expect(try FileState(file.path) == before)
    let stripped = try Self.strip("doc", in: directory)
    #expect(stripped.text == "doc: removed: \(names)\n")
    #expect(stripped.errors == "")
    #expect(stripped.status == 0)
    #expect(try file.all() == other)
    #expect(try Self.strip("doc", in: directory).text == "doc: unchanged\n")
  }

  @Test(arguments: [
    (["source"], ["user.x-document-source"]), (["creator"], ["user.creator"]),
    (
      ["download"],
      [
        "user.DosStream.com.apple.quarantine:$DATA", "user.com.apple.quarantine",
        "user.xdg.origin.url",
      ]
    ),
    (["zone"], ["user.Zone.Identifier"]), (["notes"], ["user.dublincore.title"]),
    (["type"], ["user.mime_type"]), (["use"], ["user.com.apple.lastuseddate#PS"]),
    (["source", "type"], ["user.mime_type", "user.x-document-source"]),
  ])
  func kindsThatAreNamedStay(_ kinds: [String], _ kept: [String]) throws {
    let directory = try TemporaryDirectory()
    let file = try MarkedFile(directory.file("doc"), Self.marks)
    let options = kinds.flatMap { ["--keep", $0] }
    let stripped = try Execution.run(
      [Docsource.path, "strip", "-q"] + options + ["doc"], in: directory.root)
    #expect(stripped.text == "")
    #expect(stripped.errors == "")
    #expect(stripped.status == 0)
    #expect(try file.all().keys.sorted() == kept)
  }

  @Test func eachStrippedFileHasAnObject() throws {
    let directory = try TemporaryDirectory()
    let marks: [String: [UInt8]] = [
      "user.creator": Array("Paint".utf8), "user.xdg.origin.url": Array("u".utf8),
    ]
    _ = try MarkedFile(directory.file("doc"), marks)
    let removed =
      #""removed":[{"carrier":"user.creator"},{"carrier":"user.xdg.origin.url"}]}"# + "\n"
    let dry = try Self.strip("--json", "-n", "doc", in: directory)
    #expect(dry.text == #"{"file":"doc","outcome":"changed","dryRun":true,"# + removed)
    let stripped = try Self.strip("--json", "doc", in: directory)
    #expect(stripped.text == #"{"file":"doc","outcome":"changed","# + removed)
    #expect(stripped.errors == "")
    #expect(stripped.status == 0)
    let error = "cannot remove marks of origin: no such file or directory"
    let again = try Self.strip("--json", "doc", "gone", in: directory)
    #expect(
      again.text == """
        {"file":"doc","outcome":"unchanged"}
        {"file":"gone","outcome":"failed","error":"\(error)"}

        """)
    #expect(again.errors == "docsource: gone: \(error)\n")
    #expect(again.status == 2)
    #expect(try Self.strip("--json", "-q", "doc", in: directory).text == "")
    let below = try Self.strip("--json", "-r", ".", in: directory)
    #expect(
      below.text == """
        {"file":".","outcome":"unchanged"}
        {"file":"./doc","outcome":"unchanged"}

        """)
    #expect(below.errors == "docsource: 0 stripped, 2 unchanged, 0 failed\n")
    #expect(try Self.strip("--json", "-rq", ".", in: directory).text == "")
  }

  @Test(.enabled(if: geteuid() == 0, "giving files away needs root"))
  func carrierThatStaysIsInTheErrorOfTheObject() throws {
    let directory = try TemporaryDirectory()
    _ = try MarkedFile(directory.file("doc"), ["user.creator": Array("Paint".utf8)])
    try directory.write(Fixture.bytes("AppleDouble/kernel.appledouble"), to: "._doc")
    chown(directory.path("._doc"), 12345, 12345)
    let stripped = try Self.strip("--json", "doc", in: directory)
    let words = stripped.errors.dropFirst("docsource: doc: ".count).dropLast()
    #expect(words.hasPrefix("cannot remove ._doc"))
    #expect(
      stripped.text == #"{"file":"doc","outcome":"failed","removed":[{"carrier":"user.creator"}],"#
        + #""error":"\#(words)"}"# + "\n")
    #expect(stripped.status == 2)
  }

  @Test func filesThatHoldMarksOnlyGo() throws {
    let directory = try TemporaryDirectory()
    try directory.file("doc")
    for name in ["doc:Zone.Identifier", "doc\u{f03a}Zone.Identifier"] { try directory.file(name) }
    mkdir(directory.path("__MACOSX"), 0o755)
    try directory.write(Fixture.bytes("AppleDouble/kernel.appledouble"), to: "__MACOSX/._doc")
    let stripped = try Self.strip("doc", in: directory)
    #expect(
      stripped.text == "doc: removed: doc:Zone.Identifier, doc\\u{f03a}Zone.Identifier,"
        + " __MACOSX/._doc:x-document-source, __MACOSX/._doc:com.apple.quarantine\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.root) == ["doc"])
  }

  /// ntfs-3g removes no stream that is open.
  @Test(
    .enabled(if: FileSystem.mayMount, "mounting needs root"), arguments: NTFSVolume.Streams.allCases
  )
  func streamsOfNTFSGo(_ streams: NTFSVolume.Streams) throws {
    let volume = try NTFSVolume(streams)
    let path = volume.path("doc.txt")
    let lead = streams == .attributes ? "user." : "doc.txt:"
    let names = ["Zone.Identifier", "x-document-source"]
    let stripped = try Docsource.run("strip", path)
    #expect(
      stripped.text == "\(path): removed: "
        + (streams == .attributes ? names : names.reversed()).map { lead + $0 }
        .joined(separator: ", ") + "\n")
    #expect(stripped.errors == "")
    #expect(stripped.status == 0)
    let traced = try Docsource.run("trace", "--no-recent", path)
    #expect(traced.errors == "docsource: \(path): no mark of origin\n")
    #expect(traced.status == 1)
  }

  /// The kernel lists no more than 64 KiB of names.
  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func attributesThatNobodyCanListAreReported() throws {
    let system = try FileSystem(.tmpfs)
    #expect(try Execution.run(["touch", system.path("doc")]).status == 0)
    let stream = "user.DosStream.com.apple.metadata\u{f022}kMDItemWhereFroms:$DATA"
    let marks = ["user.xdg.origin.email.from", "user.xdg.origin.url", stream]
    let file = try MarkedFile(system.path("doc"))
    for name in marks + ["user.dublincore.source"] { try file.set(Array("x".utf8), name) }
    for number in 0..<300 {
      try file.set([1], "user.\(number)" + String(repeating: "n", count: 230))
    }
    let excess = "the list of attribute names is longer than 65536 bytes"
    let traced = try Docsource.run("trace", "--no-recent", "doc", in: system.root)
    #expect(traced.text.hasSuffix("  Not read: attributes: cannot read: \(excess)\n"))
    #expect(traced.status == 2)
    let adopted = try Docsource.run("adopt", "doc", in: system.root)
    #expect(adopted.errors == "docsource: doc: attributes: cannot read: \(excess)\n")
    #expect(adopted.status == 2)
    let emitted = try Docsource.run("emit", "--apple-double", "doc", in: system.root)
    #expect(emitted.status == 2)
    let stripped = try Docsource.run("strip", "doc", in: system.root)
    #expect(
      stripped.text == "doc: removed: user.com.apple.metadata:kMDItemWhereFroms,"
        + " user.xdg.origin.url, user.xdg.origin.email.from\n")
    #expect(
      stripped.errors
        == "docsource: doc: cannot remove attributes: cannot read: \(excess)\n")
    #expect(stripped.status == 2)
    let again = try Docsource.run("strip", "doc", in: system.root)
    #expect(again.status == 2)
  }

  @Test func carrierWithAttributesOfItsOwnStaysWithoutMarks() throws {
    let directory = try TemporaryDirectory()
    try directory.file("doc")
    try directory.write(Fixture.bytes("AppleDouble/kernel.appledouble"), to: "._doc")
    try directory.file("doc:Zone.Identifier", "[ZoneTransfer]")
    for name in ["._doc", "doc:Zone.Identifier"] {
      _ = try MarkedFile(directory.path(name), ["user.note": Array("precious".utf8)])
    }
    let stripped = try Self.strip("doc", in: directory)
    #expect(
      stripped.text
        == "doc: removed: ._doc:x-document-source, ._doc:com.apple.quarantine\n")
    #expect(
      stripped.errors
        == "docsource: doc: cannot remove doc:Zone.Identifier: the file has attributes"
        + " of its own: user.note\n")
    #expect(stripped.status == 2)
    #expect(try directory.text("doc:Zone.Identifier") == "[ZoneTransfer]")
    let traced = try Docsource.run("trace", "--no-recent", directory.path("doc"))
    #expect(!traced.text.contains("._doc"))
    #expect(try directory.bytes("._doc").starts(with: [0, 5, 0x16, 7]))
    let kept = ["getfattr", "--only-values", "-n", "user.note", directory.path("._doc")]
    #expect(try Execution.run(kept).text == "precious")
  }

  @Test func appleDoubleFileKeepsWhatIsNoMark() throws {
    let directory = try TemporaryDirectory()
    try directory.file("doc")
    var double = try Fixture.bytes("AppleDouble/kernel.appledouble")
    double.replaceSubrange(50..<54, with: "TEXT".utf8)
    double[3810 + 16] = UInt8(ascii: "t")
    let fork = double[3810...]
    try directory.write(double, to: "._doc")
    chmod(directory.path("._doc"), 0o600)
    let stripped = try Self.strip("--keep=source", "doc", in: directory)
    #expect(stripped.text == "doc: removed: ._doc:com.apple.quarantine\n")
    #expect(stripped.errors == "")
    #expect(stripped.status == 0)
    let left = try directory.bytes("._doc")
    #expect(left.suffix(286) == fork)
    #expect(left[50..<54].elementsEqual("TEXT".utf8))
    #expect(try FileState(directory.path("._doc")).mode & 0o777 == 0o600)
    let traced = try Docsource.run("trace", "--no-recent", directory.path("doc"))
    #expect(traced.text.contains("._doc:x-document-source"))
    #expect(!traced.text.contains("quarantine"))
    #expect(try Self.strip("doc", in: directory).status == 0)
    #expect(try Docsource.run("trace", "--no-recent", directory.path("doc")).status == 1)
  }

  @Test(.enabled(if: geteuid() == 0, "giving files away needs root"))
  func rewrittenFileKeepsOwnerModeAndAttributes() throws {
    let directory = try TemporaryDirectory()
    chown(try directory.file("doc"), 12345, 12345)
    chmod(directory.path("doc"), 0o666)
    try directory.write(Fixture.bytes("AppleDouble/kernel.appledouble"), to: "._doc")
    // An access control list for user 1 of rw-, with the mask rw-.
    let list =
      "0x02000000" + "01000600ffffffff" + "0200060001000000" + "04000000ffffffff"
      + "10000600ffffffff" + "20000000ffffffff"
    let set = "chown 0:12346 ._doc && setfattr -n system.posix_acl_access -v \(list) ._doc"
    #expect(try Execution.run(["sh", "-c", set], in: directory.root).status == 0)
    let state = ["sh", "-c", "stat -c '%u %g %a' ._doc && getfattr -d -m - -e hex ._doc"]
    let before = try Execution.run(state, in: directory.root).text
    let stripped = try Self.strip("--keep=source", "doc", in: directory)
    #expect(stripped.text == "doc: removed: ._doc:com.apple.quarantine\n")
    #expect(stripped.errors == "")
    #expect(try Execution.run(state, in: directory.root).text == before)
    #expect(before.hasPrefix("0 12346 660\n"))
  }

  /// Its owner did not give the document away, and may keep other things there.
  @Test(.enabled(if: geteuid() == 0, "giving files away needs root"), arguments: [[], ["-n"]])
  func filesOfAnotherUserAreLeftAndReported(_ options: [String]) throws {
    let directory = try TemporaryDirectory()
    try directory.file("doc")
    let names = ["._doc", "doc:Zone.Identifier", "__MACOSX/._doc"]
    for name in names {
      try directory.write(Fixture.bytes("AppleDouble/kernel.appledouble"), to: name)
      chown(directory.path(name), 12345, 12345)
    }
    chown(directory.path("doc"), 12346, 12346)
    let before = try names.map { try FileState(directory.path($0)) }
    for kept in [[], ["--keep=source"]] {
      let stripped = try Execution.run(
        [Docsource.path, "strip"] + kept + options + ["doc"], in: directory.root)
      #expect(stripped.text == "")
      #expect(
        stripped.errors
          == ["doc:Zone.Identifier", "._doc", "__MACOSX/._doc"].map {
            "docsource: doc: cannot remove \($0): the file belongs to another user\n"
          }.joined())
      #expect(stripped.status == 2)
      #expect(try names.map { try FileState(directory.path($0)) } == before)
    }
  }

  @Test func damagedAppleDoubleFileIsReported() throws {
    let directory = try TemporaryDirectory()
    try directory.file("doc")
    try directory.file("._doc", "junk")
    let stripped = try Self.strip("doc", in: directory)
    #expect(
      stripped.errors
        == "docsource: doc: cannot remove ._doc: not an AppleDouble file (at byte 0)\n")
    #expect(stripped.text == "")
    #expect(stripped.status == 2)
  }

  /// Written anew, or removed with its last mark, it would lose them.
  @Test func appleDoubleFileWithMoreThanIsUnderstoodIsLeftAndReported() throws {
    let directory = try TemporaryDirectory()
    try directory.file("doc")
    let double = try Fixture.bytes("AppleDouble/kernel.appledouble") + Array("more".utf8)
    try directory.write(double, to: "._doc")
    let stripped = try Self.strip("doc", in: directory)
    #expect(
      stripped.errors
        == "docsource: doc: cannot remove ._doc: content outside its entries"
        + " (at byte 4096)\n")
    #expect(stripped.text == "" && stripped.status == 2)
    #expect(try directory.bytes("._doc") == double)
  }

  /// The name of a mark may hold what stands between two names.
  @Test func namesThatCouldBeTakenForSeveralAreQuoted() throws {
    let directory = try TemporaryDirectory()
    let name = "user.dublincore.a, user.com.apple.quarantine"
    let file = try MarkedFile(
      directory.file("doc"), [name: [0x78], "user.com.apple.quarantine": Array("0081;;".utf8)])
    let stripped = try Self.strip("--keep=download", "doc", in: directory)
    #expect(stripped.text == "doc: removed: \"\(name)\"\n")
    #expect(try file.all().keys.sorted() == ["user.com.apple.quarantine"])
  }

  /// They are those of any file: a browser has written them, or `tag --recursive`.
  @Test(arguments: ["1", "3"]) func marksOnCarriersThemselvesGo(_ threads: String) throws {
    let directory = try TemporaryDirectory()
    for folder in ["tree", "tree/__MACOSX", "tree/.AppleDouble"] {
      mkdir(directory.path(folder), 0o755)
    }
    let double = try Fixture.bytes("AppleDouble/kernel.appledouble")
    try directory.file("tree/doc")
    try directory.write(double, to: "tree/._doc")
    try directory.file("tree/other")
    try directory.write(
      Fixture.bytes("AppleDouble/finder-info-only.appledouble"), to: "tree/._other")
    try directory.file("tree/__MACOSX/x")
    let carriers = ["tree/._doc", "tree/._other", "tree/.AppleDouble", "tree/__MACOSX/x"]
    for name in carriers {
      _ = try MarkedFile(directory.path(name), ["user.xdg.origin.url": Array("http://h/".utf8)])
    }
    let traced = try Docsource.run("trace", "-r", "--no-recent", "tree", in: directory.root)
    let lines = Set(traced.text.split(separator: "\n").map(String.init))
    #expect(lines.isSuperset(of: carriers.map { "\($0): downloaded from h" }))
    let own = ["tree/.AppleDouble", "tree/__MACOSX/x"]
    for words in ["would remove", "removed"] {
      let isDry = words == "would remove"
      let stripped = try Execution.run(
        [Docsource.path, "strip", "-r", "--threads", threads] + (isDry ? ["-n"] : []) + ["tree"],
        in: directory.root)
      // The first carrier goes with what it holds, and with its own mark.
      let held = [
        "tree/doc: \(words): ._doc:x-document-source, ._doc:com.apple.quarantine",
        "tree/other: \(words): ._other:user.xdg.origin.url",
      ]
      let expected = own.map { "\($0): \(words): user.xdg.origin.url" } + held
      #expect(stripped.text.split(separator: "\n").map(String.init).sorted() == expected.sorted())
      #expect(
        stripped.errors == "docsource: 4 \(isDry ? "would be " : "")stripped, 1 unchanged,"
          + " 0 failed\n")
      #expect(stripped.status == 0)
    }
    let left = try Docsource.run("trace", "-r", "--no-recent", "tree", in: directory.root)
    #expect(left.text == "0 files with marks of origin, 3 without\n")
  }

  /// Windows gives every file of a zip that it extracts the zone of the zip.
  @Test func zonesOfCarriersGo() throws {
    let directory = try TemporaryDirectory()
    mkdir(directory.path("__MACOSX"), 0o755)
    let double = try Fixture.bytes("AppleDouble/finder-info-only.appledouble")
    for name in ["a", "b", "__MACOSX/c"] { try directory.file(name) }
    for name in ["__MACOSX/._a", "._b"] { try directory.write(double, to: name) }
    let marked = ["__MACOSX/._a", "__MACOSX/c", "._b", "a", "b"]
    for name in marked {
      try directory.file("\(name):Zone.Identifier", "[ZoneTransfer]\nHostUrl=https://h.example/\n")
    }
    let traced = try Docsource.run("trace", "-r", "--no-recent", ".", in: directory.root)
    let lines = marked.map { "./\($0): downloaded from h.example" }
    #expect(Set(traced.text.split(separator: "\n").map(String.init)).isSuperset(of: lines))
    for threads in ["1", "8"] {
      let stripped = try Self.strip("-rq", "--threads", threads, ".", in: directory)
      #expect(stripped.errors == "")
      #expect(stripped.status == 0)
      for name in marked { #expect(access(directory.path("\(name):Zone.Identifier"), F_OK) != 0) }
    }
    #expect(try directory.bytes("._b") == double)
  }

  /// Files that another worker removes with the file they belong to are no failures.
  @Test func streamsBesideFilesGoWithThem() throws {
    let directory = try TemporaryDirectory()
    let marks = ["com.apple.quarantine", "com.apple.metadata:kMDItemWhereFroms", "Zone.Identifier"]
    for number in 0..<40 {
      try directory.file("a\(number)")
      for mark in marks { try directory.file("a\(number):\(mark)", "0081;5f000000;Safari;") }
    }
    let stripped = try Self.strip("-rq", "--threads", "8", ".", in: directory)
    #expect(stripped.errors == "")
    #expect(stripped.status == 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.root)
    #expect(left.sorted() == (0..<40).map { "a\($0)" }.sorted())
  }

  /// What stands in another mount is not this file system's.
  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"), arguments: ["strip", "adopt"])
  func carriersInOtherMountsAreLeftOutOfOneFileSystem(_ verb: String) throws {
    let outer = try FileSystem(.tmpfs)
    let script = """
      cd "$1" && mkdir -p tree/__MACOSX tree/.AppleDouble other && touch tree/a tree/._a &&
      cp "$2" other/._a && cp "$2" other/double && printf 0081 >'other/a::EA::com.apple.quarantine' &&
      mount --bind other tree/__MACOSX && mount --bind other tree/.AppleDouble &&
      mount --bind other/double tree/._a
      """
    let double = outer.path("double")
    try Data(Fixture.bytes("AppleDouble/kernel.appledouble")).write(to: URL(filePath: double))
    #expect(try Execution.run(["sh", "-c", script, "sh", outer.root, double]).status == 0)
    defer {
      let mounted = ["__MACOSX", ".AppleDouble", "._a"].map { outer.path("tree/\($0)") }
      _ = try? Execution.run(["umount"] + mounted)
    }
    let run = try Execution.run(
      [Docsource.path, verb, "-r", "--one-file-system", "tree"], in: outer.root)
    #expect(run.text == "")
    #expect(run.status == 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: outer.path("other"))
    #expect(left.sorted() == ["._a", "a::EA::com.apple.quarantine", "double"])
  }

  /// A kill between two system calls leaves it.
  @Test(arguments: ["strip", "trace"]) func leftoverOfAKillIsReported(_ verb: String) throws {
    let directory = try TemporaryDirectory()
    try directory.file(".docsource-12-ab-kept", "[ZoneTransfer]")
    let options = verb == "trace" ? ["--no-recent"] : []
    let run = try Execution.run(
      [Docsource.path, verb, "-r"] + options + ["."], in: directory.root)
    #expect(
      run.errors.hasPrefix(
        "docsource: ./.docsource-12-ab-kept: left over from an interrupted run; it may"
          + " contain marks of another file; inspect it, then delete it\n"))
    #expect(run.status == 2)
    #expect(try directory.text(".docsource-12-ab-kept") == "[ZoneTransfer]")
  }

  /// A mark that is to be kept may stand on the carrier itself.
  @Test func carrierWithAMarkThatIsKeptStays() throws {
    let directory = try TemporaryDirectory()
    try directory.file("doc")
    try directory.file("doc:Zone.Identifier", "[ZoneTransfer]")
    let origin = ["user.xdg.origin.url": Array("http://h/".utf8)]
    _ = try MarkedFile(directory.path("doc:Zone.Identifier"), origin)
    let stripped = try Self.strip("--keep=download", "doc", in: directory)
    #expect(
      stripped.errors == "docsource: doc: cannot remove doc:Zone.Identifier: the file has"
        + " attributes of its own: user.xdg.origin.url\n")
    #expect(stripped.status == 2)
  }

  @Test func treeIsStrippedAndCounted() throws {
    let directory = try TemporaryDirectory()
    mkdir(directory.path("tree"), 0o755)
    for name in ["a", "b"] { try _ = MarkedFile(directory.file("tree/\(name)"), Self.marks) }
    try directory.file("tree/c")
    let stripped = try Self.strip("-rq", "tree", in: directory)
    #expect(stripped.text == "")
    #expect(stripped.errors == "")
    #expect(stripped.status == 0)
    let again = try Self.strip("-r", "tree", in: directory)
    #expect(again.errors == "docsource: 0 stripped, 4 unchanged, 0 failed\n")
  }

  /// Where nothing is said of each file, attributes are removed by the names of the files.
  @Test(arguments: ["1", "4"]) func silentWalkRemovesWhatAVerboseOneDoes(_ threads: String) throws {
    let directory = try TemporaryDirectory()
    let other = ["user.other": [1], "user.DosStream.foo:$DATA": [0]] as [String: [UInt8]]
    let depot = ["user.SAMBA_STREAMS": [1]] as [String: [UInt8]]
    let kinds = [
      Self.marks.merging(other) { $1 }, [:], ["user.x-document-source": [1]],
      Self.marks.merging(depot) { $1 }, other,
    ]
    func tree(_ name: String) throws -> [MarkedFile] {
      try ["bare", "double", ".hidden"].flatMap { folder in
        try (0..<40).map { number in
          let path = "\(name)/\(folder)/\(number % 10 == 9 ? "." : "")\(number)"
          return try MarkedFile(directory.file(path), kinds[number % 5])
        }
      }
    }
    let (silent, verbose) = (try tree("silent"), try tree("verbose"))
    for name in ["silent", "verbose"] {
      try directory.write(
        try Fixture.bytes("AppleDouble/kernel.appledouble"), to: "\(name)/double/._7")
    }
    let options = ["--keep", "type", "--threads", threads, "--no-records"]
    let quiet = try Execution.run(
      [Docsource.path, "strip", "-rq"] + options + ["silent"], in: directory.root)
    #expect(quiet.text + quiet.errors == "")
    #expect(quiet.status == 0)
    let shown = try Execution.run(
      [Docsource.path, "strip", "-r"] + options + ["verbose"], in: directory.root)
    #expect(shown.errors == "docsource: 72 stripped, 52 unchanged, 0 failed\n")
    #expect(shown.status == 0)
    for (one, two) in zip(silent, verbose) {
      let left = try one.all()
      #expect(left == (try two.all()), "\(one.path)")
      #expect(left["user.x-document-source"] == nil)
    }
    let kept = other.merging(["user.mime_type": Array("text/plain".utf8)]) { $1 }
    #expect(try silent[0].all() == kept)
    #expect(access(directory.path("silent/double/._7"), F_OK) == -1)
  }

  /// On a silent walk, the files of a directory lose one mark after the other together, some 100 at a time.
  @Test(arguments: ["1", "2"]) func manyFilesLoseTheirMarksTogether(_ threads: String) throws {
    let directory = try TemporaryDirectory()
    let few = ["user.xdg.origin.url": Array("u".utf8)] as [String: [UInt8]]
    var files: [MarkedFile] = []
    for folder in ["a", "b", "b/c"] {
      for number in 0..<300 {
        let path = try directory.file("tree/\(folder)/\(number)")
        files.append(try MarkedFile(path, number % 100 == 50 ? few : Self.marks))
        // Of one file with two names both are met.
        if number % 10 == 0 { link(path, path + "-too") }
      }
    }
    let stripped = try Self.strip("-rq", "--threads", threads, "tree", in: directory)
    #expect(stripped.errors == "")
    #expect(stripped.status == 0)
    for file in files { #expect(try file.all() == [:], "\(file.path)") }
    let again = try Self.strip("-r", "tree", in: directory)
    #expect(again.errors == "docsource: 0 stripped, 994 unchanged, 0 failed\n")
  }

  @Test(.enabled(if: FileSystem.mayMount, "changing the user needs root"))
  func silentWalkReportsWhatItCannotRemove() throws {
    let system = try FileSystem(.tmpfs)
    let script = """
      cp "$0" docsource && mkdir tree && touch tree/0 tree/1 tree/2 tree/3 &&
      setfattr -n user.mime_type -v text/plain tree/* &&
      setfattr -n user.xdg.origin.url -v https://e.org tree/* && chown -R 65534 tree && chown 0 tree/3
      """
    #expect(try Execution.run(["sh", "-c", script, Docsource.path], in: system.root).status == 0)
    let user = ["setpriv", "--reuid", "65534", "--clear-groups", "./docsource"]
    let stripped = try Execution.run(user + ["strip", "-rq", "tree"], in: system.root)
    let reason = "permission denied: the file belongs to root; ask the owner, or root"
    #expect(
      stripped.errors == """
        docsource: tree/3: cannot remove user.mime_type: \(reason)
        docsource: tree/3: cannot remove user.xdg.origin.url: \(reason)

        """)
    #expect(stripped.status == 2)
    let left = try Execution.run(["getfattr", "-R", "tree"], in: system.root)
    #expect(left.text == "# file: tree/3\nuser.mime_type\nuser.xdg.origin.url\n\n")
  }

  @Test func wrongKindIsReported() throws {
    let stripped = try Docsource.run("strip", "--keep=sauce", "doc")
    #expect(
      stripped.errors == "docsource: strip: --keep: invalid value 'sauce'; did you mean 'source'?\n"
    )
    #expect(stripped.status == 64)
  }

  @Test func missingFileIsReported() throws {
    let directory = try TemporaryDirectory()
    let stripped = try Self.strip("missing", in: directory)
    #expect(
      stripped.errors
        == "docsource: missing: cannot remove marks of origin: no such file or directory\n")
    #expect(stripped.status == 2)
  }
}
