import BinaryPropertyList
import PropertyListText
import Testing

@Suite struct XMLPropertyListReaderTests {
  private static let type =
    #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/a.dtd">"#

  private static func read(_ xml: String) throws -> PropertyList {
    try XMLPropertyListReader.read(Array(xml.utf8))
  }

  private static func failure(_ bytes: [UInt8]) -> String? {
    do {
      _ = try XMLPropertyListReader.read(bytes)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func allValuesAreRead() throws {
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      \(Self.type)
      <!-- a <comment> --><?a program?>
      <plist version="1.0">
      <dict>
        <key>string</key><string>ä &lt;&amp;&gt;&quot;&apos;&#x1F600;&#13;</string>
        <key>data</key><data>
          SGVs
          bG8=
        </data>
        <key>date</key><date>2020-02-29T01:02:03Z</date>
        <key>integers</key><array><integer> -1 </integer><integer>+0x7F</integer>
          <integer>18446744073709551615</integer></array>
        <key>reals</key><array><real>1.5e3</real><real>-infinity</real><real>+Inf</real></array>
        <key>booleans</key><array><true/><false></false><true> </true></array>
        <key>empty</key><array><array/><dict/><string/><data/><dict></dict></array>
        <key/><dict><key>CF$UID</key><integer>7</integer></dict>
      </dict>
      </plist>

      """
    #expect(
      try Self.read(xml)
        == .dictionary([
          "string": .string("ä <&>\"'\u{1F600}\r"), "data": .data(Array("Hello".utf8)),
          "date": .date(secondsSinceReferenceDate: 604_630_923),
          "integers": .array([
            .integer(-1), .integer(127), .wideInteger(18_446_744_073_709_551_615),
          ]),
          "reals": .array([.real(1500), .real(-.infinity), .real(.infinity)]),
          "booleans": .array([.boolean(true), .boolean(false), .boolean(true)]),
          "empty": .array([
            .array([]), .dictionary([:]), .string(""), .data([]), .dictionary([:]),
          ]),
          "": .uid(7),
        ]))
  }

  @Test(arguments: [
    ("<string>a</string>", "a"), ("<plist><string>a</string></plist> <!-- b -->", "a"),
    ("<plist a='1' b = \"'&lt;>\"\n><string c=''\t>a</string\n></plist\n>", "a"),
    ("<plist><string>a<!-- b -->c<?d e?>f</string></plist>", "acf"),
    ("<plist><string> <![CDATA[<a>]] &amp;]]> </string></plist>", " <a>]] &amp; "),
    ("<plist><string>a\r\nb\rc\n<![CDATA[\r\n\r]]>&#10;</string></plist>", "a\nb\nc\n\n\n\n"),
    ("<plist><string>]] ]> ></string></plist>", "]] ]> >"),
    ("<?xml version='1.1' standalone=\"yes\" ?><plist><string>a</string></plist>", "a"),
    ("\u{feff}<?xml version='1.0' encoding='x'?><plist><string>a</string></plist>", "a"),
    ("<!DOCTYPE plist><plist><string>a</string></plist>", "a"),
    ("<!DOCTYPE plist [ <!-- <!ENTITY --> <?b?> ] ><plist><string>a</string></plist>", "a"),
    ("<!DOCTYPE plist SYSTEM 'a>'><plist><string>a</string></plist>", "a"),
    ("<plist><string>\u{7f}\u{85}\u{fffd}</string></plist>", "\u{7f}\u{85}\u{fffd}"),
  ])
  func textIsReadAsXMLHasIt(_ xml: String, _ text: String) throws {
    #expect(try Self.read(xml) == .string(text))
  }

  @Test(arguments: ["UTF-16", "utf-8", "x"])
  func documentInUTF16IsRead(_ name: String) throws {
    let xml =
      "<?xml version=\"1.0\" encoding=\"\(name)\"?><plist><string>ä\u{1F600}</string></plist>"
    for mark in ["\u{feff}", ""] {
      let units = Array((mark + xml).utf16)
      let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
      let little = units.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
      #expect(try XMLPropertyListReader.read(big) == .string("ä\u{1F600}"))
      #expect(try XMLPropertyListReader.read(little) == .string("ä\u{1F600}"))
      #expect(Self.failure(little + [0x20]) == "the document is not UTF-16 (line 1)")
    }
    let half: [UInt8] = [0xff, 0xfe, 0x3c, 0x00, 0x00, 0xd8]
    #expect(Self.failure(half) == "the document is not UTF-16 (line 1)")
  }

  @Test(arguments: ["ISO-8859-1", "iso-8859-1", "latin1"])
  func documentInLatin1IsRead(_ name: String) throws {
    let start = "<?xml version='1.0' encoding='\(name)'?><plist><string>"
    let xml = Array(start.utf8) + [0xe4, 0x80, 0xff] + Array("</string></plist>".utf8)
    #expect(try XMLPropertyListReader.read(xml) == .string("ä\u{80}ÿ"))
  }

  @Test(arguments: [
    ("", "no value (line 1)"), (" \n ", "no value (line 1)"),
    ("<!-- a", "a comment has no end (line 1)"),
    ("<plist/>", "no value (line 1)"),
    ("<plist>\n<array>", "<array> is not closed (line 2)"),
    ("<plist>\n<string>a", "the document ends inside <string> (line 2)"),
    ("<plist><array>\n</dict></plist>", "expected </array>, not </dict> (line 2)"),
    ("<plist><string>a\n</key></plist>", "expected </string>, not </key> (line 2)"),
    ("</plist>", "</plist> ends no element (line 1)"),
    ("<plist><true/></plist></plist>", "</plist> ends no element (line 1)"),
    ("<plist><true/></plist>\n<plist/>", "more than one value (line 2)"),
    ("<plist/><true/>", "more than one value (line 1)"),
    ("<true/>a", "text outside a value (line 1)"), ("a<true/>", "text outside a value (line 1)"),
    ("<plist><![CDATA[ ]]></plist>", "text outside a value (line 1)"),
    ("<plist><array>&#32;</array></plist>", "text outside a value (line 1)"),
    ("<plist><!DOCTYPE a></plist>", "a declaration among the elements (line 1)"),
    ("<!DOCTYPE a><!DOCTYPE a><true/>", "a declaration among the elements (line 1)"),
    ("<plist><key>a</key></plist>", "unexpected <key> (line 1)"),
    ("<dict><key>a</key><key>b</key></dict>", "unexpected <key> (line 1)"),
    (
      "<dict><key>a</key><true/>\n<key>b</key><true/>\n<key>a</key><true/>\n</dict>",
      "the key 'a' occurs twice in a dictionary (line 3)"
    ),
    ("<p:dict/>", "<p:dict> is not a property list element (line 1)"),
    ("<Dict/>", "<Dict> is not a property list element (line 1)"),
    ("<string", "a tag has no end (line 1)"), ("<string/ >", "expected '>' after <string (line 1)"),
    ("<string\"a\">", "expected '>' after <string (line 1)"),
    ("< string/>", "expected a name (line 1)"),
    ("<1/>", "expected a name (line 1)"), ("<true/></", "expected a name (line 1)"),
    ("<string a/>", "an attribute has no value (line 1)"),
    ("<string a=b/>", "the value of an attribute is not quoted (line 1)"),
    ("<string a='b/>", "the value of an attribute has no end (line 1)"),
    ("<string a='<'/>", "'<' in the value of an attribute (line 1)"),
    ("<string a='&b;'/>", "the entity '&b;' is not predefined in XML (line 1)"),
    ("<string a='1' b='2' a='3'/>", "an attribute of <string> occurs twice (line 1)"),
    ("<string a='1'b='2'/>", "expected '>' after <string (line 1)"),
    ("<string>a & b</string>", "expected a name (line 1)"),
    ("<string>&amp</string>", "a reference has no ';' (line 1)"),
    ("<string>&#0;</string>", "a reference is to no character (line 1)"),
    ("<string>&#x;</string>", "a reference is to no character (line 1)"),
    ("<string>&#xD800;</string>", "a reference is to no character (line 1)"),
    ("<string>&#x110000;</string>", "a reference is to no character (line 1)"),
    ("<string>&#99999999999999999999;</string>", "a reference is to no character (line 1)"),
    ("<string>&#xfffe;</string>", "a reference is to no character (line 1)"),
    ("<string>&#X41;</string>", "a reference is to no character (line 1)"),
    ("<string>]]></string>", "']]>' ends no CDATA section (line 1)"),
    ("<string><![CDATA[a</string>", "a CDATA section has no end (line 1)"),
    ("<string>\n<!-- a -- b --></string>", "'--' inside a comment (line 2)"),
    ("<string><!a></string>", "expected a name (line 1)"),
    ("<?a<true/>", "expected a blank after '<?a' (line 1)"),
    ("<?a <true/>", "a processing instruction has no end (line 1)"),
    ("<?a?><?xml version='1.0'?><true/>", "an XML declaration that is not at the start (line 1)"),
    (" <?xml version='1.0'?><true/>", "an XML declaration that is not at the start (line 1)"),
    ("<?xml?><true/>", "an XML declaration that is not at the start (line 1)"),
    ("<?xml version='2.0'?><true/>", "the XML declaration is malformed (line 1)"),
    ("<?xml encoding='UTF-8'?><true/>", "the XML declaration is malformed (line 1)"),
    ("<?xml version='1.0' standalone='a'?><true/>", "the XML declaration is malformed (line 1)"),
    ("<?xml version='1.0'encoding='UTF-8'?><true/>", "the XML declaration is malformed (line 1)"),
    ("<?xml version='1.0'><true/>", "the XML declaration is malformed (line 1)"),
    ("<?xml version='1.0", "the XML declaration is malformed (line 1)"),
    (
      "<?xml version='1.0' encoding='Shift_JIS'?><true/>",
      "the encoding 'Shift_JIS' is none of UTF-8, UTF-16, ISO-8859-1 and ASCII (line 1)"
    ),
    ("<?xml version='1.0' encoding='UTF-16'?><true/>", "the document is not UTF-16 (line 1)"),
    ("<!DOCTYPE a [\n<!ENTITY b 'c'>]><true/>", "the document declares entities (line 2)"),
    ("<!DOCTYPE a [<!ATTLIST a>]><true/>", "the document type contains declarations (line 1)"),
    ("<!DOCTYPE a [%b;]><true/>", "the document type contains declarations (line 1)"),
    ("<!DOCTYPE a [b]><true/>", "the document type is malformed (line 1)"),
    ("<!DOCTYPE a SYSTEM><true/>", "the document type is malformed (line 1)"),
    ("<!DOCTYPE a SYSTEM 'b><true/>", "the document type has no end (line 1)"),
    ("<!DOCTYPE a", "the document type has no end (line 1)"),
    ("<!DOCTYPE ><true/>", "expected a name (line 1)"),
    ("<true/>\n\u{1}", "a character that XML does not allow (line 2)"),
    ("<!-- \u{fffe} --><true/>", "a character that XML does not allow (line 1)"),
    ("<!-- \n\u{ffff} --><true/>", "a character that XML does not allow (line 2)"),
  ])
  func whatIsNoPropertyListIsRefusedWithItsLine(_ xml: String, _ reason: String) {
    #expect(Self.failure(Array(xml.utf8)) == reason)
  }

  @Test func bytesThatAreNotUTF8AreRefused() {
    let xml = Array("<plist>\n<string>".utf8) + [0xc3] + Array("</string></plist>".utf8)
    #expect(Self.failure(xml) == "a text is not UTF-8 (line 2)")
    let late = Array("<true/>\n\n<!-- ".utf8) + [0xff] + Array(" -->".utf8)
    #expect(Self.failure(late) == "a text is not UTF-8 (line 3)")
  }

  @Test func limitsAreThoseSaid() throws {
    func nested(_ depth: Int) -> [UInt8] {
      let start = String(repeating: "<array>", count: depth)
      return Array((start + String(repeating: "</array>", count: depth)).utf8)
    }
    var value = PropertyList.array([])
    for _ in 1..<XMLPropertyListReader.depthLimit { value = .array([value]) }
    #expect(try XMLPropertyListReader.read(nested(256)) == value)
    #expect(Self.failure(nested(257)) == "nested deeper than 256 levels (line 1)")
    func attributes(_ count: Int) -> [UInt8] {
      Array(("<true" + (0..<count).map { " a\($0)=''" }.joined() + "/>").utf8)
    }
    #expect(try XMLPropertyListReader.read(attributes(256)) == .boolean(true))
    #expect(Self.failure(attributes(257)) == "a tag has more than 256 attributes (line 1)")
  }

  /// A name or a text of the document is shown in part, and escaped.
  @Test func failuresAreShort() {
    let name = String(repeating: "a", count: 50)
    let shown = String(repeating: "a", count: 40)
    #expect(
      Self.failure(Array("<\(name)/>".utf8))
        == "<\(shown)> is not a property list element (line 1)")
    #expect(
      Self.failure(Array("<string>&\(name);</string>".utf8))
        == "the entity '&\(shown);' is not predefined in XML (line 1)")
    #expect(
      Self.failure(Array("<dict><key>\(name)</key></dict>".utf8))
        == "the key '\(shown)' has no value (line 1)")
    #expect(
      Self.failure(Array("<real>\u{202e}\(name)</real>".utf8))
        == "<real> holds '\\u{202e}\(shown.dropLast())' (line 1)")
  }

  /// Copies that grow with what was read before would take minutes.
  @Test func manyContainersAreReadAtOnce() throws {
    let count = 100_000
    let arrays = String(repeating: "<array/>", count: count)
    #expect(
      try Self.read("<array>\(arrays)</array>")
        == .array(Array(repeating: .array([]), count: count)))
    let pairs = (0..<count).map { "<key>\($0)</key><dict/>" }.joined()
    guard case .dictionary(let dictionary) = try Self.read("<dict>\(pairs)</dict>") else {
      Issue.record("no dictionary")
      return
    }
    #expect(dictionary.count == count)
  }

  /// None is a crash.
  @Test func everyPrefixOfADocumentIsRefused() throws {
    let xml = Array(
      ("<?xml version=\"1.0\"?>\(Self.type)<plist a='&#65;'><dict><key>a</key>"
        + "<array><string>ä<![CDATA[b]]><!--c--></string><data>SGVs</data></array></dict></plist>")
        .utf8)
    #expect(Self.failure(xml) == nil)
    for count in 0..<xml.count {
      #expect(Self.failure(Array(xml.prefix(count))) != nil, "\(count)")
    }
  }

  @Test func binaryFormOfAListIsGiven() throws {
    let binary = XMLPropertyListReader.binary(Array("<string>a</string>".utf8))
    #expect(try PropertyList(binary: #require(binary)) == .string("a"))
    #expect(XMLPropertyListReader.binary(Array("<string>a".utf8)) == nil)
  }
}
