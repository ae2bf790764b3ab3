import Foundation
import Glibc
import TestSupport
import Testing

/// Adopting, and writing files beside others, that is killed.
@Suite struct AdoptInterruptionTests {
  @Test func noAttributeIsLostWheneverItIsKilled() throws {
    // Where fsync(2) takes no time, so that it is killed often.
    let directory =
      try access("/dev/shm", W_OK) == 0 ? TemporaryDirectory(in: "/dev/shm") : TemporaryDirectory()
    let seed = UInt64.random(in: 0...(.max))
    let killing = try Execution.run([
      Fixture.root.appending(path: "Tests/Scripts/adopt-and-kill").path, Docsource.path,
      Fixture.root.appending(path: "Fixtures/AppleDouble/kernel.appledouble").path,
      directory.root, "4", "\(seed)",
    ])
    #expect(killing.errors == "", "seed \(seed)")
    #expect(killing.status == 0, "seed \(seed)")
    let counts = try #require(
      killing.text.wholeMatch(of: /killed ([0-9]+) times, ([0-9]+) in the midst\n/),
      "\(killing.text)")
    #expect(try #require(Int(counts.output.2)) > 0, "seed \(seed): \(killing.text)")
  }
  @Test func filesBesideAreWholeAndNoOtherIsLeftWheneverWritingIsEnded() throws {
    let directory =
      try access("/dev/shm", W_OK) == 0 ? TemporaryDirectory(in: "/dev/shm") : TemporaryDirectory()
    let seed = UInt64.random(in: 0...(.max))
    let killing = try Execution.run([
      Fixture.root.appending(path: "Tests/Scripts/write-and-kill").path, Docsource.path,
      Fixture.root.appending(path: "Fixtures/AppleDouble/kernel.appledouble").path,
      directory.root, "4", "\(seed)",
    ])
    #expect(killing.errors == "", "seed \(seed)")
    #expect(killing.status == 0, "seed \(seed)")
    let midst = try #require(
      killing.text.wholeMatch(of: /([0-9]+) in the midst\n/), "\(killing.text)")
    #expect(try #require(Int(midst.output.1)) > 0, "seed \(seed): \(killing.text)")
  }
}
