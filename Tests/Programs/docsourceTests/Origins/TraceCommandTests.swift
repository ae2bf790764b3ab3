import BinaryPropertyList
import Foundation
import TestSupport
import Testing

/// `docsource trace` as a user runs it.
@Suite struct TraceCommandTests {
  private static let beside = " (in another file; may belong to an earlier file of this name)"
  private static let workingCopy = """
    "Working Copy" ("com.appliedphasor.working-copy"), "directory/filename.ext"
    """

  private static func trace(
    _ arguments: String..., in directory: TemporaryDirectory
  ) throws -> Execution {
    try Execution.run(
      [Docsource.path, "trace"] + arguments, in: directory.root,
      environment: ["XDG_DATA_HOME": directory.path("data")])
  }

  private static func set(_ name: String, _ value: [UInt8], _ path: String) throws {
    let hexadecimal = value.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let set = try Execution.run(["setfattr", "-n", name, "-v", "0x" + hexadecimal, path])
    #expect(set.status == 0, "\(set.errors)")
  }

  /// Flags without that of a download, and the identifier after a bar, as 1,231 real files have it.
  @Test func whatIsNoDownloadWasWritten() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    try Self.set(
      "user.com.apple.quarantine", Array("0082;5fad2a2e;Firefox;|org.mozilla.firefox".utf8), path)
    #expect(
      try Self.trace("f", in: directory).text == """
        f: written by "Firefox" on 2020-11-12
          Quarantine   "Firefox" ("org.mozilla.firefox"), 2020-11-12T12:27:26Z, by a sandboxed \
        application
            user.com.apple.quarantine

        """)
    let json = try Self.trace("--json", "f", in: directory).text
    #expect(
      json.contains(
        #"""
        "origin":{"agent":"Firefox","written":"2020-11-12T12:27:26Z"}
        """#))
    #expect(json.contains(#""agentIdentifier":"org.mozilla.firefox""#))
  }

  @Test func dateOfTheDownloadAloneMeansADownload() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    let date: UInt64 = 626_876_846.0.bitPattern
    var list: [UInt8] = Array("bplist00".utf8)
    list += [0xa1, 1, 0x33]
    for byte in 0..<8 { list.append(UInt8(truncatingIfNeeded: date >> UInt64(56 - 8 * byte))) }
    list += [8, 10, 0, 0, 0, 0, 0, 0, 1, 1]
    list += [0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 19]
    try Self.set("user.com.apple.metadata:kMDItemDownloadedDate", list, path)
    #expect(
      try Self.trace("f", in: directory).text == """
        f: downloaded on 2020-11-12
          Downloaded   2020-11-12T12:27:26Z
            user.com.apple.metadata:kMDItemDownloadedDate

        """)
    let json = try Self.trace("--json", "f", in: directory).text
    #expect(json.contains(#""origin":{"downloaded":"2020-11-12T12:27:26Z"}"#))
  }

  /// A stream that was given a name of Linux, as ntfs-3g shows it.
  @Test func nameWithTwoPrefixesIsTracedAndAdopted() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    try Self.set("user.user.xdg.origin.url", Array("https://a.example/f".utf8), path)
    #expect(
      try Self.trace("f", in: directory).text == """
        f: downloaded from a.example
          Origin       "https://a.example/f"
            user.user.xdg.origin.url

        """)
    #expect(try Docsource.run("adopt", path).status == 0)
    #expect(
      try Self.trace("f", in: directory).text == """
        f: downloaded from a.example
          Origin       "https://a.example/f"
            user.xdg.origin.url

        """)
  }

  @Test func bytesInACodePageAreShown() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    try Self.set(
      "user.Zone.Identifier",
      Array("[ZoneTransfer]\r\nZoneId=3\r\nReferrerUrl=https://a.example/".utf8)
        + [0xcf, 0xc2, 0x0d, 0x0a], path)
    #expect(
      try Self.trace("f", in: directory).text == #"""
        f: linked from a.example
          Zone         Internet, linked from "https://a.example/\xcf\xc2"
            user.Zone.Identifier

        """#)
    let json = try Self.trace("--json", "f", in: directory).text
    #expect(json.contains(#""zone":3,"referrerURL":"https://a.example/"#))
    #expect(json.contains(#""referrerURLBase64":"aHR0cHM6Ly9hLmV4YW1wbGUvz8I=""#))
  }

  /// What an SMB client wrote to each share, WhereFroms and FinderInfo's value in other places too.
  @Test(arguments: ["default", "interop", "native", "plain", "stream"])
  func everyFormOfSambaIsReported(_ share: String) throws {
    let directory = try TemporaryDirectory()
    try directory.file("doc.txt")
    let dump = String(decoding: try Fixture.bytes("Samba/getfattr-\(share)-doc.txt"), as: UTF8.self)
    let restored = try Execution.run(
      ["setfattr", "--restore=-"], in: directory.root,
      input: Array(dump.replacing("../smb/share/\(share)/doc.txt", with: "doc.txt").utf8))
    #expect(restored.status == 0, "\(restored.errors)")
    func carrier(_ name: String) -> String {
      share == "interop" ? "user.\(name)" : "user.DosStream.\(name):$DATA"
    }
    // The dump was printed by getfattr, which drops the character that stands for the colon.
    let whereFroms =
      carrier(
        "com.apple.metadata\(share == "interop" || share == "native" ? ":" : "\\u{f022}")kMDItemWhereFroms"
      )
    let execution = try Self.trace("doc.txt", in: directory)
    #expect(
      execution.text == """
        doc.txt: from "Working Copy", downloaded from example.com by "Safari" on 2020-11-12; \
        marks contradict each other
          Source       \(Self.workingCopy)
            \(carrier("x-document-source"))
          Quarantine   "Safari", 2020-11-12T12:27:26Z, downloaded, by a sandboxed application
            \(carrier("com.apple.quarantine"))
          Where from   "https://example.com/files/report.pdf", linked from \
        "https://example.com/reports/"
            \(whereFroms)
          Zone         Internet, "https://example.com/downloads/report.pdf", linked from \
        "https://example.com/downloads/"
            \(carrier("Zone.Identifier"))
          Last used    damaged: the value has the wrong length (at byte 16)
            \(carrier("com.apple.lastuseddate#PS"))
          Contradiction: download URL
            "https://example.com/files/report.pdf" (\(whereFroms))
            "https://example.com/downloads/report.pdf" (\(carrier("Zone.Identifier")))
          Contradiction: referring page
            "https://example.com/reports/" (\(whereFroms))
            "https://example.com/downloads/" (\(carrier("Zone.Identifier")))

        """)
    #expect(execution.errors == "")
    #expect(execution.status == 0)
  }

  @Test(arguments: ["._doc.txt", "__MACOSX/._doc.txt", "../__MACOSX/here/._doc.txt"])
  func appleDoubleIsFoundBesideAndInMacArchives(_ place: String) throws {
    let outer = try TemporaryDirectory()
    for name in ["here", "here/__MACOSX", "__MACOSX", "__MACOSX/here"] {
      mkdir(outer.path(name), 0o755)
    }
    try outer.file("here/doc.txt")
    try outer.write(
      Fixture.bytes("AppleDouble/stream2adouble.appledouble"), to: "here/\(place)")
    let execution = try Execution.run(
      [Docsource.path, "trace", "--no-recent", "doc.txt"], in: outer.path("here"))
    #expect(
      execution.text == """
        doc.txt: from "Working Copy", downloaded from example.com by "Safari" on 2020-11-12
          Source       \(Self.workingCopy)
            \(place):x-document-source\(Self.beside)
          Quarantine   "Safari", 2020-11-12T12:27:26Z, downloaded, by a sandboxed application
            \(place):com.apple.quarantine\(Self.beside)
          Where from   "https://example.com/files/report.pdf", linked from \
        "https://example.com/reports/"
            \(place):com.apple.metadata:kMDItemWhereFroms\(Self.beside)

        """)
    #expect(execution.errors == "")
    #expect(execution.status == 0)
  }

  @Test func otherMarksOfMacOSAreReported() throws {
    let directory = try TemporaryDirectory()
    mkdir(directory.path("folder"), 0o755)
    try directory.write(Fixture.bytes("AppleDouble/copyfile.appledouble"), to: "._folder")
    let execution = try Self.trace("folder/", in: directory)
    #expect(
      execution.text == """
        folder/: downloaded from example.com on 2020-11-12
          Where from   "https://example.com/a.pdf"
            ._folder:com.apple.metadata:kMDItemWhereFroms\(Self.beside)
          Downloaded   2020-11-12T12:27:26Z
            ._folder:com.apple.metadata:kMDItemDownloadedDate\(Self.beside)
          Tags         "Red", "Draft"
            ._folder:com.apple.metadata:_kMDItemUserTags\(Self.beside)
          Last used    2020-11-12T12:27:26Z
            ._folder:com.apple.lastuseddate#PS\(Self.beside)
          Provenance   an application key, meaningful only on the Mac that wrote it
            ._folder:com.apple.provenance\(Self.beside)

        """)
  }

  @Test func netatalksFilesAreFound() throws {
    let directory = try TemporaryDirectory()
    for name in [".AppleDouble", "folder", "folder/.AppleDouble"] {
      mkdir(directory.path(name), 0o755)
    }
    try directory.file("doc.txt")
    let source = try Fixture.bytes("PropertyLists/four-keys.bplist")
    try directory.write(source, to: ".AppleDouble/doc.txt::EA::x-document-source")
    try directory.write(source, to: "folder/.AppleDouble/.Parent::EA::x-document-source")
    #expect(
      try Self.trace("doc.txt", "folder", in: directory).text == """
        doc.txt: from "Working Copy"
          Source       \(Self.workingCopy)
            .AppleDouble/doc.txt::EA::x-document-source\(Self.beside)
        folder: from "Working Copy"
          Source       \(Self.workingCopy)
            folder/.AppleDouble/.Parent::EA::x-document-source\(Self.beside)

        """)
  }

  @Test(arguments: [(":", ":"), ("\u{f03a}", "\\u{f03a}")])
  func zoneIsFoundInAFileBeside(_ colon: String, _ shown: String) throws {
    let directory = try TemporaryDirectory()
    try directory.file("a.pdf")
    try directory.write(
      Fixture.bytes("ZoneIdentifier/utf16.txt"), to: "a.pdf\(colon)Zone.Identifier")
    let execution = try Self.trace("a.pdf", in: directory)
    #expect(
      execution.text == """
        a.pdf: downloaded from example.com
          Zone         Internet, "https://example.com/downloads/report.pdf", linked from \
        "https://example.com/downloads/", "192.0.2.7", last written by \
        "Microsoft.Office_8wekyb3d8bbwe"
            a.pdf\(shown)Zone.Identifier\(Self.beside)

        """)
  }

  /// What a former file of that name has left beside a file of another application.
  @Test func applicationIsThatOfOneMark() throws {
    let directory = try TemporaryDirectory()
    try directory.file("q")
    #expect(
      try Docsource.run("tag", "-qi", "org.other.app", "q", in: directory.root).status == 0)
    try directory.write(try Fixture.bytes("AppleDouble/kernel.appledouble"), to: "._q")
    let json = try Self.trace("--json", "q", in: directory).text
    #expect(json.contains(#""origin":{"identifier":"org.other.app"},"#))
    #expect(
      try Self.trace("q", in: directory).text.hasPrefix(
        "q: from \"org.other.app\"; marks contradict each other\n"))
    #expect(
      try Self.trace("-r", ".", in: directory).text == """
        ./q: from "org.other.app"; marks contradict each other
        By application:
        1  ##############################  "org.other.app"
        1 file with marks of origin, 1 without

        """)
  }

  @Test func mailHasASubjectAndAnIdentifier() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    let origins = PropertyList.array(
      ["Bob <b@x.example>", "Subj", "message:%3Cabc@x%3E"].map { .string($0) })
    try Self.set("user.com.apple.metadata:kMDItemWhereFroms", try origins.binary(), path)
    #expect(
      try Self.trace("f", in: directory).text == """
        f: sent by "Bob <b@x.example>"
          Where from   "Bob <b@x.example>", subject "Subj", message "message:%3Cabc@x%3E"
            user.com.apple.metadata:kMDItemWhereFroms

        """)
  }

  /// The second byte of a character may be any but a slash, and the host is ASCII.
  @Test func hostIsKnownBesideBytesInACodePage() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    func set(_ url: [UInt8]) throws {
      try Self.set(
        "user.Zone.Identifier",
        Array("[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=".utf8) + url + [0x0d, 0x0a], path)
    }
    let name: [UInt8] = [0xd3, 0xc3, 0xbb, 0xa7]
    try set(Array("https://h.example/".utf8) + name + Array(".zip".utf8))
    #expect(
      try Self.trace("f", in: directory).text == #"""
        f: downloaded from h.example
          Zone         Internet, "https://h.example/\xd3û\xa7.zip"
            user.Zone.Identifier

        """#)
    #expect(
      try Self.trace("--json", "f", in: directory).text.contains(
        #""origin":{"url":"https://h.example/%D3%C3%BB%A7.zip","host":"h.example","zone":3}"#))
    try set(Array("https://".utf8) + name + Array(".example/".utf8))
    #expect(try Self.trace("f", in: directory).text.hasPrefix("f: from Windows zone Internet\n"))
  }

  /// KDE's library writes another name than the specification has.
  @Test(arguments: ["from", "sender"])
  func mailIsAnOrigin(_ name: String) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("doc.txt")
    try Self.set("user.xdg.origin.email.\(name)", Array("ann@example.com".utf8), path)
    #expect(
      try Self.trace("doc.txt", in: directory).text == """
        doc.txt: sent by "ann@example.com"
          \(name == "from" ? "From  " : "Sender")       "ann@example.com"
            user.xdg.origin.email.\(name)

        """)
    let stripped = try Docsource.run("strip", "doc.txt", in: directory.root)
    #expect(stripped.text == "doc.txt: removed: user.xdg.origin.email.\(name)\n")
  }

  @Test func zoneAloneIsAnAnswer() throws {
    let directory = try TemporaryDirectory()
    try directory.file("a.pdf")
    try directory.write(
      Fixture.bytes("ZoneIdentifier/about-internet.txt"), to: "a.pdf:Zone.Identifier")
    #expect(
      try Self.trace("-r", "a.pdf", in: directory).text == """
        a.pdf: from Windows zone Internet
        1 file with marks of origin, 0 without

        """)
  }

  @Test func fileWithoutMarksHasStatusOne() throws {
    let directory = try TemporaryDirectory()
    try directory.file("a")
    let execution = try Self.trace("a", in: directory)
    #expect(execution.text == "")
    #expect(execution.status == 1)
    #expect(execution.errors == "docsource: a: no mark of origin\n")
    let json = try Self.trace("--json", "a", in: directory)
    #expect(
      json.text
        == "{\"file\":\"a\",\"origin\":null,\"marks\":[],\"contradictions\":[],\"flaws\":[]}\n")
    let missing = try Self.trace("b", in: directory)
    #expect(
      missing.errors == "docsource: b: cannot read marks of origin: no such file or directory\n")
    #expect(missing.status == 2)
    let object = try Self.trace("--json", "b", in: directory)
    #expect(
      object.text == """
        {"file":"b","origin":null,"error":"cannot read marks of origin: no such file or directory"}

        """)
    #expect(object.errors == missing.errors)
    #expect(object.status == 2)
  }

  @Test func pathInTheApplicationIsTheDocumentInJSON() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("a")
    #expect(try Docsource.run("tag", "-q", "-i", "a.b", "-p", "d/f", path).status == 0)
    let quarantine = "0083;5fad2a2e;Safari;5A4C8D7E-0000-0000-0000-000000000000"
    try Self.set("user.com.apple.quarantine", Array(quarantine.utf8), path)
    let json = try Self.trace("--json", "a", in: directory).text
    #expect(json.contains(#""origin":{"identifier":"a.b","document":"d/f","#))
    #expect(json.contains(#""value":{"identifier":"a.b","path":"d/f"}"#))
    #expect(json.contains(#""eventIdentifier":"5A4C8D7E-0000-0000-0000-000000000000""#))
  }

  @Test func reportAsJSONHasEveryByte() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("a")
    try Self.set("user.com.apple.quarantine", Fixture.bytes("Quarantine/three-fields"), path)
    try Self.set("user.creator", [0xff], path)
    try Self.set("user.mime_type", [], path)
    try directory.write([1, 2, 3], to: "._a")
    let execution = try Self.trace("--json", "a", in: directory)
    #expect(
      execution.text == """
        {"file":"a","origin":{"agent":"TextEdit","written":"2022-08-03T08:55:25Z"},"marks":[\
        {"mark":"creator","carrier":"user.creator","form":"attribute","trust":"claim",\
        "value":null,"reason":"not UTF-8","offset":0,"bytes":"/w=="},\
        {"mark":"com.apple.quarantine","carrier":"user.com.apple.quarantine","form":"attribute",\
        "trust":"claim","value":{"flags":2,"time":"2022-08-03T08:55:25Z","agent":"TextEdit"},\
        "bytes":"MDAwMjs2MmVhMzdmZDtUZXh0RWRpdA=="},\
        {"mark":"mime_type","carrier":"user.mime_type","form":"attribute","trust":"claim",\
        "value":null,"reason":"empty","bytes":""}],"contradictions":[],\
        "flaws":[{"carrier":"._a","reason":"the file is truncated","offset":0}]}

        """)
    #expect(execution.errors == "")
    #expect(execution.status == 0)
    #expect(
      try Self.trace("a", in: directory).text == """
        a: written by "TextEdit" on 2022-08-03
          Creator      damaged: not UTF-8 (at byte 0)
            user.creator
          Quarantine   "TextEdit", 2022-08-03T08:55:25Z, by a sandboxed application
            user.com.apple.quarantine
          Media type   empty
            user.mime_type
          Not read: ._a: the file is truncated (at byte 0)

        """)
  }

  @Test func claimsThatDifferAreAllShown() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("a")
    #expect(try Docsource.run("tag", "-q", "-i", "org.example.editor", path).status == 0)
    try directory.write(Fixture.bytes("AppleDouble/kernel.appledouble"), to: "._a")
    try Self.set("user.xdg.origin.url", Array("https://a.example/x".utf8), path)
    // An hour after Safari's quarantine.
    try Self.set("user.com.apple.quarantine", Array("0081;5fad383e;Firefox;".utf8), path)
    let execution = try Self.trace("a", in: directory)
    #expect(
      execution.text.hasPrefix(
        "a: from \"org.example.editor\", downloaded from a.example by \"Firefox\" on 2020-11-12; "
          + "marks contradict each other\n"))
    #expect(
      execution.text.hasSuffix(
        """
          Contradiction: application identifier
            "org.example.editor" (user.x-document-source)
            "com.appliedphasor.working-copy" (._a:x-document-source)
          Contradiction: downloading program
            "Firefox" (user.com.apple.quarantine)
            "Safari" (._a:com.apple.quarantine)
          Contradiction: download time
            2020-11-12T13:27:26Z (user.com.apple.quarantine)
            2020-11-12T12:27:26Z (._a:com.apple.quarantine)

        """))
  }

  @Test func rawGivesTheBytesOfOneMark() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("a")
    let value = try Fixture.bytes("Samba/DosStream.com.apple.quarantine.value.bin")
    try Self.set("user.DosStream.com.apple.quarantine:$DATA", value, path)
    let name = "user.DosStream.com.apple.quarantine:$DATA"
    #expect(try Self.trace("--raw", name, "a", in: directory).output == value)
    let other = try Self.trace("--raw", String(name.dropLast()), "a", in: directory)
    #expect(
      other.errors
        == "docsource: a: no mark in '\(name.dropLast())'; did you mean '\(name)'?\n")
    #expect(other.output == [])
    #expect(other.status == 1)
    #expect(
      try Self.trace("--raw", name, "a", "b", in: directory).errors
        == "docsource: trace: --raw takes one file; see 'docsource help trace'\n")
    #expect(
      try Self.trace("--raw", name, "--json", "a", in: directory).errors
        == "docsource: trace: --json and --raw cannot be combined; see 'docsource help trace'\n")
  }

  @Test func treeHasALineForEachMarkedFileAndASummary() throws {
    let directory = try TemporaryDirectory()
    for name in ["tree", "tree/below", "tree/__MACOSX"] { mkdir(directory.path(name), 0o755) }
    for name in ["a", "b", "below/c", "d"] { try directory.file("tree/\(name)") }
    #expect(try Docsource.tag(directory.path("tree/a")).status == 0)
    let double = try Fixture.bytes("AppleDouble/stream2adouble.appledouble")
    try directory.write(double, to: "tree/below/._c")
    try directory.write(double, to: "tree/__MACOSX/._b")
    try directory.write(double, to: "tree/._gone")
    let execution = try Self.trace("-r", "tree", in: directory)
    let words = "from \"Working Copy\", downloaded from example.com by \"Safari\" on 2020-11-12"
    #expect(
      execution.text.split(separator: "\n").sorted() == [
        "3  ##############################  example.com",
        "4  ##############################  \"Working Copy\" (\"com.appliedphasor.working-copy\")",
        "4 files with marks of origin, 3 without", "By application:", "By host:",
        "tree/._gone: \(words); belongs to gone, which is missing",
        "tree/a: from \"Working Copy\"", "tree/b: \(words)", "tree/below/c: \(words)",
      ])
    #expect(execution.errors == "")
    #expect(execution.status == 0)
    let json = try Self.trace("--json", "-r", "tree", in: directory)
    #expect(
      json.text.split(separator: "\n").suffix(4) == [
        """
        {"summary":"application","identifier":"com.appliedphasor.working-copy",\
        "name":"Working Copy","count":4}
        """,
        "{\"summary\":\"host\",\"host\":\"example.com\",\"count\":3}",
        "{\"summary\":\"marked\",\"count\":4}", "{\"summary\":\"unmarked\",\"count\":3}",
      ])
    mkdir(directory.path("empty"), 0o755)
    let none = try Self.trace("-r", "empty", in: directory)
    #expect(none.text == "0 files with marks of origin, 1 without\n")
    #expect(none.status == 1)
  }

  /// Those after the first of a directory are reached by their names, where nothing stands beside them.
  @Test func fileOfATreeIsTracedAsIfItWereAlone() throws {
    let directory = try TemporaryDirectory()
    for name in ["tree", "tree/below", "tree/double"] { mkdir(directory.path(name), 0o755) }
    let url = ("user.xdg.origin.url", Array("https://a.example/f".utf8))
    let quarantine = ("user.com.apple.quarantine", Array("0083;5fad2a2e;Firefox;".utf8))
    let damaged = ("user.com.apple.quarantine", Array("0083".utf8))
    let stream = ("user.DosStream.com.apple.quarantine:$DATA", quarantine.1 + [0])
    let depot = ("user.SAMBA_STREAMS", Array("1".utf8))
    let large = ("user.xdg.comment", [UInt8](repeating: 0x61, count: 2000))
    let other = ("user.other", Array("1".utf8))
    let marks = [
      [], [url], [url], [url, quarantine], [quarantine, url, other], [damaged], [url, stream],
      [stream, quarantine], [large], [depot], [other], [url, depot],
    ]
    var paths: [String] = []
    for place in ["tree", "tree/below", "tree/double"] {
      for (number, marks) in marks.enumerated() {
        let path = "\(place)/\(number)"
        try directory.file(path)
        for (name, value) in marks { try Self.set(name, value, directory.path(path)) }
        paths.append(path)
      }
    }
    let double = try Fixture.bytes("AppleDouble/stream2adouble.appledouble")
    try directory.write(double, to: "tree/double/._3")
    func lines(_ output: Execution) -> [Substring] {
      output.text.split(separator: "\n").filter { $0.hasPrefix("{\"file\"") }.sorted()
    }
    var alone: [Substring] = []
    for path in paths {
      alone += lines(try Self.trace("--json", "--no-records", path, in: directory))
    }
    let tree = lines(try Self.trace("--json", "-r", "--threads=1", "tree", in: directory))
    #expect(tree.count == 27)
    #expect(Set(tree).isSubset(of: alone))
  }
}
