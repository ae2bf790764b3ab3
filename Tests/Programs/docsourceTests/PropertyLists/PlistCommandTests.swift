import Foundation
import TestSupport
import Testing

/// `docsource plist`, through the built tool.
@Suite struct PlistCommandTests {
  private static let everything = #"""
    {"name":"Wörk","n":5,"big":{"$integer":"18446744073709551616"},"r":1.0,"f":{"$float":0.5},\#
    "nan":{"$real":"nan"},"d":{"$data":"AQID"},"t":{"$date":"2020-02-29T12:00:00Z"},\#
    "u":{"$uid":77},"s":{"$set":[1,null,true]},"e":[],"o":{}}

    """#

  private static func run(_ arguments: [String], input: [UInt8]) throws -> Execution {
    try Execution.run(([Docsource.path] + arguments).map { Array($0.utf8) }, input: input)
  }

  @Test func jsonEncodesAndShowsBackExactly() throws {
    let encoded = try Self.run(["plist", "encode"], input: Array(Self.everything.utf8))
    #expect(encoded.status == 0)
    #expect(encoded.errors == "")
    let shown = try Self.run(["plist", "show", "--json"], input: encoded.output)
    #expect(shown.text == Self.everything)
    let again = try Self.run(["plist", "encode", "--from", "binary"], input: encoded.output)
    #expect(again.output == encoded.output)
  }

  /// Memory is prepared for it, and blocks of text are sent as they are.
  @Test func listOfMegabytesIsShownWhole() throws {
    let words = (0..<50_000).map { "\"word \($0) ü\"" }
    let text = "[\(words.joined(separator: ","))]\n"
    let directory = try TemporaryDirectory()
    let list = directory.path("list")
    let encoded = try Self.run(["plist", "encode", "-o", list], input: Array(text.utf8))
    #expect(encoded.status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: list)).count > 1 << 20)
    let json = try Docsource.run("plist", "show", "--json", list)
    #expect(json.output == Array(text.utf8))
    let xml = try Docsource.run("plist", "show", "--xml", list)
    let lines = words.map { "\t<string>\($0.dropFirst().dropLast())</string>\n" }
    #expect(xml.text.hasSuffix("\n<array>\n\(lines.joined())</array>\n</plist>\n"))
  }

  /// Help says so, too.
  @Test func keyWithANULDoesNotComeBackFromJSON() throws {
    let refused = try Self.run(["plist", "encode"], input: Array(#"{"a\u0000":1}"#.utf8))
    #expect(refused.output == [])
    #expect(
      refused.errors.hasPrefix(
        "docsource: standard input: cannot read as JSON: line 1, column 10: NUL byte in object key")
    )
    #expect(refused.status == 2)
    let help = try Docsource.run("help", "plist", "show").text
    #expect(
      help.replacing(/\s+/, with: " ")
        .contains("exactly, except for keys with U+0000, which"))
  }

  @Test func treeNamesEveryType() throws {
    let encoded = try Self.run(["plist", "encode"], input: Array(Self.everything.utf8))
    let shown = try Self.run(["plist", "show"], input: encoded.output)
    #expect(
      shown.text == """
        dictionary (12)
          name: string "Wörk"
          n: integer 5
          big: integer 18446744073709551616
          r: real 1.0
          f: float 0.5
          nan: real nan
          d: data (3 bytes) 010203
          t: date 2020-02-29T12:00:00Z
          u: UID 77
          s: set (3)
            0: integer 1
            1: null
            2: boolean true
          e: array (0)
          o: dictionary (0)

        """)
  }

  @Test func flawsThatOthersPassOverAreShownAndReported() throws {
    let bytes = try Fixture.bytes("PropertyLists/hostile/key-integer.bplist")
    let flaw = "a dictionary key is not a string (at byte 9)"
    let shown = try Self.run(["plist", "show", "--json"], input: bytes)
    #expect(shown.text == "{\"1\":true}\n")
    #expect(
      shown.errors == """
        docsource: standard input: not a well-formed binary property list: \(flaw); reading it \
        as other programs do

