import Testing

@testable import Applications

/// What is read of AppStream's metainfo.
@Suite struct MetainfoFileTests {
  private static func file(_ text: String) -> MetainfoFile { MetainfoFile(Array(text.utf8)) }

  @Test func nameIsThatInNoLanguageAndIconThatOfTheTheme() {
    let file = Self.file(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE component>
      <!-- <name>comment</name> -->
      <component type="desktop-application">
        <id>org.example.App.desktop</id>
        <developer id="x > y"><name>Developer</name></developer>
        <name xml:lang="de">Bearbeiter</name>
        <name>
          Tom &amp; Jerry&#39;s &#x1F600; &lt;App&gt;
        </name>
        <name>Second</name>
        <icon type="remote">https://example.org/a.png</icon>
        <icon type="stock">app-icon</icon>
        <branding/>
      </component>
      <name>behind</name>
      """)
    #expect(file.identifier == "org.example.App")
    #expect(file.name == "Tom & Jerry's \u{1F600} <App>")
    #expect(file.icon == "app-icon")
  }

  @Test(arguments: [
    "", "<", "<component", "<component><name", "<component><name>", "<component><name/>",
    "<component><name></name></component>", "<component><name> \n </name></component>",
    "<a><component><name>deep</name></component></a>", "<!--<component><name>x</name>",
    "<component><name>a\0b</name></component>", "</a></a><name>x</name>", "<component a=\">",
  ])
  func textWithoutANameHasNone(_ text: String) {
    #expect(Self.file(text).name == nil)
  }

  @Test func entitiesThatMeanNothingStayAsTheyAre() {
    let text = "<c><name>&no; &#0; &#xD800; &#99999999999; &#x41; &amp</name></c>"
    #expect(Self.file(text).name == "&no; &#0; &#xD800; &#99999999999; A &amp")
  }

  @Test func hostileTextIsReadInNoTime() {
    let comments = String(repeating: "<!---->", count: MetainfoFile.limit / 7)
    #expect(Self.file(comments + "<c><name>x</name></c>").name == "x")
    let open = String(repeating: "<a>", count: MetainfoFile.limit / 3)
    #expect(Self.file(open).name == nil)
    #expect(Self.file(String(repeating: "&", count: MetainfoFile.limit)).name == nil)
    let ampersands = "<c><name>" + String(repeating: "&", count: 100_000) + "</name></c>"
    #expect(Self.file(ampersands).name?.count == 100_000)
  }
}
