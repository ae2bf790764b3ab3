import Foundation
import TestSupport
import Testing

/// The map of the package, Sources/README.md, agrees with Package.swift and with the tree.
@Suite struct ArchitectureTests {
  /// The targets below Sources, by name.
  private let targets: [String: Target]
  private let map: Map

  init() throws {
    targets = try Target.all()
    map = try Map()
  }

  /// The layers in their order, each with the layers that its targets may use besides their own.
  private static let layers: [String: Set<String>] = [
    "SystemLibraries": [],
    "System": ["SystemLibraries"],
    "Formats": ["SystemLibraries", "System"],
    "Model": ["SystemLibraries", "System", "Formats"],
    "Programs": ["SystemLibraries", "System", "Formats", "Model"],
    "CLibrary": ["SystemLibraries", "System", "Formats", "Model"],
  ]

  @Test func sourcesHasTheLayersAndNothingElse() throws {
    let sources = Fixture.root.appending(path: "Sources").path
    let names = try FileManager.default.contentsOfDirectory(atPath: sources)
    #expect(
      Set(names.filter { !$0.hasPrefix(".") })
        == Set(Self.layers.keys).union(["Integrations", "Demonstration", "README.md"]))
  }

  @Test func everyTargetIsInItsLayerOfTheMapOnce() {
    let rows = map.rows.map { "\($0.layer)/\($0.target)" }.sorted()
    #expect(rows == targets.values.map { "\($0.layer)/\($0.name)" }.sorted())
    #expect(map.rows.filter { $0.sentence.isEmpty }.map(\.target) == [])
  }

  @Test func everyTargetHasTheFolderOfItsName() {
    for target in targets.values {
      #expect(target.path == "Sources/\(target.layer)/\(target.name)")
    }
  }

  @Test func arrowsOfTheMapAreThoseOfThePackage() {
    let drawn = map.rows.flatMap { row in row.uses.map { "\(row.target) -> \($0)" } }
    let real = targets.values.flatMap { target in target.uses.map { "\(target.name) -> \($0)" } }
    #expect(Set(real).subtracting(drawn).sorted() == [], "the map lacks these")
    #expect(Set(drawn).subtracting(real).sorted() == [], "the package lacks these")
    #expect(drawn.count == Set(drawn).count)
  }

  @Test func everyArrowIsAnImport() throws {
    var missing: [String] = []
    var unused: [String] = []
    for target in targets.values {
      guard let imported = try target.imports() else { continue }
      // What runs before `main` is linked, but has nothing to call.
      let used = Set(target.uses).subtracting(["CStart"])
      for name in imported.intersection(targets.keys).subtracting(used + [target.name]) {
        missing.append("\(target.name) -> \(name)")
      }
      for name in used.subtracting(imported) { unused.append("\(target.name) -> \(name)") }
    }
    #expect(missing.sorted() == [], "Package.swift lacks these")
    #expect(unused.sorted() == [], "no file imports these")
  }

  @Test func everyTargetOfTestsHasItsPlace() throws {
    for test in try Target.all(below: "Tests").values {
      guard test.name.hasSuffix("Tests") else {
        // What tests run, beside those.
        let isShared = test.path == "Tests/TestSupport"
        #expect(isShared || Self.layers[test.layer] != nil, "\(test.name)")
        continue
      }
      #expect(test.path == "Tests/\(test.layer)/\(test.name)")
      #expect(targets[String(test.name.dropLast(5))]?.layer == test.layer, "\(test.name)")
    }
  }

  @Test func mapNamesWhatIsBesidesTheLayers() throws {
    let tests = Fixture.root.appending(path: "Tests").path
    let places =
      try FileManager.default.contentsOfDirectory(atPath: tests).filter {
        !$0.hasPrefix(".") && Self.layers[$0] == nil
      } + ["CLibrary/Programs"]
    #expect(places.sorted().filter { !map.text.contains("Tests/\($0)") } == [])
  }

  /// Each feature of the systems whose forms docsource carries over has a test that is called by its
  /// number, `seed000_1_…` or, of several features, `seed004_17_18_…`.
  @Test(.enabled(if: SharedReference.exists("sharing/seeds-rows.md"), "needs ../shared"))
  func everyRowOfTheSharingReferenceHasATest() throws {
    let rows = String(decoding: try SharedReference.data("sharing/seeds-rows.md"), as: UTF8.self)
      .matches(of: /(?m)^\| (\d{3}\.\d+) \|/).map { String($0.1) }
    #expect(rows.count > 80)
    var tested: Set<String> = []
    let tests = Fixture.root.appending(path: "Tests/Programs/docsourceTests/Sharing")
    for name in try FileManager.default.contentsOfDirectory(atPath: tests.path)
    where name.hasPrefix("Seed") {
      let text = try String(contentsOf: tests.appending(path: name), encoding: .utf8)
      for test in text.matches(of: /func seed(\d{3})((?:_\d+)+)_/) {
        for row in test.2.split(separator: "_") { tested.insert("\(test.1).\(row)") }
      }
    }
    #expect(rows.filter { !tested.contains($0) } == [])
  }

  @Test func noArrowPointsUpALayer() {
    var upward: Set<String> = []
    for target in targets.values {
      let allowed = Self.layers[target.layer, default: []].union([target.layer])
      for used in target.uses where !allowed.contains(targets[used]?.layer ?? "") {
        upward.insert("\(target.name) -> \(used)")
      }
    }
    #expect(upward.sorted() == [])
  }

  @Test func sourcesAndManualsHavePlainWords() throws {
    let root = Fixture.root
    let names = FileManager.default.enumerator(atPath: root.appending(path: "Sources").path)?
      .compactMap { $0 as? String }.map { "Sources/\($0)" }
    var places: [String] = []
    for path in try #require(names).sorted() + ["README.md"] {
      let isWritten = AvoidedWords.written.contains { path.hasPrefix("Sources/\($0)") }
      guard !isWritten, let bytes = FileManager.default.contents(atPath: root.path + "/\(path)"),
        let text = String(validating: bytes, as: UTF8.self)
      else { continue }
      places += AvoidedWords.places(in: text, of: path)
    }
    #expect(places == [])
  }

  @Test func wordsThatAreNotPlainAreFoundWithTheirLines() {
    let text = """
      /// Behind the header; `nil` where there is none. What was said is told.
      /// Whatever a strangers' file has, it is untold and left_behind. The value, or `nil`
      ///   where it is damaged.
      let isTold = other.behind + nowhere // `nil` if it is no stranger's
      """
    #expect(
      AvoidedWords.places(in: text, of: "a.swift") == [
        "a.swift:1: Behind", "a.swift:1: `nil` where", "a.swift:1: told", "a.swift:2: strangers",
        "a.swift:2: `nil` where", "a.swift:4: behind", "a.swift:4: stranger",
      ])
  }
}

