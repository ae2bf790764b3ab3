import Foundation
import Glibc
import TestSupport
import Testing

/// `find --newer`: files by the time of their last modification.
@Suite struct ModificationFilterTests {
  /// Files without a source that are a minute, an hour, a day and a year old, and one of each time
  /// that has a source.
  private static func tree() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let script = """
      for pair in minute:'1 minute' hour:'61 minutes' day:'25 hours' year:'370 days'; do
        name=${pair%%:*}
        touch "$name" "$name.tagged" && "$0" tag -q -i a.b "$name.tagged" &&
        touch -d "${pair#*:} ago" "$name" "$name.tagged"
      done
      """
    let made = try Execution.run(["bash", "-c", script, Docsource.path], in: directory.root)
    try #require(made.status == 0, "\(made.errors)")
    return directory
  }

  private static func find(
    _ words: String..., in directory: TemporaryDirectory, zone: String = "UTC"
  ) throws -> Execution {
    try Execution.run(
      [Docsource.path, "find", "--sort"] + words, in: directory.root, environment: ["TZ": zone])
  }

  @Test(arguments: [
    ("59s", []), ("90s", ["minute"]), ("2h", ["hour", "minute"]), ("1h30min", ["hour", "minute"]),
    ("1 h 30 minutes", ["hour", "minute"]), ("2days", ["day", "hour", "minute"]),
    ("1w", ["day", "hour", "minute"]), ("2weeks", ["day", "hour", "minute"]),
    ("1month", ["day", "hour", "minute"]), ("2y", ["day", "hour", "minute", "year"]),
    ("@0", ["day", "hour", "minute", "year"]), ("2001-01-01", ["day", "hour", "minute", "year"]),
    ("2999-01-01T00:00:00Z", []),
  ])
  func timeAgoOrDateChooses(_ time: String, _ names: [String]) throws {
    let tree = try Self.tree()
    for option in ["--newer", "--changed-within", "--changed-w"] {
      let tagged = try Self.find(option, time, in: tree)
      #expect(tagged.text == names.map { "\($0).tagged\n" }.joined(), "\(option) \(time)")
      #expect(tagged.errors == "")
      #expect(tagged.status == (names.isEmpty ? 1 : 0))
    }
    let untagged = try Self.find("--untagged", "--newer", time, in: tree)
    #expect(untagged.text == names.map { "\($0)\n" }.joined())
    let operands = try Self.find("--newer", time, "hour.tagged", "day.tagged", in: tree)
    #expect(
      operands.text
        == ["hour", "day"].filter(names.contains).map { "\($0).tagged\n" }.sorted().joined())
  }

  @Test func timeOfAFileCountsAndThatFileIsNotNewer() throws {
    let tree = try Self.tree()
    #expect(try Self.find("--newer", "hour", in: tree).text == "minute.tagged\n")
    let made = try Execution.run(
      ["touch", "-r", "day", "./2h"], in: tree.root)
    #expect(made.status == 0)
    #expect(try Self.find("--newer", "./2h", "--count", in: tree).text == "2\n")
    symlink("day", tree.path("link"))
    #expect(try Self.find("--newer", "link", "--count", in: tree).text == "2\n")
  }

  @Test func dateAndTimeAreOfThisZoneAndADateItselfCounts() throws {
    let tree = try TemporaryDirectory()
    let script = """
      touch f && "$0" tag -q -i a.b f && TZ=UTC touch -d '2026-11-01 12:00:00.5' f
      """
    #expect(try Execution.run(["sh", "-c", script, Docsource.path], in: tree.root).status == 0)
    for (time, zone, isFound) in [
      ("2026-11-01 12:00", "UTC", true), ("2026-11-01 12:00:01", "UTC", false),
      ("2026-11-01T12:00:00Z", "UTC", true), ("2026-11-01 13:00", "XST-1", true),
      ("2026-11-01 13:01", "XST-1", false), ("@1793534400", "UTC", true),
      ("@1793534401", "UTC", false), ("2026-11-01", "UTC", true), ("2026-11-02", "UTC", false),
    ] {
      let found = try Self.find("--newer", time, in: tree, zone: zone)
      #expect(found.text == (isFound ? "f\n" : ""), "\(time) \(zone)")
    }
  }

  @Test(arguments: [
    "soon", "2", "h", "2x", "2026-02-30", "2026-11-27 25:00", "", "@", "@x", "1h-2m", "9999999999s",
    "99999y",
  ])
  func otherTextIsRefused(_ text: String) throws {
    let tree = try TemporaryDirectory()
    let found = try Self.find("--newer", text, in: tree)
    #expect(
      found.errors
        == "docsource: find: --newer: '\(text)' is neither a file nor a time such as 2h, 3days or"
        + " 2026-11-27; see 'docsource help find'\n")
    #expect(found.status == 64)
  }
}
