import Testing

@testable import CommandLineInterface

@Suite struct CountTextTests {
  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (12_345, "12,345"), (1_000_000, "1,000,000"),
    (-1234, "-1,234"), (.max, "9,223,372,036,854,775,807"), (.min, "-9,223,372,036,854,775,808"),
  ])
  func digitsAreGroupedByThree(_ number: Int, _ text: String) {
    #expect(CountText.of(number) == text)
  }

  @Test func nounIsSingularForOne() {
    #expect(CountText.of(1, "file") == "1 file")
    #expect(CountText.of(0, "file") == "0 files")
    #expect(CountText.of(1234, "file") == "1,234 files")
  }
}
