import BinaryPropertyList
import LinuxSystem
import Testing

@testable import PropertyListText
@testable import TextFormats

@Suite struct XMLPropertyListWriterTests {
  private static func xml(_ value: PropertyList) throws(WritingFailure) -> String {
    var text = ""
    try XMLPropertyListWriter.write(value) { text += String(decoding: $0, as: UTF8.self) }
    return text
  }

  @Test func layoutIsPlistlibs() throws {
    let value: PropertyList = .dictionary([
      "a & b": .array([.integer(-1), .real(1.5), .boolean(false)]), "none": .dictionary([:]),
      "uid": .uid(3), "inf": .real(.infinity),
    ])
    #expect(
      try Self.xml(value) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>a &amp; b</key>
        \t<array>
        \t\t<integer>-1</integer>
        \t\t<real>1.5</real>
        \t\t<false/>
        \t</array>
        \t<key>none</key>
        \t<dict/>
        \t<key>uid</key>
        \t<dict>
        \t\t<key>CF$UID</key>
        \t\t<integer>3</integer>
        \t</dict>
        \t<key>inf</key>
        \t<real>+infinity</real>
        </dict>
        </plist>

        """)
  }

  @Test(arguments: [
    (Double.nan, "nan"), (.infinity, "+infinity"), (-.infinity, "-infinity"), (-0.0, "-0.0"),
  ])
  func unusualNumbersAreWritten(_ real: Double, _ text: String) throws {
    #expect(try Self.xml(.real(real)).contains("\n<real>\(text)</real>\n"))
  }

  /// `Date.distantPast`, which CoreFoundation's writer gives a year 0.
  @Test func distantPastIsWritten() throws {
    #expect(
      try Self.xml(.date(secondsSinceReferenceDate: -63_114_076_800))
        .contains("\n<date>0000-12-30T00:00:00Z</date>\n"))
  }

  @Test(
    arguments: [
      (.null, "XML property lists have no null"), (.set([]), "XML property lists have no set"),
      (.orderedSet([]), "XML property lists have no set"),
      (.string("a\u{1b}"), "XML cannot hold the character U+1B"),
      (.string("\u{ffff}"), "XML cannot hold the character U+FFFF"),
      (.dictionary(["\0": .null]), "XML cannot hold the character U+0"),
      (
        .date(secondsSinceReferenceDate: 1e12), "a date is outside the years 0 to 9999"
      ),
      (.date(secondsSinceReferenceDate: .nan), "a date is outside the calendar"),
    ] as [(PropertyList, String)])
  func valueThatXMLCannotHoldIsRefused(_ value: PropertyList, _ reason: String) {
    #expect(throws: WritingFailure.unrepresentable(Unrepresentable(reason: reason))) {
      try Self.xml(value)
    }
  }

  @Test func nothingIsSentOfAListThatCannotBeWritten() {
    var lines = 0
    #expect(
      throws: WritingFailure.unrepresentable(
        Unrepresentable(reason: "XML property lists have no null"))
    ) {
      try XMLPropertyListWriter.write(.array([.integer(1), .null])) { _ in lines += 1 }
    }
    #expect(lines == 0)
  }

  /// One that is too long to be kept is written a second time.
  @Test func longDocumentIsTheSameAndSentOnlyIfItIsWhole() throws {
    let long = PropertyList.array((0..<20000).map { .string("text <\($0)>") })
    var text = ""
    try XMLPropertyListWriter.write(long, within: .none, keeping: 70000) {
      text += String(decoding: $0, as: UTF8.self)
    }
    #expect(try Self.xml(long) == text)
    #expect(text.utf8.count > 200_000 && text.hasSuffix("</array>\n</plist>\n"))
    var pieces = 0
    #expect(throws: WritingFailure.self) {
      try XMLPropertyListWriter.write(.array([long, .null]), within: .none, keeping: 70000) { _ in
        pieces += 1
      }
    }
    #expect(pieces == 0)
  }
}