        """)
    #expect(shown.status == 0)
    let checked = try Self.run(["plist", "check"], input: bytes)
    #expect(
      checked.errors
        == "docsource: standard input: not a well-formed binary property list: \(flaw)\n")
    #expect(checked.status == 2)
    let encoded = try Self.run(["plist", "encode"], input: bytes)
    #expect(
      encoded.errors
        == "docsource: standard input: cannot read as a binary property list: \(flaw)\n")
    #expect(encoded.status == 2)
  }

  @Test func xmlEncodesWhatPlistlibAndPlutilWrite() throws {
    let directory = try TemporaryDirectory()
    try directory.write(Fixture.bytes("PropertyLists/four-keys.bplist"), to: "four.plist")
    let plutil = try Execution.run(
      ["plutil", "-convert", "xml1", "-o", "-", directory.path("four.plist")])
    let encoded = try Self.run(["plist", "encode", "--canonical"], input: plutil.output)
    #expect(encoded.status == 0, "\(encoded.errors)")
    let canonical = try Docsource.run(
      "plist", "encode", "--canonical", directory.path("four.plist"))
    #expect(encoded.output == canonical.output)

    let script = """
      import datetime, plistlib, sys
      value = {'a': ['x & <y>', 1.5, True, False, 2**63, -2**63, b'bytes' * 50, {}],
               'when': datetime.datetime(2020, 2, 29, 1, 2, 3), 'ä': {'': ''}}
      if sys.argv[1] == 'xml':
          sys.stdout.buffer.write(plistlib.dumps(value, sort_keys=False))
      else:
          sys.exit(plistlib.loads(sys.stdin.buffer.read(), fmt=plistlib.FMT_BINARY) != value)
      """
    let xml = try Execution.run(["python3", "-c", script, "xml"]).output
    let binary = try Self.run(["plist", "encode"], input: xml)
    #expect(binary.status == 0, "\(binary.errors)")
    let check = try Execution.run(
      ["python3", "-c", script, "check"].map { Array($0.utf8) }, input: binary.output)
    #expect(check.status == 0)
    // Keys keep their order, so XML comes back as it was.
    let back = try Self.run(["plist", "show", "--xml"], input: binary.output)
    #expect(try Self.run(["plist", "encode"], input: back.output).output == binary.output)
  }

  @Test(arguments: [
    ("<plist><dict><key>a</key></dict></plist>", "the key 'a' has no value (line 1)"),
    (
      "<plist><dict><key>a</key><true/><key>a</key><true/></dict></plist>",
      "the key 'a' occurs twice in a dictionary (line 1)"
    ),
    ("<plist><dict><true/></dict></plist>", "a value in a dictionary has no key (line 1)"),
    ("<plist>\n<integer>x</integer></plist>", "<integer> holds 'x' (line 2)"),
    ("<plist><integer>0x</integer></plist>", "<integer> holds '0x' (line 1)"),
    ("<plist><date>2001-02-30T00:00:00Z</date></plist>", "<date> holds '2001-02-30T00:00:00Z'"),
    ("<plist><data>A</data></plist>", "<data> holds 'A' (line 1)"),
    ("<plist><real>one</real></plist>", "<real> holds 'one' (line 1)"),
    ("<plist><true>x</true></plist>", "<true> contains text (line 1)"),
    ("<plist><string>a<b/></string></plist>", "<b> inside <string> (line 1)"),
    ("<plist><uid>1</uid></plist>", "<uid> is not a property list element (line 1)"),
    ("<plist>text</plist>", "text outside a value (line 1)"),
    ("<plist><true/><true/></plist>", "more than one value (line 1)"),
    ("<plist><array><plist/></array></plist>", "<plist> inside a value (line 1)"),
    ("<plist></plist>", "no value (line 1)"),
    ("<plist><string>a</plist>", "expected </string>, not </plist> (line 1)"),
    (
      "<!DOCTYPE p [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><plist><string>&a;</string></plist>",
      "the document declares entities (line 1)"
    ),
    (
      "<!DOCTYPE p [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]><plist><string>&b;</string></plist>",
      "the document declares entities (line 1)"
    ),
    (
      "<!DOCTYPE p SYSTEM 'u'><plist><string>&a;</string></plist>",
      "the entity '&a;' is not predefined in XML (line 1)"
    ),
    (
      "<plist>" + String(repeating: "<array>", count: 600),
      "nested deeper than 256 levels (line 1)"
    ),
  ])
  func xmlThatIsNoPropertyListIsRefusedWithItsLine(_ xml: String, _ reason: String) throws {
    let execution = try Self.run(["plist", "encode"], input: Array(xml.utf8))
    #expect(execution.output == [])
    #expect(
      execution.errors.hasPrefix(
        "docsource: standard input: cannot read as an XML property list: \(reason)"),
      "\(execution.errors)")
    #expect(execution.errors.split(separator: "\n").count == 1)
    #expect(execution.status == 2)
  }

  @Test func entitiesThatGrowAreStopped() throws {
    var xml = "<!DOCTYPE p [<!ENTITY l0 'lol'>"
    for level in 1...9 {
      let references = String(repeating: "&l\(level - 1);", count: 10)
      xml += "<!ENTITY l\(level) '\(references)'>"
    }
    xml += "]><plist version='&l9;'><string>x</string></plist>"
    let execution = try Self.run(["plist", "encode"], input: Array(xml.utf8))
    #expect(execution.status == 2)
    #expect(
      execution.errors == """
        docsource: standard input: cannot read as an XML property list: the document declares entities (line 1)

