import TestSupport
import Testing

/// XML that libxml2 would take seconds to minutes over, and XML that only looks like it. A property list
/// is read without libxml2.
@Suite struct HostileXMLTests {
  private static let entities = "the document declares entities"
  private static let declared = "the document type contains declarations"
  private static let longTag = "a tag, a reference or the document type is longer than 64 KiB"

  private static let attributes = "a tag has more than 256 attributes"
  private static let name = String(repeating: "a", count: 40)

  /// Each is what stands before the root element, and what stands in it; why a list of recently used
  /// files is refused, and the byte; and why a property list is refused, if it is, and the line.
  private static let hostile: [(String, String, (String, Int), (String, Int)?)] = [
    ("<!DOCTYPE a [<!ENTITY b 'c'>]>", "", (entities, 27), (entities, 1)),
    ("<!DOCTYPE a [\n<!ENTITY % b 'c'>]>", "", (entities, 30), (entities, 2)),
    ("<!DOCTYPE a [<!ELEMENT a ANY>]>", "", (declared, 29), (declared, 1)),
    ("<!DOCTYPE a [<!ATTLIST a b CDATA 'c'>]>", "", (declared, 36), (declared, 1)),
    (
      "<!DOCTYPE a [<!ATTLIST a b (\(numbered(100_000, "a", "|"))) #IMPLIED>]>", "", (longTag, 0),
      (declared, 1)
    ),
    ("<!DOCTYPE a [\(repeated("<!---->", 70_000))]>", "", (longTag, 12), nil),
    ("<!DOCTYPE a SYSTEM '\(repeated("a", 70_000))'>", "", (longTag, 0), nil),
    ("", "<string \(numbered(100_000, "a", "='' "))=''/>", (longTag, 33), (attributes, 1)),
    ("", "<string \(numbered(257, "a", "='' "))=''/>", (attributes, 1986), (attributes, 1)),
    ("", "<string a='\(repeated(">", 70_000))'/>", (longTag, 33), nil),
    (
      "", "<\(repeated("a", 70_000))/>", (longTag, 33),
      ("<\(name)> is not a property list element", 1)
    ),
    (
      "", "<string>&\(repeated("a", 70_000));</string>", (longTag, 41),
      ("the entity '&\(name);' is not predefined in XML", 1)
    ),
    (
      "", (0..<2).map { "<dict \(numbered(129, "xmlns:a\($0)_", "='u' "))='u'>" }.joined(),
      ("more than 256 namespaces are in scope in one place", 4210),
      ("expected </dict>, not </array>", 1)
    ),
    (
      "", (0..<60_000).map { "<a\($0)/>" }.joined(), ("more than 50000 different names", 439_292),
      ("<a0> is not a property list element", 1)
    ),
    (
      "", (0..<60_000).map { "<a xml:id='a\($0)'/>" }.joined(),
      ("more than 50000 different names", 988_941), ("<a> is not a property list element", 1)
    ),
  ]

  /// A document type without declarations, and what is long or much but takes libxml2 no time: what
  /// stands before the root element, and a text.
  private static let harmless: [(String, String)] = [
    ("<!DOCTYPE plist PUBLIC '-//Apple//DTD PLIST 1.0//EN' 'http://a.example/a.dtd'>", "a"),
    ("<!DOCTYPE plist SYSTEM 'file:///etc/passwd'>", "a"), ("<!DOCTYPE plist>", "a"),
    ("<!DOCTYPE plist []>", "a"), ("<!DOCTYPE plist [ <!-- a --> <?b?> ]>", "a"),
    ("<!-- \(repeated("> <a ", 1_000_000))-->", "a"),
    ("<?a \(repeated("> <a ", 1_000_000))?>", "a"),
    ("", repeated("a", 9_000_000)), ("", repeated("&lt;", 1_000_000)),
    ("", "<![CDATA[\(repeated("<a ]] >", 1_000_000))]]>"), ("", repeated("a<!---->", 1_000_000)),
  ]

  private static func repeated(_ text: String, _ length: Int) -> String {
    String(repeating: text, count: length / text.utf8.count)
  }

  private static func numbered(_ count: Int, _ name: String, _ separator: String) -> String {
    (0..<count).map { "\(name)\($0)" }.joined(separator: separator)
  }

  /// Ends with status 124 where it takes long.
  private static func encode(_ xml: String) throws -> Execution {
    try Execution.run(["timeout", "20", Docsource.path, "plist", "encode"], input: Array(xml.utf8))
  }

  /// Has a list of recently used files, as `encode`.
  private static func trace(_ xml: String) throws -> (Execution, path: String) {
    let home = try TemporaryDirectory()
    try home.file("a.txt")
    let path = try home.file("recently-used.xbel", xml)
    let execution = try Execution.run(
      ["timeout", "20", Docsource.path, "trace", "a.txt"], in: home.root,
      environment: ["XDG_DATA_HOME": home.root])
    return (execution, path)
  }

  private static func message(_ reason: String, _ line: Int) -> String {
    "docsource: standard input: cannot read as an XML property list: \(reason) (line \(line))\n"
  }

  @Test(arguments: hostile.indices)
  func hostileXMLIsRefusedAtOnce(_ index: Int) throws {
    let (prolog, content, (reason, offset), refusal) = Self.hostile[index]
    let encoded = try Self.encode(prolog + "<plist><array>\(content)</array></plist>")
    #expect(encoded.errors == (refusal.map(Self.message) ?? ""))
    #expect(encoded.status == (refusal == nil ? 0 : 2))
    #expect(encoded.output.isEmpty == (refusal != nil))
    let (traced, path) = try Self.trace(
      prolog + "<xbel><bookmark href='file:///a'>\(content)</bookmark></xbel>")
    #expect(
      traced.errors == """
        docsource: \(path): cannot read list of recently used files: \(reason) (at byte \(offset))
        docsource: a.txt: no mark of origin

        """)
    #expect(traced.status == 2)
    #expect(traced.output == [])
  }

  /// These would take minutes.
  @Test func parameterEntitiesAreNotExpanded() throws {
    let xml = try String(
      decoding: Fixture.bytes("AppStream/parameter-entities.metainfo.xml"), as: UTF8.self)
    #expect(try Self.encode(xml).errors == Self.message(Self.entities, 2))
    let (traced, path) = try Self.trace(xml)
    #expect(
      traced.errors == """
        docsource: \(path): cannot read list of recently used files: the document declares entities \
        (at byte 50)
        docsource: a.txt: no mark of origin

        """)
  }

  @Test(arguments: harmless.indices)
  func harmlessXMLIsRead(_ index: Int) throws {
    let (prolog, text) = Self.harmless[index]
    let encoded = try Self.encode(prolog + "<plist><string>\(text)</string></plist>")
    #expect(encoded.errors == "")
    #expect(encoded.status == 0)
    #expect(encoded.output.starts(with: "bplist00".utf8))
    let (traced, _) = try Self.trace(
      prolog + "<xbel><bookmark href='file:///a'><title>\(text)</title></bookmark></xbel>")
    #expect(traced.errors == "docsource: a.txt: no mark of origin\n")
    #expect(traced.status == 1)
  }
}
