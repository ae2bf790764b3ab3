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
    let traced = try Execution.run([Docsource.path, "trace", "new", "odd"], in: place.root)
    #expect(
      traced.text == """
        new: from "org.example.new"
          Source       "org.example.new", tagged automatically 2026-11-02T10:00:00Z
            user.x-document-source
        odd: from "org.example.odd"
          Source       "org.example.odd"
            user.x-document-source

        """)
    let json = try Execution.run([Docsource.path, "trace", "--json", "new"], in: place.root)
    #expect(
      json.text.contains(
        #""origin":{"identifier":"org.example.new","taggedByWatch":"2026-11-02T10:00:00Z"}"#))
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

  /// The AppleDouble file has the time of the first tag.
  @Test func tagsOfDifferentTimesDoNotContradictEachOther() throws {
    #expect(try Docsource.run("emit", "-q", "--apple-double", place.path("old")).status == 0)
    let script = """
      import os, plistlib, sys
      os.setxattr(sys.argv[1], "user.x-document-source", plistlib.dumps(
          {"identifier": "org.example.old", "taggedByWatch": "2026-11-03T10:00:00Z"},
          fmt=plistlib.FMT_BINARY))
      """
    #expect(try Execution.run(["python3", "-c", script, place.path("old")]).status == 0)
    let json = try Execution.run([Docsource.path, "trace", "--json", "old"], in: place.root)
    #expect(json.text.contains(#""identifier":"org.example.old","taggedByWatch":"2026-11-03T"#))
    #expect(json.text.contains(#""contradictions":[]"#))
    let traced = try Execution.run([Docsource.path, "trace", "old"], in: place.root)
    #expect(traced.text.contains("tagged automatically 2026-11-01T10:00:00Z\n"))
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

  @Test func statusCountsWhatWasTaggedInTheLastDay() throws {
    func status(_ options: String...) throws -> String {
      try Execution.run(
        [Docsource.path, "watch", "--status"] + options,
        environment: [
          "HOME": place.root, "XDG_RUNTIME_DIR": place.path("run"), "XDG_CONFIG_HOME": "",
        ]
      ).text
    }
    try place.file(".config/docsource/watch.json", "{\"enabled\":true,\"log\":true}")
    #expect(try status().contains("\n0 files tagged in the last day\n"))
    func line(_ age: Double, _ identifier: String, _ more: String = "") -> String {
      let time = Date(timeIntervalSinceNow: -age).formatted(.iso8601)
      return "{\"time\":\"\(time)\",\"identifier\":\"\(identifier)\"\(more)}\n"
    }
    try place.file(
      "run/docsource/watch.log",
      line(90_000, "org.example.Old") + line(80_000, "org.example.One") + "no line\n{}\n[]\n"
        + line(7, "org.example.Two", ",\"name\":\"Two, 2\"") + line(6, "org.example.Two")
        + String(line(5, "org.example.Cut").dropLast(9)))
    #expect(
      try status().contains("\n3 files tagged in the last day: Two, 2 2, org.example.One 1\n"))
    #expect(
      try status("--json").contains(
        "\"lastDay\":[{\"identifier\":\"org.example.Two\",\"name\":\"Two, 2\",\"count\":2},"
          + "{\"identifier\":\"org.example.One\",\"count\":1}]"))
  }
}