        """)
  }

  @Test func checkTellsReasonAndOffset() throws {
    let directory = try TemporaryDirectory()
    let good = try Fixture.bytes("PropertyLists/four-keys.bplist")
    try directory.write(good, to: "good")
    try directory.write(good + [0], to: "samba")
    try directory.write(
      Fixture.bytes("PropertyLists/utf16-count-overruns.bplist"), to: "crasher")
    let checked = try Docsource.run(
      "plist", "check", "good", "samba", "crasher", "missing", in: directory.root)
    #expect(checked.text == "good: well-formed, 242 bytes, 9 objects\n")
    #expect(
      checked.errors == """
        docsource: samba: not a well-formed binary property list: a NUL follows the trailer \
        (at byte 242)
        docsource: crasher: not a well-formed binary property list: a count exceeds the \
        remaining bytes (at byte 8)
        docsource: missing: cannot read: no such file or directory

        """)
    #expect(checked.status == 2)
    let tolerant = try Docsource.run(
      "plist", "check", "--trailing-nul", "samba", in: directory.root)
    #expect(tolerant.text == "samba: well-formed, 243 bytes, 9 objects\n")
    #expect(try Docsource.run("plist", "check", "-q", "good", in: directory.root).text == "")
  }

  @Test func canonicalFormIsCheckedAndMade() throws {
    let directory = try TemporaryDirectory()
    try directory.file("a.json", #"{"b":1,"a":{"d":2,"c":3}}"#)
    #expect(
      try Docsource.run("plist", "encode", "-o", "a.plist", "a.json", in: directory.root).status
        == 0)
    let check = ["plist", "check", "-q", "--canonical"]
    let unsorted = try Execution.run([Docsource.path] + check + ["a.plist"], in: directory.root)
    #expect(
      unsorted.errors
        == "docsource: a.plist: not canonical; use 'docsource plist encode --canonical'\n")
    #expect(unsorted.status == 2)
    #expect(
      try Docsource.run(
        "plist", "encode", "--canonical", "-o", "b.plist", "a.plist", in: directory.root
      ).status == 0)
    let sorted = try Execution.run([Docsource.path] + check + ["b.plist"], in: directory.root)
    #expect(sorted.errors == "")
    #expect(sorted.status == 0)
    #expect(
      try Docsource.run("plist", "show", "--json", "b.plist", in: directory.root).text
        == "{\"a\":{\"c\":3,\"d\":2},\"b\":1}\n")
  }

  @Test func outputIsReplacedWholeOrLeftAsItWas() throws {
    let directory = try TemporaryDirectory()
    try directory.file("a.json", "{}")
    try directory.file("out", "old")
    #expect(try Execution.run(["chmod", "640", directory.path("out")]).status == 0)
    let bad = try Self.run(
      ["plist", "encode", "-o", directory.path("out")], input: Array("{".utf8))
    #expect(bad.status == 2)
    #expect(try directory.text("out") == "old")
    let good = try Docsource.run(
      "plist", "encode", "-o", "out", "a.json", in: directory.root)
    #expect(good.status == 0)
    #expect(good.text == "")
    #expect(try directory.bytes("out").starts(with: Array("bplist00".utf8)))
    #expect(try Execution.run(["stat", "-c", "%a", directory.path("out")]).text == "640\n")
    let nowhere = try Docsource.run(
      "plist", "encode", "-o", "no/where", "a.json", in: directory.root)
    #expect(
      nowhere.errors == "docsource: no/where: cannot write: no such file or directory\n")
    #expect(nowhere.status == 2)
    #expect(try Execution.run(["ls", directory.root]).text == "a.json\nout\n")
  }

  @Test func existingOutputKeepsItsLinksAndAttributes() throws {
    let directory = try TemporaryDirectory()
    try directory.file("a.json", "{}")
    let out = try directory.file("out", String(repeating: "old", count: 1000))
    #expect(try Docsource.run("tag", "-q", "--app-name", "x", out).status == 0)
    symlink("out", directory.path("link"))
    link(out, directory.path("hard"))
    #expect(
      try Docsource.run("plist", "encode", "-o", "link", "a.json", in: directory.root).status == 0)
    let encoded = try Docsource.run("plist", "encode", "a.json", in: directory.root).output
    #expect(try directory.bytes("out") == encoded)
    #expect(try directory.bytes("hard") == encoded)
    #expect(try Docsource.run("show", "--field", "name", out).text == "x\n")
    let piped = try Docsource.run(
      "plist", "encode", "-o", "/dev/stdout", "a.json", in: directory.root)
    #expect(piped.output == encoded)
    #expect(piped.status == 0)
  }

  @Test func fullDiskLeavesTheOldOutput() throws {
    let full = try Execution.run(
      ["sh", "-c", "\"$0\" plist encode -o /dev/full", Docsource.path].map { Array($0.utf8) },
      input: Array("{}".utf8))
    #expect(full.errors == "docsource: /dev/full: cannot write: no space left on device\n")
    #expect(full.status == 2)
  }

  @Test func utf16XMLAndMarkedJSONAreReported() throws {
    let script = """
      import sys
      sys.stdout.buffer.write(sys.argv[2].encode(sys.argv[1]))
      """
    for (encoding, text) in [
      ("utf-16", "<?xml version='1.0' encoding='UTF-16'?><plist><array/></plist>"),
      ("utf-16-be", "<?xml version='1.0' encoding='UTF-16'?><plist><array/></plist>"),
      ("utf-8-sig", "<plist><array/></plist>"), ("utf-8-sig", "[]"),
    ] {
      let input = try Execution.run(["python3", "-c", script, encoding, text]).output
      let encoded = try Self.run(["plist", "encode"], input: input)
      #expect(encoded.errors == "", "\(encoding)")
      #expect(try Self.run(["plist", "show"], input: encoded.output).text == "array (0)\n")
    }
  }

  @Test func hugeHostileXMLIsRefusedInOneEscapedLine() throws {
    let text = String(repeating: "a\u{9b}31m\u{202e}EVIL\n&amp;", count: 1_000_000)
    let execution = try Self.run(
      ["plist", "encode"], input: Array("<plist><integer>\(text)</integer></plist>".utf8))
    #expect(execution.status == 2)
    #expect(execution.output == [])
    let piece = #"a\u{009b}31m\u{202e}EVIL\n&"#
    #expect(
      execution.errors
        == """
        docsource: standard input: cannot read as an XML property list: <integer> holds \
        '\(piece)\(piece)\(piece)a\\u{009b}31' (line 1)

