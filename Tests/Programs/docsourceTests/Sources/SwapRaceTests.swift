import Foundation
import Glibc
import TestSupport
import Testing

/// A component of the tree is exchanged for a link that leads out of it, all the time.
@Suite struct SwapRaceTests {
  /// How long each race is run; `SWAP_RACE_SECONDS` may ask for more.
  private static let seconds =
    ProcessInfo.processInfo.environment["SWAP_RACE_SECONDS"].flatMap { Double($0) } ?? 2

  /// Every file outside with its attributes.
  private static func outside(_ directory: TemporaryDirectory) throws -> String {
    let dump = [
      "sh", "-c", "find outside -exec getfattr -h -d -m - -e hex {} + && ls -ldR outside",
    ]
    return try Execution.run(dump, in: directory.root).text
  }

  @Test(arguments: [nil, "ENOSYS"])
  func nothingOutsideIsTouchedWhileComponentsAreSwapped(_ missing: String?) throws {
    // Other programs' calls are as they are: only the tool is run on a kernel without *xattrat.
    let filter = Fixture.root.appending(path: "Tests/Scripts/without-xattrat").path
    let tool = (missing.map { [filter, $0] } ?? []) + [Docsource.path]
    let directory = try TemporaryDirectory()
    let script = Fixture.root.appending(path: "Tests/Scripts/swap-components").path
    let streams = try TemporaryDirectory()
    let swapper = try RunningProcess(
      [script, directory.root].map { Array($0.utf8) }, streams: streams)
    var isSwapping = true
    defer { if isSwapping { _ = (swapper.kill(SIGKILL), swapper.wait()) } }
    try Patience.wait { access(directory.path("ready"), F_OK) == 0 }
    // One of each three files outside has a source that must stay.
    let marked = "find outside -name g -exec \"$0\" tag -q --app-name Kept {} +"
    #expect(
      try Execution.run(["sh", "-c", marked, Docsource.path], in: directory.root).status == 0)
    let before = try Self.outside(directory)
    #expect(before.components(separatedBy: "user.x-document-source").count == 17)

    let end = Date() + Self.seconds
    var (runs, touched, replaced) = (0, 0, 0)
    while Date() < end {
      for arguments in [
        ["tag", "-r", "--app-name", "Lost", "-j", "1"],
        ["tag", "-r", "--app-name", "Lost", "-j", "4"],
        ["tag", "-r", "--replace", "-i", "a.b", "--root", "inside", "-j", "2"],
        ["remove", "-r", "-j", "1"], ["tag", "-rq", "--app-name", "Lost"],
        ["remove", "-r", "-j", "3"],
      ] {
        let run = try Execution.run(tool + arguments + ["inside"], in: directory.root)
        try #require(run.status == 0 || run.status == 2, "\(run.errors)")
        touched += run.text.split(separator: "\n").count
        replaced +=
          run.errors.components(separatedBy: "another file replaced the directory").count - 1
        runs += 1
      }
    }
    #expect(try Self.outside(directory) == before)
    swapper.kill(SIGTERM)
    #expect(swapper.wait() == 0)
    isSwapping = false
    let swaps = try streams.text("output").trimmingCharacters(in: .whitespacesAndNewlines)
    print("SwapRaceTests: \(runs) runs, \(swaps) swaps, \(replaced) met, \(touched) files changed")
    // Otherwise the race was not run.
    #expect(runs >= 6)
    #expect(touched > 0)
    #expect(Int(swaps) ?? 0 > 1000)
  }
}
