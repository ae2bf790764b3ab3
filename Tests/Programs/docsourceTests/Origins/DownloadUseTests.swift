import Foundation
import TestSupport
import Testing

/// What other verbs than `trace` do with the downloads that browsers have recorded.
@Suite struct DownloadUseTests {
  private let user: BrowserUser
  private static let chromium = ".config/chromium/Default"

  init() throws { user = try BrowserUser() }

  private var home: TemporaryDirectory { user.home }

  private func adopt(_ arguments: String...) throws -> Execution {
    try user.run("adopt", arguments)
  }

  private func find(_ arguments: String...) throws -> Execution { try user.run("find", arguments) }

  private func strip(_ arguments: String...) throws -> Execution {
    try user.run("strip", arguments)
  }

  private func attributes(_ name: String) throws -> [String] {
    try Execution.run(["getfattr", "-d", "-m", "user", name], in: home.root).text
      .split(separator: "\n").dropFirst().map { String($0.prefix { $0 != "=" }) }
  }

  @Test func inferredSourceAndAddressAreWritten() throws {
    try user.file("a")
    try user.record(
      "chromium", Self.chromium, "a", url: "https://anna:secret@files.example.com/a?token=1#part")
    let former = try FileState(home.path("a"))
    let words = #"Chromium, downloaded from "https://files.example.com/a""#
    #expect(try adopt("-n", "--infer", "a").text == "a: would infer: \(words)\n")
    #expect(try FileState(home.path("a")) == former)
    #expect(try adopt("--infer", "a").text == "a: inferred: \(words)\n")
    #expect(try attributes("a") == ["user.x-document-source", "user.xdg.origin.url"])
    #expect(
      try Execution.run(["getfattr", "--only-values", "-n", "user.xdg.origin.url", home.path("a")])
        .text == "https://files.example.com/a")
    #expect(try user.run("show", ["a"]).text.contains("Chromium"))
    let after = try FileState(
      home.path("a"), except: ["user.x-document-source", "user.xdg.origin.url"])
    #expect((after.content, after.modified) == (former.content, former.modified))
    #expect(try adopt("--infer", "a").text == "a: unchanged\n")
    // The record agrees with what was written of it.
    let traced = try user.run("trace", ["a"]).text
    #expect(!traced.contains("Contradiction"))
  }

  @Test func eachIsWrittenOnlyWhereThereIsNone() throws {
    for name in ["tagged", "addressed"] {
      try user.file(name)
      try user.record("chromium", Self.chromium, name)
    }
    #expect(try Docsource.tag(home.path("tagged")).status == 0)
    #expect(
      try adopt("--infer", "tagged").text
        == "tagged: inferred: downloaded from \"https://files.example.com/a\"\n")
    #expect(
      try Execution.run([
        "setfattr", "-n", "user.xdg.origin.url", "-v", "https://files.example.com/a",
        home.path("addressed"),
      ]).status == 0)
    #expect(try adopt("--infer", "addressed").text == "addressed: inferred: Chromium\n")
  }

  @Test func likelyRecordsAndNoRecordsAreNotWritten() throws {
    try user.file("moved")
    try user.file("a")
    try user.record("chromium", Self.chromium, "a")
    #expect(try adopt("--infer", "moved").text == "moved: unchanged\n")
    #expect(try adopt("--infer", "--no-records", "a").text == "a: unchanged\n")
    #expect(try adopt("a").text == "a: unchanged\n")
    #expect(try attributes("moved") == [])
    #expect(try attributes("a") == [])
  }

  @Test func directoryIsPreviewedAndDone() throws {
    for number in 1...3 {
      try user.file("Downloads/\(number)")
      try user.record(
        "chromium", Self.chromium, "Downloads/\(number)", url: "https://example.com/\(number)")
    }
    try user.file("Downloads/other", modified: 5000)
    let lines = (1...3).map {
      #"Downloads/\#($0): would infer: Chromium, downloaded from "https://example.com/\#($0)""#
    }
    let dry = try adopt("-rn", "--infer", "Downloads")
    #expect(
      dry.text.split(separator: "\n").filter { $0.contains(":") }.sorted().map(String.init) == lines
    )
    #expect(try attributes("Downloads/1") == [])
    #expect(
      try adopt("-r", "--infer", "--json", "Downloads").text.split(separator: "\n").count {
        $0.contains(#""outcome":"changed""#) && $0.contains(#""originURL":"https://example.com/"#)
      } == 3)
    #expect(try attributes("Downloads/3") == ["user.x-document-source", "user.xdg.origin.url"])
    #expect(try attributes("Downloads/other") == [])
  }

  @Test func whatCannotBeWrittenIsReported() throws {
    try user.file("a")
    try user.record("chromium", Self.chromium, "a")
    #expect(try Execution.run(["chattr", "+i", home.path("a")]).status == 0)
    defer { _ = try? Execution.run(["chattr", "-i", home.path("a")]) }
    let run = try adopt("--infer", "a")
    #expect(run.errors.hasPrefix("docsource: a: cannot write document source: "), "\(run.errors)")
    #expect(run.status == 2)
  }

  @Test func filesAreFoundByTheirHost() throws {
    try user.file("marked")
    try user.file("plain")
    #expect(
      try Execution.run([
        "setfattr", "-n", "user.xdg.origin.url", "-v", "https://cdn.example.com/x",
        home.path("marked"),
      ]).status == 0)
    for (name, url) in [("one", "https://files.example.com/1"), ("two", "https://example.org/2")] {
      try user.file("Downloads/\(name)")
      try user.record(
        "chromium", Self.chromium, "Downloads/\(name)", url: url,
        more: name == "two"
          ? #", "page": "https://Forum.example.net/", "first": "https://go.example/""# : "")
    }
    func found(_ arguments: String...) throws -> [String] {
      try user.run("find", arguments + ["--sort", "-E", ".config"]).text.split(separator: "\n")
        .map(String.init)
    }
    #expect(try found("--downloaded") == ["marked"])
    #expect(try found("--downloaded", "--records") == ["Downloads/one", "Downloads/two", "marked"])
    #expect(try found("--from", "example.com", "--records") == ["Downloads/one", "marked"])
    #expect(try found("--from", "EXAMPLE.com") == ["marked"])
    #expect(try found("--from", "xample.com", "--records") == [])
    #expect(try found("--from", "forum.example.net", "--records") == ["Downloads/two"])
    #expect(try found("--from", "go.example", "--records") == ["Downloads/two"])
    #expect(
      try found("--from", "*.org", "--from", "cdn.*", "--records") == ["Downloads/two", "marked"])
    #expect(try found("--downloaded", "--records", "--file-name", "one") == ["Downloads/one"])
    #expect(try Docsource.run("tag", "-q", "-i", "a.b", home.path("Downloads/one")).status == 0)
    #expect(try found("--downloaded", "--records", "-i", "a.b") == ["Downloads/one"])
    #expect(
      try found("--downloaded", "--records", "--untagged") == ["Downloads/two", "marked"])
    #expect(try found() == ["Downloads/one"])
    let alone = try find("--records")
    #expect(alone.errors.hasPrefix("docsource: find: --records requires --from or --downloaded;"))
    #expect(alone.status == 64)
  }

  @Test func stripNamesTheDatabasesThatStillHaveTheDownload() throws {
    for name in ["a", "b"] {
      try user.file(name)
      try user.record("chromium", Self.chromium, name)
    }
    let database = home.path(Self.chromium + "/History")
    let one = try strip("a")
    #expect(one.text == "a: unchanged\n")
    #expect(
      one.errors
        == "docsource: \(database): still records the download of a; clear the browser's list"
        + " of downloads to remove that\n")
    #expect(one.status == 0)
    #expect(
      try strip("-rn", "--threads=1", ".").errors.contains(
        "\(database): still records the download of ./"))
    #expect(try strip("-rn", "--threads=1", ".").errors.contains(" and 1 more; clear"))
    for option in ["--no-records", "--quiet", "--keep=download"] {
      #expect(try strip(option, "a").errors == "")
    }
  }
}
