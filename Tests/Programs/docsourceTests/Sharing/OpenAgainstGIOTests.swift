import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource open` and `intent default` against the gio command.
@Suite struct OpenAgainstGIOTests {
  private static let types = [
    "text/plain", "text/html", "text/x-csrc", "image/png", "image/svg+xml", "application/pdf",
    "application/zip", "application/json", "x-scheme-handler/http", "x-scheme-handler/mailto",
    "x-scheme-handler/tel", "x-scheme-handler/geo", "audio/mpeg", "inode/directory",
  ]
  private static let samples = [
    "text/plain": "a.txt", "text/html": "a.html", "text/x-csrc": "a.c", "image/png": "a.png",
    "image/svg+xml": "a.svg", "application/pdf": "a.pdf", "application/json": "a.json",
    "x-scheme-handler/http": "http://a.example/", "x-scheme-handler/mailto": "mailto:a@b",
    "x-scheme-handler/tel": "tel:1", "x-scheme-handler/geo": "geo:1,2", "audio/mpeg": "a.mp3",
  ]

  /// Some applications, and lists that name them and others that are missing.
  private static func populate(
    _ world: DesktopWorld, _ count: Int, _ random: inout SeededNumbers
  ) throws {
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    func some(_ most: Int) -> [String] {
      (0..<Int.random(in: 0...most, using: &random)).map { _ in
        types.randomElement(using: &random) ?? ""
      }
    }
    try world.program("there")
    var names: [String] = []
    for number in 0..<count {
      let name = "app\(number)"
      names.append(name + ".desktop")
      var keys = "Name=App \(number)\nExec=\(chance(15) ? "missing" : "there") %U\n"
      keys += "MimeType=\(some(5).map { $0 + ";" }.joined())\n"
      if chance(8) { keys += "Hidden=true\n" }
      if chance(20) { keys += "NoDisplay=true\n" }
      if chance(8) { keys += "TryExec=missing\n" }
      if chance(8) { keys += "OnlyShowIn=Else;\n" }
      try world.entry(name, keys, in: chance(30) ? "home" : "share")
      if chance(10) { try world.entry(name, keys + "Icon=other\n", in: "home") }
    }
    names.append("gone.desktop")
    for list in [
      "config/some-mimeapps.list", "config/mimeapps.list", "home/applications/mimeapps.list",
      "share/applications/mimeapps.list", "share/applications/other-mimeapps.list",
    ] where chance(70) {
      var text = "# of the test\n"
      for group in ["Default Applications", "Added Associations", "Removed Associations"] {
        text += "[\(group)]\n"
        for type in Set(some(8)).sorted() {
          let ids = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            names.randomElement(using: &random) ?? ""
          }
          text += "\(type)=\(ids.joined(separator: ";"))\(chance(50) ? ";" : "")\n"
        }
      }
      _ = try world.directory.file(list, text)
    }
    try world.updateDatabases()
  }

  /// What `gio mime` says.
  private static func gio(
    _ world: DesktopWorld, _ type: String
  ) throws -> (standard: String?, registered: [String], recommended: [String]) {
    var (standard, lists): (String?, [[String]]) = (nil, [])
    for line in try world.run(["gio", "mime", type]).text.split(separator: "\n") {
      if line.hasPrefix("\t") {
        lists[lists.count - 1].append(String(line.dropFirst()))
      } else if line.hasPrefix("Default application for") {
        standard = line.split(separator: " ").last.map(String.init)
      } else {
        lists.append([])
      }
    }
    return (standard, lists.first ?? [], lists.last ?? [])
  }

  @Test func sixHundredGeneratedEntriesAreResolvedAsGIODoes() throws {
    var random = SeededNumbers()
    var compared = 0
    for _ in 0..<6 {
      let world = try DesktopWorld()
      try Self.populate(world, 100, &random)
      for file in Self.samples.values where !file.contains(":") {
        _ = try world.directory.file(file, "x")
      }
      let got = try world.run([Docsource.path, "intent", "default", "get", "--json"] + Self.types)
      let lines = got.text.split(separator: "\n")
      try #require(lines.count == Self.types.count, "\(got.errors)")
      for (type, line) in zip(Self.types, lines) {
        let gio = try Self.gio(world, type)
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let identifier = (object?["identifier"] as? String).map { $0 + ".desktop" }
        #expect(identifier == gio.standard, "seed \(random.seed), \(type)")
        guard let sample = Self.samples[type] else { continue }
        let list = try world.run("open", "--list", sample)
        let rows = list.text.split(separator: "\n").map { $0.split(separator: "\t") }
        let all = rows.map { "\($0[0]).desktop" }
        let others = all.drop { $0 == gio.standard }
        #expect(
          Array(others) == gio.registered.filter { $0 != gio.standard },
          "seed \(random.seed), \(type)")
        let recommended = rows.filter { $0[2] == "recommended" }.map { "\($0[0]).desktop" }
        #expect(
          recommended == gio.recommended.filter { $0 != gio.standard },
          "seed \(random.seed), \(type)")
        compared += 1
      }
    }
    #expect(compared == 72)
  }

  /// Exec lines of pieces that are valid together. %k is missing: 'gio launch' itself does not know
  /// where the entry is.
  private static func execLine(_ random: inout SeededNumbers) -> String {
    let pieces = [
      "--plain", "\"a b\"", "%%", "%c", "%i", "--x=%c", "a\\\\\\\\b", "\"q\\\\\"q\"",
      "\"\\\\$HOME\"", "\"\\\\`id\\\\`\"", "'single quoted'", "100%%", "%d", "%n", "%m", "\"\"",
      "é", "a=b;c", "\"back\\\\\\\\slash\"", "$HOME", "`id`", "*", "~", "&", "|", "%v", "tab\\tx",
    ]
    var words = (0..<Int.random(in: 0...6, using: &random)).map { _ in
      pieces.randomElement(using: &random) ?? ""
    }
    if let code = ["%f", "%F", "%u", "%U", "--file=%f", "", ""].randomElement(using: &random) {
      words.insert(code, at: Int.random(in: 0...words.count, using: &random))
    }
    return "recorder " + words.joined(separator: " ")
  }

  @Test func twoHundredExecLinesGiveTheArgumentsOfGIOLaunch() throws {
    var random = SeededNumbers()
    let world = try DesktopWorld()
    try world.program("recorder")
    let files = try ["one file.txt", "50% é'\".txt", "-n"].map { name in
      try world.directory.file(name, "")
    }
    var count = 0
    for number in 0..<200 {
      let line = Self.execLine(&random)
      let name = "exec \(number)"
      try world.entry(name, "Name=Exec's \"name\" %u \(number)\nIcon=an icon\nExec=\(line)\n")
      let chosen = Array(files.shuffled(using: &random).prefix(number % 3 + 1))
      let entry = world.directory.path("share/applications/\(name).desktop")
      let dry = try world.run(
        [Docsource.path, "open", "--json", "-n", "--with", name, "--"]
          + chosen.map { ($0 as NSString).lastPathComponent })
      let objects = try dry.text.split(separator: "\n").map { line in
        try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      }
      let launched = try world.run(["gio", "launch", entry] + chosen)
      guard launched.status == 0 else {
        #expect(dry.status == 2, "seed \(random.seed), \(line): \(launched.errors)")
        continue
      }
      let reported = objects.compactMap {
        ($0["arguments"] as? [String]).map { Array($0.dropFirst()) }
      }
      let recorded = try world.records(reported.count)
      #expect(
        Set(reported) == Set(recorded) && reported.count == recorded.count,
        "seed \(random.seed), \(line): \(dry.errors)")
      if number % 5 == 0 {
        let opened = try world.run(
          [Docsource.path, "open", "--with", name, "--"]
            + chosen.map { ($0 as NSString).lastPathComponent })
        #expect(opened.status == 0 && opened.errors == "")
        #expect(
          try Set(world.records(reported.count)) == Set(reported), "seed \(random.seed), \(line)")
      }
      count += 1
    }
    #expect(count > 150)
  }
}
