import BinaryPropertyList
import LinuxSystem
import TestSupport
import Testing

@testable import Witness

@Suite struct WitnessRecordTests {
  static let boot = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
  static let file = ContentVersion(
    inode: 12, born: 1_790_000_000_000_000_001, size: 34, modified: 1_790_000_000_000_000_002,
    changed: 1_790_000_000_000_000_003)
  static let event = WitnessRecord.Event(
    application: "org.gimp.GIMP", executable: "/usr/bin/gimp", knowledge: .executable,
    action: .created, time: 1_790_000_000_000_000_004)

  static func record(_ history: [WitnessRecord.Event] = [event]) throws -> WitnessRecord {
    try #require(
      WitnessRecord(
        boot: boot, file: file, changeEnd: file.changed + 10_000_000, history: history))
  }

  @Test func recordIsReadAsItWasWritten() throws {
    let changed = WitnessRecord.Event(
      application: "com.example.É", executable: "/opt/e", knowledge: .sandbox, action: .changed,
      time: -5)
    let unnamed = WitnessRecord.Event(
      application: nil, executable: "/usr/lib/libreoffice/program/soffice.bin",
      knowledge: .executable, action: .changed, time: 7)
    let record = try Self.record([Self.event, changed, unnamed])
    let bytes = try #require(record.bytes)
    #expect(try WitnessRecord(bytes) == record)
    #expect(try PropertyList(binary: bytes) != .null)
    // With the source of a document beside it, it has to fit into what ext4 has for a file.
    #expect(bytes.count < 700)
  }

  /// No application is forgotten for others that have written more often, and whoever has made the file only
  /// with that beginning.
  @Test(arguments: [
    ("A B A B A B A B A", "A A B A B A B A"), ("A B C D E F G H A", "B C D E F G H A"),
    ("A B C D E F G H I", "B C D E F G H I"), ("A B - - A C A C A C", "A B - C A C A C"),
    ("A B A A A A A A A A", "A B A A A A A A"), ("A A B C D E F G H", "A B C D E F G H"),
  ])
  func eightEventsAreKept(_ names: String, _ kept: String) throws {
    let events = names.split(separator: " ").enumerated().map { number, name in
      Self.event(
        name == "-" ? nil : "org.example.\(name)", number == 0 ? .created : .changed,
        time: Int64(number))
    }
    let record = try Self.record(events)
    #expect(
      record.history.map { $0.application?.suffix(1) ?? "-" }.joined(separator: " ") == kept)
    #expect(record.history.last == events.last)
    #expect((record.history.first == events.first) == (kept.first == "A"))
    let bytes = try #require(record.bytes)
    #expect(try WitnessRecord(bytes).history == record.history)
    #expect(bytes.count < 1500)
  }

  private static func event(
    _ name: String?, _ action: WitnessRecord.Action, time: Int64 = 1
  ) -> WitnessRecord.Event {
    WitnessRecord.Event(
      application: name, executable: name ?? "/usr/bin/b", knowledge: .executable, action: action,
      time: time)
  }

  @Test func changesByOneProgramAreOneEvent() throws {
    var history: [WitnessRecord.Event] = []
    let events = [
      Self.event("A", .created), Self.event("A", .changed, time: 2),
      Self.event("A", .changed, time: 3),
      Self.event("B", .changed, time: 4), Self.event(nil, .changed, time: 5),
      Self.event("B", .changed, time: 6),
    ]
    for event in events { history = WitnessRecord.history(history, adding: event) }
    #expect(history == [events[0]] + events[2...])
  }

  @Test(arguments: [0, 1, 34, Int64.max, -5])
  func templateIsFilledWithTheNumbersOfAFile(_ number: Int64) throws {
    let history = [Self.event, Self.event("B", .changed, time: number)]
    let template = try #require(RecordTemplate(boot: Self.boot, history))
    let version = ContentVersion(
      inode: UInt64(clamping: number), born: number, size: UInt64(clamping: number),
      modified: number, changed: number)
    let bytes = try #require(template.value(version, changeEnd: number, time: number))
    let record = try #require(
      WitnessRecord(boot: Self.boot, file: version, changeEnd: number, history: history))
    #expect(try WitnessRecord(bytes) == record)
    #expect(RecordTemplate(boot: Self.boot, []) == nil)
    let inSubvolume = try #require(RecordTemplate(boot: Self.boot, history, subvolume: number))
    let other = try WitnessRecord(
      try #require(inSubvolume.value(version, changeEnd: number, time: number)))
    #expect(other.subvolume == number && other.history == history)
    let unborn = ContentVersion(inode: 1, born: nil, size: 1, modified: 1, changed: 1)
    #expect(template.value(unborn, changeEnd: 1, time: 1) == nil)
  }

  @Test func makerIsTheOneApplicationThatHasWrittenTheDocument() throws {
    let (made, replaced) = (Self.event("A", .created), Self.event("A", .replaced))
    let (same, other) = (Self.event("A", .changed), Self.event("B", .changed))
    #expect(try Self.record([made]).maker == "A")
    #expect(try Self.record([made, same]).maker == "A")
    #expect(try Self.record([made, other, same]).maker == nil)
    #expect(try Self.record([replaced]).maker == nil)
    #expect(try Self.record([made, Self.event(nil, .changed)]).maker == nil)
    #expect(try Self.record([made, other, replaced, same]).writers == [replaced, same])
    #expect(try Self.record([other, same]).writers == [other, same])
  }

  @Test(arguments: [
    ("AC", "agrees", "disagrees"), ("AR", "agrees", "unknown"), ("AC AH", "agrees", "disagrees"),
    ("AC BH", "unknown", "unknown"), ("BC AH", "unknown", "unknown"),
    ("AC BR", "unknown", "agrees"), ("BC AR AH", "agrees", "unknown"),
    ("AR BH", "unknown", "unknown"), ("AH", "unknown", "unknown"), ("-C", "unknown", "unknown"),
    ("CC", "disagrees", "disagrees"), ("CC -H", "unknown", "unknown"),
    ("CC DR DH", "disagrees", "disagrees"), ("CR", "unknown", "unknown"),
  ])
  func sourceAgreesIfNobodyElseHasWrittenTheContent(
    _ text: String, _ first: String, _ second: String
  ) throws {
    let actions: [Character: WitnessRecord.Action] = [
      "C": .created, "R": .replaced, "H": .changed,
    ]
    let history = try text.split(separator: " ").map { word in
      let name = try #require(word.first)
      let action = try #require(word.last.flatMap { actions[$0] })
      return Self.event(name == "-" ? nil : String(name), action)
    }
    let witness = Witness.valid(try Self.record(history))
    #expect(witness.verdict(naming: "a").rawValue == first)
    #expect(witness.verdict(naming: "B").rawValue == second)
    #expect(witness.verdict(naming: nil) == .unknown)
  }

  @Test func recordWithoutItsPartsIsNone() {
    let none = ContentVersion(inode: 1, born: nil, size: 0, modified: 0, changed: 0)
    #expect(WitnessRecord(boot: Self.boot, file: none, changeEnd: 1, history: [Self.event]) == nil)
    #expect(WitnessRecord(boot: "", file: Self.file, changeEnd: .max, history: [Self.event]) == nil)
    #expect(WitnessRecord(boot: Self.boot, file: Self.file, changeEnd: .max, history: []) == nil)
    #expect(
      WitnessRecord(boot: Self.boot, file: Self.file, changeEnd: 1, history: [Self.event]) == nil)
  }

  /// Each key of a record is needed, and its type.
  @Test(arguments: [
    ("version", "'version' is missing or malformed"), ("boot", "'boot' is missing or malformed"),
    ("inode", "'inode' is missing or malformed"), ("born", "'born' is missing or malformed"),
    ("size", "'size' is missing or malformed"), ("modified", "'modified' is missing or malformed"),
    ("changedFrom", "'changedFrom' is missing or malformed"),
    ("changedTo", "'changedTo' is missing or malformed"),
    ("history", "'history' is missing or malformed"),
  ])
  func missingAndMistypedKeysAreNamed(_ key: String, _ reason: String) throws {
    for value in [nil, PropertyList.string(""), .boolean(true)] {
      let bytes = try Self.changed { $0[key] = value }
      #expect(throws: WitnessRecord.Flaw.key(key)) { try WitnessRecord(bytes) }
    }
    #expect(WitnessRecord.Flaw.key(key).description == reason)
  }

  @Test(arguments: ["application", "executable", "known", "action", "time"])
  func eventsNeedTheirKeys(_ key: String) throws {
    for value in [nil, PropertyList.string(""), .string("other"), .boolean(true)] {
      if value == .string("other"), ["application", "executable"].contains(key) { continue }
      if value == nil, key == "application" { continue }
      let bytes = try Self.changed { root in
        guard case .array(let events)? = root["history"],
          case .dictionary(var event)? = events.first
        else { return }
        event[key] = value
        root["history"] = .array([.dictionary(event)])
      }
      #expect(throws: WitnessRecord.Flaw.key(key)) { try WitnessRecord(bytes) }
    }
  }

  @Test func otherValuesAreNamed() throws {
    #expect(throws: WitnessRecord.Flaw.version(2)) {
      try WitnessRecord(try Self.changed { $0["version"] = .integer(2) })
    }
    for (key, value) in [
      ("inode", PropertyList.integer(-1)), ("size", .integer(-1)), ("boot", .string("")),
      ("history", .array([])), ("history", .array([.null])),
      ("history", .array(Array(repeating: .null, count: 9))), ("changedTo", .integer(1)),
    ] {
      #expect(throws: WitnessRecord.Flaw.key(key)) {
        try WitnessRecord(try Self.changed { $0[key] = value })
      }
    }
    #expect(throws: WitnessRecord.Flaw.list("not a binary property list (at byte 0)")) {
      try WitnessRecord([])
    }
    #expect(throws: WitnessRecord.Flaw.list("not a dictionary")) {
      try WitnessRecord(try PropertyList.array([]).binary())
    }
    // What later versions add is passed over.
    #expect(
      try WitnessRecord(try Self.changed { $0["more"] = .boolean(true) }) == (try Self.record()))
  }

  private static func changed(
    _ change: (inout PropertyList.Dictionary) -> Void
  ) throws -> [UInt8] {
    guard case .dictionary(var root) = try PropertyList(binary: try record().bytes ?? []) else {
      return []
    }
    change(&root)
    return try PropertyList.dictionary(root).binary()
  }
}
