import Testing

@testable import LinuxSystem

@Suite struct WorkMeterTests {
  @Test func bytesUpToTheLimitAreAllowedAndNoneBeyond() throws {
    let meter = WorkMeter(WorkLimit(bytes: 10, seconds: nil))
    try meter.count(4)
    try meter.count(6)
    #expect(throws: WorkLimit.Excess.bytes(10)) { try meter.count(1) }
  }

  @Test func bytesAreCountedFromNoneAgain() throws {
    let meter = WorkMeter(WorkLimit(bytes: 10, seconds: nil))
    try meter.count(10)
    meter.beginAgain()
    try meter.count(10)
    #expect(throws: WorkLimit.Excess.bytes(10)) { try meter.count(1) }
  }

  @Test func timeIsAskedForAtTheFirstPiece() {
    #expect(throws: WorkLimit.Excess.seconds(0)) {
      try WorkMeter(WorkLimit(bytes: nil, seconds: 0)).count(0)
    }
  }

  /// The first look is at the first piece, the next after 64 KiB.
  @Test func processorTimeIsWhatCounts() throws {
    let meter = WorkMeter(WorkLimit(bytes: nil, seconds: 1))
    try meter.count(0)
    let start = Clock.processorMilliseconds
    while Clock.processorMilliseconds < start + 1001 {}
    try meter.count(0)
    #expect(throws: WorkLimit.Excess.seconds(1)) { try meter.count(64 << 10) }
  }

  @Test func withoutLimitsNothingIsExceeded() throws {
    let meter = WorkMeter(.none)
    for _ in 0..<1000 { try meter.count(1 << 40) }
  }

  @Test(
    arguments: [
      (.bytes(0), "the output exceeds 0 bytes"), (.bytes(1), "the output exceeds 1 byte"),
      (.bytes(1000), "the output exceeds 1000 bytes"),
      (.bytes(1536), "the output exceeds 1536 bytes"),
      (.bytes(500 << 10), "the output exceeds 500 KiB"),
      (.bytes(256 << 20), "the output exceeds 256 MiB"),
      (.bytes(1 << 30), "the output exceeds 1 GiB"),
      (.bytes(2048 << 40), "the output exceeds 2048 TiB"),
      (.seconds(10), "processing takes more than 10 seconds of CPU time"),
      (.seconds(1), "processing takes more than 1 second of CPU time"),
    ] as [(WorkLimit.Excess, String)])
  func excessIsSaidInWords(_ excess: WorkLimit.Excess, _ words: String) {
    #expect(excess.description == words)
  }

  @Test func unlessGivenTheLimitIsWhatAPersonWaitsFor() {
    #expect(WorkLimit.standard == WorkLimit(bytes: 268_435_456, seconds: 10))
  }
}
