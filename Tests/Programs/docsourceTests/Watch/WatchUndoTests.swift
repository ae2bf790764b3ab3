import Foundation
import TestSupport
import Testing

/// Finding and removing what `docsource watch` has written.
@Suite struct WatchUndoTests {
  private let place: TemporaryDirectory

  init() throws {
    place = try TemporaryDirectory()
    let script = """
      import os, plistlib, sys
      for name, date in (("old", "2026-11-01T10:00:00Z"), ("new", "2026-11-02T10:00:00Z"),
                         ("own", None), ("odd", "yesterday"), ("plain", "")):
        source = {"identifier": "org.example." + name}
        if date: source["taggedByWatch"] = date
        path = sys.argv[1] + "/" + name
        open(path, "w").close()
        if name != "plain":
          os.setxattr(path, "user.x-document-source",
                      plistlib.dumps(source, fmt=plistlib.FMT_BINARY))
      """
    #expect(try Execution.run(["python3", "-c", script, place.root]).status == 0)
  }

  private func found(_ arguments: String...) throws -> [String] {
    let found = try Execution.run(
      [Docsource.path, "find"] + arguments + [place.root], environment: ["TZ": "UTC"])
    #expect(found.errors == "")
    return found.text.split(separator: "\n").map { String($0.dropFirst(place.root.count + 1)) }
      .sorted()
  }

  @Test func whatWatchHasWrittenIsFound() throws {
    #expect(try found("--by-watch") == ["new", "old"])
    #expect(try found("--since", "2026-11-02") == ["new"])
    #expect(try found("--since", "2026-11-01T10:00:00Z") == ["new", "old"])
    #expect(try found("--since", "2026-11-01T10:00:01Z", "--by-watch") == ["new"])
    #expect(try found("--by-watch", "-i", "*.old") == ["old"])
    #expect(try found("--since", "1s") == [])
    let local = try Execution.run(
      [Docsource.path, "find", "--since", "2026-11-02", place.root],
      environment: ["TZ": "EST+11"])
    #expect(local.text == "")
  }

  @Test func whatWatchHasWrittenIsRemoved() throws {
    let removed = try Docsource.run(
      "remove", "-r", "--by-watch", "--since", "2026-11-02", place.root)
    #expect(removed.text.split(separator: "\n").first == "\(place.path("new")): removed")
    #expect(try found("--by-watch") == ["old"])
    #expect(try Docsource.run("remove", "-r", "--by-watch", "-q", place.root).status == 0)
    #expect(try found() == ["odd", "own"])
  }

  @Test func copiesSayIt() throws {
    let copy = place.path("copy")
    #expect(try Execution.run(["cp", "--preserve=all", place.path("old"), copy]).status == 0)
    #expect(try found("--by-watch") == ["copy", "new", "old"])
    #expect(try Docsource.run("tag", "--app-name", "Mine", copy).status == 0)
    #expect(try found("--by-watch") == ["new", "old"])
    let value = try Execution.run(["getfattr", "--only-values", "-d", copy])
    #expect(value.text.contains("Mine"))
    #expect(!value.text.contains("taggedByWatch"))
  }

  @Test(arguments: [
    (
      ["--since", "soon"],
      "--since: 'soon' is invalid; expected a time such as 2h or 1d, or a date"
        + " such as 2026-11-27 or 2026-11-27T15:00:00Z"
    ),
    (
      ["--since", "2026-02-30"],
      "--since: '2026-02-30' is invalid; expected a time such as 2h or 1d,"
        + " or a date such as 2026-11-27 or 2026-11-27T15:00:00Z"
    ),
    (["--untagged", "--by-watch"], "--untagged and --by-watch cannot be combined"),
    (["--damaged", "--since", "1d"], "--damaged and --since cannot be combined"),
  ])
  func conditionsThatNoFileMeetsAreRefused(_ options: [String], _ reason: String) throws {
    let refused = try Execution.run([Docsource.path, "find"] + options + [place.root])
    #expect(refused.errors == "docsource: find: \(reason); see 'docsource help find'\n")
    #expect(refused.status == 64)
  }
}