/// Words for which technical English has plainer ones: reported, untrusted input, after, if.
private enum AvoidedWords {
  /// What `make docs` writes of other files, below Sources.
  static let written = [
    "Programs/docsource/Manual.swift", "Programs/CommandLineInterface/CompletionScripts.swift",
    "Integrations/man/", "Integrations/completions/",
  ]

  /// The words of a text, each after the file and the line, `FILE:LINE: WORD`.
  static func places(in text: String, of file: String) -> [String] {
    let words = /(?i)\b(?:told|strangers?|behind)\b|`nil`,?\s+(?:\/\/+\s*)?where\b/
      .wordBoundaryKind(.simple).matchingSemantics(.unicodeScalar)
    var (line, counted) = (1, text.startIndex)
    return text.matches(of: words).map { match in
      line += text[counted..<match.startIndex].count { $0.isNewline }
      counted = match.startIndex
      let word = match.output.split(whereSeparator: \.isWhitespace).filter { !$0.hasPrefix("/") }
      return "\(file):\(line): \(word.joined(separator: " "))"
    }
  }
}

/// A target of Package.swift.
private struct Target {
  let name: String
  let path: String
  let uses: [String]

  /// The folder below Sources or Tests.
  var layer: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

  /// The modules that its Swift files import; `nil` for a target in C.
  func imports() throws -> Set<String>? {
    let root = Fixture.root.appending(path: path)
    let files = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String }
    let swift = (files ?? []).filter { $0.hasSuffix(".swift") }
    guard !swift.isEmpty else { return nil }
    var modules: Set<String> = []
    for name in swift {
      let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
      for line in text.matches(of: /(?m)^(?:@\w+(?:\(\w+\))? )*(?:\w+ )?import (\w+)/) {
        modules.insert(String(line.1))
      }
    }
    return modules
  }

  /// The answer of `swift package dump-package`, as far as the tests need it.
  private struct Package: Decodable {
    struct Target: Decodable {
      let name: String
      let path: String?
      let dependencies: [[String: [String?]]]
    }
    let targets: [Target]
  }

  /// The targets below a directory, by name.
  static func all(below top: String = "Sources") throws -> [String: Target] {
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
      guard let path = target.path, path.hasPrefix(top + "/") else { return nil }
      let uses = target.dependencies.flatMap { $0.values.compactMap { $0.first ?? nil } }
      return Target(name: target.name, path: path, uses: uses)
    }
    try #require(!targets.isEmpty)
    return Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0) })
  }
}

/// The tables of Sources/README.md, among whatever prose.
///
/// A layer's section begins with `## System` or the like. A table counts if the last column of its
/// head is `uses`: its rows are a target in backquotes, a sentence, and the used targets.
private struct Map {
  struct Row {
    let layer: String
    let target: String
    let sentence: String
    let uses: [String]
  }

  let text: String
  let rows: [Row]

  init() throws {
    text = try String(
      contentsOf: Fixture.root.appending(path: "Sources/README.md"), encoding: .utf8)
    var rows: [Row] = []
    var layer = ""
    var isInTable = false
    var lists = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let heading = line.firstMatch(of: /^##? *`?(\w*)/) { layer = String(heading.1) }
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
          layer: layer, target: String(name.1), sentence: cells[1], uses: uses.map { String($0.1) })
      )
    }
    self.rows = rows
  }
}
