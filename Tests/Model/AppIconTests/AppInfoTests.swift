import Testing

@testable import AppIcon

@Suite struct AppInfoTests {
  private func info(_ json: String) throws -> AppInfo { try AppInfo(json: Array(json.utf8)) }

  private func reason(_ entry: String) throws -> String? {
    let info = try info(#"{"icons": [\#(entry), {"width": 8, "height": 8, "src": "good"}]}"#)
    #expect(info.icons.last?.source == "good")
    #expect(info.icons.last?.position == 1)
    #expect(info.icons.count + info.skipped.count == 2)
    return info.skipped.first?.reason
  }

  @Test func listOfTheOriginalIsRead() throws {
    let info = try info(
      """
      {"name": "Working Copy", "icons": [
        {"width": 29, "height": 29, "src": "icon29.png"},
        {"width": 58.0, "height": 58, "src": "https://b.example/icon29@2x.png"}]}
      """)
    #expect(
      info.icons == [
        DeclaredIcon(position: 0, width: 29, height: 29, source: "icon29.png"),
        DeclaredIcon(
          position: 1, width: 58, height: 58, source: "https://b.example/icon29@2x.png"),
      ])
    #expect(info.skipped == [])
  }

  @Test func sizeInQuotesIsRead() throws {
    let info = try info(#"{"icons": [{"width": "58", "height": "58", "src": "a"}]}"#)
    #expect(info.icons == [DeclaredIcon(position: 0, width: 58, height: 58, source: "a")])
  }

  @Test func manifestOfTheWebIsRead() throws {
    let info = try info(
      #"""
      {"icons": [
        {"sizes": "48x48 96X96\r\n48x48", "src": "a", "type": "image/png; x=y", "purpose": "MASKABLE any"},
        {"sizes": "any 64x32", "src": "b", "type": "IMAGE/PNG", "purpose": "maskable unknown"}]}
      """#)
    #expect(
      info.icons == [
        DeclaredIcon(position: 0, width: 48, height: 48, source: "a", type: "image/png"),
        DeclaredIcon(position: 0, width: 96, height: 96, source: "a", type: "image/png"),
        DeclaredIcon(
          position: 1, width: 64, height: 32, source: "b", type: "image/png", purpose: .maskable),
      ])
  }

  @Test(arguments: [
    ("7", "the entry is a number, not an object"), ("null", "the entry is null, not an object"),
    ("[]", "the entry is an array, not an object"),
    (#""x""#, "the entry is a string, not an object"),
    ("{}", "'src' is missing"), (#"{"src": ""}"#, "'src' is empty"),
    (#"{"src": 5}"#, "'src' is a number, not a string"),
    (#"{"src": "a"}"#, "neither width and height nor sizes are given"),
    (#"{"src": "a", "width": 5}"#, "height is missing"),
    (#"{"src": "a", "height": 5}"#, "width is missing"),
    (#"{"src": "a", "width": "5px", "height": 5}"#, "width is a string, not a number"),
    (#"{"src": "a", "width": "05", "height": 5}"#, "width is a string, not a number"),
    (#"{"src": "a", "width": true, "height": 5}"#, "width is a boolean, not a number"),
    (#"{"src": "a", "width": 0, "height": 5}"#, "width is not positive"),
    (#"{"src": "a", "width": -5, "height": 5}"#, "width is not positive"),
    (#"{"src": "a", "width": 5.5, "height": 5}"#, "width is not an integer"),
    (#"{"src": "a", "width": 5, "height": 2049}"#, "height exceeds 2048"),
    (#"{"src": "a", "width": 1e300, "height": 5}"#, "width exceeds 2048"),
    (#"{"src": "a", "width": 1e999, "height": 5}"#, "width is null, not a number"),
    (#"{"src": "a", "width": -1e99999, "height": 5}"#, "width is null, not a number"),
    (
      #"{"src": "a", "width": 99999999999999999999999, "height": 5}"#,
      "width exceeds 2048"
    ),
    (#"{"src": "a", "sizes": "any"}"#, "sizes 'any' contain no size in pixels up to 2048"),
    (#"{"src": "a", "sizes": "048x48"}"#, "sizes '048x48' contain no size in pixels up to 2048"),
    (
      #"{"src": "a", "sizes": "48x48x48"}"#, "sizes '48x48x48' contain no size in pixels up to 2048"
    ),
    (
      #"{"src": "a", "sizes": "4096x4096"}"#,
      "sizes '4096x4096' contain no size in pixels up to 2048"
    ),
    (#"{"src": "a", "sizes": 48}"#, "neither width and height nor sizes are given"),
    (
      #"{"src": "a", "width": 5, "height": 5, "type": "image/svg+xml"}"#,
      "type 'image/svg+xml' is not image/png"
    ),
    (
      #"{"src": "a", "width": 5, "height": 5, "purpose": "monochrome"}"#,
      "unsupported purpose 'monochrome'"
    ),
  ])
  func malformedEntryIsSkippedAlone(_ entry: String, _ expected: String) throws {
    #expect(try reason(entry) == expected)
  }

  @Test func malformedWidthLeavesTheManifestsSizes() throws {
    let info = try info(
      #"{"icons": [{"src": "a", "width": "5px", "height": 5, "sizes": "6x6"}]}"#)
    #expect(info.icons == [DeclaredIcon(position: 0, width: 6, height: 6, source: "a")])
  }

  @Test func markAndNULAndDuplicateKeysDoNoHarm() throws {
    let json =
      "\u{feff}" + #"{"icons": 1, "icons": [{"src": "a\u0000b", "width": 5, "height": 5}]}"#
    #expect(try info(json).icons.map(\.source) == ["a\0b"])
  }

  @Test(arguments: [
    ("[]", AppInfo.Failure.notObject(kind: "an array")), ("null", .notObject(kind: "null")),
    (#""x""#, .notObject(kind: "a string")), ("3", .notObject(kind: "a number")), ("{}", .noIcons),
    (#"{"icons": {}}"#, .iconsNotArray(kind: "an object")),
    (#"{"icons": null}"#, .iconsNotArray(kind: "null")),
    (
      "", .syntax(reason: "unexpected token near end of file", line: 1, column: 0, offset: 0)
    ),
    (
      #"{"icons": ["#,
      .syntax(reason: "']' expected near end of file", line: 1, column: 11, offset: 11)
    ),
    ("{}\n x", .syntax(reason: "end of file expected near 'x'", line: 2, column: 2, offset: 5)),
    (
      "\u{feff}x", .syntax(reason: "invalid token near 'x'", line: 1, column: 1, offset: 4)
    ),
  ])
  func listOfTheWrongShapeIsRefusedWithItsReason(_ json: String, _ failure: AppInfo.Failure) {
    #expect(throws: failure) { try self.info(json) }
  }

  @Test func textThatIsNotUTF8IsRefused() {
    #expect(
      throws: AppInfo.Failure.syntax(
        reason: "unable to decode byte 0xff near '\"'", line: 1, column: 2, offset: 2)
    ) { try AppInfo(json: Array("{\"".utf8) + [0xff]) }
  }

  @Test func deepTextIsRefused() {
    let json = String(repeating: "[", count: 60_000)
    #expect(
      throws: AppInfo.Failure.syntax(
        reason: "maximum parsing depth reached near '['", line: 1, column: 2049, offset: 2049)
    ) { try self.info(json) }
  }

  @Test func largeTextIsRefusedAndTheLargestTaken() throws {
    let json = #"{"icons": []}"#
    let filled = json + String(repeating: " ", count: 65536 - json.utf8.count)
    #expect(try info(filled).icons == [])
    #expect(throws: AppInfo.Failure.tooLarge) { try self.info(filled + " ") }
  }

  @Test func iconsAfterTheSixtyFourthAreSkipped() throws {
    let entry = #"{"width": 8, "height": 8, "src": "a"}"#
    let many = Array(repeating: entry, count: 70).joined(separator: ",")
    let info = try info(#"{"icons": [\#(many)]}"#)
    #expect(info.icons.count == 64)
    #expect(info.skipped == [.init(position: 64, reason: "only 64 icons are considered")])
    let sizes = (1...200).map { "\($0)x\($0)" }.joined(separator: " ")
    #expect(try self.info(#"{"icons": [{"src": "a", "sizes": "\#(sizes)"}]}"#).icons.count == 64)
  }

  @Test func numbersBeyondAllBoundsAreBoundedInNumberThemselves() {
    let many = Array(repeating: "1e999", count: 8000).joined(separator: ",")
    #expect(
      throws: AppInfo.Failure.syntax(
        reason: "real number overflow near '1e999'", line: 1, column: 400, offset: 400)
    ) { try self.info(#"{"icons": [\#(many)]}"#) }
  }
}

@Suite struct IconChoiceTests {
  private func icon(
    _ source: String, _ width: Int, _ height: Int? = nil, _ purpose: DeclaredIcon.Purpose = .any
  ) -> DeclaredIcon {
    DeclaredIcon(
      position: 0, width: width, height: height ?? width, source: source, purpose: purpose)
  }

  private func order(_ icons: [DeclaredIcon], _ pixels: Int) -> [String] {
    IconChoice(icons, pixels: pixels).ranked.map(\.source)
  }

  @Test func exactComesBeforeTheSmallestLargerAndTheLargestSmaller() {
    let icons = [29, 58, 87, 120, 180].map { icon("\($0)", $0) }
    #expect(order(icons, 58) == ["58", "87", "120", "180", "29"])
    #expect(order(icons, 60) == ["87", "120", "180", "58", "29"])
    #expect(order(icons, 200) == ["180", "120", "87", "58", "29"])
    #expect(order(icons, 10) == ["29", "58", "87", "120", "180"])
  }

  @Test func smallerIconServesWhereNoneIsLarger() {
    #expect(order([icon("29", 29), icon("58", 58)], 87) == ["58", "29"])
  }

  @Test func obstinateOblongServesByItsShorterSide() {
    #expect(order([icon("a", 58, 60)], 58) == ["a"])
    #expect(order([icon("oblong", 58, 60), icon("small", 29)], 58) == ["small", "oblong"])
    #expect(order([icon("wide", 100, 58), icon("exact", 70, 60)], 60) == ["exact", "wide"])
  }

  @Test func ofEqualsTheLastDeclaredCounts() {
    #expect(order([icon("a", 58), icon("b", 58), icon("c", 58)], 58) == ["c", "b", "a"])
  }

  @Test func maskableComesLast() {
    #expect(order([icon("m", 58, 58, .maskable), icon("x", 20, 30)], 58) == ["x", "m"])
  }

  @Test func fileIsTriedOnceWhereItSuitsBest() {
    let choice = IconChoice([icon("a", 48), icon("a", 96), icon("b", 60)], pixels: 90)
    #expect(choice.ranked == [icon("a", 96), icon("b", 60)])
    #expect(choice.repeated == [icon("a", 48)])
    // As many have a set.
    let many = (1...50).flatMap { [icon("\($0)", 100 + $0), icon("\($0)", $0)] }
    let all = IconChoice(many, pixels: 90)
    #expect(all.ranked == (1...50).map { icon("\($0)", 100 + $0) })
    #expect(all.repeated == (1...50).reversed().map { icon("\($0)", $0) })
  }

  @Test func threeAreTried() {
    let icons = (1...9).map { icon("\($0)", $0) }
    #expect(IconChoice(icons, pixels: 3).candidates.map(\.source) == ["3", "4", "5"])
    #expect(IconChoice([], pixels: 3).candidates == [])
  }

  @Test func fitnessIsSaidInWords() {
    let choice = IconChoice([], pixels: 58)
    #expect(choice.fitness(of: icon("a", 58)) == "58x58, exactly the requested 58 pixels")
    #expect(
      choice.fitness(of: icon("a", 58, 60, .maskable))
        == "58x60, exactly the requested 58 pixels, not square, maskable")
    #expect(choice.fitness(of: icon("a", 59)) == "59x59, larger than the requested 58 pixels")
    #expect(choice.fitness(of: icon("a", 29)) == "29x29, smaller than the requested 58 pixels")
  }

  @Test(arguments: [
    (29.0, 1.0, 29), (29, 2, 58), (29, 3, 87), (29, 1.5, 44), (10, 1.1, 11), (0.1, 1, 1),
    (512, 2, 1024), (29.01, 1, 30),
  ])
  func sizeIsPointsTimesScaleRoundedUp(_ points: Double, _ scale: Double, _ pixels: Int) {
    #expect(IconSize(points: points, scale: scale)?.pixels == pixels)
  }

  @Test(arguments: [
    (0.0, 1.0), (-1, 1), (-1, -1), (.nan, 1), (.infinity, 1), (1, .infinity), (1025, 1), (512, 2.1),
    (.infinity, 0), (1e300, 1e300),
  ])
  func sizeThatCannotBeMadeIsNone(_ points: Double, _ scale: Double) {
    #expect(IconSize(points: points, scale: scale) == nil)
  }
}
