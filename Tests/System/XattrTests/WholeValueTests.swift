import Testing

@testable import LinuxSystem
@testable import Xattr

@Suite struct WholeValueTests {
  /// A value that grows by some bytes each time it is looked at.
  private final class GrowingValue {
    var size: Int
    let growth: Int
    var calls = 0

    init(size: Int, growth: Int) {
      self.size = size
      self.growth = growth
    }

    func call(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
      calls += 1
      defer { size += growth }
      if buffer.count == 0 { return size }
      guard size <= buffer.count else { return -Int(Errno.outOfRange.rawValue) }
      for i in 0..<size { buffer[i] = UInt8(truncatingIfNeeded: i) }
      return size
    }
  }

  @Test(arguments: [0, 1, 1023, 1024])
  func valueUpToTheFirstBufferTakesOneCall(_ size: Int) throws {
    let value = GrowingValue(size: size, growth: 0)
    #expect(try WholeValue.read(value.call) == (0..<size).map { UInt8(truncatingIfNeeded: $0) })
    #expect(value.calls == 1)
  }

  @Test(arguments: [1025, 65536])
  func largerValueTakesTwoCalls(_ size: Int) throws {
    let value = GrowingValue(size: size, growth: 0)
    #expect(try WholeValue.read(value.call).count == size)
    #expect(value.calls == 2)
  }

  @Test func valueThatGrowsBetweenCallsIsReadWhole() throws {
    let value = GrowingValue(size: 1000, growth: 1000)
    #expect(try WholeValue.read(value.call).count == 1000)
    #expect(try WholeValue.read(value.call).count == 3000)
  }

  @Test func valueBeyondTheKernelsLimitIsReadAfterAskingItsSize() throws {
    let value = GrowingValue(size: 65537, growth: 10000)
    #expect(try WholeValue.read(value.call).count == 65537 + 30000)
    #expect(value.calls == 4)
  }

  @Test func valueThatOutgrowsEveryBufferIsAnErrorInTheEnd() {
    var calls = 0
    #expect(throws: Errno.outOfRange) {
      try WholeValue.read { buffer in
        calls += 1
        return buffer.count == 0 ? 1 : -Int(Errno.outOfRange.rawValue)
      }
    }
    #expect(calls == 1 + 2 * WholeValue.rounds)
  }

  @Test(arguments: [Errno.noData, .permissionDenied, .inputOutput])
  func failureIsThrownAsItIs(_ errno: Errno) {
    #expect(throws: errno) { try WholeValue.read { _ in -Int(errno.rawValue) } }
  }

  @Test func failureToAskForTheSizeIsThrown() {
    #expect(throws: Errno.inputOutput) {
      try WholeValue.read { buffer in
        -Int((buffer.count == 0 ? Errno.inputOutput : Errno.outOfRange).rawValue)
      }
    }
  }

  @Test func valueThatVanishesBetweenCallsIsAbsent() {
    var answers = [-Int(Errno.outOfRange.rawValue), -Int(Errno.noData.rawValue)]
    #expect(throws: Errno.noData) { try WholeValue.read { _ in answers.removeFirst() } }
  }
}
