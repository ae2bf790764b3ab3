import ForeignFormats
import TestSupport
import Testing
import XMLFormats

/// What is read of AppStream's metainfo.
@Suite struct ComponentFileTests {
  private static func read(_ text: String) -> ApplicationDescription? {
    ComponentFile.read(Array(text.utf8))
  }

  private static let usual = ApplicationDescription(
    identifier: "org.example.App", name: "Tom & Jerry's \u{1F600} <App>", icon: "app-icon")

  private static func component(_ content: String) -> String {
    "<component><id>x</id>\(content)</component>"
  }

  @Test func nameIsThatInNoLanguageAndIconThatOfTheTheme() throws {
    #expect(try ComponentFile.read(Fixture.bytes("AppStream/usual.metainfo.xml")) == Self.usual)
  }

  @Test(arguments: [
    ("x.desktop", "x"), ("a x .desktop", "a x"), (" .desktop ", nil),
    ("x.desktop.desktop", "x.desktop"),
  ])
  func olderIdentifierLosesItsEnding(_ text: String, _ identifier: String?) {
    let description = Self.read("<component><id>\(text)</id></component>")
    #expect(description == identifier.map { ApplicationDescription(identifier: $0) })
  }

  @Test func otherEncodingsAreRead() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-16"?><component><id>x</id><name>Größe</name></component>
      """
    let bytes: [UInt8] =
      [0xff, 0xfe] + text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] as [UInt8] }
    #expect(
      ComponentFile.read(bytes) == ApplicationDescription(identifier: "x", name: "Größe"))
  }

  @Test(arguments: [
    "<name/>", "<name></name>", "<name> \n </name>", "<a><name>deep</name></a>",
    "<!--<name>x</name>-->", "<![CDATA[<name>x</name>]]>", "<name xml:lang=''>x</name>",
    "<name><b>x</b></name>", "<n:name xmlns:n='u'>x</n:name>", "<Name>x</Name>",
  ])
  func textWithoutANameHasNone(_ content: String) {
    #expect(Self.read(Self.component(content)) == ApplicationDescription(identifier: "x"))
  }

  @Test(arguments: [
    ("<name> </name><name>x</name><name>y</name>", "x"), ("<name>a<!-- b -->c</name>", "ac"),
    ("<name>a<b>c</b>d</name>", "ad"), ("<name><![CDATA[<&>]]></name>", "<&>"),
    ("<name>a&#9;\u{a0}\u{2003}b</name>", "a b"), ("<name lang='de'>x</name>", "x"),
  ])
  func nameIsItsOwnText(_ content: String, _ name: String) {
    #expect(
      Self.read(Self.component(content)) == ApplicationDescription(identifier: "x", name: name))
  }

  @Test(arguments: [
    ("<icon>a</icon><icon type='cached'>b</icon><icon type='stock'>c</icon>", "c"),
    ("<icon type='stock'/><icon type='stock'>a</icon><icon type='stock'>b</icon>", "a"),
    ("<icon type=' stock'>a</icon>", nil), ("<icon x='type=\"stock\"'>a</icon>", nil),
  ])
  func iconIsThatOfTheTheme(_ content: String, _ icon: String?) {
    #expect(
      Self.read(Self.component(content)) == ApplicationDescription(identifier: "x", icon: icon))
  }

  @Test(arguments: [
    "", "<", "<component", "<component><id>x", "<component><id>x</id>", "</a></a><id>x</id>",
    "<component a=\">", "<component><id>x</id></component><name>after</name>",
    "<component><id>x</id></Component>", "<component><id>a\0b</id></component>",
    "<component><id>x</id><name>&no;</name></component>",
    "<component><id>x</id><name>&#0;</name></component>",
    "<component><id>x</id><name>&#xD800;</name></component>",
    "<component><id>x</id><name>&#99999999999;</name></component>",
    "<component><id>x</id><name>&amp</name></component>",
    "<component><id>x</id><name a='1' a='2'>y</name></component>",
    "<component><name>without an identifier</name></component>",
    "<component><id> </id></component>",
  ])
  func malformedFileDescribesNothing(_ text: String) {
    #expect(Self.read(text) == nil)
  }

  @Test(arguments: ["UTF-8", "EUC-JP", "no-such"])
  func textThatIsNotOfItsEncodingDescribesNothing(_ encoding: String) {
    let start = "<?xml version='1.0' encoding='\(encoding)'?><c><id>x</id><name>"
    #expect(ComponentFile.read(Array(start.utf8) + [0xff] + Array("</name></c>".utf8)) == nil)
  }

  @Test(arguments: [
    "<!ENTITY a 'b'>", "<!ENTITY % a 'b'>", "<!ENTITY a SYSTEM 'file:///etc/passwd'>",
    "<!ENTITY a SYSTEM 'u' NDATA n>", "<!ATTLIST icon type CDATA 'stock'>", "<!ELEMENT c ANY>",
    "<!NOTATION n SYSTEM 'u'>", "<!ATTLIST c a (b|c) 'b'>",
  ])
  func fileThatDeclaresAnythingDescribesNothing(_ declaration: String) {
    let rest = "<component><id>x</id></component>"
    #expect(Self.read("<!DOCTYPE component [\(declaration)]>" + rest) == nil)
    #expect(Self.read("<!DOCTYPE component>" + rest) == ApplicationDescription(identifier: "x"))
  }

  /// Where the type may declare it, libxml2 does not call it an error.
  @Test func entityOfATypeThatIsNotLoadedDescribesNothing() {
    let type = "<!DOCTYPE component SYSTEM 'file:///etc/passwd'>"
    #expect(Self.read(type + Self.component("")) == ApplicationDescription(identifier: "x"))
    #expect(Self.read(type + Self.component("<name>&a;</name>")) == nil)
  }

  /// Each would be 10^9 characters or more, or take minutes.
  @Test(arguments: ["billion-laughs", "parameter-entities"])
  func entitiesAreNotExpanded(_ name: String) throws {
    #expect(try ComponentFile.read(Fixture.bytes("AppStream/\(name).metainfo.xml")) == nil)
  }

  private static func repeated(_ text: String) -> String {
    String(repeating: text, count: MetainfoFiles.limit / text.utf8.count)
  }

  @Test func longFilesAreRead() {
    for content in [
      Self.repeated("<!---->"), Self.repeated("<?a?>"), "<p>\(Self.repeated("&amp;"))</p>",
      "<![CDATA[\(Self.text(16_000))]]>", Self.repeated("<p>\(Self.text(1000))</p>"),
      "<!--\(Self.text(16_000))-->", "<a b='\(Self.text(16_000))'/>",
      String(repeating: "<a>", count: 255) + String(repeating: "</a>", count: 255),
    ] {
      #expect(
        Self.read(Self.component(content + "<name>y</name>"))
          == ApplicationDescription(identifier: "x", name: "y"))
    }
  }

  private static func text(_ length: Int) -> String { String(repeating: "a", count: length) }

  /// What would take libxml2 long, and what nobody calls an application.
  @Test func extremeFilesDescribeNothing() {
    let many = (0..<100_000).map { " a\($0)=''" }.joined()
    for content in [
      "<a\(many)/>", "<a b='\(Self.repeated(">"))'/>", Self.repeated("<a>"),
      "<!--\(Self.text(17_000))-->",
      "<![CDATA[\(Self.text(17_000))]]>",
      String(repeating: "<a>", count: 256) + String(repeating: "</a>", count: 256),
      "<name>\(Self.text(4097))</name>",
    ] {
      #expect(Self.read(Self.component(content)) == nil)
    }
    let name = Self.text(4096)
    #expect(
      Self.read(Self.component("<name>\(name)</name>"))
        == ApplicationDescription(identifier: "x", name: name))
  }
}
