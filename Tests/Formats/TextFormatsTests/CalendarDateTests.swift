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
      try #require(text == date.formatted(.iso8601), "\(seconds)")
      try #require(CalendarDate.seconds(of: text) == seconds)
    }
  }

  @Test(arguments: [
    (0, "2001-01-01T00:00:00Z"), (-1, "2000-12-31T23:59:59Z"), (-0.5, "2000-12-31T23:59:59Z"),
    (-63_113_904_000, "0001-01-01T00:00:00Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
    (-26_524_800, "2000-02-29T00:00:00Z"), (-63_114_076_800, "0000-12-30T00:00:00Z"),
    (-63_145_526_400, "0000-01-01T00:00:00Z"),
  ])
  func edgesAreRight(_ seconds: Double, _ text: String) throws {
    #expect(try CalendarDate.text(of: seconds) == text)
    #expect(CalendarDate.seconds(of: text) == seconds.rounded(.down))
  }

  @Test(arguments: [-63_145_526_401, 252_423_993_600, -0x1p63, 1e300, -.infinity, .nan])
  func momentOutsideTheYearsIsRefused(_ seconds: Double) {
    #expect(throws: Unrepresentable.self) { try CalendarDate.text(of: seconds) }
  }

  @Test(arguments: [
    "", "2001-01-01", "2001-01-01T00:00:00", "2001-01-01T00:00:00z", "2001-02-29T00:00:00Z",
    "2001-13-01T00:00:00Z", "2001-00-01T00:00:00Z", "2001-01-00T00:00:00Z",
    "2001-01-01T24:00:00Z", "2001-01-01T00:60:00Z", "2001-01-01T00:00:60Z",
    "-001-01-01T00:00:00Z", "+001-01-01T00:00:00Z", "2001-01-01 00:00:00Z",
  ])
  func textThatIsNoMomentIsRefused(_ text: String) {
    #expect(CalendarDate.seconds(of: text) == nil)
  }
}

@Suite struct HTTPDateTests {
  private let now: Int64 = 1_700_000_000  // 14 November 2023

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Sun Nov 06 08:49:37 1994", 784_111_777),
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
    ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
    ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ("Tuesday, 14-Nov-23 22:13:20 GMT", 1_700_000_000),
    ("Tuesday, 14-Nov-73 00:00:00 GMT", 3_277_843_200),
    ("Thursday, 14-Nov-74 00:00:00 GMT", 153_619_200),
    ("Sunday, 14-Nov-72 00:00:00 GMT", nil),
    ("Monday, 14-Nov-72 00:00:00 GMT", 3_246_307_200),
  ])
  func dateOfEachFormatIsRead(_ text: String, _ seconds: Int64?) {
    #expect(HTTPDate.seconds(of: text, now: now) == seconds)
  }

  @Test(arguments: [
    "", "0", "-1", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06 Nov 1994 08:49:37 GMT ", "Mon, 06 Nov 1994 08:49:37 GMT",
    "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 31 Feb 2024 00:00:00 GMT",
    "Fri, 30 Feb 2024 00:00:00 GMT", "Fri, 01 Mar 2024 24:00:00 GMT",
    "Fri, 01 Mar 2024 00:60:00 GMT", "Fri, 01 Mar 2024 00:00:61 GMT",
    "Fri, 01 mar 2024 00:00:00 GMT", "Fri 01 Mar 2024 00:00:00 GMT",
    "Fri, 01 Mar 2024 00:00 GMT", "Fri, 01 Mar +024 00:00:00 GMT", "Fri, 00 Mar 2024 00:00:00 GMT",
    "Sun Nov 6 08:49:37 94", "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
    "     ", "Sun Nov   6 08:49:37 1994",
  ])
  func otherTextIsNoDate(_ text: String) {
    #expect(HTTPDate.seconds(of: text, now: now) == nil)
  }

  @Test(arguments: [Int64.min, -1, 0, .max])
  func strangeClockDoesNoHarm(_ now: Int64) {
    #expect(HTTPDate.seconds(of: "Sun, 06 Nov 1994 08:49:37 GMT", now: now) == 784_111_777)
    _ = HTTPDate.seconds(of: "Sunday, 06-Nov-94 08:49:37 GMT", now: now)
  }
}