        """)
  }

  @Test func binaryListIsNotThrownAtATerminal() throws {
    let directory = try TemporaryDirectory()
    try directory.file("a.json", "{}")
    let execution = try Execution.run(
      ["script", "-qec", "'\(Docsource.path)' plist encode a.json", "/dev/null"],
      in: directory.root)
    #expect(
      execution.text
        == "docsource: plist encode: cannot write a binary property list to a terminal; use -o FILE"
        + " or -o -; see 'docsource help plist encode'\r\n")
    #expect(execution.status == 64)
  }

  /// Every hostile fixture is refused in one line, or read, which one line tells. Shared containers
  /// are well-formed and refused only where a tree is asked for.
  @Test(arguments: ["check", "show"])
  func hostileFilesAreRefusedInOneLine(_ verb: String) throws {
    let hostile = Fixture.root.appending(path: "Fixtures/PropertyLists/hostile").path
    let files = try FileManager.default.contentsOfDirectory(atPath: hostile).sorted()
      .filter { verb == "show" || !$0.hasPrefix("expansion-") }
    #expect(files.count > 100)
    let execution = try Execution.run([Docsource.path, "plist", verb] + files, in: hostile)
    #expect(execution.text.isEmpty == (verb == "check"))
    #expect(execution.status == 2)
    let lines = execution.errors.split(separator: "\n")
    #expect(lines.count == files.count)
    for (line, file) in zip(lines, files) {
      #expect(line.hasPrefix("docsource: \(file): "))
      let form =
        /.* \(at byte \d+\)(; use --limit=none to allow more|; reading it as other programs do)?/
      #expect(line.wholeMatch(of: form) != nil, "\(line)")
      if verb != "show" { #expect(!line.contains("; read as")) }
    }
  }
}
