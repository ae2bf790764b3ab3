import Foundation
import TestSupport
import Testing

/// The map of the package, Sources/README.md, agrees with Package.swift and with the tree.
@Suite struct HouseTests {
  /// The targets below Sources, by name.
  private let targets: [String: Target]
  private let map: Map

  init() throws {
    targets = try Target.all()
    map = try Map()
  }

  /// The floors in their order, each with the floors that its targets may use besides their own.
  private static let floors: [String: Set<String>] = [
    "SystemLibraries": [],
    "System": ["SystemLibraries"],
    "Formats": ["SystemLibraries", "System"],
    "Model": ["SystemLibraries", "System", "Formats"],
    "Programs": ["SystemLibraries", "System", "Formats", "Model"],
    "CLibrary": ["SystemLibraries", "System", "Formats", "Model"],
  ]

  @Test func sourcesHasTheFloorsAndNothingElse() throws {
    let sources = Fixture.root.appending(path: "Sources").path
    let names = try FileManager.default.contentsOfDirectory(atPath: sources)
    #expect(
      Set(names.filter { !$0.hasPrefix(".") })
        == Set(Self.floors.keys).union(["Integrations", "Demonstration", "README.md"]))
  }

  @Test func everyTargetStandsOnItsFloorOfTheMapOnce() {
    let rows = map.rows.map { "\($0.floor)/\($0.target)" }.sorted()
    #expect(rows == targets.values.map { "\($0.floor)/\($0.name)" }.sorted())
    #expect(map.rows.filter { $0.sentence.isEmpty }.map(\.target) == [])
  }

  @Test func everyTargetHasTheFolderOfItsName() {
    for target in targets.values {
      #expect(target.path == "Sources/\(target.floor)/\(target.name)")
    }
  }

  @Test func arrowsOfTheMapAreThoseOfThePackage() {
    let drawn = map.rows.flatMap { row in row.uses.map { "\(row.target) -> \($0)" } }
    let real = targets.values.flatMap { target in target.uses.map { "\(target.name) -> \($0)" } }
    #expect(Set(real).subtracting(drawn).sorted() == [], "the map lacks these")
    #expect(Set(drawn).subtracting(real).sorted() == [], "the package lacks these")
    #expect(drawn.count == Set(drawn).count)
  }

  /// Each feature of the systems whose forms docsource carries over has a test that is called by its
  /// number, `seed000_1_…` or, of several features, `seed004_17_18_…`.
  @Test(.enabled(if: SharedReference.exists("sharing/seeds-rows.md"), "needs ../shared"))
  func everyRowOfTheSharingReferenceHasATest() throws {
    let rows = String(decoding: try SharedReference.data("sharing/seeds-rows.md"), as: UTF8.self)
      .matches(of: /(?m)^\| (\d{3}\.\d+) \|/).map { String($0.1) }
    #expect(rows.count > 80)
    var tested: Set<String> = []
    let tests = Fixture.root.appending(path: "Tests/Programs/docsourceTests")
    for name in try FileManager.default.contentsOfDirectory(atPath: tests.path)
    where name.hasPrefix("Seed") {
      let text = try String(contentsOf: tests.appending(path: name), encoding: .utf8)
      for test in text.matches(of: /func seed(\d{3})((?:_\d+)+)_/) {
        for row in test.2.split(separator: "_") { tested.insert("\(test.1).\(row)") }
      }
    }
    #expect(rows.filter { !tested.contains($0) } == [])
  }

  @Test func noArrowPointsUpAFloor() {
    var upward: Set<String> = []
    for target in targets.values {
      let allowed = Self.floors[target.floor, default: []].union([target.floor])
      for used in target.uses where !allowed.contains(targets[used]?.floor ?? "") {
        upward.insert("\(target.name) -> \(used)")
      }
    }
    #expect(upward.sorted() == [])
  }
}

/// A target of Package.swift.
private struct Target {
  let name: String
  let path: String
  let uses: [String]

  /// The folder below Sources.
  var floor: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

  /// The answer of `swift package dump-package`, as far as the tests need it.
  private struct Package: Decodable {
    struct Target: Decodable {
      let name: String
      let path: String?
      let dependencies: [[String: [String?]]]
    }
    let targets: [Target]
  }

  /// The targets below Sources, by name.
  static func all() throws -> [String: Target] {
    let directory = try TemporaryDirectory()
    // With a scratch path of its own, the command does not wait for a build that runs.
    let dumped = try Execution.run(
      [
        "swift", "package", "--disable-sandbox", "--scratch-path", directory.path("scratch"),
        "dump-package",
      ], in: Fixture.root.path)
    try #require(dumped.status == 0, "\(dumped.errors)")
    let package = try JSONDecoder().decode(Package.self, from: Data(dumped.output))
    let targets = package.targets.compactMap { target -> Target? in
      guard let path = target.path, path.hasPrefix("Sources/") else { return nil }
      let uses = target.dependencies.flatMap { $0.values.compactMap { $0.first ?? nil } }
      return Target(name: target.name, path: path, uses: uses)
    }
    try #require(!targets.isEmpty)
    return Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0) })
  }
}

/// The tables of Sources/README.md, among whatever prose.
///
/// A floor's section begins with `## System` or the like. A table counts if the last column of its
/// head is `uses`: its rows are a target in backquotes, a sentence, and the used targets.
private struct Map {
  struct Row {
    let floor: String
    let target: String
    let sentence: String
    let uses: [String]
  }

  let rows: [Row]

  init() throws {
    let text = try String(
      contentsOf: Fixture.root.appending(path: "Sources/README.md"), encoding: .utf8)
    var rows: [Row] = []
    var floor = ""
    var isInTable = false
    var lists = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let heading = line.firstMatch(of: /^##? *`?(\w*)/) { floor = String(heading.1) }
      guard line.hasPrefix("|") else {
        isInTable = false
        continue
      }
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      if !isInTable { lists = cells.last?.lowercased() == "uses" }
      isInTable = true
      guard lists, cells.count >= 2, let name = cells[0].wholeMatch(of: /`([^`]+)`/) else {
        continue
      }
      let uses = cells.dropFirst(2).joined(separator: " ").matches(of: /`([^`]+)`/)
      rows.append(
        Row(
          floor: floor, target: String(name.1), sentence: cells[1], uses: uses.map { String($0.1) })
      )
    }
    self.rows = rows
  }
}
