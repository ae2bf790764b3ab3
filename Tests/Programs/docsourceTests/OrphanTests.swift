import Foundation
import Glibc
import TestSupport
import Testing

/// Carriers whose files are not there: `trace` tells them, `strip` empties them, `adopt` leaves them.
@Suite struct OrphanTests {
  private static let zone = "[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=https://example.com/a.pdf\r\n"

  /// A tree with each kind of orphan, and with carriers whose files are there.
  private static func tree() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    for name in ["tree", "tree/__MACOSX", "tree/__MACOSX/deep", "tree/.AppleDouble"] {
      mkdir(directory.path(name), 0o755)
    }
    let double = try Fixture.bytes("AppleDouble/stream2adouble.appledouble")
    for name in ["._train.csv", "__MACOSX/deep/._gone"] {
      try directory.write(double, to: "tree/\(name)")
    }
    try directory.write(Array(zone.utf8), to: "tree/gone.pdf:Zone.Identifier")
    try directory.write(
      Fixture.bytes("PropertyLists/four-keys.bplist"),
      to: "tree/.AppleDouble/gone::EA::x-document-source")
    try directory.write(Array("not AppleDouble, only called so".utf8), to: "tree/._notes")
    return directory
  }

  private static let orphans = [
    ".AppleDouble/gone::EA::x-document-source", "._train.csv", "__MACOSX/deep/._gone",
    "gone.pdf:Zone.Identifier",
  ]

  private static func run(
    _ arguments: String..., in directory: TemporaryDirectory
  ) throws -> Execution {
    try Execution.run([Docsource.path] + arguments, in: directory.root)
  }

  private static func files(below directory: TemporaryDirectory) throws -> [String] {
    let found = try Execution.run(["find", ".", "!", "-type", "d"], in: directory.path("tree"))
    return found.text.split(separator: "\n").map { String($0.dropFirst(2)) }.sorted()
  }

  @Test func traceTellsWhatTheyHold() throws {
    let directory = try Self.tree()
    let traced = try Self.run("trace", "-r", "--no-recent", "tree", in: directory)
    let lines = traced.text.split(separator: "\n").map(String.init)
    let answer = "from \"Working Copy\", downloaded from example.com by \"Safari\" on 2020-11-12"
    #expect(
      lines.contains(
        "tree/._train.csv: \(answer); belongs to train.csv, which is missing"))
    #expect(
      lines.contains(
        "tree/__MACOSX/deep/._gone: \(answer); belongs to ../../deep/gone, which is missing"))
    #expect(
      lines.contains(
        "tree/gone.pdf:Zone.Identifier: downloaded from example.com; belongs to gone.pdf, which"
          + " is missing"))
    #expect(
      lines.contains(
        "tree/.AppleDouble/gone::EA::x-document-source: from \"Working Copy\"; belongs to"
          + " ../gone, which is missing"))
    #expect(lines.count { $0.hasPrefix("tree/") } == 4)
    #expect(traced.errors == "")
    #expect(traced.status == 0)
  }

  @Test func traceOfOneTellsWhereEachMarkStands() throws {
    let directory = try Self.tree()
    let path = "tree/gone.pdf:Zone.Identifier"
    let traced = try Self.run("trace", "--no-recent", "--json", path, in: directory)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(traced.output)) as? [String: Any])
    #expect(object["missing"] as? String == "gone.pdf")
    let marks = try #require(object["marks"] as? [[String: Any]])
    #expect(marks.map { $0["carrier"] as? String } == ["gone.pdf:Zone.Identifier"])
    #expect(marks.map { $0["form"] as? String } == ["sibling"])
    #expect(marks.map { $0["trust"] as? String } == ["beside"])
    #expect(traced.status == 0)
  }

  @Test func carriersOfFilesThatAreThereAreNoOrphans() throws {
    let directory = try Self.tree()
    mkdir(directory.path("tree/deep"), 0o755)
    for name in ["train.csv", "gone.pdf", "gone", "deep/gone"] {
      try directory.file("tree/\(name)")
    }
    let traced = try Self.run("trace", "-r", "--no-recent", "tree", in: directory)
    #expect(!traced.text.contains("which is missing"))
    let told = traced.text.split(separator: "\n").compactMap { $0.split(separator: ":").first }
    #expect(
      told.filter { $0.hasPrefix("tree/") }.sorted()
        == ["tree/deep/gone", "tree/gone", "tree/gone.pdf", "tree/train.csv"])
  }

  @Test func stripLeavesNothingOfThem() throws {
    let directory = try Self.tree()
    let before = try Self.files(below: directory)
    let dry = try Self.run("strip", "-rn", "tree", in: directory)
    #expect(dry.errors == "docsource: 4 would be stripped, 1 unchanged, 0 failed\n")
    #expect(try Self.files(below: directory) == before)
    let stripped = try Self.run("strip", "-r", "tree", in: directory)
    let lines = stripped.text.split(separator: "\n").map(String.init)
    #expect(
      lines.contains("tree/gone.pdf:Zone.Identifier: removed: gone.pdf:Zone.Identifier"))
    #expect(
      lines.contains(
        "tree/__MACOSX/deep/._gone: removed: ._gone:x-document-source,"
          + " ._gone:com.apple.quarantine, ._gone:com.apple.metadata:kMDItemWhereFroms"))
    #expect(lines.count == 4)
    #expect(stripped.status == 0)
    #expect(try Self.files(below: directory) == ["._notes"])
    #expect(access(directory.path("tree/__MACOSX"), F_OK) != 0)
  }

  /// What is no mark of origin stays.
  @Test func stripKeepsWhatIsNoMark() throws {
    let directory = try Self.tree()
    let kept = try Self.run("strip", "-rq", "--keep", "zone", "tree", in: directory)
    #expect(kept.status == 0)
    #expect(try Self.files(below: directory) == ["._notes", "gone.pdf:Zone.Identifier"])
  }

  @Test func adoptSaysWhatItLeaves() throws {
    let directory = try Self.tree()
    let before = try Self.files(below: directory)
    for options in [["-rn"], ["-r"], ["-r", "--infer"]] {
      let adopted = try Execution.run(
        [Docsource.path, "adopt"] + options + ["tree"], in: directory.root)
      #expect(adopted.text == "")
      let lines = adopted.errors.split(separator: "\n").map(String.init)
      let told = Self.orphans.map { path in
        let name = path.split(separator: "/").last ?? ""
        return "docsource: tree/\(path): kept \(name): the file it belongs to is missing"
      }
      #expect(lines.dropLast().sorted() == told.sorted())
      #expect(adopted.status == 0)
      #expect(try Self.files(below: directory) == before)
      let carriers = ["tree/._train.csv", "tree/gone.pdf:Zone.Identifier"]
      #expect(try Execution.run(["getfattr"] + carriers, in: directory.root).text == "")
    }
  }

  /// As many AppleDouble files as one tree of a Mac had: a fifth of their files gone, a seventh of
  /// them below __MACOSX.
  @Test func treeOfAMacKeepsNoMarkAfterAdoptAndStrip() throws {
    let directory = try TemporaryDirectory()
    let doubles = try ["stream2adouble", "kernel", "copyfile", "finder-info-only", "empty-value"]
      .map { try Fixture.bytes("AppleDouble/\($0).appledouble") }
    for index in 0..<341 {
      let folder = "d\(index % 9)"
      try directory.write(
        doubles[index / 5 % doubles.count],
        to: "tree/\(index % 7 == 0 ? "__MACOSX/" : "")\(folder)/._file \(index)")
      if index % 5 != 0 { try directory.file("tree/\(folder)/file \(index)") }
    }
    let adopted = try Self.run("adopt", "-r", "tree", in: directory)
    #expect(adopted.text.split(separator: "\n").count == 272)
    #expect(adopted.errors.split(separator: "\n").count == 56)
    #expect(adopted.status == 0)
    #expect(try Self.files(below: directory).filter { $0.contains("._") }.count == 69)
    #expect(try Self.run("strip", "-rq", "tree", in: directory).status == 0)
    let traced = try Self.run("trace", "-r", "--no-recent", "tree", in: directory)
    #expect(traced.text.hasPrefix("0 files with marks of origin, "))
    // Finder information and other attributes are no marks.
    #expect(try Self.files(below: directory).filter { $0.contains("._") }.count == 27)
    let search = ["grep", "-rlaE", "document-source|quarantine|kMDItem|Safari|https?:", "tree"]
    #expect(try Execution.run(search, in: directory.root).text == "")
    let attributes = try Execution.run(["getfattr", "-dR", "-m-", "."], in: directory.path("tree"))
    let names = attributes.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: "=").first }
    #expect(Set(names) == ["user.com.apple.FinderInfo", "user.com.example.empty"])
  }
}
