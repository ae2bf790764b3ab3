import Testing

@testable import AppIcon

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
  }

  @Test func threeAreTried() {
    let icons = (1...9).map { icon("\($0)", $0) }
    #expect(IconChoice(icons, pixels: 3).candidates.map(\.source) == ["3", "4", "5"])
    #expect(IconChoice([], pixels: 3).candidates == [])
  }

  @Test func fitnessIsSaidInWords() {
    let choice = IconChoice([], pixels: 58)
    #expect(choice.fitness(of: icon("a", 58)) == "58x58, exactly the 58 pixels asked for")
    #expect(
      choice.fitness(of: icon("a", 58, 60, .maskable))
        == "58x60, exactly the 58 pixels asked for, not square, meant to be cut")
    #expect(choice.fitness(of: icon("a", 59)) == "59x59, larger than the 58 pixels asked for")
    #expect(choice.fitness(of: icon("a", 29)) == "29x29, smaller than the 58 pixels asked for")
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
