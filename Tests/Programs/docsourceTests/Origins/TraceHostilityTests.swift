import Foundation
import Glibc
import TestSupport
import Testing

/// `trace` on files that somebody has prepared.
@Suite struct TraceHostilityTests {
  private static func trace(_ path: String, _ options: String...) throws -> Execution {
    try Execution.run([Docsource.path, "trace", "--no-recent"] + options + [path])
  }

  private static func set(_ name: String, _ value: String, _ path: String) throws {
    let set = try Execution.run(["setfattr", "-n", name, "-v", value, path])
    #expect(set.status == 0, "\(set.errors)")
  }

  @Test func controlAndBidiCharactersAreSpelledOut() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("a")
    try Self.set("user.creator", "e\u{1b}[2J\u{202e}vil\nb: forged", path)
    #expect(
      try Self.trace(path).text == """
        \(path): made by "e\\x1b[2J\\u{202e}vil\\nb: forged"
          Creator      "e\\x1b[2J\\u{202e}vil\\nb: forged"
            user.creator

        """)
  }

  /// Without the quotes each value would say more than it is.
  @Test func untrustedValuesMakeNoSentence() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("a")
    let name = "Editor, downloaded from apple.com"
    #expect(try Docsource.run("tag", "-q", "--app-name", name, path).status == 0)
    let agent = "Safari on 2001-01-01, approved by the user"
    try Self.set("user.com.apple.quarantine", "0081;5fad2a2e;\(agent);", path)
    try Self.set("user.xdg.origin.url", "https://apple.com,sent%20by%20you/x", path)
    try Self.set(
      "user.dublincore.x (recorded by path; may describe an earlier file at this path)",
      "a\", by \"b\\", path)
    try Self.set("user.mime_type", "empty", path)
    #expect(
      try Self.trace(path).text == """
        \(path): from "\(name)", downloaded from "apple.com,sent%20by%20you" by "\(agent)" \
        on 2020-11-12
          Source       "\(name)"
            user.x-document-source
          Quarantine   "\(agent)", 2020-11-12T12:27:26Z, downloaded
            user.com.apple.quarantine
          Origin       "https://apple.com,sent%20by%20you/x"
            user.xdg.origin.url
          Note         "a\\", by \\"b\\\\"
            "user.dublincore.x (recorded by path; may describe an earlier file at this path)"
          Media type   "empty"
            user.mime_type

        """)
    #expect(
      try Self.trace("-r", directory.root).text.hasSuffix(
        """
        By application:
        1  ##############################  "\(name)"
        By host:
        1  ##############################  "apple.com,sent%20by%20you"
        1 file with marks of origin, 1 without

        """))
  }

  @Test func blanksAndCharactersOfPrivateUseAreSpelledOut() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("a")
    let blanks = "a\u{a0}\u{2800}\u{3000}\u{2003}\u{e000}b"
    try Self.set("user.creator", blanks, path)
    let shown = "\"a\\u{00a0}\\u{2800}\\u{3000}\\u{2003}\\u{e000}b\""
    #expect(try Self.trace(path).text.hasPrefix("\(path): made by \(shown)\n"))
    #expect(try Self.trace(path, "--json").text.contains("\"value\":\"\(blanks)\""))
  }

  /// A carrier that is shown escaped is taken as it is shown.
  @Test func carrierIsAskedForAsItIsShown() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("a")
    func name(_ colon: String) -> String {
      "user.DosStream.com.apple.metadata\(colon)kMDItemWhereFroms:$DATA"
    }
    try Self.set(name("\u{f022}"), "value", path)
    #expect(try Self.trace(path).text.contains("\n    \(name("\\u{f022}"))\n"))
    for colon in ["\u{f022}", "\\u{f022}"] {
      #expect(try Self.trace(path, "--raw", name(colon)).text == "value")
    }
  }

  @Test(arguments: ["._a", "a:Zone.Identifier"])
  func linksBesideAreNotFollowedAndFIFOsNotWaitedFor(_ name: String) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("a")
    try directory.write(Fixture.bytes("AppleDouble/kernel.appledouble"), to: "other")
    symlink("other", directory.path(name))
    #expect(try Self.trace(path).errors == "docsource: \(path): no mark of origin\n")
    unlink(directory.path(name))
    mkfifo(directory.path(name), 0o600)
    #expect(try Self.trace(path).errors == "docsource: \(path): no mark of origin\n")
    unlink(directory.path(name))
    mkdir(directory.path(name), 0o700)
    #expect(try Self.trace(path).errors == "docsource: \(path): no mark of origin\n")
  }

  @Test func linkedFolderOfAnArchiveIsNotFollowed() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("a")
    mkdir(directory.path("other"), 0o700)
    try directory.write(Fixture.bytes("AppleDouble/kernel.appledouble"), to: "other/._a")
    symlink("other", directory.path("__MACOSX"))
    #expect(try Self.trace(path).status == 1)
  }

  /// Files of a tebibyte with nothing but a head are read no further than that.
  @Test func hugeFilesBesideTakeNeitherTimeNorMemory() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("a")
    try directory.write(Fixture.bytes("AppleDouble/kernel.appledouble"), to: "._a")
    try directory.write(Fixture.bytes("ZoneIdentifier/browser.txt"), to: "a:Zone.Identifier")
    for name in ["._a", "a:Zone.Identifier"] { truncate(directory.path(name), 1 << 40) }
    let execution = try Execution.run([
      "sh", "-c", "ulimit -v 1000000; exec \"$0\" trace --no-recent \"$1\"", Docsource.path, path,
    ])
    #expect(
      execution.text == """
        \(path): from "Working Copy", downloaded by "Safari" on 2020-11-12
          Source       "Working Copy" ("com.appliedphasor.working-copy"), "directory/filename.ext"
            ._a:x-document-source (in another file; may belong to an earlier file of this name)
          Quarantine   "Safari", 2020-11-12T12:27:26Z, downloaded, by a sandboxed application
            ._a:com.apple.quarantine (in another file; may belong to an earlier file of this name)
          Zone         damaged: too long (at byte 65536)
            a:Zone.Identifier (in another file; may belong to an earlier file of this name)

        """)
    #expect(execution.errors == "")
    #expect(execution.status == 0)
  }

  /// An AppleDouble file of marks with 64 KiB each, which overlap: each begins a byte further on.
  private static func overlapping(_ count: Int) -> [UInt8] {
    func number(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    // 38 bytes of header, 32 of Finder information, two of padding; an attribute has 28.
    let start = 38 + 34 + 36 + count * 28
    var file = number(0x5_1607, 4) + number(0x2_0000, 4) + number(0, 16) + number(1, 2)
    file += number(9, 4) + number(38, 4) + number(start - 38, 4) + number(0, 34)
    file += Array("ATTR".utf8) + number(0, 30) + number(count, 2)
    for index in 0..<count {
      file += number(start + index, 4) + number(65536, 4) + number(0, 2) + [16]
      file += Array("dublincore.\(1000 + index)".utf8) + [0, 0]
    }
    return file + [UInt8](repeating: UInt8(ascii: "A"), count: 65536 + count)
  }

  /// 150 MB of values in a file of 130 KB.
  @Test func overlappingValuesBesideAreReadUpToALimit() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("a")
    try directory.write(Self.overlapping(2300), to: "._a")
    for options in [[], ["--json"]] {
      let execution = try Execution.run(
        [
          "sh", "-c", "ulimit -v 500000; exec \"$0\" trace --no-recent \"$@\"", Docsource.path,
          path,
        ]
          + options)
      #expect(execution.errors == "")
      #expect(execution.status == 0)
      let start = 38 + 34 + 36 + 2300 * 28
      let end =
        options.isEmpty
        ? "  Not read: ._a: more than 16 MiB of marks (at byte \(start + 256))\n"
        : """
        "flaws":[{"carrier":"._a","reason":"more than 16 MiB of marks","offset":\(start + 256)}]}

        """
      #expect(execution.output.suffix(end.utf8.count).elementsEqual(end.utf8))
    }
  }

  @Test(.enabled(if: geteuid() == 0, "becoming another user needs root"))
  func whatCannotBeSearchedIsNotCalledMarked() throws {
    let directory = try TemporaryDirectory()
    mkdir(directory.path("closed"), 0o700)
    chmod(directory.root, 0o755)
    let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Docsource.path]
    let recursive = try Execution.run(
      user + ["trace", "-r", "--no-recent", "."], in: directory.root)
    #expect(recursive.text == "0 files with marks of origin, 1 without\n")
    #expect(
      recursive.errors == "docsource: ./closed: cannot read directory: permission denied\n")
    #expect(recursive.status == 2)
    let single = try Execution.run(
      user + ["trace", "--no-recent", "closed"], in: directory.root)
    #expect(single.text.hasPrefix("closed: no mark of origin could be read\n  Not read: "))
    #expect(single.status == 2)
  }

  @Test(.enabled(if: geteuid() == 0, "becoming another user needs root"))
  func markOfATreeThatCannotBeReadIsAFailure() throws {
    let directory = try TemporaryDirectory()
    chmod(directory.root, 0o755)
    for name in ["a", "b", "c"] {
      let path = try directory.file(name)
      let set = ["setfattr", "-n", "user.xdg.origin.url", "-v", "https://a.example/", path]
      #expect(try Execution.run(set).status == 0)
      chmod(path, 0o600)
    }
    let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Docsource.path]
    let tree = try Execution.run(user + ["trace", "-r", "--no-recent", "."], in: directory.root)
    #expect(tree.text.hasSuffix("3 files with marks of origin, 1 without\n"))
    #expect(tree.status == 2)
  }

  /// Labels of other marks are theirs.
  @Test func noteIsNotLabelledAsAnotherMark() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("a")
    for name in ["source", "Quarantine", "title"] {
      let set = ["setfattr", "-n", "user.dublincore.\(name)", "-v", "x", path]
      #expect(try Execution.run(set).status == 0)
    }
    #expect(
      try Self.trace(path).text == """
        \(path): marked, but no mark says where the file came from
          Note         "x"
            user.dublincore.Quarantine
          Note         "x"
            user.dublincore.source
          Title        "x"
            user.dublincore.title

        """)
  }

  @Test(.enabled(if: geteuid() == 0, "giving files away needs root"))
  func fileOfAnotherUserDoesNotCount() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("a")
    try directory.write(Fixture.bytes("AppleDouble/kernel.appledouble"), to: "._a")
    chown(path, 1001, 1001)
    chown(directory.path("._a"), 1002, 1002)
    #expect(
      try Self.trace(path).text == """
        \(path): marked, but no mark says where the file came from
          Source       "Working Copy" ("com.appliedphasor.working-copy"), "directory/filename.ext"
            ._a:x-document-source (in a file owned by another user; not trusted)
          Quarantine   "Safari", 2020-11-12T12:27:26Z, downloaded, by a sandboxed application
            ._a:com.apple.quarantine (in a file owned by another user; not trusted)

        """)
  }

  @Test(.enabled(if: geteuid() == 0, "becoming another user needs root"))
  func whatCannotBeReadIsReportedAndIsAFailure() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("a")
    chmod(directory.root, 0o755)
    try Self.set("user.creator", "Editor", path)
    try directory.write(Fixture.bytes("AppleDouble/kernel.appledouble"), to: "._a")
    for name in ["a", "._a"] { chmod(directory.path(name), 0) }
    let execution = try Execution.run([
      "setpriv", "--reuid=1001", "--regid=1001", "--clear-groups", Docsource.path, "trace",
      "--no-recent", path,
    ])
    #expect(
      execution.text == """
        \(path): marked, but no mark says where the file came from
          Creator      cannot be read: permission denied: the file must be readable and its \
        directories searchable
            user.creator
          Not read: ._a: cannot read: permission denied

        """)
    #expect(execution.status == 2)
  }

  /// Whatever stands in an attribute of each kind, the report is made, and as JSON is JSON.
  @Test func anyBytesInAnyMarkGiveAReport() throws {
    let directory = try TemporaryDirectory()
    var random = SplitMix(state: 7)
    let names = [
      "user.x-document-source", "user.com.apple.quarantine",
      "user.com.apple.metadata:kMDItemWhereFroms", "user.com.apple.metadata:kMDItemDownloadedDate",
      "user.com.apple.metadata:_kMDItemUserTags", "user.com.apple.lastuseddate#PS",
      "user.com.apple.provenance", "user.Zone.Identifier", "user.xdg.origin.url", "user.creator",
      "user.dublincore.title", "user.DosStream.x-document-source:$DATA",
    ]
    let seeds = try [
      "PropertyLists/four-keys.bplist", "Quarantine/safari", "ZoneIdentifier/utf16.txt",
      "Samba/DosStream.kMDItemWhereFroms.U+F022.value.bin",
    ].map(Fixture.bytes)
    for round in 0..<20 {
      var lines = "# file: a\\012\(round)\n"
      for (index, name) in names.enumerated() {
        var bytes = seeds[(index + round) % seeds.count]
        for _ in 0..<(round % 5) {
          bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
        }
        let hexadecimal = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        lines += "\(name)=0x\(hexadecimal)\n"
      }
      try directory.file("a\n\(round)")
      let restored = try Execution.run(
        ["setfattr", "--restore=-"], in: directory.root, input: Array(lines.utf8))
      #expect(restored.status == 0, "\(restored.errors)")
      let execution = try Self.trace(directory.path("a\n\(round)"), "--json")
      #expect(execution.status == 0, "seed 7, round \(round): \(execution.errors)")
      let parsed = try Execution.run(
        ["python3", "-c", "import json, sys; print(len(json.load(sys.stdin)['marks']))"],
        input: execution.output)
      #expect(parsed.text == "\(names.count)\n", "seed 7, round \(round)")
      #expect(try Self.trace(directory.path("a\n\(round)")).status == 0)
    }
  }
}
