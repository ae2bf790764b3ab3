import Foundation
import TestSupport
import Testing

@testable import TextFormats

@Suite struct CalendarDateTests {
  @Test func textIsFoundationsAndIsReadBack() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("CalendarDateTests seed \(seed)")
    var random = SplitMix(state: seed)
    // From year 1583, before which Foundation's formatter uses the Julian calendar.
    for _ in 0..<20_000 {
      let seconds = Double(Int64.random(in: -13_190_000_000...252_400_000_000, using: &random))
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let text = try CalendarDate.text(of: seconds)
      #expect(text == date.formatted(.iso8601), "\(seconds)")
      #expect(CalendarDate.seconds(of: text) == seconds)
    }
  }

  @Test(arguments: [
    (0, "2001-01-01T00:00:00Z"), (-1, "2000-12-31T23:59:59Z"), (-0.5, "2000-12-31T23:59:59Z"),
    (-63_113_904_000, "0001-01-01T00:00:00Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
    (-26_524_800, "2000-02-29T00:00:00Z"),
  ])
  func edgesAreRight(_ seconds: Double, _ text: String) throws {
    #expect(try CalendarDate.text(of: seconds) == text)
  }

  @Test(arguments: [-63_113_904_001, 252_423_993_600, 1e300, -.infinity, .nan])
  func momentOutsideTheYearsIsRefused(_ seconds: Double) {
    #expect(throws: Unrepresentable.self) { try CalendarDate.text(of: seconds) }
  }

  @Test(arguments: [
    "", "2001-01-01", "2001-01-01T00:00:00", "2001-01-01T00:00:00z", "2001-02-29T00:00:00Z",
    "2001-13-01T00:00:00Z", "2001-00-01T00:00:00Z", "2001-01-00T00:00:00Z",
    "2001-01-01T24:00:00Z", "2001-01-01T00:60:00Z", "2001-01-01T00:00:60Z",
    "0000-01-01T00:00:00Z", "+001-01-01T00:00:00Z", "2001-01-01 00:00:00Z",
  ])
  func textThatIsNoMomentIsRefused(_ text: String) {
    #expect(CalendarDate.seconds(of: text) == nil)
  }
}
